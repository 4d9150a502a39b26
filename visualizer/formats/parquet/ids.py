"""Ids mapped to rows: of nodes, of their parents, of the nodes that stored table entries.

Where several files are one table, an id refers to a row of its own file.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.read.names import NOTHING, Names
from plyscope.visualizer.formats.read.records import NO_PARENT, are_lost
from plyscope.visualizer.formats.write.written_ids import ELSEWHERE, LARGEST_ID

Array = npt.NDArray[Any]

ROOT: Final = -1


class Ids:
    """The ids of all rows, as numbers of `names`; `starts` are the offsets of the files (n + 1)."""

    def __init__(self, ids: Array, names: Names, starts: Array) -> None:
        """Raises LogError where a row has no id, or that of another row."""
        self._ids, self._names, self._starts = ids, names, starts.tolist()
        lacking = np.flatnonzero(ids == NOTHING)
        if len(lacking):
            raise _error(int(lacking[0]), "id", "found no value, expected an id on each row")
        self._orders: list[Array | None] = []
        for first, last in pairwise(self._starts):
            of_file = ids[first:last]
            is_counted = np.array_equal(of_file, np.arange(last - first))
            order = None if is_counted else np.argsort(of_file, kind="stable")
            self._orders.append(order)
            same = np.zeros(0, np.int64) if order is None else np.flatnonzero(np.diff(of_file[order]) == 0)
            if order is not None and len(same):
                second = first + int(order[same + 1].min())
                said = shown(names.listed(ids[second : second + 1])[0])
                raise _error(second, "id", f"the id {said} was seen before, expected each once")
        self.are_ours = bool(ids.min() >= 0 and ids.max() <= LARGEST_ID)
        """Whether they can be the ids of a log; others are kept as they are written."""

    @property
    def column(self) -> Array:
        """The ids of the log: those of the file, or row numbers."""
        return self._ids if self.are_ours else np.arange(len(self._ids), dtype=np.int64)

    def parents(self, named: Array) -> Array:
        """By row, the row of its parent, -1 at roots; raises LogError for a missing parent."""
        rows = self.rows_of(named)
        rows[rows == ELSEWHERE] = ROOT
        lost = np.flatnonzero(are_lost(rows, named, self._names.numbers_of((*NO_PARENT, "-1"))))
        if len(lost):
            (parent,) = self._names.listed(named[lost[:1]])
            expected = "expected the id of a node, or null at a root"
            raise _error(int(lost[0]), "parent", f"the parent {shown(parent)} never comes, {expected}")
        return rows

    def rows_of(self, named: Array) -> Array:
        """By row, the row that it names, -1 where it names none, `ELSEWHERE` where that is no node."""
        rows = np.full(len(named), ELSEWHERE, dtype=np.int64)
        for (first, last), order in zip(pairwise(self._starts), self._orders, strict=True):
            wanted = named[first:last]
            if order is None:
                is_there, places = (wanted >= 0) & (wanted < last - first), wanted
            else:
                in_order = self._ids[first:last][order]
                at = np.minimum(np.searchsorted(in_order, wanted), len(order) - 1)
                is_there, places = in_order[at] == wanted, order[at]
            rows[first:last] = np.where(is_there, places + first, ELSEWHERE)
        rows[named == NOTHING] = ROOT
        return rows


def _error(row: int, name: str, message: str) -> LogError:
    return LogError(message, path=f"row {row:,}, {name}")
