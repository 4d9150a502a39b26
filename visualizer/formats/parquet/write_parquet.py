"""Writing a log as Parquet: one statement of a database, which reads columns of numbers without a copy.

Texts, lists of stubs and unknown fields are made while their rows are written, so none is in memory twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.parquet.database import LEFT, database
from plyscope.visualizer.formats.parquet.schema import (
    ELSEWHERE,
    EXTRA,
    HEADER_KEY,
    PARENT,
    TABLE_KEY,
    columns,
    literal,
    quoted,
    sql_type,
)
from plyscope.visualizer.formats.write.write_json import header_fields
from plyscope.visualizer.store.fields import FIELDS, Field, entry_of
from plyscope.visualizer.store.folder_lock import temporary_folder
from plyscope.visualizer.store.log import Extras, Lists, Log

if TYPE_CHECKING:
    import duckdb

Array = npt.NDArray[Any]
Progress = Callable[[float], None]

KEPT_TEXTS: Final = 65_536
"""The size of the cache of texts as Python objects."""
SECONDS: Final = 0.2
"""The time between two reports of progress."""


def write_parquet(log: Log, path: Path, on_progress: Progress | None = None) -> None:
    """Write `log` to `path`, which is replaced; `on_progress` gets the part that is done, from 0 to 1.

    Raises OSError where it cannot be written.
    """
    import duckdb

    report = on_progress or (lambda part: None)
    report(0.0)
    with temporary_folder(f".{LEFT}", path.parent) as folder, database(folder) as connection:
        nodes = _Nodes(log, connection)
        statement = (
            f"COPY ({_select(nodes.values)}) TO {literal(str(path))} "
            f"(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, KV_METADATA {_metadata(log)})"
        )
        try:
            _execute(connection, statement, report)
        except duckdb.IOException as error:
            raise OSError(None, str(error), str(path)) from None
    report(1.0)


def _execute(connection: duckdb.DuckDBPyConnection, statement: str, report: Progress) -> None:
    """Run a statement in a thread, while this one reports its progress."""
    connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    with ThreadPoolExecutor(1) as thread:
        run = thread.submit(connection.execute, statement)
        try:
            while not wait((run,), SECONDS).done:
                report(max(connection.query_progress(), 0) / 100)
        finally:
            if not run.done():
                connection.interrupt()
    run.result()


def _select(values: Mapping[str, str]) -> str:
    """The SQL of the file's rows, with every column of the format; columns that the log lacks are null."""
    stated = ", ".join(f"{value} AS {quoted(name)}" for name, value in values.items())
    made = [f"({_column(name, values)})::{kind} AS {quoted(name)}" for name, kind in columns().items()]
    return f"SELECT {', '.join(made)} FROM (SELECT {stated} FROM nodes)"


def _column(name: str, values: Mapping[str, str]) -> str:
    field = FIELDS.get(name)
    if field is None or field.kind != "entry":
        return quoted(name) if name in values else "NULL"
    inner = [each for each in entry_of(name) if each.name in values]
    if not inner:
        return "NULL"
    is_stated = _any(f"{quoted(each.name)} IS NOT NULL" for each in inner)
    parts = ", ".join(
        f"{quoted(each.inner_name)}: {quoted(each.name) if each in inner else 'NULL'}::{sql_type(each)}"
        for each in entry_of(name)
    )
    return f"CASE WHEN {is_stated} THEN {{{parts}}} END"


def _metadata(log: Log) -> str:
    """The metadata of the file, as SQL: the header, the columns, and the form of position keys."""
    table = {"columns": list(log.columns), "key_form": log.key_form}
    pairs = ((HEADER_KEY, header_fields(log)), (TABLE_KEY, table))
    made = ", ".join(f"{literal(key)}: {literal(json_bytes(value).decode())}" for key, value in pairs)
    return f"{{{made}}}"


