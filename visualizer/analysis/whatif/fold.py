"""Every row's interval under one set of weights: one pass in the order in which the search left its nodes.

The arrays of the answer serve as sums on the way: a row gathers the best of its plies in its own place.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Array
from plyscope.visualizer.analysis.whatif.plan import (
    BEST,
    COUNTS,
    DROPS,
    MEAN,
    MOVES,
    NARROWED,
    OPENS_BOTH,
    OPENS_MOVER,
    STUB,
    TABLE,
    VALUE,
    Plan,
)

_INFINITY: Final = math.inf
_UNKNOWN: Final = math.nan


class Intervals(NamedTuple):
    """The least and the greatest worth of each row, seen from the root player; NaN at stubs.

    The last of several visits of one ply has the intersection of all.
    """

    low: Array
    high: Array


class Change(NamedTuple):
    """The weights that change, and room for the pass."""

    factor: Array
    """Columns of `Plan.factors`."""
    step: Array
    """The change of each."""
    path: Array
    keeps_drops: bool
    """Whether plies that were dropped are taken as dropped again; else they open the mover's side."""


def refold(plan: Plan, steps: Array, work: Work, *, assume_dropped: bool = True) -> Intervals:
    """Every row's interval where each weight changes by its entry of `steps`, one a factor.

    Intervals are scores seen from the root player, one a row; a step is the new weight less the logged one.
    """
    n_rows = len(plan.kind)
    intervals = Intervals(np.empty(n_rows), np.empty(n_rows))
    changed = np.flatnonzero(steps)
    change = Change(
        changed.astype(np.int64),
        np.ascontiguousarray(steps[changed], np.float64),
        np.zeros(plan.n_levels, np.int64),
        assume_dropped,
    )
    work.run(refold_rows)(plan, change, intervals)
    return intervals


@kernel
def refold_rows(plan: Plan, change: Change, intervals: Intervals) -> None:
    """Enter each row, and leave it once all below it is left."""
    n_open = 0
    for row in range(len(plan.kind)):
        while n_open > 0 and plan.end[change.path[n_open - 1]] <= row:
            n_open -= 1
            leave(plan, change, intervals, change.path[n_open])
        enter(plan, change, intervals, row)
        if plan.end[row] > row + 1:
            change.path[n_open] = row
            n_open += 1
        else:
            leave(plan, change, intervals, row)
    while n_open > 0:
        n_open -= 1
        leave(plan, change, intervals, change.path[n_open])


@kernel
def moved_by(plan: Plan, change: Change, row: int) -> float:
    """The change of a row's evaluation; a factor that it does not state keeps its share."""
    total = 0.0
    if plan.flags[row] & MOVES:
        for i in range(len(change.factor)):
            value = plan.factors[row, change.factor[i]]
            if value == value:  # NaN is unstated
                total += change.step[i] * value
    return total


@kernel
def enter(plan: Plan, change: Change, intervals: Intervals, row: int) -> None:
    """Write the interval that a row has before its plies."""
    kind = plan.kind[row]
    low = high = _UNKNOWN
    if kind == VALUE:
        moved = moved_by(plan, change, row)
        low = high = plan.base[row] + moved
        if len(plan.top) > 0 and plan.top[row] == plan.top[row]:
            high = plan.top[row] + moved
    elif kind == TABLE:
        # The source was left before this row was entered (`plan` sees to that), so its interval is closed.
        source = plan.source[row]
        low = later(plan, row, intervals.low[source])
        high = later(plan, row, intervals.high[source])
    elif kind == MEAN:
        low = high = 0.0
    elif kind != STUB:
        low = high = -_INFINITY if kind == BEST else _INFINITY
        if plan.base[row] == plan.base[row]:
            low = high = plan.base[row] + moved_by(plan, change, row)
        # An unsearched ply can only be better for the mover than the searched ones: it opens one end. It is
        # opened before the plies are folded in, which max and min allow.
        if opens(plan, change, row):
            if kind == BEST:
                high = max(high, plan.range_high)
            else:
                low = min(low, plan.range_low)
    intervals.low[row] = low
    intervals.high[row] = high


@kernel
def opens(plan: Plan, change: Change, row: int) -> bool:
    """Whether plies of the mover are not known."""
    flags = plan.flags[row]
    return bool(flags & OPENS_MOVER or (flags & DROPS and not change.keeps_drops))


@kernel
def later(plan: Plan, row: int, score: float) -> float:
    """The score of a table row's source as seen here: a win by distance is later below, earlier above."""
    if len(plan.shift) > 0:
        if score >= plan.mate_from:
            return float(score - plan.shift[row])
        if score <= -plan.mate_from:
            return float(score + plan.shift[row])
    return score


@kernel
def leave(plan: Plan, change: Change, intervals: Intervals, row: int) -> None:
    """Close the interval of a row, and give it to its parent."""
    flags = plan.flags[row]
    low = intervals.low[row]
    high = intervals.high[row]
    # Both ends open only now: on entry the plies, folded in later, would have closed one of them again.
    if flags & OPENS_BOTH:
        low = min(low, plan.range_low)
        high = max(high, plan.range_high)
    if flags & NARROWED:
        source = plan.source[row]
        least = max(low, later(plan, row, intervals.low[source]))
        most = min(high, later(plan, row, intervals.high[source]))
        if least <= most:  # else the entry contradicts the plies, which then stand alone
            low = least
            high = most
    if len(plan.earlier) > 0 and plan.earlier[row] >= 0:
        before = plan.earlier[row]
        moved = plan.counted[before] - plan.counted[row] if len(plan.counted) > 0 else 0.0
        least = max(low, intervals.low[before] + moved)
        most = min(high, intervals.high[before] + moved)
        if least <= most:  # else the visits contradict one another, and the last one counts
            low = least
            high = most
    intervals.low[row] = low
    intervals.high[row] = high
    if flags & COUNTS:
        if len(plan.counted) > 0:
            low += plan.counted[row]
            high += plan.counted[row]
        give(plan, intervals, row, low, high)


@kernel
def give(plan: Plan, intervals: Intervals, row: int, low: float, high: float) -> None:
    """Take the interval of a ply into its parent's."""
    parent = plan.parent[row]
    kind = plan.kind[parent]
    if kind == BEST:
        intervals.low[parent] = max(intervals.low[parent], low)
        intervals.high[parent] = max(intervals.high[parent], high)
    elif kind == MEAN:
        if plan.prior[row] > 0.0:
            intervals.low[parent] += plan.prior[row] * low
            intervals.high[parent] += plan.prior[row] * high
    else:
        intervals.low[parent] = min(intervals.low[parent], low)
        intervals.high[parent] = min(intervals.high[parent], high)
