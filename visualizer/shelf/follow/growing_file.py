"""A file that is being written: by us, line by line, or by an engine that is followed."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from plyscope.visualizer.formats.compressed import is_packed
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.read.first_line import is_json_lines, is_table_of_others

TAIL_BYTES: Final = 4096
"""The bytes before the last place read that are compared, to see whether the file was rewritten."""
PROCESSES = Path("/proc")
MODE_BITS = os.O_RDONLY | os.O_WRONLY | os.O_RDWR


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
        """Look at the file; returns whether it is another one, or has other bytes where it was read."""
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
        """The number of appended bytes that were not read; 0 where unknown."""
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


class Spool:
    """Lines that come in without a file: written to one, which is followed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.n_bytes = 0
        self.on_growth: Callable[[], object] = lambda: None
        self.on_end: Callable[[], object] = lambda: None
        self._file = path.open("ab", buffering=0)
        self._lock = threading.Lock()
        self._is_closed = False

    def append(self, data: bytes) -> bool:
        """Take some bytes, which need not end with a line; False once it is closed. Raises OSError."""
        with self._lock:
            if self._is_closed:
                return False
            left = memoryview(data)
            while left:
                left = left[self._file.write(left) :]
            self.n_bytes += len(data)
        self.on_growth()
        return True

    def close(self) -> None:
        """Nothing more comes. Of nothing at all no file is left."""
        with self._lock:
            self._is_closed = True
            self._file.close()
            if not self.n_bytes:
                self.path.unlink(missing_ok=True)
        self.on_end()


def refuse_others(start: bytes, name: str, *, is_file: bool) -> None:
    """Raise a LogError with advice, where a log that begins with `start` cannot be followed.

    start       complete lines, without a byte order mark
    is_file     whether the log is in a file already, so that it can be opened later
    """
    otherwise = "open it without --follow" if is_file else "write it to a file, and open that"
    if is_packed(start[:4]):
        raise LogError(
            f"{name} is compressed, and a log can only be followed as it is; "
            f"let the engine write it uncompressed, or {otherwise} once it is whole"
        )
    if not _is_in_lines(start):
        raise LogError(
            f"{name} does not begin as JSON Lines or a compact log does, and only these can be followed "
            f"while they are written; {otherwise} once it is whole"
        )
    if is_table_of_others(start):
        raise LogError(
            f"{name} names its plies, scores or parents otherwise than the log format "
            f"does, and what they are is found in the whole of it; {otherwise}"
        )


def _is_in_lines(start: bytes) -> bool:
    """Whether a file begins with a header line, or with a node."""
    first, _, rest = start.lstrip().partition(b"\n")
    if is_json_lines(first + b"\n" + (rest or b"{")):
        return True
    return not first.strip()  # nothing but empty lines so far


def has_writer(path: Path) -> bool | None:
    """True where a process that we can look at has this file open for writing; None if we can look at none.

    Linux alone shows what a process has open, and only the processes of one's own user and container.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        sought = os.stat(path)
        processes = [entry for entry in os.listdir(PROCESSES) if entry.isdigit()]
    except OSError:
        return None
    seen = False
    for process in processes:
        for number in _open_files(process):
            seen = True
            try:
                found = os.stat(PROCESSES / process / "fd" / number)
            except OSError:
                continue  # was closed meanwhile
            if (found.st_dev, found.st_ino) == (sought.st_dev, sought.st_ino) and _is_written(
                process, number
            ):
                return True
    return False if seen else None


def _open_files(process: str) -> Iterator[str]:
    try:
        yield from os.listdir(PROCESSES / process / "fd")
    except OSError:
        return  # the process is another user's, or has ended


def _is_written(process: str, number: str) -> bool:
    try:
        about = (PROCESSES / process / "fdinfo" / number).read_text()
    except OSError:
        return False
    flags = next((line.split()[1] for line in about.splitlines() if line.startswith("flags:")), "0")
    return int(flags, 8) & MODE_BITS != os.O_RDONLY
