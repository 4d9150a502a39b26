"""Where the values of some thousand nodes stand, sorted by the names of their fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.large import member_names, slices
from plyscope.visualizer.formats.large.scan import Bytes
from plyscope.visualizer.formats.large.scan_kernel import MOST_OF_NODE

Array = npt.NDArray[Any]


class Values(NamedTuple):
    """The places of the values of one field: their nodes, begins and sizes, arrays of one length."""

    nodes: Array
    begins: Array
    sizes: Array

    def where(self, chosen: Array) -> Values:
        """Those that are chosen."""
        return Values(self.nodes[chosen], self.begins[chosen], self.sizes[chosen])


class SortedRecords(NamedTuple):
    """Records of some thousand nodes, sorted by name.

    columns    rows of nodes, begins, sizes and places in the order of the file
    edges      where each name begins, and at last the end
    rank       the number of each node, where that is not its place in the file
    left_out   a name that counts as not there, -1 for none
    """

    columns: Array
    edges: Array
    rank: Array | None = None
    left_out: int = -1

    def of(self, name: int) -> Values:
        """The values of one name, in memory of their own."""
        part = self.part(name)
        if name == self.left_out:
            part = slice(0)
        nodes, begins, sizes = self.columns[:3, part].astype(np.int64)
        return Values(nodes if self.rank is None else self.rank[nodes], begins, sizes)

    def part(self, name: int) -> slice:
        """The places of one name among the columns."""
        return slice(int(self.edges[name]), int(self.edges[name + 1]))

    def nodes(self) -> Array:
        """The nodes of all records."""
        return np.asarray(self.columns[0] if self.rank is None else self.rank[self.columns[0]])

    def rows(self, of_nodes: Array) -> Array:
        """Rows of node, name, begin and size of the records of some nodes, in no order.

        `of_nodes` says of every node whether it is one. Records inside others are left out.
        """
        chosen = np.flatnonzero(of_nodes[self.nodes()[: self.edges[member_names.MOST_NAMES]]])
        names = np.searchsorted(self.edges, chosen, side="right") - 1
        chosen, names = chosen[names != self.left_out], names[names != self.left_out]
        nodes, begins, sizes = self.columns[:3, chosen].astype(np.int64)
        nodes = nodes if self.rank is None else self.rank[nodes]
        return np.stack([nodes, names, begins, sizes], axis=1)


def sort_records(data: Bytes, records: Array, dtype: Any) -> SortedRecords:
    """Sort rows of node, name, begin and size by name."""
    starts = np.zeros(MOST_OF_NODE + 2, dtype=np.int64)
    columns = np.empty((4, len(records)), dtype=dtype)
    data.run(slices.sort_records)(records, starts, columns)
    return SortedRecords(columns, starts[: MOST_OF_NODE + 1])


def by_node(pieces: Sequence[Array]) -> Array:
    """All of these rows, sorted by node; those of one node as they stand in the file."""
    rows = np.concatenate(pieces) if pieces else np.zeros((0, 4), dtype=np.int64)
    return rows[np.lexsort((rows[:, 2], rows[:, 0]))]
