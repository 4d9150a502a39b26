"""The unsearched plies whose worth could still change that of a ply, counted.

At a node whose mover is sure of a score already, a ply that can reach no more than that score does not
matter, nor does anything below it. The other rows are followed down to the stubs, through table rows to their
sources; every stub counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Array
from plyscope.visualizer.analysis.whatif.fold import Intervals
from plyscope.visualizer.analysis.whatif.plan import (
    BEST,
    COUNTS,
    DROPS,
    MEAN,
    NARROWED,
    OPENS_BOTH,
    OPENS_MOVER,
    STUB,
    TABLE,
    UNFINISHED,
    VALUE,
    Plan,
)
from plyscope.visualizer.store import words


class Unsearched(NamedTuple):
    """The unsearched plies and unknown nodes below some rows that could change their worth."""

    plies: int
    """Plies that were not searched, or not recorded."""
    is_least: bool
    """Whether there may be more: a stub without a count, or a cutoff without a stub."""
    unknown: int
    """Nodes whose worth the log does not tell: an entry whose source is elsewhere, a layer unstated."""


class _Found(NamedTuple):
    waiting: Array
    seen: Array
    total: Array
    """Three entries: plies, whether there may be more, unknown nodes."""
    outcome: Array
    n_plies: Array
    """Plies that a stub stands for, -1 where unstated; empty where none says."""
    n_waiting: int
    keeps_drops: bool


def unsearched_below(
    plan: Plan,
    intervals: Intervals,
    rows: Sequence[int],
    columns: tuple[Array, Array],
    work: Work,
    *,
    assume_dropped: bool = True,
) -> Unsearched:
    """The unsearched plies and unknown nodes that could change the worth of `rows`.

    `columns` are the outcomes and counts of the log.
    """
    outcome, count = columns
    found = _Found(
        waiting=np.zeros(len(plan.kind), np.int32),
        seen=np.zeros(len(plan.kind), np.bool_),
        total=np.zeros(3, np.int64),
        outcome=outcome,
        n_plies=count,
        n_waiting=len(rows),
        keeps_drops=assume_dropped,
    )
    found.waiting[: len(rows)] = rows
    found.seen[list(rows)] = True
    work.run(follow)(plan, intervals, found)
    plies, is_least, unknown = (int(each) for each in found.total)
    return Unsearched(plies, bool(is_least), unknown)


@kernel
def follow(plan: Plan, intervals: Intervals, found: _Found) -> None:
    """Go from the waiting rows down to all that is unknown and matters; each row is read once."""
    n_waiting = found.n_waiting
    while n_waiting > 0:
        n_waiting -= 1
        row = int(found.waiting[n_waiting])
        if intervals.low[row] == intervals.high[row]:
            continue
        flags = plan.flags[row]
        kind = plan.kind[row]
        if len(plan.earlier) > 0 and plan.earlier[row] >= 0:
            n_waiting = push(found, n_waiting, plan.earlier[row])
        if kind == TABLE or flags & NARROWED:
            n_waiting = push(found, n_waiting, plan.source[row])
        if kind == VALUE:
            found.total[2] += 1
            continue
        if kind == TABLE:
            continue
        low = intervals.low[row]
        high = intervals.high[row]
        has_stub = False
        child = row + 1
        while child < plan.end[row]:
            if plan.kind[child] == STUB:
                outcome = found.outcome[child]
                if outcome == words.PRUNED or outcome == words.UNLOGGED or not found.keeps_drops:
                    has_stub = True
                    count_stub(found, child)
            elif plan.flags[child] & UNFINISHED:
                has_stub = True
                found.total[0] += 1
            elif plan.flags[child] & COUNTS and matters(plan, intervals, child, kind, low, high):
                n_waiting = push(found, n_waiting, child)
            child = int(plan.end[child])
        opens_more = flags & OPENS_MOVER or flags & OPENS_BOTH
        opens_more = opens_more or (flags & DROPS and not found.keeps_drops)
        if opens_more and not has_stub:
            found.total[1] = 1


@kernel
def push(found: _Found, n_waiting: int, row: int) -> int:
    """Add a row to the waiting ones, unless it was there before; returns their number."""
    if found.seen[row]:
        return n_waiting
    found.seen[row] = True
    found.waiting[n_waiting] = row
    return n_waiting + 1


@kernel
def count_stub(found: _Found, row: int) -> None:
    """Count the plies of a stub; at least one where it has no count."""
    n_plies = found.n_plies[row] if len(found.n_plies) > 0 else -1
    if n_plies >= 0:
        found.total[0] += n_plies
    else:
        found.total[0] += 1
        found.total[1] = 1


@kernel
def matters(plan: Plan, intervals: Intervals, child: int, kind: int, low: float, high: float) -> bool:
    """Whether the worth of a child could still change its parent's, which lies between `low` and `high`."""
    moved = plan.counted[child] if len(plan.counted) > 0 else 0.0
    if kind == MEAN:
        return bool(plan.prior[child] > 0.0)
    if kind == BEST:
        return bool(intervals.high[child] + moved > low)
    return bool(intervals.low[child] + moved < high)
