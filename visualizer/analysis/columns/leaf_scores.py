"""The scores that a node without children may return: its worth, under fail-hard within the window."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.declarations import HARD, SOFT
from plyscope.visualizer.analysis.columns.row import alpha_of, beta_of, narrowed_alpha, narrowed_beta
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
