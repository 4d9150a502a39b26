"""The columns of a log as Arrow has them, some thousand rows at a time: the types that the file has.

Numbers and codes of texts go over as they are. Texts of which a log has few are one dictionary a column;
of many, those of the rows go over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.parquet import arrow_arrays
from plyscope.visualizer.formats.parquet.arrow_arrays import ArrowColumn
from plyscope.visualizer.formats.parquet.schema import ELSEWHERE, EXTRA, PARENT
from plyscope.visualizer.formats.write.number_slices import items, numbers_bytes
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.fields import FIELDS, Field, entry_of
from plyscope.visualizer.store.log import Lists, Log

Array = npt.NDArray[Any]
Make = Callable[[slice], ArrowColumn]
"""Makes a column of some rows that follow one another."""

FEW_TEXTS: Final = 65_536
"""Up to so many texts are one dictionary."""
HEX_DIGITS: Final = 16


def staging_of(log: Log) -> dict[str, Make]:
    """The functions that make the columns of the file, by name; entries have those fields that `log` has."""
    ids, parent = log.columns["id"], log.columns["parent"]

    def parents(at: slice) -> ArrowColumn:
        above = parent[at]
        return arrow_arrays.numbers(ids[np.maximum(above, 0)], above >= 0)

    made: dict[str, Make] = {"id": lambda at: arrow_arrays.numbers(ids[at]), PARENT: parents}
    texts = TextColumns(log.texts)
    for field in FIELDS.values():
        if field.name == "iteration":
            made["iteration"] = _iterations(log)
        elif field.kind == "entry":
            inner = {
                each.inner_name: _of_field(each, log, texts)
                for each in entry_of(field.name)
                if each.column in log.columns
            }
            if inner:
                made[field.name] = _entry(inner)
        elif field.kind == "texts":
            if log.stub_plies is not None:
                made |= _stub_plies(log.stub_plies, texts)
        elif "." not in field.name and field.name != "id" and field.column in log.columns:
            made[field.name] = _of_field(field, log, texts)
    if log.extras is not None:
        made[EXTRA] = _extras(log)
    return made


class TextColumns:
    """Columns of texts by their codes, none below 0."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._dictionary = arrow_arrays.texts(list(texts)) if len(texts) <= FEW_TEXTS else None

    def of(self, codes: Array) -> ArrowColumn:
        """The text of each code."""
        if self._dictionary is None:
            used, places = np.unique(codes, return_inverse=True)
            known = [self._texts[code] if code >= 0 else None for code in used.tolist()]
            return arrow_arrays.texts([known[place] for place in places.tolist()])
        return arrow_arrays.coded(np.maximum(codes, 0).astype(np.int32), self._dictionary, codes >= 0)

    def spelled(self, codes: Array) -> ArrowColumn:
        """The same without a dictionary, as items of lists: where all lists are empty, one is not read."""
        if self._dictionary is None:
            return self.of(codes)
        ends, data = self._dictionary.buffers
        is_text = codes >= 0
        begins = np.where(is_text, ends[codes], 0)
        sizes = np.where(is_text, ends[codes + 1] - begins, 0)
        starts = np.append(0, np.cumsum(sizes))
        places = np.arange(starts[-1]) + np.repeat(begins - starts[:-1], sizes)
        return arrow_arrays.slices(data[places], starts, is_text)


def _of_field(of: Field, log: Log, texts: TextColumns) -> Make:
    column = log.columns[of.column]
    match of.kind:
        case "word":
            assert of.vocabulary is not None
            words = TextColumns([word or "" for word in of.vocabulary.words])
            return lambda at: words.of(np.where(column[at] > 0, column[at].astype(np.int32), -1))
        case "flag":
            return lambda at: arrow_arrays.truths(column[at] == 1, column[at] >= 0)
        case "whole":
            return lambda at: arrow_arrays.numbers(column[at].astype(np.int64), column[at] >= 0)
        case "text" | "long text":
            return lambda at: texts.of(column[at])
        case "player":
            players = TextColumns(log.players)
            return lambda at: players.of(column[at])
        case "key":
            return _keys(log, column, texts)
        case "id":
            return lambda at: _links(log.columns["id"], column[at])
        case "numbers":
            return lambda at: _matrix(column[at])
        case "named numbers":
            names = TextColumns(log.contribution_names)
            return lambda at: _named_numbers(column[at], names)
        case _:
            given = log.columns["given"]

            def floats(at: slice) -> ArrowColumn:
                is_stated = (given[at] & of.bit) != 0 if of.bit else ~np.isnan(column[at])
                return arrow_arrays.numbers(column[at], is_stated)

            return floats


def _links(ids: Array, rows: Array) -> ArrowColumn:
    named = np.where(rows < 0, ELSEWHERE, ids[np.maximum(rows, 0)])
    return arrow_arrays.numbers(named.astype(np.int64), rows != -1)


