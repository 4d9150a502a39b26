"""A search of ours while it runs, which grows as lines of an engine do; and how fast nodes come."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from plyscope.engine.record.recording import Recording
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.tree import Tree

SECONDS_BETWEEN_LOOKS: Final = 0.5
SECONDS: Final = 3.0
LEAST_STEP: Final = 0.1
LONGEST_STEP: Final = 1.0
"""A longer silence is no part of the time that the nodes after it took."""


class RunSoFar:
    """The recording of a search so far. `offer` is called by the search, all else by who follows it."""

    n_waiting = 0
    is_whole = True

    def __init__(self, counts: str = "node") -> None:
        self.counts = counts
        """The noun that `n_searched` counts: `node`, `play-out`."""
        self.n_searched = self.n_lines = 0
        self.has_ended = False
        self._changed = threading.Condition()
        self._is_wanted = False
        self._recording: Recording | None = None

    def offer(self, n_nodes: int, copy: Callable[[], Recording]) -> None:
        """Report `n_nodes` nodes; the recorded rows are copied only if somebody waits for them."""
        self.n_searched = self.n_lines = n_nodes
        if self._is_wanted:
            with self._changed:
                self._recording, self._is_wanted = copy(), False
                self._changed.notify_all()

    def end(self) -> None:
        """End: the search is over, and waiting threads go on."""
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
        """The tree recorded so far, None where there is no row, or the search is over."""
        with self._changed:
            self._recording, self._is_wanted = None, True
            while self._recording is None and not self.has_ended:
                self._changed.wait(SECONDS_BETWEEN_LOOKS)
            recording, self._recording = self._recording, None
        if recording is None or not len(recording.rows):
            return None
        return Tree(log_from_recording(recording))


class NodeRate:
    """The rate of one log; its count is noted by the thread that reads it."""

    def __init__(self) -> None:
        self._counts: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])
        self._last = float("-inf"), 0
        """When the count changed last, and to what."""

    def note(self, n_nodes: int) -> None:
        """Note that `n_nodes` nodes have come by now."""
        now = time.monotonic()
        if n_nodes != self._last[1]:
            self._last = now, n_nodes
        if now - self._counts[-1][0] > LEAST_STEP:
            self._counts.append((now, n_nodes))

    def a_second(self, n_nodes: int) -> int:
        """The nodes a second, with `n_nodes` by now; 0 where none came in the last seconds."""
        now = time.monotonic()
        if n_nodes == self._last[1] and now - self._last[0] > SECONDS:
            return 0
        while len(self._counts) > 2 and self._counts[1][0] < now - SECONDS:
            self._counts.popleft()
        began, before = self._counts[0]
        if len(self._counts) > 1:
            began = max(began, self._counts[1][0] - LONGEST_STEP)
        return round((n_nodes - before) / max(now - began, LEAST_STEP))
