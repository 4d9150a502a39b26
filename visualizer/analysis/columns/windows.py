"""The window that a visit should have had: alpha-beta's, narrowed by the best so far, or a scout's."""

from __future__ import annotations

import math
from typing import Final

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.claims import is_close
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    estimate_of,
    is_aside,
    is_finished,
    is_stub,
    lacks_stand_pat,
    narrowed_alpha,
    narrowed_beta,
    purpose_of,
    reduction_of,
    stand_pat_of,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import REVISITED, Sight
from plyscope.visualizer.store import words

FITS: Final = 0
WIDER: Final = 1
ELSE: Final = 2

N_MOVES: Final = 5
"""Ways in which an edge may have been moved on the way down to a visit (see `moved_edge`)."""


@kernel
def edges(sight: Sight, row: int) -> tuple[float, float]:
    """Return the window that the parent had left when `row` was visited; NaN if unknown."""
    parent = int(sight.parent[row])
    if parent < 0 or is_stub(sight, row) or is_aside(sight, row) or lacks_stand_pat(sight, parent):
        return math.nan, math.nan
    low, high = narrowed_alpha(sight, parent), narrowed_beta(sight, parent)
    best = float(sight.edge_before[row])
    if best != best or low != low or high != high:
        return math.nan, math.nan
    if sight.layer[parent] == words.MAX:
        low = max(low, best)
    else:
        high = min(high, best)
    if not low < high:
        return math.nan, math.nan
    return low, high


@kernel
def mate_edges(sight: Sight, row: int) -> tuple[float, float]:
    """Return the best mate scores that both sides can still reach at `row`; open if undeclared."""
    if sight.mate != sight.mate or sight.mate_step != sight.mate_step:
        return -math.inf, math.inf
    most = sight.mate - sight.mate_step * sight.n_plies[row]
    return -most, most


@kernel
def improves(sight: Sight, row: int, taken: float) -> bool:
    """Whether the number taken for `row` beats the parent's best so far and its window; True if unknown."""
    parent = int(sight.parent[row])
    best = float(sight.edge_before[row])
    if sight.layer[parent] == words.MAX:
        return not (taken <= best or taken <= narrowed_alpha(sight, parent))
    return not (taken >= best or taken >= narrowed_beta(sight, parent))


@kernel
def fit(sight: Sight, row: int) -> int:
    """Return how the window of `row` fits the parent's: FITS, WIDER, or ELSE.

    A step that moved a score on the way up (`counted_as`) may have moved either edge on the way down.
    """
    alpha, beta = alpha_of(sight, row), beta_of(sight, row)
    if alpha != alpha or beta != beta:
        return FITS
    low, high = edges(sight, row)
    fits = fit_between(sight, row, alpha, beta, low, high)
    parent = int(sight.parent[row])
    if fits != FITS and low == low and estimate_of(sight, parent) == sight.edge_before[row]:
        # Futility may have estimated the rest only after this ply.
        for may_come_again in (False, True):
            if sight.layer[parent] == words.MAX:
                low = max(narrowed_alpha(sight, parent), searched_before(sight, row, 1.0, may_come_again))
            else:
                high = min(narrowed_beta(sight, parent), -searched_before(sight, row, -1.0, may_come_again))
            if fit_between(sight, row, alpha, beta, low, high) == FITS:
                return FITS
    if fits != FITS and low == low and sight.rank > 0 and sight.parent[sight.parent[row]] < 0:
        # A ply within a margin of the best may be chosen: its root may leave any window up to the best open.
        if sight.layer[sight.parent[row]] == words.MAX:
            low = min(alpha, max(low, searched_before(sight, row, 1.0, False)))
        else:
            high = max(beta, min(high, -searched_before(sight, row, -1.0, False)))
        return fit_between(sight, row, alpha, beta, low, high)
    return fits


@kernel
def fits_plainly(sight: Sight, row: int, layer: int, low: float, high: float) -> bool:
    """Whether the window of `row` plainly fits: not judged, all that was left, or a scout's. Else ask `fit`.

    `low` and `high` are the window of the parent, whose layer is `layer`, not yet narrowed by its best.
    """
    alpha, beta, best = alpha_of(sight, row), beta_of(sight, row), float(sight.edge_before[row])
    if layer != words.MAX:
        # Seen from the mover.
        alpha, beta, best, low, high = -beta, -alpha, -best, -high, -low
    if best > low:
        low = best
    # No branch on windows, which are hard to predict.
    purpose = purpose_of(sight, row)
    is_unjudged = (alpha != alpha) | (beta != beta) | (best != best) | (not low < high)
    is_all = (alpha == low) & (beta == high)
    is_scouts = (alpha == low) & (beta == low + sight.null_width)
    may_scout = (purpose == words.SCOUT) | (purpose == 0)
    return bool(is_unjudged | is_all | (is_scouts & may_scout))


