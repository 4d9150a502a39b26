"""Compact logs made byte by byte, as an engine would, without our writer."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

START = b"\x89PLY\r\n\x1a\n" + struct.pack("<IHH", 0x01020304, 1, 0)
UPDATED_START = START[:-2] + b"\x01\x00"
FORMATS = {
    "u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f",
    "f64": "d", "flag": "B", "word": "B", "text8": "B", "text16": "H", "text": "I", "key": "Q", "texts": "I",
    "numbers": "I", "pad": "B",
}  # fmt: skip
NOTHING = object()
"""In a record: not stated."""
CORE = [["parent", "u32"], ["ply", "text"], ["score", "f64"]]


def chunk(kind: str, data: bytes, order: str = "<") -> bytes:
    return kind.encode() + struct.pack(f"{order}I", len(data)) + data


def header(**fields: Any) -> bytes:
    return chunk("HEAD", json.dumps({"plyscope": 1, **fields}).encode())


def layout(fields: Sequence[Any]) -> bytes:
    return chunk("LAYO", json.dumps(list(fields)).encode())


def texts(*each: str, order: str = "<") -> bytes:
    encoded = [text.encode() for text in each]
    return chunk("TEXT", b"".join(struct.pack(f"{order}I", len(text)) + text for text in encoded), order)


def refs(*numbers: int) -> bytes:
    return chunk("REFS", struct.pack(f"<{len(numbers)}I", *numbers))


def numbers(*each: float) -> bytes:
    return chunk("NUMS", struct.pack(f"<{len(each)}d", *each))


def packed(kind: str, value: Any, order: str = "<") -> bytes:
    """One value of a record."""
    letter = FORMATS[kind]
    if value is not NOTHING:
        return struct.pack(order + letter, value)
    size = struct.calcsize(f"<{letter}")
    if kind in ("i8", "i16", "i32", "i64"):
        return struct.pack(order + letter, -(2 ** (8 * size - 1)))
    return b"\xff" * size


def record(fields: Sequence[Any], values: Sequence[Any], order: str = "<") -> bytes:
    parts = []
    for (_, kind, *count), value in zip(fields, values, strict=True):
        if kind in ("texts", "numbers") or count:
            n_parts = count[0] if count else 2
            each = value if value is not NOTHING else [NOTHING] * n_parts
            parts += [packed(kind, part, order) for part in each]
        else:
            parts.append(packed(kind, value, order))
    return b"".join(parts)


def nodes(
    fields: Sequence[Any], *records: Sequence[Any], number: int = 0, kind: str = "NODE", order: str = "<"
) -> bytes:
    """A chunk of records of the layout `number`, whose fields are these."""
    data = b"".join(record(fields, values, order) for values in records)
    return chunk(kind, struct.pack(f"{order}I", number) + data, order)


def json_lines(*lines: dict[str, Any]) -> bytes:
    return chunk("JSON", "".join(json.dumps(line) + "\n" for line in lines).encode())


def done(result: Any = None) -> bytes:
    return chunk("DONE", json.dumps(result).encode())


def tree_of(records: Any, fields: Sequence[Any], *names: str) -> bytes:
    """A log of an array of records of these fields; a ply is the number of its name."""
    pieces = [chunk("NODE", b"\0\0\0\0" + part.tobytes()) for part in np.array_split(records, 40)]
    return START + header() + layout(fields) + texts(*names) + b"".join(pieces) + done({"score": 1})


SMALL = (
    START
    + header(search={"depth": 1})
    + layout(CORE)
    + texts("c6", "d3")
    + nodes(CORE, [NOTHING, NOTHING, 4.0], [0, 0, 4.0], [0, 1, -math.inf])
    + done({"ply": "c6", "score": 4})
)
"""A root with two plies."""
