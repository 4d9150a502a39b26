"""Rule `chance`: the score of a chance node is the mean of its children, weighted by their priors."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import visits_with
from plyscope.visualizer.analysis.check.facts.judged import Mask, Rows, reason_if_averaged
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.mean import (
    SINGLE_PRECISION,
    has_all_children,
    mean_of,
    n_counted,
    prior_of,
    rounding_of,
    sum_of_priors,
)
from plyscope.visualizer.analysis.columns.row import cut_by_of, moves_of, taken_of, tt_use_of
from plyscope.visualizer.analysis.columns.sight import COUNTED, TT_NARROW, Sight
from plyscope.visualizer.analysis.columns.value_kernels import is_of_plies
from plyscope.visualizer.analysis.nodes.digits import apart, intervals
from plyscope.visualizer.store import words

# How a chance node can be judged.
NOT_AT_ALL: Final = 0
BY_MEAN: Final = 1
BETWEEN: Final = 2
"""No priors say how its children are weighted, so its score lies somewhere between them."""
TOO_LITTLE: Final = 3
"""Its priors add up to less than 1: some outcome is missing."""
TOO_MUCH: Final = 4


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the score of a chance node is not the mean of its children, or none that a mean could be."""
    if sight.layer[row] != words.CHANCE:
        return False
    how = judgement(sight, row)
    if how == BY_MEAN:
        difference = abs(float(sight.score[row]) - mean_of(sight, row, sight.score))
        return bool(difference > rounding_of(sight, row))
    if how == BETWEEN:
        low, high = ends(sight, row)
        slack = sight.mean_rounding + sight.roll_rounding
        slack += max(SINGLE_PRECISION, sight.tolerance) * max(abs(low), abs(high))
        return bool(sight.score[row] < low - slack or sight.score[row] > high + slack)
    return how != NOT_AT_ALL


@kernel
def judgement(sight: Sight, row: int) -> int:
    """The test that fits the chance node `row`, one of the above."""
    is_cut = sight.outcome[row] == words.CUTOFF or cut_by_of(sight, row) > 0
    if is_cut or not is_of_plies(sight, row) or tt_use_of(sight, row) == TT_NARROW:
        return NOT_AT_ALL
    low, high = claim_of(sight, row)
    is_unsaid = low != low
    is_exact = sight.bound[row] == words.EXACT or (sight.bound[row] == 0 and low == high)
    if not is_exact and not (is_unsaid and sight.fail != HARD):
        return NOT_AT_ALL
    total, rounding = sum_of_priors(sight, row)
    if total == total:
        if abs(total - 1.0) <= rounding:
            return BY_MEAN
        return TOO_LITTLE if total < 1.0 else TOO_MUCH
    if states_prior(sight, row) or not has_all_children(sight, row):
        return NOT_AT_ALL
    n_missing = moves_of(sight, row) - n_counted(sight, row)
    return BETWEEN if n_missing == 0 or (is_exact and moves_of(sight, row) < 0) else NOT_AT_ALL


@kernel
def is_impossible(sight: Sight, row: int) -> bool:
    """Whether the score is none, whatever the outcomes that are missing are worth in the declared range."""
    low, high = sight.range_low, sight.range_high
    if not -math.inf < low <= high < math.inf:
        return False
    total, rounding = sum_of_priors(sight, row)
    known = 0.0
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            known += prior_of(sight, child) * taken_of(sight, child)
        child = int(sight.end[child])
    slack = rounding * max(abs(low), abs(high)) + sight.mean_rounding + sight.roll_rounding
    rest = 1.0 - total
    return not known + rest * low - slack <= sight.score[row] <= known + rest * high + slack


def is_odd(sight: Sight, rows: Rows) -> Mask:
    """Nodes whose score is right if their missing outcomes have a suitable worth."""
    may_be = (judgement(sight, row) == TOO_LITTLE and not is_impossible(sight, row) for row in rows.tolist())
    return np.array([*may_be], np.bool_)


@kernel
def states_prior(sight: Sight, row: int) -> bool:
    """Whether a child that counts has a prior."""
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED and prior_of(sight, child) == prior_of(sight, child):
            return True
        child = int(sight.end[child])
    return False


@kernel
def ends(sight: Sight, row: int) -> tuple[float, float]:
    """The least and the most that a child which counts is worth to the node."""
    low, high = math.inf, -math.inf
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            low = min(low, taken_of(sight, child))
            high = max(high, taken_of(sight, child))
        child = int(sight.end[child])
    return low, high


def _figures(sight: Sight, row: int) -> Figures:
    found = float(sight.score[row])
    children = visits_with(sight, row, None, COUNTED)
    if judgement(sight, row) == BY_MEAN:
        mean = float(mean_of(sight, row, sight.score))
        weighted, returned = apart(mean, found)
        message = f"The mean of its children by their priors is {weighted}, but the node returned {returned}."
        return Figures(mean, found, message, children)
    if judgement(sight, row) in (TOO_LITTLE, TOO_MUCH):
        total = float(sum_of_priors(sight, row)[0])
        (added,) = apart(total)
        message = f"The priors of its children add up to {added}, not to 1"
        message += ", and no stub stands for the rest." if total < 1 else "."
        return Figures(1, total, message, children)
    expected = ends(sight, row)
    between, _ = intervals(expected, (found, found))
    (returned,) = apart(found)
    message = f"Its children lie in {between}, but the node returned {returned}, which no mean of them is."
    return Figures(expected, found, message, children)


def _has_judged(sight: Sight, work: Work) -> bool:
    if not bool((sight.layer == words.CHANCE).any()):
        return False
    return bool(work.run(any_judged)(sight))


@kernel
def any_judged(sight: Sight) -> bool:
    """Whether some row can be judged."""
    for row in range(len(sight.parent)):
        if sight.layer[row] == words.CHANCE and judgement(sight, row) != NOT_AT_ALL:
            return True
    return False


RULE = Rule(
    "chance",
    "wrong",
    ("score",),
    _figures,
    has_judged=_has_judged,
    violates=violates,
    is_odd=is_odd,
    why_not=reason_if_averaged,
)
