"""Proofs beyond the bound of a visit: a score is exact if nothing below it is open.

A bound follows from the window, but a leaf or a node above leaves may be exact all the same. Rules look here
before they call a missing proof wrong.
"""

from __future__ import annotations

import math

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.declarations import HARD
from plyscope.visualizer.analysis.check.facts.mean import prior_of, rounded_to_score
from plyscope.visualizer.analysis.check.facts.row import (
    is_aside,
    is_finished,
    is_stub,
    score_as_taken,
    taken_of,
    unsearched_best,
)
from plyscope.visualizer.analysis.check.facts.sight import (
    CONTRADICTED,
    COUNTED,
    HAS_PRUNED,
    TABLE_DISAGREES,
    UNCLEAR,
    Sight,
)
from plyscope.visualizer.store import words


@kernel
def is_worth(sight: Sight, row: int) -> bool:
    """Whether the score is the position's: stated as exact, or at the horizon without a stated bound."""
    if sight.bound[row] == words.EXACT:
        return True
    is_end = sight.outcome[row] == words.LEAF or sight.outcome[row] == words.TERMINAL
    return bool(sight.bound[row] == 0 and is_end and sight.fail != HARD)


@kernel
def is_proven(sight: Sight, row: int) -> bool:
    """Whether the score is exact: stated so, at the horizon, or the best of children that are all exact."""
    if is_worth(sight, row):
        return True
    if sight.fold_low[row] == sight.fold_high[row] == sight.score[row]:
        return True
    if sight.best_child[row] != sight.score[row]:
        return False
    child = row + 1
    end = int(sight.end[row])
    while child < end:
        if is_stub(sight, child):
            if sight.outcome[child] == words.PRUNED or sight.outcome[child] == words.UNLOGGED:
                return False
        elif not is_aside(sight, child) and not (is_finished(sight, child) and is_worth(sight, child)):
            return False
        child = int(sight.end[child])
    return bool(end > row + 1)


@kernel
def proven_range(sight: Sight, row: int) -> tuple[float, float]:
    """Return the least and the greatest score that a finished search of `row` left possible; NaN if unknown.

    What ended at the horizon or by the game's end is worth its static, whatever the window made of it.
    """
    outcome = sight.outcome[row]
    is_end = outcome == words.LEAF or outcome == words.TERMINAL
    low, high = float(sight.low[row]), float(sight.high[row])
    if is_end or low != low or sight.marks[row] & (CONTRADICTED | TABLE_DISAGREES | UNCLEAR):
        return math.nan, math.nan
    if is_proven(sight, row):
        return float(sight.score[row]), float(sight.score[row])
    least, most = max(low, float(sight.fold_low[row])), min(high, float(sight.fold_high[row]))
    if sight.fold_low[row] == sight.fold_low[row] and least <= most:
        return least, most
    return low, high


@kernel
def nearest_mate(sight: Sight, row: int) -> float:
    """Return the score of a mate by the next ply for its winner; inf if mates are not declared."""
    if sight.mate != sight.mate or sight.mate_step != sight.mate_step:
        return math.inf
    return float(sight.mate - sight.mate_step * (sight.n_plies[row] + 1))


@kernel
def proven_fold(sight: Sight, row: int) -> tuple[float, float]:
    """Return the fold of the children of `row`: proven scores exact, no mate nearer than the next ply."""
    if sight.layer[row] == words.CHANCE:
        return proven_mean(sight, row)
    sign = 1.0 if sight.layer[row] == words.MAX else -1.0
    low, high = float(sight.fold_low[row]), float(sight.fold_high[row])
    if sign < 0:
        low, high = -high, -low
    # Seen from the mover from here on.
    best_low, best_high = visits_fold(sight, row, sign)
    low = max(low, best_low)
    if not sight.marks[row] & HAS_PRUNED:
        high = min(high, best_high)
    high = min(high, max(low, nearest_mate(sight, row)))
    if sign < 0:
        return -high, -low
    return low, high


@kernel
def is_capped(sight: Sight, row: int, sign: float) -> bool:
    """Whether `counted_as` capped the open side of a visit's claim.

    Scores that all move by one step or in one ratio are moved, not capped.
    """
    if taken_of(sight, row) == sight.score[row] or sight.low[row] == sight.high[row]:
        return False
    if sight.counted_step == sight.counted_step or sight.counted_ratio == sight.counted_ratio:
        return False
    is_worse = sign * taken_of(sight, row) < sign * sight.score[row]
    may_be_better = sight.high[row] > sight.score[row] if sign > 0 else sight.low[row] < sight.score[row]
    return bool(is_worse == may_be_better)


@kernel
def proven_mean(sight: Sight, row: int) -> tuple[float, float]:
    """Return the fold of a chance node whose priors add up to 1, children with a proven score exact."""
    low = high = 0.0
    child = row + 1
    while child < sight.end[row]:
        prior = prior_of(sight, child)
        if sight.marks[child] & COUNTED and prior > 0.0:
            least, most = float(sight.low[child]), float(sight.high[child])
            if is_proven(sight, child) or is_capped(sight, child, 1.0) or is_capped(sight, child, -1.0):
                least = most = float(sight.score[child])
            low += prior * score_as_taken(sight, child, least)
            high += prior * score_as_taken(sight, child, most)
        child = int(sight.end[child])
    low = max(rounded_to_score(sight, row, low), float(sight.fold_low[row]))
    return low, min(rounded_to_score(sight, row, high), float(sight.fold_high[row]))


@kernel
def visits_fold(sight: Sight, row: int, sign: float) -> tuple[float, float]:
    """Return the best low and high of visits, stand pat and estimate, for the mover; open if unknown."""
    if sight.best_child[row] != sight.best_child[row]:
        return -math.inf, math.inf
    low = high = -math.inf
    stand = unsearched_best(sight, row, sign)
    if stand == stand:
        low = high = stand
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            score = sign * taken_of(sight, child)
            child_low = sign * score_as_taken(sight, child, float(sight.low[child]))
            child_high = sign * score_as_taken(sight, child, float(sight.high[child]))
            if is_proven(sight, child) or is_capped(sight, child, sign):
                child_low = child_high = score
            reach = nearest_mate(sight, child)
            low = max(low, max(min(child_low, child_high), min(score, -reach)))
            high = max(high, min(max(child_low, child_high), max(score, reach)))
        child = int(sight.end[child])
    return low, high
