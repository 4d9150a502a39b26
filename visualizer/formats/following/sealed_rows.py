"""A copy of the sealed table of a log in pre-order, updated with the rows that changed.

Changed rows, with all rows above them, are sealed as a log of their own by the ordinary sealing. That gives
each the same values as in the whole log, unless a fact about all rows changes with them: `put` detects that,
and the whole table is sealed anew. A copy is not updated while anybody reads it.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.growing_fields import FrozenFields
from plyscope.visualizer.formats.following.open_path import OpenPath
from plyscope.visualizer.formats.following.row_lists import GrownRowLists, ListsOfRows, Readers, read_by
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.seal.grown import with_room
from plyscope.visualizer.formats.seal.many_players import is_of_many
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS, stated
from plyscope.visualizer.store.log import Extras, KeyForm, Lists, Log, Root
from plyscope.visualizer.store.seal import Sealed
from plyscope.visualizer.store.tree import Tree

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.int64]
Columns = dict[str, Array]

SHARED: Final = ("id", "parent", "level")
"""Columns whose rows never change."""
APART: Final = (*SHARED, "end")
"""Columns that do not come from the sealing of the changed rows."""
OF_SIGNS: Final = ("layer", "player", "purpose")
"""Columns by which rows below are turned to the root player's view, as by stubs and rows without a ply."""


@dataclass(frozen=True)
class SomeNodes:
    """The fields of some nodes of a log, and facts about the whole log."""

    fields: FrozenFields
    sources: Array | None
    """By node, the node that stored its table entry."""
    header: dict[str, Any]
    notices: list[str]
    needs_iterations: bool
    """Whether each of several roots has to state its iteration."""


@dataclass(frozen=True)
class ChangedRows:
    """The rows of a log in pre-order that changed since a copy was made."""

    rows: Rows
    """In order, with all rows above each, and all roots."""
    n_old: int
    """The number of them that are in the copy."""
    n_rows: int
    """The number of rows of the log."""
    nodes: SomeNodes
    """The nodes of these rows: the arrival number of a node is its row."""
    shape: OpenPath
    n_touched: int
    """Of the copy's `touched`, so many are among these rows."""

    @property
    def old(self) -> Rows:
        """The rows that are in the copy."""
        return self.rows[: self.n_old]

    @cached_property
    def log(self) -> Log:
        """These rows, sealed as a log of their own; raises LogError."""
        rows, nodes, shape = self.rows, self.nodes, self.shape
        end = shape.end[rows]
        end[np.isin(rows, shape.path)] = self.n_rows
        above = shape.parent[rows]
        parents = np.where(above < 0, -1, self._places(above)).astype(np.int32)
        order = np.arange(len(rows), dtype=np.int32)
        return sealed_log(
            nodes.header,
            nodes.fields,
            parents,
            _fail,
            {},
            roots_need_iterations=nodes.needs_iterations,
            sealed=Sealed(order, parents, self._places(end).astype(np.int32), shape.level[rows]),
        )

    def _places(self, rows: Array) -> Rows:
        """The index of each of `rows` here, or of the next row that is here; few of them are old."""
        first = self.n_rows - (len(self.rows) - self.n_old)
        places = rows.astype(np.int64) - (first - self.n_old)
        is_old = rows < first
        places[is_old] = np.searchsorted(self.old, rows[is_old])
        return places


def _fail(number: int, message: str, field: str = "") -> NoReturn:
    """Fail, so that the whole log is sealed at once, which reports the error with its place."""
    raise LogError(message)


