"""The scores that a node without children may return: its worth, under fail-hard within the window."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.declarations import HARD, SOFT
from plyscope.visualizer.analysis.check.facts.row import alpha_of, beta_of, narrowed_alpha, narrowed_beta
from plyscope.visualizer.analysis.check.facts.sight import Sight


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


def unknown_window(sight: Sight) -> str | None:
    """Return what is missing if neither `fail` nor windows tell how a score may differ from a worth."""
    if not sight.fail_is_declared and not (len(sight.alpha) and len(sight.beta)):
        return "needs `search.fail`, or `alpha` and `beta`"
    return None
