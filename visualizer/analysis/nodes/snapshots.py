"""The snapshots of a best-first tree: which ply led after how many play-outs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from plyscope.visualizer.analysis.json_answer import Id
from plyscope.visualizer.analysis.nodes.best_children import ranked_children
from plyscope.visualizer.analysis.nodes.best_first import estimate_of, is_by_visits
from plyscope.visualizer.analysis.nodes.node_json import cut
from plyscope.visualizer.store.tree import Tree

MOST_SNAPSHOTS: Final = 200
"""Snapshots that are looked at, the first ones."""
LONGEST_PLY: Final = 60


@dataclass(frozen=True)
class Snapshot:
    """The tree as it was after `playouts` visits of its root."""

    id: Id
    """Of its root."""
    iteration: int | None
    playouts: float
    leader: Id
    """The id of the ply that the search would have chosen then."""
    ply: str | None
    visits: float
    mean: float | None


def snapshots_of(tree: Tree) -> tuple[Snapshot, ...]:
    """Every tree of a best-first log that counts visits, by play-outs; empty for other logs.

    A tree whose root states no visits, or none of its plies any, is left out. The ply that led is the first
    by the figure by which the search chooses: visits, unless the log declares the mean.
    """
    log = tree.log
    if not is_by_visits(log):
        return ()
    ids, visits = log.columns["id"], log.columns["visits"]
    found = []
    for root in log.roots[:MOST_SNAPSHOTS]:
        children, n_ranked = ranked_children(tree, root.row)
        if not n_ranked or not visits[root.row] > 0 or not visits[children[0]] > 0:
            continue
        first = int(children[0])
        ply, mean = tree.ply(first), estimate_of(log, first).mean
        found.append(
            Snapshot(
                id=int(ids[root.row]),
                iteration=root.iteration,
                playouts=float(visits[root.row]),
                leader=int(ids[first]),
                ply=None if ply is None else cut(ply, LONGEST_PLY),
                visits=float(visits[first]),
                mean=None if mean != mean else mean,
            )
        )
    return tuple(sorted(found, key=lambda each: each.playouts))
