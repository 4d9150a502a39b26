"""All figures of a log: one pass that counts, one a smaller limit, and a few rows read beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.columns.declarations import range_of
from plyscope.visualizer.analysis.columns.kernel_call import Work, way_for
from plyscope.visualizer.analysis.columns.sight import Array, Sight, sight_of
from plyscope.visualizer.analysis.nodes.known_claims import known_claims
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.statistics import count_pass
from plyscope.visualizer.analysis.statistics.branching_limits import smaller_limits
from plyscope.visualizer.analysis.statistics.count_pass import MOST_PLIES, Tally, count_rows, tally_of
from plyscope.visualizer.analysis.statistics.effort import where_of
from plyscope.visualizer.analysis.statistics.extremes import extremes_of, far_apart
from plyscope.visualizer.analysis.statistics.figures import (
    Lack,
    Level,
    Limits,
    Order,
    Pair,
    Quotient,
    Statistics,
    Table,
)
from plyscope.visualizer.analysis.statistics.iterations import iterations
from plyscope.visualizer.analysis.statistics.quotient import quotient_of
from plyscope.visualizer.analysis.statistics.totals import Totals, totals
from plyscope.visualizer.analysis.statistics.visited import visited_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree


def counted_in(
    tree: Tree,
    counted: Totals | None = None,
    *,
    name: str = "",
    compiled: bool | None = None,
    on_compiling: Callable[[], None] | None = None,
) -> Statistics:
    """Every figure of a log; `counted`: its totals where they are known already.

    `name` is the log's. `compiled`: where it is None the number of rows decides. `on_compiling` is called
    before what takes seconds, once on a machine.
    """
    log = tree.log

    def say(part: float) -> None:
        if on_compiling is not None:
            on_compiling()

    work = Work(way_for(log.n_rows) if compiled is None else compiled, say)
    sight = sight_of(log)
    known = known_claims(log, 0, log.n_rows, compiled)
    apart = far_apart(tree, sight, known)
    tally = tally_of(sight, known.bounds(log.columns["score"]))
    del known  # two numbers a row
    work.run(count_rows)(sight, tally)
    everything = totals(tree) if counted is None else counted
    search: Any = log.header.get("search")
    is_best_first = isinstance(search, dict) and search.get("order") == "best_first"
    lacks: list[Lack] = []
    limits = smaller_limits(tree, sight, tally, work)
    if not isinstance(limits, Limits):
        lacks.append(Lack("limits", limits))
    quotient = quotient_of(tree)
    if isinstance(quotient, str):
        lacks.append(Lack("quotient", quotient))
    trees = iterations(tree)
    in_time = not is_best_first and not sight.is_threaded
    extremes, lacking = extremes_of(tree, sight, tally if in_time else None, apart)
    lacks += lacking
    return Statistics(
        **{each.name: getattr(everything, each.name) for each in fields(everything) if each.name != "levels"},
        best_first=is_best_first,
        levels=_levels(sight, tally, everything, lacks),
        extremes=extremes,
        order=_order(tree, sight, tally, is_best_first, lacks),
        limits=limits if isinstance(limits, Limits) else None,
        counters=_pairs(tree, sight, tally, is_best_first, lacks),
        table=_table(sight, tally),
        where=where_of(tree, tally),
        iterations=trees,
        quotient=quotient if isinstance(quotient, Quotient) else None,
        missing=tuple(lacks + _lacking_seconds(sight, tally)),
        visited=visited_of(tree),
        name=name,
    )


def _levels(sight: Sight, tally: Tally, everything: Totals, lacks: list[Lack]) -> tuple[Level, ...]:
    table = tally.by_level
    if uncounted := int(table[:, count_pass.UNCOUNTED].sum()):
        lacks.append(Lack("levels.siblings", f"{counted(uncounted, 'stub')} without `count`"))
    visits = None
    if len(sight.visits) and not np.isnan(sight.visits).all():
        visits = np.bincount(sight.level, weights=np.nan_to_num(sight.visits), minlength=len(table))
    last = np.zeros(table.shape[1], np.int64)
    found = []
    for number, counts in enumerate(everything.levels):
        own, below = table[number], table[number + 1] if number + 1 < len(table) else last
        found.append(
            Level(
                **vars(counts),
                quiescence=int(own[count_pass.QUIESCENCE]),
                expanded=int(own[count_pass.EXPANDED]),
                children=int(below[count_pass.NODES]),
                siblings=int(below[count_pass.SIBLINGS]),
                uncounted_siblings=int(below[count_pass.UNCOUNTED]),
                visits=None if visits is None else float(visits[number]),
            )
        )
    return tuple(found)


def _order(tree: Tree, sight: Sight, tally: Tally, is_best_first: bool, lacks: list[Lack]) -> Order | None:
    if is_best_first:
        lacks.append(Lack("order", "a best-first search has no windows, so nothing cuts"))
        return None
    if sight.is_threaded:
        lacks.append(Lack("order", "rows of several threads are not in the order of time"))
        return None
    if not sight.outcome.any():
        lacks.append(Lack("order.cuts", "needs `outcome`: the log has none"))
    asked = int(tally.order[count_pass.BEST_ASKED])
    if "pre_score" not in tree.log.columns:
        lacks.append(Lack("order.best", "needs `pre_score`: the log has none"))
    elif without := int(tally.order[count_pass.NO_PRE_SCORE]):
        lacks.append(
            Lack(
                "order.best",
                f"{without:,} of {counted(asked, 'node')} {_have(without)} a ply without `pre_score`",
            )
        )
    if not tree.log.columns["bound"].any() and "alpha" not in tree.log.columns:
        lacks.append(Lack("order.best", "needs `bound`, or `alpha` and `beta`: the log has none"))
    elif without := int(tally.order[count_pass.NO_BOUND]):
        lacks.append(Lack("order.best", f"{counted(without, 'node')} without `bound`"))
    if elsewhere := int(tally.order[count_pass.ELSEWHERE]):
        lacks.append(
            Lack(
                "order.best",
                f"{counted(elsewhere, 'exact score')} of standing pat, an estimate or no counted visit",
            )
        )
    cut_by = dict(zip(words.CUT_BY, tally.cut_by.tolist(), strict=True))
    return Order(
        cuts=int(tally.order[count_pass.CUTS]),
        by_child=cut_by["child"],
        by_stand_pat=cut_by["stand_pat"],
        by_null=cut_by["null"],
        by_estimate=cut_by["estimate"],
        by_unknown=int(tally.order[count_pass.BY_NOBODY]),
        at_ply=_cut_short(tally.at_ply[:MOST_PLIES].tolist()),
        at_later_ply=int(tally.at_ply[MOST_PLIES]),
        at_unknown_ply=int(tally.order[count_pass.AT_UNKNOWN_PLY]),
        cost=int(tally.order[count_pass.COST]),
        best_rank=_cut_short(tally.best_rank[:MOST_PLIES].tolist()),
        best_rank_later=int(tally.best_rank[MOST_PLIES]),
        best_asked=asked,
        at_ply_ids=_first_ids(tree, tally.first_cut, tally.at_ply),
        best_rank_ids=_first_ids(tree, tally.first_best, tally.best_rank),
    )


def _first_ids(tree: Tree, first: Array, counts: Array) -> tuple[tuple[int, ...], ...]:
    """The ids of the first nodes of each entry that is listed, and of the later ones together."""
    ids = tree.log.columns["id"]
    n_listed = len(_cut_short(counts[:MOST_PLIES].tolist()))
    return tuple(tuple(ids[rows[rows >= 0]].tolist()) for rows in (*first[:n_listed], first[MOST_PLIES]))


def _cut_short(counts: list[int]) -> tuple[int, ...]:
    """The counts up to the last that is not 0, at least one.

    >>> _cut_short([3, 0, 1, 0]), _cut_short([0, 0])
    ((3, 0, 1), (0,))
    """
    n = max((i + 1 for i, count in enumerate(counts) if count), default=1)
    return tuple(counts[:n])


def _pairs(
    tree: Tree, sight: Sight, tally: Tally, is_best_first: bool, lacks: list[Lack]
) -> tuple[Pair, ...]:
    if is_best_first:
        lacks.append(Lack("counters", "a best-first search has no scouts, reductions or windows"))
        return ()
    if not len(sight.purpose):
        lacks.append(
            Lack("counters", "scouts, re-searches, null moves, probes need `purpose`: the log has none")
        )
    if not len(sight.reduction) and not len(sight.purpose):
        lacks.append(Lack("counters", "reductions need `reduction`: the log has none"))
    pairs = tally.pairs
    tried = pairs[:, count_pass.TRIED].tolist()
    succeeded = pairs[:, count_pass.SUCCEEDED].tolist()
    spent = pairs[:, count_pass.SPENT].tolist()
    scouts, researches, reductions, nulls, probes = range(5)
    found = [
        Pair(
            "scouts",
            tried[scouts],
            tried[scouts] + succeeded[scouts],
            spent[scouts],
            "null-window visits that were finished",
            "were not searched again",
        ),
        Pair(
            "re-searches",
            tried[researches],
            succeeded[researches],
            spent[researches],
            "visits again, after a scout or a reduction",
            "came back better for the mover than its edge of the window",
        ),
        Pair(
            "reductions",
            tried[reductions],
            tried[reductions] - succeeded[reductions],
            spent[reductions],
            "visits of reduced depth that were finished",
            "were not verified by a visit with a smaller reduction",
        ),
        Pair("null moves", tried[nulls], succeeded[nulls], spent[nulls], "null moves", "cut their node off"),
        Pair("probes", tried[probes], None, spent[probes], "probing visits", "a log does not say it"),
    ]
    tries, inside, nodes = _windows(tree)
    found.append(
        Pair(
            "aspiration windows",
            tries,
            inside,
            nodes,
            "trees begun with a window that leaves out possible scores, and finished",
            "came back inside the window",
        )
    )
    return tuple(found)


def _windows(tree: Tree) -> tuple[int, int, int]:
    """Trees that began with a closed edge: how many, how many came back inside, their nodes."""
    columns = tree.log.columns
    if "alpha" not in columns or "beta" not in columns:
        return 0, 0, 0
    lowest, highest = _extremes(tree)
    tries = inside = nodes = 0
    for root in tree.log.roots:
        low, high = float(columns["alpha"][root.row]), float(columns["beta"][root.row])
        score = float(columns["score"][root.row])
        is_closed = low > lowest or high < highest
        if not is_closed or np.isnan(score) or columns["outcome"][root.row] == words.STOPPED:
            continue
        tries += 1
        inside += low < score < high
        nodes += tree.n_nodes(root.row)
    return tries, inside, nodes


def _extremes(tree: Tree) -> tuple[float, float]:
    """The worst and the best score that the log declares; a window with these edges is open."""
    low, high = range_of(tree.log)
    if low < high:
        return low, high
    mate = mate_of(tree.log)
    return (-np.inf, np.inf) if mate is None else (-mate.score, mate.score)


def _table(sight: Sight, tally: Tally) -> Table | None:
    uses = dict(zip(words.TT_USES, tally.uses.tolist(), strict=True))
    found = uses["cut"] + uses["narrow"] + uses["order"]
    if not found and not len(sight.tt_use):
        return None
    return Table(found, uses["cut"], uses["narrow"], uses["order"])


def _lacking_seconds(sight: Sight, tally: Tally) -> list[Lack]:
    if not len(tally.stated_seconds):
        return [Lack("where.seconds", "needs `seconds` of nodes: the log has none")]
    without = int(np.count_nonzero(np.isnan(tally.stated_seconds) & (sight.outcome < words.FIRST_STUB)))
    if not without:
        return []
    return [
        Lack(
            "where.seconds", f"{without:,} of {counted(int(tally.before[-1]), 'node')} {_have(without)} none"
        )
    ]


def _have(count: int) -> str:
    return "has" if count == 1 else "have"
