"""The checks of open logs: here of a small one, else in a child process that keeps the report and answers.

A child maps the same columns, and ends when its log is let go, when it is cancelled or when we end.
"""

from __future__ import annotations

import itertools
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plyscope.visualizer.analysis.columns import kernel_call
from plyscope.visualizer.analysis.warm_up import compile_beside
from plyscope.visualizer.child_process import ChildError, ChildProcess, Message, Tell, serve_parent
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.jobs.job import Job
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.mapped import file_of
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:
    from plyscope.visualizer.shelf.jobs.checked_log import CheckedLog

SMALL_ROWS: Final = 2_000
"""Up to this many rows, a log is checked within the request, in a tenth of a second."""
MOST_CHILDREN: Final = 2
"""Processes that check or keep a report; the oldest one beyond is ended, and its log can be checked again."""

_serials: Final = itertools.count()


class Check(Job):
    """A check of `tree`, begun at once; its state may be read from any thread."""

    broken_off = "a rule broke off; the terminal says why"

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self.tree = tree
        self.report: dict[str, Any] = {}
        """Counts, groups and the rest of the answer, of all rules or, while one is asked last, the others."""
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

    def start(self) -> None:
        """Check a small log now; have a child begin with a large one."""
        if self.tree.log.n_rows <= SMALL_ROWS:
            self.run(self._check)
            return
        try:
            child = self._child = _Child(self.tree.log)
        except OSError as error:  # else it would count as running, and never be begun again
            self.settle("failed", f"the check could not begin: {error.strerror or error}")
            return
        if self.is_ended:  # while the columns were written
            child.kill()

        def has_first(message: Message) -> None:
            self.report = message["first"]

        self.begin(lambda: self._has_report(child.result(self.has_come, has_first)))

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Put a question of `CheckedLog` to the report; raises ChildError where it is gone."""
        if self._checked is not None:
            return self._checked.answer(question)
        if self._child is None or self.state != "done":
            raise ChildError("the check was ended")
        answer: dict[str, Any] = self._child.ask(question)
        return answer

    def end(self) -> None:
        """Stop working and free the report; waiting threads go on."""
        self.is_ended = True
        if self._child is not None:
            self._child.kill()
        self.settled.set()

    def _check(self) -> None:
        self._checked = _checked(self.tree, self.has_come)
        self._has_report(self._checked.summary())

    def _has_report(self, report: dict[str, Any]) -> None:
        self.report, self.progress = report, 1.0


class Checks:
    """Begins and ends the checks of logs: one for each, few children at a time; safe for many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._with_child: list[Entry] = []

    def of(self, entry: Entry, tree: Tree) -> Check | None:
        """The check of this very tree of the log, if there is one."""
        check = entry.check
        if isinstance(check, Check) and check.tree is tree and not check.is_ended:
            return check
        return None

    def start(self, entry: Entry, tree: Tree) -> Check:
        """The check of a log: the present one, unless it failed, else a new one."""
        with self._lock:
            check = self.of(entry, tree)
            if check is not None and check.state not in ("failed", "refused"):
                return check
            before = entry.check
            check = entry.check = Check(tree)
        if before is not None:
            before.end()
        check.start()
        if check.has_child:
            with self._lock:
                living = [*(other for other in self._with_child if other is not entry), entry]
                beyond, self._with_child = living[:-MOST_CHILDREN], living[-MOST_CHILDREN:]
            for other in beyond:  # without the lock: a process has to end, and what was written for it to go
                other.forget_check()
        return check


class _Child(ChildProcess):
    """Told where the columns of a log lie, it comes to the report's summary, then answers questions."""

    def __init__(self, log: Log) -> None:
        self._kept: tempfile.TemporaryDirectory[str] | None = None
        folder = mapped_folder(log)
        if folder is None:
            self._kept = tempfile.TemporaryDirectory(prefix="plyscope-check-")
            folder = Path(self._kept.name) / "log"
            try:
                disk.save(log, folder)
            except OSError:
                self._kept.cleanup()
                raise
        super().__init__(__name__)
        self.send({"folder": str(folder)})

    def kill(self) -> None:
        """End the process, wait for its end, and delete its files."""
        super().kill()
        if self._kept is not None:
            self._kept.cleanup()


def mapped_folder(log: Log) -> Path | None:
    """The folder that the log's columns are mapped from; None for one in memory, or whose folder is gone."""
    file = file_of(log.columns["parent"])
    return file.parent if file is not None and file.parent.is_dir() else None


def _checked(
    tree: Tree, on_progress: Callable[[float], None], on_first: Callable[[dict[str, Any]], None] | None = None
) -> CheckedLog:
    """The checked log; `on_first` gets the summary of all rules but the one that is asked last."""
    # The rules are loaded only for a check.
    from plyscope.visualizer.analysis.check.report import Report
    from plyscope.visualizer.analysis.check.run import check
    from plyscope.visualizer.shelf.jobs.checked_log import CheckedLog

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
