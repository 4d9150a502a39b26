"""A process that ends with the one that began it, whatever its own code is doing.

The parent holds the writing end of a pipe, which closes when the parent ends in any way. The system then
signals the process that holds the reading end. No thread can wait for that instead: code of a
game or an agent may hold the interpreter's lock for hours, a regular expression for one.
"""

from __future__ import annotations

import os
import select
from contextlib import suppress
from typing import Final

with suppress(ImportError):  # Windows has none
    import fcntl

CAN_END_WITH_WRITERS: Final = hasattr(os, "O_ASYNC")


def end_with_writers(pipe: int) -> bool:
    """Have the system end this process, by SIGIO, once nobody can write to `pipe`, which must stay empty.

    Return False where the system has no such signals, as Windows.
    """
    if not CAN_END_WITH_WRITERS:
        return False
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    poll = select.poll()
    poll.register(pipe)
    if poll.poll(0):  # they were gone before
        os._exit(1)
    return True
