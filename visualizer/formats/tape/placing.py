"""A form followed over the rows of a tape: the role and the node of every value."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.tape.batch import Batch, SlicedValues
from plyscope.visualizer.formats.tape.form import DOCUMENT, Form
from plyscope.visualizer.formats.tape.tape import Piece, Tape

Array = npt.NDArray[Any]

NODES, NEW, WANTED = range(3)
"""Places in `counts`: nodes so far, nodes of this piece, values of this piece that are wanted."""
LEAST_DEPTH: Final = 64


@kernel
def place(
    kind: Array,
    key: Array,
    up: Array,
    table: Array,
    makes_node: Array,
    is_wanted: Array,
    after: Array,
    above_role: Array,
    above_node: Array,
    counts: Array,
    role: Array,
    node: Array,
    new_row: Array,
    new_parent: Array,
    n_of_role: Array,
) -> int:
    """Give each row its role and its node; returns how many nodes begin here.

    table, after           as `Form.table` and `Form.after` give them
    above_role, above_node by depth, of the containers that began in earlier pieces
    new_row, new_parent    of each new node its row and the node of its container, -1 where that is in none
    n_of_role              how many values of each role are wanted, which is counted here
    """
    n_named = table.shape[1] - 2
    n_nodes, n_new = counts[NODES], 0
    for i in range(len(kind)):
        above = up[i]
        if above >= 0:
            holder, owner = role[above], node[above]
        elif above == -1:
            holder, owner = DOCUMENT, -1
        else:
            holder, owner = above_role[-2 - above], above_node[-2 - above]
        name = key[i]
        to = table[holder, name + 1 if name < n_named else n_named + 1, kind[i]]
        if after[holder] != holder:
            if above >= 0:
                role[above] = after[holder]
            elif above < -1:
                above_role[-2 - above] = after[holder]
        if makes_node[to]:
            new_row[n_new] = i
            new_parent[n_new] = owner
            owner = n_nodes
            n_nodes += 1
            n_new += 1
        role[i] = to
        node[i] = owner
        if is_wanted[to]:
            n_of_role[to] += 1
    counts[NODES] = n_nodes
    counts[NEW] = n_new
    return n_new


@kernel
def sort_by_role(role: Array, is_wanted: Array, starts: Array, order: Array) -> int:
    """Sort rows of wanted values by role; `starts`, where each role begins, moves to its end."""
    n = 0
    for i in range(len(role)):
        to = role[i]
        if is_wanted[to]:
            order[starts[to]] = i
            starts[to] += 1
            n += 1
    return n


class Placer:
    """What follows a form over the pieces of a tape, with what is open from piece to piece."""

    def __init__(self, tape: Tape, form: Form) -> None:
        """The tape must be new: the names of the form get the first numbers."""
        for name, number in form.names.items():
            assert tape.key(name) == number, "a form is given to a tape that knows other names"
        self.tape, self.form = tape, form
        self._table = form.table()
        self._makes_node, self._is_wanted = np.array(form.makes_node), np.array(form.is_wanted)
        self._after = np.array(form.after, np.int16)
        self.above_role, self.above_node = np.zeros(LEAST_DEPTH, np.int16), np.zeros(LEAST_DEPTH, np.int32)
        self._counts = np.zeros(3, np.int64)
        self._role, self._node, self._order, self._new_row, self._new_parent = _room(0)

    @property
    def n_nodes(self) -> int:
        """Nodes so far."""
        return int(self._counts[NODES])

    @property
    def open_nodes(self) -> list[int]:
        """The nodes whose containers are open at the end of the tape, outermost first; one may come twice."""
        return [int(node) for node in self.above_node[: self.tape.depth] if node >= 0]

    @property
    def open_roles(self) -> list[int]:
        """The roles of the containers that are open where the tape ends, outermost first."""
        return [int(role) for role in self.above_role[: self.tape.depth]]

    def place(self, piece: Piece) -> Batch:
        """The roles and nodes of a piece; they are good until the next one is placed."""
        n = len(piece)
        if n > len(self._role):
            self._role, self._node, self._order, self._new_row, self._new_parent = _room(n)
        role, node, order = self._role[:n], self._node[:n], self._order[:n]
        first = self.n_nodes
        n_of_role = np.zeros(len(self.form.labels), np.int64)
        n_new = int(
            self.tape.run(place)(
                piece.kind,
                piece.key,
                piece.up,
                self._table,
                self._makes_node,
                self._is_wanted,
                self._after,
                self.above_role,
                self.above_node,
                self._counts,
                role,
                node,
                self._new_row,
                self._new_parent,
                n_of_role,
            )
        )
        for depth, row in piece.left_open.items():
            if depth >= len(self.above_role):
                self.above_role = np.concatenate([self.above_role, self.above_role])
                self.above_node = np.concatenate([self.above_node, self.above_node])
            self.above_role[depth], self.above_node[depth] = role[row], node[row]
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
            {at: SlicedValues(self.tape, piece, node, chosen) for at, chosen in rows.items()},
            role,
            node,
            piece,
        )


def _room(n: int) -> tuple[Array, Array, Array, Array, Array]:
    """Arrays for role, node, order, new rows and their parents."""
    role, node, order, new_row, new_parent = (
        np.empty(n, dtype) for dtype in (np.int16, np.int32, np.int32, np.int32, np.int32)
    )
    return role, node, order, new_row, new_parent
