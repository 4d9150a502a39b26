"""The changes as a table: of some kinds, in the order of the search or by one of its columns.

Only row numbers are sorted; a change is made when its page is asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.diff.change_kinds import KINDS
from plyscope.visualizer.analysis.diff.comparison import Change, Comparison, check_kinds
from plyscope.visualizer.analysis.diff.merged_tree import Merged, is_old
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words

COLUMNS: Final = ("change", "before", "now", "difference", "nodes")
"""Columns of the table; `id` sorts too, as the order of the search."""
FILE_COLUMNS: Final = (
    *(
        "path",
        "change",
        "before",
        "before_bound",
        "now",
        "now_bound",
        "difference",
        "nodes",
        "old_id",
        "new_id",
    ),
)
Floats = npt.NDArray[np.float64]


class ChangeTable:
    """Changes of some kinds, or of all, sorted by a column; raises LogError for an unknown kind or column."""

    def __init__(
        self,
        compared: Comparison,
        kinds: Collection[str] = (),
        sort: str | None = None,
        descending: bool = False,
    ) -> None:
        check_kinds(kinds)
        if sort not in (None, "id", *COLUMNS):
            raise LogError(f"changes have no column {sort[:40]!r}; they have {', '.join(COLUMNS)}")
        self._compared = compared
        self._old, self._new = compared.chosen(kinds)
        self._order = self._sorted(sort, descending)

    def __len__(self) -> int:
        return len(self._order)

    def page(self, offset: int, limit: int) -> list[Change]:
        """One page of the changes."""
        at = self._order[offset : offset + limit]
        return self._compared.changes_at(self._old[at], self._new[at])

    def at(self, merged: Merged, place: int) -> tuple[int, bool]:
        """The index of a node in the table, and True; else that of the next row in time, and False."""
        sides = self._compared.sides
        if is_old(place):
            is_it = (self._old == merged.row(place) - sides.old.root) & (self._new < 0)
        else:
            is_it = self._new == place - sides.new.root
        found = np.flatnonzero(is_it[self._order])
        if len(found):
            return int(found[0]), True
        if is_old(place) or not len(self._order):
            return 0, False
        later = np.flatnonzero(self._new > place - sides.new.root)
        return (int(np.flatnonzero(self._order == later[0])[0]) if len(later) else 0), False

    def lines(self) -> Iterator[tuple[str, ...]]:
        """All rows as texts, after the names of the columns; unknown cells are empty."""
        yield FILE_COLUMNS
        for start in range(0, len(self), 1000):
            for change in self.page(start, 1000):
                yield self._line(change)

    def _line(self, change: Change) -> tuple[str, ...]:
        told = [change.path, change.kind]
        for claim in (change.old_claim, change.new_claim):
            told += ["", ""] if claim is None else [_text(claim.score), claim.bound or ""]
        told += ["" if change.delta is None else _text(change.delta), str(change.nodes or "")]
        told += ["" if node is None else str(node.id) for node in (change.old, change.new)]
        return tuple(told)

    def _sorted(self, sort: str | None, descending: bool) -> npt.NDArray[np.int64]:
        in_time = np.arange(len(self._old))
        if sort is None or sort == "id":
            return in_time[::-1] if descending else in_time
        key = self._key(sort)
        return np.argsort(-key if descending else key, kind="stable")  # NaN comes last

    def _key(self, column: str) -> Floats:
        compared, sides = self._compared, self._compared.sides
        if column == "change":
            return compared.codes(self._old, self._new).astype(np.float64)
        if column == "nodes":
            of_new = sides.new.tree.nodes_below(np.maximum(self._new, 0) + sides.new.root) + 1
            of_old = sides.old.tree.nodes_below(np.maximum(self._old, 0) + sides.old.root) + 1
            alone = np.where(self._new < 0, of_old, of_new).astype(np.float64)
            is_stub = compared.codes(self._old, self._new) == KINDS.index("stub")
            return np.where((self._old >= 0) & (self._new >= 0) | is_stub, np.nan, alone)
        old, old_exact = self._scores("old")
        new, new_exact = self._scores("new")
        if column == "before":
            return old
        if column == "now":
            return new
        difference = np.where(old_exact & new_exact, new - old, np.nan)
        return np.where(np.isfinite(difference), difference, np.nan)

    def _scores(self, which: str) -> tuple[Floats, npt.NDArray[np.bool_]]:
        side, rows = (
            (self._compared.sides.old, self._old) if which == "old" else (self._compared.sides.new, self._new)
        )
        at = np.maximum(rows, 0) + side.root
        is_there = rows >= 0
        score = np.where(is_there, side.log.columns["score"][at], np.nan)
        if (mean := side.log.column("mean")) is not None:
            score = np.where(is_there & np.isnan(score), mean[at], score)
        return score, is_there & (side.log.columns["bound"][at] == words.BOUNDS.index("exact"))


def _text(number: float) -> str:
    return repr(int(number) if np.isfinite(number) and number == int(number) else float(number))
