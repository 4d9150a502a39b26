"""Tables of other programs, whose columns are named in their own words: as JSON, an object a row.

What reads anyone's tables reads these, and guesses which column is the parent, the ply and the score.
"""

from __future__ import annotations

from typing import Final

import orjson

from plyscope.visualizer.formats.foreign.find.rows import IDS, PARENTS
from plyscope.visualizer.formats.foreign.meaning.fields import plain
from plyscope.visualizer.formats.parquet.opened_file import ROW, Cell, OpenedFile
from plyscope.visualizer.formats.parquet.schema import literal
from plyscope.visualizer.formats.parquet.unknown_columns import json_of

AT_ONCE: Final = 100_000
"""Rows whose texts are objects of Python at one time."""


def rows_as_lines(file: OpenedFile) -> bytes:
    """Every row as an object on a line, with every column: null where it states nothing.

    Ids that were written as fractions, as pandas does where one of them is missing, are whole numbers again.
    """
    parts = [
        f"{literal(('{' if place == 0 else ',') + orjson.dumps(name).decode() + ':')}, {_value(name, cell)}"
        for place, (name, cell) in enumerate(file.cells.items())
    ]
    line = f"concat({', '.join(parts)}, '}}') AS line"
    pieces = []
    for first, last in file.pieces(AT_ONCE):
        rows = file.rows(file.select(line, f"{ROW} >= {first} AND {ROW} < {last}") + f" ORDER BY {ROW}")
        pieces.append("\n".join(text for (text,) in rows).encode())
    return b"\n".join(pieces) + b"\n"


def _value(name: str, cell: Cell) -> str:
    value = json_of(cell)
    if cell.kind in ("float", "double") and plain(name) in (*IDS, *PARENTS):
        is_whole = f"isfinite({cell.sql}) AND {cell.sql} = floor({cell.sql}) AND abs({cell.sql}) < 1e15"
        whole = f"WHEN {is_whole} THEN ({cell.sql})::BIGINT::VARCHAR"
        value = f"CASE WHEN isnan({cell.sql}) THEN NULL {whole} ELSE {value} END"
    return f"coalesce({value}, 'null')"
