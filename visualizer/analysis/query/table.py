"""Rows of a log as a table of chosen fields: cells as JSON has them, arrays, CSV and Parquet.

A cell is the stated value, in the words of the log format, or None. Files are written by a database of their
own that never sees an expression.
"""

from __future__ import annotations

import os
import tempfile
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.frames import Framed
from plyscope.visualizer.analysis.nodes.node_json import cut, number
from plyscope.visualizer.analysis.nodes.notebook import MOST_ROWS, Block, Displayed, Figure, Table
from plyscope.visualizer.analysis.nodes.ply_path import paths_to
from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.field import At, Known
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.syntax import names_in
from plyscope.visualizer.formats.parquet.database import in_memory
from plyscope.visualizer.store.positions import shown_ply

ALWAYS: Final = ("id", "path")
"""The columns before the chosen ones, which every table has."""
USUAL: Final = ("score", "bound", "outcome")
SIGNS: Final = {"lower": "≥ ", "upper": "≤ "}
LONGEST_TEXT: Final = 300

Rows = npt.NDArray[np.integer[Any]]


class HitTable(Displayed, Framed):
    """Hits as a table, for notebooks and for other libraries."""

    @abstractmethod
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The columns as arrays, masked where unknown."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """The answer for machines."""

    @abstractmethod
    def signs(self) -> dict[str, list[str]]:
        """The bounds' signs before scores (`≥`, `≤`), by column."""

    def _for_frames(self, names: tuple[str, ...]) -> Mapping[str, npt.NDArray[Any]]:
        made = self.columns()
        return {name: made[name] for name in names or made}

    def _blocks(self) -> Iterable[Block]:
        hits: Any = self
        yield counted(hits.total, "hit")
        yield from hits.notices
        rows, signs = self.as_json()["rows"], self.signs()
        if rows:
            for row in rows:
                row["id"] = Figure(f"#{row['id']}")
            for name, before in signs.items():
                for row, sign in zip(rows, before, strict=True):
                    row[name] = None if row[name] is None else Figure(f"{sign}{row[name]:g}")
            shown = [tuple(row.values()) for row in rows[:MOST_ROWS]]
            yield Table(tuple(rows[0]), shown, hits.total - len(shown))


def chosen(fields: Fields, names: Sequence[str]) -> list[Known]:
    """The fields of these names, each once; raises QueryError for a name that there is not.

    `id` and `path` are left out, since every row has them.
    """
    try:
        found = [fields.find(name) for name in names if name not in ALWAYS]
    except QueryError as error:
        raise error.beside("columns") from None
    return list({known.name: known for known in found}.values())


def usual(fields: Fields, expression: str | None = None) -> list[str]:
    """The default columns: the fields in the expression, the score, the outcome."""
    named = [] if expression is None else names_in(parse(expression))
    names = dict.fromkeys([*named, *(name for name in USUAL if fields.find(name).is_stated)])
    return [name for name in names if name not in ALWAYS]


def cells(fields: Fields, known: Known, rows: Rows, *, longest: int | None = LONGEST_TEXT) -> list[Any]:
    """The values of a field at `rows` as JSON has them: None where unknown, texts cut at `longest`."""
    values = known.column(rows)
    absent = absent_at(fields, known, values, rows).tolist()
    listed = values.tolist()
    made: list[Any]
    match known.type:
        case "number":
            made = [number(value) for value in listed]
        case "flag":
            made = [value == 1 for value in listed]
        case "word":
            made = [known.words[value] for value in listed]
        case "text":
            made = [known.texts[value] if value >= 0 else None for value in listed]
            if known.name == "ply":
                made = [shown_ply(fields.log, row) for row in rows.tolist()]
            if longest is not None:
                made = [None if text is None else cut(text, longest) for text in made]
        case "key":
            made = [f"{value:016x}" if known.key_form == "hex" else str(value) for value in listed]
        case _:
            made = listed
    return [None if missing else value for missing, value in zip(absent, made, strict=True)]


