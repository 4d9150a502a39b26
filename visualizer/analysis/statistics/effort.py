"""The nodes and the time of a search, by ply of the main root and by purpose."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.statistics.count_pass import QUIESCENCE, Tally
from plyscope.visualizer.analysis.statistics.figures import Purpose, RootPly, Where
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree


def where_of(tree: Tree, tally: Tally) -> Where:
    """By root ply, the most nodes first; by purpose, those that occur."""
    purposes = []
    for code, purpose in enumerate(words.PURPOSES):
        visits, nodes = tally.purposes[code].tolist()
        if visits:
            seconds, stated = tally.seconds[code].tolist()
            purposes.append(Purpose(purpose, visits, nodes, seconds if stated else None))
    return Where(
        nodes=int(tally.before[-1]),
        quiescence=int(tally.by_level[:, QUIESCENCE].sum()),
        purposes=tuple(purposes),
        root_plies=_root_plies(tree),
    )


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
