"""Figures of a best-first tree, for its rules: visits, means, sums over the children."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.judged import Mask, Rows
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import once_a_log

SINGLE_PRECISION: Final = 1e-6
"""The error of a running mean in single precision, as a part of the range."""
APART: Final = 0
SHARED: Final = 1
UNSEEN: Final = 2
_UNLOGGED: Final = words.UNLOGGED
_CHANCE: Final = words.CHANCE


@kernel
def figure(values: Array, row: int) -> float:
    """Return the number of a row, NaN if it is not stated."""
    return float(values[row]) if len(values) > 0 else math.nan


@kernel
def sum_below(sight: Sight, values: Array, row: int) -> float:
    """Return the sum over the children of `row`, stubs included; an unstated number counts as 0."""
    total = 0.0
    if len(values) > 0:
        child = row + 1
        while child < sight.end[row]:
            if values[child] == values[child]:
                total += values[child]
            child = int(sight.end[child])
    return total


@kernel
def is_less(one: float, other: float, error: float) -> bool:
    """Whether a count is less than another by more than `error` and the rounding of sums; False for NaN."""
    return bool(one < other - error - 1e-9 * abs(other))


@kernel
def rest_of(sight: Sight, row: int) -> tuple[float, float, float]:
    """Return the sum of the visits of `row` that went to no child, their number, and the error of the sum.

    NaN if it is unknown: a child without a mean, a mean that a solver put in the place of its visits'
    (a stated bound), a chance node, which may weigh its children by priors.
    """
    visits, mean = figure(sight.visits, row), figure(sight.mean, row)
    unknown = math.nan, math.nan, math.nan
    if not visits > 0 or mean != mean or sight.bound[row] != 0 or sight.layer[row] == _CHANCE:
        return unknown
    n_below = 0.0
    sum_of_children = 0.0
    child = row + 1
    while child < sight.end[row]:
        n = figure(sight.visits, child)
        if n != n and (sight.outcome[child] < words.FIRST_STUB or sight.outcome[child] == _UNLOGGED):
            return unknown
        if n > 0:
            worth = figure(sight.counted_as, child)
            if worth != worth:
                worth = figure(sight.mean, child)
            if worth != worth or (sight.bound[child] != 0 and sight.end[child] > child + 1):
                return unknown
            n_below += n
            sum_of_children += n * worth
        child = int(sight.end[child])
    span = sight.range_high - sight.range_low
    error = (visits + n_below) * (sight.mean_error + SINGLE_PRECISION * span)
    return mean * visits - sum_of_children, visits - n_below, error


def may_sums_differ(sight: Sight) -> bool:
    """Whether sums over children need not hold: shared positions, threads, foreign trees."""
    return bool(sight.is_threaded or sight.is_foreign or position_sharing(sight) != APART)


@once_a_log
def position_sharing(sight: Sight) -> int:
    """Return SHARED if positions visited by two paths of a tree have common figures, else APART.

    They have if two rows of one key have equal visits and means, or if the visits below them are equal
    (an engine that counts the visits of plies, not of positions), no two of one level differ, and none are
    edges (see `visits_of_edges`). UNSEEN where there are keys, none of them is met twice, and stubs may hide
    that.
    """
    if len(sight.key) == 0 or len(sight.visits) == 0:
        return APART
    rows, tree = _visited_by_key(sight)
    one, other = rows[:-1], rows[1:]
    meets = (sight.key[one] == sight.key[other]) & (tree[:-1] == tree[1:])
    one, other = one[meets], other[meets]
    below = _visits_below(sight)
    both = (below[one] > 0) & (below[other] > 0)
    equal = (sight.visits[one] == sight.visits[other]) & _equal_means(sight, one, other)
    equal |= both & (below[one] == below[other])
    if (both & ~equal & (sight.level[one] == sight.level[other])).any():
        return APART
    if equal.any() and np.isnan(visits_of_edges(sight)).all():
        return SHARED
    return UNSEEN if (sight.outcome == words.UNLOGGED).any() else APART


def _visited_by_key(sight: Sight) -> tuple[Rows, Rows]:
    """Return the visited nodes that have a key, by key, tree and level, and the tree of each."""
    is_node = (sight.given & GIVEN["key"] > 0) & (sight.outcome < words.FIRST_STUB) & (sight.visits > 0)
    rows = np.flatnonzero(is_node)
    tree = np.searchsorted(sight.roots, rows, side="right")
    order = np.lexsort((sight.level[rows], tree, sight.key[rows]))
    return rows[order], tree[order]


@once_a_log
def visits_of_edges(sight: Sight) -> npt.NDArray[np.float64]:
    """Return the visits of all edges to the position of each row; NaN where it is not one of several.

    Rows of one key and tree, at most one of which has children, are edges to one position if their figures
    differ: each has the visits that came by it, as AlphaZero's followers count them. The subtree has the
    visits of all edges. A log with such rows has edges wherever several rows have one key.
    """
    found = np.full(sight.n_rows, np.nan)
    if len(sight.key) == 0 or len(sight.visits) == 0:
        return found
    rows, tree = _visited_by_key(sight)
    if not len(rows):
        return found
    is_first = np.r_[True, (sight.key[rows[1:]] != sight.key[rows[:-1]]) | (tree[1:] != tree[:-1])]
    starts, group = np.flatnonzero(is_first), np.cumsum(is_first) - 1
    n_rows = np.diff(np.append(starts, len(rows)))
    n_expanded = np.add.reduceat((sight.end[rows] > rows + 1).astype(np.int64), starts)
    may_be = (n_rows > 1) & (n_expanded <= 1)
    differs = _differ(sight.visits[rows], starts)
    if len(sight.mean):
        differs |= _differ(np.nan_to_num(sight.mean[rows]), starts)
    if (may_be & differs).any():
        sums = np.where(may_be, np.add.reduceat(sight.visits[rows], starts), np.nan)
        found[rows] = sums[group]
    return found


def _differ(values: Array, starts: Array) -> Array:
    """True for each group whose values are not all equal."""
    return np.asarray(np.minimum.reduceat(values, starts) < np.maximum.reduceat(values, starts))


@once_a_log
def maybe_shared(sight: Sight) -> Mask:
    """Return the rows that may be the same node as another row, in a log without keys.

    A node that a graph search reaches by two paths has the same figures in both rows. So these are rows whose
    figures another row of the same tree and side has, and those that a stub of as many visits may hide.
    """
    maybe = np.zeros(sight.n_rows, np.bool_)
    if len(sight.visits) == 0 or (len(sight.key) > 0 and (sight.given & GIVEN["key"] > 0).any()):
        return maybe
    rows = np.flatnonzero((sight.outcome < words.FIRST_STUB) & (sight.visits > 0))
    tree = np.searchsorted(sight.roots, rows, side="right")
    is_expanded = sight.end[rows] > rows + 1
    # A node that is written in full once has no children in its other rows.
    inside = np.column_stack(
        [_visits_below(sight)[rows], _stated(sight.log.columns.get("expanded_at"), rows)]
    )
    numbers = (sight.visits, sight.mean, sight.wins, sight.draws, sight.losses)
    figures = [_stated(values, rows) for values in numbers]
    alike = _groups([tree, sight.layer[rows], sight.outcome[rows] == words.TERMINAL, *figures])
    n_alike, n_expanded = (
        np.bincount(alike),
        np.bincount(alike[is_expanded], minlength=int(alike.max(initial=0)) + 1),
    )
    whole = _groups([alike, is_expanded, *inside.T])
    n_whole = np.bincount(whole)
    has_twin = np.where(is_expanded, (n_whole[whole] > 1) | (n_alike > n_expanded)[alike], n_alike[alike] > 1)
    maybe[rows] = has_twin
    stubs = np.flatnonzero(sight.outcome == words.UNLOGGED)
    hidden = np.zeros(len(sight.roots) + 1)
    of_stubs = np.searchsorted(sight.roots, stubs, side="right")
    np.maximum.at(hidden, of_stubs, np.nan_to_num(sight.visits[stubs], nan=np.inf))
    maybe[rows] |= sight.visits[rows] <= hidden[tree]
    return maybe


def _stated(values: Array | None, rows: Array) -> Array:
    """Return the values of rows, -inf where they state none."""
    if values is None or len(values) == 0:
        return np.full(len(rows), -np.inf)
    return np.nan_to_num(values[rows], nan=-np.inf)


def _groups(told: Sequence[Array]) -> Rows:
    """Return a number for each row, equal for rows with equal figures."""
    table = np.column_stack([np.asarray(values, np.float64) for values in told])
    return np.unique(table, axis=0, return_inverse=True)[1].ravel().astype(np.int64)


def sums_of_shared(sight: Sight, values: Array) -> npt.NDArray[np.float64]:
    """Return for each row the sum over those of its children that may be another row's node."""
    counts = maybe_shared(sight) & (sight.parent >= 0) & ~np.isnan(values)
    return np.bincount(sight.parent[counts], values[counts], sight.n_rows).astype(np.float64)


def _equal_means(sight: Sight, one: Array, other: Array) -> Array:
    if len(sight.mean) == 0:
        return np.ones(len(one), np.bool_)
    first, second = sight.mean[one], sight.mean[other]
    return np.asarray((first == second) | (np.isnan(first) & np.isnan(second)))


def _visits_below(sight: Sight) -> Array:
    """Return the sum of the children's visits for each row."""
    is_below = (sight.parent >= 0) & ~np.isnan(sight.visits)
    return np.bincount(sight.parent[is_below], sight.visits[is_below], sight.n_rows)
