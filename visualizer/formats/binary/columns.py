"""Fields of records put as whole arrays into the buffers in which all readers gather fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunks import fail
from plyscope.visualizer.formats.binary.layout import CONTRIBUTIONS, SLICES, Column, Layout, stated
from plyscope.visualizer.formats.binary.pools import Pools
from plyscope.visualizer.formats.seal.field_buffers import Contributions, FieldBuffers, in_order_met
from plyscope.visualizer.formats.seal.values import INT64, MOST_PLAYERS, TEXTS, Bad, read_name
from plyscope.visualizer.store.fields import FIELDS, Field

Array = npt.NDArray[Any]
FailWhere = Callable[..., None]

HELD_ELSEWHERE: Final = ("id", "parent")
"""Names of fields that the reader takes by itself."""


@dataclass(frozen=True)
class Records:
    """Records of one layout, with their nodes and their places in the file."""

    layout: Layout
    values: Array
    nodes: Array
    byte: int
    """The begin of the first."""
    bytes: Array | None = None
    """The begin of each, if they are not contiguous."""

    def byte_of(self, index: int) -> int:
        """The byte of the file at which record `index` begins."""
        if self.bytes is not None:
            return int(self.bytes[index])
        return self.byte + index * self.layout.dtype.itemsize


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
        values, nodes, at = _stated(values, records.nodes, column)
        if not len(values):
            return

        def fail_where(is_bad: Array, expected: str, told: Callable[[Any], str] = str) -> None:
            if is_bad.any():
                first = int(np.argmax(is_bad))
                index = first if at is None else int(at[first])
                place = records.byte_of(index) + column.at
                fail(
                    place,
                    f"found {told(values[first].item())}, {expected}",
                    f"{field.name} of node {records.nodes[index]}",
                )

        if column.type == "text":
            codes = self._text_codes(values, fail_where)
            self._put_texts(field, codes, nodes, fail_where)
        elif field.kind == "word":
            assert field.vocabulary is not None
            n_words = len(field.vocabulary.words)
            fail_where(values >= n_words, f"expected a number from 1 to {n_words - 1} for the field's words")
            self._buffers.put_numbers(field.name, values, nodes)
        elif field.kind == "flag":
            fail_where((values != 0) & (values != 1), "expected 0 or 1")
            self._buffers.put_numbers(field.name, values.astype(np.int8), nodes)
        elif column.type == "key":
            self._buffers.put_hex_keys(values.astype(np.uint64), nodes)
        elif field.name == "tt.from":
            fail_where(values > INT64, "expected an id of at most 63 bits")
            self._buffers.sources.append((nodes, values.tolist()))
        elif field.kind == "player":
            distinct, inverse = in_order_met(values)
            self._put_repeated(field, distinct.tolist(), inverse, nodes, fail_where)
        elif field.kind == "whole":
            whole = (values >= 0) & (values <= field.highest)
            if values.dtype.kind == "f":
                whole &= values == np.floor(values)
            fail_where(~whole, f"expected a whole number from 0 to {field.highest}")
            self._put_whole(field, values.astype(np.int64), nodes)
        elif field.kind == "key":
            self._buffers.put_keys(values.tolist(), nodes)
        else:
            self._buffers.put_numbers(field.name, values.astype(np.float64), nodes)

    def _put_whole(self, field: Field, values: Array, nodes: Array) -> None:
        if field.name == "iteration":
            self._buffers.iterations.update(zip(nodes.tolist(), values.tolist(), strict=True))
        else:
            self._buffers.put_numbers(field.name, values, nodes)

    def _text_codes(self, values: Array, fail_where: FailWhere) -> Array:
        n_texts = self._pools.n_texts
        fail_where(
            values >= n_texts, f"expected the number of one of the {n_texts:,} texts before this chunk"
        )
        return values.astype(np.int64)

    def _put_texts(self, field: Field, codes: Array, nodes: Array, fail_where: FailWhere) -> None:
        """Take a field of texts, written as numbers in the pool."""
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
            self._put_repeated(field, self._pools.texts_of(distinct), inverse, nodes, fail_where)

    def _put_repeated(
        self, field: Field, distinct: Sequence[Any], inverse: Array, nodes: Array, fail_where: FailWhere
    ) -> None:
        """Take a field of words or players: the value `distinct[inverse[i]]` on node `nodes[i]`."""
        try:
            self._buffers.put_repeated(field.name, list(distinct), inverse, nodes)
        except Bad as bad:
            if field.vocabulary is not None:
                is_word = np.array([text in field.vocabulary.codes for text in distinct])
                fail_where(~is_word[inverse], str(bad), lambda code: f'"{self._pools.texts_of([code])[0]}"')
            fail_where(inverse >= MOST_PLAYERS - len(self._buffers.players), str(bad))
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
        pairs, nodes, at = _stated(values, records.nodes, column)
        if not len(nodes):
            return
        flat = self._slices(records, column, pairs, at)
        if column.type == "texts":
            codes = self._pools.interned(self._pools.refs(flat), self._buffers)
            self._buffers.plies.put(nodes, pairs[:, 1].astype(np.int64), codes)
        else:
            self._buffers.pre_scores.put(nodes, pairs[:, 1].astype(np.int64), self._pools.numbers(flat))

    def _slices(self, records: Records, column: Column, pairs: Array, at: Array | None) -> Array:
        """The indices in the pool of all entries of all lists."""
        n_entries = self._pools.n_refs if column.type == "texts" else self._pools.n_numbers
        begins, lengths = pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
        is_bad = (lengths > 0) & (begins + lengths > n_entries)
        if is_bad.any():
            first = int(np.argmax(is_bad))
            place = records.byte_of(first if at is None else int(at[first])) + column.at
            found = f"found a list of {lengths[first]:,} from {begins[first]:,} on"
            fail(place, f"{found}, expected entries among the {n_entries:,} before this chunk", column.name)
        if not self._pools.take(column.type, int(lengths.sum())):
            expected = "expected each entry in one list only"
            fail(records.byte, f"found lists of more entries than the file has, {expected}", column.name)
        stops = np.cumsum(lengths)
        flat: Array = np.arange(stops[-1]) + np.repeat(begins - stops + lengths, lengths)
        return flat

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
            values, nodes, at = _stated(values, records.nodes, column)
            if not len(nodes):
                return
            found = self._own_values(records, column, values, at)
        for value, node in zip(found, nodes.tolist(), strict=True):
            self._buffers.put_extra(name, value, node)

    def _own_values(self, records: Records, column: Column, values: Array, at: Array | None) -> list[Any]:
        if column.type in SLICES:
            flat = self._slices(records, column, values, at)
            pool = self._pools
            entries = (
                pool.texts_of(pool.refs(flat)) if column.type == "texts" else pool.numbers(flat).tolist()
            )
            stops = np.cumsum(values[:, 1].astype(np.int64)).tolist()
            begins = [0, *stops[:-1]]
            return [list(entries[begin:stop]) for begin, stop in zip(begins, stops, strict=True)]

        def fail_where(is_bad: Array, expected: str) -> None:
            if is_bad.any():
                first = int(np.argmax(is_bad))
                place = records.byte_of(first if at is None else int(at[first])) + column.at
                fail(place, f"found {values[first]}, {expected}", column.name)

        match column.type:
            case "text":
                return self._pools.texts_of(self._text_codes(values, fail_where))
            case "flag":
                fail_where(values > 1, "expected 0 or 1")
                return list(values.astype(np.bool_).tolist())
            case "key":
                return [f"{value:016x}" for value in values.tolist()]
        return list(values.tolist())


def _stated(values: Array, nodes: Array, column: Column) -> tuple[Array, Array, Array | None]:
    """The stated values, their nodes, and their indices, None where all are stated."""
    is_stated = stated(values, column.type)
    if column.type in SLICES:
        is_stated = is_stated[:, 1]
    if is_stated.all():
        return values, nodes, None
    at = np.flatnonzero(is_stated)
    return values[at], nodes[at], at
