"""Sealing: nodes in any order of arrival become a table in pre-order, siblings by arrival.

It knows only parents: neither fields nor file formats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled, kernel

Array = npt.NDArray[Any]

COMPILED_NODES: Final = 200_000
"""From this many nodes on, machine code is worth loading."""


class Cycle(ValueError):  # noqa: N818
    """The node that arrived as `number` is its own ancestor."""

    def __init__(self, number: int) -> None:
        super().__init__(f"node {number} is its own ancestor")
        self.number = number


class Sealed(NamedTuple):
    """The order of a sealed table and its shape, one entry a row."""

    order: npt.NDArray[np.int32]
    """Arrival number of each row."""
    parent: npt.NDArray[np.int32]
    """Row of the parent, -1 at a root."""
    end: npt.NDArray[np.int32]
    """The subtree of row i is rows [i, end[i])."""
    level: npt.NDArray[np.int32]
    """Distance from the root."""

    @property
    def is_as_arrived(self) -> bool:
        """Whether the nodes arrived in pre-order."""
        return bool((self.order[1:] > self.order[:-1]).all())


def seal(parents: Array, run: Callable[[Any], Any] | None = None) -> Sealed:
    """Sort nodes into pre-order, given the arrival number of each one's parent (-1 for a root).

    `run` compiles the kernel; without it machine code is loaded for many nodes only. Raises `Cycle` where a
    node is its own ancestor, and ValueError for a parent that is no node.

    >>> sealed = seal(np.array([2, 2, -1]))
    >>> sealed.order.tolist(), sealed.parent.tolist(), sealed.end.tolist(), sealed.level.tolist()
    ([2, 0, 1], [-1, 0, 0], [3, 2, 3], [0, 1, 1])
    """
    n_nodes = len(parents)
    if n_nodes and (int(parents.min()) < -1 or int(parents.max()) >= n_nodes):
        number = int(np.argmax((parents < -1) | (parents >= n_nodes)))
        raise ValueError(f"node {number} has parent {parents[number]}, of {n_nodes} nodes")
    if run is None and n_nodes >= COMPILED_NODES:
        run = compiled
    made: list[Any]
    if run is None:  # Python reads lists several times as fast as arrays
        made = [[0] * n_nodes for _ in range(6)]
        n_ordered = order_nodes(parents.tolist(), *made)
    else:
        made = [np.empty(n_nodes, np.int32) for _ in range(6)]
        n_ordered = int(run(order_nodes)(parents.astype(np.int32, copy=False), *made))
    if n_ordered < n_nodes:
        raise Cycle(_on_a_cycle(parents.tolist(), set(map(int, made[0][:n_ordered]))))
    return Sealed(*(np.asarray(each, np.int32) for each in made[:4]))


@kernel
def order_nodes(
    parents: Array,
    order: Array,
    parent: Array,
    end: Array,
    level: Array,
    first_child: Array,
    brother: Array,
) -> int:
    """Fill in order, parent, end and level of each row; returns the number of nodes reached from roots.

    parents     the arrival number of each node's parent, -1 for a root
    first_child, brother     room for a number a node
    """
    n_nodes = len(parents)
    first_root = -1
    for node in range(n_nodes):
        first_child[node] = -1
    for node in range(n_nodes - 1, -1, -1):  # so that each is before its brothers that came later
        of_node = parents[node]
        if of_node < 0:
            brother[node] = first_root
            first_root = node
        else:
            brother[node] = first_child[of_node]
            first_child[of_node] = node
    n_rows, depth, above, node = 0, 0, -1, first_root
    while node >= 0:
        row = n_rows
        order[row] = node
        parent[row] = above
        level[row] = depth
        n_rows += 1
        if first_child[node] >= 0:
            node = first_child[node]
            above = row
            depth += 1
            continue
        node = -1
        while row >= 0 and node < 0:  # up to the first with another brother
            end[row] = n_rows
            node = brother[order[row]]
            if node < 0:
                row = above
                above = parent[row] if row >= 0 else -1
                depth -= 1
    return n_rows


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
