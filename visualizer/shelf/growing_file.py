"""A file that is being written: what was appended since it was read, and whether it is another one now."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TAIL_BYTES: Final = 4096
"""So many bytes before the place that was read last show whether the file still holds what was read."""


@dataclass(frozen=True)
class Seen:
    """The inode, size and time of the file when it was looked at last."""

    inode: int
    size: int
    time_ns: int


class GrowingFile:
    """Reads a file as it grows. Methods raise OSError, but for a file that is not there, which `is_gone`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.offset = 0
        """Bytes that were read."""
        self.is_gone = False
        """Whether it was not there when it was looked at last."""
        self.seen: Seen | None = None
        self._tail = b""

    def look(self) -> bool:
        """See what the file is now; whether it is another one, or holds other bytes where it was read."""
        before, now = self.seen, self._now()
        if now is None or now == before:
            return False
        self.seen = now
        return before is not None and self._holds_other(before, now)

    def has_changed(self) -> bool:
        """Whether the file is there, and was written to since it was looked at last."""
        now = self._now()
        return now is not None and now != self.seen

    def more(self, most: int) -> bytes:
        """Up to `most` bytes that were appended since, as far as the last look saw any."""
        if self.is_gone or self.seen is None or self.seen.size <= self.offset:
            return b""
        with self._path.open("rb") as file:
            file.seek(self.offset)
            data = file.read(most)
        self.offset += len(data)
        self._tail = (self._tail + data)[-TAIL_BYTES:]
        return data

    def n_unread(self) -> int:
        """Bytes that were appended and not read; 0 where that cannot be told."""
        try:
            return max(0, os.stat(self._path).st_size - self.offset)
        except OSError:
            return 0

    def _now(self) -> Seen | None:
        try:
            stat = os.stat(self._path)
        except FileNotFoundError:
            self.is_gone = True
            return None
        self.is_gone = False
        return Seen(stat.st_ino, stat.st_size, stat.st_mtime_ns)

    def _holds_other(self, before: Seen, now: Seen) -> bool:
        if now.inode != before.inode or now.size < self.offset:
            return True
        with self._path.open("rb") as file:
            file.seek(self.offset - len(self._tail))
            return file.read(len(self._tail)) != self._tail
