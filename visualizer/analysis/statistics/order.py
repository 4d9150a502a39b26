"""The quality of move ordering: by which ply nodes were cut off, and where their best ply stood.

And the nodes at which the most happened: plies pruned, scores far from pre-scores, effort before a cut.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.known_claims import Known
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.nodes.ply_path import paths_to
from plyscope.visualizer.analysis.statistics.count_pass import (
    ELSEWHERE,
    NO_BOUND,
    NOT_ASKED,
    UNKNOWN,
    Tally,
)
from plyscope.visualizer.analysis.statistics.figures import (
    ApartAt,
    Extremes,
    Lack,
    Order,
    PrunedAt,
    SpentAt,
    have,
)
from plyscope.visualizer.analysis.statistics.totals import n_nodes
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MOST_PLIES: Final = 32
"""Move numbers, and ranks, that are counted one by one; those beyond are counted together."""

MOST_NODES: Final = 20
"""Nodes that are listed one by one: of those that cost most, and of those cut at each move number."""


def order_of(tree: Tree, sight: Sight, tally: Tally) -> tuple[Order, list[Lack]]:
    """The figures of move ordering, and those that could not be computed."""
    cuts = np.flatnonzero(sight.outcome == words.CUTOFF)
    others = cuts[tally.cut_at[cuts] == NOT_ASKED]
    by = dict.fromkeys(words.CUT_BY, 0)
    if len(sight.cut_by):
        counts = np.bincount(sight.cut_by[others], minlength=len(by))
        by = dict(zip(words.CUT_BY, counts.tolist(), strict=True))
    elsewhere = by["stand_pat"] + by["null"] + by["estimate"]
    at_ply, at_later_ply, at_ply_ids = _by_number(tree, tally.cut_at)
    best_rank, best_rank_later, best_rank_ids = _by_number(tree, tally.rank)
    n_asked = int(np.count_nonzero(tally.rank != NOT_ASKED))
    found = Order(
        cuts=len(cuts),
        by_child=len(cuts) - len(others),
        by_stand_pat=by["stand_pat"],
        by_null=by["null"],
        by_estimate=by["estimate"],
        by_unknown=len(others) - elsewhere,
        at_ply=at_ply,
        at_later_ply=at_later_ply,
        at_unknown_ply=int(np.count_nonzero(tally.cut_at == UNKNOWN)),
        cost=n_nodes(tree, np.flatnonzero(tally.wasted)),
        best_rank=best_rank,
        best_rank_later=best_rank_later,
        best_asked=n_asked,
        at_ply_ids=at_ply_ids,
        best_rank_ids=best_rank_ids,
    )
    return found, _lacks(tree, sight, tally, n_asked)


def _by_number(tree: Tree, numbers: Array) -> tuple[tuple[int, ...], int, tuple[tuple[int, ...], ...]]:
    """The rows with each number up to the greatest, counted, and with a later one; the ids of the first."""
    rows = np.flatnonzero(numbers >= 0)
    numbers = np.minimum(numbers[rows], MOST_PLIES)
    counts = np.bincount(numbers, minlength=MOST_PLIES + 1)
    n_listed = int(np.flatnonzero(counts[:MOST_PLIES]).max(initial=0)) + 1
    first = [rows[numbers == number][:MOST_NODES] for number in (*range(n_listed), MOST_PLIES)]
    ids = tuple(tuple(tree.log.columns["id"][each].tolist()) for each in first)
    return tuple(counts[:n_listed].tolist()), int(counts[MOST_PLIES]), ids


def _lacks(tree: Tree, sight: Sight, tally: Tally, n_asked: int) -> list[Lack]:
    found = [] if sight.outcome.any() else [Lack("order.cuts", "needs `outcome`: the log has none")]
    without = int(np.count_nonzero(tally.rank == UNKNOWN))
    if not len(sight.pre_score):
        found.append(Lack("order.best", "needs `pre_score`: the log has none"))
    elif without:
        nodes = counted(n_asked, "node")
        found.append(Lack("order.best", f"{without:,} of {nodes} {have(without)} a ply without `pre_score`"))
    if not sight.bound.any() and "alpha" not in tree.log.columns:
        found.append(Lack("order.best", "needs `bound`, or `alpha` and `beta`: the log has none"))
    elif n_unbound := int(tally.counts[NO_BOUND]):
        found.append(Lack("order.best", f"{counted(n_unbound, 'node')} without `bound`"))
    if n_elsewhere := int(tally.counts[ELSEWHERE]):
        scores = counted(n_elsewhere, "exact score")
        found.append(Lack("order.best", f"{scores} of standing pat, an estimate or no counted visit"))
    return found


PIECE: Final = 1_000_000
"""Rows whose differences are in memory at once."""

Numbers = npt.NDArray[np.float64]


def extremes_of(
    tree: Tree, sight: Sight, tally: Tally | None, apart: tuple[Extremes, int]
) -> tuple[Extremes, list[Lack]]:
    """The nodes with the extreme figures, and the figures that could not be computed.

    `apart`: what `far_apart` found. `tally`: after its pass; None where rows are not in the order of time, so
    that the cost before cutoffs is unknown.
    """
    found, n_unknown = apart
    lacks = []
    if without := _without_count(sight):
        lacks.append(Lack("pruned", f"{counted(without, 'stub')} without `count`"))
    if not len(sight.pre_score):
        lacks.append(Lack("apart", "needs `pre_score`: the log has none"))
    elif n_unknown:
        nodes = counted(n_unknown, "node")
        lacks.append(Lack("apart", f"{nodes} of which the log does not say whether the score is exact"))
    spent = () if tally is None else _spent(tree, sight, tally)
    pruned, most_pruned_at = _pruned(tree, sight)
    return replace(found, pruned=pruned, spent=spent, most_pruned_at=most_pruned_at), lacks


def _without_count(sight: Sight) -> int:
    is_pruned = sight.outcome == words.PRUNED
    return int(np.count_nonzero(is_pruned if not len(sight.count) else is_pruned & (sight.count < 0)))


def _pruned(tree: Tree, sight: Sight) -> tuple[tuple[PrunedAt, ...], int]:
    """The nodes at which the most plies were pruned, and the number of those that equal the first."""
    if not len(sight.count):
        return (), 0
    stubs = np.flatnonzero((sight.outcome == words.PRUNED) & (sight.count > 0) & (sight.parent >= 0))
    at, sums = _by_parent(sight, stubs, sight.count[stubs])
    best = _greatest(sums)
    rows = at[best].tolist()
    listed = tuple(
        PrunedAt(*node, int(amount))
        for node, amount in zip(_named(tree, rows), sums[best].tolist(), strict=True)
    )
    return listed, int(np.count_nonzero(sums == sums.max(initial=1)))


def far_apart(tree: Tree, sight: Sight, known: Known) -> tuple[Extremes, int]:
    """The nodes whose pre-score and score are farthest apart, and the number of nodes left out as unknown.

    Of these the log does not say whether the score is exact or a bound.

    For an exact score the distance is exact. For an interval it is a lower bound if the pre-score is outside,
    and unknown if it is inside.
    """
    none = Extremes(pruned=(), apart=(), spent=(), most_pruned_at=0, apart_asked=0, ended=0)
    if not len(sight.pre_score):
        return none, 0
    mate = mate_of(tree.log)
    found = np.zeros(0, np.int64)
    amounts = np.zeros(0)
    asked = ended = unknown = 0
    for first in range(0, tree.log.n_rows, PIECE):
        piece = slice(first, first + PIECE)
        score, pre_score = sight.score[piece], sight.pre_score[piece]
        low, high = known.low[piece], known.high[piece]
        is_asked = np.isfinite(score) & np.isfinite(pre_score) & _is_finished(sight, piece)
        is_end = sight.outcome[piece] == words.TERMINAL
        if mate is not None:
            is_end |= (np.abs(score) >= mate.threshold) & (np.abs(score) <= mate.score)
        is_known = np.isfinite(low) | np.isfinite(high)
        difference = np.maximum(0.0, np.maximum(low - pre_score, pre_score - high))
        is_told = is_asked & is_known & ((difference > 0) | (low == high))
        ended += int(np.count_nonzero(is_told & is_end))
        unknown += int(np.count_nonzero(is_asked & ~is_known & ~is_end))
        rows = np.flatnonzero(is_told & ~is_end)
        asked += len(rows)
        found = np.concatenate([found, rows + first])
        amounts = np.concatenate([amounts, difference[rows]])
        best = _greatest(amounts)
        found, amounts = found[best], amounts[best]
    far = [row for row, amount in zip(found.tolist(), amounts.tolist(), strict=True) if amount > 0]
    listed = tuple(
        ApartAt(*node, float(sight.pre_score[row]), *_worth(sight, known, row), apart=amount)
        for row, node, amount in zip(far, _named(tree, far), amounts.tolist(), strict=False)
    )
    return replace(none, apart=listed, apart_asked=asked, ended=ended), unknown


def _worth(sight: Sight, known: Known, row: int) -> tuple[float, str]:
    """The end of a row's known interval that is nearer to its pre-score, and the bound that it is."""
    low, high = float(known.low[row]), float(known.high[row])
    if low == high:
        return low, "exact"
    return (low, "lower") if low > sight.pre_score[row] else (high, "upper")


