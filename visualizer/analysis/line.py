"""The line that decided a node's score: at each node the first child with that score, down to its leaf.

Only visits that count are followed: finished ones that are neither null moves nor probes, and of several
visits of one ply those of the greatest depth. A table hit continues in the node that stored the entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from visualizer.store import words
from visualizer.store.tree import Tree

How = Literal["leaf", "terminal", "stand_pat", "table", "bound", "end", "unlogged", "unknown"]


@dataclass(frozen=True)
class Line:
    """`rows` from the node's child down (a table hit's source follows the hit); the last one is `leaf`."""

    rows: tuple[int, ...]
    leaf: int
    how: How
    note: str = ""


def counted_visits(tree: Tree, row: int) -> list[int]:
    """The children of `row` whose claims count in it, in the order searched."""
    columns = tree.log.columns
    outcome, ply = columns["outcome"], columns["ply"]
    purpose, depth = columns.get("purpose"), columns.get("depth")
    finished = [
        child
        for child in tree.children(row).tolist()
        if outcome[child] < words.FIRST_STUB
        and outcome[child] not in (words.STOPPED, words.OPEN)
        and (purpose is None or purpose[child] not in (words.NULL, words.PROBE))
    ]
    if depth is None:
        return finished
    deepest: dict[int, float] = {}
    for child in finished:
        index = int(ply[child])
        deepest[index] = max(deepest.get(index, -np.inf), _known(float(depth[child])))
    return [
        child
        for child in finished
        if int(ply[child]) < 0 or _known(float(depth[child])) == deepest[int(ply[child])]
    ]


def _known(depth: float) -> float:
    return -np.inf if np.isnan(depth) else depth


def deciding_child(tree: Tree, row: int) -> int | None:
    """The first counted child that has the score of `row`; None where there is none."""
    score = tree.log.columns["score"]
    for child in counted_visits(tree, row):
        if score[child] == score[row]:
            return child
    return None


def deciding_line(tree: Tree, row: int) -> Line:
    """Follow the score of `row` to where it comes from."""
    rows: list[int] = []
    met = {row}
    at = row
    while True:
        child = deciding_child(tree, at)
        if child is None:
            source = _table_source(tree, at)
            if source is None or source in met:
                break
            child = source
        met.add(child)
        rows.append(child)
        at = child
    how, note = _ending(tree, at)
    return Line(tuple(rows), at, how, note)


def _table_source(tree: Tree, row: int) -> int | None:
    if tree.log.columns["outcome"][row] != words.TT:
        return None
    source = tree.log.column("tt_from")
    return int(source[row]) if source is not None and source[row] >= 0 else None


def _left_out(tree: Tree, row: int) -> bool:
    """Whether children of `row` were searched but not recorded, as its outcome or a stub says."""
    outcome = tree.log.columns["outcome"]
    if tree.n_children(row) == 0:
        return int(outcome[row]) in (words.SEARCHED, words.CUTOFF)
    return bool((outcome[tree.children(row)] == words.UNLOGGED).any())


def _ending(tree: Tree, row: int) -> tuple[How, str]:
    columns = tree.log.columns
    outcome = int(columns["outcome"][row])
    score = float(columns["score"][row])
    stand_pat, cut_by = tree.log.column("stand_pat"), tree.log.column("cut_by")
    by = words.CUT_BY[int(cut_by[row])] if cut_by is not None else ""
    if outcome == words.TERMINAL:
        return "terminal", ""
    if outcome == words.TT:
        return (
            "table",
            "The score comes from the transposition table; the node that stored it is not in this log.",
        )
    if by == "stand_pat" or (stand_pat is not None and stand_pat[row] == score):
        return "stand_pat", "Not moving was best here: the score is this position's own evaluation."
    if by in ("null", "estimate"):
        cutter = "a null move" if by == "null" else "an estimate"
        return "bound", f"The visit was cut by {cutter}: no leaf stands behind it."
    if np.isnan(score) and tree.n_children(row) == 0:
        return "unknown", "This node has no score."
    if outcome == words.LEAF:
        return "leaf", ""
    if _left_out(tree, row):
        return "unlogged", "The replies that decided this score are not in this log."
    if tree.n_children(row) == 0:
        return "end", ""
    if np.isnan(score):
        return "unknown", "This node has no score, so nothing says which child decided it."
    if columns["bound"][row] in (words.UPPER, words.LOWER):
        return "bound", "The score is the edge of the window: no leaf stands behind it."
    return "unknown", "No counted child of this node has its score."
