"""Table entries, for the rules about them: which were used, their sources, and which are mates."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import shared_by_plies
from plyscope.visualizer.analysis.check.facts.proofs import mate_sign, proven_range
from plyscope.visualizer.analysis.columns.row import alpha_of, beta_of, depth_of, is_finished
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store.words import LOWER, UPPER


@kernel
def proves_mate(sight: Sight, row: int, stored: float) -> bool:
    """Whether the entry proves a win or a loss, which holds at any depth: a win at least, a loss at most.

    An entry without a bound is assumed to. The other bound, that there is no nearer mate, is proven where
    `stored` plies reach as far.
    """
    if len(sight.tt_score) == 0:
        return False
    score = sight.tt_score[row]
    sign = mate_sign(sight, score)
    if np.isinf(score):
        sign = 1 if score > 0 else -1
    if sign == 0:
        return False
    bound = sight.tt_bound[row] if len(sight.tt_bound) > 0 else 0
    if bound == 0 or bound & (LOWER if sign > 0 else UPPER):
        return True
    reached = sight.mate - sight.mate_step * (np.ceil(stored) + 1 + int(sight.n_plies[row]))
    return bool(sight.mate_step > 0.0 and reached <= abs(score))


@kernel
def searched_depth(depth: float) -> float:
    """Return the depth by which entries are compared: all depths at or below 0, in quiescence, are one."""
    return depth if depth > 0.0 or depth != depth else 0.0


@kernel
def shifted_to(sight: Sight, source: int, row: int, score: float) -> float:
    """Return a score of row `source` as seen at `row`: a win by distance is later below, earlier above."""
    if np.isnan(sight.mate_step):
        return score
    return score - mate_sign(sight, score) * sight.mate_step * int(sight.n_plies[row] - sight.n_plies[source])


@kernel
def shifted(sight: Sight, source: int, row: int) -> float:
    """Return what row `source` returned, as seen at `row`."""
    return shifted_to(sight, source, row, float(sight.score[source]))


@kernel
def searched_to(sight: Sight, source: int) -> tuple[float, float]:
    """Return the least and the greatest depth that row `source` may have been searched to; NaN if unknown.

    A node that reduces or extends itself after it was entered says so at all of its plies.
    """
    depth = depth_of(sight, source)
    reduced = shared_by_plies(sight, sight.reduction, source)
    extended = shared_by_plies(sight, sight.extension, source)
    most = depth + (extended if extended < np.inf else 0.0)
    return searched_depth(depth - reduced), searched_depth(most)


@kernel
def states_its_claim(sight: Sight, row: int) -> bool:
    """Whether the entry states its bound and its score."""
    has_both = len(sight.tt_bound) > 0 and len(sight.tt_score) > 0
    return bool(has_both and sight.tt_bound[row] > 0 and not np.isnan(sight.tt_score[row]))


@kernel
def reaches_no_edge(sight: Sight, row: int, source: int) -> bool:
    """Whether `source`, if it stored the entry, had proven neither a score nor an edge of the window."""
    low, high = range_of_source(sight, row, source)
    return bool(low < high and low < beta_of(sight, row) and high > alpha_of(sight, row))


@kernel
def range_of_source(sight: Sight, row: int, source: int) -> tuple[float, float]:
    """Return the least and the greatest score that `source` left possible, if it stored the entry of `row`.

    NaN if unknown, as of wins by distance, which are shifted.
    """
    if source < 0 or sight.end[source] > row or not is_finished(sight, source):
        return np.nan, np.nan
    if mate_sign(sight, float(sight.score[source])) != 0:
        return np.nan, np.nan
    return proven_range(sight, source)