def _is_finished(sight: Sight, piece: slice) -> npt.NDArray[np.bool_]:
    """Nodes that were left with a result, no null moves, no probes."""
    outcome = sight.outcome[piece]
    finished = (outcome < words.FIRST_STUB) & (outcome != words.STOPPED) & (outcome != words.OPEN)
    if len(sight.purpose):
        finished &= (sight.purpose[piece] != words.NULL) & (sight.purpose[piece] != words.PROBE)
    return np.asarray(finished)


def _spent(tree: Tree, sight: Sight, tally: Tally) -> tuple[SpentAt, ...]:
    """The nodes that spent most in plies before the one that cut."""
    wasted = np.flatnonzero(tally.wasted)
    at, sums = _by_parent(sight, wasted, tree.nodes_below(wasted) + 1)
    best = _greatest(sums)
    rows = at[best]
    return tuple(
        SpentAt(*node, int(spent), place + 1 if place >= 0 else None)
        for node, spent, place in zip(
            _named(tree, rows.tolist()), sums[best].tolist(), tally.cut_at[rows].tolist(), strict=True
        )
    )


def _by_parent(sight: Sight, rows: Array, amounts: Array) -> tuple[Array, Array]:
    """The parents of some rows, ascending, and the amounts below each together."""
    at, place = np.unique(sight.parent[rows], return_inverse=True)
    return at, np.bincount(place, weights=amounts, minlength=len(at))


def _greatest(amounts: Array) -> Array:
    """The places of the greatest amounts, the greatest first, equal ones in their order."""
    if len(amounts) > MOST_NODES:
        least = np.partition(amounts, len(amounts) - MOST_NODES)[len(amounts) - MOST_NODES]
        above, equal = np.flatnonzero(amounts > least), np.flatnonzero(amounts == least)
        chosen = np.sort(np.concatenate([above, equal[: MOST_NODES - len(above)]]))
    else:
        chosen = np.arange(len(amounts))
    return np.asarray(chosen[np.argsort(-amounts[chosen], kind="stable")])


def _named(tree: Tree, rows: list[int]) -> list[tuple[int, str, int, int | None]]:
    """Id, path and level of each row, and the iteration of its tree, None for the main one."""
    columns = tree.log.columns
    iterations = {root.row: root.iteration for root in tree.log.roots} | {tree.main_root: None}
    return [
        (int(columns["id"][row]), path, int(columns["level"][row]), iterations[tree.root_of(row)])
        for row, path in zip(rows, paths_to(tree, rows), strict=True)
    ]
