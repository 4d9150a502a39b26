"""The ranges of one weight in which a choice certainly stands, depends on unsearched plies, or falls."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Final, Literal, NamedTuple

import numpy as np

from plyscope.visualizer.analysis.whatif import piecewise_linear as pieces
from plyscope.visualizer.analysis.whatif.envelope import Band, Curve
from plyscope.visualizer.analysis.whatif.piecewise_linear import Lines, lines_for, merge

State = Literal["certain", "depends", "falls"]
_INFINITY: Final = math.inf


@dataclass(frozen=True)
class Segment:
    """A stretch of a weight's change in which the state is one."""

    begin: float
    end: float
    state: State


class Ends(NamedTuple):
    """The least and the most that a ply is worth to the mover, against the change of one weight."""

    least: Curve
    most: Curve


def segments(bands: Sequence[Band], choice: int, sign: float, others: float | None) -> list[Segment]:
    """The states of the ply `choice` among `bands`, over every change of the weight, from -inf to inf.

    `sign`: 1 where the root's mover wants the largest score, -1 where the smallest. `others`: the most, seen
    from the mover, of plies of the root without rows, None where there are none.
    """
    ends = [_seen_by_mover(band, sign) for band in bands]
    own = ends.pop(choice)
    rivals_most = [each.most for each in ends]
    if others is not None:
        rivals_most.append(constant(others))
    if not rivals_most:
        return [Segment(-_INFINITY, _INFINITY, "certain")]
    best_most = highest(rivals_most)
    best_least = highest([each.least for each in ends]) if ends else constant(-_INFINITY)
    return _states(own, best_least, best_most)


def constant(value: float) -> Curve:
    """The function that is one number."""
    return Curve(np.array([-_INFINITY]), np.array([value]), np.zeros(1))


def highest(curves: Sequence[Curve]) -> Curve:
    """The largest of several functions, merged in pairs."""
    while len(curves) > 1:
        pairs = [curves[i : i + 2] for i in range(0, len(curves), 2)]
        curves = [reduce(_higher, pair) for pair in pairs]
    return curves[0]


def _higher(one: Curve, other: Curve) -> Curve:
    n_one, n_other = len(one.start), len(other.start)
    lines = lines_for(3 * (n_one + n_other) + 2)
    for room, first, second in zip(lines, one, other, strict=True):
        room[:n_one] = first
        room[n_one : n_one + n_other] = second
    begin = n_one + n_other
    end = merge(lines, (0, n_one), (n_one, begin), begin, pieces.MAX)
    return _curve(lines, begin, end)


def _curve(lines: Lines, begin: int, end: int) -> Curve:
    return Curve(*(np.array(each[begin:end]) for each in lines))


def _seen_by_mover(band: Band, sign: float) -> Ends:
    if sign > 0:
        return Ends(band.low, band.high)
    return Ends(_negated(band.high), _negated(band.low))


def _negated(curve: Curve) -> Curve:
    return Curve(curve.start, -curve.value, -curve.slope)


def _states(own: Ends, best_least: Curve, best_most: Curve) -> list[Segment]:
    """Certain where the choice's least is not below any rival's most; falls where some least is above."""
    curves = (own.least, own.most, best_least, best_most)
    starts = np.unique(np.concatenate([each.start for each in curves]))
    found: list[Segment] = []
    for number, begin in enumerate(starts.tolist()):
        end = float(starts[number + 1]) if number + 1 < len(starts) else _INFINITY
        least, most, rival_least, rival_most = (_piece(each, begin) for each in curves)
        cuts = sorted(
            cut
            for cut in (_crossing(least, rival_most), _crossing(most, rival_least))
            if cut is not None and begin < cut < end
        )
        edges = [begin, *cuts, end]
        for left, right in pairwise(edges):
            inside = _between(left, right)
            state: State = "depends"
            if _at(least, inside) >= _at(rival_most, inside):
                state = "certain"
            elif _at(rival_least, inside) > _at(most, inside):
                state = "falls"
            if found and found[-1].state == state:
                found[-1] = Segment(found[-1].begin, right, state)
            else:
                found.append(Segment(left, right, state))
    return found


_Piece = tuple[float, float]


def _piece(curve: Curve, begin: float) -> _Piece:
    at = int(np.searchsorted(curve.start, begin, side="right")) - 1
    return float(curve.value[at]), float(curve.slope[at])


def _at(piece: _Piece, change: float) -> float:
    return piece[0] + piece[1] * change if piece[1] else piece[0]


def _crossing(one: _Piece, other: _Piece) -> float | None:
    if one[1] == other[1] or math.isinf(one[0]) or math.isinf(other[0]):
        return None
    return (one[0] - other[0]) / (other[1] - one[1])


def _between(begin: float, end: float) -> float:
    """A change within a stretch, well inside it."""
    if math.isinf(begin):
        return end - max(1.0, abs(end)) if math.isfinite(end) else 0.0
    if math.isinf(end):
        return begin + max(1.0, abs(begin))
    return begin + (end - begin) / 2


@dataclass(frozen=True)
class Range:
    """The two nested ranges around no change; None for an end that there is not."""

    state: State
    """At no change."""
    stands: tuple[float, float] | None
    """Within these changes the choice certainly stands; None where it does not as logged."""
    holds: tuple[float, float] | None
    """Just beyond these it certainly falls, infinite where it never does; None where it falls as logged."""


def range_around(found: Sequence[Segment], state: State) -> Range:
    """The stretches around no change of the weight; `state` is the choice's at no change itself.

    On an edge between two stretches the one that says more counts: a tie is certain.
    """
    stands = _around(found, ("certain",)) if state == "certain" else None
    holds = _around(found, ("certain", "depends")) if state != "falls" else None
    return Range(state, stands, holds)


def _around(found: Sequence[Segment], states: Sequence[State]) -> tuple[float, float]:
    begin = end = 0.0
    for segment in found:
        if segment.state in states and segment.begin <= end <= segment.end:
            end = segment.end
    for segment in reversed(found):
        if segment.state in states and segment.begin <= begin <= segment.end:
            begin = segment.begin
    return begin, end
