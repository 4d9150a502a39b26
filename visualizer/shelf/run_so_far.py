"""A search of ours while it runs: copies of what it has recorded, made between two slices when asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from plyscope.engine.record.recording import Recording
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.tree import Tree

SECONDS_BETWEEN_LOOKS: Final = 0.5


class RunSoFar:
    """The recording of a search so far. `offer` is called by the search, all else by who follows it."""

    n_waiting = 0
    is_whole = True

    def __init__(self, counts: str = "node") -> None:
        self.counts = counts
        self.n_searched = self.n_lines = 0
        self.has_ended = False
        self.is_compiling = False
        self._changed = threading.Condition()
        self._is_wanted = False
        self._recording: Recording | None = None

    def offer(self, n_nodes: int, copy: Callable[[], Recording]) -> None:
        """Have so many nodes; what is recorded is copied only where somebody waits for it."""
        self.n_searched = self.n_lines = n_nodes
        self.is_compiling = False
        if self._is_wanted:
            with self._changed:
                self._recording, self._is_wanted = copy(), False
                self._changed.notify_all()

    def end(self) -> None:
        """The search is over: nobody waits for it any more."""
        with self._changed:
            self.has_ended = True
            self._changed.notify_all()

    @property
    def last_node(self) -> int | None:
        """The id of the last node: none is asked for, since our search is never held."""
        return None

    def shown_id(self, name: int | str) -> int | None:
        """The id by which a page names this node, which is `name` itself; None if that is no number."""
        return name if isinstance(name, int) else None

    def snapshot(self, *, is_final: bool = False) -> Tree | None:
        """The tree of what is recorded by now, None where nothing is, or the search is over."""
        with self._changed:
            self._recording, self._is_wanted = None, True
            while self._recording is None and not self.has_ended:
                self._changed.wait(SECONDS_BETWEEN_LOOKS)
            recording, self._recording = self._recording, None
        if recording is None or not len(recording.rows):
            return None
        return Tree(log_from_recording(recording))
