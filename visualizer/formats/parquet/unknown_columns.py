"""The columns of a Parquet file that are no fields of the format, as the text of one JSON object a row.

Our own files have that text in the column `extra`; other columns, written by other programs, are added to it.
All columns of a table with foreign names go to the reader of foreign tables.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.find.rows import IDS, PARENTS
from plyscope.visualizer.formats.foreign.meaning.fields import plain
from plyscope.visualizer.formats.json_text import json_bytes, json_value, parser_of
from plyscope.visualizer.formats.parquet.opened_file import (
    FRACTIONS,
    NUMBERS,
    ROW,
    TEXTS,
    Cell,
    OpenedFile,
    wrong_type,
)
from plyscope.visualizer.formats.parquet.schema import EXTRA, PARENT, literal
from plyscope.visualizer.formats.seal.ragged import Ragged
from plyscope.visualizer.formats.seal.values import written_name
from plyscope.visualizer.store.fields import OF_NODES

Array = npt.NDArray[Any]

AT_ONCE: Final = 50_000
"""The rows whose fields are Python objects at one time."""


def json_of(cell: Cell) -> str:
    """The SQL of a value as JSON text; numbers that JSON lacks are texts such as "inf"."""
    value = cell.sql
    if cell.kind in ("float", "double"):
        json = f"CASE WHEN isfinite({value}) THEN to_json({value}) ELSE to_json(({value})::VARCHAR) END"
    elif cell.kind in NUMBERS or cell.kind == "boolean" or cell.kind in TEXTS or cell.children:
        json = f"to_json({value})"
    else:
        json = f"to_json(({value})::VARCHAR)"
    return f"({json})::VARCHAR"


class UnknownColumns:
    """The columns of one file that are no fields, and other values that are kept as unknown fields."""

    def __init__(self, file: OpenedFile) -> None:
        self._file = file
        self._beside: dict[str, str] = {}
        """The SQL of the JSON of each, by the name under which it is kept."""
        for name, cell in file.cells.items():
            if name not in OF_NODES and name not in (PARENT, EXTRA):
                self.put_column(name, cell)

    def put_column(self, name: str, cell: Cell, where: str = "") -> None:
        """Keep the values of a column under `name`, only of rows for which `where` is true."""
        condition = f"{cell.sql} IS NOT NULL" + (f" AND ({where})" if where else "")
        self._beside[name] = f"CASE WHEN {condition} THEN {json_of(cell)} END"

    def objects(self) -> Ragged:
        """The objects of all rows. Raises LogError."""
        cell = self._file.cells.get(EXTRA)
        if cell is not None and self._file.is_empty(cell):
            cell = None
        if cell is not None and cell.kind not in TEXTS:
            raise wrong_type(cell, "texts of JSON objects")
        ragged = Ragged(np.uint8)
        if cell is None and not self._beside:
            return ragged
        values = ["NULL" if cell is None else f"({cell.sql})::VARCHAR", *self._beside.values()]
        asked = ", ".join(f"{value} AS v{at}" for at, value in enumerate(values))
        for first, last in self._file.pieces(AT_ONCE):
            statement = self._file.select(f"{asked}, {ROW}", f"{ROW} >= {first} AND {ROW} < {last}")
            is_stated = " OR ".join(f"v{at} IS NOT NULL" for at in range(len(values)))
            found = self._file.rows(
                f"SELECT {ROW}, * EXCLUDE ({ROW}) FROM ({statement}) WHERE {is_stated} ORDER BY {ROW}"
            )
            if not found:
                continue
            objects = self._objects(cell, found)
            ragged.put(
                np.array([row for row, *_ in found], dtype=np.int64),
                np.array([len(text) for text in objects], dtype=np.int64),
                np.frombuffer(b"".join(objects), dtype=np.uint8),
            )
        return ragged

    def _objects(self, cell: Cell | None, found: list[tuple[Any, ...]]) -> list[bytes]:
        """The JSON of the objects of some rows: the text of the column, unless something is added to it."""
        made = [b"{}" if text is None else text.encode() for _, text, *_ in found]
        objects: list[Any] = [{}] * len(made)
        if cell is not None:
            objects = _parsed(cell, [row for row, *_ in found], made)
        names = list(self._beside)
        for at, (_, _, *others) in enumerate(found if names else ()):
            fields = dict(objects[at])
            for name, other in zip(names, others, strict=True):
                if other is not None:
                    while name in fields:
                        name = written_name(name) if written_name(name) != name else f"{name}'"
                    fields[name] = json_value(other)
            if len(fields) > len(objects[at]):
                made[at] = json_bytes(fields)
        return made


def _parsed(cell: Cell, rows: list[int], texts: list[bytes]) -> list[Any]:
    """The objects in texts; raises LogError for the first that has none."""
    with suppress(orjson.JSONDecodeError):
        values = list(map(parser_of(b"".join(texts)), texts))
        if all(type(value) is dict for value in values):
            return values
    return [_object(cell, row, text) for row, text in zip(rows, texts, strict=True)]


def _object(cell: Cell, row: int, text: bytes) -> dict[str, Any]:
    """The object in `text`; raises LogError where it is none."""
    try:
        value = json_value(text)
    except LogError as error:
        message = f"{error.message}, in the JSON of unknown fields"
        raise LogError(message, path=f"row {row:,}, {cell.label}") from None
    if not isinstance(value, dict):
        message = "found a JSON value that is no object, expected the unknown fields by their names"
        raise LogError(message, path=f"row {row:,}, {cell.label}")
    return value


def rows_as_lines(file: OpenedFile) -> bytes:
    """Every row as an object on a line, with every column: null where it is not stated.

    Ids written as floats, as pandas does where one of them is missing, become whole numbers again.
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
    if cell.kind in FRACTIONS - {"decimal"} and plain(name) in (*IDS, *PARENTS):
        is_whole = f"isfinite({cell.sql}) AND {cell.sql} = floor({cell.sql}) AND abs({cell.sql}) < 1e15"
        whole = f"WHEN {is_whole} THEN ({cell.sql})::BIGINT::VARCHAR"
        value = f"CASE WHEN isnan({cell.sql}) THEN NULL {whole} ELSE {value} END"
    return f"coalesce({value}, 'null')"
