"""The line that decided a node's score, down to the leaf: the one function for all that follows a line.

And the principal variation as nodes of the log: the stated plies as far as they lead, or the deciding line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from plyscope.visualizer.analysis.nodes.best_first import is_by_visits, most_visited_line
from plyscope.visualizer.analysis.nodes.score_source import LOOP, NOTES, Deciding, Decision, How
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Lines
from plyscope.visualizer.store.tree import Tree

MOST_DECIDED: Final = 500_000
_decided: Final[WeakKeyDictionary[Tree, dict[int, Decision]]] = WeakKeyDictionary()
"""The cache of decisions by tree: a walk down a long line needs the same line at each step."""


@dataclass(frozen=True)
class Line:
    """`rows` from the node's child down (a table hit's source follows the hit); the last one is `leaf`."""

    rows: tuple[int, ...]
    leaf: int
    how: How
    note: str = ""


def deciding_line(tree: Tree, row: int) -> Line:
    """Follow the score of `row` to where it comes from (see `score_source`).

    No child decides a mean: in a best-first tree with visits it is the line that was visited most, down to
    where chance moves.
    """
    if is_by_visits(tree.log):
        visited = most_visited_line(tree, row)
        leaf = visited[-1] if visited else row
        if tree.log.columns["layer"][leaf] == words.CHANCE and tree.n_children(leaf):
            return Line(tuple(visited), leaf, "chance", NOTES["chance"])
        return Line(tuple(visited), leaf, "visits")
    rows: list[int] = []
    at = row
    for decision in _decisions(tree, row):
        if decision.row is None:
            return Line(tuple(rows), at, decision.how, decision.note)
        at = decision.row
        rows.append(at)
    raise AssertionError("a line ends")


def rows_of_line(tree: Tree, row: int) -> Iterator[int]:
    """The rows of that line, each found when it is asked for."""
    if is_by_visits(tree.log):
        yield from most_visited_line(tree, row)
        return
    for decision in _decisions(tree, row):
        if decision.row is not None:
            yield decision.row


def known_lines(tree: Tree) -> Lines | None:
    """The lines that were kept with a log, None where there are none, or they are of other columns."""
    lines = tree.log.lines
    is_own = lines is not None and lines.columns is tree.log.columns and lines.header is tree.log.header
    return lines if is_own else None


def _kept_decisions(tree: Tree) -> dict[int, Decision]:
    """The decisions along the deciding line that was kept with the log; none if no line was kept."""
    lines = known_lines(tree)
    rows = [] if lines is None else lines.deciding.tolist()
    return {row: Decision(following) for row, following in pairwise(rows)}


def _decisions(tree: Tree, row: int) -> Iterator[Decision]:
    """Yield the source of the score of `row`, the source of that score, and so on; the last names no row."""
    deciding = Deciding(tree)
    decided = _decided.get(tree)
    if decided is None:
        decided = _decided[tree] = _kept_decisions(tree)
    if len(decided) > MOST_DECIDED:
        decided.clear()
    met = {row}
    while True:
        decision = decided.get(row)
        if decision is None:
            decision = decided[row] = deciding.decide(row)
        if decision.row in met:
            decision = Decision(None, "table", LOOP)
        yield decision
        if decision.row is None:
            return
        row = decision.row
        met.add(row)


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
    result = tree.log.result
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
