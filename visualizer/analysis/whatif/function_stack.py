"""A stack of functions of one weight, and the operations on its top: merge, intersect, move, keep.

Each entry is the lower and the upper end of a row, pieces side by side in `Lines`. A kernel returns the new
height of the stack, -1 where room ran out.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.sight import Array
from plyscope.visualizer.analysis.whatif import piecewise_linear as pieces
from plyscope.visualizer.analysis.whatif.piecewise_linear import Lines, choose, merge, put, shifted
from plyscope.visualizer.analysis.whatif.plan import Plan

_INFINITY: Final = math.inf


class Stack(NamedTuple):
    """Functions of rows that are not yet folded into their parents', and those held for later rows."""

    low: Array
    """By place on the stack: where the function of the least begins in the lines, and where it ends."""
    low_end: Array
    high: Array
    """The same of the most; equal to `low` where least and most are one function."""
    high_end: Array
    weight: Array
    """The number of functions merged into this one."""
    held: Array
    """By row: its place in the store, -1 where it has none; empty where no row is held."""
    held_low: Array
    held_high: Array
    held_end: Array
    path: Array
    """Rows that are entered and not left, one a level."""
    base: Array
    """By level: the height of the stack when the row was entered."""
    factor: int
    root: int
    keeps_drops: bool


@kernel
def top_of(stack: Stack, height: int) -> int:
    """The place where free room begins in the lines."""
    return int(max(stack.low_end[height - 1], stack.high_end[height - 1])) if height > 0 else 0


@kernel
def least_of(stack: Stack, place: int) -> tuple[int, int]:
    """The function of the least at a place: where it begins in the lines, and where it ends."""
    return int(stack.low[place]), int(stack.low_end[place])


@kernel
def most_of(stack: Stack, place: int) -> tuple[int, int]:
    """The same of the most."""
    return int(stack.high[place]), int(stack.high_end[place])


@kernel
def push_line(stack: Stack, lines: Lines, height: int, low: float, high: float, slope: float) -> int:
    """Put a straight line, or a band between two, on the stack; returns its height, -1 without room."""
    at = top_of(stack, height)
    if at + 2 > len(lines.start) or height >= len(stack.low):
        return -1
    stack.low[height] = at
    stack.low_end[height] = put(lines, at, at, -_INFINITY, low, slope if abs(low) < _INFINITY else 0.0)
    stack.high[height] = at
    stack.high_end[height] = at + 1
    if low != high:
        stack.high[height] = at + 1
        put(lines, at + 1, at + 1, -_INFINITY, high, slope if abs(high) < _INFINITY else 0.0)
        stack.high_end[height] = at + 2
    stack.weight[height] = 1
    return height + 1


@kernel
def push_held(
    plan: Plan, stack: Stack, lines: Lines, store: Lines, row: int, held: int, height: int, shifts: bool
) -> int:
    """Push the kept function of an earlier row, as seen at `row`; returns the height, -1 without room."""
    place = int(stack.held[held])
    begin, middle = int(stack.held_low[place]), int(stack.held_high[place])
    end = int(stack.held_end[place])
    at = top_of(stack, height)
    # `shifted` makes at most five pieces of one.
    if at + 5 * (end - begin) > len(lines.start) or height >= len(stack.low):
        return -1
    shift = float(plan.shift[row]) if shifts and len(plan.shift) > 0 else 0.0
    mate_from = plan.mate_from
    stack.low[height] = at
    stack.weight[height] = 1
    if middle == begin:
        at = shifted(lines, store, begin, end, at, mate_from, shift)
        stack.high[height] = stack.low[height]
    else:
        at = shifted(lines, store, begin, middle, at, mate_from, shift)
        stack.high[height] = at
    stack.low_end[height] = at
    if middle != begin:
        at = shifted(lines, store, middle, end, at, mate_from, shift)
    stack.high_end[height] = at
    return height + 1


