"""Rows for which a condition is true, and rows in the order of a value, found by DuckDB.

DuckDB sees columns of codes and numbers and SQL that `sql` wrote; it is in memory, may open nothing, load
nothing and change no setting, and is interrupted when its time is over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.sql import SECONDS, Writer
from plyscope.visualizer.analysis.query.syntax import Expression
from plyscope.visualizer.formats.parquet import database

if TYPE_CHECKING:
    import duckdb

SECONDS_BETWEEN_INTERRUPTS: Final = 0.05

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.int32]


def hits_of(fields: Fields, expression: str) -> tuple[Rows, tuple[str, ...]]:
    """The rows for which a condition is true, in order, and notices about its fields.

    Raises QueryError where it is no condition, and once `SECONDS` have passed.
    """
    condition = parse(expression)
    writer = Writer(fields, [condition])
    found = _rows(writer, f"SELECT row FROM t WHERE {writer.condition(condition)}")
    return np.sort(found, kind="stable"), tuple(writer.notices)


def order_of(fields: Fields, rows: Rows, value: Expression, *, descending: bool = False) -> Rows:
    """The places of `rows` in the order of a value; those that do not state it last, equal ones as they were.

    Raises QueryError as `hits_of` does.
    """
    writer = Writer(fields, [value], rows=rows)
    way = "DESC" if descending else "ASC"
    # A bare number behind ORDER BY would be a column.
    values = f"SELECT row, {writer.order(value)} AS value FROM t"
    return _rows(writer, f"SELECT row FROM ({values}) ORDER BY value {way} NULLS LAST, row")


def values_of(fields: Fields, rows: Rows, value: Expression) -> Array:
    """The values by which `rows` are ordered: numbers, flags or texts, None where a row does not state it.

    Raises QueryError as `hits_of` does.
    """
    writer = Writer(fields, [value], rows=rows)
    typed = writer.value(value)
    known = typed.known
    made = np.full(len(rows), None, dtype=object)
    if known is not None and typed.kind in ("text", "word"):
        codes = known.column(rows).tolist()
        names = known.texts if typed.kind == "text" else known.words
        first = 0 if typed.kind == "text" else 1
        made[:] = [names[code] if code >= first else None for code in codes]
        return made
    if not len(rows):
        return made
    sql = typed.comparable if typed.kind == "number" else typed.sql
    found = answered(writer, f"SELECT row, {sql} AS value FROM t")
    column = found["value"]
    is_known = ~np.ma.getmaskarray(column)
    made[found["row"][is_known]] = np.ma.getdata(column)[is_known]
    return made


def _rows(writer: Writer, sql: str) -> Rows:
    """The column `row` of a statement's result."""
    return np.asarray(answered(writer, sql)["row"] if writer.n_rows else [], np.int32)


def answered(writer: Writer, sql: str) -> dict[str, Array]:
    """Run a statement over the columns of a writer and `row`, their places; raises as `fetched` does."""
    columns = {**writer.columns, "row": np.arange(writer.n_rows, dtype=np.int32)}
    return fetched(columns, sql, writer.deadline)


def fetched(columns: Mapping[str, Array], sql: str, deadline: float) -> dict[str, Array]:
    """Run a statement over columns; returns arrays, masked where NULL. Raises QueryError at its limits."""
    import duckdb

    with closed_off(columns) as connection:
        try:
            with _until(connection, deadline):
                return connection.execute(sql).fetchnumpy()
        except duckdb.InterruptException:
            raise QueryError(
                f"the query took longer than {SECONDS:g} seconds and was given up; ask for less"
            ) from None
        except duckdb.OutOfMemoryException:
            raise QueryError(
                f"the query takes more than {database.MOST_MEMORY} of memory; ask for less"
            ) from None


@contextmanager
def closed_off(columns: Mapping[str, Array]) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory with the columns as table `t`: it reaches nothing outside, no setting changes."""
    connection = database.in_memory("")
    try:
        connection.register("t", dict(columns))
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection
    finally:
        connection.close()


@contextmanager
def _until(connection: duckdb.DuckDBPyConnection, deadline: float) -> Iterator[None]:
    """Interrupt the statement on `connection` once the deadline has passed, again until it has ended."""
    has_ended = threading.Event()

    def watch() -> None:
        if has_ended.wait(max(0.0, deadline - time.monotonic())):
            return
        connection.interrupt()
        while not has_ended.wait(SECONDS_BETWEEN_INTERRUPTS):
            connection.interrupt()

    watcher = threading.Thread(target=watch, name="query watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        has_ended.set()
        watcher.join()
