"""Ids of nodes, as slices of a large document, and the nodes that others name by them.

Programs mostly number nodes, with the same letters before (`n12`): then a table by number finds a node, else
one of hashes.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.large.json_places import BACKSLASH, QUOTE
from plyscope.visualizer.formats.large.scan import Bytes, IrregularError
from plyscope.visualizer.formats.large.slices import MINUS, NINE, ZERO
from plyscope.visualizer.formats.large.sorted_records import Values

Array = npt.NDArray[Any]

LONGEST_NUMBER: Final = 18
"""Bytes of a whole number that JSON readers give as it is written, whatever it is."""
UNKNOWN: Final = -2
MOST_PLACES: Final = 4
"""A table by number has at most so many places a node."""


@kernel
def without_quotes(data: Array, begins: Array, sizes: Array) -> bool:
    """Take the quotes off texts; False where a value is neither a plain text nor a whole number."""
    for i in range(len(begins)):
        first = data[begins[i]]
        if first == QUOTE:
            begins[i] += 1
            sizes[i] -= 2
            for j in range(sizes[i]):
                if data[begins[i] + j] == BACKSLASH:
                    return False
            continue
        for j in range(sizes[i]):
            byte = data[begins[i] + j]
            if not (ZERO <= byte <= NINE or (byte == MINUS and j == 0)):
                return False
        digits = begins[i] + (first == MINUS)
        if sizes[i] > LONGEST_NUMBER or (data[digits] == ZERO and sizes[i] > 1):
            return False
    return True


@kernel
def place_of(data: Array, begin: int, size: int, begins: Array, sizes: Array, table: Array) -> int:
    """The place in the table of hashes where a slice stands, or where it would."""
    place = size
    for j in range(size):
        place = (place * 31 + data[begin + j]) & 0xFFFFFFFF
    place = ((place ^ (place >> 15)) * 0x9E37 & 0xFFFFFFFF) % len(table)
    while table[place] >= 0:
        row = table[place]
        if sizes[row] == size:
            j = 0
            while j < size and data[begins[row] + j] == data[begin + j]:
                j += 1
            if j == size:
                return place
        place = (place + 1) % len(table)
    return place


@kernel
def put_ids(data: Array, begins: Array, sizes: Array, table: Array) -> bool:
    """Put the number of each slice into the table of hashes; False where two are equal."""
    for row in range(len(begins)):
        place = place_of(data, begins[row], sizes[row], begins, sizes, table)
        if table[place] >= 0:
            return False
        table[place] = row
    return True


@kernel
def find_ids(
    data: Array, wanted: Array, lengths: Array, begins: Array, sizes: Array, table: Array, rows: Array
) -> int:
    """Find the row whose id each wanted slice is, UNKNOWN where there is none; returns how many are known."""
    n_known = 0
    for i in range(len(wanted)):
        rows[i] = table[place_of(data, wanted[i], lengths[i], begins, sizes, table)]
        if rows[i] < 0:
            rows[i] = UNKNOWN
        else:
            n_known += 1
    return n_known


@kernel
def number_behind(data: Array, begin: int, size: int, prefix: int, prefix_size: int) -> int:
    """The number of a slice that is the prefix and digits, without zeros before them; -1 for another."""
    if size <= prefix_size or size - prefix_size > LONGEST_NUMBER:
        return -1
    for j in range(prefix_size):
        if data[begin + j] != data[prefix + j]:
            return -1
    number: Any = 0
    for j in range(prefix_size, size):
        byte = data[begin + j]
        if byte < ZERO or byte > NINE or (byte == ZERO and j == prefix_size and size > prefix_size + 1):
            return -1
        number = number * 10 + (np.int64(byte) - ZERO)
    return int(number)


@kernel
def read_numbers_behind(
    data: Array, begins: Array, sizes: Array, prefix: int, prefix_size: int, numbers: Array
) -> bool:
    """Read the number of each slice, as `number_behind` does; False where one has none."""
    for row in range(len(begins)):
        numbers[row] = number_behind(data, begins[row], sizes[row], prefix, prefix_size)
        if numbers[row] < 0:
            return False
    return True


@kernel
def put_numbers(numbers: Array, lowest: int, table: Array) -> bool:
    """Put each number's row into the table by number, all -1 before; False where two are equal."""
    for row in range(len(numbers)):
        place = numbers[row] - lowest
        if table[place] >= 0:
            return False
        table[place] = row
    return True


@kernel
def find_numbers(
    data: Array,
    wanted: Array,
    lengths: Array,
    prefix: int,
    prefix_size: int,
    lowest: int,
    table: Array,
    rows: Array,
) -> int:
    """Do what `find_ids` does, by the table by number."""
    n_known = 0
    for i in range(len(wanted)):
        place = number_behind(data, wanted[i], lengths[i], prefix, prefix_size) - lowest
        rows[i] = UNKNOWN
        if 0 <= place < len(table) and table[place] >= 0:
            rows[i] = table[place]
            n_known += 1
    return n_known


class IdTable:
    """The rows of a document by their ids, which are slices of it without quotes."""

    def __init__(self, data: Bytes, ids: Values) -> None:
        """Raise IrregularError where two ids are equal."""
        self._data = data
        self._begins, self._sizes = ids.begins, ids.sizes
        self._prefix, self._prefix_size = int(ids.begins[0]), self._size_of_prefix()
        numbers = np.empty(len(ids.begins), dtype=np.int64)
        self._lowest = -1
        if data.run(read_numbers_behind)(
            data.array, ids.begins, ids.sizes, self._prefix, self._prefix_size, numbers
        ):
            lowest, n_places = int(numbers.min()), int(numbers.max() - numbers.min()) + 1
            if n_places <= MOST_PLACES * len(numbers):
                self._lowest = lowest
                self._table = np.full(n_places, -1, dtype=np.int32)
                if not data.run(put_numbers)(numbers, lowest, self._table):
                    raise IrregularError
                return
        self._table = np.full(2 * len(numbers) + 1, -1, dtype=np.int64)
        if not data.run(put_ids)(data.array, ids.begins, ids.sizes, self._table):
            raise IrregularError

    def find(self, begins: Array, sizes: Array) -> Array:
        """The row whose id each of these slices is, UNKNOWN where there is none."""
        data, run = self._data.array, self._data.run
        rows = np.empty(len(begins), dtype=np.int64)
        if self._lowest >= 0:
            run(find_numbers)(
                data, begins, sizes, self._prefix, self._prefix_size, self._lowest, self._table, rows
            )
        else:
            run(find_ids)(data, begins, sizes, self._begins, self._sizes, self._table, rows)
        return rows

    def _size_of_prefix(self) -> int:
        """The bytes of the first id up to the last that is no digit."""
        begin, size = int(self._begins[0]), int(self._sizes[0])
        return len(self._data.array[begin : begin + size].tobytes().rstrip(b"0123456789"))
