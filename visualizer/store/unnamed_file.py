"""Files without a name: gone with whoever has them open, unless they are given one."""

from __future__ import annotations

import mmap
import os
import weakref
from pathlib import Path
from typing import Final, Self

O_TMPFILE: Final = getattr(os, "O_TMPFILE", 0)
"""0 where the system has no such files."""


class UnnamedFile:
    """A file in a folder that no name leads to. It is closed with the last who holds it."""

    def __init__(self, folder: Path, n_bytes: int) -> None:
        """Make one of so many zeros, which take no room. Raises OSError, as where there are no such files."""
        if not O_TMPFILE:
            raise OSError("this system has no files without names")
        folder.mkdir(parents=True, exist_ok=True)
        self._file = os.open(folder, O_TMPFILE | os.O_RDWR, 0o666)
        weakref.finalize(self, os.close, self._file)
        self.truncate(n_bytes)

    @classmethod
    def where_possible(cls, folder: Path | None, n_bytes: int) -> Self | None:
        """One in `folder`, if there is one, of some bytes; None where there is none to be had."""
        try:
            return None if folder is None or not n_bytes else cls(folder, n_bytes)
        except OSError:
            return None

    def truncate(self, n_bytes: int) -> None:
        """Let it have so many bytes."""
        os.ftruncate(self._file, n_bytes)

    def mapped(self, n_bytes: int) -> mmap.mmap:
        """Its first bytes, mapped read-only; what is written later is seen there too."""
        return mmap.mmap(self._file, n_bytes, access=mmap.ACCESS_READ)

    def write(self, data: memoryview, at: int) -> None:
        """Write bytes at a place. Raises OSError."""
        while data:
            n_written = os.pwrite(self._file, data, at)
            data, at = data[n_written:], at + n_written

    def link(self, path: Path) -> None:
        """Let `path` lead to it. Raises OSError, as on another disk."""
        # With a folder given, though not used, the system follows the link that /proc has.
        os.link(f"/proc/self/fd/{self._file}", path, src_dir_fd=self._file)
