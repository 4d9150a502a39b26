"""Fields of records put as whole arrays into the buffers in which all readers gather fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunks import fail
from plyscope.visualizer.formats.binary.layout import CONTRIBUTIONS, SLICES, Column, Layout, stated
from plyscope.visualizer.formats.binary.pools import Pools
from plyscope.visualizer.formats.json_text import json_texts
from plyscope.visualizer.formats.read.gather import OF_SCORES
from plyscope.visualizer.formats.read.names import EXACT
from plyscope.visualizer.formats.seal.field_buffers import Contributions, FieldBuffers, in_order_met
from plyscope.visualizer.formats.seal.values import INT64, MOST_PLAYERS, TEXTS, Bad, read_name
from plyscope.visualizer.store.fields import FIELDS, Field

Array = npt.NDArray[Any]

HELD_ELSEWHERE: Final = ("id", "parent")
"""Names of fields that the reader takes by itself."""


@dataclass(frozen=True)
class Records:
    """Records of one layout, with their nodes and their places in the file."""

    layout: Layout
    values: Array
    nodes: Array
    bytes: Array
    """The byte of the file at which each begins."""

    def byte_of(self, index: int) -> int:
        """The byte at which record `index` begins."""
        return int(self.bytes[index])


class ColumnReader:
    """Puts the fields of records into `buffers`; `pools` has the texts and lists to which they refer."""

    def __init__(self, buffers: FieldBuffers, pools: Pools) -> None:
        self._buffers = buffers
        self._pools = pools

    def put(self, records: Records) -> None:
        """Take all fields of `records` but `id` and `parent`. Raises LogError at the first bad value."""
        contributions = []
        for number, column in enumerate(records.layout.columns):
            if column.type == "pad" or column.name in HELD_ELSEWHERE:
                continue
            values = records.values[str(number)]
            if column.name.startswith(CONTRIBUTIONS):
                contributions.append((column.name.removeprefix(CONTRIBUTIONS), values, column))
            elif (field := FIELDS.get(column.name)) is None:
                self._put_own(records, column, values)
            else:
                self._put_ours(records, column, field, values)
        if contributions:
            self._put_contributions(records, contributions)

    def _put_ours(self, records: Records, column: Column, field: Field, values: Array) -> None:
        if field.name in ("factors", "scores"):
            self._put_table(records, field, column, values)
            return
        if column.type in SLICES:
            self._put_lists(records, column, values)
            return
        known = Stated.of(records, column, values)
        values, nodes = known.values, known.nodes
        if not len(values):
            return
        if column.type == "text":
            self._put_texts(field, known)
        elif field.kind == "word":
            assert field.vocabulary is not None
            n_words = len(field.vocabulary.words)
            known.check(values < n_words, f"a number from 1 to {n_words - 1} for the field's words")
            self._buffers.put_numbers(field.name, values, nodes)
        elif field.kind == "flag":
            known.check((values == 0) | (values == 1), "0 or 1")
            self._buffers.put_numbers(field.name, values.astype(np.int8), nodes)
        elif column.type == "key":
            self._buffers.put_hex_keys(values.astype(np.uint64), nodes)
        elif field.name == "tt.from":
            known.check(values <= INT64, "an id of at most 63 bits")
            self._buffers.sources.append((nodes, values.tolist()))
        elif field.kind == "player":
            distinct, inverse = in_order_met(values)
            self._put_repeated(field, distinct.tolist(), inverse, known)
        elif field.kind == "whole":
            whole = (values >= 0) & (values <= field.highest)
            if values.dtype.kind == "f":
                whole &= values == np.floor(values)
            known.check(whole, f"a whole number from 0 to {field.highest}")
            self._buffers.put_numbers(field.name, values.astype(np.int64), nodes)
        elif field.kind == "key":
            self._buffers.put_keys(values.tolist(), nodes)
        else:
            if field.kind in OF_SCORES and values.dtype.kind in "iu":
                self._buffers.note_rounded(field.name, values[np.abs(values) >= EXACT].tolist())
            self._buffers.put_numbers(field.name, values.astype(np.float64), nodes)

    def _text_codes(self, known: Stated) -> Array:
        n_texts = self._pools.n_texts
        known.check(known.values < n_texts, f"the number of one of the {n_texts:,} texts before this chunk")
        return known.values.astype(np.int64)

    def _put_texts(self, field: Field, known: Stated) -> None:
        """Take a field of texts, written as numbers in the pool."""
        codes, nodes = self._text_codes(known), known.nodes
        if field.name in TEXTS:
            self._buffers.put_numbers(field.name, self._pools.interned(codes, self._buffers), nodes)
        elif field.kind in ("key", "id"):
            texts = self._pools.texts_of(codes)
            if field.kind == "id":
                self._buffers.sources.append((nodes, texts))
            else:
                self._buffers.put_keys(texts, nodes)
        else:
            distinct, inverse = in_order_met(codes)
            self._put_repeated(field, self._pools.texts_of(distinct), inverse, known)

    def _put_repeated(self, field: Field, distinct: Sequence[Any], inverse: Array, known: Stated) -> None:
        """Take a field of words or players: by node the value of its number in `inverse`."""
        try:
            self._buffers.put_repeated(field.name, list(distinct), inverse, known.nodes)
        except Bad as bad:
            expected = str(bad).removeprefix("expected ")
            if field.vocabulary is not None:
                is_word = np.array([text in field.vocabulary.codes for text in distinct])
                known.check(is_word[inverse], expected, lambda code: f'"{self._pools.texts_of([code])[0]}"')
            known.check(inverse < MOST_PLAYERS - len(self._buffers.players), expected)
            raise

    def _put_table(self, records: Records, field: Field, column: Column, values: Array) -> None:
        """Take lists of numbers; an unstated entry is NaN."""
        matrix = values.astype(np.float64)
        matrix[~stated(values, column.type)] = np.nan
        is_stated = stated(values, column.type).any(axis=1)
        nodes = records.nodes
        if not is_stated.all():
            matrix, nodes = matrix[is_stated], nodes[is_stated]
        if not len(nodes):
            return
        if field.name == "factors":
            self._buffers.put_factors(matrix, nodes)
        else:
            self._buffers.scores.append((nodes, matrix))

    def _put_contributions(self, records: Records, columns: list[tuple[str, Array, Column]]) -> None:
        """Take contributions by name; a record that states one of them replaces all of its node."""
        matrix = np.empty((len(records.nodes), len(columns)))
        is_stated = np.empty(matrix.shape, dtype=np.bool_)
        for at, (_, values, column) in enumerate(columns):
            is_stated[:, at] = stated(values, column.type)
            matrix[:, at] = values
        matrix[~is_stated] = np.nan
        some = is_stated.any(axis=1)
        if not some.any():
            return
        names = self._buffers.contribution_names
        codes = np.array([names.setdefault(name, len(names)) for name, _, _ in columns])
        self._buffers.contributions.append(
            Contributions(records.nodes[some], None, codes, matrix[some].reshape(-1))
        )

    def _put_lists(self, records: Records, column: Column, values: Array) -> None:
        """Take slices of the pools: the plies of stubs, and their pre-scores."""
        known = Stated.of(records, column, values)
        if not len(known.nodes):
            return
        flat, lengths = self._slices(known)
        if column.type == "texts":
            codes = self._pools.interned(self._pools.entries("texts", flat), self._buffers)
            self._buffers.plies.put(known.nodes, lengths, codes)
        else:
            self._buffers.pre_scores.put(known.nodes, lengths, self._pools.entries("numbers", flat))

    def _slices(self, known: Stated) -> tuple[Array, Array]:
        """The indices in the pool of all entries of all lists, and the number of entries of each list."""
        kind, name = known.column.type, known.column.name
        n_entries = self._pools.n_entries(kind)
        begins, lengths = known.values.astype(np.int64).T
        known.check(
            (lengths == 0) | (begins + lengths <= n_entries),
            f"entries among the {n_entries:,} before this chunk",
            lambda pair: f"a list of {pair[1]:,} from {pair[0]:,} on",
        )
        if not self._pools.take(kind, int(lengths.sum())):
            expected = "expected each entry in one list only"
            fail(known.records.byte_of(0), f"found lists of more entries than the file has, {expected}", name)
        stops = np.cumsum(lengths)
        return np.arange(stops[-1]) + np.repeat(begins - stops + lengths, lengths), lengths

    def _put_own(self, records: Records, column: Column, values: Array) -> None:
        name = read_name(column.name)
        if column.count:
            is_known = stated(values, column.type)
            some = is_known.any(axis=1)
            found: list[Any] = [
                [value if known else None for value, known in zip(row, knows, strict=True)]
                for row, knows in zip(values[some].tolist(), is_known[some].tolist(), strict=True)
            ]
            nodes = records.nodes[some]
        else:
            known = Stated.of(records, column, values)
            nodes = known.nodes
            if not len(nodes):
                return
            found = self._own_values(known)
        extras = self._buffers.extras
        extras.put_texts(nodes, extras.members.number("", name), *json_texts(found))

    def _own_values(self, known: Stated) -> list[Any]:
        values, pools = known.values, self._pools
        match known.column.type:
            case "texts" | "numbers" as kind:
                flat, lengths = self._slices(known)
                entries = pools.entries(kind, flat).tolist()
                entries = pools.texts_of(entries) if kind == "texts" else entries
                return [
                    list(entries[begin:end]) for begin, end in pairwise([0, *np.cumsum(lengths).tolist()])
                ]
            case "text":
                return pools.texts_of(self._text_codes(known))
            case "flag":
                known.check(values <= 1, "0 or 1")
                return list(values.astype(np.bool_).tolist())
            case "key":
                return [f"{value:016x}" for value in values.tolist()]
        return list(values.tolist())


@dataclass(frozen=True)
class Stated:
    """The stated values of a column."""

    records: Records
    column: Column
    values: Array
    nodes: Array
    at: Array | None
    """The indices of their records, None where all are stated."""

    @classmethod
    def of(cls, records: Records, column: Column, values: Array) -> Stated:
        """Those among the values of all `records`."""
        is_stated = stated(values, column.type)
        if column.type in SLICES:
            is_stated = is_stated[:, 1]
        if is_stated.all():
            return cls(records, column, values, records.nodes, None)
        at = np.flatnonzero(is_stated)
        return cls(records, column, values[at], records.nodes[at], at)

    def check(self, is_good: Array, expected: str, told: Callable[[Any], str] = str) -> None:
        """Raise LogError about the first value that is not good, which `told` puts into words."""
        if is_good.all():
            return
        first = int(np.argmin(is_good))
        index = first if self.at is None else int(self.at[first])
        fail(
            self.records.byte_of(index) + self.column.at,
            f"found {told(self.values[first].tolist())}, expected {expected}",
            f"{self.column.name} of node {self.records.nodes[index]}",
        )
