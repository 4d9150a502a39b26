"""Proofs beyond the bound of a visit: a score is exact if nothing below it is open.

A bound follows from the window, but a leaf or a node above leaves may be exact all the same. Rules look here
before they call a missing proof wrong.
"""

from __future__ import annotations

import math

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.mean import prior_of, rest_of_priors, rounded_to_score
from plyscope.visualizer.analysis.columns.row import (
    best_child_of,
    fold_of,
    is_aside,
    is_finished,
    is_stub,
    score_as_taken,
    taken_of,
    unsearched_best,
)
from plyscope.visualizer.analysis.columns.sight import (
    CONTRADICTED,
    COUNTED,
    HAS_PRUNED,
    TABLE_DISAGREES,
    UNCLEAR,
    Sight,
)
from plyscope.visualizer.analysis.columns.windows import mate_edges
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
    low, high = fold_of(sight, row)
    if low == high == sight.score[row]:
        return True
    if best_child_of(sight, row) != sight.score[row]:
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

    A node at the horizon or at the game's end is worth its static, even if its window clamped the score.
    """
    outcome = sight.outcome[row]
    is_end = outcome == words.LEAF or outcome == words.TERMINAL
    low, high = claim_of(sight, row)
    if is_end or low != low or sight.marks[row] & (CONTRADICTED | TABLE_DISAGREES | UNCLEAR):
        return math.nan, math.nan
    if is_proven(sight, row):
        return float(sight.score[row]), float(sight.score[row])
    fold_low, fold_high = fold_of(sight, row)
    least, most = max(low, fold_low), min(high, fold_high)
    if fold_low == fold_low and least <= most:
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
    low, high = fold_of(sight, row)
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
    low, high = claim_of(sight, row)
    if taken_of(sight, row) == sight.score[row] or low == high:
        return False
    if sight.counted_step == sight.counted_step or sight.counted_ratio == sight.counted_ratio:
        return False
    is_worse = sign * taken_of(sight, row) < sign * sight.score[row]
    may_be_better = high > sight.score[row] if sign > 0 else low < sight.score[row]
    return bool(is_worse == may_be_better)


@kernel
def proven_mean(sight: Sight, row: int) -> tuple[float, float]:
    """Return the fold of a chance node whose priors add up to 1, children with a proven score exact."""
    low = high = rest_of_priors(sight, row, sight.score)
    child = row + 1
    while child < sight.end[row]:
        prior = prior_of(sight, child)
        if sight.marks[child] & COUNTED and prior > 0.0:
            least, most = claim_of(sight, child)
            if is_proven(sight, child) or is_capped(sight, child, 1.0) or is_capped(sight, child, -1.0):
                least = most = float(sight.score[child])
            low += prior * score_as_taken(sight, child, least)
            high += prior * score_as_taken(sight, child, most)
        child = int(sight.end[child])
    least, most = fold_of(sight, row)
    low = max(rounded_to_score(sight, row, low), least)
    return low, min(rounded_to_score(sight, row, high), most)


@kernel
def visits_fold(sight: Sight, row: int, sign: float) -> tuple[float, float]:
    """Return the best low and high of visits, stand pat and estimate, for the mover; open if unknown."""
    best = best_child_of(sight, row)
    if best != best:
        return -math.inf, math.inf
    low = high = -math.inf
    stand = unsearched_best(sight, row, sign)
    if stand == stand:
        low = high = stand
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            score = sign * taken_of(sight, child)
            least, most = claim_of(sight, child)
            child_low = sign * score_as_taken(sight, child, least)
            child_high = sign * score_as_taken(sight, child, most)
            if is_proven(sight, child) or is_capped(sight, child, sign):
                child_low = child_high = score
            reach = nearest_mate(sight, child)
            low = max(low, max(min(child_low, child_high), min(score, -reach)))
            high = max(high, min(max(child_low, child_high), max(score, reach)))
        child = int(sight.end[child])
    return low, high


@kernel
def mate_sign(sight: Sight, score: float) -> int:
    """Return 1 for a win by distance, -1 for a loss, 0 for others or if mates are undeclared.

    Without a declared threshold, a score nearer to the mate score than to 0 is a mate.
    """
    threshold = sight.mate_threshold
    if threshold != threshold:
        threshold = sight.mate / 2
    if score >= threshold:
        return 1
    return -1 if score <= -threshold else 0


@kernel
def mates_in_reach(sight: Sight, row: int) -> tuple[float, float]:
    """Return the nearest loss and win that `row` can still come to; infinite if mates are not declared.

    The mover wins by the next ply at best, and has lost already at worst.
    """
    least, most = mate_edges(sight, row)
    if most < math.inf and sight.layer[row] == words.MAX:
        most -= sight.mate_step
    elif most < math.inf and sight.layer[row] == words.MIN:
        least += sight.mate_step
    return least, most
