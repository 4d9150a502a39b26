"""One pass over all rows that counts: levels, cuts by move number, ranks of best plies, techniques.

Every node is asked once, together with its children. A subtree that lies in another of its kind is counted
once: rows come in pre-order, so the row up to which a kind is counted already is all that has to be kept.

It is longer than 300 lines because all of it happens in one pass: another pass would read every row again.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.claim_fold import visit_depth
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
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
    tt_use_of,
)
from plyscope.visualizer.analysis.columns.sight import Array, Sight, view
from plyscope.visualizer.store import words

MOST_PLIES: Final = 32
"""Move numbers, and ranks, that are counted one by one; those beyond are counted together."""

MOST_NODES: Final = 20
"""Nodes that are listed one by one: of those that cost most, and of those cut at each move number."""

# Columns of `Tally.by_level`.
NODES, QUIESCENCE, EXPANDED, SIBLINGS, UNCOUNTED = range(5)
# Entries of `Tally.order`.
CUTS, BY_NOBODY, AT_UNKNOWN_PLY, COST, BEST_ASKED, NO_PRE_SCORE, NO_BOUND, ELSEWHERE, UNSORTED = range(9)
# Rows of `Tally.pairs`, and its columns.
SCOUTS, RESEARCHES, REDUCTIONS, NULLS, PROBES = range(5)
TRIED, SUCCEEDED, SPENT, COVERED = range(4)

_BY_CHILD: Final = words.CUT_BY.index("child")
_BY_NULL: Final = words.CUT_BY.index("null")


class Tally(NamedTuple):
    """The counts of the pass, and its working arrays."""

    known: Array
    """What each score is by all that is known of it, as a code of `bound`; 0 where it is not known."""
    stated_seconds: Array
    """The column `seconds`, empty where the log has none."""
    by_level: Array
    order: Array
    cut_by: Array
    """Cuts by the code of what cut."""
    at_ply: Array
    """Cuts by a child by its move number from 0; the last entry has all later ones."""
    best_rank: Array
    purposes: Array
    """Two columns: visits, nodes in their subtrees; by the code of the purpose."""
    covered: Array
    """By purpose: the row up to which its subtrees are counted."""
    seconds: Array
    """Two columns: seconds of the outermost visits of a purpose, and how many of them state it."""
    uses: Array
    """Rows by the code of the use of their table entry."""
    pairs: Array
    wasted: Array
    """By row: whether it is a visit of a ply before the one that cut."""
    worst_spent: Array
    """The most nodes that a cut node spent before the ply that cut; 0 where there is no such node."""
    worst_rows: Array
    """Those nodes, -1 where there is none; equal ones: those searched first."""
    worst_places: Array
    """The numbers of the plies that cut them, from 0; -1 where unknown."""
    first_cut: Array
    """By move number: the rows of the first nodes that were cut there, -1 where there are no more."""
    first_best: Array
    """The same by the rank of the best ply."""
    before: Array
    """Nodes in the rows before each."""
    stamp: Array
    """By ply: the node below which the following were written."""
    last: Array
    """The last visit of the ply."""
    counted: Array
    """Its last visit of the greatest depth, -1 where none is finished."""
    place: Array
    """Its number in the order of first visits."""


def tally_of(sight: Sight, known: Array) -> Tally:
    """Room for the counts of a log; `known` by row, as the tally has it."""
    n_texts, seconds = len(sight.log.texts), sight.log.columns.get("seconds")
    n_levels = int(sight.level.max(initial=0)) + 1
    before = np.zeros(len(sight.parent) + 1, np.int64)
    np.cumsum(sight.outcome < words.FIRST_STUB, out=before[1:])
    return Tally(
        known=view(known, np.uint8),
        stated_seconds=view(seconds, np.float64),
        by_level=np.zeros((n_levels, 5), np.int64),
        order=np.zeros(9, np.int64),
        cut_by=np.zeros(len(words.CUT_BY), np.int64),
        at_ply=np.zeros(MOST_PLIES + 1, np.int64),
        best_rank=np.zeros(MOST_PLIES + 1, np.int64),
        purposes=np.zeros((len(words.PURPOSES), 2), np.int64),
        covered=np.zeros(len(words.PURPOSES), np.int64),
        seconds=np.zeros((len(words.PURPOSES), 2)),
        uses=np.zeros(len(words.TT_USES), np.int64),
        pairs=np.zeros((5, 4), np.int64),
        wasted=np.zeros(len(sight.parent), np.uint8),
        worst_spent=np.zeros(MOST_NODES, np.int64),
        worst_rows=np.full(MOST_NODES, -1, np.int64),
        worst_places=np.full(MOST_NODES, -1, np.int64),
        first_cut=np.full((MOST_PLIES + 1, MOST_NODES), -1, np.int64),
        first_best=np.full((MOST_PLIES + 1, MOST_NODES), -1, np.int64),
        before=before,
        stamp=np.full(n_texts + 1, -1, np.int32),
        last=np.zeros(n_texts + 1, np.int32),
        counted=np.zeros(n_texts + 1, np.int32),
        place=np.zeros(n_texts + 1, np.int32),
    )


@kernel
def count_rows(sight: Sight, tally: Tally) -> None:
    """Count all rows of a sealed log, in pre-order; `tally` is what `tally_of` made for it."""
    wasted_until = 0
    for row in range(len(sight.parent)):
        level = sight.level[row]
        end = sight.end[row]
        if is_stub(sight, row):
            stands_for = sight.count[row] if len(sight.count) > 0 else -1
            if stands_for >= 0:
                tally.by_level[level, SIBLINGS] += stands_for
            else:
                tally.by_level[level, UNCOUNTED] += 1
            continue
        tally.by_level[level, NODES] += 1
        if len(sight.quiescence) > 0 and sight.quiescence[row] == 1:
            tally.by_level[level, QUIESCENCE] += 1
        nodes = tally.before[end] - tally.before[row]
        # Marked when its parent's children were read, which is before this row: parents come first. A visit
        # that is wasted inside another is counted with that one.
        if tally.wasted[row] and row >= wasted_until:
            tally.order[COST] += nodes
            wasted_until = end
        count_purpose(sight, tally, row, nodes)
        use = tt_use_of(sight, row)
        if use == 0 and sight.outcome[row] == words.TT:
            use = 1  # it says that it was taken from the table, and so that an entry cut
        tally.uses[use] += 1
        if sight.outcome[row] == words.CUTOFF:
            tally.order[CUTS] += 1
        if end > row + 1:
            tally.by_level[level, EXPANDED] += 1
            read_children(sight, tally, row)
        elif sight.outcome[row] == words.CUTOFF:
            cut_by = cut_by_of(sight, row)
            if cut_by > _BY_CHILD:
                tally.cut_by[cut_by] += 1
            else:
                tally.order[BY_NOBODY] += 1


@kernel
def count_purpose(sight: Sight, tally: Tally, row: int, nodes: int) -> None:
    """Count a visit among those of its purpose, and among what was tried."""
    purpose = purpose_of(sight, row)
    tally.purposes[purpose, 0] += 1
    if row >= tally.covered[purpose]:
        tally.covered[purpose] = sight.end[row]
        tally.purposes[purpose, 1] += nodes
        seconds = float(tally.stated_seconds[row]) if len(tally.stated_seconds) > 0 else math.nan
        if seconds == seconds:
            tally.seconds[purpose, 0] += seconds
            tally.seconds[purpose, 1] += 1
    if purpose == words.SCOUT and is_finished(sight, row):
        spend(sight, tally, SCOUTS, row, nodes)
    elif purpose == words.RESEARCH and is_finished(sight, row):
        spend(sight, tally, RESEARCHES, row, nodes)
        parent = sight.parent[row]
        score = sight.score[row]
        if parent >= 0:
            layer = sight.layer[parent]
            if (layer == words.MAX and score > alpha_of(sight, row)) or (
                layer == words.MIN and score < beta_of(sight, row)
            ):
                tally.pairs[RESEARCHES, SUCCEEDED] += 1
    elif purpose == words.NULL:
        spend(sight, tally, NULLS, row, nodes)
        parent = sight.parent[row]
        if parent >= 0 and cut_by_of(sight, parent) == _BY_NULL:
            tally.pairs[NULLS, SUCCEEDED] += 1
    elif purpose == words.PROBE:
        spend(sight, tally, PROBES, row, nodes)
    if reduction_of(sight, row) > 0 and is_finished(sight, row) and not is_aside(sight, row):
        spend(sight, tally, REDUCTIONS, row, nodes)


@kernel
def spend(sight: Sight, tally: Tally, pair: int, row: int, nodes: int) -> None:
    """Count a try; its nodes where no try of the same kind lies around it."""
    tally.pairs[pair, TRIED] += 1
    if row >= tally.pairs[pair, COVERED]:
        tally.pairs[pair, COVERED] = sight.end[row]
        tally.pairs[pair, SPENT] += nodes


@kernel
def read_children(sight: Sight, tally: Tally, row: int) -> None:
    """Read the children of a node: who cut, what came before, what was searched again, who was best."""
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
        tally.order[UNSORTED] += 1
    if sight.outcome[row] == words.CUTOFF:
        count_cut(sight, tally, row, cut_child, cut_first, cut_place, has_unlogged)
    elif sight.outcome[row] == words.SEARCHED or sight.outcome[row] == 0:
        rank_best(sight, tally, row, sign)


@kernel
def visited_again(sight: Sight, tally: Tally, earlier: int, later: int) -> None:
    """Note that a ply was visited again: a scout that was not enough, a reduction that was verified."""
    if not is_finished(sight, earlier):
        return
    # Scouts succeed until one is searched again: of the tried, those are taken away. A reduction is the other
    # way round: what is counted are those that were verified, and `run.py` takes them from the tried.
    if purpose_of(sight, earlier) == words.SCOUT:
        tally.pairs[SCOUTS, SUCCEEDED] -= 1
    reduction = reduction_of(sight, earlier)
    less = reduction_of(sight, later)
    if reduction > 0 and not less >= reduction:
        tally.pairs[REDUCTIONS, SUCCEEDED] += 1


@kernel
def count_cut(
    sight: Sight, tally: Tally, row: int, cut_child: int, cut_first: int, cut_place: int, has_unlogged: bool
) -> None:
    """Count a cut by what made it, and mark the visits of plies before the one that did."""
    cut_by = cut_by_of(sight, row)
    if cut_by > _BY_CHILD:
        tally.cut_by[cut_by] += 1
        return
    if cut_child < 0:
        tally.order[BY_NOBODY] += 1
        return
    # Whether the log says so or says nothing: what cuts is the ply visited last, after it none is.
    tally.cut_by[_BY_CHILD] += 1
    if has_unlogged:
        tally.order[AT_UNKNOWN_PLY] += 1
    else:
        entry = min(cut_place, len(tally.at_ply) - 1)
        note_first(tally.first_cut, entry, tally.at_ply[entry], row)
        tally.at_ply[entry] += 1
    spent = 0
    cut_ply = int(sight.ply[cut_child])
    child = row + 1
    while child < cut_child:
        if not is_stub(sight, child) and not is_aside(sight, child):
            ply = int(sight.ply[child])
            if (ply >= 0 and ply != cut_ply) or (ply < 0 and (cut_first < 0 or child < cut_first)):
                tally.wasted[child] = 1
                spent += int(tally.before[sight.end[child]] - tally.before[child])
        child = int(sight.end[child])
    note_worst(tally, row, spent, -1 if has_unlogged else cut_place)


@kernel
def note_first(first: Array, entry: int, n_before: int, row: int) -> None:
    """Keep a row among the first of its entry, of which there were `n_before`."""
    if n_before < first.shape[1]:
        first[entry, n_before] = row


@kernel
def note_worst(tally: Tally, row: int, spent: int, place: int) -> None:
    """Keep a node among those that spent most; the latest of those that spent least makes room for it."""
    least = 0
    for i in range(1, len(tally.worst_spent)):
        if tally.worst_spent[i] < tally.worst_spent[least] or (
            tally.worst_spent[i] == tally.worst_spent[least] and tally.worst_rows[i] > tally.worst_rows[least]
        ):
            least = i
    if spent > tally.worst_spent[least]:
        tally.worst_spent[least] = spent
        tally.worst_rows[least] = row
        tally.worst_places[least] = place


@kernel
def rank_best(sight: Sight, tally: Tally, row: int, sign: float) -> None:
    """Count how many plies of a node stood before its best one, by pre-score."""
    if sight.layer[row] != words.MAX and sight.layer[row] != words.MIN:
        return
    score = sight.score[row]
    if tally.known[row] != words.EXACT:
        if sight.bound[row] == 0 and alpha_of(sight, row) != alpha_of(sight, row) and score == score:
            tally.order[NO_BOUND] += 1
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
        tally.order[ELSEWHERE] += 1
        return
    tally.order[BEST_ASKED] += 1
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
    if is_known:
        entry = min(n_better, len(tally.best_rank) - 1)
        note_first(tally.first_best, entry, tally.best_rank[entry], row)
        tally.best_rank[entry] += 1
    else:
        tally.order[NO_PRE_SCORE] += 1


@kernel
def is_counted(sight: Sight, tally: Tally, child: int) -> bool:
    """Whether a child is the visit of its ply that its parent's score rests on."""
    if is_stub(sight, child) or is_aside(sight, child) or not is_finished(sight, child):
        return False
    ply = int(sight.ply[child])
    return bool(ply < 0 or tally.counted[ply] == child)
