"""The names of nodes in a compact log: their `id`, or their number where they have none."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunks import fail
from plyscope.visualizer.formats.binary.columns import Records
from plyscope.visualizer.formats.binary.layout import Layout
from plyscope.visualizer.formats.binary.name_columns import ROOT, NameColumns
from plyscope.visualizer.formats.binary.pools import Pools
from plyscope.visualizer.formats.errors import missing_lines, shown
from plyscope.visualizer.formats.read.names import FIRST_LARGE, NOTHING
from plyscope.visualizer.formats.read.records import mended
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers

Array = npt.NDArray[Any]

UNKNOWN: Final = -2


class Names:
    """Ids and parents of the nodes so far, in order of arrival, as numbers of `NameColumns`."""

    def __init__(self, pools: Pools) -> None:
        self._columns = NameColumns(pools)
        self._ids: list[Array] = []
        self._parents: list[Array] = []
        self._n_nodes = 0
        self._sorted: tuple[Array, Array] | None = None
        """Ids in order, and the node of each."""
        self.orphans: Array = np.empty(0, dtype=np.int64)
        """Nodes whose parent never came."""

    def put(self, records: Records) -> Array:
        """Take ids and parents of new nodes; returns the roots among them. Raises LogError."""
        ids, parents = self._columns.of_new_nodes(records)
        self._ids.append(records.nodes if ids is None else ids)
        self._parents.append(parents)
        self._n_nodes += len(parents)
        self._sorted = None
        roots: Array = records.nodes[parents == NOTHING]
        return roots

    def _all_ids(self) -> Array:
        if len(self._ids) > 1:
            self._ids = [np.concatenate(self._ids)]
        return self._ids[0] if self._ids else np.empty(0, dtype=np.int64)

    def _found(self, wanted: Array) -> Array:
        """The nodes with these ids, UNKNOWN where there is none."""
        if not self._columns.has_ids:
            return np.where((wanted >= 0) & (wanted < self._n_nodes), wanted, UNKNOWN)
        if self._sorted is None:
            ids = self._all_ids()
            order = np.arange(len(ids)) if (ids[1:] > ids[:-1]).all() else np.argsort(ids, kind="stable")
            self._sorted = ids[order], order
        in_order, nodes = self._sorted
        places = np.minimum(np.searchsorted(in_order, wanted), len(in_order) - 1)
        return np.where(in_order[places] == wanted, nodes[places], UNKNOWN)

    def nodes_of(self, layout: Layout, values: Array, byte: int) -> Array:
        """The nodes of records in a chunk LATE. Raises LogError."""
        records = Records(layout, values, np.zeros(len(values), dtype=np.int64), byte)
        numbers = self._columns.of_updates(records)
        nodes = self._found(numbers)
        self._columns.fail_unknown(records, numbers, nodes)
        return nodes

    def node_of(self, name: Any, byte: int) -> int:
        """The node with one id, as it is written in JSON. Raises LogError where there is none."""
        node = int(self._found(np.array([self._columns.number_of(name)]))[0]) if self._n_nodes else UNKNOWN
        if node < 0:
            fail(byte, f"found the id {shown(name)}, expected that of a node before this chunk")
        return node

    def parents(self) -> tuple[Array, bool]:
        """The parent of each node, -1 at roots, and whether some parent came after its child.

        It is -1 for orphans too, whose parent never came; `orphans` are these nodes.
        """
        names = np.concatenate(self._parents)
        parents = np.where(names == NOTHING, ROOT, self._found(names))
        self.orphans = np.flatnonzero(parents == UNKNOWN)
        parents[self.orphans] = ROOT
        return parents, bool((parents > np.arange(len(parents))).any())

    def first_orphan(self) -> tuple[int, int | str]:
        """The first node whose parent never came, and the id of that parent."""
        node = int(self.orphans[0])
        return node, self._columns.names.listed(np.concatenate(self._parents)[node : node + 1])[0]

    def mended(self, parents: Array) -> tuple[Array, str]:
        """The parents with a new node for each that never came, under a new root if several, and a notice."""
        names, named = self._columns.names, np.concatenate(self._parents)
        parents, missing, ids = mended(parents, self.orphans, named, self._all_ids(), names)
        self._ids = [ids]
        return parents, f"The log ends before {missing_lines('record', names.listed(missing))}."

    def put_ids(self, buffers: FieldBuffers) -> None:
        """Give `buffers` the ids, unless they are the numbers of the nodes."""
        ids = self._all_ids()
        if not np.array_equal(ids, np.arange(len(ids))):
            is_odd = bool((ids >= FIRST_LARGE).any())
            buffers.ids.append((slice(0, len(ids)), self._columns.names.listed(ids) if is_odd else ids))
