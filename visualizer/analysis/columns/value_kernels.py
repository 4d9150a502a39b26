"""The score that follows from a node's plies, fail-soft or fail-hard: kernels of the sweep, for `value`.

An engine may mix both. Many clamp in their loops and return table hits, mates and stand pats unclamped.
Others return alpha where they fail low, and the score of the ply where they fail high. So if `fail` is not
declared, either form passes, node by node.
"""

from __future__ import annotations

from typing import Final

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.declarations import HARD, SOFT
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    best_child_of,
    beta_of,
    cut_by_of,
    estimate_of,
    lacks_stand_pat,
    narrowed_alpha,
    narrowed_beta,
    stand_pat_of,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import (
    COUNTED,
    FAILS_HIGH,
    FITS_HARD,
    FITS_SOFT,
    VALUE_WRONG,
    Sight,
)
from plyscope.visualizer.store import words

_CUT_BY_NULL: Final = words.CUT_BY.index("null")


@kernel
def is_of_plies(sight: Sight, row: int) -> bool:
    """Whether the row has a score that should come from its plies: not from a null move or an estimate."""
    outcome = sight.outcome[row]
    if not (outcome == 0 or outcome == words.SEARCHED or outcome == words.CUTOFF):
        return False
    return bool(sight.score[row] == sight.score[row] and cut_by_of(sight, row) < _CUT_BY_NULL)


@kernel
def value_mark(sight: Sight, row: int) -> int:
    """Return how the score differs from the best of the plies: VALUE_WRONG, FITS_SOFT, FITS_HARD; else 0.

    Also 0 if that is unknown. The last two are returned only if `fail` is not declared, with FAILS_HIGH
    where the best lies beyond the mover's edge.
    """
    best = best_child_of(sight, row)
    if best != best or not is_of_plies(sight, row):
        return 0
    is_declared = sight.fail_is_declared
    fits_soft = sight.score[row] == best and not (is_declared and sight.fail == HARD)
    if fits_soft and is_declared:
        return 0
    fits_hard = not (is_declared and sight.fail == SOFT) and fits_clamped(sight, row, best)
    if fits_hard:
        return 0 if fits_soft or is_declared else FITS_HARD | fails_high(sight, row, best, sight.score[row])
    if fits_soft:
        return FITS_SOFT | fails_high(sight, row, best, value_under(sight, row, HARD))
    if lacks_stand_pat(sight, row):
        # Standing pat, which nothing states, may have been better for the mover, never worse.
        value = value_under(sight, row, sight.fail)
        is_worse = sight.score[row] < value if sight.layer[row] == words.MAX else sight.score[row] > value
        return VALUE_WRONG if is_worse else 0
    return VALUE_WRONG


@kernel
def fails_high(sight: Sight, row: int, best: float, clamped: float) -> int:
    """Return FAILS_HIGH if `best` is better for the mover than the edge to which it is clamped, else 0."""
    is_high = best < clamped if sight.layer[row] == words.MIN else best > clamped
    return FAILS_HIGH if is_high else 0


@kernel
def fits_clamped(sight: Sight, row: int, best: float) -> bool:
    """Whether the score is `best` within the window, or unclamped where fail-hard may leave it so."""
    score = sight.score[row]
    if score == value_under(sight, row, HARD):
        return True
    alpha, beta = alpha_of(sight, row), beta_of(sight, row)
    if (score == alpha and best < alpha) or (score == beta and best > beta):
        return True  # the window on entry, whatever an entry made of it
    if score != best:
        return False
    if stand_pat_of(sight, row) == best or estimate_of(sight, row) == best:
        return True
    child = row + 1
    while child < sight.end[row]:
        outcome = sight.outcome[child]
        as_it_is = outcome == words.TT or outcome == words.TERMINAL
        if as_it_is and sight.marks[child] & COUNTED and taken_of(sight, child) == best:
            return True
        child = int(sight.end[child])
    return False


@kernel
def value_under(sight: Sight, row: int, fail: int) -> float:
    """Return the score that follows from the children, clamped to the window if `fail` is HARD."""
    value = best_child_of(sight, row)
    if fail == HARD:
        alpha = narrowed_alpha(sight, row)
        beta = narrowed_beta(sight, row)
        if value < alpha:
            value = alpha
        elif value > beta:
            value = beta
    return value
