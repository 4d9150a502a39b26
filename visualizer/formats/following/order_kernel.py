"""Kernels that seal a log which still grows: any order of arrival into pre-order, and the index of children.

They do what `store.seal` and `Tree` do, without lists: a log is sealed several times a second.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from plyscope.engine.jit import kernel

Array = npt.NDArray[Any]


@kernel
def pre_order(
    parents: Array,
    first_child: Array,
    next_sibling: Array,
    order: Array,
    rows: Array,
    end: Array,
    level: Array,
) -> int:
    """Put nodes into pre-order, siblings by arrival; returns how many the roots reach (fewer: a cycle).

    parents       arrival number of each node's parent, -1 for a root
    first_child, next_sibling    room for one number a node, all -1 before
    order         the arrival number of each row; rows: the row of each arrival number
    end, level    of each row
    """
    n_nodes = len(parents)
    first_root = -1
    for i in range(n_nodes):
        node = n_nodes - 1 - i
        parent = parents[node]
        if parent < 0:
            next_sibling[node] = first_root
            first_root = node
        else:
            next_sibling[node] = first_child[parent]
            first_child[parent] = node
    row, depth = 0, 0
    node = first_root
    while node >= 0:
        order[row] = node
        rows[node] = row
        level[row] = depth
        row += 1
        if first_child[node] >= 0:
            node = first_child[node]
            depth += 1
            continue
        while node >= 0 and next_sibling[node] < 0:
            end[rows[node]] = row
            node = parents[node]
            depth -= 1
        if node >= 0:
            end[rows[node]] = row
            node = next_sibling[node]
    return row


@kernel
def index_children(parent: Array, starts: Array, filled: Array, children: Array) -> int:
    """Fill in the rows sorted by parent and where each parent's begin; returns how many rows have a parent.

    parent      row of the parent, -1 at a root
    starts      one more than rows, zero before
    filled      one a row, zero before
    children    room for one number a row
    """
    n_rows = len(parent)
    for row in range(n_rows):
        if parent[row] >= 0:
            starts[parent[row] + 1] += 1
    for row in range(n_rows):
        starts[row + 1] += starts[row]
    for row in range(n_rows):
        above = parent[row]
        if above >= 0:
            children[starts[above] + filled[above]] = row
            filled[above] += 1
    n_children: int = starts[n_rows]
    return n_children
