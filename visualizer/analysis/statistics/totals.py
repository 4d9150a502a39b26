"""Totals of a whole search: nodes, leaves and prune events, for the forest and by level."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.json_answer import LONG
from plyscope.visualizer.analysis.nodes.notebook import Displayed
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Counted
from plyscope.visualizer.store.tree import Tree

ROWS_AT_ONCE: Final = 2**17


@dataclass(frozen=True)
class Counts(Displayed):
    """Counts of rows: stubs are not nodes; leaves are leaf and terminal rows, and those that `returned`.

    Where no node of a log states its outcome, those without children are its leaves.
    """

    nodes: int
    leaves: int
    returned: int
    """Leaves above the horizon: quiescence or pruning returned there before any ply was searched."""
    cuts: int
    prune_events: int
    pruned: int
    limited: int
    uncounted_pruned: int
    """Prune events that do not say how many plies they cut off; `pruned` leaves these out."""
    uncounted_limited: int
    """The same of the branching limit, for `limited`."""

    def dropped(self) -> tuple[str, str]:
        """The plies pruned and limited: `≥27` where some rows do not say how many, `?` where none does."""
        pairs = ((self.pruned, self.uncounted_pruned), (self.limited, self.uncounted_limited))
        pruned, limited = (f"≥{n:,}" if n and more else "?" if more else f"{n:,}" for n, more in pairs)
        return pruned, limited


@dataclass(frozen=True)
class _OfLevel:
    level: int
    """The distance from the root."""


@dataclass(frozen=True)
class LevelCounts(Counts, _OfLevel):
    """The counts of one level."""


class Levels(Sequence[LevelCounts]):
    """The counts of each level: a long chain has as many levels as rows, and few of them are looked at."""

    def __init__(self, table: npt.NDArray[np.int64]) -> None:
        """`table` has a row a level, and a column a field of `Counts`."""
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    @overload
    def __getitem__(self, level: int) -> LevelCounts: ...
    @overload
    def __getitem__(self, level: slice) -> list[LevelCounts]: ...
    def __getitem__(self, level: int | slice) -> LevelCounts | list[LevelCounts]:
        places = range(len(self))[level]
        if isinstance(places, range):
            return [LevelCounts(place, *self._table[place].tolist()) for place in places]
        return LevelCounts(places, *self._table[places].tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)


@dataclass(frozen=True)
class _OfRows:
    rows: int
    """Nodes and stubs."""


@dataclass(frozen=True)
class Totals(Counts, _OfRows):
    """The totals of a log, the same as `plyscope stats` prints; `levels` has those of each level."""

    searched: int
    """Nodes that the search visited, with and without rows; `nodes` are those with rows. A row that states
    `nodes` stands for so many, where it has no more rows below it."""
    unknown_searched: int
    """`unlogged` stubs that state no `nodes`, of which no row above does: `searched` leaves them out."""
    levels: Sequence[LevelCounts] = field(repr=False, metadata=LONG)
    """From the root down."""

    def searched_text(self) -> str | None:
        """The number of nodes searched, `≥27` if there may be more; None if all of them have rows."""
        if self.searched == self.nodes and not self.unknown_searched:
            return None
        return f"{'≥' if self.unknown_searched else ''}{self.searched:,}"


def summed(several: Iterable[Counts]) -> Counts:
    """The counts of several logs, or levels, together."""
    logs = list(several)
    return Counts(*(sum(getattr(each, count.name) for each in logs) for count in fields(Counts)))


def totals(tree: Tree) -> Totals:
    """Count a log, whole and by level; counts that a converted log has kept are reused."""
    columns, kept = tree.log.columns, tree.log.counted
    if kept is not None and kept.columns is columns and kept.levels.shape[1:] == (len(fields(Counts)),):
        return _totals(len(columns["level"]), kept.levels, kept.searched)
    table, searched = _count(tree)
    return _totals(len(columns["level"]), table, searched)


def counted_of(tree: Tree) -> Counted:
    """Make the counts that are kept with a log, so that opening it does not read its columns."""
    return Counted(tree.log.columns, *_count(tree))


def _totals(n_rows: int, table: npt.NDArray[np.int64], searched: tuple[int, int]) -> Totals:
    counts = Counts(*table.sum(axis=0).tolist())
    return Totals(
        rows=n_rows, **vars(counts), searched=searched[0], unknown_searched=searched[1], levels=Levels(table)
    )


def _count(tree: Tree) -> tuple[npt.NDArray[np.int64], tuple[int, int]]:
    """The counts, a row a level and a column a field of `Counts`; and `_searched`."""
    columns = tree.log.columns
    outcome, level = columns["outcome"], columns["level"]
    n_levels = int(level.max()) + 1
    width = len(words.OUTCOMES)
    of_outcome = np.zeros((n_levels, width), dtype=np.int64)
    for part in _parts(len(level)):
        places = level[part] * np.int32(width) + outcome[part]
        of_outcome += np.bincount(places, minlength=of_outcome.size).reshape(n_levels, width)

    def by_level(
        rows: npt.NDArray[np.int64] | npt.NDArray[np.bool_], weight: npt.NDArray[np.int64] | None = None
    ) -> npt.NDArray[np.int64]:
        return np.bincount(level[rows], weights=weight, minlength=n_levels).astype(np.int64)

    if of_outcome[:, 1 : words.FIRST_STUB].any():
        returned = by_level(_returned(tree))
        leaves = of_outcome[:, words.LEAF] + of_outcome[:, words.TERMINAL] + returned
    else:
        returned = np.zeros(n_levels, dtype=np.int64)
        leaves = by_level((columns["end"] == np.arange(len(level)) + 1) & ~tree.is_stub)
    count = columns.get("count")
    stubs = [np.flatnonzero(outcome == kind) for kind in (words.PRUNED, words.LIMITED)]
    counts = [np.full(len(rows), -1) if count is None else count[rows] for rows in stubs]
    table = np.column_stack(
        [
            of_outcome[:, : words.FIRST_STUB].sum(axis=1),
            leaves,
            returned,
            of_outcome[:, words.CUTOFF],
            of_outcome[:, words.PRUNED],
            *(by_level(rows, np.maximum(of, 0)) for rows, of in zip(stubs, counts, strict=True)),
            *(by_level(rows[of < 0]) for rows, of in zip(stubs, counts, strict=True)),
        ]
    )
    return table, _searched(tree)


def _searched(tree: Tree) -> tuple[int, int]:
    """The number of nodes searched, and that of `unlogged` stubs without a count of nodes."""
    columns = tree.log.columns
    end, outcome = columns["end"], columns["outcome"]
    n_logged = tree.n_logged
    unlogged = np.flatnonzero(outcome == words.UNLOGGED)
    stated = columns.get("nodes")
    if stated is None:
        return n_logged, len(unlogged)
    rows = np.flatnonzero(stated >= 0)
    rows = rows[(outcome[rows] < words.FIRST_STUB) | (outcome[rows] == words.UNLOGGED)]
    has_rows = tree.nodes_below(rows) + (outcome[rows] < words.FIRST_STUB)
    rows, has_rows = rows[stated[rows] >= has_rows], has_rows[stated[rows] >= has_rows]
    is_outermost = outermost(rows, end)
    rows, has_rows = rows[is_outermost], has_rows[is_outermost]
    more = int(stated[rows].sum()) - int(has_rows.sum())
    place = np.searchsorted(rows, unlogged, side="right") - 1
    is_told = (place >= 0) & (end[rows[np.maximum(place, 0)]] > unlogged) if len(rows) else place >= 0
    return n_logged + more, int(np.count_nonzero(~is_told))


def outermost(rows: npt.NDArray[Any], end: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Of ascending rows: which do not lie below another of them."""
    found = np.ones(len(rows), np.bool_)
    found[1:] = rows[1:] >= np.maximum.accumulate(end[rows])[:-1]
    return found


