"""A tree folded anew under a smaller branching limit: the interval of every row's score, in one pass.

Plies whose place by pre-score is the limit or more are left out. Unsearched plies open one end, unless the
limit drops them as well; horizon, reductions, null moves and estimates are those of the log.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.claim_fold import visit_depth
from plyscope.visualizer.analysis.columns.declarations import HARD, SOFT
from plyscope.visualizer.analysis.columns.mean import prior_of
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    cut_by_of,
    depth_of,
    estimate_of,
    is_aside,
    is_finished,
    is_in_check,
    is_quiescence,
    is_stub,
    purpose_of,
    stand_pat_of,
    static_of,
    tt_use_of,
)
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.statistics.ranks import Places
from plyscope.visualizer.store import words

_INFINITY: Final = math.inf
_ROUNDING: Final = 1e-6
_CUT_BY_NULL: Final = words.CUT_BY.index("null")
_TT_CUT: Final = words.TT_USES.index("cut")


class Fold(NamedTuple):
    """The interval of each row's score under one limit, and working arrays of the fold."""

    low: Array
    high: Array
    is_settled: Array
    """By row: whether the interval is written, and is the same under every limit."""
    path: Array
    n_open: Array
    slot: Array
    """By ply: its number below the node in `stamp`."""
    stamp: Array
    depth: Array
    """By number of the ply below one node; as the mover sees it."""
    ply_low: Array
    ply_high: Array
    ply_row: Array
    saved: Array
    """Two entries: nodes below plies that are surely dropped, and below those that may be."""
    before: Array
    """By row and one more: the nodes before it."""
    limit: int
    fail: int
    """One of SOFT, HARD, UNSTATED."""
    mate_step: float
    """With the threshold NaN where no scores of wins are declared."""
    threshold: float


@kernel
def fold_rows(sight: Sight, places: Places, fold: Fold, first: int, root: int) -> None:
    """Fold the rows up to the end of the tree at `root` under a limit, each when it is left.

    Rows below a dropped ply are left out where no table entry may refer to them, and counted as saved. The
    first row is 0 where entries name their source, which may stand in an earlier tree, else the root.
    """
    fold.n_open[0] = 0
    dropped_until = 0
    maybe_until = 0
    row = first
    last = int(sight.end[root])
    may_skip = len(sight.tt_from) == 0
    while row < last:
        while fold.n_open[0] > 0 and sight.end[fold.path[fold.n_open[0] - 1]] <= row:
            fold.n_open[0] -= 1
            leave(sight, places, fold, fold.path[fold.n_open[0]])
        if row > root and row >= dropped_until and not is_stub(sight, row) and not is_aside(sight, row):
            end = int(sight.end[row])
            nodes = fold.before[end] - fold.before[row]
            if places.least[row] >= fold.limit:
                fold.saved[0] += nodes
                dropped_until = end
                if maybe_until >= end:
                    fold.saved[1] -= nodes  # it was counted with the ply above that may be dropped
                if may_skip:
                    row = end
                    continue
            elif places.most[row] >= fold.limit and row >= maybe_until:
                fold.saved[1] += nodes
                maybe_until = end
        if sight.end[row] > row + 1:
            fold.path[fold.n_open[0]] = row
            fold.n_open[0] += 1
        elif not fold.is_settled[row]:
            leave(sight, places, fold, row)
        row += 1
    while fold.n_open[0] > 0:
        fold.n_open[0] -= 1
        leave(sight, places, fold, fold.path[fold.n_open[0]])


