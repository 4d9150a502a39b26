"""A query over many Parquet files as one data set: the same language and values, each hit with its file.

Files are read by batches, only the columns that are asked for, and their trees only where the expression uses
fields of the tree (`level`, `parent.score`). Paths and columns are then read for the hits that are shown.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.frames import pandas_of
from plyscope.visualizer.analysis.nodes.node_json import cut, number
from plyscope.visualizer.analysis.query.errors import Place, QueryError
from plyscope.visualizer.analysis.query.field import FROM_THE_TREE, OF_OTHERS, OWN
from plyscope.visualizer.analysis.query.fields import Fields, fields_of
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.run import hits_of, values_of
from plyscope.visualizer.analysis.query.syntax import Expression, Name, names_of
from plyscope.visualizer.analysis.query.table import (
    ALWAYS,
    LONGEST_TEXT,
    OF_ARRAYS,
    USUAL,
    HitTable,
    arrays,
    chosen,
    signs,
    write_columns,
)
from plyscope.visualizer.formats.parquet.data_set import IndexedFile, ReadBatch, batches, indexed, read_batch
from plyscope.visualizer.formats.parquet.schema import EXTRA
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:
    import pandas

Array = npt.NDArray[Any]

FILE: Final = "file"
"""The column that says in which file a hit is."""
ALWAYS_READ: Final = frozenset(("score", "bound", "outcome"))


@dataclass(frozen=True, eq=False, repr=False)
class FileHits(HitTable):
    """The hits of `plyscope.query_files`: a table with a row for each hit, its file first.

    `total` is the number of hits in all files; where a limit was given, `len(hits)` may be less.
    """

    total: int
    """The number of hits in all files, whatever the limit."""
    n_files: int
    """The number of files, those that were passed over included."""
    names: tuple[str, ...]
    """The columns that are shown of each hit, beside its file, id and path."""
    _columns: dict[str, Array]
    _signs: dict[str, list[str]]
    notices: tuple[str, ...] = ()
    """Notices on fields that no node states, on files passed over, and on a query without a hit."""

    def __len__(self) -> int:
        return len(self._columns[FILE])

    def columns(self) -> dict[str, Array]:
        """`file`, `id`, `path` and the columns as arrays, masked where a node does not state the value."""
        return {name: column.copy() for name, column in self._columns.items()}

    def to_pandas(self) -> pandas.DataFrame:
        """The same as a DataFrame; raises ImportError where pandas is not there."""
        return pandas_of(self._columns)

    def as_json(self) -> dict[str, Any]:
        """The answer of `plyscope query --json`: total, number of files, columns, and a row for each node."""
        made = {name: _cells(column) for name, column in self._columns.items()}
        rows = [dict(zip(made, values, strict=True)) for values in zip(*made.values(), strict=True)]
        answer = {"total": self.total, "files": self.n_files, "columns": list(self.names), "rows": rows}
        return answer | ({"notices": list(self.notices)} if self.notices else {})

    def signs(self) -> dict[str, list[str]]:
        """By column of scores, the sign before the score of each node: `≥ `, `≤ `, or nothing."""
        return self._signs

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the table as `.csv` or `.parquet`, by the ending; raises QueryError, OSError."""
        columns = self._columns
        types = {name: OF_ARRAYS.get(column.dtype.kind, "VARCHAR") for name, column in columns.items()}
        write_columns(types, [columns] if len(self) else [], Path(path))

    def __repr__(self) -> str:
        shown = f", {len(self):,} of them here" if len(self) < self.total else ""
        return f"<FileHits: {counted(self.total, 'node')} of {counted(self.n_files, 'file')}{shown}>"


@dataclass
class _Found:
    """The hits found so far: the file of each, its row there, and the value by which it is sorted."""

    files: list[Array] = field(default_factory=list)
    places: list[Array] = field(default_factory=list)
    values: list[Array] = field(default_factory=list)
    notices: list[frozenset[str]] = field(default_factory=list)
    refusals: list[tuple[QueryError, int]] = field(default_factory=list)
    read_as: dict[str, list[Path]] = field(default_factory=dict)
    """How files in other words were read, and which."""
    stated: set[str] = field(default_factory=set)

    def add(self, batch: ReadBatch, files: Sequence[IndexedFile], rows: Array) -> None:
        """Add rows of a batch."""
        at = batch.place_of_row[rows]
        numbers = np.searchsorted(batch.starts, at, side="right") - 1
        self.files.append(np.array([file.number for file in files], dtype=np.int64)[numbers])
        self.places.append(at - batch.starts[numbers])


