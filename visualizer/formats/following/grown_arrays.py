"""Arrays, matrices and lists with room for more nodes, in order of arrival."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.following.open_path import with_room
from plyscope.visualizer.formats.seal.ragged import Ragged

Array = npt.NDArray[Any]


class GrownArray:
    """An array that grows at its end; its first axis is nodes."""

    def __init__(self, absent: float, dtype: Any, width: int | None = None) -> None:
        self._absent = absent
        self._values = np.empty((0,) if width is None else (0, width), dtype=dtype)
        self._n_nodes = 0

    def __len__(self) -> int:
        """Nodes that it has values for."""
        return self._n_nodes

    @property
    def width(self) -> int:
        """Columns of a matrix."""
        return int(self._values.shape[1])

    def put(self, nodes: Array, values: Array) -> None:
        """Write the values of some nodes; of several of one node the last counts."""
        if not len(nodes):
            return
        self.make_room(int(nodes.max()) + 1)
        self._values[nodes] = values

    def mark(self, nodes: Array, bit: int) -> None:
        """Set a bit of the values of some nodes."""
        if len(nodes):
            self.make_room(int(nodes.max()) + 1)
            self._values[nodes] |= self._values.dtype.type(bit)

    def put_matrix(self, nodes: Array, values: Array) -> None:
        """Write rows of a matrix, which becomes as wide as the widest; what a row lacks is absent."""
        if values.shape[1] > self.width:
            wider = np.full((self._n_nodes, values.shape[1]), self._absent, self._values.dtype)
            wider[:, : self.width] = self._values[: self._n_nodes]
            self._values = wider
        self.make_room(int(nodes.max()) + 1)
        self._values[nodes] = self._absent
        self._values[nodes[:, None], np.arange(values.shape[1])] = values

    def make_room(self, n_nodes: int) -> None:
        """Have values for so many nodes: those that are new are absent."""
        if n_nodes > self._n_nodes:
            self._values = with_room(self._values, self._n_nodes, n_nodes)
            self._values[self._n_nodes : n_nodes] = self._absent
            self._n_nodes = n_nodes

    def first(self, n_nodes: int) -> Array:
        """The values of the first nodes, to be read at once: they may be written again."""
        self.make_room(n_nodes)
        return self._values[:n_nodes]


class GrownLists:
    """Lists of numbers on some nodes; the last list put on a node counts."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._begins = GrownArray(0, np.int64)
        self._lengths = GrownArray(-1, np.int64)
        self._flat = np.empty(0, dtype=dtype)
        self._n_items = 0

    def put(self, nodes: Array, lengths: Array, flat: Array) -> None:
        """Node `nodes[i]` has the next `lengths[i]` entries of `flat`."""
        n_items = self._n_items + len(flat)
        self._flat = with_room(self._flat, self._n_items, n_items)
        self._flat[self._n_items : n_items] = flat
        self._begins.put(nodes, self._n_items + np.cumsum(lengths) - lengths)
        self._lengths.put(nodes, lengths)
        self._n_items = n_items

    def has(self, nodes: Array) -> Array:
        """True for each node that has a list."""
        if not len(nodes):
            return np.zeros(0, dtype=np.bool_)
        return np.asarray(self._lengths.first(max(len(self._lengths), int(nodes.max()) + 1))[nodes] >= 0)

    def of_one(self, node: int) -> Array:
        """The list of a node that has one."""
        begin, length = int(self._begins.first(node + 1)[node]), int(self._lengths.first(node + 1)[node])
        return self._flat[begin : begin + length]

    def of(self, nodes: Array | slice, n_nodes: int) -> Ragged:
        """A copy of the lists of some of the first nodes, by their place in `nodes`."""
        lists = Ragged(self._flat.dtype.type)
        if self._n_items or len(self._lengths):
            lengths, begins = self._lengths.first(n_nodes)[nodes], self._begins.first(n_nodes)[nodes]
            targets = np.flatnonzero(lengths >= 0)
            lengths, begins = lengths[targets], begins[targets]
            places = np.cumsum(lengths) - lengths
            picks = np.arange(lengths.sum()) + np.repeat(begins - places, lengths)
            lists.put(targets, lengths, self._flat[picks])
        return lists
