"""The nodes and the time of a search, by ply of the main root and by purpose."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.statistics.figures import Lack, Purpose, RootPly, Where, have
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
