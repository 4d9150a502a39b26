"""The quality of move ordering: by which ply nodes were cut off, and where their best ply stood."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.statistics.count_pass import (
    ELSEWHERE,
    NO_BOUND,
    NOT_ASKED,
    UNKNOWN,
    Tally,
)
from plyscope.visualizer.analysis.statistics.figures import Lack, Order, have
from plyscope.visualizer.analysis.statistics.totals import n_nodes
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MOST_PLIES: Final = 32
"""Move numbers, and ranks, that are counted one by one; those beyond are counted together."""

MOST_NODES: Final = 20
"""Nodes that are listed one by one: of those that cost most, and of those cut at each move number."""


def order_of(tree: Tree, sight: Sight, tally: Tally) -> tuple[Order, list[Lack]]:
    """The figures of move ordering, and what could not be asked."""
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
