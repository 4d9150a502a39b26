"""The finished visits under a wide node by their plies, as columns: of a million nothing is an object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Rows

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PlyVisits:
    """Visits of each ply that has a finished one.

    rows        the visits, those of one ply together and as searched; plies as first visited
    starts      where each ply's visits begin in `rows`, and where the last ply's end
    is_counted  whether the visit is of the greatest depth among its ply's
    last        of each ply, its last counted visit
    """

    rows: Rows
    starts: Places
    is_counted: Flags
    last: Rows

    def __len__(self) -> int:
        return len(self.last)

    def visits(self, place: int) -> list[int]:
        """The visits of the ply at a place, in the order searched."""
        found: list[int] = self.rows[self._span(place)].tolist()
        return found

    def counted(self, place: int) -> list[int]:
        """Those of its greatest depth."""
        span = self._span(place)
        found: list[int] = self.rows[span][self.is_counted[span]].tolist()
        return found

    def place_of(self, row: int) -> int | None:
        """The place of the ply that `row` is a visit of; None where it is none of these visits."""
        rows, order = self._sorted
        at = int(np.searchsorted(rows, rows.dtype.type(row)))
        if at == len(rows) or rows[at] != row:
            return None
        return int(np.searchsorted(self.starts, order[at], side="right")) - 1

    @cached_property
    def _sorted(self) -> tuple[Rows, Places]:
        if (self.rows[1:] > self.rows[:-1]).all():
            return self.rows, np.arange(len(self.rows))
        order = np.argsort(self.rows)
        return self.rows[order], order

    def _span(self, place: int) -> slice:
        return slice(int(self.starts[place]), int(self.starts[place + 1]))


class CountedVisits(Sequence[list[int]]):
    """The counted visits of the plies at some places, each made as it is asked for."""

    def __init__(self, plies: PlyVisits, places: Places) -> None:
        self._plies, self._places = plies, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, at: int) -> list[int]: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[list[int]]: ...
    def __getitem__(self, at: int | slice) -> list[int] | Sequence[list[int]]:
        if isinstance(at, slice):
            return CountedVisits(self._plies, self._places[at])
        return self._plies.counted(int(self._places[at]))


def ply_visits(sight: Sight, visits: Rows, is_finished: Flags) -> PlyVisits:
    """Take visits, as searched, by their plies; see `Deciding.plies` for which are one ply's."""
    groups = _groups(sight, visits)[is_finished]
    rows = visits[is_finished]
    if (groups[1:] < groups[:-1]).any():
        order = np.argsort(groups, kind="stable")
        groups, rows = groups[order], rows[order]
    begins = np.flatnonzero(np.diff(groups, prepend=-1))
    starts = np.append(begins, len(rows))
    depths = _depths(sight, rows)
    if not len(rows):
        return PlyVisits(rows, starts, np.zeros(0, np.bool_), rows)
    deepest = np.fmax.reduceat(depths, begins)
    is_counted = ~(depths < np.repeat(deepest, np.diff(starts)))
    last = np.maximum.reduceat(np.where(is_counted, np.arange(len(rows)), -1), begins)
    return PlyVisits(rows, starts, is_counted, rows[last])


def _groups(sight: Sight, visits: Rows) -> Places:
    """The number of each visit's ply, in the order in which plies are first visited."""
    keys = sight.ply[visits].astype(np.int64)
    is_unnamed = keys < 0
    if is_unnamed.any():
        keys[is_unnamed] = np.iinfo(np.int64).max - np.flatnonzero(is_unnamed)
        goes_on = is_unnamed & (sight.purpose[visits] == words.RESEARCH if len(sight.purpose) else False)
        goes_on[0] = False
        keys = keys[np.maximum.accumulate(np.where(goes_on, 0, np.arange(len(keys))))]
    found, first, of = np.unique(keys, return_index=True, return_inverse=True)
    if len(found) == len(keys):
        return np.arange(len(keys))
    number = np.empty(len(found), np.int64)
    number[np.argsort(first)] = np.arange(len(found))
    return np.asarray(number[of])


def _depths(sight: Sight, rows: Rows) -> npt.NDArray[np.float64]:
    """The depths by which visits of one ply are compared, as `visit_depth` gives that of one visit."""
    depth = sight.depth[rows] if len(sight.depth) else np.full(len(rows), np.nan)
    reduction = np.nan_to_num(sight.reduction[rows], nan=0.0) if len(sight.reduction) else 0.0
    return np.asarray(np.where(np.isnan(depth), -reduction, depth))
