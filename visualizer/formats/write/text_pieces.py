"""Text put together from pieces: each row writes labels, the same on all rows, and values.

Values are formatted and escaped by whole columns; only their bytes are placed row by row, by machine code or
by numpy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.write import text_kernel
from plyscope.visualizer.formats.write.text_kernel import BRACE, COMMA, ROOM, words_at_bytes

Array = npt.NDArray[Any]
Slices = tuple[Array | int, Array | int]
"""The begin of each row's value, and its size in bytes."""

COMPILED_ROWS: Final = 200_000
"""From this many rows on, machine code is worth the time to load numba."""
LOADED_ROWS: Final = 20_000
"""The same where numba is loaded already, as by a search."""
UNSTATED: Final = -1
"""The size of the value where a row lacks a piece."""
WORDS: Final = (b'"nan"', b'"-inf"', b'"inf"')
"""The numbers that JSON lacks, as texts."""
POINT: Final = ord(".")
ZERO: Final = ord("0")


def is_worth_compiling(n_rows: int) -> bool:
    """Whether `n_rows` rows are better placed by machine code."""
    is_possible = sys.byteorder == "little"
    return is_possible and n_rows >= (LOADED_ROWS if "numba" in sys.modules else COMPILED_ROWS)


class Pieces:
    """The pieces of `n_rows` rows, in the order of writing: slices of a source, which they share.

    The comma at the begin of a label is left out after an opening brace, so that any field may come first.

    >>> pieces = Pieces(2, compile_it=False)
    >>> pieces.put(b"{")
    >>> pieces.put_coded(b',"a":', [None, b"12", b"x"], np.array([2, 0]))
    >>> pieces.put_numbers(b',"b":', np.array([np.inf, 0.1]))
    >>> pieces.put(b"}")
    >>> text, ends = pieces.joined()
    >>> bytes(text), ends.tolist()
    (b'{"a":x,"b":"inf"}{"b":0.1}', [17, 26])
    """

    def __init__(self, n_rows: int, *, compile_it: bool) -> None:
        self.n_rows, self._compile_it = n_rows, compile_it
        self._source: list[bytes | memoryview] = []
        self._n_bytes = 0
        self._pieces: list[tuple[tuple[int, int], Slices]] = []
        """The slice of each piece's label, and those of its values, with the size -1 for no piece."""

    def keep(self, text: bytes | memoryview) -> int:
        """Add `text` to the source; returns its begin there."""
        begin = self._n_bytes
        self._source.append(text)
        self._n_bytes += len(text)
        return begin

    def table(self, texts: Sequence[bytes]) -> tuple[Array, Array]:
        """Add `texts` to the source; returns the slice of each."""
        sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        return self.keep(b"".join(texts)) + np.cumsum(sizes) - sizes, sizes

    def put(self, label: bytes, values: Slices = (0, 0), stated: Array | None = None) -> None:
        """Add a piece: `label` and the slice of each row, or nothing on rows where `stated` is false."""
        if stated is not None and not stated.any():
            return
        begins, sizes = values
        sizes = sizes if stated is None else np.where(stated, sizes, UNSTATED)
        self._pieces.append(((self.keep(label), len(label)), (begins, sizes)))

    def put_coded(self, label: bytes, texts: Sequence[bytes | None], codes: Array) -> None:
        """Add a piece: `label` and the text of each row by its code, nothing where that is None."""
        begins, sizes = self.table([text or b"" for text in texts])
        is_text = np.array([text is not None for text in texts])
        self.put(label, (begins[codes], sizes[codes]), is_text[codes])

    def put_numbers(
        self,
        label: bytes,
        column: Array,
        stated: Array | None = None,
        *,
        short: bool = False,
        words: tuple[bytes, bytes, bytes] = WORDS,
    ) -> None:
        """Add a piece: `label` and the number of each row that is stated; it reads back as the same number.

        `short` leaves out `.0`, but not that of a negative zero; `words` are for numbers that JSON lacks.
        """
        known = column if stated is None or stated.all() else column[stated]
        if not len(known):
            return
        blob = orjson.dumps(np.ascontiguousarray(known), option=orjson.OPT_SERIALIZE_NUMPY)
        text = np.frombuffer(blob, dtype=np.uint8)
        ends = np.append(np.flatnonzero(text == COMMA), len(text) - 1)
        begins = np.append(1, ends[:-1] + 1)
        sizes = ends - begins
        if short:
            is_minus_zero = (known == 0) & np.signbit(known)
            sizes -= 2 * ((text[ends - 1] == ZERO) & (text[ends - 2] == POINT) & ~is_minus_zero)
        begins += self.keep(blob)
        if known.dtype.kind == "f" and not np.isfinite(known).all():
            for word, is_it in zip(words, (np.isnan(known), known == -np.inf, known == np.inf), strict=True):
                begins[is_it], sizes[is_it] = self.keep(word), len(word)
        if len(known) < self.n_rows:
            at = np.zeros((2, self.n_rows), dtype=np.int64)
            at[1] = UNSTATED
            at[0, stated], at[1, stated] = begins, sizes
            begins, sizes = at
        self.put(label, (begins, sizes))

    def put_lists(self, label: bytes, matrix: Array, stated: Array, *, short: bool = False) -> None:
        """Add a piece: `label` and the list of each row that is stated, null where a number is NaN."""
        self.put(label + b"[", stated=stated)
        for at, column in enumerate(matrix.T):
            comma = b"," if at else b""
            self.put_numbers(comma, column, stated, short=short, words=(b"null", *WORDS[1:]))
        self.put(b"]", stated=stated)

    @contextmanager
    def object(self, label: bytes) -> Iterator[None]:
        """Put the pieces that are added meanwhile into an object; a row without any has no object."""
        place = len(self._pieces)
        yield
        is_stated = np.zeros(self.n_rows, dtype=np.bool_)
        for _, (_, sizes) in self._pieces[place:]:
            is_stated |= np.asarray(sizes) >= 0
        self.put(b"}", stated=is_stated)
        if is_stated.any():
            self.put(label + b"{", stated=is_stated)
            self._pieces.insert(place, self._pieces.pop())

    def joined(self) -> tuple[Array, Array]:
        """The text of all rows, and the end of each row in it."""
        labels = np.array([label for label, _ in self._pieces], dtype=np.int64).reshape(-1, 2)
        dtype = np.int32 if self._n_bytes < 2**31 else np.int64
        begins, sizes = np.empty((2, len(labels), self.n_rows), dtype=dtype)
        for piece, (_, (begin, size)) in enumerate(self._pieces):
            begins[piece], sizes[piece] = begin, size
        source = np.frombuffer(b"".join((*self._source, bytes(ROOM))), dtype=np.uint8)
        join = _joined_by_kernel if self._compile_it else _joined_by_numpy
        return join(source, labels, begins, sizes)


