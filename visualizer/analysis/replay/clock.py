"""Time of a search as events: each row is entered once and left once, in the order of a depth-first search.

Row `i` is entered at event `2i - level` and left at event `2 * end - level - 1`, whatever the tree: the rows
before it were all entered, and all but its ancestors were left. So a place in time needs no list of events.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Rows, Tree


class ReplayError(LogError):
    """A log that cannot be replayed, or a place in time that it does not have."""


class Event(NamedTuple):
    """A row that is entered, or left; `at` counts events from 0."""

    at: int
    row: int
    enters: bool


def refuse_replay(log: Log) -> None:
    """Raise ReplayError where rows are not in the order of time."""
    search = log.search
    if search.get("order") == "best_first":
        raise ReplayError(
            "a best-first log is the final tree, not a run through it: there is nothing to replay"
        )
    threads = search.get("threads")
    if isinstance(threads, int | float) and threads > 1:
        raise ReplayError("several threads searched: rows are not in the order of time")


def n_events(tree: Tree) -> int:
    """Events of the whole log: two a row."""
    return 2 * tree.log.n_rows


def entered(tree: Tree, row: int) -> int:
    """The event at which `row` is entered."""
    return 2 * row - int(tree.log.columns["level"][row])


def left(tree: Tree, row: int) -> int:
    """The event at which `row` is left."""
    columns = tree.log.columns
    return 2 * int(columns["end"][row]) - int(columns["level"][row]) - 1


def all_entered(tree: Tree, rows: Rows) -> Rows:
    """The events at which `rows` are entered."""
    return np.asarray(2 * rows.astype(np.int64) - tree.log.columns["level"][rows])


def all_left(tree: Tree, rows: Rows) -> Rows:
    """The events at which `rows` are left."""
    columns = tree.log.columns
    return np.asarray(2 * columns["end"][rows].astype(np.int64) - columns["level"][rows] - 1)


def event(tree: Tree, at: int) -> Event:
    """The event with the number `at`; raises ReplayError beyond the last."""
    if not 0 <= at < n_events(tree):
        raise ReplayError(f"event {at} is none of the {n_events(tree):,} of this log, which begin at 0")
    low, high = 0, tree.log.n_rows - 1  # the last row that was entered by then
    while low < high:
        middle = (low + high + 1) // 2
        if entered(tree, middle) <= at:
            low = middle
        else:
            high = middle - 1
    row, since = low, at - entered(tree, low)
    if since == 0:
        return Event(at, row, True)
    parent = tree.log.columns["parent"]
    for _ in range(since - 1):  # it was left first, then one ancestor an event
        row = int(parent[row])
    return Event(at, row, False)
