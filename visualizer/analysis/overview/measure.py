"""The measure of the icicle's width: nodes, or visits if a best-first search logged any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.engine.compile.plain_call import plain
from plyscope.engine.jit import compiled, kernel
from plyscope.visualizer.analysis.nodes.best_first import is_best_first
from plyscope.visualizer.store.tree import Tree

FEW_ROWS: Final = 60_000
"""Up to this many rows, kernels run in Python, in some hundredths of a second; compiling takes seconds."""
MOST_LENGTH: Final = 2**52
Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Measure:
    """The place at which each row begins along the width of the icicle."""

    before: npt.NDArray[np.integer[Any]]
    """By row (n + 1), the total before it: a subtree's width is that at its end minus that at its row."""
    unit: Literal["nodes", "visits"]

    @property
    def length(self) -> int:
        """The whole width."""
        return int(self.before[-1])


_kept: Final[WeakKeyDictionary[Tree, Measure]] = WeakKeyDictionary()


def measure_of(tree: Tree) -> Measure:
    """Visits where a best-first search logged any, else nodes.

    A node is as wide as its visits, or as its children together where these have more, as in trees that share
    nodes. One without visits has no width. The visits beyond those of its children come first.

    >>> from plyscope.visualizer.formats.detect import read_log
    >>> log = b'{"plyscope": 1, "search": {"order": "best_first"}, "root": {"visits": 5, "children": '
    >>> measure_of(Tree(read_log(log + b'[{"visits": 3}, {"visits": 1}]}}'))).before.tolist()
    [0, 1, 4, 5]
    """
    found = _kept.get(tree)
    if found is None:
        found = _kept[tree] = by_visits(tree) or Measure(tree.nodes_before, "nodes")
    return found


def by_visits(tree: Tree) -> Measure | None:
    """The measure in visits; None where the search is not best-first, or they cannot be added up."""
    visits = tree.log.columns.get("visits")
    if visits is None or not is_best_first(tree.log):
        return None
    known = np.where(np.isfinite(visits) & ~tree.is_stub, np.rint(np.maximum(visits, 0)), 0)
    if not 0 < float(known.sum()) < MOST_LENGTH:
        return None
    own = known.astype(np.int64)
    run = plain(own_visits) if len(own) <= FEW_ROWS else compiled(own_visits)
    run(own, np.asarray(tree.log.columns["parent"]), np.zeros(len(own), np.int64))
    before = np.zeros(len(own) + 1, dtype=np.int64)
    np.cumsum(own, out=before[1:])
    return Measure(before, "visits")


@kernel
def own_visits(visits: Array, parent: Array, below: Array) -> int:
    """Turn the visits of each row into those that its children do not have.

    visits  int64, a row; 0 where unknown
    parent  the row above, negative at a root
    below   int64, a row, all 0: the sum of the children's visits
    """
    for row in range(len(visits) - 1, -1, -1):
        own = visits[row] - below[row]
        if own < 0:
            own = 0
        visits[row] = own
        if parent[row] >= 0:
            below[parent[row]] += own + below[row]
    return 0
