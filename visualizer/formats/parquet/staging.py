"""The columns of a log as the database takes them, some thousand rows at a time.

Arrays go over as they are. A NaN of numpy is NULL to the database, so a float that may be stated as NaN goes
by the column `given`. No text is copied: what goes over are references to the log's texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.parquet.schema import ELSEWHERE, EXTRA, PARENT, SQL_TYPES, literal
from plyscope.visualizer.formats.parquet.text_table import TextTable
from plyscope.visualizer.store.columns import GIVEN, MATRICES
from plyscope.visualizer.store.fields import FIELDS, Field
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]
Arrays = dict[str, Array]

MOST_COLUMNS: Final = 64
"""Up to so many numbers a node, each is a column on its way; beyond, they are lists of one table."""
STATED: Final = (
    "CASE WHEN (given & {bit}) = 0 THEN NULL WHEN {name} IS NULL THEN 'nan'::DOUBLE ELSE {name} END"
)


@dataclass(frozen=True)
class Staged:
    """One column on its way: the arrays of a piece of rows, the SQL that makes its values of them."""

    name: str
    type: str
    sql: str
    arrays: Callable[[slice], Arrays]
    written: str = ""
    """The SQL of what is written, where that is not the staged value."""


@dataclass(frozen=True)
class Lists:
    """Lists of some rows on their way: a table with an entry a line, gathered by `aggregates` and joined."""

    name: str
    aggregates: str
    entries: Callable[[slice], Arrays]

    @property
    def join(self) -> str:
        """The join with the table of rows, each by its number."""
        gathered = f"SELECT rw, {self.aggregates} FROM {self.name}_entries GROUP BY rw"
        return f"LEFT JOIN ({gathered}) AS {self.name} ON rows.rw = {self.name}.rw"


@dataclass(frozen=True)
class Staging:
    """Everything that a log has, on its way."""

    columns: list[Staged]
    lists: list[Lists] = field(default_factory=list)

    def select(self) -> str:
        """The statement that makes staged rows of the registered arrays, in their order."""
        values = ", ".join(f"{each.sql} AS {each.name}" for each in self.columns)
        joins = " ".join(each.join for each in self.lists)
        return f"SELECT {values} FROM rows {joins}" + (" ORDER BY rows.rw" if joins else "")

    def tables(self, piece: slice) -> Iterator[tuple[str, Arrays]]:
        """The tables that `select` reads, of the rows of a piece."""
        rows = {"rw": np.arange(piece.stop - piece.start, dtype=np.int64)}
        for each in self.columns:
            rows |= each.arrays(piece)
        yield "rows", rows
        for lists in self.lists:
            yield f"{lists.name}_entries", lists.entries(piece)


def staging_of(log: Log) -> Staging:
    """The columns that `log` has."""
    made = Staging(_places(log))
    texts = TextTable(log.texts)
    for field_ in FIELDS.values():
        if field_.name in ("id", "iteration") or field_.kind == "entry":
            continue
        if field_.kind == "texts":
            _put_stub_plies(made, log, texts)
        elif field_.kind == "named numbers":
            _put_contributions(made, log)
        elif field_.name in MATRICES:
            _put_matrix(made, field_, log)
        elif field_.column in log.columns:
            made.columns.append(_staged(field_, log, texts))
    made.columns.append(_iterations(log))
    if log.extras is not None:
        made.columns.append(
            Staged(EXTRA, "VARCHAR", f"{EXTRA}::VARCHAR", lambda at: {EXTRA: _extras(log, at)})
        )
    return made


def _places(log: Log) -> list[Staged]:
    ids, parent, given = log.columns["id"], log.columns["parent"], log.columns["given"]

    def of_places(at: slice) -> Arrays:
        above = parent[at]
        return {
            "id": ids[at],
            PARENT: np.where(above < 0, -1, ids[np.maximum(above, 0)]),
            "given": given[at],
        }

    none: Callable[[slice], Arrays] = lambda at: {}  # noqa: E731
    return [
        Staged("id", "BIGINT", "id", of_places),
        Staged(PARENT, "BIGINT", f"CASE WHEN {PARENT} < 0 THEN NULL ELSE {PARENT} END", none),
    ]


def _staged(of: Field, log: Log, texts: TextTable) -> Staged:
    name, column = of.column, log.columns[of.column]
    plain: Callable[[slice], Arrays] = lambda at: {name: column[at]}  # noqa: E731
    unsigned = f"CASE WHEN {name} < 0 THEN NULL ELSE {name} END"
    match of.kind:
        case "word":
            assert of.vocabulary is not None
            words = " ".join(
                f"WHEN {code} THEN {literal(word)}" for code, word in enumerate(of.vocabulary.words) if word
            )
            return Staged(name, "UTINYINT", name, plain, f"CASE {name} {words} END")
        case "flag":
            return Staged(name, "BOOLEAN", f"CASE WHEN {name} < 0 THEN NULL ELSE {name} = 1 END", plain)
        case "whole":
            return Staged(name, "BIGINT", unsigned, plain)
        case "text" | "long text":
            return Staged(name, "VARCHAR", f"{name}::VARCHAR", lambda at: {name: texts.of(column[at])})
        case "player":
            players = TextTable(log.players)
            return Staged(name, "VARCHAR", f"{name}::VARCHAR", lambda at: {name: players.of(column[at])})
        case "key":
            return _keys(log, column, texts)
        case "id":
            ids = log.columns["id"]
            value = f"CASE WHEN {name} = -1 THEN NULL WHEN {name} < 0 THEN {ELSEWHERE} ELSE {name}_id END"

            def sources(at: slice) -> Arrays:
                rows = column[at]
                return {name: rows, f"{name}_id": ids[np.maximum(rows, 0)]}

            return Staged(name, "BIGINT", value, sources)
        case _:
            value = STATED.format(bit=of.bit, name=name) if of.bit else name
            return Staged(name, "DOUBLE", value, plain)


def _keys(log: Log, column: Array, texts: TextTable) -> Staged:
    """Keys are texts, as the log says them; of hexadecimal digits sixteen."""
    bit = GIVEN["key"]
    if log.key_form == "text":
        given = log.columns["given"]

        def coded(at: slice) -> Arrays:
            codes = np.where((given[at] & bit) != 0, column[at].astype(np.int64), -1)
            return {"key": texts.of(codes)}

        return Staged("key", "VARCHAR", "key::VARCHAR", coded)
    written = "format('{:016x}', key)" if log.key_form == "hex" else "key::VARCHAR"
    value = f"CASE WHEN (given & {bit}) = 0 THEN NULL ELSE key END"
    return Staged("key", "UBIGINT", value, lambda at: {"key": column[at]}, written)


def _put_matrix(made: Staging, of: Field, log: Log) -> None:
    """Lists of numbers, null where they are unknown; no list where all are."""
    matrix = log.columns.get(of.column)
    if matrix is None:
        return
    name, width = of.column, matrix.shape[1]
    if width <= MOST_COLUMNS:
        cells = [f"{name}_{at}" for at in range(width)]
        is_unstated = " AND ".join(f"{cell} IS NULL" for cell in cells)
        value = f"CASE WHEN {is_unstated} THEN NULL ELSE [{', '.join(cells)}] END"
        made.columns.append(
            Staged(
                name,
                "DOUBLE[]",
                value,
                lambda at: {cell: matrix[at, place] for place, cell in enumerate(cells)},
            )
        )
        return

    def entries(at: slice) -> Arrays:
        rows = np.flatnonzero(~np.isnan(matrix[at]).all(axis=1))
        return {
            "rw": np.repeat(rows, width),
            "place": np.tile(np.arange(width), len(rows)),
            "number": matrix[at][rows].ravel(),
        }

    made.lists.append(Lists(f"{name}_lists", "list(number ORDER BY place) AS numbers", entries))
    made.columns.append(Staged(name, "DOUBLE[]", f"{name}_lists.numbers", lambda at: {}))


def _put_contributions(made: Staging, log: Log) -> None:
    matrix = log.columns.get("contributions")
    if matrix is None:
        return
    names = TextTable(log.contribution_names)

    def entries(at: slice) -> Arrays:
        rows, places = np.nonzero(~np.isnan(matrix[at]))
        return {"rw": rows, "place": places, "name": names.of(places), "number": matrix[at][rows, places]}

    in_order = "list(name::VARCHAR ORDER BY place), list(number ORDER BY place)"
    made.lists.append(Lists("named", f"map({in_order}) AS numbers", entries))
    made.columns.append(Staged("contributions", SQL_TYPES["named numbers"], "named.numbers", lambda at: {}))


def _put_stub_plies(made: Staging, log: Log, texts: TextTable) -> None:
    """The plies that stubs stand for, and their pre-scores: a list of either, or both of one length."""
    lists = log.stub_plies
    if lists is None:
        return
    lengths = np.diff(lists.starts)
    n_plies, n_numbers = (
        np.add.reduceat(np.append(stated, 0), np.minimum(lists.starts[:-1], len(stated))) * (lengths > 0)
        for stated in ((lists.texts >= 0).astype(np.int64), (~np.isnan(lists.numbers)).astype(np.int64))
    )
    has_plies = (lengths == 0) | (n_plies > 0)
    has_numbers = (n_numbers > 0) | ~has_plies

    def of_rows(at: slice) -> Arrays:
        said = np.zeros((2, at.stop - at.start), dtype=np.bool_)
        first, last = np.searchsorted(lists.rows, [at.start, at.stop])
        rows = lists.rows[first:last] - at.start
        said[0, rows], said[1, rows] = has_plies[first:last], has_numbers[first:last]
        return {"has_plies": said[0], "has_pre_scores": said[1]}

    def entries(at: slice) -> Arrays:
        first, last = np.searchsorted(lists.rows, [at.start, at.stop])
        inside = slice(int(lists.starts[first]), int(lists.starts[last]))
        return {
            "rw": np.repeat(lists.rows[first:last].astype(np.int64) - at.start, lengths[first:last]),
            "place": np.arange(inside.stop - inside.start),
            "ply": texts.of(lists.texts[inside]),
            "number": lists.numbers[inside],
        }

    in_order = "list(ply::VARCHAR ORDER BY place) AS plies, list(number ORDER BY place) AS numbers"
    made.lists.append(Lists("stubs", in_order, entries))
    for name, values, arrays in (
        ("plies", "stubs.plies", of_rows),
        ("pre_scores", "stubs.numbers", lambda at: {}),
    ):
        value = f"CASE WHEN has_{name} THEN coalesce({values}, []) END"
        made.columns.append(Staged(name, SQL_TYPES[FIELDS[name].kind], value, arrays))


def _iterations(log: Log) -> Staged:
    rows = np.array([root.row for root in log.roots], dtype=np.int64)
    said = np.array([-1 if root.iteration is None else root.iteration for root in log.roots], dtype=np.int64)

    def of_roots(at: slice) -> Arrays:
        first, last = np.searchsorted(rows, [at.start, at.stop])
        column = np.full(at.stop - at.start, -1, dtype=np.int64)
        column[rows[first:last] - at.start] = said[first:last]
        return {"iteration": column}

    return Staged("iteration", "BIGINT", "CASE WHEN iteration < 0 THEN NULL ELSE iteration END", of_roots)


def _extras(log: Log, at: slice) -> Array:
    made = np.full(at.stop - at.start, None, dtype=object)
    extras = log.extras
    assert extras is not None
    first, last = np.searchsorted(extras.rows, [at.start, at.stop]).tolist()
    starts = extras.starts[first : last + 1].tolist()
    blob = bytes(extras.blob[starts[0] : starts[-1]])
    begin = starts[0]
    for row, (start, stop) in enumerate(pairwise(starts), start=first):
        made[extras.rows[row] - at.start] = blob[start - begin : stop - begin].decode()
    return made
