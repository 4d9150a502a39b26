"""A smaller branching limit, by the tree that was searched: would the main root have chosen the same.

For each limit K the tree is folded anew without the plies whose place by pre-score is K or more. Every row
gets the interval in which its score would lie; what nobody searched opens a side, unless K drops it as well.
Horizon, reductions, null moves and estimates are those of the log.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.declarations import HARD, MOST_OPPONENTS, SOFT, UNSTATED
from plyscope.visualizer.analysis.check.passes.kernel_call import Work
from plyscope.visualizer.analysis.mate import mate_of
from plyscope.visualizer.analysis.statistics.column_views import (
    Array,
    Seen,
    code,
    is_aside,
    is_exact,
    is_finished,
    is_stub,
    is_threaded,
    number,
    searched_depth,
    taken,
)
from plyscope.visualizer.analysis.statistics.count_pass import UNSORTED, Tally
from plyscope.visualizer.analysis.statistics.figures import Limit, Limits, Verdict
from plyscope.visualizer.analysis.statistics.ranks import Places, place_rows, places_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MOST_LIMITS: Final = 24
"""Smaller limits that are tried; of more, the least are, and then ever fewer."""
_INFINITY: Final = math.inf
_UNKNOWN: Final = math.nan
_CUT_BY_NULL: Final = words.CUT_BY.index("null")
_TT_CUT: Final = words.TT_USES.index("cut")


class Fold(NamedTuple):
    """What the rows are worth under one limit, and room for the fold."""

    low: Array
    high: Array
    done: Array
    """By row: the limit for which `low` and `high` were written last."""
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


def smaller_limits(tree: Tree, seen: Seen, tally: Tally, work: Work) -> Limits | str:
    """Every smaller limit of the main root's tree, or the reason why there is nothing to say."""
    root = tree.main_root
    search: Any = tree.log.header.get("search")
    search = search if isinstance(search, dict) else {}
    result: Any = tree.log.header.get("result")
    result = result if isinstance(result, dict) else {}
    limit = search.get("limit")
    today = limit if isinstance(limit, int) and not isinstance(limit, bool) and limit > 0 else None
    if search.get("order") == "best_first":
        return "a best-first search has no branching limit"
    scores = tree.log.columns.get("scores")
    if scores is not None and scores.shape[1] > MOST_OPPONENTS:
        return "players of a game of more than two need not want the root player's worst"
    if "pre_score" not in tree.log.columns:
        return "needs `pre_score`: the log has none"
    if seen.layer[root] not in (words.MAX, words.MIN):
        return "needs `layer` at the root"
    rank = result.get("rank")
    if isinstance(rank, int) and rank > 0:
        return f"the ply of rank {rank} was played on purpose: a smaller limit changes what that rank is"
    settings = search.get("options")
    settings = settings if isinstance(settings, dict) else {}
    reorders = [
        name
        # other engines may spell IID out; logs of ours that do are read as `iid`
        for name in ("killers", "history", "table", "iid", "internal_deepening")
        if settings.get(name) or (name == "table" and len(seen.tt_use))
    ]
    is_sorted = tally.order[UNSORTED] == 0 and not reorders and not is_threaded(tree.log)
    places = places_of(seen, len(tree.log.texts))
    first = 0 if len(seen.tt_from) else root
    has_cuts = bool(len(seen.alpha)) or bool(np.isin(seen.outcome, (words.CUTOFF, words.PRUNED)).any())
    has_cuts = has_cuts or bool(np.isin(seen.bound, (words.LOWER, words.UPPER)).any())
    work.run(place_rows)(seen, places, first, int(seen.end[root]), is_sorted, has_cuts)
    choice = _choice(tree, seen, root, result)
    if choice is None:
        return "needs `result.ply`, or a score of the root that one of its plies has"
    limits, left_out = _tried(places, today)
    fold = _room(tree, seen, tally)
    mate = mate_of(tree.log)
    fail = {"soft": SOFT, "hard": HARD}.get(str(search.get("fail")), UNSTATED)
    run = work.run(fold_rows)
    each: list[Limit] = []
    for smaller in limits[::-1]:
        fold.saved[:] = 0
        fold.stamp[:] = -1
        run(
            seen,
            places,
            fold,
            first,
            root,
            smaller,
            fail,
            _UNKNOWN if mate is None else float(mate.step),
            _UNKNOWN if mate is None else float(mate.threshold),
        )
        verdict = _verdict(tree, seen, places, fold, root, choice, smaller, is_sorted)
        each.append(Limit(smaller, verdict, int(fold.saved[0]), int(fold.saved.sum())))
    return Limits(
        today=today,
        ply=tree.ply(choice),
        each=tuple(each[::-1]),
        left_out=left_out,
        rests_on=_rests_on(seen),
    )


