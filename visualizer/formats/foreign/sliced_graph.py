"""A large graph, laid out as a tree without an object a node or an edge.

Three forms are read here, as `graphs` reads them: nodes that list those next to them, a list of nodes with
one of edges, and one with lists of what each node leads to. What edges say, and which are outside the tree,
is written as JSON behind the document, where values of nodes are looked for. Graphs with nodes that nothing
connects with the first are left to the patient reader.

It is longer than 300 lines because what `links` and `graphs` do with a graph stands in one place here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.arrival import all_there
from plyscope.visualizer.formats.foreign.graphs import IDS, JIT_GRAPH, NODE_LINK
from plyscope.visualizer.formats.foreign.id_tables import without_quotes
from plyscope.visualizer.formats.foreign.link_kernels import TO, find_repeated, walk_links, write_lists
from plyscope.visualizer.formats.foreign.links import count, listed
from plyscope.visualizer.formats.foreign.sliced_links import (
    AT_ONCE,
    DATA,
    HAVE_THEIR_OWN,
    Ids,
    LinkReader,
    Links,
    Places,
)
from plyscope.visualizer.formats.foreign.sliced_rows import FEW_ROWS, SlicedRows
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.large import json_places, member_names, scan_kernel
from plyscope.visualizer.formats.large.scan import Bytes, IrregularError
from plyscope.visualizer.formats.large.sorted_records import SortedRecords, Values, sort_records
from plyscope.visualizer.formats.large.tree_order import compiled_order, order_nodes

Array = npt.NDArray[Any]

MOST_BYTES: Final = 2**25
"""A document that is larger with its graph cut short has more in it than that."""
ELEMENTS: Final = "elements"
"""Where Cytoscape keeps its nodes and edges."""


class SlicedGraph(SlicedRows):
    """The nodes of a large graph, in pre-order of the tree that a walk breadth first makes of it.

    `begin` is the place behind the bracket of their list, `links` that of the bracket of the list of edges
    or, `of_lists`, of lists of what each node leads to; it is -1 where nodes list those next to them.
    """

    def __init__(
        self,
        data: Bytes,
        begin: int,
        key: str,
        *,
        in_list: int = scan_kernel.LIST_OF_TREES,
        opened: Sequence[str] = (),
        links: int = -1,
        of_lists: bool = False,
        keys: Sequence[str] = (),
    ) -> None:
        if in_list not in (scan_kernel.LIST_OF_TREES, scan_kernel.MAP_OF_TREES):
            raise IrregularError
        self.form = self._form(links)
        self._links_begin, self._links_end, self._of_lists = links, -1, of_lists
        self._further: list[SortedRecords] = []
        """Records of what nodes get from links: an id that only links know, an edge, a list of others."""
        self._of_graph: list[str] = []
        self.keys_of_graph = keys
        """The keys under which the document has it."""
        self._n_bytes, self._n_listed = len(data.array), 0
        super().__init__(data, begin, key, in_list=in_list, opened=opened)

    def _form(self, links: int) -> str:
        return NODE_LINK if links >= 0 else JIT_GRAPH

    def _scan_all(self) -> None:
        """Find where all values stand; those in `data` count as the node's own if no id is beside it."""
        super()._scan_all()
        labels = self.labels_seen
        if self.form != NODE_LINK or DATA not in labels or HAVE_THEIR_OWN & set(labels):
            return
        data = labels.index(DATA)
        values = [piece.of(data) for piece in self.pieces()]
        n_objects = sum(
            np.count_nonzero(self.data.array[each.begins] == json_places.OPEN_OBJECT) for each in values
        )
        if not any(len(each.nodes) for each in values):
            return
        inner = self.inner.get(data, {})
        if n_objects != len(self.parents) or not inner or self._kept is None or set(inner) & set(labels):
            raise IrregularError
        if len(labels) + len(inner) > member_names.MOST_NAMES:
            raise IrregularError
        first = np.full(len(self.parents), len(self.data.array), dtype=np.int64)
        for nodes, begins, _ in values:
            first[nodes] = begins
        for piece in self._kept:
            nodes, begins = piece.columns[:2, : piece.edges[member_names.MOST_NAMES]]
            if (begins < first[nodes]).any():
                raise IrregularError  # what stands in `data` comes first
        numbers = [*range(len(labels)), *inner.values()]
        self._kept = [_renumbered(piece, numbers, left_out=data) for piece in self._kept]
        self.labels_seen = [*labels, *inner]
        self.inner = {}

    def _in_order(self) -> Array:
        """Link the nodes, and put them in pre-order."""
        run, list_links = self.data.run, self._links_begin < 0
        if len(self.parents) < 2 or (self.children in self.labels_seen) != list_links:
            raise IrregularError
        self._n_listed = len(self.parents)
        ids, links = self._ids_and_links()
        self._told_ids = ids
        self._id_places = ids.places()
        is_directed = self._is_directed()
        n_nodes = len(self.parents) + len(ids.nowhere)
        parents, came_by, order, places = np.zeros((4, n_nodes), dtype=np.int64)
        n_reached = run(walk_links)(
            links.sources,
            links.targets,
            is_directed,
            np.zeros(n_nodes + 2, dtype=np.int64),
            np.empty(2 * len(links.sources), dtype=np.int64),
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
        self._label_rows(links, came_by[rows])
        self._add_further(links, came_by, is_directed)
        self.are_in_order = not self._further and bool((rows == np.arange(n_nodes)).all())
        return self._sealed.parent.astype(np.int64)

    def _ids_and_links(self) -> tuple[Ids, Links]:
        """The ids of the nodes, and the links, whose ends may be places where none is an id."""
        values = self._ids()
        ids = Ids(self.data, values)
        may_be_places = self.form == NODE_LINK and not self._of_lists
        try:
            links = self._links(ids)
        except IrregularError:
            if not may_be_places:
                raise
        else:
            if not may_be_places or ids.n_known or not ids.nowhere:
                return ids, links
        if ids.n_known or not ids.nowhere:
            raise IrregularError
        places = Places(self.data, values)
        return places, self._links(places)

    def _label_rows(self, links: Links, came_by: Array) -> None:
        """Take the plies that links say, given the link that leads to each row, -1 for none."""
        codes = np.where(came_by < 0, -1, links.labels[came_by])
        used, chosen = np.unique(codes[codes >= 0], return_inverse=True)
        self.has_labels = len(used) > 0
        self.labels = [links.texts[code] for code in used.tolist()]
        codes[codes >= 0] = chosen
        self.label_codes = codes

    def _add_further(self, links: Links, came_by: Array, is_directed: bool) -> None:
        """Put what links say of nodes behind the document, and records of it behind those of the nodes."""
        data, run = self.data.array, self.data.run
        nowhere = self._told_ids.nowhere
        texts, end = [data], len(data)
        if nowhere:
            written = [json_bytes(name) for name in nowhere]
            sizes = np.array([len(text) for text in written])
            numbers = np.arange(self._n_listed, self._n_listed + len(written))
            self._add_records("id", numbers, end + np.cumsum(sizes) - sizes, sizes)
            texts.append(np.frombuffer(b"".join(written), dtype=np.uint8))
            end += len(texts[-1])
            self._of_graph.append(
                f"Edges lead to {listed(list(nowhere))}, no node of the graph: an empty node stands for each."
            )
        in_tree = np.zeros(len(links.sources), dtype=np.bool_)
        in_tree[came_by[came_by >= 0]] = True
        said = np.flatnonzero(came_by >= 0)
        said = said[links.sizes[came_by[said]] > 0]
        if len(said):
            if "edge" in self.labels_seen:
                raise IrregularError
            self._add_records("edge", said, end + links.begins[came_by[said]], links.sizes[came_by[said]])
            texts.append(links.fields)
            end += len(links.fields)
        if not in_tree.all():
            repeated = np.empty(len(in_tree), dtype=np.bool_)
            table = np.full(2 * len(in_tree) + 1, -1, dtype=np.int64)
            run(find_repeated)(links.sources, links.targets, is_directed, table, repeated)
            outside = np.flatnonzero(~in_tree & ~repeated)
            if len(outside):
                lists, text = self._lists(links, outside)
                self._add_records(self.children, lists[:, 0], end + lists[:, 1], lists[:, 2])
                texts.append(text)
                self._of_graph.append(
                    f"{count(len(outside), 'edge')} outside the tree (a node is reached twice): "
                    f'listed on their nodes under "{self.children}".'
                )
        if len(texts) > 1:
            if sum(map(len, texts)) > np.iinfo(self._dtype).max:
                raise IrregularError
            self.data.array, self.data.arrived = np.concatenate(texts), all_there

    def _add_records(self, name: str, nodes: Array, begins: Array, sizes: Array) -> None:
        """Add a value under a name to some nodes, by their numbers in the document."""
        if name not in self.labels_seen:
            self.labels_seen.append(name)
        number = self.labels_seen.index(name)
        if number >= member_names.MOST_NAMES:
            raise IrregularError
        records = np.stack([nodes, np.full_like(nodes, number), begins, sizes], axis=1)
        for first in range(0, len(records), AT_ONCE):
            self._further.append(sort_records(self.data, records[first : first + AT_ONCE], self._dtype))

    def _lists(self, links: Links, outside: Array) -> tuple[Array, Array]:
        """Rows of node, begin and size of the lists of edges outside the tree, and the text of all lists."""
        if "to" in links.names and links.sizes[outside].any():
            raise IrregularError
        sources, targets = links.sources[outside], links.targets[outside]
        is_other = sources != targets
        nodes = np.stack([sources, targets], axis=1).reshape(-1)
        others = np.stack([targets, sources], axis=1).reshape(-1)
        field_begins = np.repeat(links.begins[outside], 2)
        field_sizes = np.repeat(links.sizes[outside], 2)
        field_sizes[1::2] = 0
        chosen = np.ones(len(nodes), dtype=np.bool_)
        chosen[1::2] = is_other
        order = np.flatnonzero(chosen)
        order = order[np.argsort(nodes[order], kind="stable")]
        begins, sizes = (each[others[order]] for each in self._id_places)
        nodes, field_begins, field_sizes = nodes[order], field_begins[order], field_sizes[order]
        n_bytes = int(sizes.sum() + field_sizes.sum()) + (len(TO) + 4) * len(nodes)
        text, lists = np.empty(n_bytes, dtype=np.uint8), np.empty((len(nodes), 3), dtype=np.int64)
        n_lists = self.data.run(write_lists)(
            self.data.array, nodes, begins, sizes, links.fields, field_begins, field_sizes, text, lists
        )
        lists = lists[:n_lists]
        return lists, text[: int(lists[:, 2].sum())]

    def pieces(self) -> Iterator[SortedRecords]:
        """All records but those of links as they stand, and what links say of nodes."""
        yield from super().pieces()
        if self._sealed is not None:
            for piece in self._further:
                yield piece._replace(rank=self._rank)

    def n_with(self) -> dict[str, int]:
        """By name, how many nodes below the first have such a field."""
        counted = super().n_with()
        if self.n_nodes > 1 and self.children in self.labels_seen:
            number = self.labels_seen.index(self.children)
            nodes = [piece._replace(rank=self._rank).of(number).nodes for piece in self._further]
            counted[self.children] = sum(int(np.count_nonzero(each)) for each in nodes)
        return counted

    def said_of_graph(self) -> list[str]:
        """Sentences about the edges that are not in the tree."""
        return self._of_graph

    def _links(self, ids: Ids) -> Links:
        """The links: those that nodes list, or those in a list of their own."""
        list_links = self._links_begin < 0
        reader = LinkReader(self.data, ids, is_jit=list_links, of_lists=self._of_lists)
        if list_links:
            for values in self._raw(self.children):
                is_null = self.data.array[values.begins] == json_places.SMALL_N
                stated, null = values.where(~is_null), values.where(is_null)
                if any(value is not None for value in self.data.distinct(null.begins, null.sizes)[0]):
                    raise IrregularError
                reader.read(stated.begins, stated.nodes)
            return reader.links()
        begins = np.array([self._links_begin])
        if self._of_lists:
            begins = np.concatenate([places for _, places, _ in reader.items(begins)])
            self._links_end = reader.end
            if len(begins) != len(self.parents) or self._id_name != "id":
                raise IrregularError
            reader.read(begins, np.arange(len(begins)))
        else:
            reader.read(begins)
            self._links_end = reader.end
        return reader.links()

    def _is_directed(self) -> bool:
        """Whether edges lead from parent to child, by what stands beside the lists of nodes and edges."""
        if self._links_begin < 0:
            return False
        frame = orjson.loads(self._with_lists(b"", b""))
        for key in self.keys_of_graph:
            if key != ELEMENTS:
                frame = frame[key]
        return frame.get("directed") is not False

    def _with_lists(self, nodes: bytes, links: bytes) -> bytes:
        """The document with other items in its lists of nodes and of links."""
        data = self.data.array
        parts = [(self._begin, self.end - 1, nodes)]
        if self._links_end >= 0:
            parts.append((self._links_begin + 1, self._links_end - 1, links))
        parts.sort()
        edges = [0, *(place for begin, end, _ in parts for place in (begin, end)), self._n_bytes]
        around = list(zip(edges[::2], edges[1::2], strict=True))
        if sum(end - begin for begin, end in around) + len(nodes) + len(links) > MOST_BYTES:
            raise IrregularError
        texts = [data[begin:end].tobytes() for begin, end in around]
        return b"".join(
            part for pair in zip_longest(texts, (text for *_, text in parts), fillvalue=b"") for part in pair
        )

    def _ids(self) -> Values:
        """The ids of all nodes: in graphs of the toolkit `id`, in others the first name that any node has."""
        names = ("id",) if self.form == JIT_GRAPH else IDS
        name = next((name for name in names if name in self.labels_seen), None)
        if name is None:
            raise IrregularError
        self._id_name = name
        values = Values(*(np.concatenate(parts) for parts in zip(*self._raw(name), strict=True)))
        if len(values.nodes) != len(self.parents):
            raise IrregularError
        if not self.data.run(without_quotes)(self.data.array, values.begins, values.sizes):
            raise IrregularError
        return values

    def cut_short(self) -> bytes:
        """The document with only the first nodes, all above them, and the edges between those."""
        return self._with_lists(*self._first_lists(FEW_ROWS))

    def _first_lists(self, n_rows: int) -> tuple[bytes, bytes]:
        """So many of the first nodes, all above them, and the edges between those, with commas between."""
        chosen = self._chosen(n_rows)
        rows = np.flatnonzero(chosen).tolist()
        members: dict[int, list[bytes]] = {row: [] for row in rows}
        for row, name, _, text in self._members_of(chosen):
            if self.labels_seen[name] != self.children:
                members[row].append(text)
        for row in rows:
            if row >= self._n_listed:
                members[row].append(b"%b:%b" % (orjson.dumps(self._id_name), self._id(row)))
        below: dict[int, list[bytes]] = {row: [] for row in rows}
        for row in rows:
            if self._above[row] >= 0:
                below[int(self._above[row])].append(self._id(row))
        links = b""
        if self._links_begin < 0:
            for row, ids in below.items():
                members[row].append(b"%b:[%b]" % (orjson.dumps(self.children), b",".join(ids)))
        elif self._of_lists:
            links = b",".join(
                b"[%b]" % b",".join(b'{"id":%b}' % each for each in ids) for ids in below.values()
            )
        else:
            links = b",".join(
                b"[%b,%b]" % (self._id(row), each) for row, ids in below.items() for each in ids
            )
        return self._as_rows(members), links

    def _id(self, row: int) -> bytes:
        """The id of a node as a text."""
        begin, size = (int(places[row]) for places in self._id_places)
        return b'"%b"' % self.data.array[begin : begin + size].tobytes()


def _renumbered(piece: SortedRecords, numbers: Sequence[int], left_out: int) -> SortedRecords:
    """The records of some names, which get the numbers 0, 1 …; without those of one."""
    parts = [slice(0) if number == left_out else piece.part(number) for number in numbers]
    columns = np.concatenate([piece.columns[:, part] for part in parts], axis=1)
    is_place = np.zeros(piece.columns.shape[1], dtype=np.bool_)
    is_place[columns[3]] = True
    columns[3] = (np.cumsum(is_place) - 1)[columns[3]]
    edges = np.full_like(piece.edges, columns.shape[1])
    edges[: len(parts) + 1] = np.cumsum([0, *(part.stop - (part.start or 0) for part in parts)])
    return piece._replace(columns=columns, edges=edges)
