"""An exact search of one ply for the viewer: in a child process, which writes a log that can be opened."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal

from plyscope.engine.game import GameError
from plyscope.visualizer.analysis.explain.exact_question import Question, Worth
from plyscope.visualizer.analysis.mate import Proof
from plyscope.visualizer.child_process import (
    ChildError,
    ChildProcess,
    Message,
    Tell,
    serve_parent,
    tell_result,
)

State = Literal["running", "done", "failed"]

SECONDS_BETWEEN_NEWS: Final = 0.2
LOG: Final = "exact.json"


class ExactSearch:
    """A search that was begun; what it knows is read from any thread."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.state: State = "running"
        self.nodes = 0
        self.seconds = 0.0
        self.is_writing = False
        self.error = ""
        self.worth: Worth | None = None
        self.settled = threading.Event()
        self._folder = tempfile.TemporaryDirectory(prefix="plyscope-exact-")
        self._child = ChildProcess(__name__)
        self._child.send({"question": question.as_json(), "folder": self._folder.name})
        threading.Thread(target=self._await, daemon=True).start()

    @property
    def log_path(self) -> Path:
        """The path of its log once it is done."""
        return Path(self._folder.name) / LOG

    def _await(self) -> None:
        try:
            with self._child:
                worth = self._child.result(self._note)
            proof = None if worth["proof"] is None else Proof(*worth["proof"])
            self.worth = Worth(worth["score"], worth["nodes"], worth["depth"], proof)
            self.state = "done"
        except ChildError as error:
            self.state, self.error = "failed", str(error)
        self.settled.set()

    def _note(self, progress: Message) -> None:
        self.is_writing = progress.get("writing", False)
        self.nodes = progress["nodes"]
        self.seconds = progress.get("seconds", self.seconds)

    def end(self) -> None:
        """Stop searching, and delete the log that was written."""
        self._child.kill()
        with suppress(OSError):
            self._folder.cleanup()
        self.settled.set()

    def as_json(self) -> dict[str, Any]:
        """The progress of the search as JSON, without its answer."""
        answer: dict[str, Any] = {
            "state": self.state,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 1),
            "compiling": self._child.is_compiling and self.state == "running",
            "writing": self.is_writing and self.state == "running",
        }
        return answer | ({"error": self.error} if self.error else {})


def search_exactly(question: Question, folder: Path, tell: Tell) -> dict[str, Any]:
    """Search as the question asks, write the log to `folder` and return what the ply is worth."""
    from plyscope.engine.games import find
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

    recording = search(find(question.game), question.position, question.options, on_progress)
    tell({"progress": {"nodes": int(recording.header["result"]["nodes"]), "writing": True}})
    log = log_from_recording(recording)
    worth = worth_of(question, log)
    write_log_file(log, folder / LOG)
    proof = None if worth.proof is None else list(vars(worth.proof).values())
    return vars(worth) | {"proof": proof}


def serve(tasks: Iterator[Message], tell: Tell) -> None:
    """Search as the first task asks; the last message is the result, or why there is none."""
    from plyscope.engine.options import OptionError, SearchOptions
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
