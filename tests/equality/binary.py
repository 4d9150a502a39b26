"""Compact logs byte by byte, cut and damaged everywhere; Parquet files, ours and a database's."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from tests import compact_logs as compact
from tests.compact_logs import NOTHING
from tests.equality.case import LARGE, Case
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

TABLES: Final = {
    "rows": (40, "i AS id, if(i = 0, NULL, (i - 1) // 3) AS parent, i / 7 AS score, 'm' || i AS move"),
    "large ids": (
        9,
        "9007199254740993 + i AS id, if(i = 0, NULL, 9007199254740993 + i // 2) AS parent, i::FLOAT AS value",
    ),
    "texts": (
        9,
        "'n' || i AS id, if(i = 0, NULL, 'n' || (i // 2)) AS parent, [i, 2] AS list, {'a': i} AS object, "
        "DATE '2024-01-01' + i::INT AS day",
    ),
    "no tree": (5, "i AS a, i * 2 AS b"),
    "no rows": (0, "1 AS id, 2 AS parent"),
    "special": (
        6,
        "i AS id, if(i = 0, NULL, 0) AS parent, i % 2 = 0 AS pruned, 1.25::DECIMAL(9, 3) AS cost, "
        "CASE i WHEN 1 THEN 'nan'::DOUBLE WHEN 2 THEN 'inf'::DOUBLE WHEN 3 THEN -0.0 END AS score, "
        "170141183460469231731687303715884105727::HUGEINT AS much",
    ),
    "our names": (
        15,
        "i AS id, if(i = 0, NULL, (i - 1) // 2) AS parent, 'p' || i AS ply, i::DOUBLE AS score, "
        "'max' AS layer, 'exact' AS bound",
    ),
}
"""By name how many rows `i` a table has, and its columns."""


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


def parquet_cases() -> Iterator[Case]:
    """Tables of a database, whole and damaged; and a large compact log."""
    for name in TABLES:
        for by in ("path", "bytes"):
            yield Case(f"parquet/{name}/by {by}", "read", partial(_table, name), {"by": by})
    yield Case("parquet/mapped", "read", partial(_table, "rows"), {"mapping": {"static": "score"}})
    yield Case("parquet/damaged", "read", _damaged_table, {"by": "path"})
    yield Case("binary/large", "read", _many_records, {}, LARGE)


def _table(name: str, folder: Path) -> None:
    import duckdb

    n_rows, columns = TABLES[name]
    query = f"SELECT {columns} FROM range({n_rows}) AS counted(i)"
    with duckdb.connect() as connection:
        connection.sql(f"COPY ({query}) TO '{folder}/0000 table.parquet' (FORMAT parquet)")


def _damaged_table(folder: Path) -> None:
    _table("rows", folder)
    path = folder / "0000 table.parquet"
    data = path.read_bytes()
    path.unlink()
    for number, (label, damaged) in enumerate(
        {
            "only its first letters": data[:4],
            "cut": data[: len(data) // 2],
            "without its last byte": data[:-1],
            "more behind it": data + b"x",
            "wrong in the middle": data[:60] + b"\xff" * 20 + data[80:],
            "a wrong length at its end": data[:-8] + b"\xff\xff\xff\x7f" + data[-4:],
        }.items()
    ):
        (folder / f"{number:04} {label}.parquet").write_bytes(damaged)


def _many_records(folder: Path) -> None:
    import numpy as np

    records = np.zeros(N_RECORDS, dtype=[("parent", "<u4"), ("ply", "<u4"), ("score", "<f8")])
    numbers = np.arange(N_RECORDS)
    records["parent"] = np.where(numbers == 0, 2**32 - 1, (numbers - 1) // 3)
    records["ply"] = numbers % 7
    records["score"] = np.sin(numbers)
    start = compact.START + compact.header() + compact.layout(compact.CORE)
    start += compact.texts(*[f"p{at}" for at in range(7)])
    data = start + b"".join(
        compact.chunk("NODE", b"\0\0\0\0" + part.tobytes()) for part in np.array_split(records, 40)
    )
    (folder / "0000 whole.plyb").write_bytes(data + compact.done({"score": 1}))
    (folder / "0001 cut.plyb").write_bytes(data[: len(data) * 3 // 4])
