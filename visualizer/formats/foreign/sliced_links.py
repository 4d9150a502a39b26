"""The links of a large graph, read from the bytes of the lists that hold them, without an object a link."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.graphs import ENDS, LABELS, NOT_OF_EDGES
from plyscope.visualizer.formats.foreign.id_tables import UNKNOWN, IdTable, without_quotes
from plyscope.visualizer.formats.foreign.link_kernels import find_items, find_said
from plyscope.visualizer.formats.foreign.outline import ply_text
from plyscope.visualizer.formats.large.json_places import OPEN_LIST, OPEN_OBJECT, QUOTE, SPACE
from plyscope.visualizer.formats.large.scan import Bytes, IrregularError, Members
from plyscope.visualizer.formats.large.settled_values import MOST_LEVELS, find_settled
from plyscope.visualizer.formats.large.slices import read_numbers
from plyscope.visualizer.formats.large.sorted_records import SortedRecords, Values, sort_records
from plyscope.visualizer.formats.large.written_members import written_members

Array = npt.NDArray[Any]

AT_ONCE: Final = 2**16
"""Links that are read together."""
MOST_NOWHERE: Final = 2**16
"""Ids that only links know; of more the patient reader makes nodes."""
JIT_ENDS: Final = ("nodeFrom", "nodeTo")
DATA: Final = "data"
HAVE_THEIR_OWN: Final = frozenset(("id", "source", "from"))
"""Names of which one stands beside `data` where that is a field like others."""


class Ids:
    """The ids of nodes as they are spelled; links may name further ones."""

    def __init__(self, data: Bytes, ids: Values) -> None:
        """Take the ids, without quotes. Raises IrregularError where one is empty, or there twice."""
        self._data = data
        self._begins, self._sizes = ids.begins, ids.sizes
        self.nowhere: dict[str, tuple[int, int, int]] = {}
        """Ids that only links know, in their order: the number of each, and where it first stands."""
        self.n_known = 0
        """The ends of links so far that are ids of nodes."""
        if not ids.sizes.all():
            raise IrregularError
        self._table = IdTable(data, ids)

    def places(self) -> tuple[Array, Array]:
        """Begins and sizes of all ids, by the numbers of the nodes."""
        further = np.array(list(self.nowhere.values()), dtype=np.int64).reshape(-1, 3)
        begins, sizes = (
            np.concatenate(parts) for parts in ((self._begins, further[:, 1]), (self._sizes, further[:, 2]))
        )
        return begins, sizes

    def find(self, values: Values) -> Array:
        """The numbers of the nodes with these ids, which lose their quotes; UNKNOWN where there is none."""
        if not self._data.run(without_quotes)(self._data.array, values.begins, values.sizes):
            raise IrregularError
        rows = self._table.find(values.begins, values.sizes)
        self.n_known += int(np.count_nonzero(rows != UNKNOWN))
        return rows

    def number_unknown(self, rows: Sequence[Array], values: Sequence[Values]) -> None:
        """Number the ids of `values` that are UNKNOWN among `rows`, in the order of links, then of `rows`."""
        unknown = [
            (int(values[end].nodes[at]), end, at)
            for end, each in enumerate(rows)
            for at in np.flatnonzero(each == UNKNOWN).tolist()
        ]
        for _, end, at in sorted(unknown):
            begin, size = int(values[end].begins[at]), int(values[end].sizes[at])
            text = self._data.array[begin : begin + size].tobytes().decode()
            if len(self.nowhere) == MOST_NOWHERE or any(ord(letter) < SPACE for letter in text):
                raise IrregularError
            number = len(self._begins) + len(self.nowhere)
            rows[end][at] = self.nowhere.setdefault(text, (number, begin, size))[0]


class Places(Ids):
    """Ids that no link names: links name the places of nodes."""

    def find(self, values: Values) -> Array:
        """The nodes at these places. Raises IrregularError where one is no place, or an id too."""
        data, run = self._data.array, self._data.run
        starts = data[values.begins]
        if (super().find(values) != UNKNOWN).any():
            raise IrregularError
        places, are_read = np.empty(len(starts)), np.empty(len(starts), dtype=np.bool_)
        run(read_numbers)(data, values.begins, values.sizes, places, are_read)
        are_numbers = (starts != QUOTE) & are_read
        if not (are_numbers & (places >= 0) & (places < len(self._begins))).all():
            raise IrregularError
        return places.astype(np.int64)


class Links(NamedTuple):
    """Links by their ends, in the order of the document, and what each says besides.

    labels      the ply that each says, by its number in `texts`, -1 for none
    begins, sizes    the object of what else it says, in `fields`; of size 0 for nothing
    """

    sources: Array
    targets: Array
    labels: Array
    begins: Array
    sizes: Array
    fields: Array
    texts: list[str]
    names: list[str]
    """The names met in links."""


class LinkReader:
    """Reads links, some thousand at a time. Raises IrregularError for what is not plainly regular."""

    def __init__(self, data: Bytes, ids: Ids, *, is_jit: bool, of_lists: bool) -> None:
        """`of_lists` where links lie in lists of what each node leads to, and name only that, by its `id`."""
        self._data, self._ids = data, ids
        self._is_jit, self._of_lists = is_jit, of_lists
        self._members, self._inner = Members(data), Members(data)
        self._names: list[str] = []
        """The names met in links, by the numbers that the records taken last have."""
        self._codes: dict[str, int] = {}
        self._parts: list[tuple[Array, ...]] = []
        self._n_bytes = 0
        self.end = 0
        """The place behind the last list."""

    def read(self, begins: Array, nodes: Array | None = None) -> int:
        """Read the links in the lists at these places, which nodes have; returns how many."""
        n_links = 0
        for of_lists, item_begins, sizes in self.items(begins):
            sources = of_lists if nodes is None else nodes[of_lists]
            self._take(sources, item_begins, sizes)
            n_links += len(sources)
        return n_links

    def links(self) -> Links:
        """All links read."""
        if not self._parts:
            raise IrregularError
        columns = [np.concatenate(parts) for parts in zip(*self._parts, strict=True)]
        sources, targets, labels, begins, sizes, fields = columns
        return Links(sources, targets, labels, begins, sizes, fields, list(self._codes), self._members.labels)

    def items(self, begins: Array) -> Iterator[tuple[Array, Array, Array]]:
        """List, begin and size of the items of the lists at these places."""
        state = np.zeros(2, dtype=np.int64)
        while state[0] < len(begins):
            items = np.empty((AT_ONCE, 3), dtype=np.int64)
            n_items = self._data.run(find_items)(self._data.array, begins, state, items)
            if n_items < 0:
                raise IrregularError
            if n_items:
                of_lists, item_begins, sizes = np.ascontiguousarray(items[:n_items].T)
                yield of_lists, item_begins, sizes
        self.end = int(state[1])

    def _take(self, nodes: Array, begins: Array, sizes: Array) -> None:
        """Take links of which those that do not say so lead from `nodes`."""
        n_links = len(begins)
        starts = self._data.array[begins]
        are_objects = starts == OPEN_OBJECT
        every = np.arange(n_links)
        if not self._is_jit and not self._of_lists and (starts == OPEN_LIST).all():
            return self._take_pairs(begins)
        if not self._is_jit and not are_objects.all():
            raise IrregularError
        found = self._members_of(begins, sizes)
        piece = sort_records(self._data, found, np.int64)
        ends = self._ends()
        source, target = (self._of(piece, end) for end in ends)
        plain = ~are_objects
        if plain.any():
            target = Values(
                *(
                    np.concatenate(parts)
                    for parts in zip(target, (every[plain], begins[plain], sizes[plain]), strict=True)
                )
            )
        if len(target.nodes) != n_links or (ends[0] and not self._is_jit and len(source.nodes) != n_links):
            raise IrregularError
        sources, targets = nodes.copy(), np.empty(n_links, dtype=np.int64)
        rows = [self._ids.find(values) for values in (source, target)]
        self._ids.number_unknown(rows, (source, target))
        sources[source.nodes], targets[target.nodes] = rows
        stays = np.ones(len(found), dtype=np.bool_)
        for end in filter(None, ends):
            stays[self._part(piece, end)] = False
        labels = np.full(n_links, -1, dtype=np.int64)
        if not self._is_jit:
            self._leave_out(piece, stays)
            self._label(piece, stays, labels)
        self._add(sources, targets, labels, piece, stays)
        return None

    def _members_of(self, begins: Array, sizes: Array) -> Array:
        """The members of links that are objects: rows of link, name, begin and size.

        Where Cytoscape keeps them in the `data` of each, those and the ones beside it.
        """
        found = self._members.of(begins, sizes)
        self._names = list(self._members.labels)
        if DATA not in self._names or self._is_jit or HAVE_THEIR_OWN & set(self._names):
            return found
        are_data = found[:, 1] == self._names.index(DATA)
        of_links, _, data_begins, data_sizes = np.ascontiguousarray(found[are_data].T)
        if len(of_links) != len(begins) or (self._data.array[data_begins] != OPEN_OBJECT).any():
            raise IrregularError
        inner = self._inner.of(data_begins, data_sizes)
        inner[:, 0] = of_links[inner[:, 0]]
        inner[:, 1] += len(self._names)
        if set(self._names) & set(self._inner.labels):
            raise IrregularError
        self._names += self._inner.labels
        found = np.concatenate([inner, found[~are_data]])
        return found[np.argsort(found[:, 0], kind="stable")]

    def _take_pairs(self, begins: Array) -> None:
        """Take links that are lists of two ids."""
        items = np.concatenate([np.stack(part) for part in self.items(begins)], axis=1)
        if not np.array_equal(items[0], np.repeat(np.arange(len(begins)), 2)):
            raise IrregularError
        values = [Values(*np.ascontiguousarray(items[:, at::2])) for at in (0, 1)]
        sources, targets = rows = [self._ids.find(each) for each in values]
        self._ids.number_unknown(rows, values)
        labels = np.full(len(begins), -1, dtype=np.int64)
        piece = sort_records(self._data, np.empty((0, 4), dtype=np.int64), np.int64)
        self._add(sources, targets, labels, piece, np.zeros(0, dtype=np.bool_))

    def _ends(self) -> tuple[str, str]:
        """The names of source and target, the first empty where no link names its own."""
        names = set(self._names)
        if self._is_jit:
            return JIT_ENDS
        if self._of_lists:
            if names & {"source", "target"}:
                raise IrregularError
            return "", "id"
        ends = next((ends for ends in ENDS if set(ends) <= names), None)
        if ends is None:
            raise IrregularError
        return ends

    def _part(self, piece: SortedRecords, name: str) -> slice:
        return piece.part(self._names.index(name)) if name in self._names else slice(0)

    def _of(self, piece: SortedRecords, name: str) -> Values:
        return Values(*piece.columns[:3, self._part(piece, name)].copy())

    def _leave_out(self, piece: SortedRecords, stays: Array) -> None:
        """Leave out the names of edges, which nobody keeps, if they are JSON."""
        for name in NOT_OF_EDGES:
            part = self._part(piece, name)
            if not stays[part].any():
                continue
            _, begins, sizes = self._of(piece, name)
            settled = np.empty(len(begins), dtype=np.bool_)
            room = np.zeros(MOST_LEVELS, dtype=np.int64)
            self._data.run(find_settled)(self._data.array, begins, sizes, room, settled)
            self._data.values(begins[~settled], sizes[~settled])
            stays[part] = False

    def _label(self, piece: SortedRecords, stays: Array, labels: Array) -> None:
        """Find the ply that links say, under the first name for it, and leave it out of what they say."""
        said = []
        for name in LABELS:
            values = self._of(piece, name)
            if not len(values.nodes):
                continue
            distinct, codes = self._data.distinct(values.begins, values.sizes)
            texts = [ply_text(value) for value in distinct]
            numbers = [self._codes.setdefault(text, len(self._codes)) if text else -2 for text in texts]
            of_links = np.array(numbers, dtype=np.int64)[codes]
            is_first = (labels[values.nodes] < 0) & (of_links >= 0)
            labels[values.nodes[is_first]] = of_links[is_first]
            said.append((name, values.nodes, of_links))
        for name, nodes, of_links in said:
            stays[self._part(piece, name)] &= labels[nodes] != of_links

    def _add(self, sources: Array, targets: Array, labels: Array, piece: SortedRecords, stays: Array) -> None:
        """Add links, and write what they say of themselves."""
        begins, sizes = piece.columns[1:3]
        said = np.empty(len(begins), dtype=np.bool_)
        if not self._data.run(find_said)(self._data.array, begins, sizes, said):
            raise IrregularError
        stays = stays & said
        links_begins, links_sizes = np.zeros((2, len(sources)), dtype=np.int64)
        text = np.zeros(0, dtype=np.uint8)
        if stays.any():
            written = written_members(self._data, piece, stays, dict(enumerate(self._names)))
            lengths = written.lengths.astype(np.int64) + 2
            links_begins[written.nodes] = self._n_bytes + np.cumsum(lengths) - lengths
            links_sizes[written.nodes] = lengths
            text = written.text
            self._n_bytes += len(text)
        self._parts.append((sources, targets, labels, links_begins, links_sizes, text))
