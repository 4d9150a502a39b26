"""The plies of a node as they lie on its board: where each ends, its score, its place among its siblings."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from plyscope.visualizer.analysis.nodes.best_children import best_children
from plyscope.visualizer.analysis.nodes.best_first import is_best_first, visited_json
from plyscope.visualizer.analysis.nodes.node_json import cut, number
from plyscope.visualizer.analysis.nodes.proof import proof_of
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MOST_PLIES: Final = 300
LIST_TEXT: Final = 300


def plies_on_board(tree: Tree, row: int, boards: Boards) -> list[dict[str, Any]]:
    """The plies searched at `row` that end on a cell, best first by what their scores guarantee.

    Each is `id`, `ply`, `to`, `from` where a piece moves, `score`, `bound` and `proof` where it has them, and
    `rank` among all plies with a score (0 the best); in a best-first tree `mean`, `visits` and `visited`. Of
    several visits of one ply the deepest stands for it, the last of equally deep ones. At most `MOST_PLIES`.
    """
    columns = tree.log.columns
    visits = _one_a_ply(tree, row)
    best = [child for child in best_children(tree, row, tree.n_children(row)).tolist() if child in visits]
    ranks = {child: rank for rank, child in enumerate(best)}
    shown = (best + sorted(visits - ranks.keys()))[:MOST_PLIES]
    steps = boards.steps(row, shown)
    found = []
    for child in shown:
        if child not in steps:
            continue
        ply: dict[str, Any] = {
            "id": int(columns["id"][child]),
            "ply": cut(tree.ply(child) or "", LIST_TEXT),
            **steps[child].as_json(),
        }
        if child in ranks:
            ply["rank"] = ranks[child]
            ply |= _visited(tree, child)
        if child in ranks and not np.isnan(columns["score"][child]):
            bound = words.BOUNDS[int(columns["bound"][child])]
            ply["score"] = number(float(columns["score"][child]))
            ply |= {"bound": bound} if bound else {}
            ply |= {} if (proof := proof_of(tree.log, child)) is None else {"proof": proof.as_json()}
        found.append(ply)
    return found


def _visited(tree: Tree, row: int) -> dict[str, Any]:
    """The mean and visits that stand for a score in a best-first tree, as a node has them; else nothing."""
    log = tree.log
    if not is_best_first(log):
        return {}
    mean, visits = log.column("mean"), log.column("visits")
    if mean is None or np.isnan(mean[row]):
        return {}
    n = {} if visits is None or not visits[row] >= 0 else {"visits": float(visits[row])}
    return {"mean": number(float(mean[row])), **n, "visited": visited_json(tree, row)}


def board_drawing(tree: Tree, row: int, boards: Boards) -> dict[str, Any]:
    """The `Drawing` of the position at `row`, with the plies searched there; or why there is none."""
    drawn = boards.drawing(row)
    plies = plies_on_board(tree, row, boards) if drawn.get("cells") else []
    return {**drawn, "plies": plies} if plies else drawn


def _one_a_ply(tree: Tree, row: int) -> set[int]:
    """The visits that count for their plies; null moves, probes and stubs are none."""
    children = tree.children(row)
    columns = tree.log.columns
    keep = ~tree.is_stub[children]
    purpose, depth = columns.get("purpose"), columns.get("depth")
    if purpose is not None:
        keep &= ~np.isin(purpose[children], (words.NULL, words.PROBE))
    chosen: dict[int, tuple[float, int]] = {}
    for child in children[keep & (columns["ply"][children] >= 0)].tolist():
        ply = int(columns["ply"][child])
        left = 0.0 if depth is None or np.isnan(depth[child]) else float(depth[child])
        chosen[ply] = max(chosen.get(ply, (left, child)), (left, child))
    return {child for _, child in chosen.values()}