def ask_files(
    paths: Sequence[Path],
    expression: str,
    *,
    columns: Sequence[str] | None = None,
    sort: str | None = None,
    descending: bool = False,
    limit: int | None = None,
) -> FileHits:
    """The hits in all files, in their order and that of the search, or sorted by a value.

    `limit` is the number shown. Raises QueryError, and LogError that names the file.
    """
    condition = parse(expression)
    order = None if sort is None else _sorted_by(sort)
    asked = [*names_of(condition), *([] if order is None else names_of(order))]
    names = _needed(asked)
    files = indexed(paths)
    found = _Found()
    for batch in batches(files):
        read = read_batch(batch, names)
        for notice in read.notices:
            found.read_as.setdefault(notice, []).append(batch[0].path)
        tree = Tree(read.log)
        fields = fields_of(tree)
        try:
            rows, notices = hits_of(fields, expression)
            values = None if order is None else _values(fields, rows, order)
        except QueryError as error:
            found.refusals.append((error, len(batch)))
            continue
        found.notices.append(frozenset(notices))
        found.stated |= {name for name in USUAL if fields.find(name).is_stated}
        found.add(read, batch, rows)
        if values is not None:
            found.values.append(values)
    if found.refusals and not found.files:
        raise found.refusals[0][0]
    return _answer(files, found, condition, columns, order is not None, descending=descending, limit=limit)


def _answer(
    files: Sequence[IndexedFile],
    found: _Found,
    condition: Expression,
    columns: Sequence[str] | None,
    is_sorted: bool,
    *,
    descending: bool,
    limit: int | None,
) -> FileHits:
    hit_files = np.concatenate([np.zeros(0, np.int64), *found.files])
    places = np.concatenate([np.zeros(0, np.int64), *found.places])
    order = np.lexsort((places, hit_files))
    if is_sorted and len(order):
        order = order[_order(_joined(found.values)[order], descending=descending)]
    elif descending:
        order = order[::-1]
    shown = order[:limit]
    if columns is None:
        named = dict.fromkeys([name.text for name in names_of(condition)])
        columns = [*named, *(name for name in USUAL if name in found.stated and name not in named)]
    columns = list(dict.fromkeys(name for name in columns if name not in (*ALWAYS, FILE)))
    made, before = _columns(files, hit_files[shown], places[shown], columns)
    n_rows = sum(file.n_rows for file in files)
    notices = sorted(frozenset.intersection(*found.notices)) if found.notices else []
    told = [notice.replace("of this log", "of these logs") for notice in notices]
    for notice, given in found.read_as.items():
        more = f" and {len(given) - 1:,} more" if len(given) > 1 else ""
        told.append(f"{given[0]}{more}: {notice}")
    n_refused = sum(n_files for _, n_files in found.refusals)
    if n_refused:
        told.append(
            f"{n_refused:,} of {len(files):,} files were passed over, the first since: "
            f"{found.refusals[0][0].message}"
        )
    if not len(order):
        told.append(f"no node of {n_rows:,} in {len(files):,} files")
    return FileHits(len(order), len(files), tuple(columns), made, before, tuple(told))


# Columns to be read ---------------------------------------------------------------------------------------
def _sorted_by(sort: str) -> Expression:
    """The value that hits are sorted by: a field by its very name, or an expression."""
    parts = tuple(sort.split("."))
    if sort in FIELDS or sort in FROM_THE_TREE or parts[0] in OF_OTHERS:
        return Name(parts, Place(0, len(sort)))
    try:
        return parse(sort)
    except QueryError as error:
        raise error.beside("sort") from None


def _needed(names: Sequence[Name]) -> frozenset[str]:
    """The columns of the files that these names need."""
    columns = set(ALWAYS_READ)
    for name in names:
        of = name.parts[0] in OF_OTHERS and len(name.parts) > 1
        text = ".".join(name.parts[1:] if of else name.parts)
        group = text.partition(".")[0]
        if group in FIELDS:
            columns.add(group)
            if group == "contributions":  # computed from factors where a log states none
                columns.add("factors")
        elif text not in FROM_THE_TREE:
            columns |= {EXTRA, text.removeprefix(f"{OWN}.")}
    return frozenset(columns)