class SealedRows:
    """One copy of the table."""

    def __init__(self) -> None:
        self.n_rows = 0
        self.n_taken = 0
        """Rows that it will have; what is stated again of these has to be told to it."""
        self.path = np.empty(0, dtype=np.int32)
        """The open path when it was brought up to date."""
        self.touched: list[Array] = []
        """Rows that were stated again since then."""
        self._columns: dict[str, Array] = {}
        self._n_children = np.empty(0, dtype=np.int32)
        self._plies = GrownRowLists(PLIES)
        self._extras = GrownRowLists(EXTRAS)
        self._one_for_all: _OneForAll | None = None
        self._first_named: dict[str, int] = {}
        """The first row that states each contribution: they are named in this order."""
        self._readers: weakref.ref[Readers] | None = None

    @property
    def is_free(self) -> bool:
        """Whether nobody has an array of this copy."""
        return self._readers is None or self._readers() is None

    def copied(self) -> SealedRows:
        """A second copy."""
        copy = SealedRows()
        copy.n_rows, copy.n_taken, copy.path = self.n_rows, self.n_taken, self.path
        copy.touched = self.touched[:]
        copy._columns = {name: column[: self.n_rows].copy() for name, column in self._columns.items()}
        copy._n_children = self._n_children[: self.n_rows].copy()
        copy._plies, copy._extras = self._plies.copied(), self._extras.copied()
        copy._one_for_all, copy._first_named = self._one_for_all, dict(self._first_named)
        return copy

    def changed_rows(self, shape: OpenPath, roots: Rows) -> Rows:
        """The rows of this copy that may have changed, with those above them, in order."""
        touched = np.unique(np.concatenate([self.path, *self.touched, roots[roots < self.n_rows]]))
        known = touched[touched < self.n_rows].astype(np.int64)
        above = known
        while len(above := np.unique(shape.parent[above])):
            above = np.setdiff1d(above[above >= 0], known, assume_unique=True)
            known = np.union1d(known, above)
        return known

    def turned_below(self, changed: ChangedRows) -> Rows:
        """The rows that a changed row above them now turns differently to the root player's view.

        Rows that are among the changed ones already are left out. Raises LogError if these cannot be sealed.
        """
        header, n_old, log = read_header(changed.nodes.header), changed.n_old, changed.log
        if header.view == header.static_view == "root" or not n_old:
            return np.empty(0, dtype=np.int64)
        is_other = self._is_stub(changed.old) != (log.columns["outcome"][:n_old] >= words.FIRST_STUB)
        is_other |= (self._columns["ply"][changed.old] < 0) != (log.columns["ply"][:n_old] < 0)
        for name in OF_SIGNS:
            now = log.columns.get(name)
            is_other |= self._values(name, changed.old) != (_absent(name) if now is None else now[:n_old])
        ends = self._columns["end"]
        below = [np.arange(row, ends[row]) for row in changed.old[is_other].tolist()]
        return np.setdiff1d(np.concatenate(below), changed.rows) if below else np.empty(0, dtype=np.int64)

    def put(self, changed: ChangedRows) -> bool:
        """Take the rows; False where the whole log has to be sealed anew, which makes this copy useless.

        An empty copy takes any rows.
        """
        one, first_named = _OneForAll.of(changed), self._named_first(changed)
        columns = _columns(changed, list(first_named))
        known = self._one_for_all
        if known is not None and not (
            list(first_named) == list(self._first_named)
            and known.goes_with(one)
            and not self._loses(changed, columns)
        ):
            return False
        self._one_for_all, self._first_named = one.after(known), first_named
        self._put_columns(changed, columns)
        self._put_shape(changed.shape, changed.n_rows)
        self._plies.put(_stub_plies(changed), changed.old)
        self._extras.put(_extras(changed), changed.old)
        self.n_rows, self.path = changed.n_rows, changed.shape.path.copy()
        return not (self._is_stub(changed.rows) & (self._n_children[changed.rows] > 0)).any()

    def _values(self, name: str, rows: Rows) -> Array:
        column = self._columns.get(name)
        return np.full(len(rows), _absent(name)) if column is None else column[rows]

    def _is_stub(self, rows: Rows) -> Array:
        return np.asarray(self._columns["outcome"][rows] >= words.FIRST_STUB)

    # Facts about all rows ----------------------------------------------------------------------------
    def _named_first(self, changed: ChangedRows) -> dict[str, int]:
        """By contribution, the first row known to state it; ordered by these rows."""
        first, order = dict(self._first_named), {name: at for at, name in enumerate(self._first_named)}
        names, matrix = changed.log.contribution_names, changed.log.columns.get("contributions")
        for at, name in enumerate(names):
            assert matrix is not None
            row = int(changed.rows[int(np.argmax(~np.isnan(matrix[:, at])))])
            if row <= first.get(name, row):
                first[name], order[name] = row, at  # within a row, the order of sealing
        return dict(sorted(first.items(), key=lambda item: (item[1], order[item[0]])))

    def _loses(self, changed: ChangedRows, columns: Columns) -> bool:
        """Whether a row no longer states a field: then maybe no row does, and the column must go."""
        n_old = changed.n_old
        if (self._columns["given"][changed.old] & ~columns["given"][:n_old]).any():
            return True
        for name, column in self._columns.items():
            if name in ("end", "given", "tt_from"):
                continue
            now, was = columns.get(name), column[changed.old]
            if now is not None and now.shape[1:] != column.shape[1:]:
                return True
            is_left = False if now is None else stated(name, now[:n_old])
            if (stated(name, was) & ~np.asarray(is_left)).any():
                return True
        return False

    # The table ---------------------------------------------------------------------------------------
    def _put_columns(self, changed: ChangedRows, columns: Columns) -> None:
        n_old, before, now = changed.n_old, self.n_rows, changed.n_rows
        for name in {**self._columns, **columns}:
            if name == "end":
                continue
            values, column = columns.get(name), self._columns.get(name)
            if column is None:
                assert values is not None
                column = with_room(np.empty((0, *values.shape[1:]), dtype=values.dtype), 0, now)
                column[:before] = _absent(name)
            column = self._columns[name] = with_room(column, before, now)
            column[changed.old] = _absent(name) if values is None else values[:n_old]
            column[before:now] = _absent(name) if values is None else values[n_old:]

    def _put_shape(self, shape: OpenPath, n_rows: int) -> None:
        end = self._columns.get("end", np.empty(0, dtype=np.int32))
        end = self._columns["end"] = with_room(end, self.n_rows, n_rows)
        end[self.path] = shape.end[self.path]
        end[self.n_rows : n_rows] = shape.end[self.n_rows : n_rows]
        end[shape.path] = n_rows
        counts = self._n_children = with_room(self._n_children, self.n_rows, n_rows)
        above = shape.parent[self.n_rows : n_rows]
        is_new = above >= self.n_rows
        counts[self.n_rows : n_rows] = np.bincount(
            above[is_new] - self.n_rows, minlength=n_rows - self.n_rows
        )
        np.add.at(counts, above[~is_new & (above >= 0)], 1)

    def tree(self, changed: ChangedRows, ids: Array) -> Tree:
        """The tree of this copy, unchanged while anybody reads it; `ids` are those of its rows."""
        readers, n_rows, one = Readers(), self.n_rows, self._one_for_all
        assert one is not None
        columns = {name: read_by(readers, column[:n_rows]) for name, column in self._columns.items()}
        shared = (ids, changed.shape.parent, changed.shape.level)
        columns |= {name: column[:n_rows] for name, column in zip(SHARED, shared, strict=True)}
        log = replace(
            changed.log,
            columns=columns,
            roots=tuple(Root(int(changed.rows[root.row]), root.iteration) for root in changed.log.roots),
            contribution_names=tuple(self._first_named),
            key_form=one.key_form,
            stub_plies=_plies_for(readers, self._plies.so_far),
            extras=_extras_for(readers, self._extras.so_far),
            notices=(*changed.nodes.notices, *one.notices),
        )
        tree = Tree(log, child_counts=read_by(readers, self._n_children[:n_rows]))
        self._readers = weakref.ref(readers)
        return tree


