"""Layouts of records: the fields that a file declares, their types, and the values that mean unstated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunks import fail
from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.store.fields import FIELDS

Array = npt.NDArray[Any]

TYPES: Final = {
    "u8": "u1",
    "u16": "u2",
    "u32": "u4",
    "u64": "u8",
    "i8": "i1",
    "i16": "i2",
    "i32": "i4",
    "i64": "i8",
    "f32": "f4",
    "f64": "f8",
    "flag": "u1",
    "word": "u1",
    "text8": "u1",
    "text16": "u2",
    "text": "u4",
    "key": "u8",
    "texts": "u4",
    "numbers": "u4",
    "pad": "u1",
}
"""Each type with numpy's name for its number; a slice (`texts`, `numbers`) is two of them."""
SLICES: Final = ("texts", "numbers")
TEXTS: Final = ("text8", "text16", "text")
"""Numbers of texts; in columns all are of the type `text`."""
MOST_BYTES: Final = 65_536
"""The most bytes of a record, and the most entries of a field."""
MOST_FIELDS: Final = 1_000
CONTRIBUTIONS: Final = "contributions."


@dataclass(frozen=True)
class Column:
    """One field of a layout; `count` above 0 is the length of a list within the record."""

    name: str
    type: str
    count: int
    at: int
    """Its first byte in the record."""


@dataclass(frozen=True)
class Layout:
    """The fields of a record and their places; in `dtype` their numbers are their names."""

    columns: tuple[Column, ...]
    dtype: np.dtype[np.void]

    def named(self, name: str) -> int | None:
        """The number of the field `name`, None where the layout has none."""
        return next((at for at, column in enumerate(self.columns) if column.name == name), None)


def read_layout(fields: Any, order: str, byte: int) -> Layout:
    """The layout declared by `fields`, a list of `[name, type]` or `[name, type, count]`.

    `order` is numpy's sign of the byte order, `byte` the layout's place in the file. Raises LogError.

    >>> read_layout([["parent", "u32"], ["factors", "f32", 2]], "<", 0).dtype.itemsize
    12
    """
    example = 'such as [["parent", "u32"], ["ply", "text"], ["score", "f64"]]'
    if not isinstance(fields, list) or not fields:
        fail(byte, f"found {shown(fields)}, expected a list of fields {example}")
    if len(fields) > MOST_FIELDS:
        fail(byte, f"found a layout of {len(fields):,} fields, expected at most {MOST_FIELDS:,}")
    columns: list[Column] = []
    parts: list[tuple[str, str, tuple[int, ...]]] = []
    n_bytes = 0
    for index, field in enumerate(fields):
        column = _column(field, index, n_bytes, byte)
        if column.type != "pad" and any(each.name == column.name for each in columns):
            fail(byte, f"found the field {shown(column.name)} twice in a layout, expected it once")
        columns.append(column)
        shape = (2,) if column.type in SLICES else (column.count,) if column.count else ()
        number = order + TYPES[field[1]]
        parts.append((str(index), number, shape))
        n_bytes += np.dtype(number).itemsize * int(np.prod(shape))
        if n_bytes > MOST_BYTES:
            fail(byte, f"found records of more than {MOST_BYTES:,} bytes, expected at most that")
    return Layout(tuple(columns), np.dtype(parts))


def _column(field: Any, index: int, at: int, byte: int) -> Column:
    place = f"field [{index}] of the layout"
    if not isinstance(field, list) or len(field) not in (2, 3):
        fail(
            byte,
            f"{place}: found {shown(field)}, expected [name, type] or [name, type, count]",
        )
    name, kind, count = (*field, 0)[:3] if len(field) == 2 else field
    if type(name) is not str:
        fail(byte, f"{place}: found {shown(name)}, expected its name")
    if type(kind) is not str or kind not in TYPES:
        fail(byte, f"{place}: found {shown(kind)}, expected one of {', '.join(TYPES)}")
    if type(count) is not int or not (len(field) == 2 or 1 <= count <= MOST_BYTES):
        fail(
            byte,
            f"{place}: found {shown(count)}, expected a count from 1 to {MOST_BYTES:,}",
        )
    if kind in TEXTS and not count:
        kind = "text"
    if kind != "pad" and (refused := _refused(name, kind, count)):
        fail(byte, f"{place}, {shown(name)}: {refused}")
    return Column(name, kind, count, at)


NUMBERS: Final = ("u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64")
WHOLE: Final = NUMBERS[:8]
TYPES_OF: Final[dict[str, Sequence[str]]] = {
    "score": NUMBERS,
    "low edge": NUMBERS,
    "high edge": NUMBERS,
    "amount": NUMBERS,
    "whole": NUMBERS,
    "flag": ("flag", *WHOLE),
    "word": ("word", "text"),
    "text": ("text",),
    "long text": ("text",),
    "player": ("text", *WHOLE),
    "key": ("key", "text", *WHOLE),
    "id": ("text", *WHOLE),
    "texts": ("texts",),
}
"""The types allowed for each kind of field. Lists of numbers have a fixed length, or are a slice."""


def _refused(name: str, kind: str, count: int) -> str:
    """The reason why a field cannot have this type; empty if it can."""
    if name == "parent":
        return _one_of(kind, count, TYPES_OF["id"])
    if name == "children":
        return "found a name that holds nodes, expected records that name their `parent`"
    if name.startswith(CONTRIBUTIONS):
        return _one_of(kind, count, NUMBERS)
    field = FIELDS.get(name)
    if field is None:
        if count and kind not in NUMBERS:
            return f"found a list of {kind}, expected a list of numbers, or the type `texts`"
        return 'found the type word, expected the type "text"' if kind == "word" else ""
    match field.kind:
        case "numbers" if name == "pre_scores":
            return _one_of(kind, count, ("numbers",))
        case "numbers":
            return (
                ""
                if count and kind in NUMBERS
                else f'expected numbers and their count, as in ["{name}", "f32", 3]'
            )
        case "named numbers":
            return f'expected a field for each name, such as ["{name}.mobility", "f64"]'
        case "entry":
            return f'expected a field for each of its own, such as ["{name}.{_inner(name)}", "f64"]'
    return _one_of(kind, count, TYPES_OF[field.kind])


def _inner(entry: str) -> str:
    return next(field.inner_name for field in FIELDS.values() if field.name.startswith(f"{entry}."))


def _one_of(kind: str, count: int, kinds: Sequence[str]) -> str:
    if count:
        return "found a count, expected [name, type] alone"
    return "" if kind in kinds else f"found the type {kind}, expected {' or '.join(kinds)}"


def stated(values: Array, kind: str) -> Array:
    """Mask of the stated values of a field of the type `kind`.

    Unstated unsigned numbers, floats and texts have all bits set, signed ones are the smallest number; an
    unstated word may also be 0.

    >>> stated(np.array([7, 255], np.uint8), "u8"), stated(np.array([-128, -1], np.int8), "i8")
    (array([ True, False]), array([False,  True]))
    """
    letter, size = values.dtype.kind, values.dtype.itemsize
    if letter == "i":
        is_stated = values != np.iinfo(values.dtype).min
    elif letter == "f":
        bits = np.ascontiguousarray(values).view(values.dtype.str.replace("f", "u"))
        is_stated = bits != 2 ** (8 * size) - 1
    else:
        is_stated = values != 2 ** (8 * size) - 1
    if kind == "word":
        is_stated &= values != 0
    result: Array = is_stated
    return result
