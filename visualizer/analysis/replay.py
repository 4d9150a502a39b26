"""The search as it ran: events in time, the knowledge of the search at each, and stops of a run through it.

A place in time is an event: each row is entered once and left once, in the order of a depth-first search.
Row `i` is entered at event `2i - level` and left at event `2 * end - level - 1`, whatever the tree: the rows
before it were all entered, and all but its ancestors were left. So no list of events is needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled, kernel
from plyscope.visualizer.analysis.columns.row import estimate_of, narrowed_alpha, narrowed_beta, stand_pat_of
from plyscope.visualizer.analysis.columns.sight import glance_of
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Rows, Tree

Mask = npt.NDArray[np.bool_]

STOPS: Final = ("cut", "best")
"""Where a run may stop, beside the nodes of an expression."""
FEW_ROWS: Final = 50_000
"""This many rows are swept in Python in the time in which a compiled pass is loaded."""


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


@dataclass(frozen=True)
class Open:
    """An open node: the best of its plies so far, and the window left to it.

    `best_row` is the visit that gave the best, None where standing pat or an estimate did, or nothing yet;
    `best` is NaN then, as in layers of no player. `alpha` and `beta` are NaN where the log states no window,
    infinite where an edge is open.
    """

    row: int
    best: float
    best_row: int | None
    alpha: float
    beta: float
    n_left: int
    """Children that were left so far, stubs among them."""


@dataclass(frozen=True)
class Moment:
    """An event and the open nodes after it, the root first; the node that is just left comes last."""

    event: Event
    stack: tuple[Open, ...]


def moment(tree: Tree, at: int) -> Moment:
    """The search at event `at`; raises ReplayError where there is none, or rows are not in order of time."""
    refuse_replay(tree.log)
    now = event(tree, at)
    path = tree.path(now.row)
    sight = glance_of(tree.log)
    after = path[1:]
    stack: list[Open] = []
    for row, below in zip(path, [*after, None], strict=True):
        layer = tree.log.columns["layer"][row]
        finished = _finished(tree, row, at)
        best, best_row = math.nan, None
        if layer in (words.MAX, words.MIN):
            best, best_row = _best(tree, row, finished, below)
            sign = 1.0 if layer == words.MAX else -1.0
            for number in (float(stand_pat_of(sight, row)), float(estimate_of(sight, row))):
                if number == number and not sign * best >= sign * number:
                    best, best_row = number, None
        alpha, beta = float(narrowed_alpha(sight, row)), float(narrowed_beta(sight, row))
        if best == best and layer == words.MAX:
            alpha = max(alpha, best)  # NaN first stays NaN: an unstated window is not known
        elif best == best:
            beta = min(beta, best)
        stack.append(Open(row, best, best_row, alpha, beta, len(finished)))
    return Moment(now, tuple(stack))


def _finished(tree: Tree, row: int, at: int) -> Rows:
    """The children of `row` that were left by event `at`, stubs among them."""
    children = tree.children(row)
    return children[: int(np.searchsorted(all_left(tree, children), at, side="right"))]


def _best(tree: Tree, row: int, finished: Rows, below: int | None) -> tuple[float, int | None]:
    """The best number that the parent took for its finished visits, and the first visit with it.

    Left out: null moves, probes, stubs, and a visit that is searched again at once, from the event on at
    which the log enters that re-search.
    """
    columns = tree.log.columns
    taken = taken_scores(tree, finished)
    again = superseded(tree, finished)
    if below is not None and len(finished) and again[-1]:
        again[-1] = int(columns["end"][finished[-1]]) == below
    elif len(finished) and again[-1]:
        again[-1] = False  # its re-search has not begun
    counts = ~again & is_visit(tree, finished) & ~np.isnan(taken)
    if not counts.any():
        return math.nan, None
    values = np.where(counts, taken if columns["layer"][row] == words.MAX else -taken, -np.inf)
    best = int(np.argmax(values))
    return float(taken[best]), int(finished[best])


def taken_scores(tree: Tree, rows: Rows) -> npt.NDArray[np.float64]:
    """Return the scores that parents took for `rows`: `counted_as` where it is stated, else `score`."""
    columns = tree.log.columns
    scores = np.asarray(columns["score"][rows], dtype=np.float64)
    if "counted_as" in columns:
        counted = columns["counted_as"][rows]
        scores = np.where(np.isnan(counted), scores, counted)
    return scores


def superseded(tree: Tree, rows: Rows) -> Mask:
    """Visits whose next sibling is another visit of the same ply: a scout before its re-search."""
    columns = tree.log.columns
    after = np.minimum(columns["end"][rows], tree.log.n_rows - 1)
    is_sibling = (columns["end"][rows] < tree.log.n_rows) & (
        columns["parent"][after] == columns["parent"][rows]
    )
    same = (columns["ply"][rows] >= 0) & (columns["ply"][after] == columns["ply"][rows])
    return np.asarray(is_sibling & same & is_visit(tree, after))


def is_visit(tree: Tree, rows: Rows) -> Mask:
    """True for finished visits that may count in their parent: no stubs, null moves, probes, stopped ones."""
    columns = tree.log.columns
    outcome = columns["outcome"][rows]
    visit = (outcome < words.FIRST_STUB) & (outcome != words.STOPPED) & (outcome != words.OPEN)
    purpose = columns.get("purpose")
    if purpose is not None:
        visit &= (purpose[rows] != words.NULL) & (purpose[rows] != words.PROBE)
    return np.asarray(visit)


def unvisited(tree: Tree, rows: Rows, at: int) -> Mask:
    """Return a mask of those of `rows` that are entered only after event `at`."""
    return np.asarray(all_entered(tree, rows) > at)


def stops_of(tree: Tree, stop: str) -> Rows:
    """The events at which a run stops, in order: `cut` at cutoffs, `best` where a parent's best improves.

    Anything else is an expression of queries: entering a node for which it is true. Raises QueryError where
    it is no expression, and ReplayError where a log cannot be replayed.
    """
    refuse_replay(tree.log)
    if stop == "cut":
        rows = np.flatnonzero(tree.log.columns["outcome"] == words.CUTOFF)
    elif stop == "best":
        rows = np.flatnonzero(raises_best(tree))
    else:
        from plyscope.visualizer.analysis.query.fields import fields_of
        from plyscope.visualizer.analysis.query.run import hits_of

        hits, _ = hits_of(fields_of(tree), stop)
        return np.sort(all_entered(tree, hits.astype(np.int64)))
    return np.sort(all_left(tree, rows))


def next_stop(stops: Rows, at: int, *, backwards: bool = False) -> int | None:
    """The first of `stops` after event `at`, or the last before it; None where there is none."""
    if backwards:
        place = int(np.searchsorted(stops, at, side="left")) - 1
        return int(stops[place]) if place >= 0 else None
    place = int(np.searchsorted(stops, at, side="right"))
    return int(stops[place]) if place < len(stops) else None


def raises_best(tree: Tree) -> Mask:
    """Return a mask of rows that are better for their parent's mover than all siblings counted before."""
    columns = tree.log.columns
    rows: Rows = np.arange(tree.log.n_rows, dtype=np.int64)
    parent = np.asarray(columns["parent"])
    layer = np.asarray(columns["layer"])[np.maximum(parent, 0)]
    taken = taken_scores(tree, rows)
    counts = is_visit(tree, rows) & ~superseded(tree, rows) & ~np.isnan(taken)
    counts &= (parent >= 0) & ((layer == words.MAX) | (layer == words.MIN))
    chosen = rows[counts]
    values = np.where(layer == words.MAX, taken, -taken)[counts]
    return _above_all_before(parent[counts], values, chosen, tree.log.n_rows)


