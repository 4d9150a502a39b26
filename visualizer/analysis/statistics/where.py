"""Where the nodes and the time of a search went: below which ply of the main root, for which purpose."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyscope.visualizer.analysis.statistics.counting import QUIESCENCE, Tally
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
        root_plies=_root_plies(tree),
        purposes=tuple(purposes),
        quiescence=int(tally.by_level[:, QUIESCENCE].sum()),
        nodes=int(tally.before[-1]),
    )


def _root_plies(tree: Tree) -> tuple[RootPly, ...]:
    columns = tree.log.columns
    root = tree.main_root
    all_below = max(1, tree.n_nodes(root) - 1)
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
                seconds=_sum(columns.get("seconds"), visits),
                playouts=_sum(columns.get("visits"), visits),
            )
        )
    return tuple(sorted(found, key=lambda each: (-each.nodes, each.id)))


def _sum(column: Any, rows: list[int]) -> float | None:
    if column is None:
        return None
    numbers = np.asarray(column)[rows]
    total = float(np.nansum(numbers))
    return None if np.isnan(numbers).all() or math.isnan(total) else total
