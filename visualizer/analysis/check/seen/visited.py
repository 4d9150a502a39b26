"""Figures of a best-first tree as its rules read them: visits, means, sums over the children."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.passes.kept import Kept
from plyscope.visualizer.analysis.check.rule import Severity
from plyscope.visualizer.analysis.check.seen.sight import Array, Sight
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN

SINGLE_PRECISION: Final = 1e-6
"""What a running mean of single-precision numbers may be off, as a part of their range."""
APART: Final = 0
SHARED: Final = 1
UNSEEN: Final = 2
_UNLOGGED: Final = words.UNLOGGED
_CHANCE: Final = words.CHANCE


def other_order(sight: Sight) -> str | None:
    """Why rules of best-first trees are not asked of a whole log."""
    if sight.best_first or len(sight.visits) == 0:
        return None
    return "only of a log that says `order: best_first`"


@kernel
def figure(values: Array, row: int) -> float:
    """The number of a row, NaN where it is not stated."""
    return float(values[row]) if len(values) > 0 else math.nan


@kernel
def sum_below(sight: Sight, values: Array, row: int) -> float:
    """The sum of what the children of `row` state, stubs included; what is not stated counts as 0."""
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
    """Whether a count is less than another by more than `error` and the rounding of sums; NaN is not."""
    return bool(one < other - error - 1e-9 * abs(other))


@kernel
def rest_of(sight: Sight, row: int) -> tuple[float, float, float]:
    """What the visits of `row` that went to no child add up to, how many they are, and the error of that sum.

    NaN where it cannot be known: a child without a mean, a mean that a solver put in the place of its visits'
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


def severity_of_sums(sight: Sight, rows: npt.NDArray[np.int64]) -> Sequence[Severity]:
    """Odd where sums over children need not hold: shared positions, threads, somebody's own words."""
    if len(rows) == 0:
        return []
    is_odd = sight.is_threaded or sight.is_foreign or sharing(sight) != APART
    return ["odd" if is_odd else "wrong"] * len(rows)


_sharing: Kept[int] = Kept()


def sharing(sight: Sight) -> int:
    """SHARED where positions that are met twice in a tree have their figures in common, else APART.

    They do where two rows of one key have equal visits and means, or where the visits below them are as many
    (an engine that counts the visits of plies, not of positions), and no two of one level differ. UNSEEN
    where there are keys, none of them is met twice, and stubs may hide that.
    """
    found = _sharing.get(sight.log)
    if found is None:
        found = _find_sharing(sight)
        _sharing.put(sight.log, found)
    return found


def _find_sharing(sight: Sight) -> int:
    if len(sight.key) == 0 or len(sight.visits) == 0:
        return APART
    is_node = (sight.given & GIVEN["key"] > 0) & (sight.outcome < words.FIRST_STUB) & (sight.visits > 0)
    rows = np.flatnonzero(is_node)
    tree = np.searchsorted(sight.roots, rows, side="right")
    order = np.lexsort((sight.level[rows], tree, sight.key[rows]))
    rows, tree = rows[order], tree[order]
    one, other = rows[:-1], rows[1:]
    meets = (sight.key[one] == sight.key[other]) & (tree[:-1] == tree[1:])
    one, other = one[meets], other[meets]
    below = _visits_below(sight)
    both = (below[one] > 0) & (below[other] > 0)
    equal = (sight.visits[one] == sight.visits[other]) & _equal_means(sight, one, other)
    equal |= both & (below[one] == below[other])
    if (both & ~equal & (sight.level[one] == sight.level[other])).any():
        return APART
    if equal.any():
        return SHARED
    return UNSEEN if (sight.outcome == words.UNLOGGED).any() else APART


def _equal_means(sight: Sight, one: Array, other: Array) -> Array:
    if len(sight.mean) == 0:
        return np.ones(len(one), np.bool_)
    first, second = sight.mean[one], sight.mean[other]
    return np.asarray((first == second) | (np.isnan(first) & np.isnan(second)))


def _visits_below(sight: Sight) -> Array:
    """The sum of the children's visits, of each row."""
    is_below = (sight.parent >= 0) & ~np.isnan(sight.visits)
    return np.bincount(sight.parent[is_below], sight.visits[is_below], sight.n_rows)
