"""The claim of a row: the interval in which it says that its value lies.

It is derived whenever it is asked for. An array of all claims would take two numbers a row, and memory that
is touched for the first time costs more than deriving them again.
"""

from __future__ import annotations

import math
from typing import Final

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.leaf_scores import returns
from plyscope.visualizer.analysis.columns.row import (
    entry_high,
    entry_low,
    is_finished,
    narrowed_alpha,
    narrowed_beta,
    static_of,
)
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store import words

_INFINITY: Final = math.inf
_UNKNOWN: Final = math.nan


@kernel
def claim_of(sight: Sight, row: int) -> tuple[float, float]:
    """Return the claim of a row, within that of the entry that narrowed it if they agree; NaN for none."""
    low, high = stated_claim(sight, row)
    least = max(low, entry_low(sight, row))
    most = min(high, entry_high(sight, row))
    return (least, most) if least <= most else (low, high)


@kernel
def stated_claim(sight: Sight, row: int) -> tuple[float, float]:
    """Return the claim of a row by its bound, else its window; NaN if nothing is claimed.

    A leaf that states its evaluation claims that, though the search may have returned an edge of the window.
    """
    score = float(sight.score[row])
    if score != score or not is_finished(sight, row):
        return _UNKNOWN, _UNKNOWN
    if is_own_static(sight, row):
        return static_of(sight, row), static_of(sight, row)
    bound = int(sight.bound[row])
    if bound == 0:
        alpha = narrowed_alpha(sight, row)
        beta = narrowed_beta(sight, row)
        if alpha != alpha or beta != beta:
            return _UNKNOWN, _UNKNOWN
        bound = words.EXACT
        if score >= beta:
            bound = words.LOWER
        elif score <= alpha:
            bound = words.UPPER
    low = high = score
    if bound == words.LOWER:
        high = max(score, sight.range_high) if sight.range_high == sight.range_high else _INFINITY
    elif bound == words.UPPER:
        low = min(score, sight.range_low) if sight.range_low == sight.range_low else -_INFINITY
    return low, high


@kernel
def is_own_static(sight: Sight, row: int) -> bool:
    """Whether a leaf's score is its own evaluation, as it is or clamped to its window: no tablebase's."""
    static = static_of(sight, row)
    if sight.outcome[row] != words.LEAF or static != static:
        return False
    if len(sight.tablebase) > 0 and sight.tablebase[row]:
        return False
    return returns(sight, row, static)


@kernel
def end_of_range(sight: Sight, row: int) -> int:
    """Return 1 where the score is the best of the range, -1 where it is the worst, else 0."""
    score = float(sight.score[row])
    if score == sight.range_high and score > sight.range_low:
        return 1
    return -1 if score == sight.range_low and score < sight.range_high else 0


@kernel
def won_by(sight: Sight, row: int) -> int:
    """Return for a solved row who wins: 1 the root player, -1 the opponent, 0 where neither is proven to."""
    is_over = sight.outcome[row] == words.TERMINAL
    if not is_finished(sight, row) or not (is_over or sight.bound[row] == words.EXACT):
        return 0
    side = end_of_range(sight, row)
    if side == 0 and len(sight.ending) > 0:
        if sight.ending[row] == words.WIN:
            side = 1
        elif sight.ending[row] == words.LOSS:
            side = -1
    return side
