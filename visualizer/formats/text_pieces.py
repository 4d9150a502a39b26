"""Text put together from pieces: each row writes labels, the same on all rows, and slices of one source.

What is to be written is formatted and escaped by whole columns; only placing the slices is done row by row,
by a kernel where there are many rows, else by numpy.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled, kernel

Array = npt.NDArray[Any]
Slices = tuple[Array, Array]
"""Where the value of each row begins in the source, and its size in bytes."""

COMPILED_ROWS: Final = 200_000
"""From so many rows on, machine code is worth the time in which numba is loaded."""

LOADED_ROWS: Final = 20_000
"""And from so many where something else has loaded numba, as a search does.

For 58,000 rows of Hive numpy takes 0.35 s and machine code 0.12 s; to compile it takes 0.28 s, once.
"""

COMMA: Final = ord(",")
BRACE: Final = ord("{")


class Pieces:
    """The pieces of `n_rows` rows, in the order in which each row writes them.

    A label that begins with a comma leaves it out behind an opening brace, so fields need not know which of
    them is a row's first.

    >>> pieces = Pieces(2)
    >>> pieces.put(b"{", pieces.nothing)
    >>> pieces.put(b',"a":', pieces.words([b"12", b"x"], np.array([1, 0])), np.array([True, False]))
    >>> pieces.put(b"}", pieces.nothing)
    >>> text, ends = pieces.joined(compile_it=False)
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

    def keep(self, text: bytes | memoryview) -> int:
        """Add `text` to the source; where it begins there."""
        begin = self._n_bytes
        self._source.append(text)
        self._n_bytes += len(text)
        return begin

    def words(self, words: list[bytes], codes: Array) -> Slices:
        """The word of each row, by its code."""
        begins, sizes = self.table(words)
        return begins[codes], sizes[codes]

    def table(self, texts: list[bytes]) -> Slices:
        """The slice of each of `texts`, which are added to the source."""
        sizes = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        return self.keep(b"".join(texts)) + np.cumsum(sizes) - sizes, sizes

    def put(
        self, label: bytes, slices: Slices, stated: Array | None = None, *, at: int | None = None
    ) -> None:
        """Add a piece: `label` and the slice of each row, or nothing on rows where `stated` is false.

        `at` is the place among the pieces, the end where it is None.
        """
        begins, sizes = slices
        if stated is not None:
            if not stated.any():
                return
            begins = np.where(stated, begins, -1)
        at = len(self) if at is None else at
        self._labels.insert(at, (self.keep(label), len(label)))
        self._begins.insert(at, begins)
        self._sizes.insert(at, sizes)

    def __len__(self) -> int:
        """Pieces so far."""
        return len(self._labels)

    def stated(self, first: int) -> Array:
        """Whether each row states any of the pieces from the one at `first` on."""
        any_stated = np.zeros(self.n_rows, dtype=np.bool_)
        for begins in self._begins[first:]:
            any_stated |= begins >= 0
        return any_stated

    def joined(self, *, compile_it: bool) -> tuple[Array, Array]:
        """The text of all rows, and where each row ends in it."""
        if not self._labels or not self.n_rows:
            return np.zeros(0, dtype=np.uint8), np.zeros(self.n_rows, dtype=np.int64)
        source = np.frombuffer(b"".join(self._source), dtype=np.uint8)
        labels = np.array(self._labels, dtype=np.int64)
        dtype = np.int32 if self._n_bytes < 2**31 else np.int64
        begins, sizes = np.array(self._begins, dtype=dtype), np.array(self._sizes, dtype=dtype)
        if not compile_it:
            return _joined_by_numpy(source, labels, begins, sizes)
        most = self.n_rows * int(labels[:, 1].sum()) + int(sizes.sum(dtype=np.int64))
        text, ends = np.empty(most, dtype=np.uint8), np.empty(self.n_rows, dtype=np.int64)
        n_bytes = _compiled_join()(source, labels, begins, sizes, text, ends)
        return text[:n_bytes], ends


def is_worth_compiling(n_rows: int) -> bool:
    """Whether so many rows are better placed by machine code."""
    return n_rows >= (LOADED_ROWS if "numba" in sys.modules else COMPILED_ROWS)


@kernel
def join(source: Array, labels: Array, begins: Array, sizes: Array, text: Array, ends: Array) -> int:
    """Write labels and slices, row after row, into `text`, which has room for them; returns the bytes."""
    at = 0
    for row in range(begins.shape[1]):
        for piece in range(begins.shape[0]):
            begin = begins[piece, row]
            if begin < 0:
                continue
            label = labels[piece, 0]
            size = labels[piece, 1]
            if size > 0 and at > 0 and source[label] == COMMA and text[at - 1] == BRACE:
                label += 1
                size -= 1
            for i in range(size):
                text[at + i] = source[label + i]
            at += size
            size = sizes[piece, row]
            for i in range(size):
                text[at + i] = source[begin + i]
            at += size
        ends[row] = at
    return at


@cache
def _compiled_join() -> Any:
    return compiled(join)


def _joined_by_numpy(source: Array, labels: Array, begins: Array, sizes: Array) -> tuple[Array, Array]:
    """What `join` writes, by gathering every byte by its index."""
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
