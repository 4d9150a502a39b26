"""Growing arrays by node, in order of arrival."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.tape.texts import with_room

Array = npt.NDArray[Any]


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
            self._values = with_room(self._values, nodes.stop, self._n_nodes)
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
            self._values = with_room(self._values, n_nodes, self._n_nodes)
            self._values[self._n_nodes : n_nodes] = self._absent
            self._n_nodes = n_nodes

    def reserve(self, n_nodes: int) -> None:
        """Allocate memory for `n_nodes` values, without touching it."""
        self._values = with_room(self._values, n_nodes, self._n_nodes)

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
