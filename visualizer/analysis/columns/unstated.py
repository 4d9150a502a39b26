"""Compare scores with those below if a log lacks layers or windows.

A minimax score is that of a child, whoever moves. So it is judged even without a stated layer: in our own
format as the root player sees it; in a foreign tree in that reading, the root player's view or the mover's
(negamax), which at least half of the parents fit. A fail-hard search may return an edge of its window
instead. Where windows are not stated, an edge is a best score that some ancestor had before, or follows from
the width of a scout.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.claims import is_close
from plyscope.visualizer.analysis.columns.declarations import SOFT
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    best_child_of,
    beta_of,
    estimate_of,
    is_aside,
    is_finished,
    is_stub,
    lacks_stand_pat,
    stand_pat_of,
    taken_of,
    tt_use_of,
)
from plyscope.visualizer.analysis.columns.sight import (
    COUNTED,
    FAILS_HIGH,
    FITS_HARD,
    TT_NARROW,
    VALUE_WRONG,
    Array,
    Sight,
)
from plyscope.visualizer.analysis.columns.value_kernels import is_of_plies
from plyscope.visualizer.store import words

Mask = npt.NDArray[np.bool_]

MOST_PLAYERS: Final = 2
# The score of a parent without a layer may be:
FITS_ROOT: Final = 1
"""A child's, as the root player sees both."""
FITS_MOVER: Final = 2
"""A child's, negated."""
FITS_NONE: Final = 4
"""Neither; the two above may hold together."""


def judge_unlayered(sight: Sight, work: Work) -> Sight:
    """Mark the parents without a layer whose score none of their plies can have; some have no layer."""
    if not _is_minimax(sight):
        return sight
    codes = np.zeros(sight.n_rows, np.uint8)
    work.run(read_values)(sight, codes)
    readings = (FITS_ROOT, FITS_MOVER) if sight.is_foreign else (FITS_ROOT,)
    if not any(_misfits(codes, reading).any() for reading in readings):
        n_parents = int(np.count_nonzero(codes))
        return sight._replace(n_parents=n_parents, n_read=n_parents)
    if _has_vectors(sight):
        return sight
    _leave_shared_out(sight, codes)
    may_be_edge = np.zeros(sight.n_rows, np.bool_)
    if not (sight.fail_is_declared and sight.fail == SOFT):
        may_be_edge = _edges_met(sight, codes, work)
    codes[(codes == FITS_NONE) & may_be_edge] = 0
    return _settled(sight, codes, may_be_edge)


def _misfits(codes: Array, reading: int) -> Mask:
    """Return the parents whose score does not fit a reading, or the better of two readings."""
    return np.asarray((codes > 0) & (codes & reading == 0))


def _is_minimax(sight: Sight) -> bool:
    """Whether scores can be those of children: at most two players, no averages."""
    return not (sight.is_averaged or sight.best_first or len(sight.log.players) > MOST_PLAYERS)


def _has_vectors(sight: Sight) -> bool:
    """Whether nodes have a score for each of several players."""
    extras = sight.log.extras
    return "scores" in sight.log.columns or (extras is not None and b'"scores"' in bytes(extras.blob))


def _leave_shared_out(sight: Sight, codes: Array) -> None:
    """Clear the marks of nodes of a graph that have children elsewhere, since each node has one place.

    The reader lists such edges on the node, under the name of its children.
    """
    extras, name = sight.log.extras, sight.log.mapping.get("children")
    if extras is None or name is None or not sight.is_foreign:
        return
    listed = b'"%b"' % name.encode()
    for row in np.flatnonzero((codes > 0) & (codes != FITS_ROOT | FITS_MOVER)).tolist():
        if listed in extras.of(row):
            codes[row] = 0


