"""A large table whose rows name their parents, laid out as a tree without an object a row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.foreign.fields import plain
from plyscope.visualizer.formats.foreign.id_tables import UNKNOWN, IdTable, without_quotes
from plyscope.visualizer.formats.foreign.linked_rows import BY_PARENT, IDS, NO_PARENT
from plyscope.visualizer.formats.foreign.sliced_outline import SlicedOutline
from plyscope.visualizer.formats.large import json_places, scan_kernel
from plyscope.visualizer.formats.large.json_places import OPEN_LIST, OPEN_OBJECT, QUOTE, SMALL_N
from plyscope.visualizer.formats.large.scan import NO_CHILDREN, NO_NAME, Bytes, IrregularError, Scan
from plyscope.visualizer.formats.large.settled_values import SMALL_F, SMALL_T
from plyscope.visualizer.formats.large.slices import read_numbers
from plyscope.visualizer.formats.large.sorted_records import SortedRecords, Values
from plyscope.visualizer.formats.large.tree_order import compiled_order, order_nodes
from plyscope.visualizer.store.seal import Sealed

Array = npt.NDArray[Any]

FEW_ROWS: Final = 256
MANY_ROWS: Final = 8_192
NONE: Final = -1
OWN_IDS: Final = scan_kernel.CHILDREN
"""The number of keys where rows have an `id` of their own: they are no field. Else keys are the `id`."""


class SlicedRows(SlicedOutline):
    """The rows of a large table, in pre-order of the tree that they form; `key` is the parents' field."""

    form = BY_PARENT
    keys = -1
    may_be_bare = False

    def __init__(
        self, data: Bytes, begin: int, key: str, *, in_list: int, opened: Sequence[str] = ()
    ) -> None:
        self._sealed: Sealed | None = None
        self._above = np.zeros(0, dtype=np.int64)
        self._key_name = NONE
        """The number of the name under which the keys of a map from id to row are told."""
        if in_list == scan_kernel.MAP_OF_TREES:
            self._key_name = OWN_IDS if "id" in _first_row(data, begin) else OWN_IDS + 1
        super().__init__(data, begin, key, in_list=in_list, opened=opened)

    def _in_order(self) -> Array:
        """Link the rows, and put them in pre-order."""
        n_rows = len(self.parents)
        if n_rows < 2 or self.children not in self.labels_seen:
            raise IrregularError
        has_ids = self._key_name != NONE or self._names_of_ids()
        parents = self._parents_by_id() if has_ids else self._parents_by_place()
        if (parents == NONE).all():
            raise IrregularError
        self._above = parents
        self._sealed = compiled_order(parents, self.data.run(order_nodes))
        if self._sealed is None:
            raise IrregularError
        self._rank = np.empty(n_rows, dtype=np.int64)
        self._rank[self._sealed.order] = np.arange(n_rows)
        self.are_in_order = bool((self._sealed.order == np.arange(n_rows)).all())
        return self._sealed.parent.astype(np.int64)

    def _scan_all(self) -> None:
        """Find where all values stand; keys of a map are the ids of its rows, if these have none."""
        super()._scan_all()
        labels = self.labels_seen
        if self._key_name == OWN_IDS:
            n_own = sum(len(piece.of(labels.index("id")).nodes) for piece in SlicedOutline.pieces(self))
            if n_own != len(self.parents):
                raise IrregularError
        elif self._key_name != NONE:
            if "id" in labels:
                raise IrregularError
            self.labels_seen = [label if at != self._key_name else "id" for at, label in enumerate(labels)]

    def _parents_by_id(self) -> Array:
        """The rows whose ids the parents are."""
        table = IdTable(self.data, self._ids())
        parents = np.full(len(self.parents), NONE, dtype=np.int64)
        for values in self._raw(self.children):
            parents[values.nodes] = self._linked(values, table)
        return parents

    def _parents_by_place(self) -> Array:
        """The rows that are parents by their places in the table, each before its children; -1 for none."""
        parents = np.full(len(self.parents), UNKNOWN, dtype=np.int64)
        for nodes, begins, sizes in self._raw(self.children):
            data, run = self.data.array, self.data.run
            numbers, are_read = np.empty(len(nodes)), np.empty(len(nodes), dtype=np.bool_)
            if (data[begins] == QUOTE).any() or not run(without_quotes)(data, begins, sizes):
                raise IrregularError
            run(read_numbers)(data, begins, sizes, numbers, are_read)
            if not are_read.all():
                raise IrregularError
            parents[nodes] = numbers
        if (parents < NONE).any() or (parents >= np.arange(len(parents))).any():
            raise IrregularError
        return parents

    def first_rows(self) -> bytes:
        """Some of the rows as JSON, with commas between: those at the start, and all above them in the tree.

        More are taken where objects or lists are in rows, since children may lie in them.
        """
        chosen = self._chosen(MANY_ROWS if self._is_nested() else FEW_ROWS)
        members: dict[int, list[bytes]] = {row: [] for row in np.flatnonzero(chosen).tolist()}
        for row, _, _, text in self._members_of(chosen):
            members[row].append(text)
        return self._as_rows(members)

    def _members_of(self, of_nodes: Array) -> Iterator[tuple[int, int, int, bytes]]:
        """The members of some rows as they stand in the file, without the keys of a map."""
        return (each for each in super()._members_of(of_nodes) if each[1] != self._key_name)

    def _as_rows(self, members: Mapping[int, Sequence[bytes]]) -> bytes:
        """Rows of some members as JSON with commas between, under their keys where they lie in a map."""
        rows = [b"{%b}" % b",".join(each) for each in members.values()]
        if self._key_name != NONE:
            begins, sizes = (each[list(members)].tolist() for each in self._ids()[1:])
            keys = [self.data.array[at : at + n].tobytes() for at, n in zip(begins, sizes, strict=True)]
            rows = [b'"%b":%b' % pair for pair in zip(keys, rows, strict=True)]
        return b",".join(rows)

    def _chosen(self, n_rows: int) -> Array:
        """Which rows are among so many first ones, or above them in the tree."""
        chosen = np.zeros(len(self._above), dtype=np.bool_)
        rows = np.arange(min(n_rows, len(chosen)))
        while len(rows):
            chosen[rows] = True
            rows = np.unique(self._above[rows])
            rows = rows[rows >= 0]
            rows = rows[~chosen[rows]]
        return chosen

    def _is_nested(self) -> bool:
        """Whether an object or a list is a value of a row."""
        data = self.data.array
        return any(
            np.isin(data[piece.columns[1]], (OPEN_LIST, OPEN_OBJECT)).any()
            for piece in SlicedOutline.pieces(self)
        )

    def _names_of_ids(self) -> list[str]:
        """The fields of the first row that may hold ids, best first."""
        of_first = np.arange(len(self.parents)) == 0
        names = [self.labels_seen[name] for name in next(iter(self.pieces())).rows(of_first)[:, 1].tolist()]
        return sorted((name for name in names if plain(name) in IDS), key=lambda name: IDS.index(plain(name)))

    def _ids(self) -> Values:
        """The ids of all rows, from the first field that may hold them."""
        if self._key_name != NONE:
            pieces = [piece.of(self._key_name) for piece in super().pieces()]
        elif names := self._names_of_ids():
            pieces = list(self._raw(names[0]))
        else:
            raise IrregularError
        ids = Values(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))
        if len(ids.nodes) != len(self.parents):
            raise IrregularError
        if not self.data.run(without_quotes)(self.data.array, ids.begins, ids.sizes):
            raise IrregularError
        return ids

    def _linked(self, values: Values, table: IdTable) -> Array:
        """The rows that these values name, as `linked_rows` takes them."""
        data, run = self.data.array, self.data.run
        found = np.full(len(values.nodes), NONE, dtype=np.int64)
        starts = data[values.begins]
        named = np.flatnonzero(~np.isin(starts, (SMALL_N, SMALL_T, SMALL_F, OPEN_LIST, OPEN_OBJECT)))
        begins, sizes = values.begins[named], values.sizes[named]
        if not run(without_quotes)(data, begins, sizes):
            raise IrregularError
        rows = table.find(begins, sizes)
        for at in np.flatnonzero(rows == UNKNOWN).tolist():
            text = data[begins[at] : begins[at] + sizes[at]].tobytes().decode()
            if text not in NO_PARENT and not (text == "0" and values.nodes[named[at]] == 0):
                raise IrregularError
            rows[at] = NONE
        found[named] = rows
        found[found == values.nodes] = NONE  # a root may name itself
        return found

    def _raw(self, label: str) -> Iterator[Values]:
        """The places of a field's values, by the numbers of the rows in the document."""
        name = self.labels_seen.index(label)
        return (piece.of(name) for piece in super().pieces())

    def pieces(self) -> Iterator[SortedRecords]:
        """All records but those of parents, the nodes by their numbers in pre-order."""
        for piece in super().pieces():
            if self._sealed is not None:
                labels = self.labels_seen
                parent = labels.index(self.children) if self.children in labels else NONE
                yield piece._replace(rank=self._rank, left_out=parent)
            else:
                yield piece

    def _scan(self) -> Scan:
        begins = {
            scan_kernel.LIST_OF_TREES: scan_kernel.FIRST_CHILD,
            scan_kernel.MAP_OF_TREES: scan_kernel.FIRST_KEY,
        }
        is_key_field = self._key_name > OWN_IDS
        return Scan(
            self.data,
            names=(NO_CHILDREN,) if is_key_field else () if self._key_name == OWN_IDS else (NO_NAME,),
            begin=self._begin,
            where=begins.get(self._in_list, scan_kernel.NEXT_CHILD),
            tree=scan_kernel.LONE_TREES,
            in_list=self._in_list,
            with_labels=self._key_name != NONE,
            opened=[self._spelled(name) for name in self._opened],
        )


def _first_row(data: Bytes, begin: int) -> dict[str, Any]:
    """The first row of a map from id to row, whose members begin at a place. Raises IrregularError."""
    after_space, array = data.run(json_places.after_space), data.array
    after = int(data.run(json_places.after_text)(array, int(after_space(array, begin, False))))
    colon = int(after_space(array, after, False)) if after >= 0 else len(array)
    place = int(after_space(array, colon + 1, False))
    end = int(data.run(json_places.after_value)(array, place, False)) if place < len(array) else -1
    row = orjson.loads(array[place:end].tobytes()) if end >= 0 else None
    if not isinstance(row, dict):
        raise IrregularError
    return row
