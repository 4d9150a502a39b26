"""Growing arrays and lists by node, in order of arrival."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.seal.ragged import ListsOfNodes, Ragged

Array = npt.NDArray[Any]

LEAST_ROOM: Final = 4096
MANY: Final = 2**21
"""From this many entries on, arrays grow to the double size, before that to four times theirs."""


def with_room(array: Array, n_used: int, n_wanted: int) -> Array:
    """Return `array`, or a longer copy of its first `n_used` entries where `n_wanted` do not fit.

    The entries behind the used ones are not set: untouched memory costs nothing, copying does.
    """
    if n_wanted <= len(array):
        return array
    factor = 4 if len(array) < MANY else 2
    least = LEAST_ROOM if len(array) else 0
    grown = np.empty((max(least, factor * len(array), n_wanted), *array.shape[1:]), dtype=array.dtype)
    grown[:n_used] = array[:n_used]
    return grown


class GrownArray:
    """An array, or a matrix with a row a node, that grows at its end."""

    def __init__(self, absent: float, dtype: Any, width: int | None = None) -> None:
        self._absent = absent
        self._values = np.empty((0,) if width is None else (0, width), dtype=dtype)
        self._n_nodes = 0

    def __len__(self) -> int:
        """The number of nodes with values."""
        return self._n_nodes

    @property
    def width(self) -> int:
        """The number of columns of a matrix."""
        return int(self._values.shape[1])

    def put(self, nodes: Array | slice, values: Any) -> None:
        """Write the values of some nodes, the last of each counts; short rows of a matrix are filled up."""
        if isinstance(nodes, slice):
            self.make_room(nodes.start)
            self._values = with_room(self._values, self._n_nodes, nodes.stop)
            self._n_nodes = max(self._n_nodes, nodes.stop)
        elif len(nodes):
            self.make_room(int(nodes.max()) + 1)
        if self._values.ndim == 1:
            self._values[nodes] = values
        else:
            width = values.shape[1]
            self._values[nodes, :width] = values
            self._values[nodes, width:] = self._absent

    def append(self, values: Array) -> None:
        """Append values."""
        self.put(slice(self._n_nodes, self._n_nodes + len(values)), values)

    def mark(self, nodes: Array | slice, bit: int) -> None:
        """Set a bit of the values of some nodes."""
        self.make_room(nodes.stop if isinstance(nodes, slice) else int(nodes.max(initial=-1)) + 1)
        self._values[nodes] |= self._values.dtype.type(bit)

    def widen(self, width: int) -> None:
        """Widen the matrix to at least `width` columns; new cells are absent."""
        if width > self.width:
            wider = np.full((self._n_nodes, width), self._absent, self._values.dtype)
            wider[:, : self.width] = self._values[: self._n_nodes]
            self._values = wider

    def make_room(self, n_nodes: int) -> None:
        """Extend to `n_nodes` values; new ones are absent."""
        if n_nodes > self._n_nodes:
            self._values = with_room(self._values, self._n_nodes, n_nodes)
            self._values[self._n_nodes : n_nodes] = self._absent
            self._n_nodes = n_nodes

    def reserve(self, n_nodes: int) -> None:
        """Allocate memory for `n_nodes` values, without touching it."""
        self._values = with_room(self._values, self._n_nodes, n_nodes)

    def first(self, n_nodes: int) -> Array:
        """The values of the first nodes; a view, which later writes change."""
        self.make_room(n_nodes)
        return self._values[:n_nodes]

    def copied(self, n_nodes: int, n_more: int) -> GrownArray:
        """A copy of the values of the first nodes, followed by `n_more` absent ones."""
        values = self.first(n_nodes)
        copy = GrownArray(self._absent, values.dtype, values.shape[1] if values.ndim > 1 else None)
        copy.reserve(n_nodes + n_more)
        copy.append(values)
        copy.make_room(n_nodes + n_more)
        return copy


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
        n_nodes = max(len(self._lengths), int(nodes.max(initial=-1)) + 1)
        return np.asarray(self._lengths.first(n_nodes)[nodes] >= 0)

    def of_one(self, node: int) -> Array:
        """The list of a node that has one."""
        begin, length = int(self._begins.first(node + 1)[node]), int(self._lengths.first(node + 1)[node])
        return self._flat[begin : begin + length]

    def so_far(self) -> Ragged:
        """The lists of all nodes so far; later ones do not change it."""
        lists, n_nodes = Ragged(self._flat.dtype.type), len(self._lengths)
        nodes = np.flatnonzero(self._lengths.first(n_nodes) >= 0)
        if len(nodes):
            begins, lengths = self._begins.first(n_nodes)[nodes], self._lengths.first(n_nodes)[nodes]
            lists.pieces.append(ListsOfNodes(nodes, lengths, self._flat[: self._n_items], begins))
        return lists
