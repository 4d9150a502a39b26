"""Rows of a log as JSON: the fields that each states, in a fixed order, as pieces made of whole columns.

It is longer than 300 lines because every kind of field is written here.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.text_pieces import Pieces, Slices
from plyscope.visualizer.formats.values import OURS, written_name
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.fields import OWN, Field, entry_of
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

LARGEST_SHORT: Final = 1e15
"""Whole numbers below it are written without a point, where they are to be short."""

FEW_TEXTS: Final = 65_536
"""Up to so many distinct texts of a log, each is escaped once and kept."""

BESIDE_ROWS: Final = ("id", "pre_scores", "iteration")
"""Fields that are written elsewhere: by who writes rows, or with the plies of their stub."""

WRITTEN: Final = tuple(field for field in OWN if field.name not in BESIDE_ROWS)
"""The fields of rows, in the order in which they are written; unknown ones follow."""


NAMES_OF_OURS: Final = re.compile(b'"%s":' % OURS.pattern.encode())


class RowText:
    """The fields of rows of `log` as pieces `,"name":value`; neither ids nor children are among them.

    `source_names[row]` is how `tt.from` calls a row, -2 where it cannot. `short` writes whole numbers
    without a point, whatever the field.
    """

    def __init__(self, log: Log, source_names: Array, *, compile_it: bool, short: bool = False) -> None:
        self.log = log
        self._source_names = source_names
        self._compile_it = compile_it
        self._short = short
        self._escaped: dict[int, bytes] = {}

    def put(self, pieces: Pieces, rows: Array) -> None:
        """Add to `pieces` what each of `rows` states."""
        for field in WRITTEN:
            self._put_field(pieces, rows, field)
        self._put_extras(pieces, rows)

    def _put_field(self, pieces: Pieces, rows: Array, field: Field) -> None:
        match field.kind:
            case "entry":
                self._put_entry(pieces, rows, field)
                return
            case "texts":
                self._put_stub_plies(pieces, rows)
                return
            case "named numbers":
                self._put_contributions(pieces, rows)
                return
        column = self.log.columns.get(field.column)
        if column is None:
            return
        column = column[rows]
        label = f',"{field.inner_name}":'.encode()
        match field.kind:
            case "word":
                assert field.vocabulary is not None
                words = [orjson.dumps(word) for word in field.vocabulary.words]
                pieces.put(label, pieces.words(words, column), column > 0)
            case "key":
                self._put_keys(pieces, rows, label, column)
            case "id":
                column = np.where(column >= 0, self._source_names[np.maximum(column, 0)], column)
                pieces.put(label, integers(pieces, np.maximum(column, -1)), column != -1)
            case "numbers":
                is_stated = np.asarray(~np.isnan(column).all(axis=1))
                pieces.put(label, _lists(pieces, column, short=self._short), is_stated)
            case "player":
                names = [json_bytes(player) for player in self.log.players] or [b""]
                pieces.put(label, pieces.words(names, np.maximum(column, 0)), column >= 0)
            case "flag":
                said = pieces.words([b"false", b"true"], (column > 0).astype(np.int8))
                pieces.put(label, said, column >= 0)
            case "text" | "long text":
                pieces.put(label, self._texts(pieces, column), column >= 0)
            case "whole":
                pieces.put(label, integers(pieces, column), column >= 0)
            case _:
                self._put_floats(pieces, rows, field, label, column)

    def _put_floats(self, pieces: Pieces, rows: Array, field: Field, label: bytes, column: Array) -> None:
        """A column of floats; a NaN counts where the row is known to state it, and an open edge is null."""
        stated = ~np.isnan(column)
        if field.bit:
            stated = (self.log.columns["given"][rows] & field.bit) != 0
        if not stated.any():
            return
        begins, sizes = _floats(pieces, column, short=self._short or field.is_mostly_whole)
        if field.kind in ("low edge", "high edge"):
            is_open = column == (-np.inf if field.kind == "low edge" else np.inf)
            begins[is_open], sizes[is_open] = pieces.keep(b"null"), len(b"null")
        pieces.put(label, (begins, sizes), stated)

    def _texts(self, pieces: Pieces, column: Array) -> Slices:
        """Indices into the log's texts, each text once in the source; absent ones have no slice."""
        n_texts = len(self.log.texts)
        if n_texts <= FEW_TEXTS:
            is_used = np.zeros(n_texts + 1, dtype=np.bool_)
            is_used[column] = True
            used = np.flatnonzero(is_used[:-1])
        else:
            used = np.unique(column[column >= 0])
        written = []
        for index in used.tolist():
            text = self._escaped.get(index)
            if text is None:
                text = json_bytes(self.log.texts[index])
                if n_texts <= FEW_TEXTS:
                    self._escaped[index] = text
            written.append(text)
        begins, sizes = np.empty(n_texts + 1, dtype=np.int64), np.empty(n_texts + 1, dtype=np.int64)
        begins[-1], sizes[-1] = 0, 0
        begins[used], sizes[used] = pieces.table(written)
        return begins[column], sizes[column]

    def _put_keys(self, pieces: Pieces, rows: Array, label: bytes, column: Array) -> None:
        """Position keys, in the form in which the log has them."""
        stated = (self.log.columns["given"][rows] & GIVEN["key"]) != 0
        if self.log.key_form == "hex":
            begin = pieces.keep(column.astype(">u8").tobytes().hex().encode())
            begins = begin + 16 * np.arange(len(column), dtype=np.int64)
            pieces.put(label + b'"', (begins, np.full(len(column), 16, dtype=np.int64)), stated)
            pieces.put(b'"', pieces.nothing, stated)
        elif self.log.key_form == "text":
            column = np.where(stated, column.astype(np.int64), -1)
            pieces.put(label, self._texts(pieces, column), stated)
        else:
            pieces.put(label, integers(pieces, column), stated)

    def _put_contributions(self, pieces: Pieces, rows: Array) -> None:
        """What each factor contributed, by name."""
        matrix = self.log.columns.get("contributions")
        if matrix is None:
            return
        first = len(pieces)
        for name, column in zip(self.log.contribution_names, matrix[rows].T, strict=True):
            pieces.put(
                b"," + json_bytes(name) + b":", _floats(pieces, column, short=self._short), ~np.isnan(column)
            )
        _put_around(pieces, first, b',"contributions":')

    def _put_entry(self, pieces: Pieces, rows: Array, entry: Field) -> None:
        """An object of fields, such as what was found in the transposition table."""
        first = len(pieces)
        for field in entry_of(entry.name):
            self._put_field(pieces, rows, field)
        _put_around(pieces, first, f',"{entry.name}":'.encode())

    def _put_stub_plies(self, pieces: Pieces, rows: Array) -> None:
        """The plies that stubs stand for, with their pre-scores where known."""
        lists = self.log.stub_plies
        if lists is None:
            return
        has_list, places = _found(lists.rows, rows)
        starts = lists.starts[places]
        lengths = lists.starts[places + 1] - starts
        stops = np.cumsum(lengths)
        entries = np.arange(stops[-1] if len(stops) else 0) + np.repeat(starts - stops + lengths, lengths)
        plies, numbers = lists.texts[entries], lists.numbers[entries]
        first_ply = np.append(plies, -1)[np.minimum(stops - lengths, len(plies))]
        n_known = np.append(0, np.cumsum(~np.isnan(numbers)))
        of_plies, of_numbers = Pieces(len(entries)), Pieces(len(entries))
        of_plies.put(b",", self._texts(of_plies, plies))
        of_numbers.put(b",", _floats(of_numbers, numbers, null=True, short=self._short))
        has_plies = (lengths == 0) | (first_ply >= 0)
        has_numbers = (n_known[stops] > n_known[stops - lengths]) | ~has_plies
        for label, inner, is_put in (
            (b',"plies":[', of_plies, has_plies),
            (b',"pre_scores":[', of_numbers, has_numbers),
        ):
            text, ends = inner.joined(compile_it=self._compile_it)
            edges = np.append(0, ends)
            begins, sizes = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
            begins[has_list] = pieces.keep(text.data) + edges[stops - lengths] + 1
            sizes[has_list] = np.maximum(edges[stops] - edges[stops - lengths] - 1, 0)
            stated = has_list.copy()
            stated[has_list] = is_put
            pieces.put(label, (begins, sizes), stated)
            pieces.put(b"]", pieces.nothing, stated)

    def _put_extras(self, pieces: Pieces, rows: Array) -> None:
        """Fields that the format does not know; one that has a name of ours is written as `data.NAME`."""
        extras = self.log.extras
        if extras is None:
            return
        has_extras, places = _found(extras.rows, rows)
        if not len(places):
            return
        starts, stops = extras.starts[places], extras.starts[places + 1]
        first, last = int(starts[0]), int(stops[-1])
        blob = bytes(extras.blob[first:last]) if places[-1] - places[0] < len(places) else b""
        begins, sizes = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
        if blob and not NAMES_OF_OURS.search(blob):
            begins[has_extras], sizes[has_extras] = pieces.keep(blob) + starts - first + 1, stops - starts - 2
        else:
            texts = [extras.of(row) for row in rows[has_extras].tolist()]
            begins[has_extras], sizes[has_extras] = pieces.table([own_fields(text) for text in texts])
        pieces.put(b",", (begins, sizes), sizes > 0)


