"""All figures of a log: one pass that reads plies, one a smaller limit, and counts over its columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

import numpy as np

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.columns.kernel_call import Work, way_for
from plyscope.visualizer.analysis.columns.sight import Array, Sight, sight_of
from plyscope.visualizer.analysis.nodes.known_claims import known_claims
from plyscope.visualizer.analysis.statistics.branching_limits import smaller_limits
from plyscope.visualizer.analysis.statistics.count_pass import count_rows, tally_of
from plyscope.visualizer.analysis.statistics.effort import lacking_seconds, pairs_of, where_of
from plyscope.visualizer.analysis.statistics.figures import (
    Lack,
    Level,
    Limits,
    Quotient,
    Statistics,
    Table,
)
from plyscope.visualizer.analysis.statistics.iterations import iterations
from plyscope.visualizer.analysis.statistics.order import extremes_of, far_apart, order_of
from plyscope.visualizer.analysis.statistics.quotient import quotient_of
from plyscope.visualizer.analysis.statistics.totals import Totals, totals
from plyscope.visualizer.analysis.statistics.visited import visited_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.header_fields import said_over
from plyscope.visualizer.store.tree import Tree

_NO_PAIRS: Final = Lack("counters", "a best-first search has no scouts, reductions or windows")


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
    before compiling, which takes seconds, once on a machine.
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
    is_best_first = log.search.get("order") == "best_first"
    in_time = not is_best_first and not sight.is_threaded
    limits = smaller_limits(tree, sight, tally, work)
    extremes, lacking = extremes_of(tree, sight, tally if in_time else None, apart)
    levels, uncounted = _levels(sight, everything)
    order, unordered = order_of(tree, sight, tally) if in_time else (None, [_no_order(is_best_first)])
    pairs, unpaired = ((), [_NO_PAIRS]) if is_best_first else pairs_of(tree, sight, tally)
    quotient = quotient_of(tree)
    unlimited = [] if isinstance(limits, Limits) else [Lack("limits", limits)]
    protocol = said_over(log.header)
    alone = [Lack("tree", f"the log has what an engine said over {protocol}")] if protocol else []
    unranked = [Lack("quotient", quotient)] if isinstance(quotient, str) else []
    return Statistics(
        **{each.name: getattr(everything, each.name) for each in fields(everything) if each.name != "levels"},
        best_first=is_best_first,
        levels=levels,
        extremes=extremes,
        order=order,
        limits=limits if isinstance(limits, Limits) else None,
        counters=pairs,
        table=_table(sight),
        where=where_of(tree, sight),
        iterations=iterations(tree),
        quotient=quotient if isinstance(quotient, Quotient) else None,
        missing=(
            *alone,
            *unlimited,
            *unranked,
            *lacking,
            *uncounted,
            *unordered,
            *unpaired,
            *lacking_seconds(tree),
        ),
        visited=visited_of(tree),
        name=name,
    )


def _no_order(is_best_first: bool) -> Lack:
    if is_best_first:
        return Lack("order", "a best-first search has no windows, so nothing cuts")
    return Lack("order", "rows of several threads are not in the order of time")


def _levels(sight: Sight, everything: Totals) -> tuple[tuple[Level, ...], list[Lack]]:
    levels = list(everything.levels)
    stubs = np.flatnonzero(sight.outcome >= words.FIRST_STUB)
    count = sight.count[stubs] if len(sight.count) else np.full(len(stubs), -1)
    is_node = sight.outcome < words.FIRST_STUB
    is_quiescence = is_node & (sight.quiescence == 1) if len(sight.quiescence) else []
    is_expanded = is_node & (sight.end > np.arange(1, sight.n_rows + 1))

    def by_level(rows: Any, weights: Array | None = None) -> list[int]:
        """The rows of each level, or their weights together; and 0 below the last."""
        found = np.bincount(sight.level[rows], weights, len(levels) + 1).astype(np.int64)
        return list(found.tolist())

    nodes = [*(each.nodes for each in levels), 0]
    siblings, uncounted = by_level(stubs, np.maximum(count, 0)), by_level(stubs[count < 0])
    quiescence, expanded = by_level(np.flatnonzero(is_quiescence)), by_level(np.flatnonzero(is_expanded))
    visits = None
    if len(sight.visits) and not np.isnan(sight.visits).all():
        visits = np.bincount(sight.level, np.nan_to_num(sight.visits), len(levels)).tolist()
    found = tuple(
        Level(
            **vars(counts),
            quiescence=quiescence[level],
            expanded=expanded[level],
            children=nodes[level + 1],
            siblings=siblings[level + 1],
            uncounted_siblings=uncounted[level + 1],
            visits=None if visits is None else visits[level],
        )
        for level, counts in enumerate(levels)
    )
    if without := sum(uncounted):
        return found, [Lack("levels.siblings", f"{counted(without, 'stub')} without `count`")]
    return found, []


def _table(sight: Sight) -> Table | None:
    is_cut = sight.outcome == words.TT  # so an entry cut, where the row states no use
    counts = np.zeros(len(words.TT_USES), np.int64)
    if len(sight.tt_use):
        counts = np.bincount(sight.tt_use[sight.outcome < words.FIRST_STUB], minlength=len(counts))
        is_cut &= sight.tt_use == 0
    by = dict(zip(words.TT_USES, counts.tolist(), strict=True))
    cut = by["cut"] + int(np.count_nonzero(is_cut))
    found = cut + by["narrow"] + by["order"]
    return Table(found, cut, by["narrow"], by["order"]) if found or len(sight.tt_use) else None