def _above_all_before(
    parents: npt.NDArray[Any], values: npt.NDArray[np.float64], rows: Rows, n_rows: int
) -> Mask:
    """Return a mask of those of `rows` whose value is above all earlier ones of the same parent."""
    raised = np.zeros(n_rows, np.bool_)
    best = np.full(n_rows, -math.inf)
    sweep = compiled(_sweep) if len(rows) > FEW_ROWS else _sweep
    sweep(np.ascontiguousarray(parents, np.int64), values, rows, best, raised)
    return raised


@kernel
def _sweep(
    parents: npt.NDArray[np.int64],
    values: npt.NDArray[np.float64],
    rows: npt.NDArray[np.int64],
    best: npt.NDArray[np.float64],
    raised: Mask,
) -> None:
    for i in range(len(rows)):
        if values[i] > best[parents[i]]:
            best[parents[i]] = values[i]
            raised[rows[i]] = True


class Mark(NamedTuple):
    """A pixel with stops: its place, their number, and the event of the first of them."""

    x: int
    n_rows: int
    event: int


def rail_of_rows(tree: Tree, rows: npt.NDArray[np.integer[Any]], width: int) -> list[Mark]:
    """The marks of `rows` at the events at which they are entered, on a rail of `width` pixels."""
    return rail_of(np.sort(all_entered(tree, np.asarray(rows, np.int64))), n_events(tree), width)


def rail_of(events: Rows, n_all: int, width: int) -> list[Mark]:
    """The marks of `events`, in order, on a rail of `width` pixels that has room for `n_all` events.

    >>> rail_of(np.array([0, 4, 5, 99]), 100, 20)
    [Mark(x=0, n_rows=2, event=0), Mark(x=1, n_rows=1, event=5), Mark(x=19, n_rows=1, event=99)]
    """
    if not len(events):
        return []
    edges = -(-np.arange(width + 1, dtype=np.int64) * n_all // width)  # the first event of each pixel
    starts = np.searchsorted(events, edges)
    counts = np.diff(starts)
    return [Mark(x, int(counts[x]), int(events[starts[x]])) for x in np.flatnonzero(counts).tolist()]