@kernel
def leave(sight: Sight, places: Places, fold: Fold, row: int) -> None:
    """Write in which interval the score of a row lies, all below it being written."""
    if is_stub(sight, row):
        return
    low = -_INFINITY
    high = _INFINITY
    outcome = sight.outcome[row]
    use = tt_use_of(sight, row)
    if outcome == words.STOPPED or outcome == words.OPEN:
        pass
    elif outcome == words.TT or use == _TT_CUT:
        # Under a smaller limit the source would have stored another score: its own interval, all rows before
        # this one being folded under this very limit. Of a source that is not in the log nothing is known.
        source = int(sight.tt_from[row]) if len(sight.tt_from) > 0 else -1
        if source >= 0 and source < row and sight.end[source] <= row and not is_stub(sight, source):
            levels = int(sight.level[row]) - int(sight.level[source])
            low = at_level(fold, fold.low[source], levels)
            high = at_level(fold, fold.high[source], levels)
    elif outcome == words.TERMINAL or outcome == words.LEAF or (outcome == 0 and sight.end[row] == row + 1):
        low, high = of_leaf(sight, places, row, fold.fail)
        fold.is_settled[row] = True
    else:
        low, high = of_plies(sight, places, fold, row)
    fold.low[row] = low
    fold.high[row] = high


@kernel
def at_level(fold: Fold, score: float, levels: int) -> float:
    """A score `levels` levels further from the root: a win by distance is later, and so is a loss."""
    mate_step, threshold = fold.mate_step, fold.threshold
    if mate_step != mate_step or threshold != threshold:
        return score
    if score >= threshold and score < _INFINITY:
        return score - mate_step * levels
    if score <= -threshold and score > -_INFINITY:
        return score + mate_step * levels
    return score


@kernel
def of_leaf(sight: Sight, places: Places, row: int, fail: int) -> tuple[float, float]:
    """The interval of a leaf, or of a finished game: its score, where no window may have clamped it."""
    score = float(sight.score[row])
    if score != score:
        return -_INFINITY, _INFINITY
    is_tablebase = len(sight.tablebase) > 0 and sight.tablebase[row]
    if is_tablebase:
        bound = sight.bound[row]
        if bound == words.LOWER:
            return score, _INFINITY
        if bound == words.UPPER:
            return -_INFINITY, score
        return score, score
    if fail == SOFT or places.known[row] == words.EXACT:
        return score, score
    # A fail-hard search may have clamped it to the window; the evaluation was not.
    if sight.outcome[row] == words.LEAF:
        static = static_of(sight, row)
        if static == static:
            return static, static
    bound = sight.bound[row]
    if bound == 0:
        alpha = alpha_of(sight, row)
        beta = beta_of(sight, row)
        if alpha != alpha or beta != beta:
            if fail == HARD:
                return -_INFINITY, _INFINITY
            return score, score
        if score <= alpha:
            return -_INFINITY, score
        return score, _INFINITY
    if bound == words.LOWER:
        return score, _INFINITY
    return -_INFINITY, score


@kernel
def of_plies(sight: Sight, places: Places, fold: Fold, row: int) -> tuple[float, float]:
    """The interval of a node by the plies that the limit keeps, standing pat and the estimate."""
    layer = sight.layer[row]
    if layer == words.CHANCE:
        return of_chances(sight, fold, row)
    if layer != words.MAX and layer != words.MIN:
        return -_INFINITY, _INFINITY
    # Seen from the mover from here on: a larger number is better for it.
    sign = 1.0 if layer == words.MAX else -1.0
    limit = fold.limit
    opens_mover = int(places.unseen[row]) < limit
    null_low = -_INFINITY
    n_plies = 0
    child = row + 1
    end = int(sight.end[row])
    while child < end:
        outcome = sight.outcome[child]
        if is_stub(sight, child):
            if outcome == words.PRUNED and places.least[child] < limit:
                opens_mover = True
            elif outcome == words.UNLOGGED and places.least[child] < limit:
                return -_INFINITY, _INFINITY
        elif is_aside(sight, child):
            if purpose_of(sight, child) == words.NULL and is_finished(sight, child):
                null_low = fold.low[child] if sign > 0 else -fold.high[child]
        elif places.least[child] < limit:
            if not is_finished(sight, child):
                return -_INFINITY, _INFINITY
            n_plies = add_visit(sight, fold, row, child, sign, n_plies)
        child = int(sight.end[child])
    stand = sign * stand_pat_of(sight, row)
    estimate = sign * estimate_of(sight, row)
    low = high = -_INFINITY
    if stand == stand:
        low = high = stand
    if estimate == estimate:
        low = max(low, estimate)
        high = max(high, estimate)
    is_known = stand == stand or estimate == estimate
    if (
        stand != stand
        and (is_quiescence(sight, row) or depth_of(sight, row) <= 0.0)
        and not is_in_check(sight, row)
    ):
        opens_mover = True
    # A ply that may be dropped raises the node's upper end, and not its lower one.
    n_sure = 0
    maybe_low = _INFINITY
    maybe_high = -_INFINITY
    for at in range(n_plies):
        first = fold.ply_row[at]
        if places.most[first] < limit:
            n_sure += 1
            low = max(low, fold.ply_low[at])
            high = max(high, fold.ply_high[at])
        else:
            maybe_low = min(maybe_low, fold.ply_low[at])
            maybe_high = max(maybe_high, fold.ply_high[at])
    high = max(high, maybe_high)
    if n_sure == 0 and n_plies > 0 and not opens_mover:
        low = max(low, maybe_low)  # one of them is kept
    if cut_by_of(sight, row) >= _CUT_BY_NULL:
        if cut_by_of(sight, row) == _CUT_BY_NULL:
            low = max(low, null_low)  # the search took the pass for a bound, and would again
        opens_mover = True
    if opens_mover:
        high = _INFINITY
    elif n_plies == 0 and not is_known:
        return -_INFINITY, _INFINITY
    if sign < 0:
        return -high, -low
    return low, high


