"""Rule `repropagate`: folding the tree up again from the worth of its leaves gives the score of the root.

Every row gets the interval in which its worth lies, whatever the scores in between: a leaf's is its
evaluation, a table row's that of the node that stored the entry, and a parent's is folded from its plies.
Unsearched plies open a side. If something needed is missing or contradicts itself, the row's own claim is
used; NaN if it has none.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.judged import Rows, if_best_first
from plyscope.visualizer.analysis.check.facts.proofs import mate_sign
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claim_fold import group_of
from plyscope.visualizer.analysis.columns.claims import claim_of, is_close, sum_of_terms
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.mean import fold_by_priors
from plyscope.visualizer.analysis.columns.row import (
    cut_by_of,
    entry_high,
    entry_low,
    is_aside,
    is_cut,
    is_finished,
    is_stub,
    score_as_taken,
    source_of,
    static_of,
    tt_use_of,
    unsearched_best,
)
from plyscope.visualizer.analysis.columns.sight import CONTRADICTED, COUNTED, TT_NARROW, Array, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

CHUNK: Final = 1 << 18
"""Rows folded between two reports of progress."""
_CUT_BY_NULL: Final = words.CUT_BY.index("null")
_INFINITY: Final = math.inf
_UNKNOWN: Final = math.nan


class Refold(NamedTuple):
    """The worth of the rows, and arrays for the fold."""

    low: Array
    """One entry a row; NaN where the worth is not known."""
    high: Array
    path: Array
    """Rows whose children are being read, one a level."""
    n_open: Array
    """One entry: the number of open rows in `path`."""
    slot: Array
    """By ply: the number of that ply below the node in `stamp`."""
    stamp: Array
    ply_low: Array
    """By number of the ply below one node."""
    ply_high: Array


def refolded(sight: Sight, work: Work) -> Refold:
    """Return every row's worth, folded anew, until the next pass; `sight` has its derived arrays."""
    low, high = work.scratch.take(*[(sight.n_rows, np.float64)] * 2)
    refold = Refold(
        low=low,
        high=high,
        path=np.zeros(int(sight.level.max(initial=0)) + 1, np.int64),
        n_open=np.zeros(1, np.int64),
        slot=np.zeros(len(sight.log.texts), np.int64),
        stamp=np.full(len(sight.log.texts), -1, np.int64),
        ply_low=np.zeros(sight.fan_out),
        ply_high=np.zeros(sight.fan_out),
    )
    fold_rows = work.run(refold_rows)
    for first in range(0, sight.n_rows, CHUNK):
        last = min(first + CHUNK, sight.n_rows)
        fold_rows(sight, refold, first, last)
        work.go_on(last / sight.n_rows)
    return refold


@kernel
def refold_rows(sight: Sight, refold: Refold, first: int, last: int) -> None:
    """Read the rows in [first, last); each is folded when it is left, so a table row finds its source."""
    n_open = refold.n_open[0]
    for row in range(first, last):
        while n_open > 0 and sight.end[refold.path[n_open - 1]] <= row:
            n_open -= 1
            leave(sight, refold, refold.path[n_open])
        if sight.end[row] > row + 1:
            refold.path[n_open] = row
            n_open += 1
        else:
            leave(sight, refold, row)
    if last == len(sight.parent):
        while n_open > 0:
            n_open -= 1
            leave(sight, refold, refold.path[n_open])
    refold.n_open[0] = n_open


@kernel
def leave(sight: Sight, refold: Refold, row: int) -> None:
    """Write the worth of a row, once all rows below it have theirs."""
    low = high = _UNKNOWN
    if not is_stub(sight, row) and is_finished(sight, row):
        if is_cut(sight, row):
            low, high = of_source(sight, refold, row)
        elif sight.outcome[row] == words.LEAF:
            if len(sight.tablebase) == 0 or not sight.tablebase[row]:
                low = high = evaluation(sight, row)
        elif sight.outcome[row] != words.TERMINAL:
            low, high = of_plies(sight, refold, row)
            if low != low and sight.outcome[row] == 0 and sight.end[row] == row + 1:
                low = high = evaluation(sight, row)
        if low != low:
            low, high = claim_of(sight, row)
        if low != low and sight.end[row] == row + 1 and sight.fail != HARD:
            low = high = float(sight.score[row])
    refold.low[row] = low
    refold.high[row] = high


