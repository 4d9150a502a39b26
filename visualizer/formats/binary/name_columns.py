"""Ids and parents in the records of a compact log, before they are looked up."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunks import fail
from plyscope.visualizer.formats.binary.columns import Records
from plyscope.visualizer.formats.binary.layout import stated
from plyscope.visualizer.formats.binary.pools import Pools
from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.read.column_values import ColumnValues
from plyscope.visualizer.formats.read.names import NOTHING, Names
from plyscope.visualizer.formats.seal.values import INT64

Array = npt.NDArray[Any]

ROOT: Final = -1


class NameColumns:
    """Reads ids out of records, as numbers of names; all layouts of new nodes have an `id`, or none."""

    def __init__(self, pools: Pools, names: Names) -> None:
        self._pools, self._names = pools, names
        self.has_ids: bool | None = None
        """Whether nodes have ids; None before the first node."""

    def of_new_nodes(self, records: Records) -> tuple[Array | None, Array]:
        """The ids of new nodes, None if they have none, and their parents. Raises LogError."""
        layout, byte = records.layout, records.byte_of(0)
        at_parent = layout.named("parent")
        if at_parent is None:
            fail(byte, 'this layout has no `parent`, expected one on new nodes: ["parent", "u32"]')
        at_id = layout.named("id")
        if self.has_ids is not None and self.has_ids != (at_id is not None):
            with_it, without = ("this layout", "others") if at_id is not None else ("others", "this layout")
            fail(
                byte,
                f"{with_it} of new nodes has an `id`, {without} none: expected one on all nodes or on none",
            )
        self.has_ids = at_id is not None
        ids = None
        if at_id is not None:
            ids = self.read(records, at_id)
            if (ids == NOTHING).any():
                fail(
                    records.byte_of(int(np.argmax(ids == NOTHING))),
                    "found a record without an id, expected one on all",
                )
        return ids, self.read(records, at_parent, is_parent=True)

    def of_updates(self, records: Records) -> Array:
        """The ids of the nodes that records complete. Raises LogError."""
        layout = records.layout
        at = layout.named("id")
        if at is None or layout.named("parent") is not None:
            found = "a `parent` in this layout" if at is not None else "no `id` in this layout"
            fail(
                records.byte_of(0),
                f'found {found}, expected ["id", "u32"] and no parent, since these nodes were written before',
            )
        return self.read(records, at)

    def read(self, records: Records, at: int, *, is_parent: bool = False) -> Array:
        """The ids in a column, NOTHING where none is stated."""
        column = records.layout.columns[at]
        values = records.values[str(at)]
        is_stated = stated(values, column.type)
        is_text = column.type == "text"
        if values.dtype.kind == "i" and is_parent:
            is_stated &= values != ROOT
        known = values[is_stated]
        n_texts = len(self._pools.texts)
        if (bad := known >= n_texts if is_text else known > INT64).any():
            expected = (
                f"the number of one of the {n_texts:,} texts before this chunk"
                if is_text
                else "a number of 63 bits"
            )
            first = int(np.flatnonzero(is_stated)[np.argmax(bad)])
            fail(
                records.byte_of(first) + column.at, f"found {values[first]}, expected {expected}", column.name
            )
        numbers = np.full(len(values), NOTHING)
        if is_text:
            distinct, place = np.unique(known, return_inverse=True)
            numbers[is_stated] = self._names.numbers_of_texts(self._pools.texts_of(distinct))[place]
            return numbers
        numbers[is_stated], _ = self._names.numbers(ColumnValues(known, known))
        return numbers

    def fail_unknown(self, records: Records, numbers: Array, nodes: Array) -> None:
        """Raise LogError for the first record that completes no node, for which `nodes` is below 0."""
        if (nodes >= 0).all():
            return
        first = int(np.argmax(nodes < 0))
        is_stated = numbers[first] != NOTHING
        found = f"the id {shown(self._names.listed(numbers[first:])[0])}" if is_stated else "no id"
        fail(records.byte_of(first), f"found {found}, expected that of a node before this chunk")
