"""A node's children, for rules and their figures: rows of visits and stubs, and names for sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.row import is_aside, is_stub, taken_of
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store import words

MOST_WALKED = 500
"""Siblings that are read one by one; of a wide node the rest is compared all at once."""
MOST_INVOLVED = 50
MOST_NAMED = 20


def children_of(sight: Sight, row: int) -> Iterator[int]:
    """Return the rows directly below `row`, in the order searched, stubs included."""
    child = row + 1
    while child < sight.end[row]:
        yield child
        child = int(sight.end[child])


@kernel
def shared_by_plies(sight: Sight, values: Array, row: int) -> float:
    """Return the plies by which all children of `row` were reduced, or extended; infinite if there are none.

    `values` is the column `reduction` or `extension`. A common reduction is the node's own: internal
    iterative reduction, razoring or extended futility; or an extension in check that is made inside the node.
    """
    shared = math.inf
    child = row + 1
    while child < sight.end[row]:
        if not is_stub(sight, child) and not is_aside(sight, child):
            value = float(values[child]) if len(values) > 0 else 0.0
            shared = min(shared, value if value == value else 0.0)
        child = int(sight.end[child])
    return shared


def visits_with(sight: Sight, row: int, score: float | None, mark: int) -> tuple[int, ...]:
    """Return the first children with this mark, and with this score as the parent took it if one is given."""
    found = []
    for child in children_of(sight, row):
        if sight.marks[child] & mark and (score is None or taken_of(sight, child) == score):
            found.append(child)
            if len(found) == MOST_INVOLVED:
                break
    return tuple(found)


def children_where(sight: Sight, row: int, column: Array, value: int) -> list[int]:
    """Return the rows directly below `row` that have this value in a column, in the order searched."""
    found: list[int] = []
    child, end = row + 1, int(sight.end[row])
    for _ in range(MOST_WALKED):
        if child >= end:
            return found
        if column[child] == value:
            found.append(child)
        child = int(sight.end[child])
    rest = slice(child, end)
    found += (child + np.flatnonzero((column[rest] == value) & (sight.parent[rest] == row))).tolist()
    return found


def stubs_of(sight: Sight, row: int, outcome: int) -> tuple[int, ...]:
    """Return the stubs of this outcome below `row`."""
    return tuple(children_where(sight, row, sight.outcome, outcome))


def visits_of(sight: Sight, row: int, ply: int) -> tuple[int, ...]:
    """Return the visits under `row` of a ply, an index into the log's texts."""
    return tuple(children_where(sight, row, sight.ply, ply)) if ply >= 0 else ()


def visits_of_ply(sight: Sight, row: int) -> tuple[int, ...]:
    """Return the other visits of the ply of `row` under the same node."""
    parent = int(sight.parent[row])
    return tuple(
        child
        for child in children_where(sight, parent, sight.ply, int(sight.ply[row]))
        if child != row and sight.outcome[child] < words.FIRST_STUB
    )


def some(names: Sequence[str]) -> str:
    """Return names for a sentence; of very many only the first.

    >>> some(["a", "b"]), some([str(i) for i in range(100)])[-20:]
    ('a, b', ', 18, 19 and 80 more')
    """
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")


def text_of_key(sight: Sight, row: int) -> str:
    """Return the key of a row as the log writes it."""
    key = int(sight.key[row])
    if sight.log.key_form == "text":
        return sight.log.text(key) or ""
    return f"{key:016x}" if sight.log.key_form == "hex" else str(key)
