"""The rate at which nodes come, over the last seconds."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

SECONDS: Final = 3.0
LEAST_STEP: Final = 0.1
LONGEST_STEP: Final = 1.0
"""A longer silence is no part of the time that the nodes after it took."""


class NodeRate:
    """The rate of one log; its count is noted by the thread that reads it."""

    def __init__(self) -> None:
        self._counts: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])
        self._last = float("-inf"), 0
        """When the count changed last, and to what."""

    def note(self, n_nodes: int) -> None:
        """So many nodes have come now."""
        now = time.monotonic()
        if n_nodes != self._last[1]:
            self._last = now, n_nodes
        if now - self._counts[-1][0] > LEAST_STEP:
            self._counts.append((now, n_nodes))

    def a_second(self, n_nodes: int) -> int:
        """Nodes a second, where so many have come now; 0 where none came in the last seconds."""
        now = time.monotonic()
        if n_nodes == self._last[1] and now - self._last[0] > SECONDS:
            return 0
        while len(self._counts) > 2 and self._counts[1][0] < now - SECONDS:
            self._counts.popleft()
        began, before = self._counts[0]
        if len(self._counts) > 1:
            began = max(began, self._counts[1][0] - LONGEST_STEP)
        return round((n_nodes - before) / max(now - began, LEAST_STEP))
