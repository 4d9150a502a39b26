"""Compile the kernels of a question in a process of its own, so that answers do not wait for it.

The machine code is kept on disk, where the process that answers the next question finds it. A process cannot
compile beside its own work, since numba holds the interpreter's lock.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal

from plyscope.visualizer.child_process import ChildError, ChildProcess, Message, Tell, serve_parent
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

Question = Literal["check", "follow", "read", "replay", "statistics", "weights"]

LEAST_PRIORITY: Final = 19
_LOG: Final = b"""{"plyscope": 1, "search": {"limit": 2}, "factors": [{"name": "f", "weight": 1}],
"root": {"layer": "max", "score": 2, "bound": "exact", "outcome": "searched", "children": [
{"ply": "a", "layer": "min", "pre_score": 2, "score": 2, "outcome": "leaf", "static": 2, "factors": [2]},
{"ply": "b", "layer": "min", "pre_score": 1, "score": 1, "outcome": "leaf", "static": 1, "factors": [1]}]}}"""
_LINES: Final = b"""{"plyscope": 1}
{"id": 0, "key": "00000000000000ff", "score": 1, "factors": [1, 2], "x": 1}
{"id": 1, "parent": 0, "ply": "a", "key": "00000000000000fe", "score": 2.5, "factors": [1, 2], "x": "y"}
{"id": 9, "parent": 8}
"""

_begun: Final[set[Question]] = set()
_kept: Final[list[tempfile.TemporaryDirectory[str]]] = []


def compile_elsewhere(
    question: Question, folder: Path | None = None, *, gives_way: bool = False, outlives: bool = False
) -> None:
    """Let another process compile; returns when it is done. If that fails, the answering one compiles.

    `folder` has the columns of the log that the question is about; without one, a sample is used. To `read`
    is asked about the log's own file in its place. A process that `gives_way` runs at the lowest priority;
    one that `outlives` this one ends once it has compiled.
    """
    options: dict[str, Any] = {}
    if gives_way and os.name == "nt":
        options["creationflags"] = subprocess.IDLE_PRIORITY_CLASS  # type: ignore[attr-defined]
    if outlives:
        options["stderr"] = subprocess.DEVNULL  # nothing may be printed after the command has ended
    with suppress(ChildError), ChildProcess(__name__, **options) as child:
        task = {"gives_way": gives_way, "outlives": outlives}
        child.send({"question": question, "folder": folder and str(folder), **task})
        child.result()


def compile_beside(question: Question, folder: Path | None = None, *, outlives: bool = False) -> None:
    """Begin to have another process compile, which gives way to all others; once in this process."""
    if question not in _begun:
        _begun.add(question)
        asked = {"question": question, "folder": folder, "gives_way": True, "outlives": outlives}
        threading.Thread(target=compile_elsewhere, kwargs=asked, name="plyscope-beside", daemon=True).start()


def compile_replay_beside(log: Log) -> None:
    """The same for a log in memory whose plies are played again, in a process that outlives this one.

    A command ends before its game is compiled: it would begin anew each time, and never come to the end.
    """
    if "replay" not in _begun:
        kept = tempfile.TemporaryDirectory(prefix="plyscope-beside-", ignore_cleanup_errors=True)
        _kept.append(kept)
        disk.save(log, folder := Path(kept.name) / "log")
        compile_beside("replay", folder, outlives=True)


def serve(messages: Iterator[Message], tell: Tell) -> None:
    """Ask the question of the first message by machine code."""
    task = next(messages)
    if task["gives_way"] and hasattr(os, "nice"):
        os.nice(LEAST_PRIORITY)
    if not task["outlives"]:
        threading.Thread(target=_end_with_parent, args=(messages,), daemon=True).start()
    _ask(task["question"], task["folder"])
    tell({"result": None})


def _end_with_parent(messages: Iterator[Message]) -> None:
    for _ in messages:
        pass
    os._exit(1)


def follow_lines() -> None:
    """Follow a few lines with the kernels that read and seal a growing log, and draw the overview of them."""
    from plyscope.engine.jit import compiled
    from plyscope.visualizer.analysis.overview.picture import overview
    from plyscope.visualizer.formats.following.growing_log import GrowingLog

    log = GrowingLog()
    log.run = compiled
    for line in _LINES.splitlines(keepends=True):
        log.take(line)
        sealed = log.snapshot()
        if sealed is not None:
            overview(sealed, width=8, n_bands=4, few_rows=0)
    log.snapshot(is_final=True)


def read_to_compile(path: Path) -> None:
    """Read a log by machine code, whatever its size."""
    from plyscope.visualizer.formats.detect import read_log_file

    with suppress(LogError):  # it is another log by now
        read_log_file(path, compiles=True)


def _ask(question: Question, folder: str | None) -> None:
    if question == "follow":
        follow_lines()
        return
    if question == "read":
        assert folder is not None
        read_to_compile(Path(folder))
        return
    from plyscope.visualizer.formats.detect import read_log

    log = read_log(_LOG) if folder is None else disk.load(Path(folder))
    if log is None:  # it was let go meanwhile
        return
    if question == "check":
        from plyscope.visualizer.analysis.check.run import check

        check(log, compiled=True)
    elif question == "replay":
        from plyscope.visualizer.analysis.check.rules.game.walk import Replay
        from plyscope.visualizer.analysis.columns.kernel_call import Work
        from plyscope.visualizer.analysis.columns.sight import sight_of

        Replay(sight_of(log), Work(True)).play()
    elif question == "weights":
        from plyscope.visualizer.analysis.whatif.reweighing import Reweighing

        weighed = Reweighing(Tree(log), compiled=True)
        weighed.ranges()
    else:
        from plyscope.visualizer.analysis.statistics.run import counted_in

        counted_in(Tree(log), compiled=True)


if __name__ == "__main__":
    serve_parent(serve, outlives_parent=True)
