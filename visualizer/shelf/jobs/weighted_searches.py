"""Searches of logged positions with other weights: one at a time, in a child process; logs become pastes.

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
"""Fields of a header that say what was searched, and how."""


class Busy(Exception):  # noqa: N818
    """Another search runs already; the message says of which log."""


class Search(ChildJob):
    """A search with the weights `changed` of the log `entry`, whose log is put on the shelf."""

    broken_off = "the search broke off; the terminal says why"

    def __init__(self, entry: Entry, header: Mapping[str, Any], changed: Mapping[str, float]) -> None:
        asked = {name: header[name] for name in TOLD if name in header}
        super().__init__(__name__, {"header": asked, "weights": dict(changed)}, "search")
        self.entry, self.changed = entry, dict(changed)
        self.progress = {"phase": "starting"}
        """`phase` (starting, searching, writing), and while it searches depth, nodes, seconds."""
        self.found: Entry | None = None
        """The new log, once it is done."""

    def start(self, shelf: Shelf) -> None:
        """Have a thread put the log of the child on the shelf."""
        self._thread = self.begin(lambda: self._follow(shelf))

    def _follow(self, shelf: Shelf) -> None:
        """Keep what the child tells, then its log; raises ChildError once all else is put away."""
        try:
            with self._child:
                self._child.result(self.has_come)
            if self.state == "running":
                data = (self.folder / LOG_NAME).read_bytes()
                self._keep(shelf.paste(data, name_of(self.entry.name, self.changed)), shelf)
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
        """End the search; nothing of it is kept. One that has ended stays as it is."""
        super().end()
        self._thread.join()

    def as_json(self) -> dict[str, Any]:
        """The progress of the search as JSON, with its log or the reason why it failed."""
        answer: dict[str, Any] = {"state": self.state, "weights": self.changed}
        if self.state == "running":
            answer |= self.progress
        if self.reason:
            answer["reason"] = self.reason
        return answer | ({"log": self.found.id} if self.state == "done" and self.found is not None else {})


class Searches:
    """Begins and ends the searches of a viewer, and keeps the last one of each log; safe for many threads."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._lock = threading.Lock()
        self._last: dict[str, Search] = {}

    def of(self, log_id: str) -> Search | None:
        """The last search of this log; None where there is none, or where the new log was deleted since."""
        with self._lock:
            found = self._last.get(log_id)
        if found is not None and found.found is not None:
            try:
                self._shelf.entry(found.found.id)
            except KeyError:
                return None
        return found

    def start(self, entry: Entry, header: Mapping[str, Any], changed: Mapping[str, float]) -> Search:
        """Begin a search; the one that runs with these weights where it does. Raises Busy, OSError."""
        with self._lock:
            for running in self._last.values():
                if running.state != "running":
                    continue
                if running.entry is entry and running.changed == dict(changed):
                    return running
                raise Busy(f"{running.entry.name} is searched again already; wait for that, or cancel it")
            search = self._last[entry.id] = Search(entry, header, changed)
            search.start(self._shelf)
        return search

    def stop(self, log_id: str) -> None:
        """Cancel the search of a log, and forget it."""
        with self._lock:
            search = self._last.pop(log_id, None)
        if search is not None:
            search.end()

    def close(self) -> None:
        """End what runs."""
        for log_id in list(self._last):
            self.stop(log_id)


def name_of(name: str, changed: Mapping[str, float]) -> str:
    """The name of the new log.

    >>> name_of("midgame.json.gz", {"hand": -8.0}), name_of("a.jsonl", {"x": 1.0, "y": 2.5, "z": 3.0})
    ('midgame with hand=-8', 'a with 3 other weights')
    """
    stem = name.removesuffix(".gz").removesuffix(".zst")
    for ending in (".json", ".jsonl", ".parquet"):
        stem = stem.removesuffix(ending)
    if len(changed) > MOST_NAMED:
        return f"{stem} with {len(changed)} other weights"
    weights = ", ".join(f"{name}={weight:g}" for name, weight in changed.items())
    return f"{stem} with {weights}" if weights else f"{stem} again"


def search_again(task: Mapping[str, Any], tell: Tell) -> None:
    """Search as the task says and write the log; raises GameError, OptionError, LogError."""
    from dataclasses import asdict

    from plyscope.engine.games.outside import faults_told
    from plyscope.engine.record.recorded_search import recorded_search
    from plyscope.engine.run import Progress, search
    from plyscope.visualizer.formats.seal.recording import log_from_recording
    from plyscope.visualizer.formats.write.files import write_log_file

    def on_progress(at: Progress) -> None:
        tell({"progress": asdict(at)})

    asked = recorded_search(task["header"], task["weights"])
    with faults_told(asked.game_name):
        recording = search(asked.game, asked.position, asked.options, on_progress)
    tell({"progress": {"phase": "writing"}})
    write_log_file(log_from_recording(recording), Path(task["folder"]) / LOG_NAME)


def serve(tasks: Iterator[Message], tell: Tell) -> None:
    """Do the first of the tasks; the last message says why there is no log, where there is none."""
    from plyscope.engine.game import GameError
    from plyscope.engine.options import OptionError

    task = next(tasks)
    tell_result(
        lambda: search_again(task, tell),
        tell,
        what="the search",
        refusals=(GameError, OptionError, LogError),
    )


if __name__ == "__main__":
    serve_parent(serve)