def _keys(log: Log, column: Array, texts: TextColumns) -> Make:
    """Keys are texts, as the log says them; of hexadecimal digits sixteen."""
    given = log.columns["given"]

    def keys(at: slice) -> ArrowColumn:
        part, stated = column[at], (given[at] & GIVEN["key"]) != 0
        if log.key_form == "text":
            return texts.of(np.where(stated, part.astype(np.int64), -1))
        if log.key_form == "hex":
            digits = part.astype(">u8").tobytes().hex().encode()
            starts = HEX_DIGITS * np.arange(len(part) + 1)
            return arrow_arrays.slices(np.frombuffer(digits, dtype=np.uint8), starts, stated)
        text = np.frombuffer(numbers_bytes(part), dtype=np.uint8)
        sizes = items(text.tobytes())[1]
        is_digit = (text >= ord("0")) & (text <= ord("9"))
        return arrow_arrays.slices(text[is_digit], np.append(0, np.cumsum(sizes)), stated)

    return keys


def _matrix(matrix: Array) -> ArrowColumn:
    """Lists of numbers, null where they are unknown; no list where all are."""
    is_known = ~np.isnan(matrix)
    stated = np.asarray(is_known.any(axis=1))
    cells = arrow_arrays.numbers(matrix[stated].ravel(), is_known[stated].ravel())
    return arrow_arrays.lists(stated * matrix.shape[1], cells, stated)


def _named_numbers(matrix: Array, names: TextColumns) -> ArrowColumn:
    is_known = ~np.isnan(matrix)
    lengths = is_known.sum(axis=1)
    keys = names.spelled(np.nonzero(is_known)[1])
    return arrow_arrays.maps(lengths, keys, arrow_arrays.numbers(matrix[is_known]), lengths > 0)


def _entry(inner: dict[str, Make]) -> Make:
    """An object on the rows that state any of its fields."""

    def entries(at: slice) -> ArrowColumn:
        children = {name: make(at) for name, make in inner.items()}
        n_rows = next(iter(children.values())).n_rows
        stated = np.zeros(n_rows, dtype=np.bool_)
        for child in children.values():
            stated |= True if child.stated is None else child.stated
        return arrow_arrays.structs(children, n_rows, stated)

    return entries


def _stub_plies(stubs: Lists, texts: TextColumns) -> dict[str, Make]:
    """The plies that stubs stand for, and their pre-scores: a list of either, or both of one length."""
    all_lengths = np.diff(stubs.starts)
    n_plies, n_numbers = (
        np.add.reduceat(np.append(stated, 0), np.minimum(stubs.starts[:-1], len(stated))) * (all_lengths > 0)
        for stated in ((stubs.texts >= 0).astype(np.int64), (~np.isnan(stubs.numbers)).astype(np.int64))
    )
    has_plies = (all_lengths == 0) | (n_plies > 0)
    has_numbers = (n_numbers > 0) | ~has_plies

    def lists(at: slice, has_list: Array, items: Callable[[Array], ArrowColumn]) -> ArrowColumn:
        first, last = np.searchsorted(stubs.rows, [at.start, at.stop]).tolist()
        rows, said, lengths = stubs.rows[first:last] - at.start, has_list[first:last], all_lengths[first:last]
        stated = np.zeros(at.stop - at.start, dtype=np.bool_)
        stated[rows] = said
        of_rows = np.zeros(len(stated), dtype=np.int64)
        of_rows[rows] = lengths * said
        is_in = np.repeat(said, lengths)
        inside = np.arange(int(stubs.starts[first]), int(stubs.starts[last]))[is_in]
        return arrow_arrays.lists(of_rows, items(inside), stated)

    def pre_scores(inside: Array) -> ArrowColumn:
        known = stubs.numbers[inside]
        return arrow_arrays.numbers(known, ~np.isnan(known))

    return {
        "plies": lambda at: lists(at, has_plies, lambda inside: texts.spelled(stubs.texts[inside])),
        "pre_scores": lambda at: lists(at, has_numbers, pre_scores),
    }


def _iterations(log: Log) -> Make:
    rows = np.array([root.row for root in log.roots], dtype=np.int64)
    said = np.array([-1 if root.iteration is None else root.iteration for root in log.roots], dtype=np.int64)

    def of_roots(at: slice) -> ArrowColumn:
        first, last = np.searchsorted(rows, [at.start, at.stop])
        column = np.full(at.stop - at.start, -1, dtype=np.int64)
        column[rows[first:last] - at.start] = said[first:last]
        return arrow_arrays.numbers(column, column >= 0)

    return of_roots


def _extras(log: Log) -> Make:
    """The fields that the format does not know, as they stand in the log's memory."""
    extras = log.extras
    assert extras is not None

    def of_rows(at: slice) -> ArrowColumn:
        first, last = np.searchsorted(extras.rows, [at.start, at.stop]).tolist()
        rows = extras.rows[first:last] - at.start
        starts = extras.starts[first : last + 1]
        lengths = np.zeros(at.stop - at.start, dtype=np.int64)
        lengths[rows] = np.diff(starts)
        stated = np.zeros(len(lengths), dtype=np.bool_)
        stated[rows] = True
        data = np.frombuffer(extras.blob, dtype=np.uint8)[int(starts[0]) : int(starts[-1])]
        return arrow_arrays.slices(data, np.append(0, np.cumsum(lengths)), stated)

    return of_rows