def _rests_on(seen: Seen) -> tuple[str, ...]:
    found = []
    if len(seen.purpose) and (seen.purpose == words.NULL).any():
        found.append("null moves")
    if len(seen.reduction) and (seen.reduction > 0).any():
        found.append("reductions")
    if len(seen.estimate) or (seen.outcome == words.SKIPPED).any():
        found.append("forward pruning")
    if len(seen.tt_use) or (seen.outcome == words.TT).any():
        found.append("the transposition table")
    return tuple(found)


def _tried(places: Places, today: int | None) -> tuple[list[int], int]:
    """The smaller limits to try, at most `MOST_LIMITS`, and how many are left out."""
    widest = int(places.widest[0])
    largest = widest - 1 if today is None else today - 1
    largest = max(0, largest)
    if largest <= MOST_LIMITS:
        return list(range(1, largest + 1)), 0
    few = {*range(1, MOST_LIMITS // 2 + 1)}
    few |= {int(each) for each in np.geomspace(MOST_LIMITS // 2 + 1, largest, MOST_LIMITS // 2)}
    few.add(largest)
    return sorted(few), largest - len(few)


def _room(tree: Tree, seen: Seen, tally: Tally) -> Fold:
    n_rows, n_texts = tree.log.n_rows, len(tree.log.texts)
    parent = seen.parent[seen.parent >= 0]
    fan_out = int(np.bincount(parent).max(initial=0)) if len(parent) else 0
    return Fold(
        low=np.empty(n_rows),
        high=np.empty(n_rows),
        done=np.full(n_rows, -1, np.int32),
        path=np.zeros(int(seen.level.max(initial=0)) + 1, np.int64),
        n_open=np.zeros(1, np.int64),
        slot=np.zeros(n_texts + 1, np.int64),
        stamp=np.full(n_texts + 1, -1, np.int64),
        depth=np.zeros(fan_out),
        ply_low=np.zeros(fan_out),
        ply_high=np.zeros(fan_out),
        ply_row=np.zeros(fan_out, np.int64),
        saved=np.zeros(2, np.int64),
        before=tally.before,
    )


def _choice(tree: Tree, seen: Seen, root: int, result: dict[str, Any]) -> int | None:
    """The first visit of the ply that the root chose; None where nothing says which that is."""
    children = [child for child in tree.children(root).tolist() if not is_stub(seen, child)]
    children = [child for child in children if not is_aside(seen, child)]
    named = result.get("ply")
    if isinstance(named, str):
        return next((child for child in children if tree.ply(child) == named), None)
    score = float(seen.score[root])
    best = next((child for child in children if taken(seen, child) == score), None)
    if best is None or seen.ply[best] < 0:
        return best
    first: int = next(child for child in children if seen.ply[child] == seen.ply[best])
    return first


def _verdict(
    tree: Tree,
    seen: Seen,
    places: Places,
    fold: Fold,
    root: int,
    choice: int,
    limit: int,
    is_sorted: bool,
) -> Verdict:
    """Whether the root would have kept its choice: the first of the plies with the best score."""
    sign = -1.0 if seen.layer[root] == words.MIN else 1.0
    plies = _plies(tree, seen, fold, root, sign)
    stubs = [child for child in tree.children(root).tolist() if is_stub(seen, child)]
    unsearched = [
        child
        for child in stubs
        if seen.outcome[child] in (words.PRUNED, words.UNLOGGED) and places.least[child] < limit
    ]
    may_be_unseen = bool(unsearched) or int(places.unseen[root]) < limit
    name = int(seen.ply[choice]) if seen.ply[choice] >= 0 else -1 - choice
    if places.least[choice] >= limit:
        return "changed"
    low, high = plies[name]
    order = list(plies)
    is_kept = places.most[choice] < limit and not may_be_unseen
    for other, (other_low, other_high) in plies.items():
        if other == name:
            continue
        row = _first(seen, tree, root, other)
        if places.least[row] >= limit:
            continue
        comes_first = order.index(other) < order.index(name)
        if places.most[row] < limit and (
            other_low > high or (other_low == high and comes_first and is_sorted)
        ):
            return "changed"
        if not (low > other_high or (low == other_high and not comes_first and is_sorted)):
            is_kept = False
    return "kept" if is_kept else "unknown"


def _plies(tree: Tree, seen: Seen, fold: Fold, root: int, sign: float) -> dict[int, tuple[float, float]]:
    """The interval of each ply of the root as the mover sees it, in the order of first visits."""
    found: dict[int, tuple[float, float, float]] = {}
    for child in tree.children(root).tolist():
        if is_stub(seen, child) or is_aside(seen, child):
            continue
        name = int(seen.ply[child]) if seen.ply[child] >= 0 else -1 - child
        found.setdefault(name, (-_INFINITY, -_INFINITY, _INFINITY))
        if not is_finished(seen, child) or math.isnan(fold.low[child]):
            continue
        ends = sorted(
            (sign * moved(seen, child, fold.low[child]), sign * moved(seen, child, fold.high[child]))
        )
        depth, low, high = searched_depth(seen, child), *ends
        known = found[name]
        if depth > known[0]:
            found[name] = (depth, low, high)
        elif depth == known[0] and max(low, known[1]) <= min(high, known[2]):
            found[name] = (depth, max(low, known[1]), min(high, known[2]))
        elif depth == known[0]:
            found[name] = (depth, -_INFINITY, _INFINITY)
    return {name: (low, high) for name, (_, low, high) in found.items()}


def _first(seen: Seen, tree: Tree, root: int, name: int) -> int:
    if name < 0:
        return -1 - name
    children: Sequence[int] = tree.children(root).tolist()
    return next(
        child
        for child in children
        if seen.ply[child] == name and not is_stub(seen, child) and not is_aside(seen, child)
    )


@kernel
def fold_rows(
    seen: Seen,
    places: Places,
    fold: Fold,
    first: int,
    root: int,
    limit: int,
    fail: int,
    mate_step: float,
    threshold: float,
) -> None:
    """Fold the rows up to the end of the tree at `root` under a limit, each when it is left.

    Rows below a dropped ply are left out where no table entry may refer to them, and counted as saved. The
    first row is 0 where entries name their source, which may stand in an earlier tree, else the root. `fail`
    is one of SOFT, HARD, UNSTATED; `mate_step` and `threshold` are scores, NaN where none is declared.
    """
    fold.n_open[0] = 0
    dropped_until = 0
    maybe_until = 0
    row = first
    last = int(seen.end[root])
    may_skip = len(seen.tt_from) == 0
    while row < last:
        while fold.n_open[0] > 0 and seen.end[fold.path[fold.n_open[0] - 1]] <= row:
            fold.n_open[0] -= 1
            leave(seen, places, fold, fold.path[fold.n_open[0]], limit, fail, mate_step, threshold)
        if row > root and row >= dropped_until and not is_stub(seen, row) and not is_aside(seen, row):
            end = int(seen.end[row])
            nodes = fold.before[end] - fold.before[row]
            if places.least[row] >= limit:
                fold.saved[0] += nodes
                dropped_until = end
                if maybe_until >= end:
                    fold.saved[1] -= nodes  # it was counted with the ply above that may be dropped
                if may_skip:
                    row = end
                    continue
            elif places.most[row] >= limit and row >= maybe_until:
                fold.saved[1] += nodes
                maybe_until = end
        if seen.end[row] > row + 1:
            fold.path[fold.n_open[0]] = row
            fold.n_open[0] += 1
        else:
            leave(seen, places, fold, row, limit, fail, mate_step, threshold)
        row += 1
    while fold.n_open[0] > 0:
        fold.n_open[0] -= 1
        leave(seen, places, fold, fold.path[fold.n_open[0]], limit, fail, mate_step, threshold)


@kernel
def leave(
    seen: Seen,
    places: Places,
    fold: Fold,
    row: int,
    limit: int,
    fail: int,
    mate_step: float,
    threshold: float,
) -> None:
    """Write in which interval the score of a row lies, all below it being written."""
    if is_stub(seen, row):
        return
    low = -_INFINITY
    high = _INFINITY
    outcome = seen.outcome[row]
    use = code(seen.tt_use, row)
    if outcome == words.STOPPED or outcome == words.OPEN:
        pass
    elif outcome == words.TT or use == _TT_CUT:
        # Under a smaller limit the source would have stored another score: its own interval, where it was
        # folded under this very limit. Of a source that is not in the log nothing is known.
        source = int(seen.tt_from[row]) if len(seen.tt_from) > 0 else -1
        if source >= 0 and source < row and seen.end[source] <= row and fold.done[source] == limit:
            levels = int(seen.level[row]) - int(seen.level[source])
            low = at_level(fold.low[source], levels, mate_step, threshold)
            high = at_level(fold.high[source], levels, mate_step, threshold)
    elif outcome == words.TERMINAL or outcome == words.LEAF or (outcome == 0 and seen.end[row] == row + 1):
        low, high = of_leaf(seen, row, fail)
    else:
        low, high = of_plies(seen, places, fold, row, limit)
    fold.low[row] = low
    fold.high[row] = high
    fold.done[row] = limit


@kernel
def at_level(score: float, levels: int, mate_step: float, threshold: float) -> float:
    """A score so many levels further from the root: a win by distance is later, a loss too."""
    if mate_step != mate_step or threshold != threshold:
        return score
    if score >= threshold and score < _INFINITY:
        return score - mate_step * levels
    if score <= -threshold and score > -_INFINITY:
        return score + mate_step * levels
    return score


@kernel
def of_leaf(seen: Seen, row: int, fail: int) -> tuple[float, float]:
    """The interval of a leaf, or of a finished game: its score, where no window may have clamped it."""
    score = float(seen.score[row])
    if score != score:
        return -_INFINITY, _INFINITY
    is_tablebase = len(seen.tablebase) > 0 and seen.tablebase[row]
    if is_tablebase:
        bound = seen.bound[row]
        if bound == words.LOWER:
            return score, _INFINITY
        if bound == words.UPPER:
            return -_INFINITY, score
        return score, score
    if fail == SOFT or is_exact(seen, row):
        return score, score
    # A fail-hard search may have clamped it to the window; the evaluation was not.
    if seen.outcome[row] == words.LEAF:
        static = number(seen.static, row)
        if static == static:
            return static, static
    bound = seen.bound[row]
    if bound == 0:
        alpha = number(seen.alpha, row)
        beta = number(seen.beta, row)
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
def of_plies(seen: Seen, places: Places, fold: Fold, row: int, limit: int) -> tuple[float, float]:
    """The interval of a node by the plies that the limit keeps, standing pat and the estimate."""
    layer = seen.layer[row]
    if layer != words.MAX and layer != words.MIN:
        return -_INFINITY, _INFINITY
    # Seen from the mover from here on: a larger number is better for it.
    sign = 1.0 if layer == words.MAX else -1.0
    opens_mover = int(places.unseen[row]) < limit
    null_low = -_INFINITY
    n_plies = 0
    child = row + 1
    end = int(seen.end[row])
    while child < end:
        outcome = seen.outcome[child]
        if is_stub(seen, child):
            if outcome == words.PRUNED and places.least[child] < limit:
                opens_mover = True
            elif outcome == words.UNLOGGED and places.least[child] < limit:
                return -_INFINITY, _INFINITY
        elif is_aside(seen, child):
            if code(seen.purpose, child) == words.NULL and is_finished(seen, child):
                null_low = fold.low[child] if sign > 0 else -fold.high[child]
        elif places.least[child] < limit:
            if not is_finished(seen, child):
                return -_INFINITY, _INFINITY
            n_plies = add_visit(seen, fold, row, child, sign, n_plies)
        child = int(seen.end[child])
    stand = sign * number(seen.stand_pat, row)
    estimate = sign * number(seen.estimate, row)
    low = high = -_INFINITY
    if stand == stand:
        low = high = stand
    if estimate == estimate:
        low = max(low, estimate)
        high = max(high, estimate)
    is_known = stand == stand or estimate == estimate
    if (
        stand != stand
        and (code(seen.quiescence, row) == 1 or number(seen.depth, row) <= 0.0)
        and code(seen.in_check, row) != 1
    ):
        opens_mover = True
    # A ply that may be dropped lifts what the node is worth at most, and not what it is worth at least.
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
    if code(seen.cut_by, row) >= _CUT_BY_NULL:
        if code(seen.cut_by, row) == _CUT_BY_NULL:
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
def add_visit(seen: Seen, fold: Fold, row: int, child: int, sign: float, n_plies: int) -> int:
    """Take a visit into its ply: the deepest count, their intervals intersected; returns how many plies."""
    low = sign * moved(seen, child, fold.low[child])
    high = sign * moved(seen, child, fold.high[child])
    if sign < 0:
        low, high = high, low
    depth = searched_depth(seen, child)
    ply = int(seen.ply[child])
    at = n_plies
    if ply >= 0:
        if fold.stamp[ply] != row:
            fold.stamp[ply] = row
            fold.slot[ply] = n_plies
        at = int(fold.slot[ply])
    elif code(seen.purpose, child) == words.RESEARCH and n_plies > 0:
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
def moved(seen: Seen, row: int, score: float) -> float:
    """A score of this visit as its parent took it: moved as far as `counted_as` lies from the score."""
    counted = number(seen.counted_as, row)
    own = float(seen.score[row])
    if counted != counted or own != own:
        return score
    return counted if score == own else score + (counted - own)