@kernel
def evaluation(sight: Sight, row: int) -> float:
    """Return the evaluation of a row: as stated, else the sum of its terms; NaN if neither is known."""
    static = static_of(sight, row)
    if static != static:
        static, _ = sum_of_terms(sight, row)
    return float(static)


@kernel
def of_source(sight: Sight, refold: Refold, row: int) -> tuple[float, float]:
    """Return the worth of the node that stored a row's entry, wins by distance moved; NaN if unknown."""
    source = source_of(sight, row)
    if source < 0 or source >= row or sight.end[source] > row:
        return _UNKNOWN, _UNKNOWN
    return moved(sight, refold.low[source], source, row), moved(sight, refold.high[source], source, row)


@kernel
def moved(sight: Sight, score: float, source: int, row: int) -> float:
    """Return a score of row `source` as seen at `row`: a win by distance is later below, earlier above."""
    sign = mate_sign(sight, score)
    if sign == 0 or sight.mate_step != sight.mate_step:
        return float(score)
    return float(score - sign * sight.mate_step * int(sight.level[row] - sight.level[source]))


@kernel
def of_plies(sight: Sight, refold: Refold, row: int) -> tuple[float, float]:
    """Return the worth of a row from its plies, stand pat and estimate; NaN if one is unknown."""
    layer = sight.layer[row]
    if layer == words.CHANCE and sight.outcome[row] != words.CUTOFF and cut_by_of(sight, row) == 0:
        low, high = fold_by_priors(sight, row, refold.low, refold.high)
        if low != low or high != high:
            return _UNKNOWN, _UNKNOWN
        return narrowed(sight, refold, row, low, high)
    if sight.is_maxn and layer == words.MIN:
        return _UNKNOWN, _UNKNOWN
    if (layer != words.MAX and layer != words.MIN) or sight.marks[row] & CONTRADICTED:
        return _UNKNOWN, _UNKNOWN
    # Seen from the mover from here on: a larger number is better for it.
    sign = 1.0 if layer == words.MAX else -1.0
    opens_mover = sight.outcome[row] == words.CUTOFF
    opens_both = False
    n_plies = 0
    current = -1
    child = row + 1
    while child < sight.end[row]:
        outcome = sight.outcome[child]
        if outcome == words.PRUNED:
            opens_mover = True
        elif outcome == words.UNLOGGED or (outcome == words.OPEN and not is_aside(sight, child)):
            opens_both = True
        elif sight.marks[child] & COUNTED:
            least = score_as_taken(sight, child, refold.low[child])
            most = score_as_taken(sight, child, refold.high[child])
            low = sign * (least if sign > 0 else most)
            high = sign * (most if sign > 0 else least)
            if low != low or high != high:
                return _UNKNOWN, _UNKNOWN
            current = group_of(sight, refold, row, child, current, n_plies)  # type: ignore[arg-type]
            if current == n_plies:
                n_plies += 1
                refold.ply_low[current] = low
                refold.ply_high[current] = high
            else:
                refold.ply_low[current] = max(low, refold.ply_low[current])
                refold.ply_high[current] = min(high, refold.ply_high[current])
                if refold.ply_low[current] > refold.ply_high[current]:
                    return _UNKNOWN, _UNKNOWN
        elif outcome < words.FIRST_STUB and not is_finished(sight, child) and not is_aside(sight, child):
            return _UNKNOWN, _UNKNOWN
        child = int(sight.end[child])
    stand = unsearched_best(sight, row, sign)
    low = high = stand if stand == stand else -_INFINITY
    for ply in range(n_plies):
        low = max(low, refold.ply_low[ply])
        high = max(high, refold.ply_high[ply])
    if cut_by_of(sight, row) >= _CUT_BY_NULL:
        low = high = sign * float(sight.score[row])
    elif n_plies == 0 and stand != stand and not opens_both:
        return _UNKNOWN, _UNKNOWN
    best_end = sight.range_high if sign > 0 else -sight.range_low
    worst_end = sight.range_low if sign > 0 else -sight.range_high
    if opens_mover or opens_both:
        high = max(high, best_end) if best_end == best_end else _INFINITY
    if opens_both:
        low = min(low, worst_end) if worst_end == worst_end else -_INFINITY
    if sign < 0:
        low, high = -high, -low
    return narrowed(sight, refold, row, low, high)


