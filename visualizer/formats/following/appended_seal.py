"""Sealing a log in pre-order as it grows: only new and changed rows are sealed, and put into the table.

Readers keep the tree they have: there are two or three copies of the table, and the next snapshot is made
from one that nobody reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.growing_fields import FrozenFields
from plyscope.visualizer.formats.following.open_path import OpenPath
from plyscope.visualizer.formats.following.sealed_rows import ChangedRows, SealedRows
from plyscope.visualizer.formats.seal.grown import with_room
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.store.seal import Sealed
from plyscope.visualizer.store.tree import Tree

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.int64]
Run = Callable[[Any], Any]

MOST_COPIES: Final = 3
MOST_ATTEMPTS: Final = 4


@dataclass(frozen=True)
class SomeNodes:
    """The fields of some nodes of a log in pre-order, where the arrival number of a node is its row."""

    fields: FrozenFields
    sources: Array | None
    """By node, the node that stored its table entry."""
    header: dict[str, Any]
    notices: list[str]
    needs_iterations: bool
    """Whether each of several roots has to state its iteration."""


class ArrivedNodes(Protocol):
    """The queries to a growing log while it is locked."""

    def parents(self) -> Array | None:
        """The parent of each node so far; None where the rows of the log are not its nodes in this order."""

    def settle_sources(self) -> None:
        """Find the nodes that stored table entries, once they have come; those who name them are touched."""

    def ids(self, since: int) -> Array:
        """The id by which a page names each node from `since` on."""

    def some(self, nodes: Rows) -> SomeNodes | None:
        """The fields of some nodes, in ascending order; None if they cannot be read without all others."""


class AppendedSeal:
    """The sealed table of one log. `touch` needs the lock of the log; `tree` takes it for its queries."""

    def __init__(self) -> None:
        self._shape = OpenPath()
        self._ids = np.empty(0, dtype=np.int64)
        self._roots: Rows = np.empty(0, dtype=np.int64)
        self._copies: list[SealedRows] = []
        self._is_old = False

    def touch(self, nodes: Array) -> None:
        """Note that fields of these nodes came, maybe again."""
        for copy in self._copies:
            again = nodes[nodes < copy.n_taken]
            if len(again):
                copy.touched.append(again)

    def forget(self) -> None:
        """Seal the whole log next time: its nodes have other ids now."""
        self._is_old = True

    def _begin_anew(self) -> None:
        self._copies = []
        self._shape, self._ids = OpenPath(), np.empty(0, dtype=np.int64)
        self._roots = np.empty(0, dtype=np.int64)
        self._is_old = False

    def tree(self, log: ArrivedNodes, lock: Any, run: Run | None) -> Tree | None:
        """The tree so far; None where the whole log has to be sealed at once, which reports any error."""
        more = np.empty(0, dtype=np.int64)
        for _ in range(MOST_ATTEMPTS):
            with lock:
                if self._is_old:
                    self._begin_anew()
                log.settle_sources()
                copy = self._free_copy()
                asked = self._asked(copy, log, more, run)
            if asked is None:
                break
            try:
                changed = self._sealed(asked)
            except LogError:
                break
            more = copy.turned_below(changed)
            if len(more):
                continue
            if copy.put(changed, self._shape):
                with lock:
                    del copy.touched[: asked.n_touched]
                shared: dict[str, Array] = {
                    "id": self._ids,
                    "parent": self._shape.parent,
                    "level": self._shape.level,
                }
                return copy.tree(changed, shared, asked.nodes.notices)
            if not asked.n_old:
                break
            self._copies = []
        self._copies = []
        return None

    def _free_copy(self) -> SealedRows:
        """The latest copy that nobody reads; if all are read, a new one."""
        if free := [copy for copy in self._copies if copy.is_free]:
            return max(free, key=lambda copy: copy.n_rows)
        by_age = sorted(self._copies, key=lambda copy: copy.n_rows)
        copy = by_age[-1].copied() if by_age else SealedRows()
        self._copies = [*by_age[1 - MOST_COPIES :], copy]
        return copy

    def _asked(self, copy: SealedRows, log: ArrivedNodes, more: Rows, run: Run | None) -> _Asked | None:
        """The rows that are new or changed since `copy`, with `more`; None if all must be sealed at once."""
        parents = log.parents()
        n_before = self._shape.n_rows
        if parents is None or not self._shape.extend(parents, run):
            return None
        n_rows = len(parents)
        new_roots = n_before + np.flatnonzero(parents[n_before:] < 0)
        self._roots = np.concatenate([self._roots, new_roots])
        self._ids = with_room(self._ids, n_before, n_rows)
        self._ids[n_before:n_rows] = log.ids(n_before)
        old = np.union1d(copy.changed_rows(self._shape, self._roots), more)
        rows = np.concatenate([old, np.arange(copy.n_rows, n_rows)])
        nodes = log.some(rows)
        if nodes is None:
            return None
        copy.n_taken = n_rows
        return _Asked(rows, len(old), n_rows, nodes, len(copy.touched))

    def _sealed(self, asked: _Asked) -> ChangedRows:
        """Seal the rows as a log of their own; raises LogError."""
        rows, nodes, shape = asked.rows, asked.nodes, self._shape
        end = shape.end[rows]
        end[np.isin(rows, shape.path)] = asked.n_rows
        above = shape.parent[rows]
        parents = np.where(above < 0, -1, asked.places(above)).astype(np.int32)
        order = np.arange(len(rows), dtype=np.int32)
        sealed = Sealed(order, parents, asked.places(end).astype(np.int32), shape.level[rows])
        log = sealed_log(
            nodes.header,
            nodes.fields,
            parents,
            _fail,
            {},
            roots_need_iterations=nodes.needs_iterations,
            sealed=sealed,
        )
        return ChangedRows(rows, asked.n_old, asked.n_rows, log, nodes.header, nodes.sources)


@dataclass(frozen=True)
class _Asked:
    """Rows to be sealed, with the fields of their nodes; the first `n_old` are in the copy."""

    rows: Rows
    n_old: int
    n_rows: int
    nodes: SomeNodes
    n_touched: int

    def places(self, rows: Array) -> Rows:
        """The index of each of `rows` here, or of the next row that is here; few of them are old."""
        first = self.n_rows - (len(self.rows) - self.n_old)
        places = rows.astype(np.int64) - (first - self.n_old)
        is_old = rows < first
        places[is_old] = np.searchsorted(self.rows[: self.n_old], rows[is_old])
        return places


def _fail(number: int, message: str, field: str = "") -> NoReturn:
    """Fail, so that the whole log is sealed at once, which reports the error with its place."""
    raise LogError(message)
