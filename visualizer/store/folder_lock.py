"""Locks on folders and files: who has a log open shares one, who writes or removes it holds it alone.

The system lets a lock go with the process that held it, however that ended. Where it has no such locks
(Windows), `hold` gives one that holds nothing: there a file that is mapped cannot be removed anyway.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

SECONDS_OF_WRITING: Final = 86_400
"""Where there are no locks, the age after which a file is no longer being written."""

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
    """Lock `folder`, or a file, with others that share it or `alone`; None where others hold it against that.

    Also None where it was removed or replaced meanwhile. Raises OSError where it is not there, or
    its file system has no locks.
    """
    if sys.platform == "win32":
        return FolderLock(None)
    descriptor = os.open(folder, os.O_RDONLY)
    lock = FolderLock(descriptor)
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        is_there = os.path.samestat(os.fstat(descriptor), folder.stat())
    except (BlockingIOError, FileNotFoundError):
        return None
    return lock if is_there else None


def make_held(make: Callable[[], Path]) -> tuple[Path, FolderLock | None]:
    """A new folder or file that `make` makes, held alone; no lock where the file system has none."""
    while True:
        made = make()
        try:
            lock = hold(made, alone=True)
        except FileNotFoundError:
            lock = None
        except OSError:
            return made, None
        if lock is not None:  # else it was taken for one of the dead before it was locked
            return made, lock


@contextmanager
def temporary_folder(prefix: str, parent: Path | None = None) -> Iterator[Path]:
    """A temporary folder, in `parent` or in the system's place for such.

    Leftovers of killed processes are removed first.
    """
    place = parent or Path(tempfile.gettempdir())
    remove_unheld(place, f"{prefix}*")
    folder, lock = make_held(lambda: Path(tempfile.mkdtemp(prefix=prefix, dir=place)))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            lock.release()


def remove_unheld(parent: Path, pattern: str) -> int:
    """Remove the files and folders in `parent` that match and are not locked; returns their number.

    They are leftovers of processes that were killed while they wrote.
    """
    n_removed = 0
    for beside in parent.glob(pattern):
        with suppress(OSError):
            lock = hold(beside, alone=True)
            if lock is not None and (sys.platform != "win32" or _is_old(beside)):
                if beside.is_dir():
                    shutil.rmtree(beside, ignore_errors=True)
                else:
                    beside.unlink()
                n_removed += not beside.exists()
                lock.release()
    return n_removed


def _is_old(path: Path) -> bool:
    """Whether a file is too old to be still written, where there are no locks."""
    return time.time() - path.stat().st_mtime > SECONDS_OF_WRITING
