"""The merged tree: all nodes of the new tree, and among them the subtrees that only the old one has.

A *place* is the number of a node of the merged tree: a row of the new log, or `~row` of the old log if only
that has the node. Ids are the new log's; a node that only the old log has gets -2 minus its id there, so that
ids are numbers and unique. Children are merged one list at a time, when asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.diff.compared_trees import Side
from plyscope.visualizer.analysis.diff.comparison import Change, Comparison
from plyscope.visualizer.analysis.nodes.best_children import Order, field_keys, rank_keys

Places = npt.NDArray[np.int64]

FIRST_OLD_ID: Final = -2
"""The id of node 0 of the old log, if only that has it; -1 means no node in the page."""


def is_old(place: int) -> bool:
    """Whether only the old log has the node."""
    return place < 0


def place_of_change(change: Change) -> int:
    """The place of a change."""
    if change.new is not None:
        return change.new.row
    assert change.old is not None
    return ~change.old.row


class Merged:
    """The merged tree of a comparison. Rows of the new log outside the compared tree have only their own."""

    def __init__(self, compared: Comparison) -> None:
        self.compared = compared

    def side(self, place: int) -> Side:
        """The tree that has the node; the new one where both have it."""
        return self.compared.sides.old if is_old(place) else self.compared.sides.new

    def row(self, place: int) -> int:
        """The node's row in the log of its side."""
        return ~place if is_old(place) else place

    # Ids ---------------------------------------------------------------------------------------------
    def place_of(self, node_id: int) -> int:
        """The node of this id; raises KeyError."""
        if node_id > FIRST_OLD_ID:
            return self.compared.sides.new.tree.row_of(node_id)
        place = self.place_of_old(self.compared.sides.old.tree.row_of(FIRST_OLD_ID - node_id))
        if place is None:
            raise KeyError(node_id)
        return place

    def place_of_old(self, row: int) -> int | None:
        """The node at a row of the old log; None for one outside the compared tree."""
        old = self.compared.sides.old
        if not old.root <= row < old.end:
            return None
        new = self.compared.beside_old(row)
        return ~row if new is None else new

    def id_of(self, place: int) -> int:
        """The id of the node."""
        of_side = int(self.side(place).log.columns["id"][self.row(place)])
        return FIRST_OLD_ID - of_side if is_old(place) else of_side

    # Where nodes stand -------------------------------------------------------------------------------
    def parent(self, place: int) -> int | None:
        """The node above; None above a root."""
        above = int(self.side(place).log.columns["parent"][self.row(place)])
        if above < 0:
            return None
        return self.place_of_old(above) if is_old(place) else above

    def path(self, place: int) -> list[int]:
        """The nodes from the root to this one, both included."""
        path = [place]
        while (above := self.parent(path[-1])) is not None:
            path.append(above)
        return path[::-1]

    def n_children(self, place: int) -> int:
        """Nodes directly below, stubs included, of either tree."""
        below = self.side(place).tree.n_children(self.row(place))
        return below if is_old(place) else below + self.compared.n_missing(place)

    def children(self, place: int) -> Places:
        """The children, in the order of the new search; old ones where they would have come there."""
        row = self.row(place)
        if is_old(place):
            return ~self.side(place).tree.children(row)
        new = self.compared.sides.new.tree.children(row)
        if not self.compared.n_missing(place):
            return new
        old, before = self._missing(place)
        order = np.argsort(np.concatenate([2 * new + 1, 2 * before]), kind="stable")
        return np.concatenate([new, ~old])[order]

    def index_among_siblings(self, place: int) -> int:
        """The number of siblings before this place; for a root, among the roots of its log."""
        above = self.parent(place)
        if above is None:
            return self.side(place).tree.index_among_siblings(self.row(place))
        return int(np.flatnonzero(self.children(above) == place)[0])

    def children_in_order(self, place: int, order: Order) -> tuple[Places, int]:
        """The children in an order, and the number of ranked ones; see `best_children.children_in_order`."""
        children = self.children(place)
        if order == "searched":
            return children, len(children)
        row = self.row(place)
        new = None if is_old(place) else row
        old = row if is_old(place) else self.compared.beside(row)
        n_keys = {"best": 5, "pre_score": 1}.get(order, 2)
        keys = np.full((n_keys, len(children)), np.nan)
        for side, above, sign in ((self.compared.sides.new, new, 1), (self.compared.sides.old, old, -1)):
            is_here = (children >= 0) == (sign == 1)
            is_unstated = order != "best" and order not in side.tree.log.columns
            if above is None or is_unstated or not is_here.any():
                continue
            rows = children[is_here] if sign == 1 else ~children[is_here]
            asked = side.tree, above, rows
            found: Sequence[Any] = rank_keys(*asked) if order == "best" else field_keys(*asked, order)
            for key, numbers in zip(keys, found, strict=True):
                key[is_here] = numbers
        is_ranked = (keys[3] == 0) & (keys[4] == 0) if order == "best" else ~np.isnan(keys[-1])
        return children[np.lexsort(keys)], int(np.count_nonzero(is_ranked))

    def _missing(self, new: int) -> tuple[Places, Places]:
        """Rows directly below a node that only the old tree has, and the new row before which each stands."""
        old = self.compared.beside(new)
        assert old is not None
        rows = self.compared.sides.old.tree.children(old)
        is_missing = np.array([self.compared.beside_old(row) is None for row in rows.tolist()])
        rows = rows[is_missing]
        return rows, np.array([self.compared.place_of_missing(row) for row in rows.tolist()], np.int64)
