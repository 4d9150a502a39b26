"""Where a best-first search went down to another child than the one that its own terms put first.

The terms of siblings are of one moment where they state the same visits of their parent. The child that was
chosen then is the one that has come once more since.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.masks import Rows
from plyscope.visualizer.analysis.check.rules.best_first.ucb import RELATIVE
from plyscope.visualizer.analysis.columns.rounding import rounding
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store import words

FEWEST: Final = 3
"""So many choices that miss their best, a third of all that can be told, are no coincidence of rounding."""
PART: Final = 3


class Missed(NamedTuple):
    """Chosen rows, the sibling that each should have lost to, and the numbers that were compared."""

    rows: Rows
    best: Rows
    sums: npt.NDArray[np.float64]
    """Exploit and explore together of each row of the log, as the side that chose it sees them."""


def missed_choices(sight: Sight) -> Missed:
    """Return the choices that were not for the largest sum of the terms; none if they are too few to tell."""
    none = Missed(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    columns = (sight.ucb_exploit, sight.ucb_explore, sight.ucb_n, sight.ucb_n_parent, sight.visits)
    if not all(len(each) for each in columns) or not len(rows := _told(sight, columns)):
        return none
    ends = sight.range_low + sight.range_high
    by_min = sight.layer[np.maximum(sight.parent, 0)] == words.MIN
    found = []
    for is_turned in (True, False):
        other_side = (0.0 if np.isnan(ends) else ends) - sight.ucb_exploit
        exploit = np.where(by_min & is_turned, other_side, sight.ucb_exploit)
        found.append(_missed(sight, rows, exploit + sight.ucb_explore))
    chosen = min(found, key=lambda each: len(each.rows))
    n_told = len(np.unique(sight.parent[rows]))
    return chosen if len(chosen.rows) >= max(FEWEST, n_told / PART) else none


def _told(sight: Sight, columns: tuple[Array, ...]) -> Rows:
    """Return the children of nodes whose children all state terms of one moment; one of them came since."""
    is_child = (sight.parent >= 0) & ((sight.outcome < words.FIRST_STUB) | (sight.outcome == words.UNLOGGED))
    rows = np.flatnonzero(is_child)
    parent = sight.parent[rows]
    states = np.logical_and.reduce([~np.isnan(each[rows]) for each in columns])
    since = sight.visits[rows] - sight.ucb_n[rows]
    n_rows = np.bincount(parent, minlength=sight.n_rows)
    n_sound = np.bincount(parent[states & ((since == 0) | (since == 1))], minlength=sight.n_rows)
    n_chosen = np.bincount(parent[states & (since == 1)], minlength=sight.n_rows)
    least, most = np.full(sight.n_rows, np.inf), np.full(sight.n_rows, -np.inf)
    np.minimum.at(least, parent[states], sight.ucb_n_parent[rows[states]])
    np.maximum.at(most, parent[states], sight.ucb_n_parent[rows[states]])
    is_told = (n_rows > 1) & (n_sound == n_rows) & (n_chosen == 1) & (least == most)
    return np.asarray(rows[is_told[parent]], np.int64)


def _missed(sight: Sight, rows: Rows, sums: Array) -> Missed:
    order = np.lexsort((sums[rows], sight.parent[rows]))
    rows = rows[order]
    ends = np.append(np.flatnonzero(np.diff(sight.parent[rows])), len(rows) - 1)
    best = rows[ends]
    is_chosen = sight.visits[rows] > sight.ucb_n[rows]
    chosen = rows[is_chosen]  # one of each node, in the order of nodes
    error = 2 * (rounding(sight.log, "ucb_exploit") + rounding(sight.log, "ucb_explore"))
    is_less = sums[chosen] < sums[best] - error - RELATIVE * np.abs(sums[best])
    chosen, best = chosen[is_less], best[is_less]
    in_order = np.argsort(chosen)
    return Missed(chosen[in_order], best[in_order], sums)
