"""A node's children as rules and their figures ask for them: rows of visits, stubs, intervals as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.row import is_aside, is_stub, reduction_of, taken_of
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.store import words

MOST_INVOLVED = 50
MOST_NAMED = 20


def children_of(sight: Sight, row: int) -> Iterator[int]:
    """The rows directly below `row`, in the order searched, stubs included."""
    child = row + 1
    while child < sight.end[row]:
        yield child
        child = int(sight.end[child])


@kernel
def stub_place(sight: Sight, stub: int) -> int:
    """Where a stub stands among those that name their plies, -1 where it names none."""
    low = 0
    high = len(sight.stub_rows)
    while low < high:
        middle = (low + high) // 2
        if sight.stub_rows[middle] < stub:
            low = middle + 1
        else:
            high = middle
    return low if low < len(sight.stub_rows) and sight.stub_rows[low] == stub else -1


@kernel
def shared_reduction(sight: Sight, row: int) -> float:
    """The plies by which all plies below `row` were reduced, infinite where none was visited.

    So much the node itself was reduced, and none of its plies more than the others: by internal iterative
    reduction, razoring or extended futility.
    """
    shared = math.inf
    child = row + 1
    while child < sight.end[row]:
        if not is_stub(sight, child) and not is_aside(sight, child):
            shared = min(shared, reduction_of(sight, child))
        child = int(sight.end[child])
    return shared


def visits_with(sight: Sight, row: int, score: float | None, mark: int) -> tuple[int, ...]:
    """The first of the children with this mark, taken for this score where one is asked for."""
    found = []
    for child in children_of(sight, row):
        if sight.marks[child] & mark and (score is None or taken_of(sight, child) == score):
            found.append(child)
            if len(found) == MOST_INVOLVED:
                break
    return tuple(found)


def stubs_of(sight: Sight, row: int, outcome: int) -> tuple[int, ...]:
    """The stubs of this outcome below `row`."""
    return tuple(child for child in children_of(sight, row) if sight.outcome[child] == outcome)


def visits_of(sight: Sight, row: int, ply: int) -> tuple[int, ...]:
    """The visits of a ply, an index into the log's texts, under `row`."""
    return tuple(child for child in children_of(sight, row) if sight.ply[child] == ply >= 0)


def visits_of_ply(sight: Sight, row: int) -> tuple[int, ...]:
    """The visits of the same ply under the same node, `row` itself left out."""
    parent = int(sight.parent[row])
    return tuple(
        child
        for child in children_of(sight, parent)
        if child != row and sight.ply[child] == sight.ply[row] and sight.outcome[child] < words.FIRST_STUB
    )


def some(names: Sequence[str]) -> str:
    """Names in a sentence, of very many the first.

    >>> some(["a", "b"]), some([str(i) for i in range(100)])[-20:]
    ('a, b', ', 18, 19 and 80 more')
    """
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")
