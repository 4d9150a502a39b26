"""Rows of a log as JSON: their stated fields, in a fixed order, as pieces made of whole columns."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.json_text import json_bytes, json_texts
from plyscope.visualizer.formats.write.text_pieces import Pieces, is_worth_compiling
from plyscope.visualizer.formats.write.unknown_names import with_written_names
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.fields import OWN, Field, entry_of
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

BESIDE_ROWS: Final = ("id", "pre_scores", "iteration")
"""Fields that are written elsewhere: by the caller, or with the plies of a stub."""

WRITTEN: Final = tuple(field for field in OWN if field.name not in BESIDE_ROWS)
"""The fields of rows in the order of writing; unknown ones follow."""


class RowText:
    """The fields of rows of `log` as pieces `,"name":value`, without ids and children.

    `source_names[row]` is the name of a row in `tt.from`, -2 where it has none; `n_rows` will be written.
    `short` writes whole numbers without a point in every field.
    """

    def __init__(self, log: Log, source_names: Array, n_rows: int, *, short: bool = False) -> None:
        self.log = log
        self._source_names = source_names
        self._compile_it = is_worth_compiling(n_rows)
        self._short = short
        self._columns = {name: column.view(np.ndarray) for name, column in log.columns.items()}

    def pieces(self, n_rows: int) -> Pieces:
        """Empty pieces for `n_rows` rows."""
        return Pieces(n_rows, compile_it=self._compile_it)

    def put(self, pieces: Pieces, rows: Array) -> None:
        """Add the fields of `rows`, in ascending order, to `pieces`."""
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
        name = field.column
        if name not in self._columns:
            return
        column = self._columns[name][rows]
        label = f',"{field.inner_name}":'.encode()
        match field.kind:
            case "word":
                assert field.vocabulary is not None
                pieces.put_coded(label, [None, *map(json_bytes, field.vocabulary.words[1:])], column)
            case "key":
                self._put_keys(pieces, rows, label, column)
            case "id":
                column = np.where(column >= 0, self._source_names[np.maximum(column, 0)], column)
                pieces.put_numbers(label, np.maximum(column, -1), column != -1)
            case "numbers":
                is_stated = np.asarray(~np.isnan(column).all(axis=1))
                pieces.put_lists(label, column, is_stated, short=self._short)
            case "player":
                pieces.put_coded(label, [None, *map(json_bytes, self.log.players)], column + 1)
            case "flag":
                pieces.put_coded(label, [None, b"false", b"true"], np.minimum(column, 1) + 1)
            case "text" | "long text":
                self._put_texts(pieces, label, column)
            case "whole":
                pieces.put_numbers(label, column, column >= 0)
            case _:
                self._put_floats(pieces, rows, field, label, column)

    def _put_floats(self, pieces: Pieces, rows: Array, field: Field, label: bytes, column: Array) -> None:
        """Put a column of floats; a NaN counts where it is marked as stated, and an open edge is null."""
        stated = ~np.isnan(column)
        if field.bit:
            stated = (self._columns["given"][rows] & field.bit) != 0
        if not stated.any():
            return
        low = b"null" if field.kind == "low edge" else b'"-inf"'
        high = b"null" if field.kind == "high edge" else b'"inf"'
        short = self._short or field.is_mostly_whole
        pieces.put_numbers(label, column, stated, short=short, words=(b'"nan"', low, high))

    def _put_texts(self, pieces: Pieces, label: bytes, codes: Array) -> None:
        """Put texts by their numbers, -1 for none."""
        used = np.unique(codes)
        places = np.searchsorted(used, codes)
        starts, text = json_texts([self.log.texts[code] if code >= 0 else "" for code in used.tolist()])
        begins, sizes = pieces.keep(text.data) + starts[:-1], np.diff(starts)
        pieces.put(label, (begins[places], sizes[places]), codes >= 0)

    def _put_keys(self, pieces: Pieces, rows: Array, label: bytes, column: Array) -> None:
        stated = (self._columns["given"][rows] & GIVEN["key"]) != 0
        if self.log.key_form == "hex":
            begin = pieces.keep(column.astype(">u8").tobytes().hex().encode())
            begins = begin + 16 * np.arange(len(column), dtype=np.int64)
            pieces.put(label + b'"', (begins, 16), stated)
            pieces.put(b'"', stated=stated)
        elif self.log.key_form == "text":
            codes = np.where(stated, column.astype(np.int64), -1)
            self._put_texts(pieces, label, codes)
        else:
            pieces.put_numbers(label, column, stated)

    def _put_contributions(self, pieces: Pieces, rows: Array) -> None:
        if "contributions" not in self._columns:
            return
        matrix = self._columns["contributions"][rows]
        with pieces.object(b',"contributions":'):
            for name, column in zip(self.log.contribution_names, matrix.T, strict=True):
                label = b"," + json_bytes(name) + b":"
                pieces.put_numbers(label, column, ~np.isnan(column), short=self._short)

    def _put_entry(self, pieces: Pieces, rows: Array, entry: Field) -> None:
        with pieces.object(f',"{entry.name}":'.encode()):
            for field in entry_of(entry.name):
                self._put_field(pieces, rows, field)

    def _put_stub_plies(self, pieces: Pieces, rows: Array) -> None:
        lists = self.log.stub_plies
        if lists is None:
            return
        has_list, places = _found(lists.rows, rows)
        starts = lists.starts[places]
        lengths = lists.starts[places + 1] - starts
        stops = np.cumsum(lengths)
        entries = np.arange(stops[-1] if len(stops) else 0) + np.repeat(starts - stops + lengths, lengths)
        plies, numbers = lists.texts[entries], lists.numbers[entries]
        of_plies, of_numbers = self.pieces(len(entries)), self.pieces(len(entries))
        self._put_texts(of_plies, b",", plies)
        of_numbers.put_numbers(b",", numbers, short=self._short, words=(b"null", b'"-inf"', b'"inf"'))
        for label, inner, is_put in (
            (b',"plies":[', of_plies, lists.has_texts),
            (b',"pre_scores":[', of_numbers, lists.has_numbers),
        ):
            text, ends = inner.joined()
            edges = np.append(0, ends)
            begins, sizes = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
            begins[has_list] = pieces.keep(text.data) + edges[stops - lengths] + 1
            sizes[has_list] = np.maximum(edges[stops] - edges[stops - lengths] - 1, 0)
            stated = has_list.copy()
            stated[has_list] = is_put[places]
            pieces.put(label, (begins, sizes), stated)
            pieces.put(b"]", stated=stated)

    def _put_extras(self, pieces: Pieces, rows: Array) -> None:
        extras = self.log.extras
        if extras is None:
            return
        has_extras, places = _found(extras.rows, rows)
        if not len(places):
            return
        starts = np.append(0, np.cumsum(extras.starts[places + 1] - extras.starts[places]))
        if places[-1] - places[0] < len(places):
            blob = bytes(extras.blob[int(extras.starts[places[0]]) : int(extras.starts[places[-1] + 1])])
        else:
            blob = b"".join(map(extras.of, rows[has_extras].tolist()))
        blob, starts = with_written_names(blob, starts)
        begins, sizes = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.int64)
        begins[has_extras], sizes[has_extras] = pieces.keep(blob) + starts[:-1] + 1, np.diff(starts) - 2
        pieces.put(b",", (begins, sizes), sizes > 0)


def span(among: Array, first: int, last: int) -> list[int]:
    """The begin and end of the rows from `first` to before `last` in a sorted list, which is not copied."""
    places: list[int] = np.searchsorted(among, np.array([first, last], among.dtype)).tolist()
    return places


def _found(among: Array, rows: Array) -> tuple[Array, Array]:
    """A mask of those `rows` that are in `among`, and their indices there; both ascend."""
    first, last = span(among, rows[0], rows[-1] + 1)
    is_among = np.zeros(rows[-1] + 1 - rows[0], dtype=np.bool_)
    is_among[among[first:last] - rows[0]] = True
    is_there = is_among[rows - rows[0]]
    return is_there, first + np.searchsorted(among[first:last], rows[is_there])
