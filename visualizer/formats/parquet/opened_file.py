"""Open Parquet files: their metadata, columns and types, and values as arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.errors import LogError, TooLarge, listed, shown
from plyscope.visualizer.formats.json_text import strict_value
from plyscope.visualizer.formats.parquet.schema import MAGIC, literal, quoted
from plyscope.visualizer.formats.write.write_json import SMALLEST_NODE

if TYPE_CHECKING:
    import duckdb

Array = npt.NDArray[Any]

ENCRYPTED: Final = b"PARE"
FILE_NAME: Final = re.compile(r"""Invalid Input Error: | ?(in )?(Parquet )?file ["'][^"']*["']""")
"""The parts of the database's messages that say nothing about the fault."""
MOST_ROWS: Final = 2**31 - 2
KEPT_ROWS: Final = 100_000
"""Up to this many rows are read into the database's memory at once; above it, each column by itself."""
ROW: Final = "plyscope_row"
"""The number of a row of the file, from 0 on, in statements."""
NUMBERED: Final = frozenset((ROW, "file_row_number", "place"))
"""Names that statements use for numbers of rows."""
SMALLEST_ITEM: Final = 2
"""The fewest bytes of a list's item in JSON."""
NUMBERS: Final = frozenset(
    f"{sign}{size}int" for sign in ("", "u") for size in ("tiny", "small", "", "big", "huge")
) | {"integer", "uinteger", "float", "double", "decimal"}
FRACTIONS: Final = frozenset(("float", "double", "decimal"))
HUGE: Final = frozenset(("hugeint", "uhugeint"))
"""Whole numbers of more than 64 bits, which arrays do not hold."""
TEXTS: Final = frozenset(("varchar", "enum"))


@dataclass(frozen=True)
class Cell:
    """A column, or a part of one. `kind` is the database's name for its type."""

    label: str
    sql: str
    kind: str
    type: str
    children: Mapping[str, Cell]
    """The parts of an object by name; the item of a list under an empty name."""


