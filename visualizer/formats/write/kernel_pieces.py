"""Pieces of text that a compiled kernel places: numbers as orjson wrote them, texts by their codes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.write import text_kernel
from plyscope.visualizer.formats.write.text_kernel import ROOM, UNSTATED, words_at_bytes
from plyscope.visualizer.formats.write.text_pieces import Pieces, Slices, Words, numbers_bytes

Array = npt.NDArray[Any]


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
        """Make the kernel's arrays of the texts so far."""
        if self._n_joined == len(self._texts):
            return
        self._n_joined = len(self._texts)
        sizes = np.array([len(text or b"") for text in self._texts])
        self.text = _with_room(text for text in self._texts if text)
        self.words = words_at_bytes(self.text)
        self.ends = np.cumsum(sizes)
        self.begins = self.ends - sizes
        self.ends[[text is None for text in self._texts]] = UNSTATED
        self.sizes = sizes


class KernelPieces(Pieces):
    """The pieces of `n_rows` rows for the kernel; rows of one log share their `table`.

    >>> pieces = KernelPieces(2, WordTable())
    >>> pieces.put(b"{", pieces.nothing)
    >>> pieces.put_words("a", b',"a":', lambda: [None, b"12", b"x"], np.array([2, 0]))
    >>> pieces.put_floats(b',"b":', np.array([np.inf, 0.1]))
    >>> pieces.put(b"}", pieces.nothing)
    >>> bytes(pieces.joined()[0])
    b'{"a":x,"b":"inf"}{"b":0.1}'
    """

    def __init__(self, n_rows: int, table: WordTable) -> None:
        super().__init__(n_rows)
        self._table = table
        self._pieces: list[tuple[int, int, int, int]] = []
        self._values: list[Array | int] = []
        self._stated: list[Array | int] = []
        self._most = 0

    def put(self, label: bytes, slices: Slices, stated: Array | None = None) -> None:
        """Add a piece of slices."""
        begins, sizes = slices
        if stated is not None:
            if not stated.any():
                return
            sizes = np.where(stated, sizes, UNSTATED)
        self._most += int(sizes.sum()) + self.n_rows
        self._put(text_kernel.SLICE, label, 0, begins, sizes)

    def put_words(self, name: str, label: bytes, words: Words, codes: Array) -> None:
        """Add a piece of words."""
        first = self._table.first(name, label, words)
        self._put(text_kernel.WORD, b"", 0, first + codes.astype(np.int64), 0)

    def put_integers(self, label: bytes, column: Array, stated: Array | None = None) -> None:
        """Add a piece of whole numbers."""
        known = self._stated_of(column, stated)
        if known is not None:
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
        """Add a piece of floats."""
        kind = text_kernel.SHORT_ITEM if short else text_kernel.ITEM
        known = self._stated_of(column, stated)
        if known is None:
            return
        coded: Array | int = 0
        if not np.isfinite(known).all():
            coded = np.zeros(len(known), dtype=np.int64)
            first = self._table.first(f"words {words!r}", b"", lambda: words)
            for code, is_it in enumerate((np.isnan(known), known == -np.inf, known == np.inf)):
                if words[code] != b"null":  # the library writes that
                    coded[is_it] = first + code
            self._most += self.n_rows * max(map(len, words))
        self._put_items(kind, label, known, stated, coded)

    def put_lists(self, label: bytes, matrix: Array, stated: Array, *, short: bool = False) -> None:
        """Add a piece of lists."""
        if short or np.isinf(matrix).any():
            super().put_lists(label, matrix, stated, short=short)
        else:
            known = self._stated_of(matrix, stated)
            if known is not None:
                self._put_items(text_kernel.LIST, label, known, stated, 0)

    def open(self, label: bytes) -> None:
        """Begin an object."""
        self._put(text_kernel.OPEN, label + b"{", 0, 0, 0)

    def close(self) -> None:
        """End the object opened last; objects are not nested."""
        self._most += self.n_rows
        self._put(text_kernel.CLOSE, b"", 0, 0, 0)

    def joined(self) -> tuple[Array, Array]:
        """The text of all rows, and the end of each row in it."""
        ends = np.zeros(self.n_rows, dtype=np.int64)
        if not self._pieces or not self.n_rows:
            return np.zeros(0, dtype=np.uint8), ends
        table = self._table
        table.join()
        pieces = np.array(self._pieces, dtype=np.int64)
        shape = (len(pieces), self.n_rows)
        dtype = np.int32 if max(self._n_bytes, len(table.text)) < 2**31 else np.int64
        values, sizes = np.empty(shape, dtype=dtype), np.empty(shape, dtype=dtype)
        most = self._most + self._n_bytes + self.n_rows * int(pieces[:, 2].sum())
        for place, (kind, value, stated) in enumerate(
            zip(pieces[:, 0].tolist(), self._values, self._stated, strict=True)
        ):
            values[place], sizes[place] = value, stated
            if kind == text_kernel.WORD:
                most += int(table.sizes[value].sum())
        source = _with_room(self._source)
        text = np.empty(most + ROOM, dtype=np.uint8)
        n_bytes = _compiled_join()(
            source,
            words_at_bytes(source),
            table.text,
            table.words,
            table.begins,
            table.ends,
            pieces,
            values,
            sizes,
            words_at_bytes(text),
            ends,
        )
        return text[:n_bytes], ends

    def _stated_of(self, column: Array, stated: Array | None) -> Array | None:
        """The stated values of `column`, None where there are none."""
        known = column if stated is None or stated.all() else column[stated]
        return known if len(known) else None

    def _put_items(
        self, kind: int, label: bytes, known: Array, stated: Array | None, coded: Array | int
    ) -> None:
        """Add a piece of the numbers of stated rows, with words in the place of some."""
        sizes = coded
        if stated is not None and len(known) < self.n_rows:
            sizes = np.full(self.n_rows, UNSTATED)
            sizes[stated] = coded
        begin = self.keep(memoryview(numbers_bytes(known))[:-1]) + 1
        self.keep(b",")  # after the last item, too
        self._put(kind, label, begin, 0, sizes)

    def _put(self, kind: int, label: bytes, begin: int, values: Array | int, stated: Array | int) -> None:
        self._pieces.append((kind, self.keep(label), len(label), begin))
        self._values.append(values)
        self._stated.append(stated)


def _with_room(texts: Any) -> Array:
    """The texts, concatenated, with `ROOM` behind them."""
    return np.frombuffer(b"".join((*texts, bytes(ROOM))), dtype=np.uint8)


@cache
def _compiled_join() -> Any:
    return compiled(text_kernel.join)
