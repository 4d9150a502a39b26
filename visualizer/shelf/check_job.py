"""The check of one open log: here for a small one, else in a child process that keeps the report and answers.

The child maps the same columns, and ends when its log is let go, when it is cancelled or when we end. It is
asked one line of JSON at a time and answers with one.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from plyscope.visualizer.shelf.telling import teller
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:
    from plyscope.visualizer.shelf.checked_log import CheckedLog

SMALL_ROWS: Final = 2_000
"""Up to so many rows a log is checked within the request, in a tenth of a second."""

QUICK_ROWS: Final = 12_000
"""Up to so many rows plain Python takes less than a second; the page asks for the check by itself.

Beyond, machine code is worth the time in which it is loaded.
"""

_serials: Final = itertools.count()

Progress = Callable[[float], None]
State = Literal["running", "done", "failed"]


class CheckEndedError(Exception):
    """The check that was asked is not there any more: cancelled, forgotten with its log, or killed."""


class Check:
    """A check of `tree`, from its beginning; what it knows is read from any thread."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.state: State = "running"
        self.progress = 0.0
        self.error = ""
        self.report: dict[str, Any] = {}
        """Counts, groups and the rest of the answer, once it is done."""
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
        """Put a question of `CheckedLog` to the report; raises CheckEndedError where it is gone."""
        if self._checked is not None:
            return self._checked.answer(question)
        if self._child is None or self.state != "done":
            raise CheckEndedError
        return self._child.ask(question)

    def end(self) -> None:
        """Stop working and give the report back; whoever waits goes on."""
        self.is_ended = True
        if self._child is not None:
            self._child.kill()
        self.settled.set()

    def _has_come(self, part: float) -> None:
        self.progress = part

    def _is_done(self, report: dict[str, Any]) -> None:
        self.report, self.progress, self.state = report, 1.0, "done"
        self.settled.set()

    def _has_failed(self, error: str) -> None:
        self.error, self.state = error, "failed"
        self.settled.set()

    def _await_child(self, child: _Child) -> None:
        try:
            self._is_done(child.wait(self._has_come))
        except CheckEndedError as error:
            self._has_failed(str(error))
        except (OSError, ValueError, KeyError):  # ended in the middle of a message
            self._has_failed("the check was ended")


class _Child:
    """The process: told where the columns lie, it tells how far it is, then answers until its input ends."""

    def __init__(self, log: Log) -> None:
        self._lock = threading.RLock()
        self.is_compiling = False
        self._kept: tempfile.TemporaryDirectory[str] | None = None
        folder = mapped_folder(log)
        if folder is None:
            self._kept = tempfile.TemporaryDirectory(prefix="plyscope-check-")
            folder = Path(self._kept.name) / "log"
            disk.save(log, folder)
        self._process = subprocess.Popen(
            # -P: a file of the folder we run in must not pass for a module.
            [sys.executable, "-P", "-m", "plyscope.visualizer.shelf.check_job", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl+C is for the viewer, which ends the child itself
        )

    def wait(self, on_progress: Progress) -> dict[str, Any]:
        """The report's summary; raises CheckEndedError with what went wrong."""
        while "summary" not in (message := self._read()):
            self.is_compiling = message.get("compiling", self.is_compiling)
            if "progress" in message:
                on_progress(message["progress"])
        summary: dict[str, Any] = message["summary"]
        return summary

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """One question and its answer; raises CheckEndedError."""
        with self._lock:
            try:
                assert self._process.stdin is not None
                self._process.stdin.write(json.dumps(question) + "\n")
                self._process.stdin.flush()
            except (OSError, ValueError):
                raise CheckEndedError("the check was ended") from None
            return self._read()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        with self._lock:
            line = "" if self._process.stdout.closed else self._process.stdout.readline()
        if not line.endswith("\n"):
            code = self._process.wait()
            if code < 0:
                raise CheckEndedError(f"its process was killed (signal {-code}), perhaps for want of memory")
            raise CheckEndedError(f"its process broke off (exit code {code}); the terminal may say why")
        message: dict[str, Any] = json.loads(line)
        return message

    def kill(self) -> None:
        """End the process, wait for that, and delete what was written for it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with self._lock, suppress(OSError):  # whoever reads has come to the end by now
                assert pipe is not None
                pipe.close()
        if self._kept is not None:
            self._kept.cleanup()


def mapped_folder(log: Log) -> Path | None:
    """The folder that the log's columns are mapped from; None for one that is in memory."""
    column = log.columns["parent"]
    if isinstance(column, np.memmap) and column.filename is not None:
        return Path(column.filename).parent
    return None


def _checked(tree: Tree, on_progress: Progress) -> CheckedLog:
    # Whoever never checks a log does not load the rules.
    from plyscope.visualizer.analysis.check.run import check
    from plyscope.visualizer.shelf.checked_log import CheckedLog

    compiled = tree.log.n_rows > QUICK_ROWS
    return CheckedLog(tree, check(tree.log, on_progress=on_progress, compiled=compiled))


def serve(folder: Path, questions: Any, tell: Callable[[dict[str, Any]], None]) -> None:
    """Check the log in `folder`, then answer one line of JSON with another until there are no more."""
    log = disk.load(folder)
    if log is None:
        raise FileNotFoundError(f"there is no log in {folder}")
    checked = _checked(Tree(log), lambda part: tell({"progress": part}))
    tell({"summary": checked.summary()})
    for line in questions:
        tell(checked.answer(json.loads(line)))


if __name__ == "__main__":
    from plyscope.engine.compile.code_cache import tell_compiling

    tell = teller()
    tell_compiling(lambda is_compiling: tell({"compiling": is_compiling}))
    serve(Path(sys.argv[1]), sys.stdin, tell)
