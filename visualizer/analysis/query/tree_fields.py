"""Fields that follow from the tree alone: level, place among siblings, rows below; computed once a log."""

from __future__ import annotations

from functools import cached_property
from typing import Final
from weakref import ref

import numpy as np

from plyscope.visualizer.analysis.query.field import FROM_THE_TREE, Array, At, Known
from plyscope.visualizer.store.tree import Tree


class FromTree:
    """The fields of `FROM_THE_TREE` of one tree, which whoever asks holds."""

    def __init__(self, tree: Tree) -> None:
        self._tree = ref(tree)
        self._log = tree.log

    def known(self, name: str) -> Known:
        """The field of this name, one of `FROM_THE_TREE`."""
        kind, meaning = FROM_THE_TREE[name]
        return Known(name, kind, meaning, _COLUMNS[name].__get__(self))

    def _levels(self, at: At) -> Array:
        return self._log.columns["level"][at]

    def _indices(self, at: At) -> Array:
        return self._index[at]

    @cached_property
    def _index(self) -> Array:
        """Places among siblings, roots among roots; siblings ascend, so a stable sort counts them."""
        parent = self._log.columns["parent"]
        by_parent = np.argsort(parent, kind="stable")
        sorted_parents = parent[by_parent]
        place = np.arange(len(parent), dtype=np.int32)
        is_first = np.ones(len(parent), np.bool_)
        is_first[1:] = sorted_parents[1:] != sorted_parents[:-1]
        index = np.empty(len(parent), np.int32)
        index[by_parent] = place - np.maximum.accumulate(np.where(is_first, place, 0))
        return index

    def _children(self, at: At) -> Array:
        return self._n_children[at]

    @cached_property
    def _n_children(self) -> Array:
        parent = self._log.columns["parent"]
        return np.bincount(parent[parent >= 0], minlength=len(parent)).astype(np.int32)

    def _nodes_below(self, at: At) -> Array:
        tree = self._tree()
        assert tree is not None
        return tree.nodes_below(at)

    def _stubs(self, at: At) -> Array:
        tree = self._tree()
        assert tree is not None
        return tree.is_stub[at].astype(np.int8)


_COLUMNS: Final = {
    "level": FromTree._levels,
    "index": FromTree._indices,
    "children": FromTree._children,
    "nodes_below": FromTree._nodes_below,
    "is_stub": FromTree._stubs,
}
assert _COLUMNS.keys() == FROM_THE_TREE.keys()
