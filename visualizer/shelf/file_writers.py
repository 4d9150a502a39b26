"""Whether a program has a file open for writing: an engine that has died has not."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

PROCESSES = Path("/proc")
MODE_BITS = os.O_RDONLY | os.O_WRONLY | os.O_RDWR


def has_writer(path: Path) -> bool | None:
    """Whether a process that can be seen has this file open for writing; None if none can be looked at.

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
                continue  # closed meanwhile
            if (found.st_dev, found.st_ino) == (sought.st_dev, sought.st_ino) and _is_written(
                process, number
            ):
                return True
    return False if seen else None


def _open_files(process: str) -> Iterator[str]:
    try:
        yield from os.listdir(PROCESSES / process / "fd")
    except OSError:
        return  # another user's, or it has ended


def _is_written(process: str, number: str) -> bool:
    try:
        about = (PROCESSES / process / "fdinfo" / number).read_text()
    except OSError:
        return False
    flags = next((line.split()[1] for line in about.splitlines() if line.startswith("flags:")), "0")
    return int(flags, 8) & MODE_BITS != os.O_RDONLY
