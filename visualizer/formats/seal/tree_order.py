"""The order and shape of trees, from parents in any order of arrival: `store.seal`, compiled."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled, kernel
from plyscope.visualizer.store.seal import Sealed, seal

Array = npt.NDArray[Any]

COMPILED_NODES: Final = 200_000
"""From so many nodes on machine code is worth loading."""


def sealed_order(parents: Array) -> Sealed:
    """Sort nodes into pre-order as `seal` does, given the arrival number of each one's parent (-1: a root).

    Raises `Cycle` and ValueError as it does.

    >>> sealed_order(np.array([2, 2, -1])).order.tolist()
    [2, 0, 1]
    """
    if len(parents) < COMPILED_NODES:
        return seal(parents)
    return compiled_order(parents, compiled(order_nodes)) or seal(parents)


def compiled_order(parents: Array, run: Any) -> Sealed | None:
    """The result of `seal`, by the kernel `run`; None where `seal` raises."""
    n_nodes = len(parents)
    if not n_nodes or int(parents.min()) < -1 or int(parents.max()) >= n_nodes:
        return None
    order = np.empty(n_nodes, dtype=np.int64)
    parent, end, level, row_of, last_child, brother = np.empty((6, n_nodes), dtype=np.int32)
    n_ordered = run(
        parents.astype(np.int32, copy=False), order, parent, end, level, row_of, last_child, brother
    )
    return Sealed(order, parent, end, level) if n_ordered == n_nodes else None


@kernel
def order_nodes(
    parents: Array,
    order: Array,
    parent: Array,
    end: Array,
    level: Array,
    row_of: Array,
    last_child: Array,
    brother: Array,
) -> int:
    """Fill in order, parent, end and level of each row; returns how many nodes a root reaches.

    parents     the arrival number of each node's parent, -1 for a root
    row_of, last_child, brother     room for a number a node
    """
    n_nodes = len(parents)
    last_root = -1
    for node in range(n_nodes):
        last_child[node] = -1
    for node in range(n_nodes):
        above = parents[node]
        if above < 0:
            brother[node] = last_root
            last_root = node
        else:
            brother[node] = last_child[above]
            last_child[above] = node
    # Chains run from the last child to the first: turned around, the first comes first.
    first_root = -1
    while last_root >= 0:
        before = brother[last_root]
        brother[last_root] = first_root
        first_root = last_root
        last_root = before
    for node in range(n_nodes):
        child, first = last_child[node], -1
        while child >= 0:
            before = brother[child]
            brother[child] = first
            first = child
            child = before
        last_child[node] = first
    row, depth, node = 0, 0, first_root
    while node >= 0:
        order[row] = node
        row_of[node] = row
        above = parents[node]
        parent[row] = row_of[above] if above >= 0 else -1
        level[row] = depth
        row += 1
        if last_child[node] >= 0:
            node = last_child[node]
            depth += 1
            continue
        while node >= 0:
            end[row_of[node]] = row
            if brother[node] >= 0:
                node = brother[node]
                break
            node = parents[node]
            depth -= 1
    return row
