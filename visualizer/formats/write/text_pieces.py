"""Text put together from pieces: each row writes labels, the same on all rows, and slices of one source.

Values are formatted and escaped by whole columns; only the slices are placed row by row: here by numpy, in
`kernel_pieces.py` by machine code, with the same bytes as result.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.json_text import json_bytes

Array = npt.NDArray[Any]
Slices = tuple[Array, Array]
"""The begin of each row's value, and its size in bytes."""

Words = Callable[[], Sequence[bytes | None]]
"""Returns the texts of a piece, None for nothing; called where they are not known yet."""

COMPILED_ROWS: Final = 200_000
"""From this many rows on, machine code is worth the time to load numba."""

LOADED_ROWS: Final = 20_000
"""The same where numba is loaded already, as by a search."""

COMMA: Final = ord(",")
BRACE: Final = ord("{")
LARGEST_SHORT: Final = 1e15
"""Whole numbers below this are written without a point, if they are to be short."""


def numbers_bytes(numbers: Array) -> bytes:
    """A column as a list, a matrix as a list of lists; null where a number is not finite.

    >>> numbers_bytes(np.array([[1.0, np.nan], [0.1, -2.0]]))
    b'[[1.0,null],[0.1,-2.0]]'
    """
    return orjson.dumps(np.ascontiguousarray(numbers), option=orjson.OPT_SERIALIZE_NUMPY)


def items(blob: bytes) -> Slices:
    """The slices of the numbers in the list `blob`."""
    ends = np.flatnonzero(np.frombuffer(blob, dtype=np.uint8) == ord(","))
    return _between(np.append(ends, len(blob) - 1) if len(blob) > 2 else ends)


def lists(blob: bytes) -> Slices:
    """The slices of the lists in the list `blob`."""
    return _between(np.flatnonzero(np.frombuffer(blob, dtype=np.uint8) == ord("]"))[:-1] + 1)


def floats(column: Array, *, short: bool) -> tuple[bytes, Slices]:
    """A text with each float as JSON that reads back the same, and the slices; `short`: without `.0`."""
    blob = numbers_bytes(column)
    begins, sizes = items(blob)
    if short and len(column):
        text = np.frombuffer(blob, dtype=np.uint8)
        ends = begins + sizes
        sizes -= 2 * ((text[ends - 1] == ord("0")) & (text[ends - 2] == ord(".")))
        sizes[np.signbit(column) & (column == 0)] = len(b"-0.0")
    return blob, (begins, sizes)


def shortest(value: float | None) -> float | int | None:
    """The value as the number with the shorter JSON; a zero keeps its sign."""
    is_whole = value is not None and value.is_integer() and 0 < abs(value) < LARGEST_SHORT
    return int(value) if is_whole and value is not None else value or (0 if str(value) == "0.0" else value)


def _between(ends: Array) -> Slices:
    """The slices of a list's items, one byte apart, that end before `ends`."""
    begins = np.append(0, ends[:-1])[: len(ends)] + 1
    return begins, ends - begins


