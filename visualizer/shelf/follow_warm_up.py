"""Compile what reads and seals a log that is followed, in a process of its own.

The machine code is kept on disk, where the process that follows finds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from plyscope.visualizer.child_process import ChildError, ChildProcess, Message, Tell, serve_parent
from plyscope.visualizer.formats.following.growing_log import GrowingLog

_HEADER: Final = b'{"plyscope": 1}\n'
_LINES: Final = b"""{"id": 0, "key": "00000000000000ff", "score": 1, "factors": [1, 2], "x": 1}
{"id": 1, "parent": 0, "ply": "a", "key": "00000000000000fe", "score": 2.5, "factors": [1, 2], "x": "y"}
"""


def compile_elsewhere() -> None:
    """Have another process compile; returns when it has. Where it fails, whoever follows compiles itself."""
    with suppress(ChildError), ChildProcess(__name__) as child:
        child.result()


def serve(_: Iterator[Message], tell: Tell) -> None:
    """Compile by following a few lines."""
    from plyscope.engine.jit import compiled

    log = GrowingLog()
    log.run = compiled
    log.take(_HEADER)
    log.take(_LINES)
    log.snapshot()
    tell({"result": None})


if __name__ == "__main__":
    serve_parent(serve)