def _found(among: Array, rows: Array) -> tuple[Array, Array]:
    """Which of `rows` are `among`, which ascends, and at which places those are there."""
    places = np.searchsorted(among, rows.astype(among.dtype))
    is_there = np.append(among, -1)[places] == rows if len(rows) < len(among) else np.isin(rows, among)
    return is_there, places[is_there]


def own_fields(blob: bytes) -> bytes:
    """The fields of an object of unknown ones as a file has them, without braces.

    >>> own_fields(b'{"cost":1}'), own_fields(b'{"score":1}')
    (b'"cost":1', b'"data.score":1')
    """
    if not NAMES_OF_OURS.search(blob):
        return blob[1:-1]
    from plyscope.visualizer.formats.literal import read_literal

    fields = read_literal(blob.decode()).value
    return json_bytes({written_name(name): value for name, value in fields.items()})[1:-1]


def _put_around(pieces: Pieces, first: int, label: bytes) -> None:
    """Braces around the pieces from the one at `first` on, on the rows that state any."""
    stated = pieces.stated(first)
    pieces.put(label + b"{", pieces.nothing, stated, at=first)
    pieces.put(b"}", pieces.nothing, stated)


def integers(pieces: Pieces, column: Array) -> Slices:
    """Each whole number of `column`."""
    return _items(pieces, orjson.dumps(np.ascontiguousarray(column), option=orjson.OPT_SERIALIZE_NUMPY))


