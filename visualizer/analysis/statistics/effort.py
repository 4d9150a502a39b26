"""The nodes and the time of a search, by ply of the main root, by purpose and by technique.

For techniques also the tries and successes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.columns.declarations import range_of
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.statistics.count_pass import SCOUTED_AGAIN, VERIFIED, Tally
from plyscope.visualizer.analysis.statistics.figures import Lack, Pair, Purpose, RootPly, Where, have
from plyscope.visualizer.analysis.statistics.totals import n_nodes, outermost
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree


def where_of(tree: Tree, sight: Sight) -> Where:
    """By root ply, the most nodes first; by purpose, those that occur."""
    is_node = sight.outcome < words.FIRST_STUB
    is_quiescence = is_node & (sight.quiescence == 1) if len(sight.quiescence) else is_node[:0]
    return Where(
        nodes=tree.n_logged,
        quiescence=int(np.count_nonzero(is_quiescence)),
        purposes=tuple(_purposes(tree, sight, is_node)),
        root_plies=_root_plies(tree),
    )


def _purposes(tree: Tree, sight: Sight, is_node: npt.NDArray[np.bool_]) -> Iterator[Purpose]:
    seconds = tree.log.columns.get("seconds")
    for code, purpose in enumerate(words.PURPOSES):
        if len(sight.purpose):
            rows = np.flatnonzero(is_node & (sight.purpose == code))
        else:
            rows = np.flatnonzero(is_node) if code == 0 else np.zeros(0, np.int64)
        if not len(rows):
            continue
        total = None
        if seconds is not None:
            stated = seconds[rows[outermost(rows, sight.end)]]
            stated = stated[~np.isnan(stated)]
            total = float(np.cumsum(stated)[-1]) if len(stated) else None  # row by row, as `sum` does not
        yield Purpose(purpose, len(rows), n_nodes(tree, rows), total)


def lacking_seconds(tree: Tree) -> list[Lack]:
    """The lack of seconds of nodes; none where all of them state it."""
    seconds = tree.log.columns.get("seconds")
    if seconds is None:
        return [Lack("where.seconds", "needs `seconds` of nodes: the log has none")]
    without = int(np.count_nonzero(np.isnan(seconds) & ~tree.is_stub))
    if not without:
        return []
    nodes = counted(tree.n_logged, "node")
    return [Lack("where.seconds", f"{without:,} of {nodes} {have(without)} none")]


def _root_plies(tree: Tree) -> tuple[RootPly, ...]:
    columns = tree.log.columns
    root = tree.main_root
    all_below = max(1, tree.n_nodes(root) - 1)
    pruned = _pruned_before(tree, root)
    groups: dict[int, list[int]] = {}
    for child in tree.children(root).tolist():
        if not tree.is_stub[child]:
            ply = int(columns["ply"][child])
            groups.setdefault(ply if ply >= 0 else -1 - child, []).append(child)
    found = []
    for visits in groups.values():
        nodes = sum(tree.n_nodes(visit) for visit in visits)
        found.append(
            RootPly(
                ply=tree.ply(visits[0]),
                id=int(columns["id"][visits[-1]]),
                visits=len(visits),
                nodes=nodes,
                share=nodes / all_below,
                pruned=sum(int(pruned[columns["end"][at] - root] - pruned[at - root]) for at in visits),
                seconds=_sum(columns.get("seconds"), visits),
                playouts=_sum(columns.get("visits"), visits),
            )
        )
    return tuple(sorted(found, key=lambda each: (-each.nodes, each.id)))


def _pruned_before(tree: Tree, root: int) -> npt.NDArray[np.int64]:
    """The plies that were pruned in the rows of a tree before each, from its root on."""
    columns = tree.log.columns
    rows = slice(root, int(columns["end"][root]))
    before = np.zeros(rows.stop - root + 1, np.int64)
    if "count" in columns:
        is_pruned = columns["outcome"][rows] == words.PRUNED
        np.cumsum(np.where(is_pruned, np.maximum(columns["count"][rows], 0), 0), out=before[1:])
    return before


def _sum(column: Any, rows: list[int]) -> float | None:
    if column is None:
        return None
    numbers = np.asarray(column)[rows]
    total = float(np.nansum(numbers))
    return None if np.isnan(numbers).all() or math.isnan(total) else total


_BY_NULL: Final = words.CUT_BY.index("null")


def pairs_of(tree: Tree, sight: Sight, tally: Tally) -> tuple[tuple[Pair, ...], list[Lack]]:
    """The pairs of a log with windows, and the figures that could not be computed."""
    lacks = []
    if not len(sight.purpose):
        missing = "scouts, re-searches, null moves, probes need `purpose`: the log has none"
        lacks.append(Lack("counters", missing))
    if not len(sight.reduction) and not len(sight.purpose):
        lacks.append(Lack("counters", "reductions need `reduction`: the log has none"))
    outcome, none = sight.outcome, np.zeros(0, np.int64)
    is_node = outcome < words.FIRST_STUB
    finished = is_node & (outcome != words.STOPPED) & (outcome != words.OPEN)

    def of(purpose: int, among: Array) -> Array:
        return np.flatnonzero(among & (sight.purpose == purpose)) if len(sight.purpose) else none

    def pair(name: str, rows: Array, succeeded: int | None, tries: str, success: str) -> Pair:
        return Pair(name, len(rows), succeeded, n_nodes(tree, rows), tries, success)

    scouts, researches = of(words.SCOUT, finished), of(words.RESEARCH, finished)
    nulls, probes = of(words.NULL, is_node), of(words.PROBE, is_node)
    reductions = np.flatnonzero((sight.reduction > 0) & finished) if len(sight.reduction) else none
    if len(sight.purpose):
        reductions = reductions[~np.isin(sight.purpose[reductions], (words.NULL, words.PROBE))]
    null_parents = sight.parent[nulls[sight.parent[nulls] >= 0]] if len(sight.cut_by) else none
    found = (
        pair(
            "scouts",
            scouts,
            len(scouts) - int(tally.counts[SCOUTED_AGAIN]),
            "null-window visits that were finished",
            "were not searched again",
        ),
        pair(
            "re-searches",
            researches,
            _n_better(sight, researches),
            "visits again, after a scout or a reduction",
            "came back better for the mover than its edge of the window",
        ),
        pair(
            "reductions",
            reductions,
            len(reductions) - int(tally.counts[VERIFIED]),
            "visits of reduced depth that were finished",
            "were not verified by a visit with a smaller reduction",
        ),
        pair(
            "null moves",
            nulls,
            int(np.count_nonzero(sight.cut_by[null_parents] == _BY_NULL)) if len(null_parents) else 0,
            "null moves",
            "cut their node off",
        ),
        pair("probes", probes, None, "probing visits", "a log does not say it"),
        Pair(
            "aspiration windows",
            *_windows(tree),
            "trees begun with a window that leaves out possible scores, and finished",
            "came back inside the window",
        ),
    )
    return found, lacks


def _n_better(sight: Sight, rows: Array) -> int:
    """The visits of some rows whose score is better for the mover than its edge of their window."""
    rows = rows[sight.parent[rows] >= 0]
    layer, score = sight.layer[sight.parent[rows]], sight.score[rows]
    is_better = np.zeros(len(rows), np.bool_)
    if len(sight.alpha):
        is_better |= (layer == words.MAX) & (score > sight.alpha[rows])
    if len(sight.beta):
        is_better |= (layer == words.MIN) & (score < sight.beta[rows])
    return int(np.count_nonzero(is_better))


def _windows(tree: Tree) -> tuple[int, int, int]:
    """Trees with an aspiration window: their number, that of those with a score inside, and their nodes."""
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
