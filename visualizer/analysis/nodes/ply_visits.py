"""The finished visits below a node by their plies, and their claims.

Under a wide node they are columns, without an object for each of a million plies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, overload
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.columns.claim_fold import Groups, add_claim, visit_depth
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.row import is_aside, is_finished, purpose_of, taken_of
from plyscope.visualizer.analysis.columns.sight import Sight, glance_of
from plyscope.visualizer.analysis.nodes.known_claims import known_claims
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import WIDE, Rows, Tree

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


MOST_WIDE: Final = 4
"""Wide nodes of a tree whose plies are kept."""

_wide_of: Final[WeakKeyDictionary[Tree, dict[int, PlyVisits | None]]] = WeakKeyDictionary()
"""The plies under wide nodes: those of a million children take a second, and every explanation needs them."""


class Plies:
    """The plies below each node of a log, each as its finished visits, and their claims."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._sight = glance_of(tree.log)
        self._columns = tree.log.columns
        self._together = _room_for_one()
        self._wide = _wide_of.setdefault(tree, {})

    def plies(self, row: int) -> list[list[int]]:
        """The finished visits of each ply under `row`, plies as first visited; no null moves and probes.

        A visit that does not name its ply stands alone, unless it is a re-search of the one before.
        """
        columns = self._columns
        children = self.tree.children(row)
        if len(children) == 1:
            return self._only(int(children[0]))
        wide = self.wide(row)
        if wide is not None:
            return [wide.visits(place) for place in range(len(wide))]
        children = self._visits(children)
        groups: list[list[int]] = []
        by_ply: dict[int, list[int]] = {}
        last: list[int] | None = None
        for child, ply in zip(children.tolist(), columns["ply"][children].tolist(), strict=True):
            if ply >= 0:
                group = by_ply.get(ply)
            else:
                group = last if purpose_of(self._sight, child) == words.RESEARCH else None
            if group is None:
                group = []
                groups.append(group)
                if ply >= 0:
                    by_ply[ply] = group
            last = group
            if is_finished(self._sight, child):
                group.append(child)
        return [group for group in groups if group]

    def wide(self, row: int) -> PlyVisits | None:
        """The same under a wide node, as columns; None of any other."""
        if self.tree.n_children(row) < WIDE:
            return None
        if row in self._wide:
            return self._wide[row]
        visits = self._visits(self.tree.children(row))
        found = ply_visits(self._sight, visits, self._is_left(visits)) if len(visits) else None
        while len(self._wide) >= MOST_WIDE:
            self._wide.pop(next(iter(self._wide)), None)
        self._wide[row] = found
        return found

    def visits_with(self, parent: int, row: int) -> list[int] | None:
        """The finished visits under `parent` of the ply of `row`; None if `row` is none of them."""
        wide = self.wide(parent)
        if wide is not None:
            place = wide.place_of(row)
            return None if place is None else wide.visits(place)
        return next((visits for visits in self.plies(parent) if row in visits), None)

    def visits_of_ply(self, parent: int, ply: str) -> list[int] | None:
        """The finished visits of the ply called `ply` under `parent`; None where there are none."""
        wide = self.wide(parent)
        if wide is not None:
            named = (self.visits_with(parent, row) for row in self.tree.visits(parent, ply))
            return next((visits for visits in named if visits and self.tree.is_ply(visits[0], ply)), None)
        return next((visits for visits in self.plies(parent) if self.tree.is_ply(visits[0], ply)), None)

    def _visits(self, children: Rows) -> Rows:
        """Those that are neither stubs nor null moves nor probes."""
        columns = self._columns
        is_visit = columns["outcome"][children] < words.FIRST_STUB
        purposes = columns.get("purpose")
        if purposes is not None:
            is_visit &= (purposes[children] != words.NULL) & (purposes[children] != words.PROBE)
        return children[is_visit]

    def _is_left(self, visits: Rows) -> npt.NDArray[np.bool_]:
        outcome = self._columns["outcome"][visits]
        return np.asarray((outcome != words.STOPPED) & (outcome != words.OPEN))

    def _only(self, child: int) -> list[list[int]]:
        """The same of a node with one child: in long lines without branches most nodes are such."""
        return [[child]] if is_finished(self._sight, child) and not is_aside(self._sight, child) else []

    def counted(self, visits: list[int]) -> list[int]:
        """Of finished visits of one ply those of the greatest depth."""
        if len(visits) == 1:
            return visits
        depths = [visit_depth(self._sight, visit) for visit in visits]
        deepest = max((depth for depth in depths if depth == depth), default=0.0)
        return [visit for visit, depth in zip(visits, depths, strict=True) if not depth < deepest]

    def taken(self, visit: int) -> float:
        """The score that the parent took for a visit."""
        return float(taken_of(self._sight, visit))

    def proves(self, row: int, counted: list[int]) -> bool:
        """Whether the claims of counted visits of one ply, intersected, prove the score of `row`."""
        return self._is_proof(row, self.interval(row, counted))

    def refutes(self, row: int, counted: list[int]) -> bool:
        """Whether the known intervals of counted visits of a ply prove that `row` is worth no more."""
        return self._is_proof(row, self.known(row, counted))

    def _is_proof(self, row: int, interval: tuple[float, float]) -> bool:
        layer = self._columns["layer"][row]
        if layer not in (words.MAX, words.MIN):
            return False
        low, high = interval
        score = float(self._columns["score"][row])
        return low >= score if layer == words.MAX else high <= score

    def interval(self, row: int, counted: list[int]) -> tuple[float, float]:
        """The claims of counted visits of one ply under `row`, intersected, as `row` took them; else NaN."""
        return self._intersected(row, counted, [claim_of(self._sight, visit) for visit in counted])

    def known(self, row: int, counted: list[int]) -> tuple[float, float]:
        """The same of all that is known of the visits, from the rows below them too (see `known_claims`)."""
        return self._intersected(row, counted, [self._known(visit) for visit in counted])

    def _known(self, visit: int) -> tuple[float, float]:
        low, high = claim_of(self._sight, visit)
        if low == high:
            return low, high
        found = known_claims(self.tree.log, visit, int(self._columns["end"][visit]))
        return float(found.low[visit]), float(found.high[visit])

    def _intersected(
        self, row: int, counted: list[int], claims: list[tuple[float, float]]
    ) -> tuple[float, float]:
        sign = -1.0 if self._columns["layer"][row] == words.MIN else 1.0
        together = self._together
        together.depth[0], together.low[0], together.high[0] = -math.inf, -math.inf, math.inf
        for visit, claim in zip(counted, claims, strict=True):
            add_claim(self._sight, together, 0, visit, sign, *claim)
        low, high = float(together.low[0]), float(together.high[0])
        return (low, high) if sign > 0 else (0.0 - high, 0.0 - low)

    def depth(self, visit: int) -> float:
        """The plies that a visit had left to search, less those reduced where no depth is stated."""
        return float(visit_depth(self._sight, visit))


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


def _room_for_one() -> Groups:
    return Groups(*(np.zeros(1) for _ in Groups._fields))
