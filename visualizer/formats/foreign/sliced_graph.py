"""A large graph that is a tree, laid out without an object a node or an edge.

Two forms are read here, as `graphs` reads them: nodes that list those next to them, and a list of nodes with
one of edges. Graphs with edges that are no part of a tree, lead to no node or say more than a ply are left to
the patient reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.foreign.graphs import (
    EDGES,
    ENDS,
    IDS,
    JIT_GRAPH,
    LABELS,
    NODE_LINK,
    NODES,
)
from plyscope.visualizer.formats.foreign.link_kernels import find_adjacencies, walk_links
from plyscope.visualizer.formats.foreign.sliced_outline import spellings
from plyscope.visualizer.formats.foreign.sliced_rows import (
    FEW_ROWS,
    SlicedRows,
    find_ids,
    put_ids,
    without_quotes,
)
from plyscope.visualizer.formats.large import json_places, scan_kernel
from plyscope.visualizer.formats.large.scan import NO_NAME, Bytes, IrregularError, Scan, Source
from plyscope.visualizer.formats.large.sorted_records import Values
from plyscope.visualizer.formats.large.tree_order import compiled_order, order_nodes

Array = npt.NDArray[Any]

START: Final = 2**17
"""Bytes in which a graph says that it is one."""
MOST_BYTES: Final = 2**25
"""A document that is larger with its graph cut short has more in it than that."""
SHORTEST_ID: Final = 2
"""Bytes of an id in a list, with the comma behind it."""
OF_EDGES: Final = ("id", "key")
"""What an edge may say of itself, which nobody keeps."""


class SlicedGraph(SlicedRows):
    """The nodes of a large graph, in pre-order of the tree that it is.

    `begin` is the place behind the bracket of their list, `edges` that of the list of edges, -1 where nodes
    list those next to them.
    """

    def __init__(self, data: Bytes, begin: int, edges: int) -> None:
        self.form = NODE_LINK if edges >= 0 else JIT_GRAPH
        self._edges_begin, self.edges_end = edges, -1
        super().__init__(
            data,
            begin,
            "edges" if edges >= 0 else "adjacencies",
            in_list=scan_kernel.LIST_OF_TREES,
            opened=() if edges >= 0 else ("data",),
        )

    def _in_order(self) -> Array:
        """Link the nodes, and put them in pre-order."""
        n_nodes, run = len(self.parents), self.data.run
        lists_links = self.children in self.labels_seen
        if n_nodes < 2 or lists_links != (self.form == JIT_GRAPH):
            raise IrregularError
        self._told_ids = ids = self._ids()
        if not ids.sizes.all():
            raise IrregularError
        table = np.full(2 * n_nodes + 1, -1, dtype=np.int64)
        if not run(put_ids)(self.data.array, ids.begins, ids.sizes, table):
            raise IrregularError
        if self.form == JIT_GRAPH:
            sources, targets = self._adjacencies(ids, table)
        else:
            sources, targets = self._edges(ids, table)
        parents, came_by, order, places = np.zeros((4, n_nodes), dtype=np.int64)
        n_reached = run(walk_links)(
            sources,
            targets,
            self.form == NODE_LINK,
            np.zeros(n_nodes + 2, dtype=np.int64),
            np.empty(2 * len(sources), dtype=np.int64),
            parents,
            came_by,
            order,
            places,
        )
        if n_reached != n_nodes:
            raise IrregularError
        self._above = parents
        above = parents[order]
        self._sealed = compiled_order(np.where(above < 0, -1, places[above]), run(order_nodes))
        if self._sealed is None:
            raise IrregularError
        rows = order[self._sealed.order]
        self._rank = np.empty(n_nodes, dtype=np.int64)
        self._rank[rows] = np.arange(n_nodes)
        if self.has_labels:
            links = came_by[rows]
            self.label_codes = np.where(links < 0, -1, self.label_codes[links])
        return self._sealed.parent.astype(np.int64)

    def _ids(self) -> Values:
        """The ids of all nodes: in graphs of the toolkit `id`, in others the first name that any node has."""
        names = ("id",) if self.form == JIT_GRAPH else IDS
        name = next((name for name in names if name in self.labels_seen), None)
        if name is None or (name != "id" and "data" in self.labels_seen):
            raise IrregularError  # Cytoscape keeps the id of a node in its `data`
        return self._plain(_joined(self._raw(name)), len(self.parents))

    def _plain(self, values: Values, n_values: int) -> Values:
        """So many ids without their quotes."""
        if len(values.nodes) != n_values:
            raise IrregularError
        if not self.data.run(without_quotes)(self.data.array, values.begins, values.sizes):
            raise IrregularError
        return values

    def _found(self, begins: Array, sizes: Array, ids: Values, table: Array) -> Array:
        """The nodes whose ids these slices are."""
        rows, run, data = np.empty(len(begins), dtype=np.int64), self.data.run, self.data.array
        if run(find_ids)(data, begins, sizes, ids.begins, ids.sizes, table, rows) < len(rows):
            raise IrregularError
        return rows

    def _adjacencies(self, ids: Values, table: Array) -> tuple[Array, Array]:
        """The ends of the links that nodes list."""
        run, data = self.data.run, self.data.array
        sources, targets = [], []
        for values in self._raw(self.children):
            is_null = data[values.begins] == json_places.SMALL_N
            stated, null = values.where(~is_null), values.where(is_null)
            if any(value is not None for value in self.data.distinct(null.begins, null.sizes)[0]):
                raise IrregularError
            links = np.empty((int(stated.sizes.sum()) // SHORTEST_ID + 1, 5), dtype=np.int64)
            n_links = run(find_adjacencies)(data, stated.nodes, stated.begins, stated.sizes, links)
            if n_links < 0:
                raise IrregularError
            of, from_begins, from_sizes, begins, sizes = np.ascontiguousarray(links[:n_links].T)
            is_told = from_sizes > 0
            told = Values(of[is_told], from_begins[is_told], from_sizes[is_told])
            of[is_told] = self._found(*self._plain(told, len(told.nodes))[1:], ids, table)
            sources.append(of)
            wanted = self._plain(Values(of, begins, sizes), n_links)
            targets.append(self._found(wanted.begins, wanted.sizes, ids, table))
        if not sources:
            raise IrregularError
        return np.concatenate(sources), np.concatenate(targets)

    def _edges(self, ids: Values, table: Array) -> tuple[Array, Array]:
        """The ends of the edges in a list of their own, and what they call the ply."""
        scan = Scan(
            self.data,
            names=(NO_NAME,),
            begin=self._edges_begin,
            where=scan_kernel.FIRST_CHILD,
            tree=scan_kernel.LONE_TREES,
            in_list=scan_kernel.LIST_OF_TREES,
        )
        pieces = [records.copy() for records, _, _ in scan.pieces()]
        names, n_edges = scan.labels[1:], scan.n_nodes
        self.edges_end = scan.pos
        ends = next((ends for ends in ENDS if set(ends) <= set(names)), None)
        rest = [] if ends is None else [name for name in names if name not in (*ends, *OF_EDGES)]
        if ends is None or len(rest) > 1 or not set(rest) <= set(LABELS):
            raise IrregularError
        for name in set(names) & set(OF_EDGES):
            for values in _named(pieces, scan.labels, name):
                self.data.distinct(values.begins, values.sizes)  # which raises where one is no JSON
        if rest:
            self._label_edges(_named(pieces, scan.labels, rest[0]), n_edges)
        source, target = (self._plain(_joined(_named(pieces, scan.labels, end)), n_edges) for end in ends)
        self._ends = ends
        return (
            self._found(source.begins, source.sizes, ids, table),
            self._found(target.begins, target.sizes, ids, table),
        )

    def _label_edges(self, pieces: Iterator[Values], n_edges: int) -> None:
        """Read the texts that edges call the ply."""
        codes: dict[str, int] = {}
        self.has_labels = True
        self.label_codes = np.full(n_edges, -1, dtype=np.int64)
        for values in pieces:
            distinct, chosen = self.data.distinct(values.begins, values.sizes)
            if not all(isinstance(text, str) and text for text in distinct):
                raise IrregularError
            numbers = [codes.setdefault(text, len(codes)) for text in distinct]
            self.label_codes[values.nodes] = np.array(numbers, dtype=np.int64)[chosen]
        self.labels = list(codes)

    def cut_short(self, data: Source) -> bytes:
        """The document with only the first nodes, all above them, and the edges between those."""
        chosen = self._chosen(FEW_ROWS)
        rows = np.flatnonzero(chosen).tolist()
        members: dict[int, list[bytes]] = {row: [] for row in rows}
        for row, name, _, text in self._members_of(chosen):
            if self.labels_seen[name] != self.children:
                members[row].append(text)
        below: dict[int, list[bytes]] = {row: [] for row in rows}
        for row in rows:
            if self._above[row] >= 0:
                below[int(self._above[row])].append(self._id(row))
        edges = b""
        if self.form == JIT_GRAPH:
            for row, ids in below.items():
                members[row].append(b'"adjacencies":[%b]' % b",".join(ids))
        else:
            ends = [orjson.dumps(end) for end in self._ends]
            edges = b",".join(
                b"{%b:%b,%b:%b}" % (ends[0], self._id(row), ends[1], each)
                for row, ids in below.items()
                for each in ids
            )
        nodes = b",".join(b"{%b}" % b",".join(each) for each in members.values())
        parts = [(self._begin, self.end - 1, nodes)]
        if self.edges_end >= 0:
            parts.append((self._edges_begin, self.edges_end - 1, edges))
        cut, at = [], 0
        for begin, end, text in sorted(parts):
            cut += [data[at:begin], text]
            at = end
            if sum(map(len, cut)) > MOST_BYTES:
                raise IrregularError
        if len(data) - at > MOST_BYTES:
            raise IrregularError
        return b"".join((*cut, data[at:]))

    def _id(self, row: int) -> bytes:
        """The id of a node as a text."""
        begin, size = int(self._told_ids.begins[row]), int(self._told_ids.sizes[row])
        return b'"%b"' % self.data.array[begin : begin + size].tobytes()


def find_graph(slices: Bytes, data: Source) -> SlicedGraph | None:
    """The graph that a document is; None where it is none, or one for the patient reader."""
    start = data[:START]
    if start.lstrip()[:1] == b"[":
        if b'"adjacencies"' not in start:
            return None
        lists = (start.index(b"[") + 1, -1)
        slices.arrived(len(data))
    else:
        names = NODES + EDGES
        if not any(b'"%b"' % name.encode() in start for name in names):
            return None
        begin = int(slices.run(json_places.after_space)(slices.array, 0, False)) + 1
        first, name = _first_list(slices, slices.array[:START], begin, names)
        if first < 0:
            return None
        slices.arrived(len(data))
        end = slices.run(json_places.after_value)(slices.array, first, False)
        if end < 0:
            return None
        comma = slices.run(json_places.after_space)(slices.array, end, False)
        second, _ = _first_list(slices, slices.array, comma + 1, EDGES if name in NODES else NODES)
        if second < 0:
            return None
        lists = (first + 1, second + 1) if name in NODES else (second + 1, first + 1)
    try:
        return SlicedGraph(slices, *lists)
    except IrregularError:
        return None


def _first_list(slices: Bytes, data: Array, begin: int, names: Sequence[str]) -> tuple[int, str]:
    """The place of the first list that members from `begin` on have under one of these names, and which."""
    found = []
    for name in names:
        quoted = np.frombuffer(spellings(name)[0], dtype=np.uint8)
        place = int(slices.run(json_places.member_from)(data, begin, quoted))
        if place >= 0 and data[place] == json_places.OPEN_LIST:
            found.append((place, name))
    return min(found, default=(-1, ""))


def _joined(pieces: Iterator[Values]) -> Values:
    return Values(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))


def _named(pieces: Sequence[Array], labels: Sequence[str], label: str) -> Iterator[Values]:
    """The places of the values under a name."""
    name = labels.index(label)
    for records in pieces:
        chosen = records[records[:, 1] == name]
        yield Values(*np.ascontiguousarray(chosen[:, [0, 2, 3]].T))
