"""The lines that come in, read by a thread of their own, so that one can be seen while another is answered.

It knows bytes and lines and no command. Whatever was sent is kept, so the end of input cuts nothing off.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from typing import Final

LONGEST_LINE: Final = 100_000
"""The most characters of a line; the longest game has some ten thousand. Longer lines keep one more."""

MOST_WAITING: Final = 10_000
"""Lines that are read ahead; the sender of more has to wait."""

_CHUNK: Final = 1 << 16
_PATIENCE: Final = 0.5
"""Seconds until a waiting thread looks up, since on some systems no signal wakes it."""


class Inbox:
    """The lines that come in on a file descriptor, in UTF-8; nothing is read before `start`.

    >>> reading, writing = os.pipe()
    >>> _ = os.write(writing, b"info\\r\\nnewgame")
    >>> os.close(writing)
    >>> inbox = Inbox(reading)
    >>> inbox.start()
    >>> inbox.next(), inbox.next(), inbox.next()
    ('info', 'newgame', None)
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[str] = deque()
        self._changed = threading.Condition()
        self._is_at_end = False
        self._was_alone = False

    def start(self) -> None:
        """Begin to read; earlier input is read at once, up to the size of a pipe."""
        threading.Thread(target=self._read, name="inbox", daemon=True).start()

    def next(self) -> str | None:
        """The next line without its end, as soon as there is one; None at the end of input."""
        with self._changed:
            while not self._lines and not self._is_at_end:
                self._changed.wait(_PATIENCE)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._was_alone = not self._lines
            self._changed.notify_all()
            return line

    def came_after(self) -> str | None:
        """The line that came in right behind the one taken last, if none stood in line behind that then."""
        with self._changed:
            return self._lines[0] if self._was_alone and self._lines else None

    @property
    def has_lines(self) -> bool:
        """Whether lines wait to be taken."""
        return bool(self._lines)

    @property
    def is_at_end(self) -> bool:
        """Whether nothing more will come in; lines may still wait."""
        return self._is_at_end

    def _read(self) -> None:
        rest = b""
        while chunk := self._chunk():
            *whole, rest = (rest + chunk).split(b"\n")
            rest = rest[: 4 * LONGEST_LINE + 4]
            self._put(whole)
        self._put([rest] if rest else [], is_last=True)

    def _chunk(self) -> bytes:
        """Some bytes, none at the end; a descriptor that cannot be read is at its end."""
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:
            return b""

    def _put(self, lines: list[bytes], *, is_last: bool = False) -> None:
        texts = [line.decode("utf-8", "replace").rstrip("\r")[: LONGEST_LINE + 1] for line in lines]
        with self._changed:
            while len(self._lines) >= MOST_WAITING:
                self._changed.wait()
            self._lines += texts
            self._is_at_end = is_last
            self._changed.notify_all()
