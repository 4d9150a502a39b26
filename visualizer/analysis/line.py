"""The line that decided a node's score, down to the leaf: the one function for all that follows a line."""

from __future__ import annotations

from dataclasses import dataclass

from plyscope.visualizer.analysis.deciding import LOOP, Deciding, How
from plyscope.visualizer.store.tree import Tree


@dataclass(frozen=True)
class Line:
    """`rows` from the node's child down (a table hit's source follows the hit); the last one is `leaf`."""

    rows: tuple[int, ...]
    leaf: int
    how: How
    note: str = ""


def deciding_line(tree: Tree, row: int) -> Line:
    """Follow the score of `row` to where it comes from (see `deciding`)."""
    deciding = Deciding(tree)
    rows: list[int] = []
    met = {row}
    at = row
    while True:
        decision = deciding.decide(at)
        if decision.row is None:
            return Line(tuple(rows), at, decision.how, decision.note)
        if decision.row in met:
            return Line(tuple(rows), at, "table", LOOP)
        at = decision.row
        met.add(at)
        rows.append(at)
