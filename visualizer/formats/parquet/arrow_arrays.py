"""Columns in the layout of Apache Arrow, made of numpy arrays without copying what need not change.

https://arrow.apache.org/docs/format/Columnar.html
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

FORMATS: Final = {"f8": "g", "i8": "l", "u8": "L", "i4": "i", "i2": "s", "i1": "c", "u1": "C"}
"""How the C interface calls the types of numpy."""


@dataclass(frozen=True)
class ArrowColumn:
    """One column, or a part of one: its type, its rows, and the memory that holds them."""

    format: str
    n_rows: int
    stated: Array | None
    """Which rows have a value, where not all have one."""
    buffers: tuple[Array, ...] = ()
    """Without the bits of `stated`, which come first."""
    children: Mapping[str, ArrowColumn] | None = None
    dictionary: ArrowColumn | None = None

    @property
    def n_nulls(self) -> int:
        """The number of rows without a value."""
        return 0 if self.stated is None else self.n_rows - int(np.count_nonzero(self.stated))


def numbers(column: Array, stated: Array | None = None) -> ArrowColumn:
    """Numbers of any type of numpy."""
    return ArrowColumn(FORMATS[column.dtype.str[1:]], len(column), stated, (np.ascontiguousarray(column),))


def truths(column: Array, stated: Array | None = None) -> ArrowColumn:
    """True and false."""
    return ArrowColumn("b", len(column), stated, (np.packbits(column, bitorder="little"),))


def texts(values: Sequence[str | None]) -> ArrowColumn:
    """Texts, one by one.

    >>> column = texts(["a", None, "bc"])
    >>> [buffer.tolist() for buffer in column.buffers]
    [[0, 1, 1, 3], [97, 98, 99]]
    """
    encoded = [b"" if value is None else value.encode() for value in values]
    ends = np.cumsum([0, *map(len, encoded)])
    stated = np.array([value is not None for value in values], dtype=np.bool_)
    return slices(np.frombuffer(b"".join(encoded), dtype=np.uint8), ends, stated)


def slices(data: Array, starts: Array, stated: Array | None = None) -> ArrowColumn:
    """Texts that follow one another in UTF-8; text `n` is from `starts[n]` to `starts[n + 1]`."""
    return ArrowColumn("U", len(starts) - 1, stated, (np.asarray(starts, dtype=np.int64), data))


def coded(codes: Array, dictionary: ArrowColumn, stated: Array) -> ArrowColumn:
    """Texts by their indices in `dictionary`."""
    indices = np.ascontiguousarray(codes)
    return ArrowColumn(FORMATS[codes.dtype.str[1:]], len(codes), stated, (indices,), dictionary=dictionary)


def lists(lengths: Array, items: ArrowColumn, stated: Array) -> ArrowColumn:
    """Lists of so many of the items, which follow one another."""
    return ArrowColumn("+L", len(lengths), stated, (_starts(lengths).astype(np.int64),), {"item": items})


def maps(lengths: Array, keys: ArrowColumn, values: ArrowColumn, stated: Array) -> ArrowColumn:
    """Objects of so many of the pairs, which follow one another."""
    pairs = structs({"key": keys, "value": values}, keys.n_rows, None)
    return ArrowColumn("+m", len(lengths), stated, (_starts(lengths).astype(np.int32),), {"entries": pairs})


def structs(children: Mapping[str, ArrowColumn], n_rows: int, stated: Array | None) -> ArrowColumn:
    """Objects with the same names on all rows."""
    return ArrowColumn("+s", n_rows, stated, (), children)


def _starts(lengths: Array) -> Array:
    return np.append(0, np.cumsum(lengths))
