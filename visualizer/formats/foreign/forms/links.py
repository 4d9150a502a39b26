"""The links between the nodes of a document, and the walk along them that makes a tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.tape.tape import Run

Array = npt.NDArray[Any]


@kernel
def sort_links(source: Array, target: Array, at_both: bool, starts: Array, links: Array) -> int:
    """Sort links by their source, in order; `at_both`: each at its target, too. Returns how many are put.

    starts  filled with 0, gets where the links at each node begin; one more than nodes
    """
    for link in range(len(source)):
        starts[source[link]] += 1
        if at_both and target[link] != source[link]:
            starts[target[link]] += 1
    end = 0
    for node in range(len(starts)):
        end += starts[node]
        starts[node] = end
    for link in range(len(source) - 1, -1, -1):
        starts[source[link]] -= 1
        links[starts[source[link]]] = link
        if at_both and target[link] != source[link]:
            starts[target[link]] -= 1
            links[starts[target[link]]] = link
    return end


@kernel
def walk_links(
    roots: Array, starts: Array, links: Array, source: Array, target: Array, came_by: Array, queue: Array
) -> int:
    """Walk from the roots along links, breadth first; returns the number of nodes reached.

    starts, links  the links at each node, in order, from `starts[node]` on
    came_by        by node, the link that led to it, -1 at roots, filled with -2; queue: the nodes as reached
    """
    n_reached = 0
    for i in range(len(roots)):
        came_by[roots[i]] = -1
        queue[n_reached] = roots[i]
        n_reached += 1
    at = 0
    while at < n_reached:
        node = queue[at]
        at += 1
        for i in range(starts[node], starts[node + 1]):
            link = links[i]
            other = target[link] if source[link] == node else source[link]
            if came_by[other] == -2:
                came_by[other] = link
                queue[n_reached] = other
                n_reached += 1
    return n_reached


class Links(NamedTuple):
    """The links by their numbers in the document, the nodes at their ends, and names that no node has."""

    numbers: Array
    source: Array
    target: Array
    nowhere: list[str]

    def once(self, n_nodes: int, *, is_directed: bool) -> Links:
        """The links without those that were there before, from one node to the same other."""
        numbers, source, target, nowhere = self
        first, second = source, target
        if not is_directed:
            first, second = np.minimum(source, target), np.maximum(source, target)
        some = np.flatnonzero(np.bincount(second)[second] > 1)
        if not len(some):
            return self
        _, distinct = np.unique(first[some].astype(np.int64) * n_nodes + second[some], return_index=True)
        is_kept = np.ones(len(numbers), np.bool_)
        is_kept[np.delete(some, distinct)] = False
        return Links(numbers[is_kept], source[is_kept], target[is_kept], nowhere)

    def walk(self, run: Run, n_nodes: int, *, is_directed: bool) -> tuple[Array, Array]:
        """Walk along links, breadth first, from the nodes that no link enters, or from the first.

        Returns by node the link by which it was reached, -1 at a root and -2 where none leads, and the nodes
        in the order in which they were reached.
        """
        _, source, target, _ = self
        roots = np.zeros(min(n_nodes, 1), np.int32)
        if is_directed:
            is_entered = np.zeros(n_nodes, np.bool_)
            is_entered[target] = True
            roots = np.flatnonzero(~is_entered).astype(np.int32)
        at_both = not is_directed
        starts, links = np.zeros(n_nodes + 1, np.int32), np.empty(len(source) * (1 + at_both), np.int32)
        run(sort_links)(source, target, at_both, starts, links)
        came_by, queue = np.full(n_nodes, -2, np.int32), np.empty(n_nodes, np.int32)
        n_reached = int(run(walk_links)(roots, starts, links, source, target, came_by, queue))
        return came_by, queue[:n_reached]

    def parents(self, came_by: Array, queue: Array) -> Array:
        """By place in the queue, the place of the node from which each was reached, -1 for a root."""
        place = np.full(len(came_by), -1, np.int32)
        place[queue] = np.arange(len(queue))
        by = came_by[queue]
        parents = np.full(len(queue), -1, np.int32)
        below = np.flatnonzero(by >= 0)
        at_source, at_target = self.source[by[below]], self.target[by[below]]
        parents[below] = place[np.where(at_target == queue[below], at_source, at_target)]
        return parents
