"""Text put together from pieces: each row writes labels, the same on all rows, and values.

Values are formatted and escaped by whole columns; only their bytes are placed row by row, by machine code or
by numpy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.write import text_kernel
from plyscope.visualizer.formats.write.text_kernel import (
    BRACE,
    COMMA,
    LIST_END,
    MINUS,
    POINT,
    ROOM,
    UNSTATED,
    ZERO,
    words_at_bytes,
)

Array = npt.NDArray[Any]
Slices = tuple[Array, Array]
"""The begin of each row's value, and its size in bytes."""

Words = Callable[[], Sequence[bytes | None]]
"""Returns the texts of a piece, None for nothing; called where they are not known yet."""

COMPILED_ROWS: Final = 200_000
"""From this many rows on, machine code is worth the time to load numba."""

LOADED_ROWS: Final = 20_000
"""The same where numba is loaded already, as by a search."""

LARGEST_SHORT: Final = 1e15
"""Whole numbers below this are written without a point, if they are to be short."""


def is_worth_compiling(n_rows: int) -> bool:
    """Whether `n_rows` rows are better placed by machine code."""
    is_possible = sys.byteorder == "little"
    return is_possible and n_rows >= (LOADED_ROWS if "numba" in sys.modules else COMPILED_ROWS)


class WordTable:
    """The texts that a log writes often, each once, with their labels."""

    def __init__(self) -> None:
        self._firsts: dict[str, int] = {"": 0}
        self._texts: list[bytes | None] = [None]
        self._n_joined = 0

    def first(self, name: str, label: bytes, words: Words) -> int:
        """The number here of the first of `words`, which is called once for each `name`."""
        known = self._firsts.get(name)
        if known is None:
            known = self._firsts[name] = len(self._texts)
            self._texts.extend(None if word is None else label + word for word in words())
        return known

    def join(self) -> None:
        """Make arrays of the texts so far."""
        if self._n_joined == len(self._texts):
            return
        self._n_joined = len(self._texts)
        self.sizes = np.array([len(text or b"") for text in self._texts])
        self.text = _with_room(text for text in self._texts if text)
        self.ends = np.cumsum(self.sizes)
        self.begins = self.ends - self.sizes
        self.ends[[text is None for text in self._texts]] = UNSTATED


