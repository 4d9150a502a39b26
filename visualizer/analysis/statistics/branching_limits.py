"""Smaller branching limits, judged by the searched tree: would the main root have chosen the same ply?

For each limit K the tree is folded anew without the plies whose place by pre-score is K or more. Every row
gets the interval of its score under K; unsearched plies open one end of it, unless K drops them as well.
Horizon, reductions, null moves and estimates are those of the log.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from plyscope.visualizer.analysis.columns.claim_fold import visit_depth
from plyscope.visualizer.analysis.columns.declarations import HARD, MOST_OPPONENTS, SOFT, UNSTATED
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import is_aside, is_finished, is_stub, taken_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.statistics.count_pass import UNSORTED, Tally
from plyscope.visualizer.analysis.statistics.figures import Limit, Limits, Verdict
from plyscope.visualizer.analysis.statistics.limit_fold import Fold, fold_rows, moved
from plyscope.visualizer.analysis.statistics.ranks import Places, place_rows, places_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import object_in
from plyscope.visualizer.store.tree import Tree

MOST_LIMITS: Final = 24
"""Smaller limits that are tried; of more, the least are, and then ever fewer."""


_INFINITY: Final = math.inf


_UNKNOWN: Final = math.nan


def smaller_limits(tree: Tree, sight: Sight, tally: Tally, work: Work) -> Limits | str:
    """Every smaller limit of the main root's tree, or the reason why there is nothing to say."""
    root = tree.main_root
    search, result = tree.log.search, tree.log.result
    limit = search.get("limit")
    today = limit if isinstance(limit, int) and not isinstance(limit, bool) and limit > 0 else None
    if search.get("order") == "best_first":
        return "a best-first search has no branching limit"
    scores = tree.log.columns.get("scores")
    if scores is not None and scores.shape[1] > MOST_OPPONENTS:
        return "players of a game of more than two need not want the root player's worst"
    if "pre_score" not in tree.log.columns:
        return "needs `pre_score`: the log has none"
    if sight.layer[root] == words.CHANCE:
        return "chance moves at the root, where no ply is chosen"
    if sight.layer[root] not in (words.MAX, words.MIN):
        return "needs `layer` at the root"
    rank = result.get("rank")
    if isinstance(rank, int) and rank > 0:
        return f"the ply of rank {rank} was played on purpose: a smaller limit changes what that rank is"
    settings = object_in(search, "options")
    reorders = [
        name
        # other engines may spell IID out; logs of ours that do are read as `iid`
        for name in ("killers", "history", "table", "iid", "internal_deepening")
        if settings.get(name) or (name == "table" and len(sight.tt_use))
    ]
    is_sorted = tally.counts[UNSORTED] == 0 and not reorders and not sight.is_threaded
    places = places_of(sight, tally.known)
    first = 0 if len(sight.tt_from) else root
    has_cuts = bool(len(sight.alpha)) or bool(np.isin(sight.outcome, (words.CUTOFF, words.PRUNED)).any())
    has_cuts = has_cuts or bool(np.isin(sight.bound, (words.LOWER, words.UPPER)).any())
    work.run(place_rows)(sight, places, first, int(sight.end[root]), is_sorted, has_cuts)
    choice = _choice(tree, sight, root, result)
    if choice is None:
        return "needs `result.ply`, or a score of the root that one of its plies has"
    limits, left_out = _tried(places, today)
    fold = _room(tree, sight, str(search.get("fail")))
    run = work.run(fold_rows)
    each: list[Limit] = []
    for smaller in limits[::-1]:
        fold.saved[:] = 0
        fold.stamp[:] = -1
        run(sight, places, fold._replace(limit=smaller), first, root)
        verdict = _verdict(tree, sight, places, fold, root, choice, smaller, is_sorted)
        each.append(Limit(smaller, verdict, int(fold.saved[0]), int(fold.saved.sum())))
    return Limits(
        today=today,
        ply=tree.ply(choice),
        each=tuple(each[::-1]),
        left_out=left_out,
        rests_on=_rests_on(sight),
    )


def _rests_on(sight: Sight) -> tuple[str, ...]:
    found = []
    if len(sight.purpose) and (sight.purpose == words.NULL).any():
        found.append("null moves")
    if len(sight.reduction) and (sight.reduction > 0).any():
        found.append("reductions")
    if len(sight.estimate) or (sight.outcome == words.SKIPPED).any():
        found.append("forward pruning")
    if len(sight.tt_use) or (sight.outcome == words.TT).any():
        found.append("the transposition table")
    return tuple(found)


