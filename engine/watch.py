"""The clock of a run: it sets the length of a slice of the search, and ends the run at a limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol

SLICE_SECONDS: Final = 0.03
"""About the time between two checks of the clock and the callbacks."""

FIRST_SLICE: Final = 64
"""Nodes before the first check; later slices follow the speed."""


class Limits(Protocol):
    """The limits of a run, as options have them; None: no limit."""

    @property
    def nodes(self) -> int | None:
        """Nodes, or whatever else the run counts."""

    @property
    def seconds(self) -> float | None:
        """Seconds from its beginning."""


class Watch:
    """A clock, started when made; `stopped` is what ended the run: nodes, seconds, request or memory."""

    def __init__(
        self, options: Limits, should_stop: Callable[[], bool] | None, first_slice: int = FIRST_SLICE
    ) -> None:
        self._options = options
        self._should_stop = should_stop
        self._begun = time.perf_counter()
        self._slice = first_slice
        self.stopped: str | None = None

    def seconds(self) -> float:
        """Return the seconds since the run began."""
        return time.perf_counter() - self._begun

    def budget(self, nodes: int) -> int:
        """Return the count of nodes at which the search, now at `nodes`, ends its slice."""
        most = self._options.nodes
        return nodes + self._slice if most is None else min(nodes + self._slice, most)

    def follow_speed(self, nodes: int, seconds: float) -> None:
        """Adapt the length of slices to the last one, which took `seconds` for `nodes`."""
        wanted = nodes * SLICE_SECONDS / max(seconds, 1e-6)
        self._slice = int(min(max(wanted, 1, self._slice / 4), 4 * self._slice))

    def must_stop(self, nodes: int) -> bool:
        """Return True if a limit or the caller ends the run, now at `nodes`, and store the reason."""
        options = self._options
        if options.nodes is not None and nodes >= options.nodes:
            self.stopped = "nodes"
        elif options.seconds is not None and self.seconds() >= options.seconds:
            self.stopped = "seconds"
        elif self._should_stop is not None and self._should_stop():
            self.stopped = "request"
        return self.stopped is not None