class Pieces:
    """The pieces of `n_rows` rows, in the order of writing; those of one log share their `table`.

    The comma at the begin of a label is left out after an opening brace, so that any field may come first.

    >>> pieces = Pieces(2, WordTable(), compile_it=False)
    >>> pieces.put(b"{", pieces.nothing)
    >>> pieces.put_words("a", b',"a":', lambda: [None, b"12", b"x"], np.array([2, 0]))
    >>> pieces.put_floats(b',"b":', np.array([np.inf, 0.1]))
    >>> pieces.put(b"}", pieces.nothing)
    >>> text, ends = pieces.joined()
    >>> bytes(text), ends.tolist()
    (b'{"a":x,"b":"inf"}{"b":0.1}', [17, 26])
    """

    def __init__(self, n_rows: int, table: WordTable, *, compile_it: bool) -> None:
        self.n_rows = n_rows
        self.nothing: Slices = (np.zeros(n_rows, dtype=np.int64), np.zeros(n_rows, dtype=np.int64))
        self._table, self._compile_it = table, compile_it
        self._source: list[bytes | memoryview] = []
        self._n_bytes = 0
        self._pieces: list[tuple[int, int, int, int]] = []
        """As the kernel takes them: kind, begin and size of the label, begin of the first item."""
        self._values: list[Array | int] = []
        self._sizes: list[Array | int] = []
        self._most = 0
        """The most bytes of values beyond those of the source."""

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
        begins, sizes = slices
        if stated is not None:
            if not stated.any():
                return
            sizes = np.where(stated, sizes, UNSTATED)
        self._most += int(sizes.sum()) + self.n_rows
        self._put(text_kernel.SLICE, label, 0, begins, sizes)

    def put_words(self, name: str, label: bytes, words: Words, codes: Array) -> None:
        """Add a piece: `label` and the word of each row by its code, nothing where that is None.

        Pieces of one `name` have the same words and label in all pieces of a log.
        """
        first = self._table.first(name, label, words)
        self._put(text_kernel.WORD, b"", 0, first + codes.astype(np.int64), 0)

    def put_integers(self, label: bytes, column: Array, stated: Array | None = None) -> None:
        """Add a piece: `label` and the whole number of each row that is stated."""
        known = _stated_of(column, stated)
        if len(known):
            self._put_items(text_kernel.ITEM, label, known, stated, 0)

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
        known = _stated_of(column, stated)
        if not len(known):
            return
        coded: Array | int = 0
        if not np.isfinite(known).all():
            coded = np.zeros(len(known), dtype=np.int64)
            first = self._table.first(f"words {words!r}", b"", lambda: words)
            for code, is_it in enumerate((np.isnan(known), known == -np.inf, known == np.inf)):
                if words[code] != b"null":  # the library writes that
                    coded[is_it] = first + code
            self._most += self.n_rows * max(map(len, words))
        self._put_items(text_kernel.SHORT_ITEM if short else text_kernel.ITEM, label, known, stated, coded)

    def put_lists(self, label: bytes, matrix: Array, stated: Array, *, short: bool = False) -> None:
        """Add a piece: `label` and the list of each row that is stated, null where a number is NaN."""
        if short or np.isinf(matrix).any():
            rows = [[None if value != value else value for value in row] for row in matrix.tolist()]
            if short:
                rows = [[shortest(value) for value in row] for row in rows]
            self.put(label, self.table([json_bytes(row) for row in rows]), stated)
            return
        known = _stated_of(matrix, stated)
        if len(known):
            self._put_items(text_kernel.LIST, label, known, stated, 0)

    def open(self, label: bytes) -> None:
        """Begin an object, `label` and a brace; its fields follow. Rows without any have no object."""
        self._put(text_kernel.OPEN, label + b"{", 0, 0, 0)

    def close(self) -> None:
        """End the object opened last; objects are not nested."""
        self._put(text_kernel.CLOSE, b"}", 0, 0, 0)

    def _put_items(
        self, kind: int, label: bytes, known: Array, stated: Array | None, coded: Array | int
    ) -> None:
        """Add a piece of the numbers of stated rows, with words in the place of some."""
        sizes = coded
        if stated is not None and len(known) < self.n_rows:
            sizes = np.full(self.n_rows, UNSTATED)
            sizes[stated] = coded
        blob = orjson.dumps(np.ascontiguousarray(known), option=orjson.OPT_SERIALIZE_NUMPY)
        begin = self.keep(memoryview(blob)[:-1]) + 1
        self.keep(b",")  # after the last item, too
        self._put(kind, label, begin, 0, sizes)

    def _put(self, kind: int, label: bytes, begin: int, values: Array | int, sizes: Array | int) -> None:
        self._pieces.append((kind, self.keep(label), len(label), begin))
        self._values.append(values)
        self._sizes.append(sizes)

    def joined(self) -> tuple[Array, Array]:
        """The text of all rows, and the end of each row in it."""
        if not self._pieces or not self.n_rows:
            return np.zeros(0, dtype=np.uint8), np.zeros(self.n_rows, dtype=np.int64)
        self._table.join()
        pieces = np.array(self._pieces, dtype=np.int64)
        shape = (len(pieces), self.n_rows)
        dtype = np.int32 if max(self._n_bytes, len(self._table.text)) < 2**31 else np.int64
        values, sizes = np.empty(shape, dtype=dtype), np.empty(shape, dtype=dtype)
        for place, (value, size) in enumerate(zip(self._values, self._sizes, strict=True)):
            values[place], sizes[place] = value, size
        join = self._joined_by_kernel if self._compile_it else self._joined_by_numpy
        return join(_with_room(self._source), pieces, values, sizes)

    def _joined_by_kernel(
        self, source: Array, pieces: Array, values: Array, sizes: Array
    ) -> tuple[Array, Array]:
        table, most = self._table, self._most + self._n_bytes + self.n_rows * int(pieces[:, 2].sum())
        for place in np.flatnonzero(pieces[:, 0] == text_kernel.WORD).tolist():
            most += int(table.sizes[values[place]].sum())
        text, ends = np.empty(most + ROOM, dtype=np.uint8), np.empty(self.n_rows, dtype=np.int64)
        n_bytes = compiled(text_kernel.join)(
            source,
            words_at_bytes(source),
            table.text,
            words_at_bytes(table.text),
            table.begins,
            table.ends,
            pieces,
            values,
            sizes,
            words_at_bytes(text),
            ends,
        )
        return text[:n_bytes], ends

    def _joined_by_numpy(
        self, source: Array, pieces: Array, values: Array, sizes: Array
    ) -> tuple[Array, Array]:
        """Gather every byte of the labels and values, row by row, by its index."""
        table, n_source = self._table, len(source)
        text = np.concatenate([source, table.text])
        begins, lengths = np.zeros((2, self.n_rows, len(pieces), 2), dtype=np.int64)
        begins[:, :, 0] = pieces[:, 1]
        lengths[:, :, 0] = np.where(sizes >= 0, pieces[:, 2:3], 0).T
        opened = 0
        for at, (kind, label, _, first) in enumerate(pieces.tolist()):
            value, size, begin, length = values[at], sizes[at], begins[:, at, 1], lengths[:, at, 1]
            if kind == text_kernel.OPEN:
                opened = at
            elif kind == text_kernel.CLOSE:
                is_empty = ~lengths[:, opened + 1 : at].any(axis=(1, 2))
                lengths[is_empty, opened] = lengths[is_empty, at] = 0
            elif kind == text_kernel.WORD:
                begin[:], length[:] = n_source + table.begins[value], table.sizes[value]
            elif kind == text_kernel.SLICE:
                begin[:], length[:] = value, np.maximum(size, 0)
            else:
                n_more, stop = (1, LIST_END) if kind == text_kernel.LIST else (0, COMMA)
                stops = (
                    first + n_more + np.flatnonzero(source[first:label] == stop)
                )  # the label is behind them
                starts = np.append(first, stops[:-1] + 1)
                n_bytes = stops - starts
                if kind == text_kernel.SHORT_ITEM:
                    is_zero = (n_bytes == 4) & (source[starts] == MINUS) & (source[starts + 1] == ZERO)
                    is_whole = (source[stops - 1] == ZERO) & (source[stops - 2] == POINT)
                    n_bytes -= 2 * (is_whole & ~is_zero)
                begin[size >= 0], length[size >= 0] = starts, n_bytes
                words = size[size > 0]
                begin[size > 0], length[size > 0] = n_source + table.begins[words], table.sizes[words]
        slots = np.flatnonzero(lengths)
        begin, length = begins.reshape(-1)[slots], lengths.reshape(-1)[slots]
        is_label = (slots % 2 == 0) | (pieces[:, 0] == text_kernel.WORD)[slots // 2 % len(pieces)]
        after_brace = np.append(False, text[(begin + length - 1)[:-1]] == BRACE)
        is_comma = is_label & (text[begin] == COMMA) & after_brace
        begin, length = begin + is_comma, length - is_comma
        stops = np.cumsum(length)
        joined = text[np.arange(stops[-1] if len(stops) else 0) + np.repeat(begin - stops + length, length)]
        last_slot = np.searchsorted(slots, np.arange(1, self.n_rows + 1) * len(pieces) * 2) - 1
        return joined, np.append(stops, 0)[last_slot]


def shortest(value: float | None) -> float | int | None:
    """The value as the number with the shorter JSON; a zero keeps its sign."""
    is_whole = value is not None and value.is_integer() and 0 < abs(value) < LARGEST_SHORT
    return int(value) if is_whole and value is not None else value or (0 if str(value) == "0.0" else value)


def _stated_of(column: Array, stated: Array | None) -> Array:
    """The stated values of `column`, which is not copied where all are."""
    return column if stated is None or stated.all() else column[stated]


def _with_room(texts: Iterable[bytes | memoryview]) -> Array:
    """The texts, concatenated, with `ROOM` behind them."""
    return np.frombuffer(b"".join((*texts, bytes(ROOM))), dtype=np.uint8)
