"""The kind of change of every row: the same, changed, or only in one of the trees; and their counts.

The kind of a pair follows from its results: outcome, bound, score, visits and mean. Windows and depths alone
make no difference. A ply that is only in one tree is *newly pruned* or *newly searched* where a stub of the
other tree names it, or is the only stub there without a list and has room for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.columns.rounding import are_close
from plyscope.visualizer.analysis.diff.alignment import Alignment
from plyscope.visualizer.analysis.diff.compared_trees import Numbering, Side, Sides
from plyscope.visualizer.store import words

Array = npt.NDArray[Any]
Kinds = npt.NDArray[np.uint8]

KINDS: Final = (
    "same",
    "score",
    "visits",
    "bound",
    "outcome",
    "stub",
    "newly_pruned",
    "newly_dropped",
    "newly_searched",
    "only_old",
    "only_new",
    "inside",
)
"""`newly_dropped`: searched in the old tree, over the branching limit or forward pruned in the new one.
`stub`: a stub that is only in one tree or stands for another number of plies. `inside`: below a row that is
only in one tree. `visits`: other visits, wins, draws, losses or mean, in best-first trees. A pair that
differs in several gets the last of score, visits, bound, outcome."""
(
    SAME,
    SCORE,
    VISITS,
    BOUND,
    OUTCOME,
    STUB,
    NEWLY_PRUNED,
    NEWLY_DROPPED,
    NEWLY_SEARCHED,
    ONLY_OLD,
    ONLY_NEW,
    INSIDE,
) = range(len(KINDS))
LISTED: Final = KINDS[1:-1]
"""The kinds of changes."""
N_STUBS: Final = len(words.OUTCOMES) - words.FIRST_STUB
OF_STUB: Final = np.array([NEWLY_PRUNED, NEWLY_DROPPED, NEWLY_DROPPED, ONLY_OLD], np.uint8)
"""The kind of an old row, by the outcome of the new tree's stub for it; `unlogged` was searched there too."""


@dataclass(frozen=True)
class Told:
    """A kind a row of each tree; for rows of one tree only the outcome of the other's stub, 0 for none."""

    old: Kinds
    new: Kinds
    old_stub: Kinds
    new_stub: Kinds

    @property
    def counts(self) -> dict[str, int]:
        """Changes by kind: pairs, and rows that are only in one tree with all that is below them."""
        of_new = np.bincount(self.new, minlength=len(KINDS))
        of_old = np.bincount(self.old[self.old >= STUB], minlength=len(KINDS))
        of_old[STUB] -= np.count_nonzero((self.old == STUB) & (self.old_stub == 0))
        both = of_new + of_old
        return {name: int(both[code]) for code, name in enumerate(KINDS[:-1])}


def tell(sides: Sides, numbering: Numbering, alignment: Alignment) -> Told:
    """Find the kind of change of every row of both trees."""
    to_new, to_old = alignment.to_new, alignment.to_old
    old, new = np.full(len(to_new), INSIDE, np.uint8), np.full(len(to_old), INSIDE, np.uint8)
    at_old = np.flatnonzero(to_new >= 0)
    at_new = to_new[at_old]
    pairs = _of_pairs(sides, at_old, at_new)
    old[at_old] = pairs
    new[at_new] = pairs
    stubs = []
    for side, other, to_other, kinds, known, lists_of, plies_of in (
        (sides.old, sides.new, to_new, old, alignment.known_old, numbering.new, numbering.old),
        (sides.new, sides.old, to_old, new, alignment.known_new, numbering.old, numbering.new),
    ):
        alone = _alone(side, to_other)
        outcome = _column(side, "outcome")
        is_stub = outcome[alone] >= words.FIRST_STUB
        kinds[alone[is_stub]] = STUB
        plies = alone[~is_stub]
        kinds[plies] = ONLY_OLD if side is sides.old else ONLY_NEW
        asked = plies[~known[plies] & ~_is_aside(side)[plies]]
        stub = np.zeros(len(kinds), np.uint8)
        ply = plies_of[side.log.columns["ply"][side.root : side.end][asked]]
        under = to_other[_parents(side)[asked]]
        stub[asked] = _stub_for(other, under, ply, lists_of, numbering.n_plies)
        by_stub = stub[asked] > 0
        of_stub = OF_STUB[stub[asked[by_stub]] - words.FIRST_STUB]
        if side is sides.new:
            of_stub = np.where(of_stub == ONLY_OLD, ONLY_NEW, NEWLY_SEARCHED).astype(np.uint8)
        kinds[asked[by_stub]] = of_stub
        # A stub that is only in one tree gets its own outcome, so that counts distinguish it from a pair.
        stub[alone[is_stub]] = outcome[alone[is_stub]]
        stubs.append(stub)
    return Told(old, new, stubs[0], stubs[1])


def _column(side: Side, name: str) -> Array:
    return side.log.columns[name][side.root : side.end]


def _parents(side: Side) -> Array:
    return _column(side, "parent") - np.int32(side.root)


