"""The scores that a node without children may return, and claims: where a row says that its value lies.

A claim is derived whenever it is asked for. An array of all claims would take two numbers a row, and memory
that is touched for the first time costs more than deriving them again.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.declarations import HARD, SOFT
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    entry_high,
    entry_low,
    is_finished,
    narrowed_alpha,
    narrowed_beta,
    static_of,
)
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store import words


@kernel
def is_close(one: float, other: float, tolerance: float) -> bool:
    """Whether two numbers are equal within the tolerance, relative to the larger; NaN equals nothing.

    >>> is_close(3.0, 3.0 + 1e-12, 1e-9), is_close(3.0, 3.1, 1e-9), is_close(np.inf, 3.0, 1e-9)
    (True, False, False)
    """
    if one == other:
        return True
    difference = abs(one - other)
    return bool(difference < np.inf and difference <= tolerance * max(abs(one), abs(other)))


@kernel
def returns(sight: Sight, row: int, worth: float) -> bool:
    """Whether the row may return its score for a position worth `worth`; True if that is unknown.

    If `fail` is not declared, either form passes. The window may be narrowed by a table entry.
    """
    score = sight.score[row]
    if np.isnan(score) or np.isnan(worth):
        return True
    if not (sight.fail == HARD and sight.fail_is_declared) and is_close(score, worth, sight.tolerance):
        return True
    if sight.fail == SOFT and sight.fail_is_declared:
        return False
    low = alpha_of(sight, row)
    high = beta_of(sight, row)
    if np.isnan(low) or np.isnan(high):
        return True
    if is_close(score, min(max(worth, low), high), sight.tolerance):
        return True
    low = narrowed_alpha(sight, row)
    high = narrowed_beta(sight, row)
    return is_close(score, min(max(worth, low), high), sight.tolerance)


def expected_of(sight: Sight, row: int, worth: float) -> float:
    """Return the score to show as expected: `worth`, within the window if the log is fail-hard."""
    if sight.fail == HARD and sight.fail_is_declared:
        return float(min(max(worth, alpha_of(sight, row)), beta_of(sight, row)))
    return worth


@kernel
def sum_of_terms(sight: Sight, row: int) -> tuple[float, float]:
    """Return the sum of a row's contributions, and of their sizes; NaN if a term is unknown.

    Stated contributions come first, else weight times value; a factor named `other` without a weight holds
    what the weighted ones leave over, so its value is its contribution.
    """
    total = np.nan
    size = 0.0
    if sight.contributions.shape[0] > 0:
        total = 0.0
        for i in range(sight.contributions.shape[1]):
            part = float(sight.contributions[row, i])
            total += part
            size += abs(part)
    if np.isnan(total) and sight.factors.shape[0] > 0:
        total = 0.0
        size = 0.0
        for i in range(sight.factors.shape[1]):
            part = float(sight.weights[i]) * float(sight.factors[row, i])  # numpy's would warn of an overflow
            total += part
            size += abs(part)
    return total, size


@kernel
def worth_of(sight: Sight, row: int) -> float:
    """Return the score declared for the ending of `row`, seen from the root player; NaN if there is none."""
    worth = np.nan
    if sight.ending[row] == words.DRAW:
        worth = sight.draw
    elif sight.ending[row] > 0:
        worth = sight.mate - sight.mate_step * sight.n_plies[row]
        if sight.ending[row] != words.WIN:
            worth = -worth
    return worth


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
