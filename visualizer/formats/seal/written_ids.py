"""The written ids of nodes, checked once all have come, and the table entries that refer to them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.read.names import EXACT, NOTHING, Names
from plyscope.visualizer.formats.seal.field_buffers import are_last
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.store.seal import Sealed

Array = npt.NDArray[Any]

ELSEWHERE: Final = -2
"""The source of a table entry that is not in the log, as in copies of a part of a log."""
LARGEST_ID: Final = 2**53 - 1
"""The largest id that a browser holds exactly; logs with larger ones are numbered by arrival."""


class FailAt(Protocol):
    """A function that raises LogError about a node, or one of its fields."""

    def __call__(self, number: int, message: str, field: str = "") -> NoReturn:
        """Raise LogError about the node that arrived as `number`."""


class Ids:
    """The ids of all nodes, as numbers of `names`; where several files are one table, each has its own.

    `ids` has `NOTHING` for a node without one, `starts` the offsets of the files (n + 1).
    """

    def __init__(self, ids: Array, names: Names, starts: Array, fail_at: FailAt) -> None:
        """Calls `fail_at` for a node with the id of another."""
        self._ids, self._starts = ids, starts.tolist()
        self.are_ours = bool(ids.min() >= 0 and ids.max() <= LARGEST_ID)
        """Whether they can be the ids of a log; others are kept as they are written."""
        self._orders: list[Array | None] = []
        for first, last in pairwise(self._starts):
            of_file = ids[first:last]
            if np.array_equal(of_file, np.arange(last - first)):
                self._orders.append(None)
                continue
            order = np.argsort(of_file, kind="stable")
            self._orders.append(order)
            in_order = of_file[order]
            same = np.flatnonzero((in_order[1:] == in_order[:-1]) & (in_order[1:] != NOTHING))
            if len(same):
                second = first + int(order[same + 1].min())
                name = shown(names.listed(ids[second : second + 1])[0])
                fail_at(second, f"the id {name} was seen before, expected each once", "id")

    def nodes_of(self, named: Array) -> Array:
        """The nodes that others name, -1 where one names none, `ELSEWHERE` where that is no node.

        They are all nodes, where several files are one table.
        """
        found = np.full(len(named), ELSEWHERE, dtype=np.int64)
        for (first, last), order in zip(pairwise(self._starts), self._orders, strict=True):
            of_file = slice(first, last) if len(self._orders) > 1 else slice(None)
            wanted = named[of_file]
            if order is None:
                is_there, places = (wanted >= 0) & (wanted < last - first), wanted
            else:
                in_order = self._ids[first:last][order]
                at = np.minimum(np.searchsorted(in_order, wanted), len(order) - 1)
                is_there, places = in_order[at] == wanted, order[at]
            found[of_file] = np.where(is_there, places + first, ELSEWHERE)
        found[named == NOTHING] = -1
        return found


def put_ids(
    columns: dict[str, Array], buffers: NodeFields, sealed: Sealed, row_of: Array, fail_at: FailAt
) -> list[str]:
    """Put the ids into the columns: the written ones if all are whole numbers, else arrival numbers.

    Also put `tt.from` as rows; returns a notice where some refer to a missing node.
    """
    n_nodes, names = len(row_of), Names()
    written = _by_node(buffers.ids, names, n_nodes) if buffers.ids else np.arange(n_nodes)
    if buffers.sources or not (written[1:] > written[:-1]).all():
        # Else all ids are there, once, in order: no sorting, since large logs have little memory left.
        ids = Ids(written, names, np.array([0, n_nodes]), fail_at)
    if written.min() >= 0 and written.max() <= LARGEST_ID:
        buffers.ids.clear()
        columns["id"] = written if sealed.is_as_arrived else written[sealed.order]
    else:
        columns["id"] = sealed.order.astype(np.int64)
        nodes = np.flatnonzero(written != NOTHING)
        buffers.keep_beside("id", nodes, names.listed(written[nodes]))
    if not buffers.sources:
        return []
    lost: dict[int, Any] = {}
    """What nodes name that is not there; what is stated again counts no more."""
    sources = np.full(n_nodes, -1, dtype=np.int32)
    for nodes, said in buffers.sources:
        found = ids.nodes_of(names.numbers_of(said))
        is_lost = found == ELSEWHERE
        sources[row_of[nodes]] = np.where(is_lost, ELSEWHERE, row_of[np.maximum(found, 0)])
        for node in nodes.tolist() if lost else ():
            lost.pop(node, None)
        for place in np.flatnonzero(is_lost & are_last(nodes)).tolist() if is_lost.any() else ():
            if said[place] != ELSEWHERE:
                lost[int(nodes[place])] = said[place]
    columns["tt_from"] = sources
    if not lost:
        return []
    return [lost_sources(len(lost), shown(lost[min(lost)]))]


def lost_sources(n_lost: int, name: str) -> str:
    """The notice of table entries whose source is not in the log; `name` is one of these sources."""
    which = "a table entry" if n_lost == 1 else f"{n_lost:,} table entries"
    return f"`tt.from` of {which} names no node of this log, such as {name}: its source is not known."


def _by_node(ids: list[tuple[Any, Any]], names: Names, n_nodes: int) -> Array:
    """The number of the id of each node, `NOTHING` where there is none."""
    nodes, first = ids[0]
    if _are_numbers(first) and isinstance(nodes, slice) and len(first) == n_nodes and len(ids) == 1:
        return np.asarray(first)  # all at once, and not copied
    written = np.full(n_nodes, NOTHING, dtype=np.int64)
    for nodes, each in ids:
        written[nodes] = each if _are_numbers(each) else names.numbers_of(_listed(each))
    return written


def _are_numbers(ids: Any) -> bool:
    """Whether ids are whole numbers so small that they are the numbers of these names."""
    return isinstance(ids, np.ndarray) and bool((np.abs(ids) < EXACT).all())


def _listed(ids: list[Any] | Array) -> list[Any]:
    return ids.tolist() if isinstance(ids, np.ndarray) else ids
