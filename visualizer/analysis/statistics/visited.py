"""Figures of a best-first tree: visits by level, branching where it went, its concentration, who led when."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from plyscope.visualizer.analysis.json_answer import LONG, Id, figure
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


@dataclass(frozen=True)
class VisitedLevel:
    """The visited nodes of the main tree at one distance from its root."""

    level: int
    nodes: int
    """Nodes with a row and at least one visit."""
    visits: float
    """Theirs together, with those that stubs at this level state."""
    expanded: int
    """Those of them with a visited child, which may stand in a stub."""
    children: int
    """Visited nodes one level below, without those in stubs."""

    @property
    @figure
    def branching(self) -> float | None:
        """Visited children a node that has any; those in stubs are not counted, so it is at least so much."""
        return self.children / self.expanded if self.expanded else None


@dataclass(frozen=True)
class Visited:
    """A best-first tree by its visits; the main tree alone, since the others are earlier snapshots of it."""

    playouts: float | None
    """Visits of the root; None where it states none."""
    nodes: int
    """Visited nodes that have a row."""
    deepest: int
    """The level of the deepest of them."""
    first_share: float | None
    """Of the visits of the root's plies, those of the most visited one; None where there are none."""
    effective_plies: float | None
    """Equally visited plies that would be as concentrated: 1 / the sum of squared shares (Simpson's)."""
    snapshots: tuple[Snapshot, ...]
    """Which ply led after how many play-outs, where the log has several trees."""
    levels: tuple[VisitedLevel, ...] = field(metadata=LONG)


def visited_of(tree: Tree) -> Visited | None:
    """The figures of a best-first log that counts visits; None of any other."""
    log = tree.log
    if not is_by_visits(log):
        return None
    root = tree.main_root
    part = slice(root, int(log.columns["end"][root]))
    visits = np.nan_to_num(log.columns["visits"][part], nan=0.0)
    is_stub = tree.is_stub[part]
    is_visited = (visits > 0) & ~is_stub
    levels = log.columns["level"][part].astype(np.int64) - int(log.columns["level"][root])
    parents = log.columns["parent"][part].astype(np.int64) - root
    has_visited = np.zeros(len(visits), np.bool_)
    has_visited[parents[1:][visits[1:] > 0]] = True
    n_levels = int(levels[visits > 0].max(initial=0)) + 1
    n_nodes = np.bincount(levels[is_visited], minlength=n_levels)
    n_visits = np.bincount(levels, weights=visits, minlength=n_levels)
    n_expanded = np.bincount(levels[is_visited & has_visited], minlength=n_levels)
    below = np.append(n_nodes[1:], 0)
    concentration = _concentration(tree, root)
    return Visited(
        playouts=float(visits[0]) if visits[0] > 0 else None,
        nodes=int(is_visited.sum()),
        deepest=int(levels[is_visited].max(initial=0)),
        levels=tuple(
            VisitedLevel(at, int(n_nodes[at]), float(n_visits[at]), int(n_expanded[at]), int(below[at]))
            for at in range(n_levels)
        ),
        first_share=None if concentration is None else concentration[0],
        effective_plies=None if concentration is None else concentration[1],
        snapshots=snapshots_of(tree) if len(log.roots) > 1 else (),
    )


def _concentration(tree: Tree, root: int) -> tuple[float, float] | None:
    """The share of the most visited ply of the root, and the plies that would be as concentrated if even.

    The plies of a stub count as equally visited. None where no ply was visited.
    """
    children = tree.children(root)
    visits = np.nan_to_num(tree.log.columns["visits"][children], nan=0.0)
    counts = np.ones(len(children))
    stated = tree.log.column("count")
    if stated is not None:
        is_many = tree.is_stub[children] & (stated[children] > 1)
        counts[is_many] = stated[children][is_many]
    total = float(visits.sum())
    if not total > 0:
        return None
    shares = visits / counts / total
    return float(shares.max()), float(1 / (counts * np.square(shares)).sum())
