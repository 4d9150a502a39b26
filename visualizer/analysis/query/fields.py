"""The fields that an expression can use in one log: those of the format, of the tree, and the log's own.

Nothing is decoded: words and texts stay codes, so ten million rows cost what their columns cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Final
from weakref import WeakKeyDictionary, ref

import numpy as np

from plyscope.visualizer.analysis.nodes.field_values import names_in
from plyscope.visualizer.analysis.query.errors import Place, QueryError, name_error
from plyscope.visualizer.analysis.query.extra_fields import OwnFields
from plyscope.visualizer.analysis.query.field import (
    ALL,
    ENTRIES,
    FROM_THE_TREE,
    GROUPS,
    GROUPS_ASKED,
    LISTS,
    OF_OTHERS,
    OWN,
    TYPES,
    Array,
    At,
    FromTree,
    Known,
)
from plyscope.visualizer.analysis.query.syntax import Expression, Name, names_of
from plyscope.visualizer.store.fields import FIELDS, Field
from plyscope.visualizer.store.tree import Tree


class Fields:
    """The fields of a log by the names that expressions use."""

    def __init__(self, tree: Tree) -> None:
        self._tree = ref(tree)
        self._from_tree = FromTree(tree)
        self._stated_of: dict[str, bool] = {}
        self.log = tree.log
        self.own = OwnFields(tree.log)
        """Those that the log format does not know."""

    @property
    def tree(self) -> Tree:
        """The tree, to which the caller must hold a reference."""
        tree = self._tree()
        assert tree is not None
        return tree

    def names(self) -> list[str]:
        """Every name that this log knows, those of `parent.` and `root.` left out."""
        found = [name for name in FIELDS if name not in (*LISTS, *ENTRIES, *GROUPS)]
        found[1:1] = FROM_THE_TREE
        for group in GROUPS_ASKED:
            found += (f"{group}.{name}" for name in self._groups[group])
        return found + [f"{OWN}.{name}" for name in self.own.suggested()]

    def listed(self) -> Iterator[Known]:
        """The fields that rows of this log state, as a list to choose from has them; without their values."""
        for name in self.names():
            group, _, inner = name.partition(".")
            known = self.own.described(inner) if group == OWN else self.find(name)
            if known.is_stated:
                yield known

    def find(self, name: str) -> Known:
        """The field of this name; raises QueryError without a place."""
        return self.at(tuple(name.split(".")) if name else ("",), None)

    def prepare(self, expression: Expression) -> None:
        """Read the fields of the log's own that an expression names, which takes longer than a query may."""
        for name in names_of(expression):
            with suppress(QueryError):
                self.at(name.parts, name.place)

    def named(self, name: str) -> Name | None:
        """The field of this very name as a part of an expression, None where there is none.

        So a heading is a value, whatever signs the name has.
        """
        parts = tuple(name.split("."))
        of = parts[0] if parts[0] in OF_OTHERS and len(parts) > 1 else ""
        known = self._one(".".join(parts[1:] if of else parts)) if name else None
        return None if known is None else Name(parts, Place(0, len(name)))

    def at(self, parts: tuple[str, ...], place: Place | None) -> Known:
        """The field with this name; raises QueryError with a suggestion."""
        of = parts[0] if parts[0] in OF_OTHERS and len(parts) > 1 else ""
        name = ".".join(parts[1:] if of else parts)
        known = self._one(name)
        if known is None:
            raise self._misnamed(name, of, place)
        return self._of_another(known, of) if of else known

    def given(self, of: str, at: At = ALL) -> Array:
        """The column `given` of rows, or of their parents or roots."""
        given = self.log.columns["given"]
        return self._gathered(lambda at: given[at], of, 0, at) if of else given[at]

    def _misnamed(self, name: str, of: str, place: Place | None) -> QueryError:
        groups = {**self._groups, OWN: self.own.suggested()}
        return name_error(name, of, place, groups=groups, names=self.names())

    # Where values come from --------------------------------------------------------------------------
    def _one(self, name: str) -> Known | None:
        group, _, inner = name.partition(".")
        if name in FROM_THE_TREE:
            return self._from_tree.known(name)
        if name == "id":
            return Known(name, "whole number", FIELDS[name].meaning, lambda at: self.log.columns["id"][at])
        if name == "iteration":
            stated = self.log.has_iterations
            return Known(name, "whole number", FIELDS[name].meaning, self._iterations, is_stated=stated)
        if group in GROUPS_ASKED and inner:
            return self._groups[group].get(inner)
        if name in FIELDS and name not in (*LISTS, *ENTRIES, *GROUPS):
            return self._stated(FIELDS[name])
        if group == OWN and inner:
            return self.own.known(inner)
        return self._own_by_name(name)

    def _own_by_name(self, name: str) -> Known | None:
        """A field of the log by its name without a group; the names of our own groups are none."""
        is_ours = name in (*OF_OTHERS, *LISTS, *ENTRIES, *GROUPS, OWN, "")
        return None if is_ours or name.partition(".")[0] in GROUPS_ASKED else self.own.known(name)

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
        return np.where(rows < 0, -1, self.log.columns["id"][np.maximum(rows, 0)])

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
                weighted = partial(
                    lambda column, weight, at: column(at) * weight, known.column, factor.weight
                )
                contributions[name] = self._one_of("contributions", name, weighted, is_stated=known.is_stated)
        return found

    def _one_of(self, group: str, name: str, column: Callable[[At], Array], *, is_stated: bool) -> Known:
        meaning = _MEANINGS[group]
        return Known(f"{group}.{name}", "number", meaning, column, np.nan, is_stated=is_stated)

    def _iterations(self, at: At) -> Array:
        return np.asarray(self.log.iterations_of(np.arange(self.log.n_rows))[at])

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


def fields_of(tree: Tree) -> Fields:
    """The fields of a log, the same object for as long as its tree lives."""
    found = _kept.get(tree)
    if found is None:
        found = _kept[tree] = Fields(tree)
    return found


_kept: Final[WeakKeyDictionary[Tree, Fields]] = WeakKeyDictionary()

_MEANINGS: Final = {
    "factors": "the raw value of this factor",
    "contributions": "what this factor added: as the log states it, else weight × value",
    "scores": "the score of this player",
}
