"""Lines of plain fields, as most engines write them, read by one kernel in one pass.

A plain line is an object on one line whose values are numbers, texts and words: nothing nested, and no name
that the format does not know. Numbers become numbers at once; of other values each distinct one is read by a
JSON library. Some thousand lines of which one is not plain are left to the kernels of large logs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.field_buffers import FieldBuffers
from plyscope.visualizer.formats.large.json_places import (
    CLOSE_OBJECT,
    COLON,
    COMMA,
    NEWLINE,
    OPEN_LIST,
    OPEN_OBJECT,
    QUOTE,
    SMALL_N,
    after_space,
    after_text,
    after_value,
)
from plyscope.visualizer.formats.large.large_logs import NUMBER_FIELDS
from plyscope.visualizer.formats.large.slices import NULL, read_keys, read_number
from plyscope.visualizer.store.fields import OF_NODES

Array = npt.NDArray[Any]

ID, PARENT, KEY, NUMBER, OTHER = range(5)
"""How the value of a field is read."""
MOST_DISTINCT: Final = 2**12
"""Distinct values of all fields that are not numbers, among the lines that are read together."""

NAMES: Final = ("id", "parent", "key", *sorted(OF_NODES - {"id", "key"}))


class PlainLines:
    """Reads lines; the memory that it needs is kept for the next ones.

    >>> lines, line = PlainLines(), b'{"id": 4, "parent": 2, "score": 1.5}' + bytes([10])
    >>> buffers, ids, children, parents = lines.read(line, 1, lambda kernel: kernel)
    >>> ids.tolist(), children.tolist(), parents.tolist(), buffers.columns(1)["score"].tolist()
    ([4], [0], [2], [1.5])
    >>> lines.read(b'{"id": 4, "factors": [1, 2]}' + bytes([10]), 1, lambda kernel: kernel)
    """

    def __init__(self) -> None:
        n_names = len(NAMES)
        spelled = [name.encode() for name in NAMES]
        self._sizes = np.array([len(name) for name in spelled])
        self._names = np.zeros((n_names, int(self._sizes.max())), dtype=np.uint8)
        for number, name in enumerate(spelled):
            self._names[number, : len(name)] = np.frombuffer(name, dtype=np.uint8)
        kinds = [*range(NUMBER), *(NUMBER if name in NUMBER_FIELDS else OTHER for name in NAMES[NUMBER:])]
        self._kinds = np.array(kinds)
        self._following = np.zeros(n_names, dtype=np.int64)
        self._table = np.empty(4 * MOST_DISTINCT, dtype=np.int64)
        self._distinct = np.empty((4, MOST_DISTINCT), dtype=np.int64)
        self._make_room(0)

    def _make_room(self, n_lines: int) -> None:
        shape = len(NAMES), n_lines
        self._keys = np.empty((n_lines, 8), dtype=np.uint8)
        self._numbers, self._numbered = np.empty(shape), np.empty(shape, dtype=np.int32)
        self._codes, self._coded = np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)

    def read(
        self, data: bytes, n_lines: int, run: Callable[[Any], Any]
    ) -> tuple[FieldBuffers, Array, Array, Array] | None:
        """The fields of the lines, their ids, which of them name a parent, and the ids of these.

        None where a line is not plain. What is returned holds until lines are read again. Raises ValueError,
        and `Bad` for a value that its field does not take.
        """
        if n_lines > len(self._keys):
            self._make_room(n_lines + n_lines // 4)
        counts = np.zeros((3, len(NAMES)), dtype=np.int64)
        self._table.fill(-1)
        n_read = run(read_plain_lines)(
            np.frombuffer(data, dtype=np.uint8),
            self._names,
            self._sizes,
            self._kinds,
            self._following,
            np.full(len(NAMES), -1, dtype=np.int64),
            np.empty(2, dtype=np.int64),
            self._keys,
            self._numbers,
            self._numbered,
            self._codes,
            self._coded,
            self._table,
            self._distinct,
            counts,
        )
        if n_read != n_lines:
            return None
        n_numbers, n_others, n_distinct = counts.tolist()
        buffers = FieldBuffers()
        begins, sizes, of_names = self._distinct[:3, : sum(n_distinct)]
        for name, label in enumerate(NAMES):
            if self._kinds[name] in (ID, PARENT):
                continue
            if n := n_numbers[name]:
                nodes = self._numbered[name, :n]
                if self._kinds[name] == KEY:
                    buffers.put_hex_keys(self._keys[:n].view(">u8")[:, 0], nodes)
                else:
                    buffers.put_numbers(label, self._numbers[name, :n], nodes)
            if n := n_others[name]:
                mine = of_names == name
                values = _values(data, begins[mine].tolist(), sizes[mine].tolist())
                buffers.put_repeated(label, values, self._codes[name, :n], self._coded[name, :n])
        n_children = n_numbers[PARENT]
        ids, parents = self._numbers[ID, :n_lines], self._numbers[PARENT, :n_children]
        children = self._numbered[PARENT, :n_children]
        return buffers, ids.astype(np.int64), children.astype(np.int64), parents.astype(np.int64)


def _values(data: bytes, begins: list[int], sizes: list[int]) -> list[Any]:
    slices = [data[begin : begin + size] for begin, size in zip(begins, sizes, strict=True)]
    values: list[Any] = orjson.loads(b"[" + b",".join(slices) + b"]")
    return values


@kernel
def known_name(data: Array, begin: int, guess: int, names: Array, sizes: Array) -> int:
    """The number of the name that begins at `begin`, -1 where it is none of `names`.

    `guess` is the name that is looked at first.
    """
    n_names = len(sizes)
    for turn in range(n_names + 1):
        name = guess if turn == 0 else turn - 1
        size = sizes[name]
        if begin + size < len(data) and data[begin + size] == QUOTE:
            i = 0
            while i < size and data[begin + i] == names[name, i]:
                i += 1
            if i == size:
                return name
    return -1


@kernel
def read_plain_lines(
    data: Array,
    names: Array,
    sizes: Array,
    kinds: Array,
    following: Array,
    last_line: Array,
    spot: Array,
    keys: Array,
    numbers: Array,
    numbered: Array,
    codes: Array,
    coded: Array,
    table: Array,
    distinct: Array,
    counts: Array,
) -> int:
    """Read every line, of which each has its end; returns how many there are, -1 where one is not plain.

    names, sizes, kinds    the fields, and how each is read
    following    the name that came last after each
    last_line    the last line that stated each, -1 before
    spot         room for two numbers
    keys         the keys, 8 bytes each
    numbers, numbered    per name its numbers and the lines that state them; of keys only these
    codes, coded     per name its other values, by their number among the distinct ones, and their lines
    table        for hashing, all -1 before; its length is a power of 2
    distinct     begin, size, name, and number among those of the name, of each distinct value
    counts       per name: numbers, other values, distinct values; zero before
    """
    pos, line, last, n_all = 0, 0, 0, 0
    while pos < len(data):
        pos = after_space(data, pos, True)
        if pos >= len(data) or data[pos] != OPEN_OBJECT:
            return -1
        while True:
            pos = after_space(data, pos + 1, True)
            if pos >= len(data) or data[pos] != QUOTE:
                return -1
            name = known_name(data, pos + 1, following[last], names, sizes)
            if name < 0 or last_line[name] == line:
                return -1
            last_line[name] = line
            following[last] = name
            last = name
            pos = after_space(data, pos + 2 + sizes[name], True)
            if pos >= len(data) or data[pos] != COLON:
                return -1
            pos = after_space(data, pos + 1, True)
            if pos >= len(data) or data[pos] == OPEN_LIST or data[pos] == OPEN_OBJECT:
                return -1
            kind, begin = kinds[name], pos
            end = -1
            if kind == NUMBER:
                end = read_number(data, begin, len(data), numbers[name], counts[0, name])
                if end >= 0 and end < len(data) and (data[end] == COMMA or data[end] == CLOSE_OBJECT):
                    numbered[name, counts[0, name]] = line
                    counts[0, name] += 1
                else:
                    end = -1
            elif kind in (ID, PARENT):
                if kind == ID or data[begin] != SMALL_N:
                    at = counts[0, name]
                    end = read_number(data, begin, len(data), numbers[name], at)
                    if end < 0 or numbers[name, at] != np.floor(numbers[name, at]):
                        return -1
                    numbered[name, at] = line
                    counts[0, name] += 1
            elif kind == KEY:
                end = after_value(data, begin, True)
                spot[0], spot[1] = begin, end - begin
                at = counts[0, name]
                if end < 0 or not read_keys(data, spot[:1], spot[1:], keys[at : at + 1]):
                    return -1
                numbered[name, counts[0, name]] = line
                counts[0, name] += 1
            if end < 0:
                end = after_text(data, begin) if data[begin] == QUOTE else after_value(data, begin, True)
                if end < 0:
                    return -1
                size = end - begin
                if kind == PARENT:
                    for j in range(len(NULL)):
                        if size != len(NULL) or data[begin + j] != NULL[j]:
                            return -1
                else:
                    place = size + 31 * name
                    for j in range(size):
                        place = (place * 31 + data[begin + j]) & 0xFFFFFFFF
                    place = (place ^ (place >> 15)) & (len(table) - 1)
                    while True:
                        code = table[place]
                        if code < 0:
                            if n_all == distinct.shape[1]:
                                return -1
                            table[place] = n_all
                            distinct[0, n_all] = begin
                            distinct[1, n_all] = size
                            distinct[2, n_all] = name
                            distinct[3, n_all] = counts[2, name]
                            counts[2, name] += 1
                            code = n_all
                            n_all += 1
                            break
                        if distinct[1, code] == size and distinct[2, code] == name:
                            j, first = 0, distinct[0, code]
                            while j < size and data[first + j] == data[begin + j]:
                                j += 1
                            if j == size:
                                break
                        place = (place + 1) & (len(table) - 1)
                    codes[name, counts[1, name]] = distinct[3, code]
                    coded[name, counts[1, name]] = line
                    counts[1, name] += 1
            pos = after_space(data, end, True)
            if pos >= len(data):
                return -1
            if data[pos] == CLOSE_OBJECT:
                break
            if data[pos] != COMMA:
                return -1
        if last_line[ID] != line:
            return -1
        pos = after_space(data, pos + 1, True)
        if pos >= len(data) or data[pos] != NEWLINE:
            return -1
        pos += 1
        line += 1
    return line