def _settled(sight: Sight, codes: Array, may_be_edge: Mask) -> Sight:
    """Choose the reading, and mark the parents that do not fit it."""
    n_parents = int(np.count_nonzero(codes))
    n_root, n_mover = (int(np.count_nonzero(codes & bit)) for bit in (FITS_ROOT, FITS_MOVER))
    if not sight.is_foreign:
        n_mover = -1
    n_read = max(n_root, n_mover)
    sight = sight._replace(n_parents=n_parents, n_read=n_read)
    if sight.is_foreign and 2 * n_read < n_parents:
        return sight._replace(unread_row=int(sight.roots[0]))
    reading = FITS_ROOT if n_root > n_mover else FITS_MOVER if n_mover > n_root else FITS_ROOT | FITS_MOVER
    if sight.is_foreign:
        reading = FITS_ROOT | FITS_MOVER  # a player who moves twice running has both in one tree
    sight.marks[_misfits(codes, reading) & ~may_be_edge] |= np.uint32(VALUE_WRONG)
    return sight


@kernel
def read_values(sight: Sight, codes: Array) -> None:
    """Write how the score of each parent without a layer fits: FITS_ROOT, FITS_MOVER, both, or FITS_NONE.

    0 if unknown: there are unrecorded siblings, or children without a score.
    """
    for row in range(len(sight.parent)):
        if sight.layer[row] != 0 or is_stub(sight, row) or sight.end[row] == row + 1:
            continue
        if is_of_plies(sight, row) and is_finished(sight, row) and not lacks_stand_pat(sight, row):
            codes[row] = reading_of(sight, row)


@kernel
def reading_of(sight: Sight, row: int) -> int:
    """Return the code of `read_values` for the score of one parent."""
    score = float(sight.score[row])
    found = 0
    n_plies = 0
    child = row + 1
    while child < sight.end[row]:
        if is_stub(sight, child):
            if sight.outcome[child] == words.UNLOGGED:
                return 0
        elif not is_aside(sight, child):
            below = taken_of(sight, child)
            if below != below or not is_finished(sight, child):
                return 0
            if sight.marks[child] & COUNTED:
                n_plies += 1
                if is_close(score, below, sight.tolerance):
                    found |= FITS_ROOT
                if is_close(score, -below, sight.tolerance):
                    found |= FITS_MOVER
        child = int(sight.end[child])
    if n_plies == 0:
        return 0
    for number in (stand_pat_of(sight, row), estimate_of(sight, row)):
        if is_close(score, number, sight.tolerance):
            found = FITS_ROOT | FITS_MOVER
    if not (sight.fail_is_declared and sight.fail == SOFT):
        is_entry = tt_use_of(sight, row) == TT_NARROW and len(sight.tt_score) > 0
        if (
            score == alpha_of(sight, row)
            or score == beta_of(sight, row)
            or (is_entry and score == sight.tt_score[row])
        ):
            found = FITS_ROOT | FITS_MOVER
    return found if found else FITS_NONE


def _edges_met(sight: Sight, codes: Array, work: Work) -> Mask:
    """Return the parents that may have returned an edge of a window that is not stated."""
    may_be_edge = np.zeros(sight.n_rows, np.bool_)
    rows = np.flatnonzero((codes > 0) & (codes != FITS_ROOT | FITS_MOVER) & ~has_window(sight))
    if not len(rows):
        return may_be_edge
    scores, width = sight.score[rows], width_of_scouts(sight)
    edges = np.stack([scores, scores - width, scores + width], axis=1)
    if sight.is_foreign:
        edges = np.concatenate([edges, -edges], axis=1)
    met = sight.score
    if len(sight.counted_as):
        met = np.where(np.isnan(sight.counted_as), met, sight.counted_as)
    known, number = np.unique(met, return_inverse=True)
    number[np.isnan(met)] = -1
    places = np.minimum(np.searchsorted(known, edges), len(known) - 1)
    places[known[places] != edges] = -1  # NaN too, where nothing says that there are scouts
    place_of = np.full(sight.n_rows, -1, np.int64)
    place_of[rows] = np.arange(len(rows))
    was_met = np.zeros(len(rows), np.bool_)
    path = np.zeros(int(sight.level.max(initial=0)) + 2, np.int64)
    counts = np.zeros(len(known), np.int64)
    arguments = (number.astype(np.int64), place_of, places.astype(np.int64), counts, path, was_met)
    work.run(meet_edges)(sight, *arguments)
    may_be_edge[rows[was_met]] = True
    return may_be_edge