def _tried(places: Places, today: int | None) -> tuple[list[int], int]:
    """The smaller limits to try, at most `MOST_LIMITS`, and the number left out."""
    widest = int(places.widest[0])
    largest = widest - 1 if today is None else today - 1
    largest = max(0, largest)
    if largest <= MOST_LIMITS:
        return list(range(1, largest + 1)), 0
    few = {*range(1, MOST_LIMITS // 2 + 1)}
    few |= {int(each) for each in np.geomspace(MOST_LIMITS // 2 + 1, largest, MOST_LIMITS // 2)}
    few.add(largest)
    return sorted(few), largest - len(few)


def _room(tree: Tree, sight: Sight, fail: str) -> Fold:
    n_rows, n_texts = tree.log.n_rows, len(tree.log.texts)
    parent = sight.parent[sight.parent >= 0]
    fan_out = int(np.bincount(parent).max(initial=0)) if len(parent) else 0
    mate = mate_of(tree.log)
    return Fold(
        low=np.empty(n_rows),
        high=np.empty(n_rows),
        is_settled=np.zeros(n_rows, np.bool_),
        path=np.zeros(int(sight.level.max(initial=0)) + 1, np.int64),
        n_open=np.zeros(1, np.int64),
        slot=np.zeros(n_texts + 1, np.int64),
        stamp=np.full(n_texts + 1, -1, np.int64),
        depth=np.zeros(fan_out),
        ply_low=np.zeros(fan_out),
        ply_high=np.zeros(fan_out),
        ply_row=np.zeros(fan_out, np.int64),
        saved=np.zeros(2, np.int64),
        before=tree.nodes_before,
        limit=0,
        fail={"soft": SOFT, "hard": HARD}.get(fail, UNSTATED),
        mate_step=_UNKNOWN if mate is None else float(mate.step),
        threshold=_UNKNOWN if mate is None else float(mate.threshold),
    )


def _choice(tree: Tree, sight: Sight, root: int, result: Mapping[str, Any]) -> int | None:
    """The first visit of the ply that the root chose; None where nothing says which that is."""
    children = [child for child in tree.children(root).tolist() if not is_stub(sight, child)]
    children = [child for child in children if not is_aside(sight, child)]
    named = result.get("ply")
    if isinstance(named, str):
        return next((child for child in children if tree.is_ply(child, named)), None)
    score = float(sight.score[root])
    best = next((child for child in children if taken_of(sight, child) == score), None)
    if best is None or sight.ply[best] < 0:
        return best
    first: int = next(child for child in children if sight.ply[child] == sight.ply[best])
    return first


def _verdict(
    tree: Tree,
    sight: Sight,
    places: Places,
    fold: Fold,
    root: int,
    choice: int,
    limit: int,
    is_sorted: bool,
) -> Verdict:
    """The verdict on the root's choice: `kept` if it stays the first of the plies with the best score."""
    sign = -1.0 if sight.layer[root] == words.MIN else 1.0
    plies = _plies(tree, sight, fold, root, sign)
    stubs = [child for child in tree.children(root).tolist() if is_stub(sight, child)]
    unsearched = [
        child
        for child in stubs
        if sight.outcome[child] in (words.PRUNED, words.UNLOGGED) and places.least[child] < limit
    ]
    may_be_unseen = bool(unsearched) or int(places.unseen[root]) < limit
    name = int(sight.ply[choice]) if sight.ply[choice] >= 0 else -1 - choice
    if places.least[choice] >= limit:
        return "changed"
    low, high = plies[name]
    order = list(plies)
    is_kept = places.most[choice] < limit and not may_be_unseen
    for other, (other_low, other_high) in plies.items():
        if other == name:
            continue
        row = _first(sight, tree, root, other)
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


def _plies(tree: Tree, sight: Sight, fold: Fold, root: int, sign: float) -> dict[int, tuple[float, float]]:
    """The interval of each ply of the root as the mover sees it, in the order of first visits."""
    found: dict[int, tuple[float, float, float]] = {}
    for child in tree.children(root).tolist():
        if is_stub(sight, child) or is_aside(sight, child):
            continue
        name = int(sight.ply[child]) if sight.ply[child] >= 0 else -1 - child
        found.setdefault(name, (-_INFINITY, -_INFINITY, _INFINITY))
        if not is_finished(sight, child) or math.isnan(fold.low[child]):
            continue
        ends = sorted(
            (sign * moved(sight, child, fold.low[child]), sign * moved(sight, child, fold.high[child]))
        )
        depth, low, high = visit_depth(sight, child), *ends
        known = found[name]
        if depth > known[0]:
            found[name] = (depth, low, high)
        elif depth == known[0] and max(low, known[1]) <= min(high, known[2]):
            found[name] = (depth, max(low, known[1]), min(high, known[2]))
        elif depth == known[0]:
            found[name] = (depth, -_INFINITY, _INFINITY)
    return {name: (low, high) for name, (_, low, high) in found.items()}


def _first(sight: Sight, tree: Tree, root: int, name: int) -> int:
    if name < 0:
        return -1 - name
    children: Sequence[int] = tree.children(root).tolist()
    return next(
        child
        for child in children
        if sight.ply[child] == name and not is_stub(sight, child) and not is_aside(sight, child)
    )
