"""Rows of a log written as CSV or Parquet, by a database of their own that never sees an expression."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.field import Known
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.table import arrays

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
    """Write id, path and the chosen columns of `rows` in their order, as the ending of `path` says.

    `texts` are columns of texts, one for each of `rows`, that stand before those.

    CSV has an empty cell for what is unknown, Parquet a null. The file is whole or as it was before. Raises
    QueryError for another ending and for columns of one name, OSError where it cannot be written.
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
    """Write columns of these names and types of SQL, which come in pieces, masked where unknown.

    Raises what `write_rows` does.
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
    except OSError as error:  # it names the folder that could not be made
        raise OSError(error.errno, error.strerror, str(path)) from None
    with room as folder:
        config: dict[str, str | bool | int | float | list[str]] = {
            "temp_directory": folder,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
        beside = Path(folder) / f"rows{path.suffix.lower()}"
        connection = duckdb.connect(":memory:", config=config)
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
