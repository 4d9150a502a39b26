"""One visit of a position: what the search knows there, the node that the log keeps, the toll of a ply."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.second_engine.options import SecondOptions

INF = math.inf


class Window(NamedTuple):
    """Alpha and beta as the root player sees them."""

    alpha: float = -INF
    beta: float = INF


class Entry(NamedTuple):
    """An entry of the table, made by a visit; the score counts wins from the entry's own position."""

    key: int
    depth: float
    score: float
    bound: str
    ply: str | None
    source: int


@dataclass(eq=False)
class Visit:
    """A visit under way. `low`, `high`, `best` are seen by the mover; the node by the root player."""

    node: dict[str, Any]
    position: Any
    level: int
    depth: float
    layer: str
    window: Window
    purpose: str
    quiescence: bool
    parent: Visit | None
    static: float = math.nan
    low: float = -INF
    high: float = INF
    best: float = -INF
    best_child: Visit | None = None
    table_ply: str | None = None
    narrowed_by: float | None = None

    @property
    def id(self) -> int:
        return int(self.node["id"])

    @property
    def score(self) -> float:
        return float(self.node["score"])

    def seen(self, score: float) -> float:
        """`score` as the mover sees it, or back: the root player moves at `max` layers."""
        return score if self.layer == "max" else 0.0 - score

    @property
    def entry_high(self) -> float:
        """The other side's edge on entry, as the mover sees it: what a guess must reach."""
        return self.window_of(*self.window).beta

    def window_of(self, low: float, high: float) -> Window:
        """The mover's edges as the root player's window."""
        return Window(low, high) if self.layer == "max" else Window(0.0 - high, 0.0 - low)


def written(score: float) -> float | str | None:
    if math.isnan(score):
        return "nan"
    return score if math.isfinite(score) else ("inf" if score > 0 else "-inf")


def mirrored(bound: str) -> str:
    """A bound as the other side sees it."""
    return {"lower": "upper", "upper": "lower"}.get(bound, bound)


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
