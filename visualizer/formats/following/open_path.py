"""The shape of a log in pre-order while it grows: parents and levels are appended, ends follow.

A depth-first engine writes a node after its parent and before the parent's next sibling. So the parent of
each new node is on the open path, from a root to the last node; only rows on that path grow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.seal.grown import with_room

Array = npt.NDArray[Any]

NOT_PRE_ORDER: Final = -1


class OpenPath:
    """Parent, level and end of each row, and the open path.

    >>> shape = OpenPath()
    >>> shape.extend(np.array([-1, 0, 1, 0]), None), shape.path.tolist(), shape.level[:4].tolist()
    (True, [0, 3], [0, 1, 2, 1])
    >>> shape.extend(np.array([-1, 0, 1, 0, 1]), None)
    False
    """

    def __init__(self) -> None:
        self.n_rows = 0
        self.is_pre_order = True
        """False once a node came below one that was closed: these arrays hold nothing then."""
        self.parent = np.empty(0, dtype=np.int32)
        """Rows never change once they are here, so views of the first ones may be given away."""
        self.level = np.empty(0, dtype=np.int32)
        self.end = np.empty(0, dtype=np.int32)
        """Of rows that are closed; on the open path it is not set."""
        self._path = np.empty(0, dtype=np.int32)
        self._depth = 0

    @property
    def path(self) -> Array:
        """The rows from the last root to the last row, both included."""
        return self._path[: self._depth]

    def extend(self, parents: Array, run: Callable[[Any], Any] | None) -> bool:
        """Take the parents of all rows so far; False where the log is not in pre-order.

        parents     row of the parent of each row, -1 at a root; unchanged for rows taken before
        run         compiles the kernel; None runs it as Python
        """
        before, n_rows = self.n_rows, len(parents)
        if not self.is_pre_order or n_rows == before:
            return self.is_pre_order
        self.parent = with_room(self.parent, before, n_rows)
        self.level = with_room(self.level, before, n_rows)
        self.end = with_room(self.end, before, n_rows)
        self._path = with_room(self._path, self._depth, self._depth + n_rows - before)
        close = run(close_rows) if run is not None else close_rows
        depth = close(
            parents[before:], self.parent, self.level, self.end, self._path, self._depth, before, n_rows
        )
        self.is_pre_order = depth != NOT_PRE_ORDER
        self._depth, self.n_rows = max(0, int(depth)), n_rows
        return self.is_pre_order


@kernel
def close_rows(
    parents: Array,
    parent: Array,
    level: Array,
    end: Array,
    path: Array,
    depth: int,
    first: int,
    n_rows: int,
) -> int:
    """Append the rows `first` to `n_rows`, and set the end of each row that they close.

    parents     row of the parent of each new row, -1 at a root
    parent, level, end     of all rows, with room for the new ones
    path, depth     the open path and its length

    Returns the new length of the path, -1 where a parent is not on it.
    """
    for row in range(first, n_rows):
        above = parents[row - first]
        while depth > 0 and (above < 0 or path[depth - 1] != above):
            depth -= 1
            end[path[depth]] = row
        if above >= 0 and depth == 0:
            return -1
        parent[row] = above
        level[row] = depth
        path[depth] = row
        depth += 1
    return depth
