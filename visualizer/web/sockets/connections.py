"""The connections of a server: how many there may be, how long each may hold something, how each is refused.

waitress stops listening once it has many connections, and leaves one that says nothing alone for minutes: a
hundred idle ones would lock everybody out. Here `MOST_CONNECTIONS` are open at once. While there are so many,
each is closed behind its answer, one that asks nothing for a second makes room, and whoever comes waits in
the system's queue: nobody is reset amid a request. What waitress itself refuses (a header that is none, a
body without end) is answered in the shape of every error of the API.
"""

from __future__ import annotations

import io
import re
import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import orjson
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import Error

from plyscope.visualizer.web.guard import WITHOUT_TOKEN, Token

STREAMED: Final = re.compile(r"(POST /api/logs\?(?!.*follow=)|PUT /api/uploads/[0-9a-f]+\?).*")
"""Method, path and query of the requests whose bodies are taken so: logs that are whole."""
MOST_STREAMED: Final = 4
"""How many at once: each keeps a thread as long as its client sends. Those beyond are gathered first."""
SECONDS_WITHOUT_A_BYTE: Final = 20.0
BYTES_DROPPED_AT_ONCE: Final = 2**18


class StreamedBody(io.RawIOBase):
    """The `n_bytes` of a body, of which `begun` came with the header and the rest comes by a connection.

    waitress gathers a body before anybody sees it: each byte is copied three times, and the first waits for
    the last. A log, or a piece of a large one, is taken from the connection by the thread that answers.
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


MOST_CONNECTIONS: Final = 256
SECONDS_TO_ASK_NOTHING: Final = 1.0
SECONDS_A_BODY_MAY_TAKE: Final = 20.0
"""How long a connection may keep its request, or the body of one, back while others wait for its place."""
SECONDS_A_HEADER_MAY_TAKE: Final = 20.0
SECONDS_AN_ANSWER_MAY_STAND: Final = 60.0
"""How long an answer waits for a client that takes no byte of it."""

SECONDS_BETWEEN_LOOKS: Final = 0.5
"""How often deadlines are looked at (each look costs as much as all connections that there are), and how
often a reader of a body looks whether its server has closed the connection meanwhile."""

SENTENCES: Final = {
    400: "the request cannot be read",
    413: "the body is larger than this server takes; put the log into a file and `plyscope view` it",
    431: "the header of the request is too long",
    500: "the server failed at this request; its terminal says why",
    501: "the request needs what this server does not have",
}
"""What is said of a request that never came to the application."""


# The types published for waitress do not fit it.
_Channel: Any = HTTPChannel
_Parser: Any = HTTPRequestParser
_Server: Any = TcpWSGIServer
_ErrorTask: Any = ErrorTask
_Task: Any = WSGITask


class _UnauthorizedError(Error):
    code = 401
    reason = "Unauthorized"


class _Request(_Parser):  # type: ignore[misc]
    """A request; the body of one that does not show the token is not taken in."""

    def __init__(self, adj: Any, connection: Connection) -> None:
        super().__init__(adj)
        self._connection = connection
        self._is_judged = False
        self.streamed: StreamedBody | None = None

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if self.headers_finished and not self._is_judged:
            self._is_judged = True
            token = self._connection.server.token
            shown = self.headers.get("AUTHORIZATION", ""), self.headers.get("COOKIE", "")
            if self.body_rcv is not None and token is not None and not token.is_in(*shown):
                self.error, self.completed, self.expect_continue = _UnauthorizedError(""), True, False
            elif not self.completed and STREAMED.fullmatch(f"{self.command} {self.path}?{self.query}"):
                consumed += self._stream(data[consumed:])
        return consumed

    def _stream(self, begun: bytes) -> int:
        """Leave the body to the thread that answers, where that is possible; return how much was taken."""
        server = self._connection.server
        if self.chunked or self.expect_continue or len(server.streamed) >= MOST_STREAMED:
            return 0
        begun = begun[: self.content_length]
        self.streamed = StreamedBody(
            self._connection.socket, begun, self.content_length, lambda: server.streamed.discard(self)
        )
        server.streamed.add(self)
        self.completed = True
        return len(begun)

    def get_body_stream(self) -> Any:
        return self.streamed or super().get_body_stream()

    def close(self) -> None:
        if self.streamed is not None:
            self.streamed.close()
        super().close()


class _Answer(_Task):  # type: ignore[misc]
    """The answer to a request; a client still sends what its handler left, and sees the answer after that."""

    def build_response_header(self) -> Any:
        streamed = self.request.streamed
        if self.channel.server.is_full or (streamed is not None and not streamed.drop_rest()):
            self.set_close_on_finish()
        return super().build_response_header()


class _Refusal(_ErrorTask):  # type: ignore[misc]
    """An error that waitress answers, as `{"error": text, "status": code}`."""

    def execute(self) -> None:
        error = self.request.error
        sentence = WITHOUT_TOKEN if error.code == 401 else SENTENCES.get(error.code, error.reason)
        if error.code in (400, 501) and error.body:
            sentence = f"{sentence}: {error.body}"
        body = orjson.dumps({"error": sentence, "status": error.code})
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [("Content-Type", "application/json"), ("X-Content-Type-Options", "nosniff")]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class Connection(_Channel):  # type: ignore[misc]
    """One connection, which its deadlines close."""

    task_class = _Answer
    error_task_class = _Refusal

    def __init__(self, server: Listener, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        self.parser_class = lambda adj: _Request(adj, self)
        self._waiting_since = time.monotonic()
        """Since when there is no whole request: since the connection, or the end of the last answer."""
        self._header_since: float | None = None
        self._stands: tuple[float, float] | None = None
        super().__init__(server, sock, addr, adj, map=map)

    def may_go(self, now: float) -> bool:
        """Whether it may be closed to make room: none that is answered, or whose request has just come."""
        if self.requests or self.will_close or self.close_when_flushed or self.total_outbufs_len:
            return False
        sends_body = self.request is not None and self.request.body_rcv is not None
        if now - self._waiting_since < (SECONDS_A_BODY_MAY_TAKE if sends_body else SECONDS_TO_ASK_NOTHING):
            return False
        with suppress(BlockingIOError):
            return not self.socket.recv(1, socket.MSG_PEEK)
        return True

    def readable(self) -> bool:
        """Return whether to read more; never of one that the listener has just closed."""
        return self.connected and bool(super().readable())

    def is_late(self, now: float) -> bool:
        """Return whether one of its deadlines has passed; asked about once a second."""
        if self.requests:
            self._waiting_since, self._header_since = now, None
        elif self.request is None or self.request.headers_finished:
            self._header_since = None
        elif self._header_since is None:
            self._header_since = now
        elif now - self._header_since > SECONDS_A_HEADER_MAY_TAKE:
            return True
        if not self.total_outbufs_len:
            self._stands = None
        elif self._stands is None or self._stands[1] != self.last_activity:
            self._stands = now, self.last_activity
        else:
            return now - self._stands[0] > SECONDS_AN_ANSWER_MAY_STAND
        return False

    def service(self) -> None:
        """Answer one request; those sent behind it, without waiting, have to be sent again.

        Else the answers to a few hundred, which nobody takes, would hold this thread and much memory.
        """
        with self.requests_lock:
            behind = self.requests[1:]
            del self.requests[1:]
            if behind:
                self.requests[0].headers["CONNECTION"] = "close"
        for request in behind:
            request.close()
        super().service()
        self._waiting_since, self._header_since = time.monotonic(), None


class Listener(_Server):  # type: ignore[misc]
    """The listening socket, which takes a connection where there is room for it."""

    channel_class = Connection
    token: Token | None = None
    streamed: set[Any]
    """The requests whose bodies are taken by those who answer them, now."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.streamed = set()
        self._looked_at = 0.0
        super().__init__(*arguments, **options)

    @property
    def is_full(self) -> bool:
        """Return whether there are as many connections as there may be."""
        return len(self.active_channels) >= MOST_CONNECTIONS

    def readable(self) -> bool:
        """Return whether to take another connection: there is room, or one that asks nothing makes some.

        Asked before the sockets are looked at, at least once a second, so deadlines are looked at here.
        """
        now = time.monotonic()
        if now - self._looked_at > SECONDS_BETWEEN_LOOKS:
            self._looked_at = now
            for one in list(self.active_channels.values()):
                if one.is_late(now):
                    one.handle_close()
        if self.is_full:
            gone = next((one for one in self.active_channels.values() if one.may_go(now)), None)
            if gone is None:
                return False
            gone.handle_close()
        return bool(super().readable())
