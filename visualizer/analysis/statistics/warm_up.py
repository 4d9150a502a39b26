"""Compile the counting, in a process of its own, so that a server answers others meanwhile.

The machine code is kept on disk, where the process that counts finds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.child_process import ChildError, ChildProcess, Message, Tell, serve_parent
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree

_LOG: Final = b"""{"plyscope": 1, "search": {"limit": 2},
"root": {"layer": "max", "score": 2, "bound": "exact",
"children": [{"ply": "a", "pre_score": 2, "score": 2}, {"ply": "b", "pre_score": 1, "score": 1}]}}"""


def compile_elsewhere() -> None:
    """Have another process compile; returns when it has. Where it fails, whoever counts compiles itself."""
    with suppress(ChildError), ChildProcess(__name__) as child:
        child.result()


def serve(_: Iterator[Message], tell: Tell) -> None:
    """Compile the counting."""
    counted_in(Tree(read_log(_LOG)), compiled=True)
    tell({"result": None})


if __name__ == "__main__":
    serve_parent(serve)