@kernel
def searched_before(sight: Sight, row: int, sign: float, may_come_again: bool) -> float:
    """Return the parent's best, times `sign`, from standing pat and the plies searched before `row`.

    A visit whose ply is visited again counts if `may_come_again`: that visit may come after `row`.
    """
    parent = int(sight.parent[row])
    stand = sign * stand_pat_of(sight, parent)
    best = stand if stand == stand else -math.inf
    child = parent + 1
    while child < row:
        is_last = may_come_again or not sight.marks[child] & REVISITED
        is_last = is_last and sight.ply[child] != sight.ply[row]
        if is_last and not is_aside(sight, child) and is_finished(sight, child):
            best = max(best, sign * taken_of(sight, child))
        child = int(sight.end[child])
    return best


@kernel
def fit_between(sight: Sight, row: int, alpha: float, beta: float, low: float, high: float) -> int:
    """Return how (alpha, beta), moved as scores are in this log, fits the window (low, high) that is left."""
    fits = fit_of(sight, row, alpha, beta, low, high)
    if fits == FITS or len(sight.counted_as) == 0:
        return fits
    taken, score = taken_of(sight, row), float(sight.score[row])
    shift = taken - score if taken != score else 0.0
    if not math.isfinite(shift):
        shift = 0.0
    for i in range(N_MOVES):
        near_alpha = moved_edge(sight, alpha, i, shift, low, high)
        if near_alpha == near_alpha:
            for j in range(N_MOVES):
                near_beta = moved_edge(sight, beta, j, shift, low, high)
                if near_beta == near_beta and fit_of(sight, row, near_alpha, near_beta, low, high) == FITS:
                    return FITS
    return fits


@kernel
def moved_edge(sight: Sight, edge: float, place: int, shift: float, low: float, high: float) -> float:
    """Return an edge in the `place`-th form that it may have in the parent's window, NaN if there is none.

    The forms: unmoved; moved as the visit's own score was; or by the common step or ratio of all scores.
    """
    if place == 1:
        edge += shift if shift != 0.0 else math.nan
    elif place == 2:
        edge += sight.counted_step
    elif place == 3:
        edge -= sight.counted_step
    elif place == 4:
        edge *= sight.counted_ratio
    for parents in (low, high):
        if is_close(edge, parents, 1e-9):
            return parents
    return edge


@kernel
def fit_of(sight: Sight, row: int, alpha: float, beta: float, low: float, high: float) -> int:
    """Return how the window (alpha, beta) of `row`, as its parent sees it, fits the parent's."""
    if are_open(alpha, low, sight.range_low, sight.far):
        alpha = low
    if are_open(-beta, -high, -sight.range_high, sight.far):
        beta = high
    if low != low or (alpha == low and beta == high):
        return FITS
    parent = int(sight.parent[row])
    maximizes = sight.layer[parent] == words.MAX
    purpose = purpose_of(sight, row)
    may_be_research = purpose == words.RESEARCH or (purpose == 0 and sight.ply[row] >= 0)
    before = int(sight.before[row]) if may_be_research else -1
    if purpose == words.RESEARCH or before >= 0:
        # A re-search may start anywhere up to the scout's score, or one null width short of it.
        score = float(sight.score[before]) if before >= 0 else math.nan
        if maximizes and beta == high and low <= alpha <= score:
            return FITS
        if not maximizes and alpha == low and high >= beta >= score:
            return FITS
        was_reduced = before >= 0 and reduction_of(sight, before) > reduction_of(sight, row)
        if was_reduced and is_null_window(sight, alpha, beta, low, high, maximizes):
            return FITS
    if purpose == words.SCOUT or purpose == 0:
        if is_null_window(sight, alpha, beta, low, high, maximizes):
            return FITS
        if purpose == words.SCOUT:
            if maximizes:
                high = min(high, low + sight.null_width)
            else:
                low = max(low, high - sight.null_width)
    if sight.mate == sight.mate:
        least, most = mate_edges(sight, row)
        step = sight.mate_step
        fits_low = alpha == low or (alpha > low and least - step <= alpha <= least + 2 * step)
        fits_high = beta == high or (beta < high and most - 2 * step <= beta <= most + step)
        if fits_low and fits_high:
            return FITS
    return WIDER if alpha <= low and beta >= high else ELSE


@kernel
def are_open(edge: float, other: float, end: float, far: float) -> bool:
    """Whether two lower edges are both open, so that their difference means nothing.

    Both are beyond the `end` of the declared range, such as an engine's first `best` of -1000. Or both are
    its infinity: a number far below all others, which moves from ply to ply as scores do.
    """
    is_beyond_range = edge <= end and other <= end
    return bool(is_beyond_range or (min(edge, other) > -math.inf and max(edge, other) < -far))


@kernel
def is_null_window(sight: Sight, alpha: float, beta: float, low: float, high: float, maximizes: bool) -> bool:
    """Whether (alpha, beta) is the null window on the mover's side of (low, high).

    Its width is the declared one, rounding aside; if none is declared, any up to 1.
    """
    width = sight.null_width
    if maximizes:
        is_as_wide = is_close(beta, low + width, 1e-9)
        is_narrow = not sight.null_width_is_declared and low < beta < low + width
        return bool(alpha == low and (is_as_wide or is_narrow or beta == high))
    is_as_wide = is_close(alpha, high - width, 1e-9)
    is_narrow = not sight.null_width_is_declared and high > alpha > high - width
    return bool(beta == high and (is_as_wide or is_narrow or alpha == low))