def n_nodes(tree: Tree, rows: npt.NDArray[Any]) -> int:
    """The nodes in the subtrees of some nodes, each once; `rows` ascend."""
    rows = rows[outermost(rows, tree.log.columns["end"])]
    return int(tree.nodes_below(rows).sum()) + len(rows)


def _returned(tree: Tree) -> npt.NDArray[np.int64]:
    """The nodes without a node below at which standing pat, a null move or an estimate gave the score.

    A searched node whose replies were only left out of the log is none, nor is one that was stopped.
    """
    columns = tree.log.columns
    outcomes, end = columns["outcome"], columns["end"]
    cut_by, quiescence = columns.get("cut_by"), columns.get("quiescence")
    stand_pat, depth = columns.get("stand_pat"), columns.get("depth")
    found = [np.zeros(0, dtype=np.int64)]
    for part in _parts(len(outcomes)):
        outcome = outcomes[part]
        where = np.zeros(len(outcome), np.bool_)
        if cut_by is not None:
            where |= cut_by[part] > words.CUT_BY.index("child")
        if quiescence is not None:
            where |= quiescence[part] == 1
        if stand_pat is not None:
            where |= ~np.isnan(stand_pat[part])
        if depth is not None:
            where |= depth[part] <= 0
        where &= (outcome == 0) | (outcome == words.SEARCHED) | (outcome == words.CUTOFF)
        where &= ~np.isnan(columns["score"][part])
        rows = part.start + np.flatnonzero(where)
        # Most have no rows below them, or first a node, which is quickly seen: of others nodes are counted.
        has_none = end[rows] == rows + 1
        others = np.flatnonzero(~has_none)
        others = others[outcomes[rows[others] + 1] >= words.FIRST_STUB]  # the first row below is no node
        has_none[others] = tree.nodes_below(rows[others]) == 0
        found.append(rows[has_none])
    returned = np.concatenate(found)
    above = columns["parent"][np.flatnonzero(outcomes == words.UNLOGGED)]
    return returned[~np.isin(returned, above)] if len(above) else returned


def _parts(n_rows: int) -> Iterable[slice]:
    """Parts of all rows whose figures stay in the processor's cache: large arrays take longer to be made."""
    return (slice(begin, min(begin + ROWS_AT_ONCE, n_rows)) for begin in range(0, n_rows, ROWS_AT_ONCE))
