"""One pass over all nodes that reads their plies in the order of time: which cut, which came again."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.claim_fold import visit_depth
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    cut_by_of,
    estimate_of,
    is_aside,
    is_finished,
    is_stub,
    pre_score_of,
    purpose_of,
    reduction_of,
    stand_pat_of,
    stub_slice,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import Array, Sight, view
from plyscope.visualizer.store import words

_COUNTS: Final = range(5)
"""Entries of `Tally.counts`."""
UNSORTED, SCOUTED_AGAIN, VERIFIED, NO_BOUND, ELSEWHERE = _COUNTS

UNKNOWN: Final = -1
"""In place of a number of plies: the log does not tell it."""
NOT_ASKED: Final = -2

_BY_CHILD: Final = words.CUT_BY.index("child")


class Tally(NamedTuple):
    """The findings of the pass, by row unless stated otherwise, and its working arrays."""

    known: Array
    """The bound of each score by all that is known of it, as a code of `bound`; 0 where it is not known."""
    counts: Array
    """Nodes whose plies are not in the order of pre-scores, and the following."""
    cut_at: Array
    """The number, from 0, of the ply that cut the node off; UNKNOWN where plies before have no row."""
    rank: Array
    """The plies of better pre-score than a searched node's best; UNKNOWN where one states none."""
    wasted: Array
    """Whether it is a visit of a ply before the one that cut."""
    stamp: Array
    """By ply: the node below which the following were written."""
    last: Array
    """The last visit of the ply."""
    counted: Array
    """Its last visit of the greatest depth, -1 where none is finished."""
    place: Array
    """Its number in the order of first visits."""


def tally_of(sight: Sight, known: Array) -> Tally:
    """Make the arrays that the pass fills; `known` as in the tally."""
    n_rows, n_texts = sight.n_rows, len(sight.log.texts)
    return Tally(
        known=view(known, np.uint8),
        counts=np.zeros(len(_COUNTS), np.int64),
        cut_at=np.full(n_rows, NOT_ASKED, np.int32),
        rank=np.full(n_rows, NOT_ASKED, np.int32),
        wasted=np.zeros(n_rows, np.bool_),
        stamp=np.full(n_texts + 1, -1, np.int32),
        last=np.zeros(n_texts + 1, np.int32),
        counted=np.zeros(n_texts + 1, np.int32),
        place=np.zeros(n_texts + 1, np.int32),
    )


@kernel
def count_rows(sight: Sight, tally: Tally) -> None:
    """Read the plies of all nodes of a sealed log; `tally` is what `tally_of` made for it."""
    for row in range(len(sight.parent)):
        if not is_stub(sight, row) and sight.end[row] > row + 1:
            read_children(sight, tally, row)


@kernel
def read_children(sight: Sight, tally: Tally, row: int) -> None:
    """Read the children of a node: the cutting ply, those before it, re-searches, the best ply."""
    sign = -1.0 if sight.layer[row] == words.MIN else 1.0
    n_places = 0
    cut_child = -1
    cut_first = -1  # the first visit of the ply that cut, where plies have no name
    cut_place = -1
    has_unlogged = False
    is_unsorted = False
    lowest = np.inf
    child = row + 1
    end = int(sight.end[row])
    while child < end:
        if is_stub(sight, child):
            if sight.outcome[child] == words.UNLOGGED:
                has_unlogged = True
            elif sight.outcome[child] == words.PRUNED:
                for i in range(*stub_slice(sight, child)):
                    pre_score = sign * float(sight.stub_pre_scores[i])
                    if pre_score > lowest:
                        is_unsorted = True
                    elif pre_score == pre_score:
                        lowest = pre_score
        elif not is_aside(sight, child):
            ply = int(sight.ply[child])
            is_new = True
            if ply >= 0:
                if tally.stamp[ply] == row:
                    is_new = False
                    visited_again(sight, tally, tally.last[ply], child)
                else:
                    tally.stamp[ply] = row
                    tally.counted[ply] = -1
                    tally.place[ply] = n_places
                tally.last[ply] = child
                best = int(tally.counted[ply])
                if is_finished(sight, child) and (
                    best < 0 or not visit_depth(sight, child) < visit_depth(sight, best)
                ):
                    tally.counted[ply] = child
                cut_place = int(tally.place[ply])
                cut_first = -1
            else:
                if purpose_of(sight, child) == words.RESEARCH and cut_child >= 0 and sight.ply[cut_child] < 0:
                    is_new = False
                    visited_again(sight, tally, cut_child, child)
                else:
                    cut_first = child
                    cut_place = n_places
            if is_new:
                n_places += 1
                pre_score = sign * pre_score_of(sight, child)
                if pre_score > lowest:
                    is_unsorted = True
                elif pre_score == pre_score:
                    lowest = pre_score
            cut_child = child
        child = int(sight.end[child])
    if is_unsorted and (sight.layer[row] == words.MAX or sight.layer[row] == words.MIN):
        tally.counts[UNSORTED] += 1
    if sight.outcome[row] == words.CUTOFF:
        note_cut(sight, tally, row, cut_child, cut_first, cut_place, has_unlogged)
    elif sight.outcome[row] == words.SEARCHED or sight.outcome[row] == 0:
        rank_best(sight, tally, row, sign)


