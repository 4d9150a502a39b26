"""The kernel that finds the children of each row. `Tree` sorts for that, which takes longer."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from plyscope.engine.jit import kernel

Array = npt.NDArray[Any]


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