class Pieces:
    """The pieces of `n_rows` rows, in the order of writing.

    The comma at the begin of a label is left out after an opening brace, so that any field may come first.

    >>> pieces = Pieces(2)
    >>> pieces.put(b"{", pieces.nothing)
    >>> pieces.put_words("a", b',"a":', lambda: [None, b"12", b"x"], np.array([2, 0]))
    >>> pieces.put(b"}", pieces.nothing)
    >>> text, ends = pieces.joined()
    >>> bytes(text), ends.tolist()
    (b'{"a":x}{}', [7, 9])
    """

    def __init__(self, n_rows: int) -> None:
        self.n_rows = n_rows
        self.nothing: Slices = (np.zeros(n_rows, dtype=np.int64), np.zeros(n_rows, dtype=np.int64))
        self._source: list[bytes | memoryview] = []
        self._n_bytes = 0
        self._labels: list[tuple[int, int]] = []
        self._begins: list[Array] = []
        self._sizes: list[Array] = []
        self._opened: list[tuple[int, bytes]] = []

    def keep(self, text: bytes | memoryview) -> int:
        """Add `text` to the source; returns its begin there."""
        begin = self._n_bytes
        self._source.append(text)
        self._n_bytes += len(text)
        return begin

    def table(self, texts: Sequence[bytes]) -> Slices:
        """Add `texts` to the source; returns the slice of each."""
        sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        return self.keep(b"".join(texts)) + np.cumsum(sizes) - sizes, sizes

    def put(self, label: bytes, slices: Slices, stated: Array | None = None) -> None:
        """Add a piece: `label` and the slice of each row, or nothing on rows where `stated` is false."""
        self._put_at(len(self._labels), label, slices, stated)

    def put_words(self, name: str, label: bytes, words: Words, codes: Array) -> None:
        """Add a piece: `label` and the word of each row by its code, nothing where that is None.

        Pieces of one `name` have the same words and label in all pieces of a log.
        """
        texts = words()
        begins, sizes = self.table([text or b"" for text in texts])
        is_word = np.array([text is not None for text in texts])
        self.put(label, (begins[codes], sizes[codes]), is_word[codes])

    def put_integers(self, label: bytes, column: Array, stated: Array | None = None) -> None:
        """Add a piece: `label` and the whole number of each row that is stated."""
        blob = numbers_bytes(column)
        begins, sizes = items(blob)
        self.put(label, (self.keep(blob) + begins, sizes), stated)

    def put_floats(
        self,
        label: bytes,
        column: Array,
        stated: Array | None = None,
        *,
        short: bool = False,
        words: tuple[bytes, bytes, bytes] = (b'"nan"', b'"-inf"', b'"inf"'),
    ) -> None:
        """Add a piece: `label` and the float of each row that is stated; it reads back as the same float.

        `short` leaves out `.0`; `words` are for numbers that JSON lacks.
        """
        blob, (begins, sizes) = floats(column, short=short)
        begins += self.keep(blob)
        if not np.isfinite(column).all():
            for word, is_it in zip(
                words, (np.isnan(column), column == -np.inf, column == np.inf), strict=True
            ):
                begins[is_it], sizes[is_it] = self.keep(word), len(word)
        self.put(label, (begins, sizes), stated)

    def put_lists(self, label: bytes, matrix: Array, stated: Array, *, short: bool = False) -> None:
        """Add a piece: `label` and the list of each row that is stated, null where a number is NaN."""
        if short or np.isinf(matrix).any():
            rows = [[None if value != value else value for value in row] for row in matrix.tolist()]
            if short:
                rows = [[shortest(value) for value in row] for row in rows]
            slices = self.table([json_bytes(row) for row in rows])
        else:
            blob = numbers_bytes(matrix)
            begins, sizes = lists(blob)
            slices = self.keep(blob) + begins, sizes
        self.put(label, slices, stated)

    def open(self, label: bytes) -> None:
        """Begin an object, `label` and a brace; its fields follow. Rows without any have no object."""
        self._opened.append((len(self._labels), label + b"{"))

    def close(self) -> None:
        """End the object that was opened last."""
        first, label = self._opened.pop()
        stated = np.zeros(self.n_rows, dtype=np.bool_)
        for begins in self._begins[first:]:
            stated |= begins >= 0
        self._put_at(first, label, self.nothing, stated)
        self.put(b"}", self.nothing, stated)

    def joined(self) -> tuple[Array, Array]:
        """The text of all rows, and the end of each row in it."""
        if not self._labels or not self.n_rows:
            return np.zeros(0, dtype=np.uint8), np.zeros(self.n_rows, dtype=np.int64)
        source = np.frombuffer(b"".join(self._source), dtype=np.uint8)
        return _joined(source, np.array(self._labels), np.array(self._begins), np.array(self._sizes))

    def _put_at(self, at: int, label: bytes, slices: Slices, stated: Array | None) -> None:
        begins, sizes = slices
        if stated is not None:
            if not stated.any():
                return
            begins = np.where(stated, begins, -1)
        self._labels.insert(at, (self.keep(label), len(label)))
        self._begins.insert(at, begins)
        self._sizes.insert(at, sizes)


def is_worth_compiling(n_rows: int) -> bool:
    """Whether `n_rows` rows are better placed by machine code."""
    is_possible = sys.byteorder == "little"
    return is_possible and n_rows >= (LOADED_ROWS if "numba" in sys.modules else COMPILED_ROWS)


def _joined(source: Array, labels: Array, begins: Array, sizes: Array) -> tuple[Array, Array]:
    """Write label and slice of each piece, row by row, by gathering every byte by its index."""
    n_pieces, n_rows = begins.shape
    all_begins = np.empty((n_rows, n_pieces, 2), dtype=np.int64)
    all_sizes = np.zeros_like(all_begins)
    is_stated = (begins >= 0).T
    all_begins[:, :, 0] = labels[:, 0]
    all_begins[:, :, 1] = begins.T
    all_sizes[:, :, 0] = np.where(is_stated, labels[:, 1], 0)
    all_sizes[:, :, 1] = np.where(is_stated, sizes.T, 0)
    slots = np.flatnonzero(all_sizes)
    begin, size = all_begins.reshape(-1)[slots], all_sizes.reshape(-1)[slots]
    after_brace = np.append(False, source[(begin + size - 1)[:-1]] == BRACE)
    is_comma = (slots % 2 == 0) & (source[begin] == COMMA) & after_brace
    begin, size = begin + is_comma, size - is_comma
    stops = np.cumsum(size)
    text = source[np.arange(stops[-1] if len(stops) else 0) + np.repeat(begin - stops + size, size)]
    last_slot = np.searchsorted(slots, np.arange(1, n_rows + 1) * n_pieces * 2) - 1
    return text, np.append(stops, 0)[last_slot]
