"""Rows along the time of a search, reduced to pixels: how many of them begin in each, and the first."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.replay.clock import all_entered, n_events
from plyscope.visualizer.store.tree import Rows, Tree


class Mark(NamedTuple):
    """A pixel in which something is: where, how many, and the event of the first of them."""

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
