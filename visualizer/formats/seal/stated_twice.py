"""What tells a position, stated on entry and on leaving: the first counts, another is kept beside it.

A writer of two lines a node states such a field twice. Where the two differ, a ply below was not taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

LEFT: Final = {"key": "left_key", "position": "left_position"}
"""The fields that tell a position, and where the last that is stated is kept if it is another."""


def first_and_last(nodes: Array, values: Array) -> tuple[Array, Array, Array]:
    """Return the distinct nodes, what each states first, and what it states last.

    >>> first_and_last(np.array([4, 2, 4]), np.array([7, 8, 9]))
    (array([2, 4]), array([8, 7]), array([8, 9]))
    """
    distinct, first = np.unique(nodes, return_index=True)
    last = len(nodes) - 1 - np.unique(nodes[::-1], return_index=True)[1]
    return distinct, values[first], values[last]


def numbers_of(places: Array | slice) -> Array:
    """Return places as an array."""
    return np.arange(places.start, places.stop) if isinstance(places, slice) else places


def settle(pieces: Sequence[tuple[Array | slice, Array]], column: Array) -> tuple[Array, Array]:
    """Write into a column what each node states first; return nodes that state another last, and what.

    `column` holds what they state last.
    """
    nodes = np.concatenate([numbers_of(places) for places, _ in pieces])
    distinct, first, last = first_and_last(nodes, np.concatenate([values for _, values in pieces]))
    column[distinct] = first
    is_other = first != last
    return distinct[is_other], last[is_other]


def put_left(columns: dict[str, Array], name: str, nodes: Array, codes: Array) -> None:
    """Note the texts that nodes state last, as codes, in the column for them."""
    if len(nodes):
        left = columns.setdefault(LEFT[name], np.full(len(columns["given"]), -1, np.int32))
        left[nodes] = codes
