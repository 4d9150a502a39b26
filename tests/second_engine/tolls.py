"""The second engine's toll: a ply costs its mover, so that a child counts less than its score."""

from __future__ import annotations

from typing import Any

from tests.second_engine.options import SecondOptions
from tests.second_engine.visit import Visit, Window, written


class Tolls:
    """Tolls of plies: the score that a parent takes for a visit, and the window to match; a method each."""

    options: SecondOptions
    world: Any

    def taken(self, visit: Visit, child: Visit) -> float:
        """The score that `visit` takes for a child, seen by the root player."""
        if not self.options.toll:
            return child.score
        return visit.seen(visit.seen(child.score) - self.options.toll)

    def untolled(self, edge: float) -> float:
        """The score of a child that its parent takes for `edge`; both as the parent's mover sees them."""
        return edge + self.options.toll

    def window_below(self, visit: Visit, low: float, high: float) -> Window:
        """The window of a child that asks for what its parent takes within `low` and `high`."""
        return visit.window_of(self.untolled(low), self.untolled(high))

    def say_taken(self, visit: Visit, child: Visit) -> None:
        """Write what was taken for a child where that is not its score."""
        if self.taken(visit, child) != child.score:
            child.node["counted_as"] = written(self.taken(visit, child))
