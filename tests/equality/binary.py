"""Compact logs byte by byte, cut and damaged everywhere, and a large one."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from tests import compact_logs as compact
from tests.compact_logs import NOTHING
from tests.equality.changes import Parts

WIDE: Final = [
    ["id", "u16"], ["parent", "i32"], ["score", "f32"], ["factors", "i16", 2], ["tt.from", "i64"],
    ["plies", "texts"], ["pre_scores", "numbers"], ["why", "text8"], ["mine", "f64"], ["own", "texts"],
    ["player", "text"], ["iteration", "u8"], ["key", "key"], ["quiescence", "flag"], ["outcome", "word"],
    ["contributions.a", "f64"], ["", "pad", 2],
]  # fmt: skip
LATE: Final = [["id", "u16"], ["depth", "i8"], ["nodes", "u64"]]
FIRST: Final = [7, -1, 0.5, [1, 2], -1, NOTHING, NOTHING, 0, 1.5, [0, 1], 1, 3, 255, 1, 1, 2.5, [0, 0]]
SECOND: Final = [
    9, 7, -0.0, [3, NOTHING], 7, [1, 2], [0, 2], 1, NOTHING, NOTHING, 0, NOTHING, NOTHING, 0, 7, 0.25, [0, 0],
]  # fmt: skip
N_DAMAGED: Final = 300
N_RECORDS: Final = 400_000
END: Final = compact.done({"score": 1})


def _logs() -> dict[str, bytes]:
    wide = (
        compact.UPDATED_START
        + compact.header(players=["white", "black"], factors=[{"name": "m"}, {"name": "n"}])
        + compact.layout(WIDE)
        + compact.texts("c6", "d3", "white", "é")
        + compact.refs(0, 1, 1)
        + compact.numbers(0.5, 1.5)
        + compact.nodes(WIDE, FIRST, SECOND)
        + compact.layout(LATE)
        + compact.nodes(LATE, [9, 3, 12], [7, NOTHING, NOTHING], number=1, kind="UPDT")
        + compact.done({"ply": "c6", "score": 0.5})
    )
    return {"small": compact.SMALL, "wide": wide, "small without an end": compact.SMALL[:-20]}


def seeds() -> list[tuple[str, bytes]]:
    """What the fuzzed inputs are made of."""
    return [(f"binary {name}", data) for name, data in _logs().items()]


def parts() -> dict[str, Callable[[], Parts]]:
    """By name the inputs that are read."""
    return {
        f"{name}/{change}": partial(make, data)
        for name, data in _logs().items()
        for change, make in {"whole": _whole, "cut": _cut, "damaged": _damaged, "gzip": _gzip}.items()
    }


def _whole(data: bytes) -> Parts:
    yield "whole", data


def _cut(data: bytes) -> Parts:
    for at in range(0, len(data), 3):
        yield f"the first {at} bytes", data[:at]


def _damaged(data: bytes) -> Parts:
    draw = random.Random(len(data))
    for _ in range(N_DAMAGED):
        at, value = draw.randrange(len(data)), draw.choice((0, 1, 0x7F, 0x80, 0xFE, 0xFF))
        yield f"{value} at {at}", data[:at] + bytes([value]) + data[at + 1 :]


def _gzip(data: bytes) -> Parts:
    packed = gzip.compress(data, mtime=0)
    yield "gzip", packed
    yield "gzip, cut", packed[: len(packed) // 2]


def many_records(folder: Path) -> None:
    """Write a large compact log, whole and cut."""
    records = np.zeros(N_RECORDS, dtype=[("parent", "<u4"), ("ply", "<u4"), ("score", "<f8")])
    numbers = np.arange(N_RECORDS)
    records["parent"] = np.where(numbers == 0, 2**32 - 1, (numbers - 1) // 3)
    records["ply"] = numbers % 7
    records["score"] = np.sin(numbers)
    data = compact.tree_of(records, compact.CORE, *[f"p{at}" for at in range(7)])
    (folder / "0000 whole.plyb").write_bytes(data)
    (folder / "0001 cut.plyb").write_bytes(data[: (len(data) - len(END)) * 3 // 4])
