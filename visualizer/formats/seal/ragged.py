"""Lists on a few nodes (plies of a stub, bytes of unknown fields), gathered in pieces and sealed into one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Ragged:
    """Lists of numbers of one dtype, by arrival number of their node; the last list put on a node counts."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._dtype = dtype
        self._targets: list[Array] = []
        self._lengths: list[Array] = []
        self._flat: list[Array] = []

    def put(self, targets: Array, lengths: Array, flat: Array) -> None:
        """Node `targets[i]` has the next `lengths[i]` entries of `flat`."""
        self._targets.append(targets)
        self._lengths.append(lengths)
        self._flat.append(flat)

    @property
    def targets(self) -> list[Array]:
        """The nodes that lists were put on."""
        return self._targets

    def renumber(self, node_of: Callable[[Array], Array]) -> None:
        """Give nodes other numbers; -1 takes its lists away."""
        for at, targets in enumerate(self._targets):
            nodes, lengths = node_of(targets), self._lengths[at]
            kept = nodes >= 0
            if not kept.all():
                self._flat[at] = self._flat[at][np.repeat(kept, lengths)]
                nodes, self._lengths[at] = nodes[kept], lengths[kept]
            self._targets[at] = nodes

    def copy(self) -> Ragged:
        """A copy of what was put so far; the lists themselves are shared, since they do not change."""
        copy = Ragged(self._dtype)
        copy._targets, copy._lengths, copy._flat = self._targets[:], self._lengths[:], self._flat[:]
        return copy

    def sealed(self, row_of: Array) -> tuple[Array, Array, Array]:
        """Rows that have a list, in order, the start of each in the third, and all lists end to end.

        >>> ragged = Ragged(np.int32)
        >>> ragged.put(np.array([2, 1]), np.array([2, 1]), np.array([7, 8, 9]))
        >>> [part.tolist() for part in ragged.sealed(row_of=np.array([0, 1, 2]))]
        [[1, 2], [0, 1, 3], [9, 7, 8]]
        """
        if not self._targets:
            return np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros(0, self._dtype)
        rows = row_of[np.concatenate(self._targets)]
        lengths = np.concatenate(self._lengths).astype(np.int64)
        flat = np.concatenate(self._flat).astype(self._dtype)
        begins = np.cumsum(lengths) - lengths
        rows, last = np.unique(rows[::-1], return_index=True)
        last = len(begins) - 1 - last
        lengths, begins = lengths[last], begins[last]
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=starts[1:])
        picks = np.arange(starts[-1]) + np.repeat(begins - starts[:-1], lengths)
        return rows.astype(np.int32), starts, flat[picks]
