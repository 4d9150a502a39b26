"""What an expression can ask of a node: the fields of the log format, and what follows from the tree.

A `Known` is a field of one log: its type, its meaning, and its values as an array, of all rows or of some.
Nothing is decoded: words and texts stay codes, so ten million rows cost what their columns cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property, partial
from typing import Any, Final, Literal
from weakref import WeakKeyDictionary, ref

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.field_values import names_in
from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.syntax import Place
from plyscope.visualizer.store.fields import FIELDS, Field, Kind, entry_of
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
"""What no log states and every tree has: type and meaning."""

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
    """Of the column `given`, where that says which rows state it: then a NaN was written as one."""
    words: tuple[str, ...] = ()
    """By code, an empty one for code 0; of a word."""
    texts: Sequence[str] = ()
    """By code; of a text, or of a key that is one."""
    is_stated: bool = True
    """Whether any row may state it."""
    of: str = ""
    """`parent` or `root` where it is a field of that node."""
    key_form: str = ""


class Fields:
    """The fields of a log by the names that expressions use."""

    def __init__(self, tree: Tree) -> None:
        self._tree = ref(tree)
        self._stated_of: dict[str, bool] = {}
        self.log = tree.log

    @property
    def tree(self) -> Tree:
        """The tree, which whoever asks holds."""
        tree = self._tree()
        assert tree is not None
        return tree

    def names(self) -> list[str]:
        """Every name that this log knows, those of `parent.` and `root.` left out."""
        found = [name for name in FIELDS if name not in (*LISTS, *ENTRIES, *GROUPS)]
        found[1:1] = FROM_THE_TREE
        for group in GROUPS_ASKED:
            found += (f"{group}.{name}" for name in self._groups[group])
        return found

    def listed(self) -> Iterator[Known]:
        """The fields that rows of this log state, as a list to choose from has them."""
        return (known for known in map(self.find, self.names()) if known.is_stated)

    def find(self, name: str) -> Known:
        """The field of this name; raises QueryError without a place."""
        return self.at(tuple(name.split(".")) if name else ("",), None)

    def at(self, parts: tuple[str, ...], place: Place | None) -> Known:
        """The field that the parts of a name mean; raises QueryError that says what was meant."""
        of = parts[0] if parts[0] in OF_OTHERS and len(parts) > 1 else ""
        name = ".".join(parts[1:] if of else parts)
        known = self._own(name)
        if known is None:
            raise self._unknown(name, of, place)
        return self._of_another(known, of) if of else known

    def given(self, of: str, at: At = ALL) -> Array:
        """The column `given` of rows, or of their parents or roots."""
        given = self.log.columns["given"]
        return self._gathered(lambda at: given[at], of, 0, at) if of else given[at]

    # Where values come from --------------------------------------------------------------------------
    def _own(self, name: str) -> Known | None:
        group, _, inner = name.partition(".")
        if name in FROM_THE_TREE:
            kind, meaning = FROM_THE_TREE[name]
            return Known(name, kind, meaning, _TREE[name].__get__(self))
        if name == "id":
            return Known(name, "whole number", FIELDS[name].meaning, lambda at: self.log.columns["id"][at])
        if name == "iteration":
            stated = any(root.iteration is not None for root in self.log.roots)
            return Known(name, "whole number", FIELDS[name].meaning, self._iterations, is_stated=stated)
        if group in GROUPS_ASKED and inner:
            return self._groups[group].get(inner)
        if name in FIELDS and name not in (*LISTS, *ENTRIES, *GROUPS):
            return self._stated(FIELDS[name])
        return None

    def _stated(self, of: Field) -> Known:
        column = self.log.column(of.column)
        if of.kind == "key":
            return self._key(of, column)
        kind = TYPES[of.kind]
        absent = {"number": np.nan, "word": 0}.get(kind, -1)
        made = self._rows_of(column, absent)
        if of.kind == "id" and column is not None:
            made = partial(self._ids, column)
        return Known(
            of.name,
            kind,
            of.meaning,
            made,
            absent=absent,
            bit=of.bit,
            words=of.vocabulary.words if of.vocabulary is not None else (),
            texts=self.log.players if of.kind == "player" else self.log.texts if kind == "text" else (),
            is_stated=self._is_stated(of, column, absent),
        )

    def _is_stated(self, of: Field, column: Array | None, absent: float) -> bool:
        """Whether any row states it; of the few columns that every log has, their values say so."""
        if column is None or not of.in_every_log:
            return column is not None
        if of.name not in self._stated_of:
            any_given = np.any(self.log.columns["given"] & of.bit) if of.bit else np.any(column != absent)
            self._stated_of[of.name] = bool(any_given)
        return self._stated_of[of.name]

    def _key(self, of: Field, column: Array | None) -> Known:
        if self.log.key_form == "text" and column is not None:
            codes = partial(self._text_keys, column, of.bit)
            return Known(of.name, "text", of.meaning, codes, texts=self.log.texts)
        made, form = self._rows_of(column, 0), self.log.key_form
        stated = column is not None
        return Known(of.name, "key", of.meaning, made, 0, of.bit, is_stated=stated, key_form=form)

    def _rows_of(self, column: Array | None, absent: float) -> Callable[[At], Array]:
        if column is not None:
            return lambda at: column[at]
        dtype = np.float64 if np.isnan(absent) else np.uint8 if absent == 0 else np.int8
        return lambda at: np.full(self._count(at), absent, dtype)

    def _ids(self, column: Array, at: At) -> Array:
        """The ids of the rows that a column names."""
        rows = column[at]
        return np.where(rows < 0, -1, self.log.columns["id"][rows])

    def _text_keys(self, column: Array, bit: int, at: At) -> Array:
        is_given = (self.log.columns["given"][at] & bit) != 0
        return np.where(is_given, column[at].astype(np.int64), -1)

    def _count(self, at: At) -> int:
        return self.log.n_rows if isinstance(at, slice) else len(at)

    @cached_property
    def _groups(self) -> dict[str, dict[str, Known]]:
        """The factors, contributions and scores of players by their names."""
        found: dict[str, dict[str, Known]] = {group: {} for group in GROUPS_ASKED}
        for group in GROUPS_ASKED:
            matrix = self.log.column(group)
            for place, name in enumerate(names_in(self.log, group)):
                column = self._rows_of(None if matrix is None else matrix[:, place], np.nan)
                found[group][name] = self._one_of(group, name, column, is_stated=matrix is not None)
        contributions = found["contributions"]
        for factor, (name, known) in zip(self.log.factors, found["factors"].items(), strict=True):
            if name not in contributions and factor.weight is not None:
                weighted = partial(_weighted, known.column, factor.weight)
                contributions[name] = self._one_of("contributions", name, weighted, is_stated=known.is_stated)
        return found

    def _one_of(self, group: str, name: str, column: Callable[[At], Array], *, is_stated: bool) -> Known:
        meaning = _MEANINGS[group]
        return Known(f"{group}.{name}", "number", meaning, column, np.nan, is_stated=is_stated)

    # What follows from the tree ----------------------------------------------------------------------
    def _levels(self, at: At) -> Array:
        return self.log.columns["level"][at]

    def _indices(self, at: At) -> Array:
        return self._index[at]

    @cached_property
    def _index(self) -> Array:
        """Places among siblings, roots among roots; siblings ascend, so a stable sort counts them."""
        parent = self.log.columns["parent"]
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
        parent = self.log.columns["parent"]
        return np.bincount(parent[parent >= 0], minlength=len(parent)).astype(np.int32)

    def _nodes_below(self, at: At) -> Array:
        return self.tree.nodes_below(at)

    def _stubs(self, at: At) -> Array:
        return self.tree.is_stub[at].astype(np.int8)

    def _iterations(self, at: At) -> Array:
        found = np.full(self.log.n_rows, -1, np.int64)
        for root in self.log.roots:
            found[root.row] = -1 if root.iteration is None else root.iteration
        return found[at]

    # Fields of other nodes ---------------------------------------------------------------------------
    def _of_another(self, known: Known, of: str) -> Known:
        column = partial(self._gathered, known.column, of, known.absent)
        meaning = f"{known.meaning}; of {OF_OTHERS[of]}"
        return replace(known, name=f"{of}.{known.name}", meaning=meaning, column=column, of=of)

    def _gathered(self, column: Callable[[At], Array], of: str, absent: float, at: At) -> Array:
        roots = np.array([root.row for root in self.log.roots], np.int64)
        if of == "root":
            if isinstance(at, slice):
                return np.repeat(column(roots), np.diff(np.append(roots, self.log.n_rows)))
            return column(roots[np.searchsorted(roots, at, side="right") - 1])
        parent = self.log.columns["parent"][at]
        if isinstance(at, slice):
            gathered = column(ALL)[parent]
            gathered[roots] = absent
        else:
            gathered = column(np.maximum(parent, 0))
            gathered[parent < 0] = absent
        return gathered

    # What is wrong with a name -----------------------------------------------------------------------
    def _unknown(self, name: str, of: str, place: Place | None) -> QueryError:
        start, end = (None, None) if place is None else (place.start, place.end)
        group, _, inner = name.partition(".")

        def error(message: str, near: str = "") -> QueryError:
            meant = f"{of}.{near}" if of and near else near
            return QueryError(message, start=start, end=end, suggestion=meant)

        if name in LISTS:
            return error(f"`{name}` is a list on a few stubs, and no field to compare")
        if name in OF_OTHERS:
            return error(f"`{name}` is a node; its fields are asked for by `{name}.score` and the like")
        if name in ENTRIES:
            fields = ", ".join(f"`{each.name}`" for each in entry_of(name))
            return error(f"`{name}` is several fields: {fields}")
        if group in GROUPS_ASKED:
            known = self._groups[group]
            if not known:
                return error(f"this log has no {group}")
            listed = ", ".join(f"`{group}.{each}`" for each in list(known)[:MOST_LISTED])
            more = ", …" if len(known) > MOST_LISTED else ""
            if not inner:
                return error(f"`{group}` is several fields: {listed}{more}")
            near = get_close_matches(inner, known, n=1)
            if near:
                return error(f"this log has no {_ONE[group]} `{inner[:60]}`", f"{group}.{near[0]}")
            return error(f"this log has no {_ONE[group]} `{inner[:60]}`; there are {listed}{more}")
        return error(f"no field `{name[:60]}`", self._near(name))

    def _near(self, name: str) -> str:
        """The field that was probably meant: by its letters, or by its last part alone."""
        by_small = {each.lower(): each for each in reversed(self.names())}
        by_last = {each.rpartition(".")[2].lower(): each for each in reversed(self.names()) if "." in each}
        small = name.lower()
        for known in (by_small, by_last):
            if near := get_close_matches(small, known, n=1, cutoff=0.75):
                return known[near[0]]
        return ""


def fields_of(tree: Tree) -> Fields:
    """The fields of a log, the same object for as long as its tree lives."""
    found = _kept.get(tree)
    if found is None:
        found = _kept[tree] = Fields(tree)
    return found


_kept: Final[WeakKeyDictionary[Tree, Fields]] = WeakKeyDictionary()

MOST_LISTED: Final = 12
_ONE: Final = {"factors": "factor", "contributions": "contribution", "scores": "score of a player"}
_MEANINGS: Final = {
    "factors": "the raw value of this factor",
    "contributions": "what this factor added: as the log states it, else weight × value",
    "scores": "the score of this player",
}
_TREE: Final = {
    "level": Fields._levels,
    "index": Fields._indices,
    "children": Fields._children,
    "nodes_below": Fields._nodes_below,
    "is_stub": Fields._stubs,
}
assert _TREE.keys() == FROM_THE_TREE.keys()


def _weighted(column: Callable[[At], Array], weight: float, at: At) -> Array:
    with np.errstate(over="ignore"):  # beyond the largest float it is infinite
        return column(at) * weight
