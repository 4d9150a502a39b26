"""The principal variation as nodes of the log: the stated plies as far as they lead, or the deciding line."""

from __future__ import annotations

from itertools import islice

import numpy as np

from plyscope.visualizer.analysis.nodes.deciding_line import known_lines, rows_of_line
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Lines
from plyscope.visualizer.store.tree import Tree


def principal_variation(tree: Tree, most: int | None = None) -> list[int]:
    """Rows from the main root down, the root included, and at most `most` below it, one or more.

    Where the result states a `pv`, its plies are followed as far as the log goes, each to the last visit that
    counts. Where it states only a `ply`, that ply and the line that decided it. Else the deciding line of the
    root.
    """
    known = known_lines(tree)
    if known is not None:
        kept: list[int] = known.variation[: None if most is None else most + 1].tolist()
        return kept
    root = tree.main_root
    result = tree.log.header.get("result")
    result = result if isinstance(result, dict) else {}
    stated = result.get("pv")
    if isinstance(stated, list) and stated:
        rows = _follow(tree, root, [str(ply) for ply in stated[:most]])
        if len(rows) > 1:
            return rows
    ply = result.get("ply")
    if isinstance(ply, str):
        rows = _follow(tree, root, [ply])
        if len(rows) > 1:
            return rows + line_within(tree, rows[-1], None if most is None else most - 1)
    return [root, *line_within(tree, root, most)]


def lines_of(tree: Tree) -> Lines:
    """Find the lines that are kept with a log, so that opening it does not walk them again."""
    variation = np.array(principal_variation(tree), np.int32)
    deciding = np.array([tree.main_root, *rows_of_line(tree, tree.main_root)], np.int32)
    return Lines(tree.log.columns, tree.log.header, variation, deciding)


def line_within(tree: Tree, row: int, most: int | None = None) -> list[int]:
    """The deciding line below `row` as far as it goes from parent to child (a table hit leads elsewhere).

    `most` rows of it at most.
    """
    parent = tree.log.columns["parent"]
    rows: list[int] = []
    for child in islice(rows_of_line(tree, row), most):
        if parent[child] != (rows[-1] if rows else row):
            break
        rows.append(child)
    return rows


def _follow(tree: Tree, row: int, plies: list[str]) -> list[int]:
    """The rows over these plies, each the last visit that counts, down to the first table hit."""
    deciding = Deciding(tree)
    outcome = tree.log.columns["outcome"]
    rows = [row]
    for ply in plies:
        visits = deciding.visits_of_ply(row, ply)
        if visits is None:
            break
        row = deciding.counted(visits)[-1]
        rows.append(row)
        if outcome[row] == words.TT:
            break
    return rows
