"""The check of one open log: here for a small one, else in a child process that keeps the report and answers.

The child maps the same columns, and ends when its log is let go, when it is cancelled or when we end.
"""

from __future__ import annotations

import itertools
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from plyscope.visualizer.analysis.check.passes import kernel_call
from plyscope.visualizer.analysis.warm_up import compile_beside
from plyscope.visualizer.child_process import ChildError, ChildProcess, Message, Tell, serve_parent
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:
    from plyscope.visualizer.shelf.checked_log import CheckedLog

SMALL_ROWS: Final = 2_000
"""Up to so many rows a log is checked within the request, in a tenth of a second."""

_serials: Final = itertools.count()

Progress = Callable[[float], None]
State = Literal["running", "done", "failed"]


class Check:
    """A check of `tree`, from its beginning; what it knows is read from any thread."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.state: State = "running"
        self.progress = 0.0
        self.error = ""
        self.report: dict[str, Any] = {}
        """Counts, groups and the rest of the answer, of all rules or, while one is asked last, the others."""
        self.settled = threading.Event()
        self.is_ended = False
        self.serial = next(_serials)
        """A number of its own, for whoever keeps what it answered."""
        self._child: _Child | None = None
        self._checked: CheckedLog | None = None

    @property
    def is_compiling(self) -> bool:
        """Whether its process compiles the rules now, once on a machine."""
        return self._child is not None and self._child.is_compiling

    @property
    def has_child(self) -> bool:
        """Whether a process works for it or keeps its report."""
        return self._child is not None

    def begin(self) -> None:
        """Check a small log now; have a child begin with a large one."""
        if self.tree.log.n_rows <= SMALL_ROWS:
            try:
                self._checked = _checked(self.tree, self._has_come)
                self._is_done(self._checked.summary())
            finally:  # a rule that raises is our fault, and nobody may wait for it
                if self.state == "running":
                    self._has_failed("a rule broke off; the terminal says why")
            return
        self._child = _Child(self.tree.log)
        if self.is_ended:  # while the columns were written
            self._child.kill()
        threading.Thread(target=self._await_child, args=(self._child,), daemon=True).start()

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Put a question of `CheckedLog` to the report; raises ChildError where it is gone."""
        if self._checked is not None:
            return self._checked.answer(question)
        if self._child is None or self.state != "done":
            raise ChildError("the check was ended")
        answer: dict[str, Any] = self._child.ask(question)
        return answer

    def end(self) -> None:
        """Stop working and give the report back; whoever waits goes on."""
        self.is_ended = True
        if self._child is not None:
            self._child.kill()
        self.settled.set()

    def _has_come(self, part: float) -> None:
        self.progress = part

    def _has_first(self, message: Message) -> None:
        self.report = message["first"]

    def _is_done(self, report: dict[str, Any]) -> None:
        self.report, self.progress, self.state = report, 1.0, "done"
        self.settled.set()

    def _has_failed(self, error: str) -> None:
        self.error, self.state = error, "failed"
        self.settled.set()

    def _await_child(self, child: _Child) -> None:
        try:
            self._is_done(child.result(self._has_come, self._has_first))
        except ChildError as error:
            self._has_failed(str(error))


class _Child(ChildProcess):
    """Told where the columns of a log lie, it comes to the report's summary, then answers questions."""

    def __init__(self, log: Log) -> None:
        self._kept: tempfile.TemporaryDirectory[str] | None = None
        folder = mapped_folder(log)
        if folder is None:
            self._kept = tempfile.TemporaryDirectory(prefix="plyscope-check-")
            folder = Path(self._kept.name) / "log"
            disk.save(log, folder)
        super().__init__(__name__)
        self.send({"folder": str(folder)})

    def kill(self) -> None:
        """End the process, wait for that, and delete what was written for it."""
        super().kill()
        if self._kept is not None:
            self._kept.cleanup()


def mapped_folder(log: Log) -> Path | None:
    """The folder that the log's columns are mapped from; None for one in memory, or whose folder is gone."""
    column = log.columns["parent"]
    if isinstance(column, np.memmap) and column.filename is not None:
        folder = Path(column.filename).parent
        return folder if folder.is_dir() else None
    return None


def _checked(
    tree: Tree, on_progress: Progress, on_first: Callable[[dict[str, Any]], None] | None = None
) -> CheckedLog:
    """The checked log; `on_first` gets the summary of all rules but the one that is asked last."""
    # Whoever never checks a log does not load the rules.
    from plyscope.visualizer.analysis.check.report import Report
    from plyscope.visualizer.analysis.check.run import check
    from plyscope.visualizer.shelf.checked_log import CheckedLog

    def tell(report: Report) -> None:
        if on_first is not None:
            on_first(CheckedLog(tree, report).summary())

    return CheckedLog(tree, check(tree.log, on_progress=on_progress, on_first=tell))


def serve(messages: Iterator[Message], tell: Tell) -> None:
    """Check the log in the folder that the first message names, then answer the questions that follow."""
    folder = Path(next(messages)["folder"])
    log = disk.load(folder)
    if log is None:
        raise FileNotFoundError(f"there is no log in {folder}")
    checked = _checked(
        Tree(log), lambda part: tell({"progress": part}), lambda summary: tell({"first": summary})
    )
    tell({"result": checked.summary() | ({"plain": True} if kernel_call.missed else {})})
    if kernel_call.missed:
        compile_beside("check", folder)
    for question in messages:
        tell({"result": checked.answer(question)})


if __name__ == "__main__":
    serve_parent(serve)
