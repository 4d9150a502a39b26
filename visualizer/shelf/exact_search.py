"""An exact search of one ply for the viewer: in a child process, which writes it as a log that can be opened.

The child reads the question from its standard input, and ends when that ends: with us, or when cancelled.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal

from plyscope.engine.game import GameError
from plyscope.visualizer.analysis.explain.exact_question import Question, Worth
from plyscope.visualizer.analysis.mate import Proof
from plyscope.visualizer.shelf.telling import teller

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
        self.is_compiling = False
        self.is_writing = False
        self.error = ""
        self.worth: Worth | None = None
        self.settled = threading.Event()
        self._folder = tempfile.TemporaryDirectory(prefix="plyscope-exact-")
        self._process = subprocess.Popen(
            # -P: a file of the folder we run in must not pass for a module.
            [sys.executable, "-P", "-m", "plyscope.visualizer.shelf.exact_search", self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl+C is for the viewer, with which the child ends
        )
        threading.Thread(target=self._await, daemon=True).start()

    @property
    def log_path(self) -> Path:
        """Where its log lies once it is done."""
        return Path(self._folder.name) / LOG

    def _await(self) -> None:
        message: dict[str, Any] = {}
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError, ValueError):  # killed in the middle of a message
            process.stdin.write(json.dumps(self.question.as_json()) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                message = json.loads(line)
                self._note(message)
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()
        if "worth" in message:
            worth = message["worth"]
            proof = None if worth["proof"] is None else Proof(*worth["proof"])
            self.worth = Worth(worth["score"], worth["nodes"], worth["depth"], proof)
            self.state = "done"
        else:
            killed = f"its process was ended (exit code {code}), perhaps for want of memory"
            self.state, self.error = "failed", message.get("error") or killed
        self.settled.set()

    def _note(self, message: dict[str, Any]) -> None:
        self.is_compiling = message.get("compiling", self.is_compiling)
        self.is_writing = message.get("writing", self.is_writing)
        self.nodes = message.get("nodes", self.nodes)
        self.seconds = message.get("seconds", self.seconds)

    def end(self) -> None:
        """Stop searching, and delete the log that was written."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._folder.cleanup()
        self.settled.set()

    def as_json(self) -> dict[str, Any]:
        """How far it is; without its answer."""
        answer: dict[str, Any] = {
            "state": self.state,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 1),
            "compiling": self.is_compiling and self.state == "running",
            "writing": self.is_writing and self.state == "running",
        }
        return answer | ({"error": self.error} if self.error else {})


def serve(folder: Path, asked: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> None:
    """Search as `asked`, write the log to `folder`; the last message has its `worth`, or the `error`."""
    from plyscope.engine.games import find
    from plyscope.engine.options import OptionError, SearchOptions
    from plyscope.engine.run import Progress, search
    from plyscope.visualizer.analysis.explain.exact_question import worth_of
    from plyscope.visualizer.formats.errors import LogError
    from plyscope.visualizer.formats.recording import log_from_recording
    from plyscope.visualizer.formats.write import write_log_file

    question = Question(
        asked["game"],
        asked["position"],
        SearchOptions(**asked["options"]),
        asked["sign"],
        asked["levels"],
    )
    told = 0.0

    def on_progress(at: Progress) -> None:
        nonlocal told
        if at.phase == "searching" and time.monotonic() - told >= SECONDS_BETWEEN_NEWS:
            told = time.monotonic()
            tell({"nodes": at.nodes, "seconds": at.seconds})

    try:
        recording = search(find(question.game), question.position, question.options, on_progress)
        tell({"nodes": int(recording.header["result"]["nodes"]), "writing": True})
        log = log_from_recording(recording)
        worth = worth_of(question, log)
        write_log_file(log, folder / LOG)
    except (GameError, OptionError, LogError) as error:
        tell({"error": str(error)})
    except MemoryError:
        tell({"error": "the search needs more memory than this machine has free"})
    except Exception as error:
        logging.getLogger(__name__).exception("searching exactly")
        tell({"error": f"Plyscope has a fault here ({type(error).__name__}: {error}); please report it"})
    else:
        proof = None if worth.proof is None else vars(worth.proof)
        tell(
            {
                "worth": {
                    "score": worth.score,
                    "nodes": worth.nodes,
                    "depth": worth.depth,
                    "proof": None if proof is None else list(proof.values()),
                }
            }
        )


def _end_with_input() -> None:
    """Wait until standard input ends, and end this process with it."""
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    from plyscope.engine.compile.code_cache import tell_compiling

    tell = teller()
    tell_compiling(lambda is_compiling: tell({"compiling": is_compiling}))
    question = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    serve(Path(sys.argv[1]), question, tell)
