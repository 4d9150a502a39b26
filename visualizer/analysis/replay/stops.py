"""Events at which a replay may stop: cuts, changes of the best of a node, and nodes that match."""

from __future__ import annotations

import math
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled, kernel
from plyscope.visualizer.analysis.replay.clock import all_entered, all_left, refuse_replay
from plyscope.visualizer.analysis.replay.moment import is_visit, superseded, taken_scores
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Rows, Tree

Stop = Literal["cut", "best"]
STOPS: Final[tuple[Stop, ...]] = ("cut", "best")

FEW_ROWS: Final = 50_000
"""So many rows are swept before a compiled pass would be loaded."""


def stops_of(tree: Tree, stop: str) -> Rows:
    """The events at which a run stops, in order: `cut` where a node is cut, `best` where its parent gains.

    Anything else is an expression of queries: where a node is entered for which it is true. Raises
    QueryError for what is none, and ReplayError where a log cannot be replayed.
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


def raises_best(tree: Tree) -> npt.NDArray[np.bool_]:
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
) -> npt.NDArray[np.bool_]:
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
    raised: npt.NDArray[np.bool_],
) -> None:
    for i in range(len(rows)):
        if values[i] > best[parents[i]]:
            best[parents[i]] = values[i]
            raised[rows[i]] = True