# Columns that are shown -----------------------------------------------------------------------------------
def _columns(
    files: Sequence[IndexedFile], numbers: Array, places: Array, columns: Sequence[str]
) -> tuple[dict[str, Array], dict[str, list[str]]]:
    """File, id, path and the chosen columns of the nodes at these places of files; the signs of scores."""
    wanted = [Name(tuple(name.split(".")), Place(0, len(name))) for name in columns]
    names = _needed(wanted)
    pieces: list[tuple[Array, dict[str, Array]]] = []
    before: dict[str, list[str]] = {}
    refusal: QueryError | None = None
    asked = [files[number] for number in np.unique(numbers).tolist()]
    for batch in batches(asked):
        read = read_batch(batch, names | {"ply"})
        tree = Tree(read.log)
        fields = fields_of(tree)
        in_batch = np.array([file.number for file in batch])
        here = np.flatnonzero(np.isin(numbers, in_batch))
        starts = read.starts[np.searchsorted(in_batch, numbers[here])]
        rows = read.row_of_place[starts + places[here]]
        known = []
        for name in columns:
            try:
                known += chosen(fields, [name])
            except QueryError as error:
                refusal = refusal or error
        pieces.append((here, arrays(fields, rows, known)))
        for each in known:
            if (found := signs(fields, each, rows)) is not None:
                listed = before.setdefault(each.name, [""] * len(numbers))
                for at, sign in zip(here.tolist(), found, strict=True):
                    listed[at] = sign
    if refusal is not None and not any(len(each) == len(columns) + len(ALWAYS) for _, each in pieces):
        raise refusal
    made: dict[str, Array] = {FILE: _objects([str(files[number].path) for number in numbers.tolist()])}
    for name in (*ALWAYS, *columns):
        made[name] = _gathered(len(numbers), [(here, each[name]) for here, each in pieces if name in each])
    return made, before


def _gathered(n_rows: int, pieces: Sequence[tuple[Array, Array]]) -> Array:
    """One column of the values of some batches; texts where they are not of one type."""
    dtypes = {piece.dtype for _, piece in pieces}
    is_mixed = len(dtypes) > 1
    dtype = np.dtype(object) if is_mixed or not dtypes else dtypes.pop()
    made: Array
    if dtype.hasobject:
        made = np.full(n_rows, None, dtype=object)
    else:
        made = np.ma.masked_array(np.zeros(n_rows, dtype), mask=True)
    for here, piece in pieces:
        if is_mixed:
            made[here] = [None if each is None or each is np.ma.masked else str(each) for each in piece]
        else:
            made[here] = piece
    return made if np.ma.getmaskarray(made).any() else np.ma.getdata(made)


def _cells(column: Array) -> list[Any]:
    """Values as JSON has them."""
    known = (~np.ma.getmaskarray(column)).tolist()
    listed = np.ma.getdata(column).tolist()
    if column.dtype == np.float64:
        listed = [number(value) for value in listed]
    elif column.dtype == object:
        listed = [cut(value, LONGEST_TEXT) if isinstance(value, str) else value for value in listed]
    return [value if is_known else None for is_known, value in zip(known, listed, strict=True)]


def _objects(values: Sequence[str | None]) -> Array:
    made = np.empty(len(values), dtype=object)
    made[:] = values
    return made


# Order ----------------------------------------------------------------------------------------------------
def _values(fields: Fields, rows: Array, value: Expression) -> Array:
    """The value of each row by which hits are sorted, None where it is unknown."""
    try:
        return values_of(fields, rows, value)
    except QueryError as error:
        raise error.beside("sort") from None


def _joined(pieces: Sequence[Array]) -> Array:
    kinds = {type(value) for piece in pieces for value in piece.tolist() if value is not None}
    joined = np.concatenate(pieces)
    if str in kinds and len(kinds) > 1:
        return _objects([None if value is None else str(value) for value in joined.tolist()])
    return joined


def _order(values: Array, *, descending: bool) -> Array:
    """The places of values in their order; unknown ones last, equal ones as they were."""
    known = np.array([value is not None for value in values.tolist()], dtype=np.bool_)
    ranks = np.zeros(len(values), dtype=np.int64)
    stated = values[known].tolist()
    rank_of = {value: rank for rank, value in enumerate(sorted(set(stated)))}
    ranks[known] = [rank_of[value] for value in stated]
    return np.lexsort((-ranks if descending else ranks, ~known))