@kernel
def meet_edges(
    sight: Sight, number: Array, place_of: Array, places: Array, counts: Array, path: Array, was_met: Array
) -> None:
    """Write for each row with a place whether one of its `places` is the score of an earlier sibling, or of
    an ancestor's: `counts` holds how often each score occurs on the current path.
    """
    n_open = 0
    for row in range(len(sight.parent)):
        while n_open > 0 and sight.end[path[n_open - 1]] <= row:
            n_open -= 1
            left = path[n_open]
            child = left + 1
            while child < sight.end[left]:
                if number[child] >= 0:
                    counts[number[child]] -= 1
                child = int(sight.end[child])
            if number[left] >= 0:
                counts[number[left]] += 1
        place = place_of[row]
        if place >= 0:
            for i in range(places.shape[1]):
                each = places[place, i]
                if each >= 0 and counts[each] > 0:
                    was_met[place] = True
        path[n_open] = row
        n_open += 1


def width_of_scouts(sight: Sight) -> float:
    """Return the width of null windows, NaN if nothing shows that there are any."""
    scouts = sight.null_width_is_declared or bool((sight.purpose == words.SCOUT).any())
    return sight.null_width if scouts else math.nan


def has_window(sight: Sight) -> Mask:
    """Return the rows that state both edges of the window."""
    if len(sight.alpha) == 0 or len(sight.beta) == 0:
        return np.zeros(sight.n_rows, np.bool_)
    return np.asarray(~(np.isnan(sight.alpha) | np.isnan(sight.beta)))


def excuse_clamps(sight: Sight, work: Work) -> tuple[int, int]:
    """Clear the marks of nodes with a layer that may have returned an edge of an unstated window.

    Returns the numbers of those that fit only a fail-hard search: failing low, and failing high.
    """
    is_soft = sight.fail_is_declared and sight.fail == SOFT
    wrong = (sight.marks & VALUE_WRONG > 0) & (sight.layer > 0)
    if is_soft or not (wrong & ~has_window(sight)).any():
        return 0, 0
    deepest = int(sight.level.max(initial=0))
    low, high = np.full(deepest + 2, -math.inf), np.full(deepest + 2, math.inf)
    excused = np.zeros(sight.n_rows, np.bool_)
    work.run(follow_windows)(sight, width_of_scouts(sight), low, high, excused)
    excused &= wrong & ~has_window(sight)
    sight.marks[excused] &= ~np.uint32(VALUE_WRONG)
    if sight.fail_is_declared:
        return 0, 0
    sight.marks[excused] |= np.uint32(FITS_HARD)
    is_below = sight.fold_bests[sight.fold_at] < sight.score
    fail_high = excused & (is_below == (sight.layer == words.MIN))
    sight.marks[fail_high] |= np.uint32(FAILS_HIGH)
    n_high = int(np.count_nonzero(fail_high))
    return int(np.count_nonzero(excused)) - n_high, n_high


@kernel
def follow_windows(sight: Sight, width: float, low: Any, high: Any, excused: Array) -> None:
    """Write where a score is an edge of the window that plain alpha-beta, or a scout, has there.

    `low` and `high` hold the window of the current path, by level; `width` is NaN if there are no scouts.
    """
    root = 0
    for row in range(len(sight.parent)):
        if is_stub(sight, row):
            continue
        level = int(sight.level[row])
        alpha, beta = -math.inf, math.inf
        parent = int(sight.parent[row])
        if parent < 0:
            root = row
        else:
            alpha, beta = low[level - 1], high[level - 1]
            best = float(sight.edge_before[row])
            if sight.layer[parent] == words.MAX and best > alpha:
                alpha = best
            elif sight.layer[parent] == words.MIN and best < beta:
                beta = best
        if alpha_of(sight, row) == alpha_of(sight, row):
            alpha = alpha_of(sight, row)
        if beta_of(sight, row) == beta_of(sight, row):
            beta = beta_of(sight, row)
        low[level], high[level] = alpha, beta
        score, best = float(sight.score[row]), best_child_of(sight, row)
        if score != score or best != best:
            continue
        if best < score:
            excused[row] = score == alpha or score == beta - width
        else:
            excused[row] = score == beta or score == alpha + width
        if len(sight.roots) > 1 and abs(score - sight.score[root]) <= sight.null_width:
            excused[row] = True  # an edge of an aspiration or null window, which the root has returned
