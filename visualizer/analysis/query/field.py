"""A field of one log as expressions know it: name, type, values for any rows; those of the tree alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final, Literal
from weakref import ref

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.fields import FIELDS, Kind
from plyscope.visualizer.store.tree import Tree

Array = npt.NDArray[Any]
At = slice | npt.NDArray[np.integer[Any]]
"""The rows that are asked: `ALL`, or their numbers."""
ALL: Final = slice(None)
Type = Literal["number", "whole number", "flag", "word", "text", "key"]

LISTS: Final = ("plies", "pre_scores")
ENTRIES: Final = tuple(name for name, each in FIELDS.items() if each.kind == "entry")
GROUPS: Final = tuple(name for name, each in FIELDS.items() if each.kind in ("numbers", "named numbers"))
GROUPS_ASKED: Final = tuple(name for name in GROUPS if name not in LISTS)
"""Fields that hold several numbers, each asked for by its name: `factors.mobility`."""
OWN: Final = "extra"
"""The group of the fields that the log format does not know: `extra.q_nodes`."""

TYPES: Final[dict[Kind, Type]] = {
    "score": "number",
    "low edge": "number",
    "high edge": "number",
    "amount": "number",
    "whole": "whole number",
    "flag": "flag",
    "word": "word",
    "text": "text",
    "long text": "text",
    "player": "text",
    "id": "whole number",
}

FROM_THE_TREE: Final[dict[str, tuple[Type, str]]] = {
    "level": ("whole number", "distance from the root, whose level is 0"),
    "index": ("whole number", "place among its siblings as searched, the first is 0"),
    "children": ("whole number", "rows directly below, stubs among them"),
    "nodes_below": ("whole number", "nodes below at any depth, stubs not counted"),
    "is_stub": ("flag", "stands for siblings without rows: pruned, limited, skipped or unlogged"),
}
"""Fields that every tree has and no log states, with type and meaning."""

OF_OTHERS: Final = {"parent": "the node above", "root": "the root of its tree"}
"""`parent.score` is the score of the node above, not known of a root; `root.iteration` that of its tree."""


@dataclass(frozen=True)
class Known:
    """A field of one log. `column` gives a value for each of the rows that it is asked for."""

    name: str
    type: Type
    meaning: str
    column: Callable[[At], Array] = field(repr=False)
    absent: float = -1
    """The value of rows that do not state it; NaN for numbers."""
    bit: int = 0
    """The bit in the column `given` that marks rows with this field, so that a NaN is a stated value."""
    words: tuple[str, ...] = ()
    """By code, an empty one for code 0; of a word."""
    texts: Sequence[str] = ()
    """By code; of a text, or of a key that is one."""
    is_stated: bool = True
    """Whether any row may state it."""
    of: str = ""
    """`parent` or `root` where it is a field of that node."""
    key_form: str = ""
    notice: str = ""
    """A notice about the number of rows that state something else there."""


class FromTree:
    """The fields of `FROM_THE_TREE` of one tree, to which the caller must hold a reference."""

    def __init__(self, tree: Tree) -> None:
        self._tree = ref(tree)
        self._log = tree.log

    def known(self, name: str) -> Known:
        """The field of this name, one of `FROM_THE_TREE`."""
        kind, meaning = FROM_THE_TREE[name]
        return Known(name, kind, meaning, partial(self._column, name))

    def _column(self, name: str, at: At) -> Array:
        match name:
            case "level":
                return self._log.columns["level"][at]
            case "index":
                return self._index[at]
            case "children":
                return self._n_children[at]
        tree = self._tree()
        assert tree is not None
        return tree.is_stub[at].astype(np.int8) if name == "is_stub" else tree.nodes_below(at)

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

    @cached_property
    def _n_children(self) -> Array:
        parent = self._log.columns["parent"]
        return np.bincount(parent[parent >= 0], minlength=len(parent)).astype(np.int32)
