"""Sealing a log in pre-order as it grows: only new and changed rows are sealed, and put into the table.

Readers keep the tree they have: there are two or three copies of the table, and the next snapshot is made
from one that nobody reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.open_path import OpenPath
from plyscope.visualizer.formats.following.sealed_rows import ChangedRows, SealedRows, SomeNodes
from plyscope.visualizer.formats.seal.grown import with_room
from plyscope.visualizer.store.tree import Tree

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.int64]
Run = Callable[[Any], Any]

MOST_COPIES: Final = 3
MOST_ATTEMPTS: Final = 4


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
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._copies: list[SealedRows] = []
        self._shape, self._ids = OpenPath(), np.empty(0, dtype=np.int64)
        self._roots: Rows = np.empty(0, dtype=np.int64)
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

    def tree(self, log: ArrivedNodes, lock: Any, run: Run | None) -> Tree | None:
        """The tree so far; None where the whole log has to be sealed at once, which reports any error."""
        more = np.empty(0, dtype=np.int64)
        for _ in range(MOST_ATTEMPTS):
            with lock:
                if self._is_old:
                    self._begin_anew()
                log.settle_sources()
                copy = self._free_copy()
                changed = self._changed(copy, log, more, run)
            if changed is None:
                break
            try:
                more = copy.turned_below(changed)
            except LogError:
                break
            if len(more):
                continue
            if copy.put(changed):
                with lock:
                    del copy.touched[: changed.n_touched]
                return copy.tree(changed, self._ids)
            if not changed.n_old:
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

    def _changed(
        self, copy: SealedRows, log: ArrivedNodes, more: Rows, run: Run | None
    ) -> ChangedRows | None:
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
        return ChangedRows(rows, len(old), n_rows, nodes, self._shape, len(copy.touched))
