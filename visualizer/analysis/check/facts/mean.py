"""The mean of a chance node's children, weighted by their priors, and its rounding error."""

from __future__ import annotations

import math
from typing import Final

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.claims import claim_of
from plyscope.visualizer.analysis.check.facts.row import (
    is_aside,
    is_finished,
    is_stub,
    score_as_taken,
    taken_of,
)
from plyscope.visualizer.analysis.check.facts.sight import COUNTED, REVISITED, Array, Sight

MOST_DECIMALS: Final = 16
FEWEST_DIGITS: Final = 2
"""To so many at least priors are rounded that may not add up to 1 exactly."""
SINGLE_PRECISION: Final = 1e-6
"""Some engines add their means up in single precision; so much of the sizes that are added."""


@kernel
def prior_of(sight: Sight, row: int) -> float:
    """Return the prior probability, NaN if unstated."""
    return float(sight.prior[row]) if len(sight.prior) > 0 else math.nan


@kernel
def has_all_children(sight: Sight, row: int) -> bool:
    """Whether all children are finished and have a score, each ply counts once, and there are no stubs."""
    n_counted = 0
    child = row + 1
    while child < sight.end[row]:
        if is_stub(sight, child):
            return False
        if not is_aside(sight, child):
            if not is_finished(sight, child) or sight.score[child] != sight.score[child]:
                return False
            if sight.marks[child] & COUNTED:
                if sight.marks[child] & REVISITED:
                    return False
                n_counted += 1
        child = int(sight.end[child])
    return n_counted > 0


@kernel
def decimals_of(number: float) -> int:
    """Return the number of decimals that a number is written with, at most MOST_DECIMALS.

    >>> decimals_of(3.0), decimals_of(0.25), decimals_of(0.167), decimals_of(1 / 3)
    (0, 2, 3, 15)
    """
    for n_decimals in range(MOST_DECIMALS):
        scaled = abs(number) * 10.0**n_decimals
        if abs(scaled - math.floor(scaled + 0.5)) <= 1e-15 * scaled:
            return n_decimals
    return MOST_DECIMALS


@kernel
def digits_of_priors(sight: Sight, row: int) -> tuple[int, int]:
    """Return the most decimals of a child's prior, and the most digits from its first that is not 0.

    At least one decimal: nobody rounds priors to whole numbers.
    """
    most_decimals = most_digits = 1
    child = row + 1
    while child < sight.end[row]:
        prior = prior_of(sight, child)
        if sight.marks[child] & COUNTED and prior > 0.0:
            n_decimals = max(1, decimals_of(prior))
            most_decimals = max(most_decimals, n_decimals)
            most_digits = max(most_digits, n_decimals + math.floor(math.log10(prior)) + 1)
        child = int(sight.end[child])
    return most_decimals, most_digits


@kernel
def half_unit(prior: float, n_decimals: int, n_digits: int) -> float:
    """Return the rounding error of a prior, rounded to the decimals, or the digits, of its siblings.

    >>> half_unit(0.5, 3, 3), half_unit(0.0278, 4, 3)
    (0.0005, 5e-05)
    """
    if prior <= 0.0:
        return float(0.5 * 10.0**-n_decimals)
    first = math.floor(math.log10(prior))
    return float(0.5 * max(10.0**-n_decimals, 10.0 ** (first + 1 - n_digits)))


@kernel
def has_whole_priors(sight: Sight, row: int) -> bool:
    """Whether all children are there, each with its prior, and these add up to 1, rounding aside.

    Tenths are read as hundredths, so 0.2, 0.3 and 0.4 lack a child.
    """
    is_minimax = not (sight.best_first or sight.is_averaged)
    if len(sight.prior) == 0 or not is_minimax or not has_all_children(sight, row):
        return False
    n_decimals, n_digits = digits_of_priors(sight, row)
    total = rounding = 0.0
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            prior = prior_of(sight, child)
            if not prior >= 0.0:
                return False
            total += prior
            rounding += half_unit(prior, max(FEWEST_DIGITS, n_decimals), max(FEWEST_DIGITS, n_digits))
        child = int(sight.end[child])
    return bool(abs(total - 1.0) <= rounding + SINGLE_PRECISION)


@kernel
def mean_of(sight: Sight, row: int, values: Array) -> float:
    """Return the mean of the children's `values` (an entry a row), as the parent took them, by priors."""
    mean = 0.0
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED and prior_of(sight, child) > 0.0:
            mean += prior_of(sight, child) * score_as_taken(sight, child, float(values[child]))
        child = int(sight.end[child])
    return mean


@kernel
def rounding_of(sight: Sight, row: int) -> float:
    """Return the rounding error of such a mean, from rounded priors and scores; may be inf."""
    n_decimals, n_digits = digits_of_priors(sight, row)
    rounding = sight.score_grain
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            prior, size = prior_of(sight, child), abs(taken_of(sight, child))
            if not size < math.inf:
                return math.inf
            exactness = max(SINGLE_PRECISION, sight.tolerance) * prior
            rounding += (half_unit(prior, n_decimals, n_digits) + exactness) * size
        child = int(sight.end[child])
    return float(rounding)


@kernel
def fold_by_priors(sight: Sight, row: int, lows: Array, highs: Array) -> tuple[float, float]:
    """Return the worth of a chance node from its children's; NaN if unknown.

    An end of the interval that differs from the score by rounding alone becomes the score.
    """
    if not has_whole_priors(sight, row):
        return math.nan, math.nan
    low, high = mean_of(sight, row, lows), mean_of(sight, row, highs)
    return rounded_to_score(sight, row, low), rounded_to_score(sight, row, high)


@kernel
def fold_claims_by_priors(sight: Sight, row: int) -> tuple[float, float]:
    """Return the same of what its children claim."""
    if not has_whole_priors(sight, row):
        return math.nan, math.nan
    low = high = 0.0
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED and prior_of(sight, child) > 0.0:
            least, most = claim_of(sight, child)
            low += prior_of(sight, child) * score_as_taken(sight, child, least)
            high += prior_of(sight, child) * score_as_taken(sight, child, most)
        child = int(sight.end[child])
    return rounded_to_score(sight, row, low), rounded_to_score(sight, row, high)


@kernel
def rounded_to_score(sight: Sight, row: int, mean: float) -> float:
    """Return a mean, replaced by the score of the node if they differ by rounding alone."""
    score = float(sight.score[row])
    return score if abs(mean - score) <= rounding_of(sight, row) else mean