class OpenedFile:
    """A file, or several as one table, open in a database.

    Every method raises LogError where a file is damaged. `names` are the columns that may be read, None for
    all.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        paths: Sequence[Path],
        limit: int,
        names: frozenset[str] | None = None,
    ) -> None:
        """Open the files; raises TooLarge where their rows would not fit into `limit` bytes of JSON."""
        self._connection = connection
        self._asked = names
        self._paths, self._names = paths, _listed(paths)
        self.starts = np.append(0, np.cumsum(_n_rows(connection, paths)))
        """Where the rows of each file begin among all, and their number."""
        self.n_rows = int(self.starts[-1])
        self._check_size(limit)
        is_several = len(paths) > 1
        with_rows = self._with_rows(union="true" if is_several else "false")
        self._rows = f"(SELECT * EXCLUDE (file_row_number), file_row_number AS {ROW} FROM {with_rows})"
        if is_several or self.n_rows <= KEPT_ROWS:
            self._keep(with_rows, names)

    def _with_rows(self, *, union: str) -> str:
        """The SQL of the rows, numbered in each file by `file_row_number`.

        A column whose name is one of ours in statements gets another one.
        """
        how = f"{self._names}, hive_partitioning=false, union_by_name={union}"
        with faults():
            names = self._connection.sql(f"SELECT * FROM read_parquet({how}) LIMIT 0").columns
        self._name_of = {
            f"{ROW} {place}" if name.lower() in NUMBERED else name: name for place, name in enumerate(names)
        }
        """The name in the file of each column in statements."""
        if names == [*self._name_of]:
            return f"read_parquet({how}, file_row_number=true)"
        called = ", ".join(map(quoted, self._name_of))
        number = "row_number() OVER () - 1 AS file_row_number"
        return f"(SELECT *, {number} FROM read_parquet({how}) AS file({called}))"

    def _keep(self, with_rows: str, names: frozenset[str] | None) -> None:
        """Read the rows into the database's memory, numbered over all files."""
        kept = "* EXCLUDE (file_row_number)"
        if names is not None:
            with faults():
                there = self._connection.sql(f"SELECT * FROM {with_rows} LIMIT 0").columns
            asked = (name for name in there if self._name_of.get(name) in names)
            kept = ", ".join(map(quoted, asked)) or "NULL AS id"
        self.execute(f"CREATE TEMP TABLE kept AS SELECT {kept}, file_row_number AS place FROM {with_rows}")
        places = np.arange(self.n_rows) - np.repeat(self.starts[:-1], np.diff(self.starts))
        if not np.array_equal(self.arrays("SELECT place FROM kept")["place"], places):
            raise LogError("the rows of these Parquet files came in another order than they stand there")
        self._rows = f"(SELECT * EXCLUDE (place), rowid AS {ROW} FROM kept)"

    def _check_size(self, limit: int) -> None:
        """Raise TooLarge where the rows would not fit into `limit` bytes of JSON."""
        asked = (
            "SELECT max(items), sum(bytes) FROM (SELECT sum(num_values) AS items, "
            f"sum(total_uncompressed_size) AS bytes FROM parquet_metadata({self._names}) GROUP BY column_id)"
        )
        n_items, n_bytes = (int(number or 0) for number in self.one(asked))
        least = max(self.n_rows * SMALLEST_NODE, n_items * SMALLEST_ITEM, n_bytes)
        if least > limit:
            raise TooLarge(
                f"the log has {self.n_rows:,} rows and {n_items:,} items in a column, which take {least:,} "
                f"bytes or more; expected at most {limit:,}"
            )
        if self.n_rows > MOST_ROWS:
            raise TooLarge(f"the log has {self.n_rows:,} rows, expected at most {MOST_ROWS:,}")

    @cached_property
    def footer(self) -> Footer:
        """The footer of the first file."""
        return footers(self._connection, self._paths[:1])[0]

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """The columns by name, in order."""
        with faults():
            found = self._connection.sql(f"SELECT * EXCLUDE ({ROW}) FROM {self._rows} LIMIT 0")
            names = [self._name_of.get(called, called) for called in found.columns]
            return {
                name: _cell(name, quoted(called), type_)
                for name, called, type_ in zip(names, found.columns, found.types, strict=True)
                if self._asked is None or name in self._asked
            }

    # Values ------------------------------------------------------------------------------------------
    def one(self, sql: str) -> tuple[Any, ...]:
        """The first row of a statement's result."""
        return self.rows(sql)[0]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a statement with few rows in its result; returns them."""
        with faults():
            return self._connection.execute(sql).fetchall()

    def arrays(self, sql: str) -> dict[str, Array]:
        """Run a statement; returns its columns as arrays, masked where null."""
        with faults():
            return self._connection.execute(sql).fetchnumpy()

    def select(self, values: str, where: str = "") -> str:
        """The statement that selects `values` of the rows; `ROW` is the number of each."""
        return f"SELECT {values} FROM {self._rows}" + (f" WHERE {where}" if where else "")

    def execute(self, sql: str) -> None:
        """Run a statement without a result."""
        with faults():
            self._connection.execute(sql)

    def is_empty(self, cell: Cell) -> bool:
        """Whether no row states a value."""
        return cell.label not in self._stated

    @cached_property
    def _stated(self) -> frozenset[str]:
        """The columns in which some row states a value."""
        waiting = list(self.cells.values())
        every = [
            *waiting,
            *(inner for cell in waiting if cell.kind == "struct" for inner in cell.children.values()),
        ]
        counts = self.one(self.select(", ".join(f"count({cell.sql})" for cell in every)))
        return frozenset(cell.label for cell, count in zip(every, counts, strict=True) if count)

    def pieces(self, n_rows: int) -> Iterator[tuple[int, int]]:
        """The first row and the end of each piece of the rows."""
        for first in range(0, self.n_rows, n_rows):
            yield first, min(first + n_rows, self.n_rows)


def _cell(label: str, sql: str, type_: Any) -> Cell:
    kind = str(type_.id)
    children: dict[str, Cell] = {}
    if kind == "struct":
        children = {
            name: _cell(f"{label}.{name}", f"struct_extract({sql}, {literal(name)})", inner)
            for name, inner in type_.children
        }
    elif kind in ("list", "array"):
        children = {"": _cell(label, "item", type_.children[0][1])}
    elif kind == "map":
        children = {name: _cell(label, f"entry.{name}", inner) for name, inner in type_.children}
    return Cell(label, sql, kind, str(type_), children)


class Footer(NamedTuple):
    """What the end of a file says about all of it."""

    n_rows: int
    metadata: Mapping[str, bytes]
    columns: Sequence[str]
    """The names of the columns, without the parts of objects and lists."""

    def stated(self, key: str) -> dict[str, Any] | None:
        """The JSON object under a key of the metadata, None where there is none. Raises LogError."""
        if key not in self.metadata:
            return None
        try:
            value = strict_value(self.metadata[key])
        except orjson.JSONDecodeError as error:
            message = f"found text that is no JSON ({error}), expected an object"
            raise LogError(message, path=f"metadata `{key}`") from None
        if not isinstance(value, dict):
            raise LogError(f"found {shown(value)}, expected an object", path=f"metadata `{key}`")
        return value


def footers(connection: duckdb.DuckDBPyConnection, paths: Sequence[Path]) -> list[Footer]:
    """The footers of files, in their order."""
    each = zip(
        _n_rows(connection, paths),
        _by_file(connection, paths, "key, value FROM parquet_kv_metadata"),
        _by_file(connection, paths, "name, num_children FROM parquet_schema"),
        strict=True,
    )
    return [
        Footer(
            n_rows,
            {bytes(key).decode(errors="replace"): bytes(value) for key, value in pairs},
            _outermost([(name, int(n_children or 0)) for name, n_children in schema]),
        )
        for n_rows, pairs, schema in each
    ]


def _n_rows(connection: duckdb.DuckDBPyConnection, paths: Sequence[Path]) -> list[int]:
    return [int(rows[0][0]) for rows in _by_file(connection, paths, "num_rows FROM parquet_file_metadata")]


def _by_file(
    connection: duckdb.DuckDBPyConnection, paths: Sequence[Path], asked: str
) -> list[list[tuple[Any, ...]]]:
    """The rows of a database function for each file, in the order of the files."""
    found: dict[str, list[tuple[Any, ...]]] = {str(path): [] for path in paths}
    with faults():
        for name, *values in connection.execute(f"SELECT file_name, {asked}({_listed(paths)})").fetchall():
            found[name].append(tuple(values))
        return [found[str(path)] for path in paths]


def _listed(paths: Sequence[Path]) -> str:
    return f"[{', '.join(literal(str(path)) for path in paths)}]"


def ends_of(path: Path) -> tuple[bytes, bytes]:
    """The first and the last bytes of a file; raises LogError where it cannot be read."""
    try:
        with path.open("rb") as file:
            start = file.read(len(MAGIC))
            file.seek(max(len(MAGIC), path.stat().st_size - len(MAGIC)))
            return start, file.read()
    except OSError as error:
        raise LogError(f"the file cannot be read: {error.strerror or error}") from None


def check_ends(start: bytes, end: bytes) -> None:
    """Raise LogError where a file with these first and last bytes is no complete Parquet file."""
    if end == MAGIC:
        return
    if end == ENCRYPTED or start == ENCRYPTED:
        raise LogError("this Parquet file is encrypted; write it again without a key")
    raise LogError(
        "this Parquet file is cut short: its index, which stands at the end, is not there, and without it "
        "nothing can be read; write the file again, or copy it again"
    )


def _outermost(schema: Sequence[tuple[str, int]]) -> list[str]:
    """The columns of a schema, which lists every column before its parts, with the number of these.

    >>> _outermost([("root", 3), ("id", 0), ("tt", 2), ("use", 0), ("depth", 0), ("ply", 0)])
    ['id', 'tt', 'ply']
    """
    names, n_open = [], 0
    for name, n_children in schema[1:]:
        if n_open:
            n_open += n_children - 1
        else:
            names.append(name)
            n_open = n_children
    return names


@contextmanager
def faults() -> Iterator[None]:
    """Turn errors of the database into a LogError of one sentence."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise LogError(
            "this Parquet file takes more memory than there is for it; write it in smaller row groups"
        ) from None
    except (duckdb.Error, UnicodeDecodeError) as error:
        said = FILE_NAME.sub("", " ".join(str(error).split("\n\nLINE ")[0].split()))
        said = said if len(said) <= 200 else said[:199] + "…"
        raise LogError(f"this Parquet file is damaged ({said}); write it again") from None


def wrong_type(cell: Cell, expected: str) -> LogError:
    """The error about a column with values of another type."""
    return LogError(f"found values of the type {cell.type}, expected {expected}", path=f"column {cell.label}")


def no_log(cells: Mapping[str, Cell]) -> LogError:
    """The error of a Parquet file that is no log."""
    return LogError(
        f"this Parquet file is no log: its columns are {listed(list(cells))}; expected `id`, `parent` (the "
        "id of the node above, null at a root) and fields of the log format such as `ply` and `score`, which "
        "docs/log-format.md lists"
    )
