"""The knowledge of a search at an event: its open nodes, the best so far of each, and its live window."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from plyscope.visualizer.analysis.columns.row import estimate_of, narrowed_alpha, narrowed_beta, stand_pat_of
from plyscope.visualizer.analysis.columns.sight import glance_of
from plyscope.visualizer.analysis.replay.clock import Event, all_entered, all_left, event, refuse_replay
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Rows, Tree


@dataclass(frozen=True)
class Open:
    """A node that the search is in: `best` of what it has from its plies so far, and the window left to it.

    `best_row` is the visit that gave the best, None where standing pat or an estimate did, or nothing yet;
    `best` is NaN then, as it is in layers of no player. `alpha` and `beta` are NaN where the log states no
    window there, infinite where an edge is open.
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
    """An event and the open nodes after it, the root first; the one that is just left stands last."""

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
    """The best of what the parent took for its finished visits, and the first visit that gave it.

    Left out: null moves, probes, stubs, and a visit that is searched again at once, from the moment on at
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


def taken_scores(tree: Tree, rows: Rows) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the scores that parents took for `rows`: `counted_as` where it is stated, else `score`."""
    columns = tree.log.columns
    scores = np.asarray(columns["score"][rows], dtype=np.float64)
    if "counted_as" in columns:
        counted = columns["counted_as"][rows]
        scores = np.where(np.isnan(counted), scores, counted)
    return scores


def superseded(tree: Tree, rows: Rows) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Visits whose next sibling is another visit of the same ply: a scout before its re-search."""
    columns = tree.log.columns
    after = np.minimum(columns["end"][rows], tree.log.n_rows - 1)
    is_sibling = (columns["end"][rows] < tree.log.n_rows) & (
        columns["parent"][after] == columns["parent"][rows]
    )
    same = (columns["ply"][rows] >= 0) & (columns["ply"][after] == columns["ply"][rows])
    return np.asarray(is_sibling & same & is_visit(tree, after))


def is_visit(tree: Tree, rows: Rows) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """True for finished visits that may count in their parent: no stubs, null moves, probes, stopped ones."""
    columns = tree.log.columns
    outcome = columns["outcome"][rows]
    visit = (outcome < words.FIRST_STUB) & (outcome != words.STOPPED) & (outcome != words.OPEN)
    purpose = columns.get("purpose")
    if purpose is not None:
        visit &= (purpose[rows] != words.NULL) & (purpose[rows] != words.PROBE)
    return np.asarray(visit)


def unvisited(tree: Tree, rows: Rows, at: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return a mask of those of `rows` that are entered only after event `at`."""
    return np.asarray(all_entered(tree, rows) > at)
