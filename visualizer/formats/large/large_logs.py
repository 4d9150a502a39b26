"""Lines of a log that is followed: a kernel finds where each value stands, and columns are read from slices.

No dictionary is made of a node. What is irregular, or wrong, is left to the patient reader, which says what
and where: here it is only noticed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.field_buffers import FieldBuffers
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.large import member_names, scan_kernel, slices
from plyscope.visualizer.formats.large.scan import (
    Bytes,
    IrregularError,
    Members,
    Scan,
    Source,
    by_label,
    parsed,
)
from plyscope.visualizer.formats.large.terms import read_terms
from plyscope.visualizer.formats.large.unknown_fields import UnknownFields
from plyscope.visualizer.formats.result_lines import ResultLines
from plyscope.visualizer.formats.values import CONVERTERS, numbers, read_name
from plyscope.visualizer.store.fields import FIELDS, OF_NODES

Array = npt.NDArray[Any]
Kernel = Callable[..., Any]

NUMBER_FIELDS: Final = frozenset(name for name in FIELDS if CONVERTERS.get(name) is numbers)
ENTRIES: Final = frozenset(name for name, field in FIELDS.items() if field.kind == "entry")
OF_LINES: Final = ("parent", "plyscope")
"""What a line may say beside the fields of a node."""


class ScannedLog:
    """Everything that stands in some lines: the gathered fields, the ids, the parents and the header."""

    def __init__(self, data: Source, run: Callable[[Kernel], Kernel]) -> None:
        self.buffers = FieldBuffers()
        self.header: dict[str, Any] | None = None
        self.results = ResultLines()
        self.ids: list[Array] = []
        self.parent_ids: list[tuple[Array, Array]] = []
        self._bytes = Bytes(data, run)
        self._members: dict[str, Members] = {}
        self._is_unknown = np.zeros(member_names.MOST_NAMES, dtype=np.bool_)
        self._n_judged = 0
        self.buffers.unknown = UnknownFields(self._bytes, are_in_order=False)
        self._scan = Scan(self._bytes, lines=True, where=scan_kernel.LINE)
        self.n_nodes = 0
        try:
            self._take_all()
            self.buffers.unknown.finish()
        finally:
            self._bytes.close()

    def _take_all(self) -> None:
        """Gather all lines, piece by piece."""
        data = self._bytes.array
        for records, new, beside in self._scan.pieces():
            self.n_nodes += len(new)
            for begin, end in beside.tolist():
                is_first = self.n_nodes == len(new) and (not len(records) or begin < records[0, 2])
                behind = records[records[:, 2] > begin, 0]
                n_before = int(behind.min()) if len(behind) else self.n_nodes
                self._beside(parsed(data[begin:end].tobytes()), n_before, is_first=is_first)
            self._take(records)

    def _take(self, records: Array) -> None:
        """Gather what `records` tell, field by field in the order in which they are first met."""
        records = self._take_unknown(records)
        labels = self._scan.labels
        for name, nodes, begins, sizes in by_label(self._bytes, records, labels):
            label = labels[name]
            nodes = nodes.astype(np.int32)
            if name == scan_kernel.CHILDREN:
                if any(value is not None for value in self._values(begins, sizes)):
                    raise IrregularError
            elif label == "plyscope":
                raise IrregularError  # a header with an `id`
            elif label in ("id", "parent"):
                self._take_ids(label, nodes, begins, sizes)
            elif len(nodes):
                self._take_field(label, nodes, begins, sizes)

    def _take_unknown(self, records: Array) -> Array:
        """Take the fields of nodes that the format does not know; returns the records of the others."""
        labels = self._scan.labels
        for number in range(self._n_judged, len(labels)):
            is_known = labels[number] in OF_NODES or labels[number] in OF_LINES
            self._is_unknown[number] = number != scan_kernel.CHILDREN and not is_known
        self._n_judged = len(labels)
        if not self._is_unknown.any():
            return records
        unknown, known = np.empty((2, len(records), 4), dtype=np.int64)
        n_unknown = self._bytes.run(slices.split_records)(records, self._is_unknown, unknown, known)
        unknown, known = unknown[:n_unknown], known[: len(records) - n_unknown]
        if not n_unknown:
            return records
        used = np.flatnonzero(np.bincount(unknown[:, 1])).tolist()
        names = {number: read_name(labels[number]) for number in used}
        if any(name in ("id", "iteration") or name.startswith(("tt.", "ucb.")) for name in names.values()):
            raise IrregularError  # the readers of those fields may keep something under such a name
        assert self.buffers.unknown is not None
        self.buffers.unknown.put(unknown, names)
        return known

    def _take_field(self, label: str, nodes: Array, begins: Array, sizes: Array) -> None:
        """Take the values of a field, in the cheapest way that reads them all."""
        if (nodes[1:] < nodes[:-1]).any():
            order = np.argsort(nodes, kind="stable")
            nodes, begins, sizes = nodes[order], begins[order], sizes[order]
        data, n_values, run = self._bytes.array, len(nodes), self._bytes.run
        if label == "factors":
            n_columns = 1 + int(np.count_nonzero(data[begins[0] : begins[0] + sizes[0]] == slices.COMMA))
            # A number takes two bytes: shorter lists must not ask for as much memory as the first.
            if (sizes > 2 * n_columns).all():
                matrix = np.empty((n_values, n_columns))
                if run(slices.read_lists)(data, begins, sizes, n_columns, matrix.reshape(-1)):
                    self.buffers.put_factors(matrix, nodes)
                    return
        elif label == "contributions":
            terms = read_terms(self._bytes, self._members_of(label), begins, sizes)
            if terms is not None:
                self.buffers.put_contributions(nodes, terms, self._members_of(label).labels)
                return
        elif label in ENTRIES:
            if self._take_entry(label, nodes, begins, sizes):
                return
        elif label == "key":
            keys = np.empty((n_values, 8), dtype=np.uint8)
            if run(slices.read_keys)(data, begins, sizes, keys):
                self.buffers.put_hex_keys(keys.view(">u8")[:, 0], nodes)
                return
        self._take_values(label, nodes, begins, sizes)

    def _take_values(self, label: str, nodes: Array, begins: Array, sizes: Array) -> None:
        """Take the values of a field, or of one inside an entry, named in full."""
        if label in NUMBER_FIELDS:
            read, is_read = np.empty(len(nodes)), np.zeros(len(nodes), dtype=np.bool_)
            if self._bytes.run(slices.read_numbers)(self._bytes.array, begins, sizes, read, is_read):
                self.buffers.put_numbers(label, read[is_read], nodes[is_read])
                nodes, begins, sizes = nodes[~is_read], begins[~is_read], sizes[~is_read]
                if not len(nodes):
                    return
        self.buffers.put_repeated(label, *self._bytes.distinct(begins, sizes), nodes)

    def _members_of(self, label: str) -> Members:
        if label not in self._members:
            self._members[label] = Members(self._bytes)
        return self._members[label]

    def _take_entry(self, label: str, nodes: Array, begins: Array, sizes: Array) -> bool:
        """Take the fields inside an entry, unless one is no object or has a field that the format lacks."""
        if (self._bytes.array[begins] != slices.OPEN_OBJECT).any():
            return False
        members = self._members_of(label)
        found = members.of(begins, sizes)
        names = {number: f"{label}.{members.labels[number]}" for number in np.unique(found[:, 1]).tolist()}
        if not set(names.values()) <= set(FIELDS):
            return False
        for number, name in names.items():
            inside = found[found[:, 1] == number]
            self._take_values(name, nodes[inside[:, 0]], *np.ascontiguousarray(inside[:, 2:].T))
        return True

    def _take_ids(self, label: str, nodes: Array, begins: Array, sizes: Array) -> None:
        """Take ids, or those of parents, which are null for roots."""
        read, is_read = np.zeros(len(nodes)), np.zeros(len(nodes), dtype=np.bool_)
        self._bytes.run(slices.read_numbers)(self._bytes.array, begins, sizes, read, is_read)
        ids, is_stated = read.astype(np.int64), is_read.copy()
        if (ids != read)[is_read].any():
            raise IrregularError
        if not is_read.all():
            rest = self._values(begins[~is_read], sizes[~is_read])
            is_stated[~is_read] = [value is not None for value in rest]
            ids[~is_read] = _whole([0 if value is None else value for value in rest])
        if label == "parent":
            self.parent_ids.append((nodes[is_stated].astype(np.int32), ids[is_stated]))
        elif is_stated.all():
            self.ids.append(ids)
            self.buffers.put_ids(ids, nodes)
        else:
            raise IrregularError

    def _values(self, begins: Array, sizes: Array) -> list[Any]:
        return self._bytes.values(begins, sizes)

    def _beside(self, fields: dict[str, Any], n_before: int, *, is_first: bool) -> None:
        """A line without `id`: the header, before all nodes, or the result."""
        if "plyscope" in fields:
            if self.header is not None or not is_first or "root" in fields or "roots" in fields:
                raise IrregularError
            read_header(fields)
            self.header = fields
        elif "result" in fields:
            self.results.take(fields, n_before)
        else:
            raise IrregularError

    def notices(self) -> list[str]:
        """The notices about the values."""
        return self._bytes.notices()


def _whole(values: list[Any]) -> Array:
    if set(map(type, values)) - {int}:
        raise IrregularError
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        raise IrregularError from None