def _joined_by_kernel(source: Array, labels: Array, begins: Array, sizes: Array) -> tuple[Array, Array]:
    n_rows = sizes.shape[1]
    most = int(sizes.sum(dtype=np.int64) + sizes.size + n_rows * labels[:, 1].sum())
    text, ends = np.empty(most + ROOM, dtype=np.uint8), np.empty(n_rows, dtype=np.int64)
    n_bytes = compiled(text_kernel.join)(
        source, words_at_bytes(source), labels, begins, sizes, words_at_bytes(text), ends
    )
    return text[:n_bytes], ends


def _joined_by_numpy(source: Array, labels: Array, begins: Array, sizes: Array) -> tuple[Array, Array]:
    """Gather every byte by its index."""
    every = np.empty((2, *sizes.T.shape, 2), dtype=np.int64)
    every[0, :, :, 0], every[1, :, :, 0] = labels[:, 0], np.where(sizes.T >= 0, labels[:, 1], 0)
    every[0, :, :, 1], every[1, :, :, 1] = begins.T, sizes.T.clip(0)
    n_slices = np.cumsum(np.count_nonzero(every[1], axis=(1, 2)))
    begin, size = every[:, every[1] > 0]
    is_behind_brace = np.append(False, source[(begin + size - 1)[:-1]] == BRACE)
    is_comma = is_behind_brace & (source[begin] == COMMA)
    begin, size = begin + is_comma, size - is_comma
    stops = np.append(0, np.cumsum(size))
    text = source[np.arange(stops[-1]) + np.repeat(begin - stops[:-1], size)]
    return text, stops[n_slices]
