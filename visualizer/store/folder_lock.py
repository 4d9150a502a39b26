"""Locks on folders: who has a converted log open shares one, who writes or removes it holds it alone.

The system lets a lock go with the process that held it, however that ended. Where it has no such locks
(Windows), `hold` gives one that holds nothing: there a file that is mapped cannot be removed anyway.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl


class FolderLock:
    """A lock that is held until it is released, or not referred to any more."""

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        """Let others have the folder; twice is once."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with suppress(OSError):
                os.close(descriptor)

    def __del__(self) -> None:
        self.release()


def hold(folder: Path, *, alone: bool = False) -> FolderLock | None:
    """Lock `folder`, with others that share it or `alone`; None where others hold it against that.

    Also None where the folder was removed or replaced meanwhile. Raises OSError where it is not there, or
    its file system has no locks.
    """
    if sys.platform == "win32":
        return FolderLock(None)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    lock = FolderLock(descriptor)
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        is_there = os.path.samestat(os.fstat(descriptor), folder.stat())
    except (BlockingIOError, FileNotFoundError):
        return None
    return lock if is_there else None
