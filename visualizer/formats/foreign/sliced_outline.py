"""A large tree of nested objects laid flat: where each value stands in the bytes, without an object a node.

It answers what an `Outline` is asked. What a kernel cannot read plainly raises IrregularError. It is longer
than 300 lines because all of that is answered here, as by `Outline`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.foreign.fields import (
    FIRST_OF_SAMPLE,
    SAMPLE,
    number,
    number_for,
    plain,
    stride_of,
)
from plyscope.visualizer.formats.foreign.outline import NESTED
from plyscope.visualizer.formats.large import json_places, member_names, scan_kernel, slices
from plyscope.visualizer.formats.large.scan import (
    NO_CHILDREN,
    NO_NAME,
    NODES,
    Bytes,
    IrregularError,
    Members,
    Scan,
)
from plyscope.visualizer.formats.large.sorted_records import SortedRecords, Values, by_node, sort_records
from plyscope.visualizer.formats.large.tree_order import compiled_order, order_nodes

Array = npt.NDArray[Any]

MOST_KEPT: Final = 2**25
"""Records that are kept between passes; of more the file is scanned again."""
LEVELS_OF_ROWS: Final = 2
"""Roots with fewer levels in them may be rows of a table."""
START: Final = 2**17
"""Bytes in which the spelling of a name is looked for."""


@kernel
def are_distinct_pairs(first: Array, second: Array, table: Array) -> bool:
    """Return whether no two pairs are equal; `table` is for hashing, all -1 before, larger than those."""
    for i in range(len(first)):
        place = (first[i] * 0x9E3779B1 + second[i] * 0x85EBCA77) % len(table)
        while table[place] >= 0:
            if first[table[place]] == first[i] and second[table[place]] == second[i]:
                return False
            place = (place + 1) % len(table)
        table[place] = i
    return True


class SlicedOutline:
    """The nodes of a large document's tree, in pre-order; `key` is the field that holds the children."""

    form = NESTED
    keys = 1
    """The number of `NO_NAME`, behind the name of the children; -1 where no map holds nodes."""
    depth = 0
    """How many lists and objects the root lies in."""
    are_in_order = True
    """Whether nodes stand in the document in pre-order."""
    has_labels = False
    may_be_bare = True
    """Whether nodes may be numbers and nothing else."""
    labels: Sequence[str] = ()
    """The distinct texts that lead to nodes."""

    def __init__(
        self,
        data: Bytes,
        begin: int,
        key: str,
        *,
        in_list: int,
        opened: Sequence[str] = (),
        on_first_nodes: Callable[[int], object] = lambda end: None,
        root_label: str | None = None,
        is_labelled: bool = False,
    ) -> None:
        """Scan the tree; `on_first_nodes` is told where they end as soon as that is known.

        `root_label` leads to the root. If `is_labelled`, children in lists are `{"its name": {the node}}`.
        """
        self.data = data
        self._root_label, self.is_labelled = root_label, is_labelled
        self._bare: list[Values] = []
        self._on_first_nodes = on_first_nodes
        self.children = key
        self._opened = opened
        self.around: Mapping[str, Any] = {}
        self.notices: list[str] = []
        self.bare: Mapping[int, float] = {}
        self._begin, self._in_list = begin, in_list
        self._members: dict[str, Members] = {}
        self.is_whole: dict[str, Array] = {}
        """Of paths whose numbers were asked for: of which nodes the value is a number and nothing else."""
        self.first_nodes_end = 0
        """The place behind the last value of the first nodes, more than are looked at for a guess."""
        self.cut_node = 0
        """The node of the value that stands there."""
        self._kept: list[SortedRecords] | None = None
        self._dtype = np.int32 if len(data.array) < 2**31 else np.int64
        self._scan_all()
        self.parents = self._in_order()
        self._sample()
        if self.may_be_bare:
            self._find_bare()
        if f"_{key}" in self.labels_seen or any("." in label for label in self.labels_seen):
            raise IrregularError  # nodes that are folded up; names that look like paths

    def _scan_all(self) -> None:
        """Find where all values stand, and keep that if it is not too much."""
        kept: list[SortedRecords] | None = []
        parents: list[Array] = []
        keys: list[Values] = []
        n_kept = 0
        scan = self._scan()
        for records, new, _ in scan.pieces():
            if not self.first_nodes_end:
                behind = records if parents else records[records[:, 0] > SAMPLE]
                if len(behind):
                    self.cut_node, _, self.first_nodes_end, _ = behind[0].tolist()
                elif parents:
                    self.cut_node, self.first_nodes_end = scan.n_nodes, scan.pos
                if self.first_nodes_end:
                    self._on_first_nodes(self.first_nodes_end)
            parents.append(new.copy())
            n_kept += len(records)
            piece = sort_records(self.data, records, self._dtype)
            if self.keys >= 0 and len((of_nodes := piece.of(self.keys)).nodes):
                keys.append(of_nodes)
                self.has_labels = True
            if kept is not None:
                kept.append(piece._replace(left_out=self.keys))
                if n_kept > MOST_KEPT:
                    kept = None
        self.end, self.labels_seen, self._n_plain = scan.pos, scan.labels, scan.n_plain
        self.inner = scan.opened.labels()
        """By the number of a name whose objects were looked into, what stands in them by number."""
        self.parents = np.concatenate(parents)
        self._kept = kept
        if not self.first_nodes_end:
            self.first_nodes_end = self.end
        if keys:
            self._label(keys)

    def _find_bare(self) -> None:
        """Find the nodes that are numbers and nothing else. Raises IrregularError."""
        data = self.data.array
        for piece in self.pieces():
            held = piece.of(scan_kernel.CHILDREN)
            self._bare.append(held.where(data[held.begins] != json_places.SMALL_N))
        nodes = np.concatenate([each.nodes for each in self._bare])
        self.bare = {int(nodes[0]): 0.0} if len(nodes) else {}
        if self._n_plain and len(self._roots) > 1 and int(self.ends[1].max()) < LEVELS_OF_ROWS:
            raise IrregularError  # rows that may list ids or places of one another

    def _label(self, pieces: Sequence[Values]) -> None:
        """Read the keys that lead to nodes. Raises IrregularError where a map has one twice."""
        codes: dict[str, int] = {}
        self.label_codes = np.full(len(self.parents), -1, dtype=np.int64)
        for nodes, begins, sizes in pieces:
            for first in range(0, len(nodes), NODES):
                piece = slice(first, first + NODES)
                distinct, chosen = self.data.distinct(begins[piece], sizes[piece])
                numbers = [codes.setdefault(text, len(codes)) for text in distinct]
                self.label_codes[nodes[piece]] = np.array(numbers)[chosen]
        self.labels = list(codes)
        nodes = np.flatnonzero(self.label_codes >= 0)
        table = np.full(2 * len(nodes) + 1, -1, dtype=np.int64)
        pairs = self.parents[nodes], self.label_codes[nodes]
        if not self.data.run(are_distinct_pairs)(*pairs, table):
            raise IrregularError
        if self._root_label is not None:
            if self._root_label not in codes:
                self.labels.append(self._root_label)
            self.label_codes[0] = self.labels.index(self._root_label)

    def late_members(self) -> list[bytes]:
        """The members behind the first nodes of the objects that are open there, outermost first."""
        chain, node = [], self.cut_node
        while 0 <= node < self.n_nodes:
            chain.append(node)
            node = int(self.parents[node])
        members = dict.fromkeys(reversed(chain), b"")
        of_chain = np.zeros(self.n_nodes, dtype=np.bool_)
        of_chain[chain] = True
        for node, _, begin, text in self._members_of(of_chain):
            if begin >= self.first_nodes_end:
                members[node] += b"," + text
        return list(members.values())

    def _members_of(self, of_nodes: Array) -> Iterator[tuple[int, int, int, bytes]]:
        """The members of some nodes as they stand in the file: node, name, place, and all of it as JSON.

        What holds the nodes themselves is none.
        """
        labels = [orjson.dumps(label) for label in self.labels_seen]
        rows = by_node([piece.rows(of_nodes) for piece in SlicedOutline.pieces(self)])
        for node, name, begin, size in rows.tolist():
            value = self.data.array[begin : begin + size].tobytes()
            yield node, name, begin, b"%b:%b" % (labels[name], value)

    def _in_order(self) -> Array:
        """The parents of the nodes in pre-order: as they stand in the document."""
        return self.parents

    def _sample(self) -> None:
        """Find where the values of the nodes to look at stand, and count the nodes by name."""
        self._stride = stride_of(self.n_nodes)
        self._roots = np.flatnonzero(self.parents < 0)
        n_with = np.zeros(member_names.MOST_NAMES, dtype=np.int64)
        is_sampled = np.zeros(self.n_nodes, dtype=np.bool_)
        is_sampled[:: self._stride] = True
        is_sampled[:FIRST_OF_SAMPLE] = True
        self._sampled_nodes = np.flatnonzero(is_sampled).tolist()
        sample = []
        for piece in self.pieces():
            rows = piece.rows(is_sampled)
            n_with += np.diff(piece.edges[: member_names.MOST_NAMES + 1])
            n_with -= np.bincount(rows[rows[:, 0] == 0, 1], minlength=len(n_with))
            sample.append(rows)
        self._n_with = n_with
        self._sampled_records = by_node(sample)

    @property
    def n_nodes(self) -> int:
        """Nodes of the tree."""
        return len(self.parents)

    @cached_property
    def ends(self) -> tuple[Array, Array]:
        """The end of the subtree of every node, and its distance from its root."""
        sealed = compiled_order(self.parents, self.data.run(order_nodes))
        if sealed is None:
            raise IrregularError
        return sealed.end, sealed.level

    def shape(self) -> tuple[Array, Array]:
        """The parent of every node, and its distance from its root."""
        return self.parents, self.ends[1].astype(np.int64)

    def sample(self) -> Mapping[int, Mapping[str, Any]]:
        """The nodes to look at when guessing, by number."""
        return {node: fields for node, fields in self._nodes.items() if _is_in_sample(node, self._stride)}

    @cached_property
    def _nodes(self) -> dict[int, dict[str, Any]]:
        """The sampled nodes, as a JSON library reads them."""
        records = self._sampled_records
        records = records[records[:, 1] != scan_kernel.CHILDREN]
        values = self.data.values(*np.ascontiguousarray(records[:, 2:].T))
        nodes: dict[int, dict[str, Any]] = {node: {} for node in self._sampled_nodes}
        labels = self.labels_seen
        for (node, name), value in zip(records[:, :2].tolist(), values, strict=True):
            nodes[node][labels[name]] = value
        return nodes

    def has(self, path: str) -> bool:
        """Whether some node has a field of that path."""
        return any(len(values.nodes) for values in self.slices(path))

    def stated(self, path: str) -> Iterator[tuple[int, Any]]:
        """Each node that has a field, in their order, and its value there."""
        told = (
            zip(values.nodes.tolist(), self.data.values(values.begins, values.sizes), strict=True)
            for values in self.slices(path)
        )
        each = chain.from_iterable(told)
        return each if self.are_in_order else iter(sorted(each, key=itemgetter(0)))

    def numbers(self, path: str, role: str) -> tuple[Array, Array]:
        """The number of every node for a role, its own or one that its text gives, and whether it has one."""
        numbers, known = np.zeros(self.n_nodes), np.zeros(self.n_nodes, dtype=np.bool_)
        stated, whole = known.copy(), known.copy()
        for part in path.split("|") if path else ():
            before = stated.copy()
            for values in self.slices(part):
                values = values.where(~before[values.nodes])
                read, is_read = np.empty(len(values.nodes)), np.zeros(len(values.nodes), dtype=np.bool_)
                run, data = self.data.run, self.data.array
                run(slices.read_numbers)(data, values.begins, values.sizes, read, is_read)
                nodes = values.nodes[is_read]
                numbers[nodes] = read[is_read]
                known[nodes] = stated[nodes] = whole[nodes] = True
                if is_read.all():
                    continue
                rest = values.where(~is_read)
                distinct, codes = self.data.distinct(rest.begins, rest.sizes)
                told = [number_for(value, role) for value in distinct]
                is_told = np.array([each is not None for each in told])[codes]
                floats = np.array([0.0 if each is None else each for each in told])[codes]
                numbers[rest.nodes[is_told]], known[rest.nodes[is_told]] = floats[is_told], True
                stated[rest.nodes] = np.array([value is not None for value in distinct])[codes]
                whole[rest.nodes] = np.array([number(value) is not None for value in distinct])[codes]
        self.is_whole[path] = whole
        for nodes, begins, sizes in self._bare if role == "score" else ():
            read, is_read = np.empty(len(nodes)), np.empty(len(nodes), dtype=np.bool_)
            self.data.run(slices.read_numbers)(self.data.array, begins, sizes, read, is_read)
            if not is_read.all():
                raise IrregularError
            numbers[nodes], known[nodes] = read, True
        return numbers, known

    def n_with(self) -> dict[str, int]:
        """By name, how many nodes below the first have such a field."""
        if self.n_nodes == 1:
            return dict.fromkeys(self._nodes[0], 1)
        counted = self._n_with.tolist()
        not_fields = (self.children, NO_NAME.decode(), NO_CHILDREN.decode())
        return {label: counted[at] for at, label in enumerate(self.labels_seen) if label not in not_fields}

    def held_beside(self) -> tuple[int, str]:
        """Return 0 and no path: a kernel refuses nodes with something else in the place of children."""
        return 0, ""

    def pieces(self) -> Iterator[SortedRecords]:
        """All records, some thousand nodes at a time."""
        if self._kept is not None:
            yield from self._kept
        else:
            for records, _, _ in self._scan().pieces():
                yield sort_records(self.data, records, self._dtype)._replace(left_out=self.keys)

    def slices(self, path: str) -> Iterator[Values]:
        """The places of the values at `path`, some thousand nodes at a time."""
        outer, dot, inner = path.partition(".")
        if outer not in self.labels_seen:
            return
        name = self.labels_seen.index(outer)
        if dot and name in self.inner:
            self._check_inner(outer, inner)
            if inner in self.inner[name]:
                for piece in self.pieces():
                    yield piece.of(self.inner[name][inner])
            return
        for piece in self.pieces():
            values = piece.of(name)
            yield self.inside(outer, inner, values) if dot else values

    def members(self, name: str) -> Members:
        """The members of the objects that nodes have under a name."""
        if name not in self._members:
            self._members[name] = Members(self.data)
        return self._members[name]

    def inside(self, outer: str, inner: str, values: Values) -> Values:
        """The values of one member of the objects that are the values of `outer`."""
        members = self.members(outer)
        records = members.of(values.begins, values.sizes)
        self._check_inner(outer, inner)
        if inner not in members.labels:
            records = records[:0]
        else:
            records = records[records[:, 1] == members.labels.index(inner)]
        return Values(values.nodes[records[:, 0]], *np.ascontiguousarray(records[:, 2:].T))

    def _check_inner(self, outer: str, inner: str) -> None:
        if inner in ("0", "1") and plain(outer) in ("window", "bounds", "alphabeta", "ab"):
            raise IrregularError  # a list of two

    def _spelled(self, name: str) -> bytes:
        """A name as the document spells it: with escapes for letters beyond ASCII, or without."""
        plainly, escaped = spellings(name)
        start = self.data.array[self._begin : self._begin + START].tobytes()
        return escaped[1:-1] if plainly != escaped and escaped in start else plainly[1:-1]

    def _scan(self) -> Scan:
        is_list = self._in_list == scan_kernel.LIST_OF_TREES
        where = scan_kernel.FIRST_CHILD if is_list else scan_kernel.NEXT_CHILD
        return Scan(
            self.data,
            names=(self._spelled(self.children),),
            begin=self._begin,
            where=where,
            tree=scan_kernel.LONE_TREES,
            in_list=self._in_list,
            with_labels=True,
            opened=[self._spelled(name) for name in self._opened],
            is_labelled=self.is_labelled,
        )


def spellings(name: str) -> tuple[bytes, bytes]:
    """A name in quotes, as UTF-8 and in ASCII.

    >>> spellings("z\u00fcge")
    (b'"z\\xc3\\xbcge"', b'"z\\\\u00fcge"')
    """
    return orjson.dumps(name), json.dumps(name).encode()


def _is_in_sample(node: int, stride: int) -> bool:
    return node % stride == 0 or node < FIRST_OF_SAMPLE