@kernel
def visited_again(sight: Sight, tally: Tally, earlier: int, later: int) -> None:
    """Note that a ply was visited again: a scout that was not enough, a reduction that was verified."""
    if not is_finished(sight, earlier):
        return
    if purpose_of(sight, earlier) == words.SCOUT:
        tally.counts[SCOUTED_AGAIN] += 1
    reduction = reduction_of(sight, earlier)
    less = reduction_of(sight, later)
    if reduction > 0 and not less >= reduction:
        tally.counts[VERIFIED] += 1


@kernel
def note_cut(
    sight: Sight, tally: Tally, row: int, cut_child: int, cut_first: int, cut_place: int, has_unlogged: bool
) -> None:
    """Note the ply that cut the node off, and mark the visits of plies before it."""
    if cut_by_of(sight, row) > _BY_CHILD or cut_child < 0:
        return
    # Even if the log does not state it: the ply visited last cut the node off.
    tally.cut_at[row] = UNKNOWN if has_unlogged else cut_place
    cut_ply = int(sight.ply[cut_child])
    child = row + 1
    while child < cut_child:
        if not is_stub(sight, child) and not is_aside(sight, child):
            ply = int(sight.ply[child])
            if (ply >= 0 and ply != cut_ply) or (ply < 0 and (cut_first < 0 or child < cut_first)):
                tally.wasted[child] = True
        child = int(sight.end[child])


@kernel
def rank_best(sight: Sight, tally: Tally, row: int, sign: float) -> None:
    """Note the number of plies before the best one of a node, by pre-score."""
    if sight.layer[row] != words.MAX and sight.layer[row] != words.MIN:
        return
    score = sight.score[row]
    if tally.known[row] != words.EXACT:
        if sight.bound[row] == 0 and alpha_of(sight, row) != alpha_of(sight, row) and score == score:
            tally.counts[NO_BOUND] += 1
        return
    best = -1
    open_bound = words.UPPER if sign > 0 else words.LOWER
    is_searched = stand_pat_of(sight, row) != score and estimate_of(sight, row) != score
    child = row + 1
    end = int(sight.end[row])
    while child < end and is_searched:
        if is_counted(sight, tally, child) and taken_of(sight, child) == score:
            # The first that proves the score; one that is only no better may have been refuted.
            if tally.known[child] != open_bound:
                best = child
                break
            if best < 0:
                best = child
        child = int(sight.end[child])
    if best < 0:
        tally.counts[ELSEWHERE] += 1
        return
    own = sign * pre_score_of(sight, best)
    n_better = 0
    is_known = own == own
    child = row + 1
    while child < end and is_known:
        outcome = sight.outcome[child]
        if outcome == words.UNLOGGED or outcome == words.SKIPPED or outcome == words.PRUNED:
            begin, stop = stub_slice(sight, child)
            if begin == stop or stop - begin < sight.count[child]:
                is_known = False
            for i in range(begin, stop):
                other = sign * float(sight.stub_pre_scores[i])
                if other != other:
                    is_known = False
                elif other > own:
                    n_better += 1
        elif not is_stub(sight, child) and not is_aside(sight, child):
            ply = int(sight.ply[child])
            if ply < 0 or tally.last[ply] == child:
                other = sign * pre_score_of(sight, child)
                if other != other:
                    is_known = False
                elif other > own:
                    n_better += 1
        child = int(sight.end[child])
    tally.rank[row] = n_better if is_known else UNKNOWN


@kernel
def is_counted(sight: Sight, tally: Tally, child: int) -> bool:
    """Whether a child is the visit of its ply that its parent's score rests on."""
    if is_stub(sight, child) or is_aside(sight, child) or not is_finished(sight, child):
        return False
    ply = int(sight.ply[child])
    return bool(ply < 0 or tally.counted[ply] == child)
