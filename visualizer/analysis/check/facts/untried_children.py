"""Children of a best-first tree that were never tried although a sibling came twice."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.store import words

FEWEST_NODES: Final = 20
"""So many nodes tell whether a search tries each child before it tries one twice."""


def judged_nodes(sight: Sight) -> npt.NDArray[np.int64]:
    """Return the nodes with a child that has two visits, in a search without priors."""
    if len(sight.visits) == 0 or len(sight.prior):
        return np.zeros(0, np.int64)
    is_twice = (sight.parent >= 0) & (sight.outcome < words.FIRST_STUB) & (sight.visits >= 2)
    parents = np.unique(sight.parent[is_twice]).astype(np.int64)
    return np.asarray(parents[sight.layer[parents] != words.CHANCE], np.int64)


def n_untried(sight: Sight) -> npt.NDArray[np.float64]:
    """Return how many children of each row have no visit, by rows, stubs and `moves`; 0 if unknown."""
    n_rows = sight.n_rows
    below = sight.parent >= 0
    is_node = below & (sight.outcome < words.FIRST_STUB)
    is_stub = below & (sight.outcome == words.UNLOGGED)
    count = sight.count.astype(np.float64) if len(sight.count) else np.full(n_rows, -1.0)
    in_stub = np.where(np.isnan(sight.visits), count, np.minimum(count, sight.visits))

    def sums(where: npt.NDArray[np.bool_], values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.bincount(sight.parent[where], values[where], n_rows).astype(np.float64)

    ones = np.ones(n_rows)
    n_tried = sums(is_node & (sight.visits > 0), ones) + sums(is_stub, in_stub)
    found = sums(is_node & (sight.visits == 0), ones) + sums(is_stub, count - in_stub)
    if len(sight.moves):
        found = np.where(sight.moves >= 0, np.maximum(sight.moves - n_tried, found), found)
    is_unclear = sums(is_stub & (count < 0), ones) + sums(is_node & np.isnan(sight.visits), ones)
    return np.where(is_unclear > 0, 0.0, found)


def untried(sight: Sight) -> npt.NDArray[np.int64]:
    """Return the nodes with such children, ascending, if the search nearly always tries all first."""
    nodes = judged_nodes(sight)
    if len(nodes) < FEWEST_NODES:
        return np.zeros(0, np.int64)
    found = nodes[n_untried(sight)[nodes] >= 1]
    return found if 20 * len(found) <= len(nodes) else np.zeros(0, np.int64)
