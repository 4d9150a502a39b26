"""The names of nodes in a compact log: their `id`, or their number where they have none."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunks import fail
from plyscope.visualizer.formats.binary.columns import Records
from plyscope.visualizer.formats.binary.layout import Layout
from plyscope.visualizer.formats.binary.name_columns import ROOT, NameColumns, fail_unknown, whole_name
from plyscope.visualizer.formats.binary.pools import Pools
from plyscope.visualizer.formats.errors import missing_lines, shown
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers

Array = npt.NDArray[Any]

UNKNOWN: Final = -2


class Names:
    """Ids and parents of the nodes so far, in order of arrival.

    Ids that are whole numbers stay arrays; a log in which some are texts has a dictionary.
    """

    def __init__(self, pools: Pools) -> None:
        self._columns = NameColumns(pools)
        self._n_nodes = 0
        self._id_pieces: list[Array] = []
        self._parent_pieces: list[tuple[Array, Array]] = []
        """Parents as they are named, and which nodes have one."""
        self._number_of: dict[int | str, int] | None = None
        """The node of each id, where some are texts."""
        self._sorted: tuple[Array, Array] | None = None
        """Ids in order, and the node of each."""
        self._added_ids: list[int | str] = []
        self.orphans: Array = np.empty(0, dtype=np.int64)
        """Nodes whose parent never came."""

    def put(self, records: Records) -> Array:
        """Take ids and parents of new nodes; returns the roots among them. Raises LogError."""
        ids, parents, has_parent = self._columns.of_new_nodes(records)
        if ids is not None:
            self._put_ids(records, ids)
        self._parent_pieces.append((parents, has_parent))
        self._n_nodes += len(parents)
        roots: Array = records.nodes[~has_parent]
        return roots

    def _put_ids(self, records: Records, values: Array) -> None:
        if values.dtype == object and self._number_of is None:
            self._number_of = {name: number for number, name in enumerate(self._ids().tolist())}
        if self._number_of is not None:
            for number, name in enumerate(values.tolist(), self._n_nodes):
                if self._number_of.setdefault(name, number) != number:
                    place = records.byte_of(number - self._n_nodes)
                    fail(place, f"the id {shown(name)} was seen before, expected each once")
        self._id_pieces.append(values)
        self._sorted = None

    def _ids(self) -> Array:
        """The ids so far; numbers where nodes have none."""
        if not self._columns.has_ids:
            return np.arange(self._n_nodes)
        pieces = [piece for piece in self._id_pieces if len(piece)]
        if len(pieces) > 1:
            pieces = self._id_pieces = [np.concatenate(pieces)]
        return pieces[0] if pieces else np.empty(0, dtype=np.int64)

    def _found(self, wanted: Array) -> Array:
        """The nodes with these ids, UNKNOWN where there is none."""
        if not self._columns.has_ids:
            if wanted.dtype == object:
                return np.full(len(wanted), UNKNOWN)
            return np.where((wanted >= 0) & (wanted < self._n_nodes), wanted, UNKNOWN)
        if self._number_of is None and wanted.dtype != object:
            in_order, nodes = self._in_order()
            places = np.minimum(np.searchsorted(in_order, wanted), len(in_order) - 1)
            return np.where(in_order[places] == wanted, nodes[places], UNKNOWN)
        number_of = self._number_of
        if number_of is None:
            number_of = self._number_of = {name: number for number, name in enumerate(self._ids().tolist())}
        return np.array([number_of.get(name, UNKNOWN) for name in wanted.tolist()], dtype=np.int64)

    def _in_order(self) -> tuple[Array, Array]:
        if self._sorted is None:
            ids = self._ids()
            if (ids[1:] > ids[:-1]).all():
                self._sorted = ids, np.arange(len(ids))
            else:
                order = np.argsort(ids, kind="stable")
                self._sorted = ids[order], order
        return self._sorted

    def nodes_of(self, layout: Layout, values: Array, byte: int) -> Array:
        """The nodes of records in a chunk LATE. Raises LogError."""
        records = Records(layout, values, np.zeros(len(values), dtype=np.int64), byte)
        names, is_stated = self._columns.of_updates(records)
        nodes = np.where(is_stated, self._found(names), UNKNOWN)
        fail_unknown(records, names, is_stated, nodes)
        return nodes

    def node_of(self, name: Any, byte: int) -> int:
        """The node with one id. Raises LogError where there is none."""
        if (known := whole_name(name)) is not None:
            wanted = np.empty(1, dtype=object) if type(known) is str else np.empty(1, dtype=np.int64)
            wanted[0] = known
            if (node := int(self._found(wanted)[0])) >= 0:
                return node
        fail(byte, f"found the id {shown(name)}, expected that of a node before this chunk")

    def parents(self) -> tuple[Array, bool]:
        """The parent of each node, -1 at roots, and whether some parent came after its child.

        It is -1 for orphans too, whose parent never came; `orphans` are these nodes.
        """
        parents = np.full(self._n_nodes, ROOT, dtype=np.int64)
        first = 0
        for names, is_stated in self._parent_pieces:
            found = self._found(names[is_stated])
            piece = parents[first : first + len(names)]
            piece[is_stated] = found
            first += len(names)
        self.orphans = np.flatnonzero(parents == UNKNOWN)
        parents[self.orphans] = ROOT
        return parents, bool((parents > np.arange(len(parents))).any())

    def first_orphan(self) -> tuple[int, int | str]:
        """The first node whose parent never came, and the id of that parent."""
        return int(self.orphans[0]), self._parent_names([int(self.orphans[0])])[0]

    def _parent_names(self, nodes: list[int]) -> list[int | str]:
        starts = np.cumsum([0, *(len(names) for names, _ in self._parent_pieces)])
        pieces = np.searchsorted(starts, nodes, side="right") - 1
        return [
            self._parent_pieces[piece][0][node - starts[piece]]
            if self._parent_pieces[piece][0].dtype == object
            else int(self._parent_pieces[piece][0][node - starts[piece]])
            for node, piece in zip(nodes, pieces.tolist(), strict=True)
        ]

    def mended(self, parents: Array) -> tuple[Array, str]:
        """The parents with a new node for each that never came, under a new root if several, and a notice."""
        orphans = self.orphans.tolist()
        names = self._parent_names(orphans)
        missing = list(dict.fromkeys(names))
        notice = f"The log ends before {missing_lines('record', missing)}."
        n_nodes = self._n_nodes
        added: list[int] = []
        above = ROOT
        if len(missing) > 1:
            whole = [name for name in (*self._ids().tolist(), *missing) if type(name) is int]
            self._added_ids.append(max(whole, default=0) + 1)
            added.append(ROOT)
            above = n_nodes
        number_of = {name: n_nodes + len(added) + at for at, name in enumerate(missing)}
        added += [above] * len(missing)
        self._added_ids += missing
        parents = np.concatenate([parents, np.array(added, dtype=np.int64)])
        parents[orphans] = [number_of[name] for name in names]
        return parents, notice

    def put_ids(self, buffers: FieldBuffers) -> None:
        """Give `buffers` the ids, unless they are the numbers of the nodes."""
        ids = [*self._ids().tolist(), *self._added_ids] if self._added_ids or self._columns.has_ids else []
        if ids and ids != list(range(len(ids))):
            buffers.ids.append((np.arange(len(ids)), ids))
