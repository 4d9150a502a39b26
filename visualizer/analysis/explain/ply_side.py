"""One ply of a pair: its score for the node above, and the parts of that score where its line ends."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from plyscope.visualizer.analysis.columns.claims import is_close, is_own_static
from plyscope.visualizer.analysis.columns.declarations import is_tablebase_leaf, tolerance_of
from plyscope.visualizer.analysis.columns.row import stand_pat_of, static_of, taken_of
from plyscope.visualizer.analysis.columns.sight import Sight, glance_of
from plyscope.visualizer.analysis.nodes.deciding_line import Line, deciding_line
from plyscope.visualizer.analysis.nodes.field_values import contributions_at, values_at
from plyscope.visualizer.analysis.nodes.score_source import Deciding, How
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

Bound = Literal["exact", "lower", "upper", "unstated"]

RESTS: Final = (
    "game over",
    "table",
    "window edge",
    "estimate",
    "null move",
    "on the way up",
    "chance",
    "not recorded",
    "rounding",
)
"""The parts of a score besides factors, in the order of a split."""

_REST_OF: Final[dict[How, str]] = {
    "terminal": "game over",
    "table": "table",
    "window_edge": "window edge",
    "estimate": "estimate",
    "null_move": "null move",
    "chance": "chance",
    "not_recorded": "not recorded",
    "unknown": "not recorded",
}


@dataclass(frozen=True)
class Side:
    """One of the two plies: `score` is its worth for the node above, as far as that is known."""

    row: int
    score: float
    bound: Bound
    low: float
    high: float
    line: Line
    depth: float
    """The depth by which visits are compared: plies left to search, minus reductions; NaN where unstated."""
    taken: float
    """The number that the parent took for it: in fail-hard, a worth outside the window becomes its edge."""

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of the ply and of the line below it."""
        return (self.row, *self.line.rows)


def side_of(tree: Tree, deciding: Deciding, row: int) -> Side:
    """The ply of `row`, a visit that counts."""
    parent = int(tree.log.columns["parent"][row])
    visits = deciding.visits_with(parent, row)
    assert visits is not None
    taken = deciding.taken(row)
    low, high = deciding.known(parent, deciding.counted(visits))
    score = min(max(taken, low), high) if low <= high else taken
    depth = deciding.depth(row)
    return Side(row, score, _bound(score, low, high), low, high, deciding_line(tree, row), depth, taken)


def _bound(score: float, low: float, high: float) -> Bound:
    if low == score == high:
        return "exact"
    if low == score:
        return "lower"
    return "upper" if high == score else "unstated"


@dataclass(frozen=True)
class Made:
    """A score in parts: the contribution of each factor, and the rests by name."""

    factors: dict[str, float]
    rests: dict[str, float]
    values: dict[str, float]
    """The raw values of the factors, where the log has them."""


def score_parts(tree: Tree, side: Side) -> Made:
    """The parts of a ply's score; they add up to it but for rounding."""
    log, leaf, how = tree.log, side.line.leaf, side.line.how
    sight = glance_of(log)
    # The items of mapped columns are slow to read one by one, those of their arrays are not.
    scores, parent = np.asarray(log.columns["score"]), np.asarray(log.columns["parent"])
    rests: dict[str, float] = {}

    def put(name: str, amount: float) -> None:
        if amount:
            rests[name] = rests.get(name, 0.0) + amount

    at = side.row
    put("on the way up", side.taken - float(scores[at]))
    clamped = side.score - side.taken
    for below in side.line.rows:
        if parent[below] == at:
            taken = taken_of(sight, below)
            put("on the way up", taken - float(scores[below]))
            clamped += float(scores[at]) - taken
        else:
            put("table", float(scores[at]) - float(scores[below]))
        at = below
    end = float(scores[leaf])
    if (worth := _own_worth(sight, leaf, how)) is not None:
        clamped, end = clamped + (end - worth), worth
    if not is_close(side.taken + clamped, side.taken, tolerance_of(log)):
        put("window edge", clamped)
    if how in _REST_OF:
        put(_REST_OF[how], end)
        return Made({}, rests, {})
    if is_tablebase_leaf(log, leaf):
        put("game over", end)
        return Made({}, rests, {})
    factors = contributions_at(log, leaf)
    try:
        rest = math.fsum([end, *(-amount for amount in factors.values())])
    except OverflowError:  # amounts near the largest number there is
        factors, rest = {}, end
    if factors and is_close(end - rest, end, _room(log, factors, end)):
        put("rounding", rest)
    else:
        put("not recorded", rest)
    return Made(factors, rests, values_at(log, leaf))


def _own_worth(sight: Sight, row: int, how: How) -> float | None:
    """The evaluation in which a line ends, behind any edge of the window; None where it ends in none."""
    if how == "leaf" and is_own_static(sight, row):
        return static_of(sight, row)
    stand = stand_pat_of(sight, row)
    worth = static_of(sight, row) if stand != stand else stand
    return worth if how == "stand_pat" and math.isfinite(worth) else None


def _room(log: Log, factors: dict[str, float], end: float) -> float:
    """The declared tolerance, relative to the sizes that were added up instead of their sum."""
    size = math.fsum(abs(amount) for amount in factors.values())
    most = max(abs(end), 1e-300)
    return tolerance_of(log) * max(1.0, size / most)


def n_left_out(tree: Tree, row: int, outcome: int) -> int | None:
    """The number of plies in stubs of this outcome below `row`; None if a stub has no count."""
    children = tree.children(row)
    stubs = children[tree.log.columns["outcome"][children] == outcome]
    counts = tree.log.column("count")
    if len(stubs) == 0:
        return 0
    if counts is None or bool((counts[stubs] < 0).any()):
        return None
    return int(counts[stubs].sum())
