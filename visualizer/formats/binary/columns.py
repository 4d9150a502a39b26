"""Fields of records as whole arrays, gathered by the rules for values of JSON."""

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
from plyscope.visualizer.formats.read.column_values import ColumnValues, batch_of
from plyscope.visualizer.formats.read.forms import lines_form
from plyscope.visualizer.formats.read.gather import Gatherer
from plyscope.visualizer.formats.seal.field_buffers import Contributions
from plyscope.visualizer.formats.seal.values import read_name
from plyscope.visualizer.store.fields import FIELDS, Field

Array = npt.NDArray[Any]

HELD_ELSEWHERE: Final = ("id", "parent")
"""Names of fields that the reader takes by itself."""
ROLE_OF: Final = {name: role for role, name in lines_form().fields.of_field.items()}


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
    """Gives the fields of records to `gatherer`; `pools` has the texts and lists to which they refer."""

    def __init__(self, gatherer: Gatherer, pools: Pools) -> None:
        self._gatherer, self._buffers = gatherer, gatherer.buffers
        self._pools = pools

    def put(self, records: Records) -> None:
        """Take all fields of `records` but `id` and `parent`. Raises LogError at the first bad value."""
        contributions, gathered = [], {}
        for number, column in enumerate(records.layout.columns):
            if column.type == "pad" or column.name in HELD_ELSEWHERE:
                continue
            values = records.values[str(number)]
            if column.name.startswith(CONTRIBUTIONS):
                contributions.append((column.name.removeprefix(CONTRIBUTIONS), values, column))
            elif (field := FIELDS.get(column.name)) is None:
                self._put_own(records, column, values)
            elif field.name in ("factors", "scores"):
                self._put_table(records, field, column, values)
            elif column.type in SLICES:
                self._put_lists(records, column, values)
            elif column.type == "key":
                known = Stated.of(records, column, values)
                if len(known.values):
                    self._buffers.put_hex_keys(known.values.astype(np.uint64), known.nodes)
            else:
                gathered[ROLE_OF[field.name]] = self._values(field, Stated.of(records, column, values))
        if contributions:
            self._put_contributions(records, contributions)
        self._gatherer.take(batch_of(0, 0, gathered))
        if self._gatherer.problems:
            problem = self._gatherer.problems.first()
            fail(problem.place, problem.message, f"{problem.field} of node {problem.node}")

    def _values(self, field: Field, known: Stated) -> ColumnValues:
        listed: Sequence[Any] | None = None
        values = known.values
        if known.column.type == "text":
            values, listed = self._text_codes(known), self._pools.texts
        elif field.vocabulary is not None:
            listed = field.vocabulary.words
            known.check(values < len(listed), f"a number from 1 to {len(listed) - 1} for the field's words")
        elif field.kind == "flag":
            known.check((values == 0) | (values == 1), "0 or 1")
        return ColumnValues(known.nodes, values, places=known.places, listed=listed)

    def _text_codes(self, known: Stated) -> Array:
        n_texts = len(self._pools.texts)
        known.check(known.values < n_texts, f"the number of one of the {n_texts:,} texts before this chunk")
        return known.values.astype(np.int64)

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
            entries = self._pools.entries("texts", flat)
            plies = ColumnValues(entries, entries, listed=self._pools.texts)
            self._buffers.plies.put(known.nodes, lengths, plies.codes(self._buffers.texts))
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

    @property
    def places(self) -> Array:
        """The byte at which each begins."""
        records = self.records.bytes if self.at is None else self.records.bytes[self.at]
        return records + self.column.at

    def check(self, is_good: Array, expected: str, told: Callable[[Any], str] = str) -> None:
        """Raise LogError about the first value that is not good, which `told` puts into words."""
        if is_good.all():
            return
        first = int(np.argmin(is_good))
        found = f"found {told(self.values[first].tolist())}, expected {expected}"
        fail(int(self.places[first]), found, f"{self.column.name} of node {self.nodes[first]}")