def rows_json(fields: Fields, rows: Rows, columns: Sequence[Known]) -> list[dict[str, Any]]:
    """`rows` as objects: id, path, and the chosen columns by their names."""
    ids = fields.log.columns["id"][rows].tolist()
    columns_of = [(known.name, cells(fields, known, rows)) for known in columns]
    paths = paths_to(fields.tree, rows.tolist())
    return [
        {"id": node_id, "path": path} | {name: values[at] for name, values in columns_of}
        for at, (node_id, path) in enumerate(zip(ids, paths, strict=True))
    ]


def signs(fields: Fields, known: Known, rows: Rows) -> list[str] | None:
    """The signs before scores that are bounds, one for each of `rows`; None for a field that has no bound."""
    before, dot, name = known.name.rpartition(".")
    if name != "score":
        return None
    return [SIGNS.get(bound, "") for bound in cells(fields, fields.find(f"{before}{dot}bound"), rows)]


def arrays(fields: Fields, rows: Rows, columns: Sequence[Known]) -> dict[str, npt.NDArray[Any]]:
    """The same as arrays, masked where unknown: float64, int64, bool, and objects of texts uncut."""
    paths = np.empty(len(rows), dtype=object)
    paths[:] = paths_to(fields.tree, rows.tolist())
    found: dict[str, npt.NDArray[Any]] = {"id": fields.log.columns["id"][rows], "path": paths}
    for known in columns:
        if known.type in ("word", "text", "key"):
            texts = np.empty(len(rows), dtype=object)
            texts[:] = cells(fields, known, rows, longest=None)
            found[known.name] = texts
            continue
        values = known.column(rows)
        absent = absent_at(fields, known, values, rows)
        dtype = {"number": np.float64, "flag": np.bool_}.get(known.type, np.int64)
        filled: npt.NDArray[Any] = np.where(absent, 0, values).astype(dtype)
        found[known.name] = np.ma.masked_array(filled, mask=absent)
    return found


def absent_at(fields: Fields, known: Known, values: npt.NDArray[Any], rows: At) -> npt.NDArray[np.bool_]:
    """Mask of the `rows` that do not state the field, of which `values` are its values there."""
    if known.bit:
        return np.asarray((fields.given(known.of, rows) & known.bit) == 0)
    if known.type == "number":
        return np.asarray(np.isnan(values))
    return np.asarray(values == 0 if known.type == "word" else values < 0)


OPTIONS: Final = {
    ".csv": "FORMAT csv, HEADER true, COMPRESSION none",
    ".parquet": "FORMAT parquet, COMPRESSION zstd",
}
"""How each ending is written."""
AT_ONCE: Final = 50_000
"""Rows whose texts are in memory as objects of Python at one time."""

SQL_TYPES: Final = {"number": "DOUBLE", "whole number": "BIGINT", "flag": "BOOLEAN"}
OF_ARRAYS: Final = {"f": "DOUBLE", "i": "BIGINT", "b": "BOOLEAN"}
"""By the kind of an array; all others are texts."""


def refuse_ending(path: Path) -> None:
    """Raise QueryError where rows cannot be written to a file of this name."""
    if path.suffix.lower() not in OPTIONS:
        raise QueryError(
            f"{path.name}: rows are written as {' or '.join(OPTIONS)}, by the ending of the file"
        )