@dataclass(frozen=True)
class _OneForAll:
    """The facts that hold for a whole sealed log and follow from its rows."""

    root_player: int | None
    is_by_roots: bool
    """Whether a root or the header names the root player; else any row may."""
    is_of_many: bool
    key_form: KeyForm
    notices: tuple[str, ...]

    @classmethod
    def of(cls, changed: ChangedRows) -> _OneForAll:
        """The facts that follow from the changed rows alone."""
        header, columns = read_header(changed.nodes.header), dict(changed.log.columns)
        root_player, player = header.root_player, columns.get("player")
        if root_player is None and player is not None:
            known = player[(columns["parent"] < 0) & (player >= 0)]
            root_player = int(known[0]) if len(known) else None
        return cls(
            root_player,
            root_player is not None or player is None,
            is_of_many(columns, len(header.players)),
            changed.log.key_form,
            changed.log.notices,
        )

    def goes_with(self, later: _OneForAll) -> bool:
        """Whether the facts of later rows alone agree with these."""
        if self.is_of_many or not self.is_by_roots:
            return False
        has_same_form = len({self.key_form, later.key_form} - {""}) <= 1
        return has_same_form and replace(later, key_form=self.key_form) == self

    def after(self, before: _OneForAll | None) -> _OneForAll:
        """The same facts; where these rows have no keys, the form of keys is that of `before`."""
        return self if before is None or self.key_form else replace(self, key_form=before.key_form)


def _columns(changed: ChangedRows, names: list[str]) -> Columns:
    """The columns that sealing made, with contributions in the order of `names`."""
    columns = {name: column for name, column in changed.log.columns.items() if name not in APART}
    named = columns.get("contributions")
    if named is not None:
        columns["contributions"] = np.full((len(named), len(names)), np.nan)
        columns["contributions"][:, [names.index(name) for name in changed.log.contribution_names]] = named
    if changed.nodes.sources is not None:
        columns["tt_from"] = changed.nodes.sources
    return columns


def _stub_plies(changed: ChangedRows) -> ListsOfRows:
    lists = changed.log.stub_plies
    if lists is None:
        return NO_PLIES
    return ListsOfRows(changed.rows[lists.rows].astype(np.int32), lists.starts, (lists.texts, lists.numbers))


def _extras(changed: ChangedRows) -> ListsOfRows:
    extras = changed.log.extras
    if extras is None:
        return NO_EXTRAS
    blob = np.frombuffer(extras.blob, dtype=np.uint8)
    return ListsOfRows(changed.rows[extras.rows].astype(np.int32), extras.starts, (blob,))


def _plies_for(readers: Readers, lists: ListsOfRows) -> Lists | None:
    if not len(lists.rows):
        return None
    parts: tuple[Array, ...] = (lists.rows, lists.starts, *lists.flats)
    return Lists(*(read_by(readers, each) for each in parts))


def _extras_for(readers: Readers, lists: ListsOfRows) -> Extras | None:
    if not len(lists.rows):
        return None
    blob = read_by(readers, lists.flats[0])
    return Extras(read_by(readers, lists.rows), read_by(readers, lists.starts), blob.data)


def _absent(name: str) -> float:
    return COLUMNS[name].absent if name in COLUMNS else np.nan


PLIES: Final = (np.int32, np.float64)
EXTRAS: Final = (np.uint8,)
NO_PLIES: Final = GrownRowLists(PLIES).so_far
NO_EXTRAS: Final = GrownRowLists(EXTRAS).so_far
