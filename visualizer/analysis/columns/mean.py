"""The mean of a chance node's children, weighted by their priors, and its rounding error."""

from __future__ import annotations

import math
from typing import Final

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.row import is_aside, is_finished, is_stub, score_as_taken, taken_of
from plyscope.visualizer.analysis.columns.sight import COUNTED, REVISITED, Array, Sight

MOST_DECIMALS: Final = 16
FEWEST_DIGITS: Final = 2
"""Priors that do not quite add up to 1 must have at least this many digits."""
LEAST_WHOLE: Final = 2.0**53
"""From here on a double has no decimals."""
SINGLE_PRECISION: Final = 1e-6
"""The relative error of means that engines add up in single precision."""


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
        if scaled >= LEAST_WHOLE or abs(scaled - math.floor(scaled + 0.5)) <= 1e-15 * scaled:
            return n_decimals
    return MOST_DECIMALS


@kernel
def digits_of_priors(sight: Sight, row: int) -> tuple[int, int]:
    """Return the most decimals of a child's prior, and the most digits from its first that is not 0.

    At least one decimal, since priors are never rounded to whole numbers.
    """
    most_decimals = most_digits = 1
    child = row + 1
    while child < sight.end[row]:
        prior = prior_of(sight, child)
        if sight.marks[child] & COUNTED and 0.0 < prior < math.inf:
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
    if not 0.0 < prior < math.inf:
        return float(0.5 * 10.0**-n_decimals)
    first = math.floor(math.log10(prior))
    return float(0.5 * max(10.0**-n_decimals, 10.0 ** (first + 1 - n_digits)))


@kernel
def sum_of_priors(sight: Sight, row: int) -> tuple[float, float]:
    """Return the sum of the priors of all children, and its rounding error.

    NaN unless all children are there, each with its prior. Tenths are read as hundredths, so 0.2, 0.3 and 0.4
    lack a child.
    """
    is_minimax = not (sight.best_first or sight.is_averaged)
    if len(sight.prior) == 0 or not is_minimax or not has_all_children(sight, row):
        return math.nan, math.nan
    n_decimals, n_digits = digits_of_priors(sight, row)
    total = rounding = 0.0
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            prior = prior_of(sight, child)
            if not 0.0 <= prior < math.inf:
                return math.nan, math.nan
            total += prior
            rounding += half_unit(prior, max(FEWEST_DIGITS, n_decimals), max(FEWEST_DIGITS, n_digits))
        child = int(sight.end[child])
    return total, rounding + SINGLE_PRECISION


@kernel
def has_whole_priors(sight: Sight, row: int) -> bool:
    """Whether all children are there, each with its prior, and these add up to 1, rounding aside."""
    total, rounding = sum_of_priors(sight, row)
    return bool(abs(total - 1.0) <= rounding)


@kernel
def n_counted(sight: Sight, row: int) -> int:
    """The children of `row` that count."""
    n_children = 0
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            n_children += 1
        child = int(sight.end[child])
    return n_children


@kernel
def kth_below(sight: Sight, row: int, values: Array, k: int) -> float:
    """Return the k-th least, from 0, of the children's `values` (an entry a row), of those that count.

    As the parent took them. Kernels have no room for a sorted copy, and chance nodes have few children.
    """
    one = row + 1
    while one < sight.end[row]:
        if sight.marks[one] & COUNTED:
            number = score_as_taken(sight, one, float(values[one]))
            n_less = n_equal = 0
            other = row + 1
            while other < sight.end[row]:
                if sight.marks[other] & COUNTED:
                    taken = score_as_taken(sight, other, float(values[other]))
                    n_less += taken < number
                    n_equal += taken == number
                other = int(sight.end[other])
            if n_less <= k < n_less + n_equal:
                return number
        one = int(sight.end[one])
    return math.nan


@kernel
def median_below(sight: Sight, row: int, values: Array) -> float:
    """Return the median of the children's `values`."""
    n_children = n_counted(sight, row)
    middle = kth_below(sight, row, values, n_children // 2)
    return (
        middle if n_children % 2 == 1 else (middle + kth_below(sight, row, values, n_children // 2 - 1)) / 2
    )


@kernel
def rest_of_priors(sight: Sight, row: int, values: Array) -> float:
    """Return the share of a mean of the children's `values` that belongs to the part of 1 lost by rounding.

    Any child may have lost it, so it gets their median.
    """
    rest = 1.0 - sum_of_priors(sight, row)[0]
    middle = median_below(sight, row, values) if rest != 0.0 else 0.0
    return rest * middle if abs(middle) < math.inf else 0.0


@kernel
def mean_of(sight: Sight, row: int, values: Array) -> float:
    """Return the mean of the children's `values` (an entry a row), as the parent took them, by priors."""
    mean = rest_of_priors(sight, row, values)
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED and prior_of(sight, child) > 0.0:
            mean += prior_of(sight, child) * score_as_taken(sight, child, float(values[child]))
        child = int(sight.end[child])
    return float(mean)


@kernel
def rounding_of(sight: Sight, row: int) -> float:
    """Return the rounding error of such a mean, from rounded priors and scores; may be inf.

    A prior that is off by half a unit of its last digit moves the mean by that part of the child's distance
    from the median.
    """
    n_decimals, n_digits = digits_of_priors(sight, row)
    middle = median_below(sight, row, sight.score)
    rounding = sight.mean_rounding + sight.roll_rounding
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            prior, taken = prior_of(sight, child), taken_of(sight, child)
            if not abs(taken) < math.inf:
                return math.inf
            rounding += half_unit(prior, n_decimals, n_digits) * abs(taken - middle)
            rounding += max(SINGLE_PRECISION, sight.tolerance) * prior * abs(taken)
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
    """Return the worth of a chance node from the claims of its children; NaN if unknown."""
    if not has_whole_priors(sight, row):
        return math.nan, math.nan
    low = high = rest_of_priors(sight, row, sight.score)
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
