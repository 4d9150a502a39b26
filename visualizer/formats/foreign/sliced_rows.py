"""A large table whose rows name their parents, laid out as a tree without an object a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.fields import plain
from plyscope.visualizer.formats.foreign.id_tables import UNKNOWN, IdTable, without_quotes
from plyscope.visualizer.formats.foreign.linked_rows import BY_PARENT, IDS, NO_PARENT
from plyscope.visualizer.formats.foreign.sliced_outline import SlicedOutline
from plyscope.visualizer.formats.large import scan_kernel
from plyscope.visualizer.formats.large.json_places import OPEN_LIST, OPEN_OBJECT, QUOTE, SMALL_N
from plyscope.visualizer.formats.large.scan import NO_NAME, Bytes, IrregularError, Scan
from plyscope.visualizer.formats.large.settled_values import SMALL_F, SMALL_T
from plyscope.visualizer.formats.large.slices import read_numbers
from plyscope.visualizer.formats.large.sorted_records import SortedRecords, Values
from plyscope.visualizer.formats.large.tree_order import compiled_order, order_nodes
from plyscope.visualizer.store.seal import Sealed

Array = npt.NDArray[Any]

FEW_ROWS: Final = 256
MANY_ROWS: Final = 8_192
NONE: Final = -1


class SlicedRows(SlicedOutline):
    """The rows of a large table, in pre-order of the tree that they form; `key` is the parents' field."""

    form = BY_PARENT
    keys = -1

    def __init__(
        self, data: Bytes, begin: int, key: str, *, in_list: int, opened: Sequence[str] = ()
    ) -> None:
        self._sealed: Sealed | None = None
        self._above = np.zeros(0, dtype=np.int64)
        super().__init__(data, begin, key, in_list=in_list, opened=opened)

    def _in_order(self) -> Array:
        """Link the rows, and put them in pre-order."""
        n_rows = len(self.parents)
        if n_rows < 2 or self.children not in self.labels_seen:
            raise IrregularError
        parents = self._parents_by_id() if self._names_of_ids() else self._parents_by_place()
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
        return b",".join(b"{%b}" % b",".join(each) for each in members.values())

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
        names = self._names_of_ids()
        if not names:
            raise IrregularError
        pieces = list(self._raw(names[0]))
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
        is_list = self._in_list == scan_kernel.LIST_OF_TREES
        return Scan(
            self.data,
            names=(NO_NAME,),
            begin=self._begin,
            where=scan_kernel.FIRST_CHILD if is_list else scan_kernel.NEXT_CHILD,
            tree=scan_kernel.LONE_TREES,
            in_list=self._in_list,
            opened=[self._spelled(name) for name in self._opened],
        )
