"""The rate at which nodes come, over the last seconds."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

SECONDS: Final = 3.0
LEAST_STEP: Final = 0.1


class NodeRate:
    """The rate of one log; its count is noted by the thread that reads it."""

    def __init__(self) -> None:
        self._counts: deque[tuple[float, int]] = deque([(time.monotonic(), 0)])

    def note(self, n_nodes: int) -> None:
        """So many nodes have come now."""
        now = time.monotonic()
        if now - self._counts[-1][0] > LEAST_STEP:
            self._counts.append((now, n_nodes))

    def a_second(self, n_nodes: int) -> int:
        """Nodes a second, where so many have come now."""
        now = time.monotonic()
        while len(self._counts) > 2 and self._counts[1][0] < now - SECONDS:
            self._counts.popleft()
        began, before = self._counts[0]
        return round((n_nodes - before) / max(now - began, LEAST_STEP))
