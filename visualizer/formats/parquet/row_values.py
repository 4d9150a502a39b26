"""The rows of a Parquet file as batches of values: they become fields by the same rules as those of JSON.

A value that its field does not take raises LogError with the row, from 0 on, and the column.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, listed
from plyscope.visualizer.formats.parquet.opened_file import (
    FRACTIONS,
    HUGE,
    NUMBERS,
    ROW,
    TEXTS,
    Cell,
    OpenedFile,
    wrong_type,
)
from plyscope.visualizer.formats.parquet.schema import PARENT, quoted
from plyscope.visualizer.formats.parquet.unknown_columns import UnknownColumns
from plyscope.visualizer.formats.read.column_values import KINDS_OF, ColumnReading, ColumnValues, batch_of
from plyscope.visualizer.formats.read.forms import lines_form
from plyscope.visualizer.formats.read.line_records import LineRecords
from plyscope.visualizer.formats.seal.field_buffers import Terms
from plyscope.visualizer.formats.tape.kinds import LIST, NULL, NUMBER, WHOLE
from plyscope.visualizer.formats.tape.texts import Texts
from plyscope.visualizer.store.fields import FIELDS, OWN, Kind, entry_of

Array = npt.NDArray[Any]

AT_ONCE: Final = 2 * 122_880
"""The rows of a batch: two groups of rows as most writers make them, since a group is read as a whole."""
WHOLE_KEY: Final = "'0|[1-9][0-9]{0,19}'"
TYPES: Final[dict[Kind, tuple[frozenset[str], str]]] = {
    "score": (NUMBERS, "numbers"),
    "low edge": (NUMBERS, "numbers"),
    "high edge": (NUMBERS, "numbers"),
    "amount": (NUMBERS, "numbers"),
    "whole": (NUMBERS, "whole numbers"),
    "flag": (NUMBERS | {"boolean"}, "true or false"),
    "word": (TEXTS, "words"),
    "text": (TEXTS, "texts"),
    "long text": (TEXTS, "texts"),
    "player": (TEXTS | NUMBERS - FRACTIONS, "the names of players"),
    "key": (TEXTS | NUMBERS - FRACTIONS, "texts or whole numbers"),
    "numbers": (NUMBERS, "lists of numbers"),
    "texts": (TEXTS, "lists of texts"),
}
"""The types of columns, or of the items of their lists, that a kind of field takes, and these in words."""


class RowValues:
    """Takes the fields, ids and parents of all rows of a file into `records`. Raises LogError."""

    def __init__(self, file: OpenedFile, unknown: UnknownColumns, key_form: str) -> None:
        self._file = file
        form, self._are_texts = lines_form(), file.cells["id"].kind in TEXTS
        self.records = LineRecords(ColumnReading(), lambda kernel: kernel)
        self._role_of = {name: role for role, name in form.fields.of_field.items()}
        self._role_of |= {"id": form.id, PARENT: form.parent}
        self._item_of = form.fields.of_items
        self._one: dict[str, tuple[Cell, str]] = {}
        """Columns of one value a row by field, each with the SQL of its values."""
        self._lists: dict[str, Cell] = {}
        self._terms: dict[str, str] = {}
        """The SQL of contributions that have a column each, by their names."""
        self._map: Cell | None = None
        """The column of contributions, where it is a map."""
        for name in ("id", PARENT):
            if not file.is_empty(file.cells[name]):
                self._put_one(name, file.cells[name], key_form)
        for field in OWN:
            cell = file.cells.get(field.name)
            if cell is None or field.name == "id" or file.is_empty(cell):
                continue
            if field.kind == "entry":
                self._put_entry(field.name, cell, unknown, key_form)
            elif field.kind == "named numbers":
                self._put_contributions(cell)
            elif field.kind in ("numbers", "texts"):
                types, expected = TYPES[field.kind]
                if cell.kind not in ("list", "array") or cell.children[""].kind not in types | {"null"}:
                    raise wrong_type(cell, expected)
                self._lists[field.name] = cell
            else:
                self._put_one(field.name, cell, key_form)

    def _put_one(self, name: str, cell: Cell, key_form: str = "") -> None:
        kind: Kind = "id" if name == PARENT else FIELDS[name].kind
        types, expected = TYPES.get(kind, (NUMBERS, "whole numbers, as ids are in this file"))
        is_text = kind == "id" and self._are_texts
        if cell.kind not in types and not is_text:
            raise wrong_type(cell, expected)
        sql = cell.sql
        if kind == "key" and key_form == "number" and cell.kind in TEXTS and self._are_whole(cell):
            sql = f"({sql})::UBIGINT"
        elif is_text or cell.kind in TEXTS | HUGE:
            sql = f"({sql})::VARCHAR"
        elif cell.kind in FRACTIONS:
            sql = f"({sql})::DOUBLE"
        self._one[name] = cell, sql

    def _are_whole(self, cell: Cell) -> bool:
        """Whether every text of a column is a whole number of 64 bits."""
        fits = f"regexp_full_match({cell.sql}, {WHOLE_KEY}) AND TRY_CAST({cell.sql} AS UBIGINT) IS NOT NULL"
        return bool(self._file.one(self._file.select(f"bool_and({fits})", f"{cell.sql} IS NOT NULL"))[0])

    def _put_entry(self, name: str, cell: Cell, unknown: UnknownColumns, key_form: str) -> None:
        if cell.kind != "struct":
            raise wrong_type(cell, f"objects with {listed([each.inner_name for each in entry_of(name)])}")
        for inner, child in cell.children.items():
            if self._file.is_empty(child):
                continue
            if child.label in FIELDS:
                self._put_one(child.label, child, key_form)
            else:
                unknown.put_column(f"{name}.{inner}", child)

    def _put_contributions(self, cell: Cell) -> None:
        if cell.kind == "map":
            self._map = cell
            return
        if cell.kind != "struct":
            raise wrong_type(cell, "numbers by their names")
        for name, child in cell.children.items():
            if child.kind not in NUMBERS:
                raise wrong_type(child, "numbers")
            self._terms[name] = f"({child.sql})::DOUBLE"

    def read(self, report: Callable[[float], None]) -> None:
        """Take all rows; `report` gets the part that is done, from 0 to 1."""
        for first, last in self._file.pieces(AT_ONCE):
            self._take(first, last)
            problems = self.records.gatherer.problems
            if problems:
                problem = problems.first()
                place = f"row {problem.node:,}, {problem.field}{problem.inside}"
                raise LogError(problem.message, path=place)
            report(last / self._file.n_rows)
        self.records.finish()

    def _take(self, first: int, last: int) -> None:
        """Take the rows from `first` to before `last`."""
        file, where = self._file, f"{ROW} >= {first} AND {ROW} < {last}"
        asked = {f"one {name}": sql for name, (_, sql) in self._one.items()}
        asked |= {f"term {name}": sql for name, sql in self._terms.items()}
        asked |= {f"has {name}": f"{cell.sql} IS NOT NULL" for name, cell in self._lists.items()}
        columns = [ROW, *(f"{sql} AS {quoted(called)}" for called, sql in asked.items())]
        found = file.arrays(file.select(", ".join(columns), where))
        rows = found[ROW]
        values = {
            self._role_of[name]: self._values(name, cell, rows, found[f"one {name}"])
            for name, (cell, _) in self._one.items()
        }
        for name, cell in self._lists.items():
            of_lists = rows[np.asarray(found[f"has {name}"], np.bool_)]
            of_items, items = self._items(
                f"({cell.sql})::{'VARCHAR' if name == 'plies' else 'DOUBLE'}[]", where
            )
            kinds = np.full(len(of_lists), LIST, np.uint8)
            values[self._role_of[name]] = ColumnValues(of_lists, np.zeros(len(of_lists)), kinds)
            values[self._item_of[name]] = ColumnValues(of_items, np.ma.getdata(items), _kinds(items))
        self.records.take(batch_of(first, last - first, values))
        if self._terms:
            of_terms = [np.ma.filled(found[f"term {name}"], np.nan) for name in self._terms]
            table = np.stack(of_terms, axis=1)
            objects, codes = np.nonzero(~np.isnan(table))
            self._put_terms(rows, objects, codes, table[objects, codes], list(self._terms))
        if self._map is not None:
            sql = self._map.sql
            of_items, names = self._items(f"map_keys({sql})", where)
            numbers = np.ma.filled(self._items(f"map_values({sql})::DOUBLE[]", where)[1], np.nan)
            texts = Texts()
            codes = texts.of_values(names.tolist())
            nodes, objects = np.unique(of_items, return_inverse=True)
            self._put_terms(nodes, objects, codes, numbers, texts.all())

    def _items(self, sql: str, where: str) -> tuple[Array, Array]:
        """The items of the lists of some rows, each with its row."""
        found = self._file.arrays(self._file.select(f"{ROW}, unnest({sql}) AS item", where))
        return found[ROW], found["item"]

    def _put_terms(
        self, nodes: Array, objects: Array, codes: Array, numbers: Array, names: list[str]
    ) -> None:
        self.records.gatherer.buffers.put_contributions(nodes, Terms(objects, codes, numbers), names)

    def _values(self, name: str, cell: Cell, rows: Array, column: Array) -> ColumnValues:
        """The stated values of a column; a NaN states no whole number, as pandas writes it."""
        kind = "id" if name == PARENT else FIELDS[name].kind
        values, is_stated = np.ma.getdata(column), ~np.ma.getmaskarray(column)
        is_float = values.dtype.kind == "f"
        if is_float and kind in ("whole", "id"):
            is_stated &= ~np.isnan(values)
        if not is_stated.all():
            rows, values = rows[is_stated], values[is_stated]
        if cell.kind in HUGE:
            values = np.array([int(value) for value in values], object)
            return ColumnValues(rows, values, np.full(len(values), WHOLE, np.uint8))
        if is_float and name == "tt.from":  # whole numbers, as pandas writes them beside a missing one
            said = [int(value) if value.is_integer() else value for value in values.tolist()]
            kinds = [WHOLE if type(value) is int else NUMBER for value in said]
            return ColumnValues(rows, np.array(said, object), np.array(kinds, np.uint8))
        if is_float and kind == "flag":
            return ColumnValues(rows, values, np.where(values == np.floor(values), WHOLE, NUMBER))
        return ColumnValues(rows, values)


def _kinds(column: Array) -> Array:
    """The kinds of the values of a column."""
    kind = KINDS_OF[column.dtype.kind]
    return np.where(np.ma.getmaskarray(column), NULL, kind).astype(np.uint8)