def _floats(pieces: Pieces, column: Array, *, short: bool = False, null: bool = False) -> Slices:
    """Each float as JSON that reads back as the same float; `short` leaves out `.0`, `null` is for NaN."""
    blob = orjson.dumps(np.ascontiguousarray(column), option=orjson.OPT_SERIALIZE_NUMPY)
    begins, sizes = _items(pieces, blob)
    if short and len(column):
        text = np.frombuffer(blob, dtype=np.uint8)
        ends = begins + sizes - begins[0] + 1
        sizes -= 2 * ((text[ends - 1] == ord("0")) & (text[ends - 2] == ord(".")))
        sizes[np.signbit(column) & (column == 0)] = len(b"-0.0")
    if not np.isfinite(column).all():
        for word, is_it in (
            (b"null" if null else b'"nan"', np.isnan(column)),
            (b'"inf"', column == np.inf),
            (b'"-inf"', column == -np.inf),
        ):
            begins[is_it], sizes[is_it] = pieces.keep(word), len(word)
    return begins, sizes


def _lists(pieces: Pieces, matrix: Array, *, short: bool = False) -> Slices:
    """Each row as a list, null where it is NaN; `short` leaves out `.0`."""
    if short or np.isinf(matrix).any():
        rows = [[None if value != value else value for value in row] for row in matrix.tolist()]
        if short:
            rows = [[_shortest(value) for value in row] for row in rows]
        return pieces.table([json_bytes(row) for row in rows])
    blob = orjson.dumps(np.ascontiguousarray(matrix), option=orjson.OPT_SERIALIZE_NUMPY)
    return _between(pieces, blob, np.flatnonzero(np.frombuffer(blob, dtype=np.uint8) == ord("]"))[:-1] + 1)


def _shortest(value: float | None) -> float | int | None:
    """The number that JSON writes with fewer digits; a zero keeps its sign."""
    is_whole = value is not None and value.is_integer() and 0 < abs(value) < LARGEST_SHORT
    return int(value) if is_whole and value is not None else value or (0 if str(value) == "0.0" else value)


def _items(pieces: Pieces, blob: bytes) -> Slices:
    """The numbers of the list `blob`."""
    ends = np.flatnonzero(np.frombuffer(blob, dtype=np.uint8) == ord(","))
    return _between(pieces, blob, np.append(ends, len(blob) - 1) if len(blob) > 2 else ends)


def _between(pieces: Pieces, blob: bytes, ends: Array) -> Slices:
    """The items of the list `blob`, one byte apart, that end before `ends`."""
    begins = np.append(0, ends[:-1])[: len(ends)] + 1
    return pieces.keep(blob) + begins, ends - begins
