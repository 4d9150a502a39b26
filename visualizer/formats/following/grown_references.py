"""References between nodes of a growing log, by arrival number: to parents, and to sources of table entries.

A node that has not come yet is looked for again by `waiting` and `settle`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.read.names import NOTHING
from plyscope.visualizer.formats.read.node_numbers import Id, NodeBatch, NodeNumbers
from plyscope.visualizer.formats.read.records import other_parent
from plyscope.visualizer.formats.seal.field_buffers import are_last
from plyscope.visualizer.formats.seal.grown import GrownArray

Array = npt.NDArray[Any]

UNSTATED: Final = -1
WAITING: Final = -2
"""Stands for a node that has not come; for a table entry: its source is not in the log."""


class GrownReferences:
    """By node, the node that it refers to; the last reference put counts."""

    def __init__(self, numbers: NodeNumbers, elsewhere: int = NOTHING) -> None:
        """`numbers` has the arrival number of each id; a batch's ids are put in before its references.

        `elsewhere` is an id that is not waited for.
        """
        self.ids = GrownArray(NOTHING, np.int64)
        """By node, the id that it refers to."""
        self._numbers, self._elsewhere = numbers, elsewhere
        self._nodes = GrownArray(UNSTATED, np.int64)
        self._waiting = np.zeros(0, dtype=np.int64)
        self._may_wait: list[Array] = []
        self._n_known = 0
        """Nodes that had come when it was looked last."""

    def first(self, n_nodes: int) -> Array:
        """The nodes that the first `n_nodes` refer to; a view, valid until more are put."""
        return self._nodes.first(n_nodes)

    def put(self, nodes: Array, ids: Array, named: Array) -> None:
        """Let `nodes` refer to `ids`, which are those of the nodes `named`, -1 where they have not come."""
        self.ids.put(nodes, ids)
        is_lost = named < 0
        if is_lost.any():
            named = np.where(is_lost, WAITING, named)
            self._may_wait.append(nodes[is_lost])
        self._nodes.put(nodes, named)

    def waiting(self) -> Array:
        """The nodes that refer to one that has not come, in the order of their last reference."""
        if self._may_wait:
            nodes = np.concatenate([self._waiting, *self._may_wait])
            self._waiting, self._may_wait = nodes[are_last(nodes)], []
        nodes, n_nodes = self._waiting, len(self._numbers)
        if not len(nodes):
            return nodes
        waits = self._nodes.first(n_nodes)[nodes] == WAITING
        waits &= self.ids.first(n_nodes)[nodes] != self._elsewhere
        if not waits.all():
            nodes = self._waiting = nodes[waits]
        return nodes

    def settle(self) -> Array:
        """Find the nodes that have come since the last call; returns the nodes that refer to them."""
        nodes = self.waiting()
        if not len(nodes) or self._n_known == len(self._numbers):
            return nodes[:0]
        self._n_known = len(self._numbers)
        named = self._numbers.of(self.ids.first(self._n_known)[nodes])
        is_there = named >= 0
        found = nodes[is_there]
        self._nodes.put(found, named[is_there])
        return found


class GrownParents:
    """The parent of each node, as its first line names it; later lines must name the same."""

    def __init__(self, numbers: NodeNumbers, no_parent: tuple[Id, ...]) -> None:
        """`no_parent` are names that mark a root; if there are any, the first node may also name itself."""
        self.are_stated = False
        """Whether some line named a parent."""
        self._came_late = False
        self._numbers = numbers
        self._no_parent = numbers.names.numbers_of(no_parent)
        self._named = GrownReferences(numbers)

    def first(self, n_nodes: int) -> Array:
        """The parents of the first `n_nodes`; a view, valid until more are taken."""
        return self._named.first(n_nodes)

    @property
    def came_late(self) -> bool:
        """Whether some node came before its parent."""
        self.orphans()
        return self._came_late

    def orphans(self) -> Array:
        """The nodes whose parent has not come."""
        self._came_late |= bool(len(self._named.settle()))
        return self._named.waiting()

    def names_of(self, orphans: Array) -> Array:
        """The ids of the parents of these nodes, which have not come."""
        names: Array = self._named.ids.first(len(self._numbers))[orphans]
        return names

    def take(self, batch: NodeBatch, numbers: Array, is_new: Array) -> None:
        """Take the parents of new nodes; `numbers` are the nodes of the batch's records."""
        if not len(batch.children):
            return
        self.are_stated = True
        nodes, above = numbers[batch.children], self._numbers.of(batch.parents)
        first = is_new[batch.children]
        if len(self._no_parent):
            if nodes.min() == 0:
                first &= (nodes > 0) | (above != nodes)
            if above.min() < 0:
                first &= (above >= 0) | ~np.isin(batch.parents, self._no_parent)
        self._came_late |= bool((above[first] > nodes[first]).any())
        if first.all():
            self._named.put(nodes, batch.parents, above)
        else:
            self._named.put(nodes[first], batch.parents[first], above[first])

    def check(self, batch: NodeBatch, numbers: Array, is_new: Array) -> None:
        """Raise LogError where a later line of a node changes its parent."""
        first = is_new[batch.children]
        if first.all():
            return
        known = self._named.ids.first(len(self._numbers))[numbers[batch.children]]
        for at in np.flatnonzero(~first & (batch.parents != known)).tolist():
            line = int(batch.places[batch.children[at]])
            self._check_one(int(numbers[batch.children[at]]), int(batch.parents[at]), int(known[at]), line)

    def _check_one(self, node: int, named: int, known: int, line: int) -> None:
        own = int(self._numbers.ids(node)[0])
        is_root_again = named in self._no_parent or (node == 0 and named == own)
        if known == NOTHING and len(self._no_parent) and is_root_again:
            return
        raise other_parent(self._numbers.names, np.array([own, named, known]), line)
