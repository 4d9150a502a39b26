"""Table entries, for the rules about them: which were used, their sources, and which are mates."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import shared_by_plies
from plyscope.visualizer.analysis.check.facts.proofs import proven_range
from plyscope.visualizer.analysis.check.facts.row import alpha_of, beta_of, depth_of, is_finished, tt_use_of
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.analysis.check.facts.windows import mate_edges
from plyscope.visualizer.store.words import LOWER, MAX, MIN, TT, TT_USES, UPPER

CUT = TT_USES.index("cut")
NO_SOURCE = -1
"""In place of the row that stored an entry: the log does not say which."""
NARROW = TT_USES.index("narrow")


@kernel
def is_cut(sight: Sight, row: int) -> bool:
    """Whether an entry stood in for searching the node."""
    use = tt_use_of(sight, row)
    return bool(use == CUT or (use == 0 and sight.outcome[row] == TT))


@kernel
def is_used(sight: Sight, row: int) -> bool:
    """Whether an entry's score was used: it cut or narrowed the window, and did not only order the plies."""
    return is_cut(sight, row) or tt_use_of(sight, row) == NARROW


@kernel
def mate_sign(sight: Sight, score: float) -> int:
    """Return 1 for a win by distance, -1 for a loss, 0 for others or if mates are undeclared.

    Without a declared threshold, a score nearer to the mate score than to 0 is a mate.
    """
    threshold = sight.mate_threshold
    if np.isnan(threshold):
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
    if most < np.inf and sight.layer[row] == MAX:
        most -= sight.mate_step
    elif most < np.inf and sight.layer[row] == MIN:
        least += sight.mate_step
    return least, most


@kernel
def proves_mate(sight: Sight, row: int) -> bool:
    """Whether the entry proves a win or a loss, which holds at any depth: a win at least, a loss at most.

    An entry without a bound is assumed to.
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
    return bool(bound == 0 or bound & (LOWER if sign > 0 else UPPER))


@kernel
def searched_depth(depth: float) -> float:
    """Return the depth by which entries are compared: all depths at or below 0, in quiescence, are one."""
    return depth if depth > 0.0 or depth != depth else 0.0


@kernel
def source_of(sight: Sight, row: int) -> int:
    """Return the row that stored the entry, -1 if it is not stated, -2 if it is not in the log."""
    return int(sight.tt_from[row]) if len(sight.tt_from) > 0 else -1


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
