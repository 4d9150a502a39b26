"""Lists on a few nodes (plies of a stub, bytes of unknown fields), gathered in pieces, then sorted by row."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class ListsOfNodes(NamedTuple):
    """Node `nodes[i]` has `flat[begins[i]:begins[i] + lengths[i]]`."""

    nodes: Array
    lengths: Array
    flat: Array
    begins: Array


class Ragged:
    """Lists of numbers of one dtype, by arrival number of their node; the last list put on a node counts."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._dtype = dtype
        self.pieces: list[ListsOfNodes] = []

    def put(self, nodes: Array, lengths: Array, flat: Array) -> None:
        """Node `nodes[i]` has the next `lengths[i]` entries of `flat`."""
        lengths = lengths.astype(np.int64)
        self.pieces.append(ListsOfNodes(nodes, lengths, flat, np.cumsum(lengths) - lengths))

    def copied(self) -> Ragged:
        """The lists so far, to which later ones are not added; those that came in pieces become one."""
        if len(self.pieces) > 1:
            firsts = np.cumsum([0, *(len(piece.flat) for piece in self.pieces)]).tolist()
            begins = [piece.begins + first for piece, first in zip(self.pieces, firsts, strict=False)]
            nodes, lengths, flat = (np.concatenate([piece[at] for piece in self.pieces]) for at in range(3))
            self.pieces = [ListsOfNodes(nodes, lengths, flat, np.concatenate(begins))]
        copy = Ragged(self._dtype)
        copy.pieces += self.pieces
        return copy

    def sealed(self, row_of: Array) -> tuple[Array, Array, Array]:
        """The rows that have a list, in order, the offsets of the lists (n + 1), and their concatenation.

        >>> ragged = Ragged(np.int32)
        >>> ragged.put(np.array([2, 1]), np.array([2, 1]), np.array([7, 8, 9]))
        >>> [part.tolist() for part in ragged.sealed(row_of=np.array([0, 1, 2]))]
        [[1, 2], [0, 1, 3], [9, 7, 8]]
        """
        if not self.pieces:
            return np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros(0, self._dtype)
        nodes, lengths, flat, begins = self.copied().pieces[0]
        flat = flat.astype(self._dtype, copy=False)
        rows, last = np.unique(row_of[nodes][::-1], return_index=True)
        last = len(begins) - 1 - last
        lengths, begins = lengths[last], begins[last]
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=starts[1:])
        before = begins - starts[:-1]
        if len(rows) and (before == before[0]).all():  # they stand one behind the other, as mostly
            flat = flat[before[0] : before[0] + starts[-1]]
        else:
            flat = flat[np.arange(starts[-1]) + np.repeat(before, lengths)]
        return rows.astype(np.int32), starts, flat