@kernel
def of_chances(sight: Sight, fold: Fold, row: int) -> tuple[float, float]:
    """The interval of a chance node: the mean of its outcomes, none of which a limit drops."""
    low = high = total = 0.0
    child = row + 1
    while child < sight.end[row]:
        prior = prior_of(sight, child)
        if is_stub(sight, child) or not is_finished(sight, child) or not prior > 0.0:
            return -_INFINITY, _INFINITY
        low += prior * moved(sight, child, fold.low[child])
        high += prior * moved(sight, child, fold.high[child])
        total += prior
        child = int(sight.end[child])
    if abs(total - 1.0) > _ROUNDING:  # some are missing, or were visited twice
        return -_INFINITY, _INFINITY
    return low, high


@kernel
def add_visit(sight: Sight, fold: Fold, row: int, child: int, sign: float, n_plies: int) -> int:
    """Add a visit to its ply, whose deepest visits are intersected; returns the number of plies."""
    low = sign * moved(sight, child, fold.low[child])
    high = sign * moved(sight, child, fold.high[child])
    if sign < 0:
        low, high = high, low
    depth = visit_depth(sight, child)
    ply = int(sight.ply[child])
    at = n_plies
    if ply >= 0:
        if fold.stamp[ply] != row:
            fold.stamp[ply] = row
            fold.slot[ply] = n_plies
        at = int(fold.slot[ply])
    elif purpose_of(sight, child) == words.RESEARCH and n_plies > 0:
        at = n_plies - 1
    if at == n_plies:
        fold.ply_row[at] = child
        n_plies += 1
        fold.depth[at] = depth
        fold.ply_low[at] = low
        fold.ply_high[at] = high
    elif depth > fold.depth[at]:
        fold.depth[at] = depth
        fold.ply_low[at] = low
        fold.ply_high[at] = high
    elif depth == fold.depth[at]:
        fold.ply_low[at] = max(low, fold.ply_low[at])
        fold.ply_high[at] = min(high, fold.ply_high[at])
        if fold.ply_low[at] > fold.ply_high[at]:
            # They contradict, and which of them the search would have believed depends on the windows.
            fold.ply_low[at] = -_INFINITY
            fold.ply_high[at] = _INFINITY
    return n_plies


@kernel
def moved(sight: Sight, row: int, score: float) -> float:
    """A score of this visit as its parent took it: moved as far as `counted_as` lies from the score."""
    counted = float(sight.counted_as[row]) if len(sight.counted_as) > 0 else math.nan
    own = float(sight.score[row])
    if counted != counted or own != own:
        return score
    return counted if score == own else score + (counted - own)