@kernel
def fold_top(stack: Stack, lines: Lines, height: int, how: int) -> int:
    """Merge the two functions on top of the stack into one; returns its height, -1 without room."""
    one, other = height - 2, height - 1
    top = top_of(stack, height)
    begin = int(stack.low[one])
    if top + 4 * (top - begin) + 4 > len(lines.start):
        return -1
    is_one = stack.low[one] == stack.high[one] and stack.low[other] == stack.high[other]
    low_end = high_end = merge(lines, least_of(stack, one), least_of(stack, other), top, how)
    if not is_one:
        high_end = merge(lines, most_of(stack, one), most_of(stack, other), low_end, how)
    stack.weight[one] += stack.weight[other]
    settle(stack, lines, one, top, low_end, high_end)
    return height - 1


@kernel
def settle(stack: Stack, lines: Lines, place: int, first: int, middle: int, last: int) -> None:
    """Move the function at `first` (the lower end up to `middle`, then the upper one) to its place."""
    begin = int(stack.low[place])
    back = first - begin
    for at in range(first, last):
        lines.start[at - back] = lines.start[at]
        lines.value[at - back] = lines.value[at]
        lines.slope[at - back] = lines.slope[at]
    stack.low_end[place] = middle - back
    stack.high[place] = begin if middle == last else middle - back
    stack.high_end[place] = last - back


@kernel
def intersect_top(stack: Stack, lines: Lines, height: int) -> int:
    """Intersect the function below the top with that on the top; where they contradict, the lower one stays.

    Returns the height, -1 without room.
    """
    one, other = height - 2, height - 1
    top = top_of(stack, height)
    begin = int(stack.low[one])
    size = top - begin
    if top + 25 * size + 8 > len(lines.start):
        return -1
    least_end = merge(lines, least_of(stack, one), least_of(stack, other), top, pieces.MAX)
    most_end = merge(lines, most_of(stack, one), most_of(stack, other), least_end, pieces.MIN)
    least, most = (top, least_end), (least_end, most_end)
    low_end = choose(lines, least, most, least_of(stack, one), most_end, False)
    high_end = choose(lines, least, most, most_of(stack, one), low_end, True)
    settle(stack, lines, one, most_end, low_end, high_end)
    if stack.low[one] != stack.high[one] and is_one_function(stack, lines, one):
        stack.high[one] = stack.low[one]
        stack.high_end[one] = stack.low_end[one]
    return height - 1


@kernel
def is_one_function(stack: Stack, lines: Lines, place: int) -> bool:
    """Whether the least and the most are the same, piece by piece."""
    low, high = int(stack.low[place]), int(stack.high[place])
    n_pieces = int(stack.low_end[place]) - low
    if int(stack.high_end[place]) - high != n_pieces:
        return False
    for i in range(n_pieces):
        if lines.start[low + i] != lines.start[high + i] or lines.value[low + i] != lines.value[high + i]:
            return False
        if lines.slope[low + i] != lines.slope[high + i]:
            return False
    return True


@kernel
def move(stack: Stack, lines: Lines, place: int, by: float) -> None:
    """Add a number to the function on top of the stack."""
    for at in range(int(stack.low[place]), top_of(stack, place + 1)):
        lines.value[at] += by


@kernel
def scale(stack: Stack, lines: Lines, place: int, by: float) -> None:
    """Multiply the function on top of the stack by a number above 0."""
    for at in range(int(stack.low[place]), top_of(stack, place + 1)):
        lines.value[at] *= by
        lines.slope[at] *= by


@kernel
def store_function(
    stack: Stack, lines: Lines, store: Lines, row: int, place: int, n_held: int, n_stored: int
) -> int:
    """Copy the function of a row to the store; returns the pieces stored, -1 without room."""
    begin, middle = int(stack.low[place]), int(stack.high[place])
    end = top_of(stack, place + 1)
    if n_stored + end - begin > len(store.start):
        return -1
    stack.held[row] = n_held
    stack.held_low[n_held] = n_stored
    stack.held_high[n_held] = n_stored + middle - begin
    for at in range(begin, end):
        store.start[n_stored] = lines.start[at]
        store.value[n_stored] = lines.value[at]
        store.slope[n_stored] = lines.slope[at]
        n_stored += 1
    stack.held_end[n_held] = n_stored
    return n_stored
