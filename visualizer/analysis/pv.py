"""The principal variation as nodes of the log: the stated plies as far as they lead, or the deciding line."""

from __future__ import annotations

from visualizer.analysis.line import counted_visits, deciding_line
from visualizer.store import words
from visualizer.store.tree import Tree


def principal_variation(tree: Tree) -> list[int]:
    """Rows from the main root down, the root included.

    Where the result states a `pv`, its plies are followed as far as the log goes, each to the visit that has
    its parent's score, else to its last counted visit. Where it states only a `ply`, that ply and the line
    that decided it. Else the deciding line of the root.
    """
    root = tree.main_root
    result = tree.log.header.get("result")
    result = result if isinstance(result, dict) else {}
    stated = result.get("pv")
    if isinstance(stated, list) and stated:
        rows = _follow(tree, root, [str(ply) for ply in stated])
        if len(rows) > 1:
            return rows
    ply = result.get("ply")
    if isinstance(ply, str):
        rows = _follow(tree, root, [ply])
        if len(rows) > 1:
            return rows + _same_tree_line(tree, rows[-1])
    return [root, *_same_tree_line(tree, root)]


def _same_tree_line(tree: Tree, row: int) -> list[int]:
    """The deciding line of `row` as far as it goes from parent to child (a table hit leads elsewhere)."""
    parent = tree.log.columns["parent"]
    rows: list[int] = []
    for child in deciding_line(tree, row).rows:
        if parent[child] != (rows[-1] if rows else row):
            break
        rows.append(child)
    return rows


def _follow(tree: Tree, row: int, plies: list[str]) -> list[int]:
    score, ply_column = tree.log.columns["score"], tree.log.columns["ply"]
    outcome = tree.log.columns["outcome"]
    rows = [row]
    for ply in plies:
        visits = [c for c in counted_visits(tree, row) if tree.log.text(int(ply_column[c])) == ply]
        if not visits:
            break
        same_score = [child for child in visits if score[child] == score[row]]
        row = (same_score or visits)[-1]
        rows.append(row)
        if outcome[row] == words.TT:
            break
    return rows