def write_rows(
    fields: Fields,
    rows: npt.NDArray[np.integer[Any]],
    columns: Sequence[Known],
    path: Path,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Write id, path and the chosen columns of `rows` in their order, in the format of `path`'s ending.

    `texts` are columns of texts, one for each of `rows`, that come first.

    An unknown cell is empty in CSV, null in Parquet. The file is written atomically. Raises QueryError for
    another ending and for two columns with one name, OSError where it cannot be written.
    """
    more = texts or {}
    types = {"id": "BIGINT", "path": "VARCHAR"} | dict.fromkeys(more, "VARCHAR")
    types |= {known.name: SQL_TYPES.get(known.type, "VARCHAR") for known in columns}

    def pieces() -> Iterator[dict[str, npt.NDArray[Any]]]:
        for first in range(0, len(rows), AT_ONCE):
            made = arrays(fields, rows[first : first + AT_ONCE], columns)
            beside = {name: _texts(each[first : first + AT_ONCE]) for name, each in more.items()}
            yield {"id": made.pop("id"), "path": made.pop("path"), **beside, **made}

    write_columns(types, pieces(), path)


def write_columns(
    types: Mapping[str, str], pieces: Iterable[Mapping[str, npt.NDArray[Any]]], path: Path
) -> None:
    """Write columns with these names and SQL types, which come in pieces, masked where unknown.

    Raises the errors of `write_rows`.
    """
    import duckdb

    refuse_ending(path)
    _refuse_alike(types)
    nan = "WHEN n{at} THEN 'nan'::DOUBLE"
    listed = ", ".join(f"c{at} {kind}" for at, kind in enumerate(types.values()))
    cells = ", ".join(
        f"CASE WHEN m{at} THEN NULL {nan.format(at=at) if kind == 'DOUBLE' else ''} ELSE c{at} END"
        for at, kind in enumerate(types.values())
    )
    named = ", ".join(f"c{at} AS {_quoted(name)}" for at, name in enumerate(types))
    target = path.resolve()
    try:
        room = tempfile.TemporaryDirectory(prefix=".hits-", dir=target.parent)
    except OSError as error:  # names the folder that could not be made
        raise OSError(error.errno, error.strerror, str(path)) from None
    with room as folder:
        beside = Path(folder) / f"rows{path.suffix.lower()}"
        connection = in_memory(folder)
        try:
            connection.execute(f"CREATE TABLE hits ({listed})")
            for piece in pieces:
                connection.register("piece", _apart(list(piece.values())))
                connection.execute(f"INSERT INTO hits SELECT {cells} FROM piece")
                connection.unregister("piece")
            name = str(beside).replace("'", "''")
            connection.execute(
                f"COPY (SELECT {named} FROM hits) TO '{name}' ({OPTIONS[path.suffix.lower()]})"
            )
        except duckdb.IOException as error:
            raise OSError(None, str(error), str(path)) from None
        finally:
            connection.close()
        os.replace(beside, target)


def _apart(columns: Sequence[npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Values and masks as columns of their own, since DuckDB reads a NaN of numpy as unknown.

    A float has a column `n` beside it, true where a NaN is stated.
    """
    found: dict[str, npt.NDArray[Any]] = {}
    for at, column in enumerate(columns):
        found[f"c{at}"] = values = np.asarray(np.ma.getdata(column))
        found[f"m{at}"] = np.ma.getmaskarray(column)
        if values.dtype == np.float64:
            found[f"n{at}"] = np.isnan(values) & ~found[f"m{at}"]
    return found


def _texts(texts: Sequence[str]) -> npt.NDArray[Any]:
    made = np.empty(len(texts), dtype=object)
    made[:] = texts
    return made


def _refuse_alike(names: Iterable[str]) -> None:
    """Raise QueryError where two names differ in nothing but the case of a letter."""
    before: dict[str, str] = {}
    for name in names:
        alike = before.setdefault(name.lower(), name)
        if alike != name:
            raise QueryError(
                f"`{alike}` and `{name}` differ in the case of letters only, which files of columns do not "
                "tell apart; name one of them"
            )


def _quoted(name: str) -> str:
    """A name of a column, which a log may have chosen, as SQL quotes it.

    >>> _quoted('factors.a"b')
    '"factors.a""b"'
    """
    return '"' + name.replace('"', '""') + '"'
