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
from plyscope.visualizer.formats.seal.values import INT64

Array = npt.NDArray[Any]

ROOT: Final = -1


class NameColumns:
    """Reads ids out of records; either all layouts of new nodes have an `id`, or none."""

    def __init__(self, pools: Pools) -> None:
        self._pools = pools
        self.has_ids: bool | None = None
        """Whether nodes have ids; None before the first node."""

    def of_new_nodes(self, records: Records) -> tuple[Array | None, Array, Array]:
        """The ids of new nodes, None if they have none, their parents, and a mask of those with a parent.

        Raises LogError.
        """
        layout, byte = records.layout, records.byte
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
            ids, is_stated = self.read(records, at_id)
            if not is_stated.all():
                fail(
                    records.byte_of(int(np.argmin(is_stated))),
                    "found a record without an id, expected one on all",
                )
        return ids, *self.read(records, at_parent, is_parent=True)

    def of_updates(self, records: Records) -> tuple[Array, Array]:
        """The ids of the nodes that records complete, and a mask of the stated ones. Raises LogError."""
        layout = records.layout
        at = layout.named("id")
        if at is None or layout.named("parent") is not None:
            found = "a `parent` in this layout" if at is not None else "no `id` in this layout"
            fail(
                records.byte,
                f'found {found}, expected ["id", "u32"] and no parent, since these nodes were written before',
            )
        return self.read(records, at)

    def read(self, records: Records, at: int, *, is_parent: bool = False) -> tuple[Array, Array]:
        """Return ids as written, whole numbers or texts, and a mask of the stated ones."""
        column = records.layout.columns[at]
        values = records.values[str(at)]
        is_stated = stated(values, column.type)
        if column.type == "text":
            bad = is_stated & (values >= self._pools.n_texts)
            if bad.any():
                first = int(np.argmax(bad))
                expected = (
                    f"expected the number of one of the {self._pools.n_texts:,} texts before this chunk"
                )
                fail(records.byte_of(first) + column.at, f"found {values[first]}, {expected}", column.name)
            texts = np.empty(len(values), dtype=object)
            texts[is_stated] = self._pools.texts_of(values[is_stated])
            return texts, is_stated
        if values.dtype.kind == "i" and is_parent:
            is_stated &= values != ROOT
        too_large = is_stated & (values > INT64) if values.dtype.itemsize == 8 else None
        if too_large is not None and too_large.any():
            first = int(np.argmax(too_large))
            fail(
                records.byte_of(first) + column.at,
                f"found {values[first]}, expected a number of 63 bits",
                column.name,
            )
        whole = values.astype(np.int64)
        return whole, is_stated


def fail_unknown(records: Records, names: Array, is_stated: Array, nodes: Array) -> None:
    """Raise LogError for the first record that completes no node, for which `nodes` is below 0."""
    if (nodes >= 0).all():
        return
    first = int(np.argmax(nodes < 0))
    name = names[first] if names.dtype == object else int(names[first])
    found = f"found the id {shown(name)}" if is_stated[first] else "found no id"
    fail(records.byte_of(first), f"{found}, expected that of a node before this chunk")


def whole_name(name: Any) -> int | str | None:
    """A JSON value as an id, None if it is none."""
    if type(name) is float and name.is_integer():
        name = int(name)
    if type(name) is str or (type(name) is int and -INT64 <= name <= INT64):
        return name
    return None