@kernel
def narrowed(sight: Sight, refold: Refold, row: int, low: float, high: float) -> tuple[float, float]:
    """Return the worth of a row within the claim of the entry that narrowed it; NaN if they contradict."""
    if tt_use_of(sight, row) != TT_NARROW:
        return low, high
    least, most = of_source(sight, refold, row)
    if least != least:
        least = entry_low(sight, row)
        most = entry_high(sight, row)
    low = max(low, least)
    high = min(high, most)
    if low > high:
        return _UNKNOWN, _UNKNOWN
    return low, high


class Worth(NamedTuple):
    """The interval of a root's score by its leaves; NaN if it is unknown."""

    low: float
    high: float


class Found(NamedTuple):
    """The result of folding a log up again: roots with another score, and their worth by the leaves."""

    broken: dict[int, Worth]
    n_known: int
    """Roots whose worth could be compared with their score."""


_found: WeakKeyDictionary[Log, Found] = WeakKeyDictionary()


def find(sight: Sight, work: Work) -> Rows:
    """The roots whose score does not follow from their leaves."""
    refold = refolded(sight, work)
    rows = [int(row) for row in sight.roots if is_finished(sight, row)]
    broken = {}
    n_known = 0
    for row in rows:
        worth = Worth(float(refold.low[row]), float(refold.high[row]))
        n_known += not (np.isnan(worth.low) or np.isnan(sight.score[row]))
        if not gives(sight, row, worth, is_last=row == rows[-1]):
            broken[row] = worth
    _found[sight.log] = Found(broken, n_known)
    return np.array(sorted(broken), np.int64)


def _has_judged(sight: Sight, work: Work) -> bool:
    kept = _found.get(sight.log)
    return kept is not None and kept.n_known > 0


def gives(sight: Sight, row: int, worth: Worth, *, is_last: bool) -> bool:
    """Whether a root's score may equal its worth, or its claim holds the worth; True where unknown.

    Without bound and window a score may come from a search outside its window; then only that of the last
    root is judged.
    """
    claim = Worth(*claim_of(sight, row))
    score = float(sight.score[row])
    if np.isnan(worth.low) or np.isnan(score):
        return True
    if _is_least(sight, worth.low, score) and _is_least(sight, score, worth.high):
        return True
    if np.isnan(claim.low):
        return not is_last
    return _is_least(sight, claim.low, worth.low) and _is_least(sight, worth.high, claim.high)


def _is_least(sight: Sight, one: float, other: float) -> bool:
    return bool(one <= other or is_close(one, other, sight.tolerance))


def _figures(sight: Sight, row: int) -> Figures:
    kept = _found[sight.log]
    low, high = worth = kept.broken[row]
    found = float(sight.score[row])
    least, most, returned = apart(low, high, found)
    gives = least if low == high else f"[{least}, {most}]"
    return Figures(
        expected=low if low == high else worth,
        found=found,
        message=f"Folded up again from the leaves, the root is worth {gives}, but it returned {returned}.",
    )


RULE = Rule(
    "repropagate",
    "odd",
    ("score", "static|factors|contributions"),
    _figures,
    has_judged=_has_judged,
    find=find,
    why_not=if_best_first("does not apply to a best-first search"),
)
