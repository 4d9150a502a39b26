"""Bodies that the thread which answers takes from the connection itself, as they come.

waitress gathers a body before anybody sees it: each byte is copied three times, and the first waits for the
last. A piece of a large log goes from the connection to where it belongs instead.
"""

from __future__ import annotations

import io
import re
import select
import socket
from collections.abc import Callable
from typing import Any, Final

STREAMED: Final = re.compile(r"PUT /api/uploads/[0-9a-f]+")
"""Method and path of the requests whose bodies are taken so."""
MOST_STREAMED: Final = 4
"""How many at once: each keeps a thread as long as its client sends. Those beyond are gathered first."""
SECONDS_WITHOUT_A_BYTE: Final = 20.0
SECONDS_BETWEEN_LOOKS: Final = 0.5
"""How often a reader looks whether its server has closed the connection meanwhile."""
BYTES_DROPPED_AT_ONCE: Final = 2**18


class StreamedBody(io.RawIOBase):
    """The `n_bytes` of a body, of which `begun` came with the header and the rest comes by a connection.

    It ends early where the client says nothing for `SECONDS_WITHOUT_A_BYTE`, or is gone.
    """

    def __init__(
        self, connection: socket.socket, begun: bytes, n_bytes: int, on_end: Callable[[], None]
    ) -> None:
        self._connection, self._begun, self._on_end = connection, memoryview(begun), on_end
        self.n_left = n_bytes
        """Bytes that nobody has read yet."""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Take what is there, at least a byte, and say how much that is; 0 at the end."""
        into = memoryview(buffer)[: self.n_left]
        if self._begun:
            taken = min(len(into), len(self._begun))
            into[:taken] = self._begun[:taken]
            self._begun = self._begun[taken:]
        else:
            taken = self._receive(into) if into else 0
        self.n_left -= taken
        return taken

    def _receive(self, into: memoryview) -> int:
        waited = 0.0
        while waited < SECONDS_WITHOUT_A_BYTE:
            try:
                return self._connection.recv_into(into)
            except BlockingIOError:
                there = select.poll()
                there.register(self._connection, select.POLLIN)
                if not there.poll(1000 * SECONDS_BETWEEN_LOOKS):
                    waited += SECONDS_BETWEEN_LOOKS
            except (OSError, ValueError):  # closed by the client, or by the server that ends
                return 0
        return 0

    def drop_rest(self) -> bool:
        """Drop what nobody has read, so that the client comes to see the answer; True once all has come."""
        room = bytearray(BYTES_DROPPED_AT_ONCE)
        while self.n_left and self.readinto(room):
            pass
        return self.n_left == 0

    def close(self) -> None:
        """The request is over."""
        if not self.closed:
            self._on_end()
        super().close()
