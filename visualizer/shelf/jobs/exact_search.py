"""Exact searches of single plies for the viewer: in child processes, which write logs that can be opened."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from plyscope.engine.game import GameError
from plyscope.visualizer.analysis.explain.exact_question import Question, Worth
from plyscope.visualizer.analysis.nodes.mate import Proof
from plyscope.visualizer.child_process import Message, Tell, serve_parent, tell_result
from plyscope.visualizer.shelf.jobs.job import ChildJob
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.store.tree import Tree

SECONDS_BETWEEN_NEWS: Final = 0.2
LOG: Final = "exact.json"
MOST_KEPT: Final = 16
"""Searches whose logs are kept; the one that was begun longest ago goes."""
MOST_RUNNING: Final = 2
"""Processes that search at a time."""

Key = tuple[int, str]
"""The row of the node, and the ply below it."""


class ExactSearch(ChildJob):
    """A search that was begun, and its log."""

    def __init__(self, question: Question) -> None:
        super().__init__(__name__, {"question": question.as_json()}, "exact")
        self.question = question
        self.progress = {"nodes": 0, "seconds": 0.0}
        self.worth: Worth | None = None
        self.log_path = self.folder / LOG
        self.begin(self._await)

    def _await(self) -> None:
        with self._child:
            worth = self._child.result(lambda progress: self.has_come({**self.progress, **progress}))
        proof = None if worth["proof"] is None else Proof(*worth["proof"])
        self.worth = Worth(worth["score"], worth["nodes"], worth["depth"], proof)

    def as_json(self) -> dict[str, Any]:
        """The progress of the search as JSON, without its answer."""
        answer: dict[str, Any] = {
            "state": self.state,
            "nodes": self.progress["nodes"],
            "seconds": round(self.progress["seconds"], 1),
            "compiling": self._child.is_compiling and self.state == "running",
            "writing": "writing" in self.progress and self.state == "running",
        }
        return answer | ({"error": self.reason} if self.reason else {})


class TooManyError(Exception):
    """As many searches as may run are under way."""


class ExactSearches:
    """Begins, keeps and ends exact searches: one for each ply of a tree; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: Kept[ExactSearch] = Kept(
            MOST_KEPT,
            is_spoilt=lambda search: search.state == "failed",
            is_busy=lambda search: search.state == "running",
            let_go=lambda search: search.end(),
        )

    def of(self, tree: Tree, key: Key) -> ExactSearch | None:
        """The search of this ply of this very tree, if there is one."""
        return self._kept.get(tree, key)

    def start(self, tree: Tree, key: Key, question: Question) -> ExactSearch:
        """The search that there is, unless it failed, else one that begins now; raises TooManyError."""
        with self._lock:
            same = self.of(tree, key)
            if same is not None and same.state != "failed":
                return same
            self._kept.fit()  # what searches for a tree that is gone counts no longer
            if sum(search.state == "running" for search in self._kept.values()) >= MOST_RUNNING:
                raise TooManyError
            return self._kept.of(tree, key, make=lambda: ExactSearch(question))

    def stop(self, tree: Tree, key: Key) -> None:
        """Cancel the search of a ply, or forget its result."""
        with self._lock:  # not while it begins, since it could not be ended then
            self._kept.take(tree, key)

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            self._kept.clear()


def search_exactly(question: Question, folder: Path, tell: Tell) -> dict[str, Any]:
    """Run the search of the question, write the log to `folder` and return the worth of the ply."""
    from plyscope.engine.games import find_as_written
    from plyscope.engine.games.outside import faults_told
    from plyscope.engine.run import Progress, search
    from plyscope.visualizer.analysis.explain.exact_question import worth_of
    from plyscope.visualizer.formats.seal.recording import log_from_recording
    from plyscope.visualizer.formats.write.files import write_log_file

    told = 0.0

    def on_progress(at: Progress) -> None:
        nonlocal told
        if at.phase == "searching" and time.monotonic() - told >= SECONDS_BETWEEN_NEWS:
            told = time.monotonic()
            tell({"progress": {"nodes": at.nodes, "seconds": at.seconds}})

    with faults_told(question.game):
        game = find_as_written(question.game)
        recording = search(game, question.position, question.options, on_progress)
    tell({"progress": {"nodes": int(recording.header["result"]["nodes"]), "writing": True}})
    log = log_from_recording(recording)
    worth = worth_of(question, log)
    write_log_file(log, folder / LOG)
    proof = None if worth.proof is None else list(vars(worth.proof).values())
    return vars(worth) | {"proof": proof}


def serve(tasks: Iterator[Message], tell: Tell) -> None:
    """Search as the first task asks; the last message is the result, or why there is none."""
    from plyscope.engine.option import OptionError
    from plyscope.engine.options import SearchOptions
    from plyscope.visualizer.formats.errors import LogError

    task = next(tasks)
    asked = task["question"]
    question = Question(**asked | {"options": SearchOptions(**asked["options"])})
    tell_result(
        lambda: search_exactly(question, Path(task["folder"]), tell),
        tell,
        what="the search",
        refusals=(GameError, OptionError, LogError),
    )


if __name__ == "__main__":
    serve_parent(serve)