def _is_aside(side: Side) -> npt.NDArray[np.bool_]:
    """True for null moves and probes, which are no plies of the position."""
    purpose = side.column("purpose")
    if purpose is None:
        return np.zeros(side.end - side.root, np.bool_)
    return np.asarray((purpose == words.NULL) | (purpose == words.PROBE))


def _alone(side: Side, to_other: Array) -> Array:
    """The rows that are only in this tree, under a parent that is in both."""
    rows = np.flatnonzero(to_other < 0)
    return rows[to_other[_parents(side)[rows]] >= 0]


def _of_pairs(sides: Sides, old: Array, new: Array) -> Kinds:
    kinds = np.zeros(len(old), np.uint8)
    scores = [_column(side, "score")[rows] for side, rows in ((sides.old, old), (sides.new, new))]
    kinds[~are_close(*scores)] = SCORE
    for name in ("visits", "mean", "wins", "draws", "losses"):
        if (counts := _stated(sides, name)) is not None:
            kinds[~are_close(counts[0][old], counts[1][new])] = VISITS
    for name, kind in (("bound", BOUND), ("outcome", OUTCOME)):
        one, other = _column(sides.old, name), _column(sides.new, name)
        if one.any() and other.any():
            kinds[one[old] != other[new]] = kind
    is_stub = _column(sides.old, "outcome")[old] >= words.FIRST_STUB
    if is_stub.any():
        of_stubs = [_counts(side, rows[is_stub]) for side, rows in ((sides.old, old), (sides.new, new))]
        kinds[is_stub] = np.where(of_stubs[0] == of_stubs[1], SAME, STUB)
    return kinds


def _stated(sides: Sides, name: str) -> tuple[Array, Array] | None:
    """A column of both trees as floats, NaN where unstated; None where one log never states it."""
    found = []
    for side in (sides.old, sides.new):
        if (column := side.column(name)) is None:
            return None
        is_whole = column.dtype.kind == "i"
        found.append(np.where(is_whole & (column < 0), np.nan, column.astype(np.float64)))
    return found[0], found[1]


def _counts(side: Side, rows: Array) -> Array:
    count = side.column("count")
    return np.full(len(rows), -1) if count is None else count[rows]


def _stub_for(side: Side, parents: Array, plies: Array, numbers: Array, n_plies: int) -> Kinds:
    """The outcome of the stub under `parents[i]` that stands for `plies[i]`; 0 where that is not certain."""
    found = np.zeros(len(parents), np.uint8)
    stubs = np.flatnonzero(_column(side, "outcome") >= words.FIRST_STUB)
    is_asked = np.zeros(side.end - side.root, np.bool_)
    is_asked[parents] = True
    above = _parents(side)
    stubs = stubs[is_asked[above[stubs]]] if len(stubs) else stubs
    if not len(stubs):
        return found
    outcome = _column(side, "outcome")
    lists = side.log.stub_plies
    has_list = np.zeros(side.end - side.root, np.bool_)
    if lists is not None:
        n_listed = np.diff(lists.starts)
        at = lists.rows.astype(np.int64) - side.root
        is_here = (at >= 0) & (at < len(has_list)) & (n_listed > 0)
        is_here[is_here] = is_asked[above[at[is_here]]]
        has_list[at[is_here]] = True
        of_text = np.repeat(np.where(is_here, np.arange(len(at)), -1), n_listed)
        texts = lists.texts[of_text >= 0]
        of_stub = at[of_text[of_text >= 0]]
        key = above[of_stub].astype(np.int64) * (n_plies + 1) + numbers[texts]
        order = np.argsort(key, kind="stable")
        key, of_stub = key[order], of_stub[order]
        wanted = parents.astype(np.int64) * (n_plies + 1) + plies
        place = np.searchsorted(key, wanted)
        place[place == len(key)] = 0
        is_named = (plies > 0) & (key[place] == wanted) if len(key) else np.zeros(len(plies), np.bool_)
        found[is_named] = outcome[of_stub[place[is_named]]]
    _by_room(found, parents, stubs[~has_list[stubs]], above, outcome, _counts(side, stubs[~has_list[stubs]]))
    return found


def _by_room(found: Kinds, parents: Array, stubs: Array, above: Array, outcome: Array, counts: Array) -> None:
    """Fill in `found` under parents whose stubs without a list have one outcome and count enough plies."""
    which, first, of_stub = np.unique(above[stubs], return_index=True, return_inverse=True)
    if not len(which):
        return
    kind = outcome[stubs[first]]
    is_one = np.ones(len(which), np.bool_)
    is_one[of_stub[outcome[stubs] != kind[of_stub]]] = False
    is_one[of_stub[counts < 0]] = False
    room = np.bincount(of_stub, weights=np.maximum(counts, 0), minlength=len(which))
    left = np.flatnonzero(found == 0)
    at = np.searchsorted(which, parents[left])
    at[at == len(which)] = 0
    is_there = which[at] == parents[left]
    left, at = left[is_there], at[is_there]
    needed = np.bincount(at, minlength=len(which))
    certain = is_one[at] & (needed[at] <= room[at])
    found[left[certain]] = kind[at[certain]]
