"""A form applied to the rows of a tape: the role and the node of every value."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.tape.batch import Batch, SlicedValues
from plyscope.visualizer.formats.tape.form import DOCUMENT, LINK, NODE, SKIPPED, Form
from plyscope.visualizer.formats.tape.kinds import ABSENT, LIST
from plyscope.visualizer.formats.tape.tape import Piece, Tape

Array = npt.NDArray[Any]

NODES, LINKS, NEW_LINKS = range(3)
"""Places in `counts`: nodes and links so far, links of this piece."""
LEAST_DEPTH: Final = 64


@kernel
def place(
    kind: Array,
    key: Array,
    up: Array,
    table: Array,
    columns: Array,
    makes: Array,
    is_wanted: Array,
    after: Array,
    by_first: Array,
    above_role: Array,
    above_node: Array,
    next_kind: int,
    next_up: int,
    counts: Array,
    role: Array,
    holds: Array,
    node: Array,
    new_row: Array,
    new_parent: Array,
    link_owner: Array,
    n_of_role: Array,
) -> int:
    """Give each row its role and its node; returns the number of nodes that begin here.

    table, makes, after    as in the form; columns: by name, its column there, the last for others
    above_role, above_node by depth, for the containers that began in earlier pieces
    role, holds            by row; `holds`, by which the values of a container get their roles, may change
                           after the first one
    new_row, new_parent    by new node, its row and the node that holds it, -1 for none
    link_owner             by new link, the node that holds it
    n_of_role              counts the wanted values of each role
    """
    n_nodes, n_links, n_new, n_new_links = counts[NODES], counts[LINKS], 0, 0
    last_name = len(columns) - 1
    for i in range(len(kind)):
        above = up[i]
        if above >= 0:
            holder, owner = holds[above], node[above]
        elif above == -1:
            holder, owner = DOCUMENT, -1
        else:
            holder, owner = above_role[-2 - above], above_node[-2 - above]
        name = key[i]
        column = columns[name if name < last_name else last_name] if name >= 0 else 0
        to = table[holder, column, kind[i]]
        if kind[i] >= LIST:
            first = np.int64(ABSENT)
            if i + 1 < len(kind):
                if up[i + 1] == i:
                    first = np.int64(kind[i + 1])
            elif next_up == i:
                first = np.int64(next_kind)
            to = by_first[to, first]
        if after[holder] != holder:
            if above >= 0:
                holds[above] = after[holder]
            elif above < -1:
                above_role[-2 - above] = after[holder]
        if makes[to] == NODE:
            new_row[n_new] = i
            new_parent[n_new] = owner
            owner = n_nodes
            n_nodes += 1
            n_new += 1
        elif makes[to] == LINK:
            link_owner[n_new_links] = owner
            owner = n_links
            n_links += 1
            n_new_links += 1
        role[i] = to
        holds[i] = to
        node[i] = owner
        if is_wanted[to]:
            n_of_role[to] += 1
    counts[NODES] = n_nodes
    counts[LINKS] = n_links
    counts[NEW_LINKS] = n_new_links
    return n_new


@kernel
def sort_by_role(role: Array, is_wanted: Array, starts: Array, order: Array) -> int:
    """Sort rows of wanted values by role; `starts`, the begin of each role, moves to its end."""
    n = 0
    for i in range(len(role)):
        to = role[i]
        if is_wanted[to]:
            order[starts[to]] = i
            starts[to] += 1
            n += 1
    return n


class Placer:
    """Applies a form to the pieces of a tape; keeps the open containers from piece to piece."""

    def __init__(self, tape: Tape, form: Form) -> None:
        """The tape must be new: the names of the form get the first numbers."""
        for name, number in form.names.items():
            assert tape.key(name) == number, "a form is given to a tape that knows other names"
        self.tape, self.form = tape, form
        self._table = form.table()
        self._columns = np.arange(1, len(form.names) + 2, dtype=np.int32)
        self._makes, self._is_wanted = np.array(form.makes, np.int8), np.array(form.is_wanted)
        self._after, self._by_first = np.array(form.after, np.int16), form.by_first
        self.above_role, self.above_node = np.zeros(LEAST_DEPTH, np.int16), np.zeros(LEAST_DEPTH, np.int32)
        self._counts = np.zeros(3, np.int64)
        self._make_room(0)

    @property
    def n_nodes(self) -> int:
        """Nodes so far."""
        return int(self._counts[NODES])

    @property
    def open_nodes(self) -> list[int]:
        """The nodes with an open container at the end of the tape, outermost first; one may come twice."""
        left_out = [*self.form.in_links(), SKIPPED]
        depth = self.tape.depth
        nodes = self.above_node[:depth][~np.isin(self.above_role[:depth], left_out)]
        return [int(node) for node in nodes if node >= 0]

    def begin_anew(self) -> None:
        """Number the next nodes and links from 0."""
        self._counts[:] = 0

    def place(self, piece: Piece) -> Batch:
        """The roles and nodes of a piece, valid until the next one is placed."""
        n = len(piece)
        if n > len(self._role):
            self._make_room(n)
        role, node, order = self._role[:n], self._node[:n], self._order[:n]
        self._find_columns()
        first, first_link = self.n_nodes, int(self._counts[LINKS])
        n_of_role = np.zeros(len(self.form.labels), np.int64)
        n_new = int(
            self.tape.run(place)(
                piece.kind,
                piece.key,
                piece.up,
                self._table,
                self._columns,
                self._makes,
                self._is_wanted,
                self._after,
                self._by_first,
                self.above_role,
                self.above_node,
                piece.next_kind,
                piece.next_up,
                self._counts,
                role,
                self._holds,
                node,
                self._new_row,
                self._new_parent,
                self._owner,
                n_of_role,
            )
        )
        for depth, row in piece.left_open.items():
            if depth >= len(self.above_role):
                self.above_role = np.concatenate([self.above_role, self.above_role])
                self.above_node = np.concatenate([self.above_node, self.above_node])
            self.above_role[depth], self.above_node[depth] = self._holds[row], node[row]
        ends = np.cumsum(n_of_role)
        starts = ends - n_of_role
        self.tape.run(sort_by_role)(role, self._is_wanted, starts.copy(), order)
        rows = {
            at: order[begin:end]
            for at, (begin, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True))
            if end > begin
        }
        new_row = self._new_row[:n_new]
        return Batch(
            first,
            self._new_parent[:n_new].copy(),
            piece.key[new_row],
            role[new_row],
            new_row,
            {at: SlicedValues(self.tape, piece, node, chosen) for at, chosen in rows.items()},
            role,
            node,
            piece,
            first_link,
            self._owner[: self._counts[NEW_LINKS]].copy(),
        )

    def _find_columns(self) -> None:
        n_known, n_names, form = len(self._columns) - 1, self.tape.n_names, self.form
        if form.like is not None and n_known < n_names:
            found = [form.column(self.tape.name(key)) for key in range(n_known, n_names)]
            self._columns = np.concatenate(
                [self._columns[:-1], np.array(found, np.int32), self._columns[-1:]]
            )

    def _make_room(self, n: int) -> None:
        """Make arrays for a piece of so many rows."""
        self._role, self._holds = np.empty(n, np.int16), np.empty(n, np.int16)
        self._node, self._order, self._new_row, self._new_parent, self._owner = np.empty((5, n), np.int32)
