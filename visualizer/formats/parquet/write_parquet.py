"""Writing a log as Parquet: pieces of its columns are gathered by a database, which writes the file.

Nothing is made of a node by itself. What the database's memory does not hold goes to a folder beside it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.parquet.database import database
from plyscope.visualizer.formats.parquet.schema import HEADER_KEY, TABLE_KEY, columns, literal, quoted
from plyscope.visualizer.formats.parquet.staging import Staging, staging_of
from plyscope.visualizer.formats.write_json import header_fields
from plyscope.visualizer.store.fields import FIELDS, entry_of
from plyscope.visualizer.store.log import Log

Progress = Callable[[float], None]

ROWS: Final = 245_760
"""Rows that go over together: two row groups of the file."""
STAGED_PART: Final = 0.6
"""What gathering takes of the whole time."""


def write_parquet(log: Log, path: Path, on_progress: Progress | None = None) -> None:
    """Write `log` to `path`, which is replaced; `on_progress` is told the part that is done, from 0 to 1.

    Raises OSError where it cannot be written.
    """
    import duckdb

    report = on_progress or (lambda part: None)
    staging = staging_of(log)
    with tempfile.TemporaryDirectory(prefix=".plyscope-", dir=path.parent) as folder:
        try:
            with database(Path(folder)) as connection:
                is_large = log.n_rows > ROWS
                if is_large:
                    connection.execute(f"ATTACH {literal(str(Path(folder) / 'rows.db'))} AS beside")
                table = "beside.nodes" if is_large else "nodes"
                listed = ", ".join(f"{each.name} {each.type}" for each in staging.columns)
                connection.execute(f"CREATE TABLE {table} ({listed})")
                for first in range(0, log.n_rows, ROWS):
                    piece = slice(first, min(first + ROWS, log.n_rows))
                    for name, arrays in staging.tables(piece):
                        connection.register(name, arrays)
                    connection.execute(f"INSERT INTO {table} {staging.select()}")
                    report(STAGED_PART * piece.stop / log.n_rows)
                connection.execute(
                    f"COPY ({_select(staging, table)}) TO {literal(str(path))} "
                    f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {_metadata(log)})"
                )
        except duckdb.IOException as error:
            raise OSError(None, str(error), str(path)) from None
    report(1.0)


def _select(staging: Staging, table: str) -> str:
    """The rows as the file has them: every column of the format, those that the log lacks without a value."""
    staged = {each.name: each.written or each.name for each in staging.columns}
    values = []
    for name, kind in columns().items():
        field = FIELDS.get(name)
        if field is not None and field.kind == "entry":
            inner = [each for each in entry_of(name) if each.column in staged]
            value = "NULL"
            if inner:
                stated = " OR ".join(f"{each.column} IS NOT NULL" for each in inner if each.kind != "word")
                words = " OR ".join(f"{each.column} > 0" for each in inner if each.kind == "word")
                made = ", ".join(
                    f"{quoted(each.inner_name)}: {staged.get(each.column, 'NULL')}" for each in entry_of(name)
                )
                condition = " OR ".join(part for part in (stated, words) if part)
                value = f"CASE WHEN {condition} THEN {{{made}}} END"
        else:
            value = staged.get(name, "NULL")
        values.append(f"({value})::{kind} AS {quoted(name)}")
    return f"SELECT {', '.join(values)} FROM {table}"


def _metadata(log: Log) -> str:
    """What stands in the file beside the rows: the header, and how its table is to be read."""
    table = {"columns": list(log.columns), "key_form": log.key_form}
    pairs = ((HEADER_KEY, header_fields(log)), (TABLE_KEY, table))
    return (
        "{"
        + ", ".join(f"{literal(key)}: {literal(json_bytes(value).decode())}" for key, value in pairs)
        + "}"
    )