class _Nodes:
    """The table `nodes` of a log in a database, and `values`, the SQL of each field's value."""

    def __init__(self, log: Log, connection: duckdb.DuckDBPyConnection) -> None:
        self._log, self._connection = log, connection
        self._arrays: dict[str, Array] = {}
        self._text_of = lru_cache(KEPT_TEXTS)(lambda code: log.texts[code])
        self._connection.create_function("text_of", self._text_of, ["INTEGER"], "VARCHAR")
        self._put("given", log.columns["given"])
        self.values = {"id": self._put("id", log.columns["id"]), PARENT: self._links(log.columns[PARENT])}
        for field in FIELDS.values():
            if field.column in log.columns and field.name != "id":
                self.values[field.name] = self._value(field, log.columns[field.column])
        if log.has_iterations:
            value = self._put("iteration", log.iterations_of(np.arange(log.n_rows)))
            self.values["iteration"] = f"CASE WHEN {value} >= 0 THEN {value} END"
        if log.stub_plies is not None:
            self._put_stub_plies(log.stub_plies)
        if log.extras is not None:
            self._put_extras(log.extras)
        connection.register("nodes", self._arrays)

    def _put(self, name: str, column: Array) -> str:
        """Add a column of numbers to the table; returns its name as SQL."""
        self._arrays[name] = column
        return quoted(name)

    def _value(self, field: Field, column: Array) -> str:
        if field.kind in ("numbers", "named numbers"):
            return self._table(field, column)
        if field.kind == "id":
            return self._links(column, field.column)
        value = self._put(field.column, column)
        match field.kind:
            case "word":
                assert field.vocabulary is not None
                return f"{_texts(field.vocabulary.words[1:])}[{value}]"  # SQL counts items from 1
            case "player":
                return f"{_texts(self._log.players)}[{value} + 1]"
            case "flag":
                return f"CASE WHEN {value} >= 0 THEN {value} = 1 END"
            case "whole":
                return f"CASE WHEN {value} >= 0 THEN {value} END"
            case "text" | "long text":
                return f"text_of(CASE WHEN {value} >= 0 THEN {value} END)"
            case "key":
                forms = {"text": f"text_of({value}::INTEGER)", "hex": f"printf('%016x', {value})"}
                value = forms.get(self._log.key_form, f"{value}::VARCHAR")
            case _ if field.bit:  # the database reads NaN in an array as null
                value = f"coalesce({value}, 'nan'::DOUBLE)"
        return f"CASE WHEN given & {field.bit} <> 0 THEN {value} END" if field.bit else value

    def _links(self, rows: Array, name: str = PARENT) -> str:
        """The SQL of the ids of rows; -2 becomes the value for a node in another log."""
        ids = np.where(rows < 0, rows, self._log.columns["id"][np.maximum(rows, 0)])
        value = self._put(name, ids.astype(np.int64))
        return f"CASE WHEN {value} >= 0 THEN {value} WHEN {value} < -1 THEN {ELSEWHERE} END"

    def _table(self, field: Field, matrix: Array) -> str:
        """The SQL of a list of numbers, null where unknown, or of an object of the known ones by name."""
        cells = [self._put(f"{field.column} {at}", column) for at, column in enumerate(matrix.T)]
        is_stated = _any(f"{cell} IS NOT NULL" for cell in cells)
        if field.kind == "numbers":
            return f"CASE WHEN {is_stated} THEN [{', '.join(cells)}] END"
        names = self._log.contribution_names
        named = [(literal(name), cell) for name, cell in zip(names, cells, strict=True)]
        pairs = (
            f"CASE WHEN {cell} IS NOT NULL THEN {{key: {name}, value: {cell}}} END" for name, cell in named
        )
        some = f"map_from_entries(list_filter([{', '.join(pairs)}], lambda pair: pair IS NOT NULL))"
        made = f"WHEN {is_stated} THEN {some}"
        if len({name.lower() for name in names if name}) == len(names):  # names of objects ignore case
            every = f"{{{', '.join(f'{name}: {cell}' for name, cell in named)}}}::{sql_type(field)}"
            is_every = " AND ".join(f"{cell} IS NOT NULL" for cell in cells)
            made = f"WHEN {is_every} THEN {every} {made}"
        return f"CASE {made} END"

    def _put_stub_plies(self, stubs: Lists) -> None:
        """Put the plies of stubs and their pre-scores: a list of either, or two of one length."""
        starts, texts, numbers = map(np.asarray, (stubs.starts, stubs.texts, stubs.numbers))

        def plies_of(place: int) -> list[str | None]:
            codes = texts[starts[place] : starts[place + 1]].tolist()
            return [self._text_of(code) if code >= 0 else None for code in codes]

        def pre_scores_of(place: int) -> list[float | None]:
            known = numbers[starts[place] : starts[place + 1]].tolist()
            return [None if isnan(number) else number for number in known]

        self._put_some("plies", "VARCHAR[]", plies_of, stubs.rows, stubs.has_texts)
        self._put_some("pre_scores", "DOUBLE[]", pre_scores_of, stubs.rows, stubs.has_numbers)

    def _put_extras(self, extras: Extras) -> None:
        """Put the unknown fields, as JSON text from the log's memory."""

        def extra_of(place: int) -> str:
            return str(extras.blob[int(extras.starts[place]) : int(extras.starts[place + 1])], "utf-8")

        self._put_some(EXTRA, "VARCHAR", extra_of, extras.rows, np.True_)

    def _put_some(
        self, name: str, kind: str, make: Callable[[int], Any], rows: Array, is_stated: Array | np.bool_
    ) -> None:
        """Put values of some rows; `make` makes a value from a row's index among them."""
        places = np.full(self._log.n_rows, -1, dtype=np.int32)
        places[rows] = np.where(is_stated, np.arange(len(rows)), -1)
        value = self._put(name, places)
        self._connection.create_function(f"{name}_of", make, ["INTEGER"], kind)
        self.values[name] = f"{name}_of(CASE WHEN {value} >= 0 THEN {value} END)"


def _texts(texts: Sequence[str | None]) -> str:
    return f"([{', '.join(literal(text or '') for text in texts)}]::VARCHAR[])"


def _any(conditions: Iterable[str]) -> str:
    return f"({' OR '.join(conditions)})"
