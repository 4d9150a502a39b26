"""The trees of a log one after another: what each iteration found and cost, and one node through them all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyscope.visualizer.analysis.json_answer import Id, Score
from plyscope.visualizer.analysis.nodes.deciding_line import deciding_line
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store import words
from plyscope.visualizer.store.header_fields import said_over
from plyscope.visualizer.store.tree import Tree

MOST_PV: Final = 64
"""Plies of a principal variation that are listed."""


@dataclass(frozen=True)
class Iteration:
    """One tree of the log: an iteration, or another window of the same."""

    id: Id
    """The id of its root."""
    iteration: int | None
    attempt: int
    """The place among the trees of its iteration, from 1."""
    depth: float | None
    nodes: int
    seconds: float | None
    score: Score | None
    mean: float | None
    """Of a best-first tree, whose nodes have means in place of scores."""
    bound: str
    """`exact`, `lower`, `upper`, or '' where unstated."""
    outcome: str
    ply: str | None
    """The first ply of `pv`."""
    pv: tuple[str | None, ...]
    pv_ids: tuple[Id, ...]
    """The nodes of `pv`."""
    growth: float | None
    """Nodes of this iteration, all attempts, a node of the one before; the effective branching factor."""
    uniform_branching: float | None
    """The b of a uniform tree as deep and as large: Σ b^i = N, over nodes that are not in quiescence."""


@dataclass(frozen=True)
class NodeIteration:
    """One node, found by its path of plies, in one tree of the log; `id` is None where the tree lacks it."""

    root: Id
    iteration: int | None
    attempt: int
    id: Id | None
    score: Score | None
    mean: float | None
    bound: str
    outcome: str
    depth: float | None
    nodes: int | None
    pv: tuple[str | None, ...]
    """The plies of the line that decided its score."""
    pv_ids: tuple[Id, ...]


def iterations(tree: Tree, most: int | None = None) -> tuple[Iteration, ...]:
    """Every tree of the log in order, or the first `most`."""
    columns = tree.log.columns
    said = columns.get("nodes") if said_over(tree.log.header) else None
    nodes = [
        tree.n_nodes(root.row) if said is None or said[root.row] < 0 else int(said[root.row])
        for root in tree.log.roots
    ]
    sums: dict[int, int] = {}
    for root, n_nodes in zip(tree.log.roots, nodes, strict=True):
        if root.iteration is not None:
            sums[root.iteration] = sums.get(root.iteration, 0) + n_nodes
    earlier = {
        later: first for first, later in zip(list(sums), list(sums)[1:], strict=False) if later == first + 1
    }
    found = []
    for root, n_nodes in list(zip(tree.log.roots, nodes, strict=True))[:most]:
        row = root.row
        line = _line(tree, row)
        pv = [tree.ply(each) for each in line]
        growth = None
        if root.iteration in earlier and sums[earlier[root.iteration]]:
            growth = sums[root.iteration] / sums[earlier[root.iteration]]
        found.append(
            Iteration(
                id=int(columns["id"][row]),
                iteration=root.iteration,
                attempt=tree.attempts.get(row, 1),
                depth=_number(columns.get("depth"), row),
                nodes=n_nodes,
                seconds=_number(columns.get("seconds"), row),
                score=_number(columns["score"], row),
                mean=_number(columns.get("mean"), row),
                bound=words.BOUNDS[int(columns["bound"][row])],
                outcome=words.OUTCOMES[int(columns["outcome"][row])],
                ply=pv[0] if pv else None,
                pv=tuple(pv),
                pv_ids=tuple(int(columns["id"][each]) for each in line),
                growth=growth,
                uniform_branching=None if said_over(tree.log.header) else _uniform(tree, row),
            )
        )
    return tuple(found)


def node_iterations(
    tree: Tree, row: int, first: int = 0, most: int | None = None
) -> tuple[NodeIteration, ...]:
    """The node of `row`, found by its path of plies, in the trees of the log: `most` from `first` on.

    Of several visits of a ply the last that counts is followed. A node that states no ply is in its own tree
    only.
    """
    columns = tree.log.columns
    own = tree.path(row)
    plies = [int(columns["ply"][each]) for each in own[1:]]
    deciding = Deciding(tree)
    found = []
    end = None if most is None else first + most
    for root in tree.log.roots[first:end]:
        there: int | None = root.row
        if root.row == own[0]:
            there = row
        else:
            for ply in plies:
                there = _below(tree, deciding, there, ply)
                if there is None:
                    break
        if there is not None and tree.is_stub[there]:
            there = None
        line = [] if there is None else _line(tree, there)
        found.append(
            NodeIteration(
                root=int(columns["id"][root.row]),
                iteration=root.iteration,
                attempt=tree.attempts.get(root.row, 1),
                id=None if there is None else int(columns["id"][there]),
                score=None if there is None else _number(columns["score"], there),
                mean=None if there is None else _number(columns.get("mean"), there),
                bound="" if there is None else words.BOUNDS[int(columns["bound"][there])],
                outcome="" if there is None else words.OUTCOMES[int(columns["outcome"][there])],
                depth=None if there is None else _number(columns.get("depth"), there),
                nodes=None if there is None else tree.n_nodes(there),
                pv=tuple(tree.ply(each) for each in line),
                pv_ids=tuple(int(columns["id"][each]) for each in line),
            )
        )
    return tuple(found)


def _below(tree: Tree, deciding: Deciding, row: int | None, ply: int) -> int | None:
    if row is None or ply < 0:
        return None
    visits = deciding.visits_of_ply(row, tree.log.text(ply) or "")
    return None if visits is None else deciding.counted(visits)[-1]


def _line(tree: Tree, start: int) -> list[int]:
    """The rows below `start` on its deciding line, as long as it goes from parent to child."""
    parent = tree.log.columns["parent"]
    above = start
    rows: list[int] = []
    for row in deciding_line(tree, start).rows:
        if parent[row] != above or len(rows) == MOST_PV:
            break
        rows.append(row)
        above = row
    return rows


def _uniform(tree: Tree, root: int) -> float | None:
    """The b of Σ b^i = N, i from 0 to the deepest level, over the nodes of one tree outside quiescence."""
    columns = tree.log.columns
    rows = slice(root, int(columns["end"][root]))
    is_node = columns["outcome"][rows] < words.FIRST_STUB
    if "quiescence" in columns:
        is_node = is_node & (columns["quiescence"][rows] != 1)
    n_nodes = int(np.count_nonzero(is_node))
    height = int(np.where(is_node, columns["level"][rows], 0).max(initial=0))
    return uniform_branching(n_nodes, height)


def uniform_branching(n_nodes: int, height: int) -> float | None:
    """The branching b of a uniform tree of so many nodes and so many levels below the root; None without.

    >>> uniform_branching(15, 3), uniform_branching(4, 3), uniform_branching(1, 0)
    (2.0, 1.0, None)
    """
    if height <= 0 or n_nodes <= height:
        return None

    def size(b: float) -> float:
        total = 1.0
        for _ in range(height):
            total = total * b + 1
            if total > n_nodes:
                return math.inf
        return total

    low, high = 1.0, float(n_nodes)
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if size(middle) > n_nodes:
            high = middle
        else:
            low = middle
    return round(low, 9)


def _number(column: Any, row: int) -> float | None:
    if column is None or math.isnan(column[row]):
        return None
    return float(column[row])
