"""Sealing: nodes in any order of arrival become a table in pre-order, siblings by arrival.

It knows parents only: neither what a node holds nor what kind of file it came from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Cycle(ValueError):  # noqa: N818
    """The node that arrived as `number` is its own ancestor."""

    def __init__(self, number: int) -> None:
        super().__init__(f"node {number} is its own ancestor")
        self.number = number


class Sealed(NamedTuple):
    """The order of a sealed table and its shape, one entry a row."""

    order: npt.NDArray[np.int64]
    """Arrival number of each row."""
    parent: npt.NDArray[np.int32]
    """Row of the parent, -1 at a root."""
    end: npt.NDArray[np.int32]
    """The subtree of row i is rows [i, end[i])."""
    level: npt.NDArray[np.int32]
    """Distance from the root."""


def seal(parents: Array) -> Sealed:
    """Sort nodes into pre-order, given the arrival number of each one's parent (-1 for a root).

    Takes one pass where they arrived in pre-order. Raises `Cycle` where a node is its own ancestor, and
    ValueError for a parent that is no node.

    >>> sealed = seal(np.array([2, 2, -1]))
    >>> sealed.order.tolist(), sealed.parent.tolist(), sealed.end.tolist(), sealed.level.tolist()
    ([2, 0, 1], [-1, 0, 0], [3, 2, 3], [0, 1, 1])
    """
    n_nodes = len(parents)
    if n_nodes and (int(parents.min()) < -1 or int(parents.max()) >= n_nodes):
        number = int(np.argmax((parents < -1) | (parents >= n_nodes)))
        raise ValueError(f"node {number} has parent {parents[number]}, of {n_nodes} nodes")
    order = np.arange(n_nodes, dtype=np.int64)
    shape = _shape(parents.tolist())
    if shape is None:
        order = _pre_order(parents)
        row_of = np.empty(n_nodes + 1, dtype=np.int64)
        row_of[order] = np.arange(n_nodes)
        row_of[-1] = -1
        parents = row_of[parents[order]]
        shape = _shape(parents.tolist())
        assert shape is not None
    end, level = shape
    return Sealed(
        order, parents.astype(np.int32), np.array(end, dtype=np.int32), np.array(level, dtype=np.int32)
    )


def _shape(parents: list[int]) -> tuple[list[int], list[int]] | None:
    """The ends and levels of nodes in pre-order; None where they are not in pre-order."""
    end = [len(parents)] * len(parents)
    level = [0] * len(parents)
    open_nodes: list[int] = []
    for row, parent in enumerate(parents):
        while open_nodes and open_nodes[-1] != parent:
            end[open_nodes.pop()] = row
        if not open_nodes and parent >= 0:
            return None
        level[row] = len(open_nodes)
        open_nodes.append(row)
    return end, level


def _pre_order(parents: Array) -> npt.NDArray[np.int64]:
    """The nodes in pre-order, siblings by arrival."""
    n_nodes = len(parents)
    by_parent = np.argsort(parents, kind="stable")
    edges = np.searchsorted(parents[by_parent], np.arange(-1, n_nodes + 1)).tolist()
    children = by_parent.tolist()
    stack = children[edges[0] : edges[1]][::-1]
    order: list[int] = []
    while stack:
        node = stack.pop()
        order.append(node)
        first, last = edges[node + 1], edges[node + 2]
        if first != last:
            stack.extend(children[last - 1 : first - 1 if first else None : -1])
    if len(order) < n_nodes:
        raise Cycle(_on_a_cycle(parents.tolist(), set(order)))
    return np.array(order, dtype=np.int64)


def _on_a_cycle(parents: list[int], reached: set[int]) -> int:
    """The earliest node that is its own ancestor, on the cycle above the first node that no root reaches."""
    node = next(number for number in range(len(parents)) if number not in reached)
    seen: set[int] = set()
    while node not in seen:
        seen.add(node)
        node = parents[node]
    cycle = [node]
    while parents[cycle[-1]] != node:
        cycle.append(parents[cycle[-1]])
    return min(cycle)
