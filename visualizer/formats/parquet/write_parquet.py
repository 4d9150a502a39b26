"""Writing a log as Parquet: a database takes its columns a piece after the other, and writes the file.

Nothing is made of a node by itself, and no more than some pieces are in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Final

from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.parquet.arrow_arrays import ArrowColumn, structs
from plyscope.visualizer.formats.parquet.arrow_stream import ArrowTable
from plyscope.visualizer.formats.parquet.database import LEFT, database
from plyscope.visualizer.formats.parquet.schema import (
    HEADER_KEY,
    TABLE_KEY,
    columns,
    literal,
    quoted,
    sql_type,
)
from plyscope.visualizer.formats.parquet.staging import staging_of
from plyscope.visualizer.formats.write.write_json import header_fields
from plyscope.visualizer.store.fields import FIELDS, entry_of
from plyscope.visualizer.store.folder_lock import temporary_folder
from plyscope.visualizer.store.log import Log

Progress = Callable[[float], None]

ROWS: Final = 122_880
"""Rows that go over together: a row group of the file."""


def write_parquet(log: Log, path: Path, on_progress: Progress | None = None) -> None:
    """Write `log` to `path`, which is replaced; `on_progress` is told the part that is done, from 0 to 1.

    Raises OSError where it cannot be written.
    """
    import duckdb

    report = on_progress or (lambda part: None)
    staging = staging_of(log)

    def piece(at: slice) -> ArrowColumn:
        return structs({name: make(at) for name, make in staging.items()}, at.stop - at.start, None)

    def pieces() -> Iterator[ArrowColumn]:
        for first in range(0, log.n_rows, ROWS):
            last = min(first + ROWS, log.n_rows)
            report(first / log.n_rows)
            yield piece(slice(first, last))

    table = ArrowTable(piece(slice(0, 0)), pieces)
    with temporary_folder(f".{LEFT}", path.parent) as folder:
        try:
            with database(folder) as connection:
                connection.register("nodes", table)
                connection.execute(
                    f"COPY ({_select(log, staging.keys())}) TO {literal(str(path))} "
                    f"(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, KV_METADATA {_metadata(log)})"
                )
        except duckdb.Error as error:
            if table.error is not None:
                raise table.error from None
            if isinstance(error, duckdb.IOException):
                raise OSError(None, str(error), str(path)) from None
            raise
    report(1.0)


def _select(log: Log, stated: Collection[str]) -> str:
    """The rows as the file has them: every column of the format, those that the log lacks without a value."""
    values = []
    for name, kind in columns().items():
        value = quoted(name) if name in stated else "NULL"
        field = FIELDS.get(name)
        if field is not None and field.kind == "entry" and name in stated:
            made = ", ".join(
                f"{quoted(each.inner_name)}: "
                + (
                    f"{name}.{quoted(each.inner_name)}"
                    if each.column in log.columns
                    else f"NULL::{sql_type(each)}"
                )
                for each in entry_of(name)
            )
            value = f"CASE WHEN {quoted(name)} IS NOT NULL THEN {{{made}}} END"
        values.append(f"({value})::{kind} AS {quoted(name)}")
    return f"SELECT {', '.join(values)} FROM nodes"


def _metadata(log: Log) -> str:
    """The metadata of the file, as SQL: the header, and how its table is to be read."""
    table = {"columns": list(log.columns), "key_form": log.key_form}
    pairs = ((HEADER_KEY, header_fields(log)), (TABLE_KEY, table))
    return (
        "{"
        + ", ".join(f"{literal(key)}: {literal(json_bytes(value).decode())}" for key, value in pairs)
        + "}"
    )
