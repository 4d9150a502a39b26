"""The fields of a Parquet file as columns of a log, in the order of its rows, by kind of field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, listed
from plyscope.visualizer.formats.header import Header
from plyscope.visualizer.formats.parquet import cell_values
from plyscope.visualizer.formats.parquet.cell_values import Dictionary, fail, lists_of, said, wrong_type
from plyscope.visualizer.formats.parquet.ids import NONE, Ids
from plyscope.visualizer.formats.parquet.opened_file import NUMBERS, ROW, TEXTS, WHOLE, Cell, OpenedFile
from plyscope.visualizer.formats.parquet.unknown_columns import UnknownColumns
from plyscope.visualizer.formats.read.gather import OF_SCORES
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.seal.tables import empty_table
from plyscope.visualizer.formats.seal.values import MOST_PLAYERS
from plyscope.visualizer.store.columns import CORE, GIVEN, PLACES, absent_column
from plyscope.visualizer.store.fields import FIELDS, OWN, Field, entry_of
from plyscope.visualizer.store.log import KeyForm

Array = npt.NDArray[Any]
Report = Callable[[float], None]

AT_ONCE: Final = 500_000
"""The rows whose lists of numbers are read together."""
OF_STUBS: Final = ("plies", "pre_scores")
HEX_KEY: Final = "'[0-9a-f]{16}'"
WHOLE_KEY: Final = "'0|[1-9][0-9]{0,19}'"


class FieldColumns(NodeFields):
    """The fields of one file, in the order of its rows, once `read` was called, which raises LogError."""

    def __init__(
        self, file: OpenedFile, header: Header, ids: Ids, unknown: UnknownColumns, key_form: str
    ) -> None:
        super().__init__()
        self._file, self._header, self._ids, self._others = file, header, ids, unknown
        self._stated_key_form = key_form
        self._bits = np.zeros(file.n_rows, dtype=np.uint16)
        self._read_columns: dict[str, Array] = {"given": self._bits, "id": ids.column}
        self._key_form: KeyForm = ""
        self._listed: Sequence[str] = ()

    def read(self, report: Report) -> None:
        """Read every field; `report` gets the part that is done, from 0 to 1."""
        cells = self._cells()
        self._key_form = self._form_of_keys(cells)
        texts = self._texts_of(cells)
        for number, (name, cell) in enumerate(cells.items()):
            if name not in OF_STUBS:
                self._read(FIELDS[name], cell, texts)
            report((number + 1) / (len(cells) + 1))
        self._read_stub_plies(cells, texts)
        self._listed = texts.texts()

    def taken_columns(self, n_rows: int) -> dict[str, Array]:
        """The columns of all rows, for sealing, which changes them."""
        lacking = {each.name for each in CORE[len(PLACES) :]} - self._read_columns.keys()
        return self._read_columns | {name: absent_column(name, n_rows) for name in sorted(lacking)}

    def sealed_extras(self, row_of: Array) -> tuple[Array, Array, bytes | memoryview]:
        """The rows with unknown fields, and these as JSON objects: their offsets and bytes."""
        rows, starts, objects = self._others.objects().sealed(row_of)
        return rows, starts, objects.data

    def settle_keys(self) -> KeyForm:
        """The form of all keys."""
        return self._key_form

    def listed_texts(self) -> Sequence[str]:
        """The texts by number."""
        return self._listed

    def _cells(self) -> dict[str, Cell]:
        """The column of each field in the file, fields of entries included."""
        found: dict[str, Cell] = {}
        for field in OWN:
            cell = self._file.cells.get(field.name)
            if cell is None or field.name == "id" or self._file.is_empty(cell):
                continue
            if field.kind != "entry":
                found[field.name] = cell
                continue
            if cell.kind != "struct":
                inner = listed([each.inner_name for each in entry_of(field.name)])
                raise wrong_type(cell, f"objects with {inner}")
            for name, child in cell.children.items():
                if self._file.is_empty(child):
                    continue
                if child.label in FIELDS:
                    found[child.label] = child
                else:
                    self._others.put_column(f"{field.name}.{name}", child)
        return found

    def _texts_of(self, cells: dict[str, Cell]) -> Dictionary:
        one, lists = [], []
        for name, cell in cells.items():
            kind = FIELDS[name].kind
            if kind in ("text", "long text"):
                if cell.kind not in TEXTS:
                    raise wrong_type(cell, "texts")
                one.append(cell)
            elif kind == "key" and self._key_form == "text":
                one.append(cell)
            elif kind == "texts":
                cell_values.check_list(cell, TEXTS, "lists of texts")
                lists.append(cell)
        return Dictionary(self._file, "texts", one, lists)

    def _read(self, field: Field, cell: Cell, texts: Dictionary) -> None:
        file = self._file
        match field.kind:
            case "word":
                assert field.vocabulary is not None
                self._read_columns[field.column] = cell_values.words(file, cell, field.vocabulary)
            case "flag":
                self._read_columns[field.column] = cell_values.flags(file, cell)
            case "whole" if field.name == "iteration":
                self._read_iterations(cell)
            case "whole":
                column = absent_column(field.column, file.n_rows)
                column[:] = cell_values.whole_numbers(file, cell, field.highest)
                self._read_columns[field.column] = column
            case "text" | "long text":
                self._read_columns[field.column] = texts.codes(cell)
            case "player":
                self._read_players(cell)
            case "key":
                self._read_keys(cell, texts)
            case "id":
                self._read_columns[field.column] = self._ids.rows_of(cell).astype(np.int32)
            case "numbers":
                self._read_table(field, cell)
            case "named numbers":
                self._read_contributions(cell)
            case _:
                values, stated = cell_values.numbers(file, cell)
                self._read_columns[field.column] = values
                if field.kind in OF_SCORES and (rounded := cell_values.rounded(file, cell)):
                    self.rounded[field.name] = rounded
                if field.bit:
                    self._bits[stated] |= field.bit

    def _read_iterations(self, cell: Cell) -> None:
        """Read the iterations of roots; those of other rows are kept as an unknown field."""
        iterations = cell_values.whole_numbers(self._file, cell, FIELDS["iteration"].highest)
        is_root = self._ids.parents() == NONE
        if (iterations[~is_root] >= 0).any():
            self._others.put_column("iteration", cell, "parent IS NOT NULL")
        stated = np.flatnonzero(is_root & (iterations >= 0))
        self.iterations = dict(zip(stated.tolist(), iterations[stated].tolist(), strict=True))

    # Keys and players --------------------------------------------------------------------------------
    def _form_of_keys(self, cells: dict[str, Cell]) -> KeyForm:
        """The form of all keys: 16 hexadecimal digits, whole numbers, or any texts."""
        cell = cells.get("key")
        if cell is None:
            return ""
        if cell.kind in WHOLE:
            return "text" if self._file.one(self._file.select(f"min({cell.sql})"))[0] < 0 else "number"
        if cell.kind not in TEXTS:
            raise wrong_type(cell, "texts or whole numbers")
        as_number = f"TRY_CAST({cell.sql} AS UBIGINT)"
        if self._stated_key_form == "number" and self._all_match(cell, WHOLE_KEY, as_number):
            return "number"
        return "hex" if self._stated_key_form != "text" and self._all_match(cell, HEX_KEY) else "text"

    def _all_match(self, cell: Cell, pattern: str, known: str = "true") -> bool:
        """Whether every text of a column matches, and `known` has a value there."""
        matches = f"regexp_full_match({cell.sql}, {pattern}) AND {known} IS NOT NULL"
        return bool(self._file.one(self._file.select(f"bool_and({matches})", f"{cell.sql} IS NOT NULL"))[0])

    def _read_keys(self, cell: Cell, texts: Dictionary) -> None:
        column = np.zeros(self._file.n_rows, dtype=np.uint64)
        if self._key_form == "text":
            codes = texts.codes(cell)
            stated = codes >= 0
            column[stated] = codes[stated]
        else:
            value = f"('0x' || {cell.sql})" if self._key_form == "hex" else f"({cell.sql})"
            found = self._file.column(f"{value}::UBIGINT")
            stated = ~np.ma.getmaskarray(found)
            column[stated] = np.ma.getdata(found)[stated]
        self._bits[stated] |= GIVEN["key"]
        self._read_columns["key"] = column

    def _read_players(self, cell: Cell) -> None:
        if cell.kind not in TEXTS and cell.kind not in WHOLE:
            raise wrong_type(cell, "the names of players")
        named = Dictionary(self._file, "players", [cell])
        codes, names = named.codes(cell), named.texts()
        if len(names) > MOST_PLAYERS:
            raise LogError(
                f"found {len(names):,} players, expected at most {MOST_PLAYERS:,}", path="column player"
            )
        self.players = {int(name) if cell.kind in WHOLE else name: code for code, name in enumerate(names)}
        self._read_columns["player"] = codes

    # Tables of numbers -------------------------------------------------------------------------------
    def _read_table(self, field: Field, cell: Cell) -> None:
        """Read a list of numbers a row: factors, in the order of the header, or the scores of players."""
        file = self._file
        cell_values.check_list(cell, NUMBERS, "lists of numbers")
        n_stated, width, least = (int(value or 0) for value in file.one(file.select(
            f"sum(len({cell.sql})), max(len({cell.sql})), min(len({cell.sql}))")))  # fmt: skip
        if field.name == "factors" and self._header.factors:
            wanted = len(self._header.factors)
            if n_stated and (width != wanted or least != wanted):
                row = int(file.one(file.select(f"min({ROW})", f"len({cell.sql}) <> {wanted}"))[0])
                expected = f"expected {wanted}, as many as the header names factors"
                raise fail(row, cell, f"found {said(file, cell, row)}, {expected}")
        if not width:
            return
        table = empty_table(field.name, file.n_rows, width, n_stated)
        for first, last in file.pieces(AT_ONCE):
            lists = lists_of(file, cell, first, last)
            values, lengths = cell_values.numbers_in(file, lists), lists.lengths
            if (lengths == width).all():
                table[lists.rows] = values.reshape(len(lists.rows), width)
            else:
                places = np.arange(len(values)) - np.repeat(lists.starts[:-1], lengths)
                table[np.repeat(lists.rows, lengths), places] = values
        self._read_columns[field.column], self.widths[field.name] = table, {width: 0}

    def _read_contributions(self, cell: Cell) -> None:
        file = self._file
        if cell.kind == "struct":
            columns = [cell_values.numbers(file, each)[0] for each in cell.children.values()]
            if columns:
                self._read_columns["contributions"] = np.stack(columns, axis=1)
                self.contribution_names = {name: at for at, name in enumerate(cell.children)}
            return
        if cell.kind != "map":
            raise wrong_type(cell, "numbers by their names")
        names = Cell(cell.label, f"map_keys({cell.sql})", "list", cell.type, {})
        amounts = Cell(cell.label, f"map_values({cell.sql})", "list", cell.type, {})
        named = Dictionary(file, "names", [], [names])
        texts = named.texts()
        n_stated = int(file.one(file.select(f"sum(len({names.sql}))"))[0] or 0)
        table = empty_table("contributions", file.n_rows, len(texts), n_stated)
        first_at = np.full(len(texts), np.iinfo(np.int64).max)
        n_before = 0
        for first, last in file.pieces(AT_ONCE):
            lists = lists_of(file, names, first, last)
            codes, values = (
                named.codes_in_lists(lists),
                cell_values.numbers_in(file, replace(lists, cell=amounts)),
            )
            table[np.repeat(lists.rows, lists.lengths), codes] = values
            np.minimum.at(first_at, codes, n_before + np.arange(len(codes)))
            n_before += len(codes)
        order = np.argsort(first_at, kind="stable")
        if len(texts):
            self._read_columns["contributions"] = table[:, order]
            self.contribution_names = {texts[code]: at for at, code in enumerate(order.tolist())}

    def _read_stub_plies(self, cells: dict[str, Cell], texts: Dictionary) -> None:
        cell = cells.get("plies")
        if cell is not None:
            lists = lists_of(self._file, cell)
            codes = texts.codes_in_lists(lists)
            if (codes < 0).any():
                at = int(np.searchsorted(lists.starts, int(np.argmax(codes < 0)), side="right")) - 1
                raise fail(int(lists.rows[at]), cell, "found null in a list of plies, expected texts")
            self.plies.put(lists.rows, lists.lengths, codes)
        cell = cells.get("pre_scores")
        if cell is not None:
            cell_values.check_list(cell, NUMBERS, "lists of numbers")
            lists = lists_of(self._file, cell)
            self.pre_scores.put(lists.rows, lists.lengths, cell_values.numbers_in(self._file, lists))
