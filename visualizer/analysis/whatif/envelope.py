"""Every root ply's least and most as functions of one weight, folded in one pass over the rows.

Functions are on a stack, those of a node's plies side by side; merges of equal size come first, as in merge
sort, so that wide nodes cost no more than deep ones. A function that a later row needs (an entry's source, an
earlier visit of the same ply) is copied to a store beside the stack.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Array
from plyscope.visualizer.analysis.whatif import piecewise_linear as pieces
from plyscope.visualizer.analysis.whatif.function_stack import (
    Stack,
    fold_top,
    intersect_top,
    move,
    push_held,
    push_line,
    scale,
    store_function,
)
from plyscope.visualizer.analysis.whatif.piecewise_linear import Lines, lines_for
from plyscope.visualizer.analysis.whatif.plan import (
    BEST,
    COUNTS,
    DROPS,
    HELD,
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

FEWEST_PIECES: Final = 1 << 14


MOST_PIECES: Final = 1 << 27
"""Three gigabytes; no log has come near."""


_INFINITY: Final = math.inf


class TooManyPiecesError(Exception):
    """The functions of a log have more pieces than memory is given for."""


class Curve(NamedTuple):
    """A function of the change of a weight: pieces `value + slope × t`, the first from -inf on."""

    start: Array
    value: Array
    slope: Array

    def at(self, change: float) -> float:
        """The value at a change of the weight; at a jump that of the piece on the right."""
        piece = int(np.searchsorted(self.start, change, side="right")) - 1
        slope = float(self.slope[piece])
        return float(self.value[piece]) + (slope * change if slope else 0.0)


class Band(NamedTuple):
    """The least and the most of a root ply against one weight."""

    low: Curve
    high: Curve


def bands(plan: Plan, factor: int, root: int, work: Work, *, assume_dropped: bool = True) -> list[Band]:
    """The bands of the counted plies of `root`, in the order of their rows, against the weight of `factor`.

    Raises `TooManyPiecesError`.
    """
    n_held = int(np.count_nonzero(plan.flags & HELD))
    widest = _widest(plan)
    n_pieces = FEWEST_PIECES
    while n_pieces <= MOST_PIECES:
        stack = _stack(plan, factor, root, n_held, widest, assume_dropped)
        lines, store = lines_for(n_pieces), lines_for(n_pieces if n_held else 0)
        n_bands = int(work.run(fold_lines)(plan, stack, lines, store))
        if n_bands >= 0:
            return [_band(stack, lines, place) for place in range(n_bands)]
        n_pieces *= 4
    raise TooManyPiecesError


def _widest(plan: Plan) -> int:
    """Return the greatest number of functions on the stack."""
    fan_out = int(np.bincount(plan.parent[plan.parent >= 0]).max(initial=0))
    a_level = fan_out.bit_length() + 4  # merged with its like, each is twice as many as the next
    return (plan.n_levels + 1) * a_level + fan_out


def _stack(plan: Plan, factor: int, root: int, n_held: int, widest: int, assume_dropped: bool) -> Stack:
    held = np.full(len(plan.kind) if n_held else 0, -1, np.int32)
    return Stack(
        low=np.zeros(widest, np.int64),
        low_end=np.zeros(widest, np.int64),
        high=np.zeros(widest, np.int64),
        high_end=np.zeros(widest, np.int64),
        weight=np.zeros(widest, np.int64),
        held=held,
        held_low=np.zeros(n_held + 1, np.int64),
        held_high=np.zeros(n_held + 1, np.int64),
        held_end=np.zeros(n_held + 1, np.int64),
        path=np.zeros(plan.n_levels, np.int64),
        base=np.zeros(plan.n_levels + 1, np.int64),
        factor=factor,
        root=root,
        keeps_drops=assume_dropped,
    )


def _band(stack: Stack, lines: Lines, place: int) -> Band:
    def curve(begin: int, end: int) -> Curve:
        return Curve(*(np.array(each[begin:end]) for each in lines))

    return Band(
        curve(int(stack.low[place]), int(stack.low_end[place])),
        curve(int(stack.high[place]), int(stack.high_end[place])),
    )


@kernel
def fold_lines(plan: Plan, stack: Stack, lines: Lines, store: Lines) -> int:
    """Fold up to the plies of the root; returns the number of bands on the stack, -1 where room ran out.

    `lines` and `store` are pieces side by side (start: change of the weight; value: score at a change of 0;
    slope: score for each unit of weight). The root itself is not folded: its plies are the result.
    """
    n_open = 0
    height = 0
    n_held = 0
    n_stored = 0
    last = int(plan.end[stack.root])
    for row in range(last + 1):
        while n_open > 0 and plan.end[stack.path[n_open - 1]] <= row:
            n_open -= 1
            left = int(stack.path[n_open])
            if left == stack.root:
                return height - int(stack.base[n_open])
            below = int(stack.base[n_open - 1]) if n_open > 0 else 0
            height, n_held, n_stored = leave(
                plan, stack, lines, store, left, height, int(stack.base[n_open]), below, n_held, n_stored
            )
            if height < 0:
                return -1
        if row == last:
            break
        base = height
        height = enter(plan, stack, lines, store, row, height)
        if height < 0:
            return -1
        if plan.end[row] > row + 1:
            stack.path[n_open] = row
            stack.base[n_open] = base
            n_open += 1
        else:
            below = int(stack.base[n_open - 1]) if n_open > 0 else 0
            height, n_held, n_stored = leave(
                plan, stack, lines, store, row, height, base, below, n_held, n_stored
            )
            if height < 0:
                return -1
    return 0


@kernel
def enter(plan: Plan, stack: Stack, lines: Lines, store: Lines, row: int, height: int) -> int:
    """Push the functions that a row has before its plies; returns the height, -1 without room."""
    kind = plan.kind[row]
    if kind == STUB:
        return height
    slope = 0.0
    if plan.flags[row] & MOVES:
        value = plan.factors[row, stack.factor]
        slope = float(value) if value == value else 0.0
    if kind == VALUE:
        low = high = float(plan.base[row])
        if len(plan.top) > 0 and plan.top[row] == plan.top[row]:
            high = float(plan.top[row])
        return push_line(stack, lines, height, low, high, slope)
    if kind == TABLE:
        return push_held(plan, stack, lines, store, row, int(plan.source[row]), height, True)
    if kind == MEAN:
        return push_line(stack, lines, height, 0.0, 0.0, 0.0)
    if row != stack.root and plan.base[row] == plan.base[row]:
        return push_line(stack, lines, height, float(plan.base[row]), float(plan.base[row]), slope)
    return height


@kernel
def leave(
    plan: Plan,
    stack: Stack,
    lines: Lines,
    store: Lines,
    row: int,
    height: int,
    base: int,
    below: int,
    n_held: int,
    n_stored: int,
) -> tuple[int, int, int]:
    """Fold the functions of a row, from `base` on, into one, and give it to its parent.

    The parent's own functions begin at `below`.

    Returns the height of the stack (-1 without room), the functions held, and the pieces stored.
    """
    kind = plan.kind[row]
    if kind == STUB:
        return base, n_held, n_stored
    flags = plan.flags[row]
    if kind == MEAN or kind >= BEST:
        how = pieces.SUM if kind == MEAN else pieces.MAX if kind == BEST else pieces.MIN
        # The functions left on the stack are of ever fewer plies: the last ones first.
        while height > base + 1:
            height = fold_top(stack, lines, height, how)
            if height < 0:
                return -1, n_held, n_stored
        if kind != MEAN:
            height = open_sides(plan, stack, lines, row, height, how)
            if height < 0:
                return -1, n_held, n_stored
    height = base + 1
    if flags & NARROWED:
        height = push_held(plan, stack, lines, store, row, int(plan.source[row]), height, True)
        if height > 0:
            height = intersect_top(stack, lines, height)
        if height < 0:
            return -1, n_held, n_stored
    if len(plan.earlier) > 0 and plan.earlier[row] >= 0:
        before = int(plan.earlier[row])
        height = push_held(plan, stack, lines, store, row, before, height, False)
        if height > 0:
            if len(plan.counted) > 0:
                move(stack, lines, height - 1, float(plan.counted[before] - plan.counted[row]))
            height = intersect_top(stack, lines, height)
        if height < 0:
            return -1, n_held, n_stored
    if flags & HELD:
        n_stored = store_function(stack, lines, store, row, base, n_held, n_stored)
        n_held += 1
        if n_stored < 0:
            return -1, n_held, n_stored
    parent = int(plan.parent[row])
    if not flags & COUNTS:
        return base, n_held, n_stored
    if len(plan.counted) > 0 and plan.counted[row] != 0.0:
        move(stack, lines, base, float(plan.counted[row]))
    if parent == stack.root:
        return height, n_held, n_stored  # one function a root ply: they are not merged
    how = plan.kind[parent]
    if how == MEAN:
        if not plan.prior[row] > 0.0:
            return base, n_held, n_stored
        scale(stack, lines, base, float(plan.prior[row]))
    # Equally many are merged, as in a merge sort: a node of n plies costs n log n pieces, not n squared.
    stack.weight[base] = 1
    over = pieces.SUM if how == MEAN else pieces.MAX if how == BEST else pieces.MIN
    while height - 2 >= below and stack.weight[height - 2] == stack.weight[height - 1]:
        height = fold_top(stack, lines, height, over)
        if height < 0:
            return -1, n_held, n_stored
    return height, n_held, n_stored


@kernel
def open_sides(plan: Plan, stack: Stack, lines: Lines, row: int, height: int, how: int) -> int:
    """Open the sides of a node that unsearched plies leave open; the height, -1 without room."""
    flags = plan.flags[row]
    is_open = flags & OPENS_MOVER or (flags & DROPS and not stack.keeps_drops)
    if flags & OPENS_BOTH or (is_open and how == pieces.MAX):
        height = push_line(stack, lines, height, -_INFINITY, plan.range_high, 0.0)
        if height > 0:
            height = fold_top(stack, lines, height, pieces.MAX)
    if height > 0 and (flags & OPENS_BOTH or (is_open and how == pieces.MIN)):
        height = push_line(stack, lines, height, plan.range_low, _INFINITY, 0.0)
        if height > 0:
            height = fold_top(stack, lines, height, pieces.MIN)
    return height
