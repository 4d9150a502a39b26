"""Scalars of nodes as columns, gathered piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.tape.texts import Texts

Array = npt.NDArray[Any]


class Scalars:
    """Scalars with their nodes: of each its kind, its number, and the code of its text in `texts`, or -1."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._pieces: list[tuple[Array, ...]] = []
        self.nodes: Array = np.zeros(0, np.int32)
        self.kinds: Array = np.zeros(0, np.uint8)
        self.numbers: Array = np.zeros(0)
        self.codes: Array = np.zeros(0, np.int32)

    def add(self, nodes: Array, kinds: Array, numbers: Array, codes: Array) -> None:
        """Take the scalars of some nodes."""
        self._pieces.append((nodes, *map(_slim, (kinds, numbers, codes))))

    def join(self) -> None:
        """Join what was added with what was there, in order of arrival."""
        if not self._pieces:
            return
        if len(self.nodes):
            self._pieces.insert(0, (self.nodes, self.kinds, self.numbers, self.codes))
        self.nodes, self.kinds, self.numbers, self.codes = map(_joined, zip(*self._pieces, strict=True))
        self._pieces.clear()

    def take(self, order: Array) -> None:
        """Leave the scalars at these indices, in this order."""
        self.nodes = self.nodes[order]
        self.kinds, self.numbers, self.codes = (
            np.broadcast_to(each[0], order.shape) if _is_slim(each) else each[order]
            for each in (self.kinds, self.numbers, self.codes)
        )


def _slim(values: Array) -> Array:
    """The values, in the memory of a single one where all have the same bits."""
    bits = values.view(f"u{values.itemsize}")  # -0 is not 0
    if len(values) and (bits == bits[0]).all():
        return np.broadcast_to(values[0].copy(), values.shape)
    return values


def _is_slim(values: Array) -> bool:
    return len(values) > 0 and values.strides == (0,)


def _joined(pieces: Sequence[Array]) -> Array:
    """The concatenation of arrays; slim where they are slim with the same value."""
    if all(map(_is_slim, pieces)) and len({piece[0].tobytes() for piece in pieces}) == 1:
        return np.broadcast_to(pieces[0][0].copy(), sum(map(len, pieces)))
    return np.concatenate(pieces)
