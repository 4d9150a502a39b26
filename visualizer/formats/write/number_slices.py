"""Numbers as JSON: a library writes whole columns of them, and what each row has is a slice of that."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

Array = npt.NDArray[Any]
Slices = tuple[Array, Array]
"""Where the value of each row begins, and its size in bytes."""

LARGEST_SHORT: Final = 1e15
"""Whole numbers below it are written without a point, where they are to be short."""


def numbers_bytes(numbers: Array) -> bytes:
    """A column as a list, a matrix as a list of lists; null where a number is not finite.

    >>> numbers_bytes(np.array([[1.0, np.nan], [0.1, -2.0]]))
    b'[[1.0,null],[0.1,-2.0]]'
    """
    return orjson.dumps(np.ascontiguousarray(numbers), option=orjson.OPT_SERIALIZE_NUMPY)


def items(blob: bytes) -> Slices:
    """The numbers of the list `blob`."""
    ends = np.flatnonzero(np.frombuffer(blob, dtype=np.uint8) == ord(","))
    return _between(np.append(ends, len(blob) - 1) if len(blob) > 2 else ends)


def lists(blob: bytes) -> Slices:
    """The lists of the list `blob`."""
    return _between(np.flatnonzero(np.frombuffer(blob, dtype=np.uint8) == ord("]"))[:-1] + 1)


def floats(column: Array, *, short: bool) -> tuple[bytes, Slices]:
    """A text, and each float in it as JSON that reads back as the same float; `short` leaves out `.0`."""
    blob = numbers_bytes(column)
    begins, sizes = items(blob)
    if short and len(column):
        text = np.frombuffer(blob, dtype=np.uint8)
        ends = begins + sizes
        sizes -= 2 * ((text[ends - 1] == ord("0")) & (text[ends - 2] == ord(".")))
        sizes[np.signbit(column) & (column == 0)] = len(b"-0.0")
    return blob, (begins, sizes)


def shortest(value: float | None) -> float | int | None:
    """The number that JSON writes with fewer digits; a zero keeps its sign."""
    is_whole = value is not None and value.is_integer() and 0 < abs(value) < LARGEST_SHORT
    return int(value) if is_whole and value is not None else value or (0 if str(value) == "0.0" else value)


def _between(ends: Array) -> Slices:
    """The items of a list, one byte apart, that end before `ends`."""
    begins = np.append(0, ends[:-1])[: len(ends)] + 1
    return begins, ends - begins
