"""Derive in one sweep the facts that rules need beside columns: counted visits, claims, folds, edges.

A claim is an interval, a score with its bound. Children's claims fold into their parent's (see `claim_fold`).
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns import sight as marks
from plyscope.visualizer.analysis.columns.claim_fold import Groups, fold, groups_for, narrow
from plyscope.visualizer.analysis.columns.claims import claim_of, stated_claim
from plyscope.visualizer.analysis.columns.declarations import HARD, SOFT, UNSTATED
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import (
    entry_high,
    entry_low,
    estimate_of,
    is_stub,
    kind_of_fail,
    unsearched_best,
)
from plyscope.visualizer.analysis.columns.sight import FOLDS, Array, Sight
from plyscope.visualizer.analysis.columns.unstated import excuse_clamps, judge_unlayered
from plyscope.visualizer.analysis.columns.value_kernels import value_mark
from plyscope.visualizer.analysis.columns.windows import ELSE, WIDER, fit
from plyscope.visualizer.store import words

TELLING: Final = 20
"""The fewest nodes that fit only one of fail-soft and fail-hard, and so show the form of a log."""
NO_FOLD = 0
"""The place of all rows without a fold."""
_UNKNOWN: Final = math.nan


def derive(sight: Sight, work: Work) -> Sight:
    """Fill the derived arrays of `sight`, and choose an undeclared `fail` by the whole log."""
    counts = np.zeros(int(sight.level.max(initial=0)) + 2, np.int64)
    n_folds = np.zeros(1, np.int64)
    fan_out = int(work.run(most_children)(sight, counts, n_folds))
    sight = with_room(sight, int(n_folds[0]))._replace(fan_out=fan_out)
    groups = groups_for(sight)
    work.run(sweep)(sight, groups)
    if groups.n_unlayered[0]:
        sight = judge_unlayered(sight, work)
    n_clamps = excuse_clamps(sight, work) if groups.n_wrong[0] else (0, 0)
    if sight.fail == UNSTATED:
        n_fit = groups.n_fit.copy()
        n_fit[:2, 1] += n_clamps
        n_soft, n_hard = n_fit.sum(axis=0).tolist()
        odd = np.array([rarer_form(*counts) for counts in n_fit.tolist()])
        sight = sight._replace(fail=HARD if n_hard > n_soft else SOFT, odd_forms=odd)
    return sight


def rarer_form(n_soft: int, n_hard: int) -> int:
    """Return FITS_SOFT or FITS_HARD if 19 of 20 nodes fit the other only, 0 if too few or no such part do."""
    n_told = n_soft + n_hard
    if n_told < TELLING or max(n_soft, n_hard) * 20 < 19 * n_told:
        return 0
    return marks.FITS_HARD if n_soft > n_hard else marks.FITS_SOFT


@kernel
def most_children(sight: Sight, counts: Array, n_folds: Array) -> int:
    """Return the most rows directly below one row, and give each row that may have a fold its place.

    `counts` has room for a number a level, and one more; `n_folds` gets the number of places.
    """
    most = place = 0
    for row in range(len(sight.parent)):
        sight.fold_at[row] = NO_FOLD
        if may_fold(sight, row):
            place += 1
            sight.fold_at[row] = place
        level = sight.level[row]
        counts[level] += 1
        counts[level + 1] = 0
        if counts[level] > most and level > 0:
            most = counts[level]
    n_folds[0] = place
    return int(most)


@kernel
def sweep(sight: Sight, groups: Groups) -> None:
    """Fill the derived arrays: first every row's own marks, then each parent from its children."""
    n_rows = len(sight.parent)
    for row in range(n_rows):
        sight.marks[row] = claim_marks(sight, row)
        sight.edge_before[row] = _UNKNOWN
        sight.before[row] = -1
    for row in range(n_rows):
        if is_stub(sight, row):
            continue
        if sight.marks[row] & marks.WINDOW_ELSE:
            # The fold of the parent has left it to be judged.
            fits = fit(sight, row)
            if fits != ELSE:
                sight.marks[row] ^= marks.WINDOW_ELSE
            if fits == WIDER:
                sight.marks[row] |= marks.WINDOW_WIDER
        place = sight.fold_at[row]
        if place == NO_FOLD:
            continue
        if sight.end[row] > row + 1:
            fold(sight, groups, row)
            groups.n_unlayered[0] += sight.layer[row] == 0
        else:
            sign = -1.0 if sight.layer[row] == words.MIN else 1.0
            stand = sign * unsearched_best(sight, row, sign)
            is_clear = sight.layer[row] == words.MAX or sight.layer[row] == words.MIN
            if stand == stand and (is_clear or estimate_of(sight, row) != estimate_of(sight, row)):
                narrow(sight, row, stand, stand)
                sight.fold_bests[place] = stand
        if sight.fold_lows[place] == sight.fold_lows[place]:
            low, high = claim_of(sight, row)
            if sight.fold_lows[place] < low or sight.fold_highs[place] > high:
                sight.marks[row] |= marks.FOLD_OUTSIDE
        mark = value_mark(sight, row)
        sight.marks[row] |= mark
        if mark & (marks.FITS_SOFT | marks.FITS_HARD):
            kind = kind_of_fail(sight, row, mark & marks.FAILS_HIGH > 0)
            groups.n_fit[kind, int(mark & marks.FITS_HARD > 0)] += 1
        elif mark == marks.VALUE_WRONG:
            groups.n_wrong[0] += sight.layer[row] > 0


@kernel
def claim_marks(sight: Sight, row: int) -> int:
    """Return CLAIMED if the row claims anything, and TABLE_DISAGREES if its table entry rules that out."""
    low, high = stated_claim(sight, row)
    if low != low:
        return 0
    if max(low, entry_low(sight, row)) > min(high, entry_high(sight, row)):
        return marks.CLAIMED | marks.TABLE_DISAGREES
    return marks.CLAIMED


@kernel
def may_fold(sight: Sight, row: int) -> bool:
    """Whether the row has children, a stand pat or an estimate, from which a fold can be made."""
    if is_stub(sight, row):
        return False
    stand = unsearched_best(sight, row, 1.0)
    return bool(sight.end[row] > row + 1 or stand == stand)


def with_room(sight: Sight, n_folds: int) -> Sight:
    """Return the sight with room for `n_folds` folds and the place of rows without one."""
    lows, highs, bests = (np.full(n_folds + 1, np.nan) for _ in FOLDS)
    return sight._replace(fold_lows=lows, fold_highs=highs, fold_bests=bests)
