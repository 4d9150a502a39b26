"""The values of some part of a document by role, and the nodes that begin in it: the input of readers.

A batch has the same arrays for a piece of tape and for values that a library parsed (`walk`): nodes, kinds,
numbers, and the codes of texts. So a document is read alike whether it is small or large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.tape.kinds import (
    ESCAPED,
    FALSE,
    LIST,
    NULL,
    NUMBER,
    OBJECT,
    TEXT,
    TRUE,
    WHOLE,
    kind_of,
)
from plyscope.visualizer.formats.tape.tape import Piece, Tape
from plyscope.visualizer.formats.tape.texts import Texts

Array = npt.NDArray[Any]


class SlicedValues:
    """Values of one role in a piece of tape: the node and the kind of each."""

    def __init__(self, tape: Tape, piece: Piece, node: Array, rows: Array) -> None:
        self._tape, self._piece, self._node, self.rows = tape, piece, node, rows
        self.nodes, self.kinds = node[rows], piece.kind[rows]
        self._numbers: Array | None = None

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def numbers(self) -> Array:
        """The nearest float of each number, 0 of other values; copied when it is first asked for."""
        if self._numbers is None:
            self._numbers = self._piece.value[self.rows]
        return self._numbers

    def codes(self, texts: Texts) -> Array:
        """The number of each text in `texts`, -1 where a value is none."""
        is_text = self.kinds == TEXT
        if is_text.all():
            return texts.of_slices(*self.slices())
        codes = np.full(len(self), -1, np.int32)
        if is_text.any():
            codes[is_text] = self.where(is_text).codes(texts)
        escaped = np.flatnonzero(self.kinds == ESCAPED)
        if len(escaped):
            codes[escaped] = texts.of_values([self.at(index) for index in escaped.tolist()])
        return codes

    def at(self, index: int) -> Any:
        """The value as Python has it; of a list or an object an empty one."""
        kind, row = int(self.kinds[index]), int(self.rows[index])
        if kind in (TEXT, ESCAPED):
            return orjson.loads(b'"' + self._piece.bytes_of(row) + b'"')
        if kind == WHOLE:
            return self.whole(index)
        scalars: dict[int, Any] = {NULL: None, FALSE: False, TRUE: True, LIST: [], OBJECT: {}}
        return scalars[kind] if kind in scalars else float(self.numbers[index])

    def place(self, index: int) -> int:
        """The byte of the document at which the value begins."""
        return int(self._piece.begin[self.rows[index]])

    def slices(self) -> tuple[Array, Array, Array]:
        """Bytes, and where the values begin and end in them; texts without their quotes."""
        piece, rows = self._piece, self.rows
        return piece.text, piece.begin[rows], piece.end[rows]

    def where(self, chosen: Array) -> SlicedValues:
        """Those of the values at these indices, or where a mask is true."""
        return SlicedValues(self._tape, self._piece, self._node, self.rows[chosen])

    def whole(self, index: int) -> int:
        """The whole number at `index` to its last digit."""
        return int(self._piece.bytes_of(int(self.rows[index])))

    def keys(self) -> Array:
        """The number of the name of each value, -1 of an item."""
        return np.asarray(self._piece.key[self.rows])

    def are_empty(self) -> Array:
        """True where a value is a list or an object with nothing in it."""
        piece, behind = self._piece, self.rows + 1
        is_empty = (self.kinds >= LIST) & (piece.end[self.rows] > 0)
        above = np.append(piece.up, -1)[behind]
        return np.asarray(is_empty & (above != self.rows))


class PythonValues:
    """Values of one role that a library parsed: the node, the kind and the nearest float of each."""

    def __init__(
        self, nodes: Array, values: Sequence[Any], keys: Array, open_ids: frozenset[int] = frozenset()
    ) -> None:
        """`open_ids`: the identities of values that a cut left open."""
        self.nodes, self.values, self._keys, self._open_ids = nodes, values, keys, open_ids
        types = set(map(type, values))
        if types <= {float} or types <= {int}:
            self.kinds = np.full(len(values), NUMBER if types == {float} else WHOLE, np.uint8)
            self.numbers = _floats(values)
        else:
            self.kinds = np.array([kind_of(value) for value in values], np.uint8)
            self.numbers = np.zeros(len(values))
            is_number = (self.kinds == NUMBER) | (self.kinds == WHOLE)
            self.numbers[is_number] = _floats([values[index] for index in np.flatnonzero(is_number).tolist()])
        self.kinds[(self.kinds == WHOLE) & np.isinf(self.numbers)] = NUMBER

    def __len__(self) -> int:
        return len(self.nodes)

    def codes(self, texts: Texts) -> Array:
        """The number of each text in `texts`, -1 where a value is none."""
        is_text = self.kinds == TEXT
        if is_text.all():
            return texts.of_values(self.values)
        codes = np.full(len(self.values), -1, np.int32)
        codes[is_text] = texts.of_values([self.values[index] for index in np.flatnonzero(is_text).tolist()])
        return codes

    def at(self, index: int) -> Any:
        """The value as Python has it."""
        return self.values[index]

    def place(self, index: int) -> int:
        """Return -1: a library does not tell where a value stood."""
        return -1

    def where(self, chosen: Array) -> PythonValues:
        """Those of the values at these indices, or where a mask is true."""
        indices = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        values = [self.values[index] for index in indices.tolist()]
        return PythonValues(self.nodes[indices], values, self._keys[indices], self._open_ids)

    def whole(self, index: int) -> int:
        """The whole number at `index` to its last digit."""
        return int(self.values[index])

    def keys(self) -> Array:
        """The number of the name of each value, -1 of an item."""
        return self._keys

    def are_empty(self) -> Array:
        """True where a value is a list or an object with nothing in it."""
        is_empty = [value in ([], {}) for value in self.values]
        for index, value in enumerate(self.values if self._open_ids else ()):
            is_empty[index] &= id(value) not in self._open_ids
        return np.array(is_empty, np.bool_)


Values = SlicedValues | PythonValues


def _floats(values: Sequence[Any]) -> Array:
    try:
        return np.array(values, np.float64)
    except OverflowError:
        return np.array([_nearest(value) for value in values])


def _nearest(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


@dataclass
class Batch:
    """The nodes that begin in some part of a document, and the values of each role in it."""

    first: int
    """The number of the first node."""
    parents: Array
    """By node, the node that holds it, -1 where none does."""
    keys: Array
    """By node, the number of the name that leads to it, -1 where it is an item of a list."""
    roles: Array
    """By node, its role."""
    rows: Array
    """By node, its row of the tape; none where a library parsed the document."""
    values: dict[int, Any]
    """By role, for roles that have any."""
    role: Array
    node: Array
    piece: Piece | None
    """The rows of the tape, with the role and the node of each; None where a library parsed the document."""
    first_link: int
    """The number of the first link. Values in a link have its number in the place of a node's."""
    owners: Array
    """By link, the node that holds it, -1 where none does."""
