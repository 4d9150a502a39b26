"""Piecewise linear functions of one weight, in arrays, and the operations by which they are folded.

Piece `i` is worth `value[i] + slope[i] × t` from `start[i]` to where the next one starts; `t` is the change
of the weight. A function begins at minus infinity, and may jump. A piece keeps the numbers of the leaf that
it comes from; only the places where pieces meet are rounded.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.sight import Array

MAX: Final = 0
MIN: Final = 1
SUM: Final = 2
_INFINITY: Final = math.inf


class Lines(NamedTuple):
    """Room for pieces; a function is a slice."""

    start: Array
    value: Array
    slope: Array


def lines_for(n_pieces: int) -> Lines:
    """Make arrays for `n_pieces` pieces."""
    return Lines(np.empty(n_pieces), np.empty(n_pieces), np.empty(n_pieces))


@kernel
def put(lines: Lines, first: int, at: int, start: float, value: float, slope: float) -> int:
    """Add a piece to the function that begins at `first`, unless it goes on as before; returns its end."""
    if at > first and lines.value[at - 1] == value and lines.slope[at - 1] == slope:
        return at
    if at > first and lines.start[at - 1] == start:
        at -= 1  # a piece without length
    lines.start[at] = start
    lines.value[at] = value
    lines.slope[at] = slope
    return at + 1


@kernel
def until(lines: Lines, at: int, last: int) -> float:
    """Return the end of the piece `at` of a function that ends before `last`."""
    return float(lines.start[at + 1]) if at + 1 < last else _INFINITY


@kernel
def crossing(lines: Lines, one: int, other: int) -> float:
    """Return the point where two pieces, drawn on, cross; NaN if they do not."""
    if lines.slope[one] == lines.slope[other]:
        return math.nan
    if abs(lines.value[one]) == _INFINITY or abs(lines.value[other]) == _INFINITY:
        return math.nan
    return float((lines.value[one] - lines.value[other]) / (lines.slope[other] - lines.slope[one]))


@kernel
def is_above(lines: Lines, one: int, other: int, cross: float, is_left: bool) -> bool:
    """Whether piece `one` is above `other` on the left, or on the right, of where they cross."""
    if cross != cross:
        return bool(lines.value[one] >= lines.value[other])
    return bool(lines.slope[one] < lines.slope[other]) == is_left


@kernel
def merge(lines: Lines, mine: tuple[int, int], others: tuple[int, int], at: int, how: int) -> int:
    """Write the larger, the smaller or the sum of two functions at `at`; returns its end.

    Functions are (begin, end). It has at most twice as many pieces as both together.
    """
    first = at
    one, last_one = mine
    other, last_other = others
    start = -_INFINITY
    while True:
        end = min(until(lines, one, last_one), until(lines, other, last_other))
        if how == SUM:
            value = lines.value[one] + lines.value[other]
            at = put(lines, first, at, start, value, lines.slope[one] + lines.slope[other])
        else:
            cross = crossing(lines, one, other)
            if cross == cross and start < cross < end:
                left = one if is_above(lines, one, other, cross, True) == (how == MAX) else other
                right = other if left == one else one
                at = put(lines, first, at, start, lines.value[left], lines.slope[left])
                at = put(lines, first, at, cross, lines.value[right], lines.slope[right])
            else:
                is_left = bool(cross >= end)
                piece = one if is_above(lines, one, other, cross, is_left) == (how == MAX) else other
                at = put(lines, first, at, start, lines.value[piece], lines.slope[piece])
        if end == _INFINITY:
            return at
        if until(lines, one, last_one) == end:
            one += 1
        if until(lines, other, last_other) == end:
            other += 1
        start = end


@kernel
def choose(
    lines: Lines, least: tuple[int, int], most: tuple[int, int], other: tuple[int, int], at: int, upper: bool
) -> int:
    """Write `least`, or `most` if `upper`, where `least` is not above `most`, and `other` elsewhere.

    Functions are (begin, end). Returns its end; it has at most twice the pieces of all three.
    """
    first = at
    low, high, rest = least[0], most[0], other[0]
    start = -_INFINITY
    while True:
        end = min(until(lines, low, least[1]), until(lines, high, most[1]), until(lines, rest, other[1]))
        taken = high if upper else low
        cross = crossing(lines, low, high)
        if cross == cross and start < cross < end:
            is_apart = lines.slope[low] < lines.slope[high]  # below on the right only
            left, right = (rest, taken) if is_apart else (taken, rest)
            at = put(lines, first, at, start, lines.value[left], lines.slope[left])
            at = put(lines, first, at, cross, lines.value[right], lines.slope[right])
        else:
            is_left = bool(cross >= end)
            is_same = lines.value[low] == lines.value[high] and lines.slope[low] == lines.slope[high]
            piece = taken if is_same or is_above(lines, high, low, cross, is_left) else rest
            at = put(lines, first, at, start, lines.value[piece], lines.slope[piece])
        if end == _INFINITY:
            return at
        if until(lines, low, least[1]) == end:
            low += 1
        if until(lines, high, most[1]) == end:
            high += 1
        if until(lines, rest, other[1]) == end:
            rest += 1
        start = end


@kernel
def shifted(
    lines: Lines, source: Lines, begin: int, last: int, at: int, mate_from: float, shift: float
) -> int:
    """Write a function of `source` at `at`, scores from `mate_from` on being `shift` less, below, more.

    It has at most five times as many pieces. Returns its end.
    """
    first = at
    for piece in range(begin, last):
        start = float(source.start[piece])
        end = float(source.start[piece + 1]) if piece + 1 < last else _INFINITY
        value, slope = float(source.value[piece]), float(source.slope[piece])
        if shift == 0.0 or not mate_from < _INFINITY:
            at = put(lines, first, at, start, value, slope)
        elif slope == 0.0 or abs(value) == _INFINITY:
            moved = value - shift if value >= mate_from else value + shift if value <= -mate_from else value
            at = put(lines, first, at, start, moved, slope)
        else:
            low, high = (-mate_from - value) / slope, (mate_from - value) / slope
            before, after = (shift, -shift) if slope > 0 else (-shift, shift)
            near, far = min(low, high), max(low, high)
            if start < near:
                at = put(lines, first, at, start, value + before, slope)
            if max(start, near) < min(end, far):
                at = put(lines, first, at, max(start, near), value, slope)
            if far < end:
                at = put(lines, first, at, max(start, far), value + after, slope)
    return at
