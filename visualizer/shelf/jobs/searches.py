"""Searches of logged positions: again with other weights, or on from a node. Their logs become pastes.

One runs at a time, in a child process.

A search may take hours, and all the memory that there is: the viewer goes on beside it. It ends when it is
cancelled and when the viewer ends.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from plyscope.visualizer.child_process import ChildError, Message, Tell, serve_parent, tell_result
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.jobs.job import ChildJob
from plyscope.visualizer.shelf.shelf import Shelf

MOST_NAMED: Final = 2
"""Changed weights that the name of the new log says."""
LOG_NAME: Final = "searched.json.gz"

TOLD: Final = ("game", "position", "search", "factors", "result")
"""Fields of a header that describe the search."""


class Busy(Exception):  # noqa: N818
    """Another search runs already; the message says of which log."""


class Search(ChildJob):
    """A search that began at the log `entry`, as `task` says; its log is put on the shelf by a `name`."""

    broken_off = "the search broke off; the terminal says why"

    def __init__(self, entry: Entry, task: Mapping[str, Any], name: str) -> None:
        super().__init__(__name__, task, "search")
        self.entry, self.task, self._name = entry, task, name
        self.progress = {"phase": "starting"}
        """`phase` (starting, searching, writing), and while it searches depth, nodes, seconds."""
        self.found: Entry | None = None
        """The new log, once it is done."""
        self.header: dict[str, Any] = {}
        """Then `search` and `result` of its header."""

    def start(self, shelf: Shelf) -> None:
        """Start a thread that puts the log of the child on the shelf."""
        self._thread = self.begin(lambda: self._follow(shelf))

    def _follow(self, shelf: Shelf) -> None:
        """Keep the child's messages, then its log; raises ChildError after cleaning up."""
        try:
            with self._child:
                self.header = self._child.result(self.has_come)
            if self.state == "running":
                data = (self.folder / LOG_NAME).read_bytes()
                self._keep(shelf.paste(data, self._name), shelf)
        except LogError as error:
            raise ChildError(str(error)) from None
        except OSError as error:
            raise ChildError(
                f"its log could not be kept: {error.strerror or error}; make room there, or name another "
                "folder in PLYSCOPE_DATA"
            ) from None
        finally:
            self._folder.cleanup()

    def _keep(self, found: Entry, shelf: Shelf) -> None:
        """Note the new log, or take it off the shelf again where the search was cancelled meanwhile."""
        with self._settling:
            is_wanted = self.state == "running"
            self.found = found if is_wanted else None
        if not is_wanted:
            shelf.delete(found.id)

    def end(self) -> None:
        """End the search and keep nothing of it. A finished one is left alone."""
        super().end()
        self._thread.join()

    def as_json(self) -> dict[str, Any]:
        """The progress of the search as JSON, with its log or the reason why it failed."""
        answer: dict[str, Any] = {"state": self.state}
        if self.state == "running":
            answer |= self.progress
        if self.reason:
            answer["reason"] = self.reason
        return answer | ({"log": self.found.id} if self.state == "done" and self.found is not None else {})


Key = str | tuple[str, int]
"""The log that was searched again, or the log and the row at which a search began."""


class Searches:
    """Begins and ends the searches of a viewer, and keeps the last of each place; safe for many threads."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._lock = threading.Lock()
        self._last: dict[Key, Search] = {}

    def of(self, key: Key) -> Search | None:
        """The last search there; None where there is none, or where the new log was deleted since."""
        with self._lock:
            found = self._last.get(key)
        if found is not None and found.found is not None:
            try:
                self._shelf.entry(found.found.id)
            except KeyError:
                return None
        return found

    def start(self, key: Key, entry: Entry, task: Mapping[str, Any], name: str) -> Search:
        """Begin a search; the one that runs with this task where it does. Raises Busy, OSError."""
        with self._lock:
            for running in self._last.values():
                if running.state != "running":
                    continue
                if running.entry is entry and running.task == task:
                    return running
                raise Busy(f"{running.entry.name} is searched again already; wait for that, or cancel it")
            search = self._last[key] = Search(entry, task, name)
            search.start(self._shelf)
        return search

    def stop(self, key: Key) -> None:
        """Cancel the search there, and forget it."""
        with self._lock:
            search = self._last.pop(key, None)
        if search is not None:
            search.end()

    def close(self) -> None:
        """End the running search."""
        for key in list(self._last):
            self.stop(key)


def again(header: Mapping[str, Any], changed: Mapping[str, float]) -> dict[str, Any]:
    """The task to search as a log was searched, with the weights `changed`."""
    asked = {name: header[name] for name in TOLD if name in header}
    return {"header": asked, "weights": dict(changed)}


def stem_of(name: str) -> str:
    """The name of a log without the endings of its file."""
    stem = name.removesuffix(".gz").removesuffix(".zst")
    for ending in (".json", ".jsonl", ".parquet"):
        stem = stem.removesuffix(ending)
    return stem


def name_of(name: str, changed: Mapping[str, float]) -> str:
    """The name of the log of a search with other weights.

    >>> name_of("midgame.json.gz", {"hand": -8.0}), name_of("a.jsonl", {"x": 1.0, "y": 2.5, "z": 3.0})
    ('midgame with hand=-8', 'a with 3 other weights')
    """
    stem = stem_of(name)
    if len(changed) > MOST_NAMED:
        return f"{stem} with {len(changed)} other weights"
    weights = ", ".join(f"{name}={weight:g}" for name, weight in changed.items())
    return f"{stem} with {weights}" if weights else f"{stem} again"


def search_as(task: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    """Search as the task says and write the log; `search` and `result` of its header.

    Raises GameError, OptionError, LogError, MatchError.
    """
    from dataclasses import asdict

    from plyscope.engine.algorithms import find
    from plyscope.engine.games import find_as_written
    from plyscope.engine.games.outside import faults_told
    from plyscope.engine.record.recorded_search import recorded_search
    from plyscope.visualizer.formats.seal.recording import log_from_recording
    from plyscope.visualizer.formats.write.files import write_log_file
    from plyscope.visualizer.shelf.play.agent_lines import stated_agent

    def on_progress(at: Any) -> None:
        tell({"progress": asdict(at)})

    if "agent" in task:
        name, position = task["game"], task["position"]
        game, options = find_as_written(name), stated_agent(task["agent"]).options_of_turn()
    else:
        game, position, options, _, name = recorded_search(task["header"], task["weights"])
    with faults_told(name):
        recording = find(options.algorithm).search(game, position, options, on_progress)
    tell({"progress": {"phase": "writing"}})
    write_log_file(log_from_recording(recording), Path(task["folder"]) / LOG_NAME)
    return {name: recording.header[name] for name in ("search", "result")}


def serve(tasks: Iterator[Message], tell: Tell) -> None:
    """Do the first of the tasks; the last message says why there is no log, where there is none."""
    from plyscope.engine.game import GameError
    from plyscope.engine.match.errors import MatchError
    from plyscope.engine.option import OptionError

    task = next(tasks)
    tell_result(
        lambda: search_as(task, tell),
        tell,
        what="the search",
        refusals=(GameError, OptionError, LogError, MatchError),
    )


if __name__ == "__main__":
    serve_parent(serve)
