"""Rules `moves`, `limit-order`, `stopped-used`: which plies of a node were searched."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import children_of, stubs_of, visits_of
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    best_first_averages,
    coded,
    codes,
    has_row,
    has_rows,
    if_best_first,
    marked,
    where_finished,
)
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import (
    count_of,
    cut_by_of,
    is_aside,
    is_finished,
    is_quiescence,
    is_stub,
    moves_of,
    narrowed_alpha,
    narrowed_beta,
    pre_score_of,
    stub_slice,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import (
    COUNTED,
    HAS_LIMITED,
    HAS_STOPPED,
    PLIES_DIFFER,
    REVISITED,
    Sight,
)
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import has_number

_CUT_BY_CHILD: Final = words.CUT_BY.index("child")


@kernel
def n_accounted(sight: Sight, row: int) -> int:
    """The distinct plies visited below `row`, and those of stubs; -1 where a stub does not count."""
    n_plies = 0
    child = row + 1
    end = int(sight.end[row])
    while child < end:
        if is_stub(sight, child):
            count = count_of(sight, child)
            if count < 0:
                return -1
            n_plies += count
        elif not is_aside(sight, child) and not sight.marks[child] & REVISITED:
            n_plies += 1
        child = int(sight.end[child])
    return n_plies


@kernel
def violates_moves(sight: Sight, row: int) -> bool:
    """Whether the node has more or fewer plies than are accounted for."""
    outcome = sight.outcome[row]
    if not sight.marks[row] & PLIES_DIFFER:
        return False
    moves = moves_of(sight, row)
    if moves < 0 or is_stub(sight, row) or is_quiescence(sight, row):
        return False
    if outcome == words.STOPPED or outcome == words.OPEN or outcome == words.LEAF or outcome == words.TT:
        return False
    if outcome == words.TERMINAL:
        return False  # plies may be left over where the game is over; `over` asks for those below
    if outcome == 0 and np.isnan(sight.score[row]):
        return False  # entered and never left, as a search that stopped or crashed leaves its path
    if sight.end[row] == row + 1:
        return False
    n_plies = n_accounted(sight, row)
    if n_plies < moves and cut_by_of(sight, row) > _CUT_BY_CHILD:
        return False  # a null move, an estimate or stand pat ended it before the rest of its plies
    if outcome == words.CUTOFF and not sight.stubs_cuts and n_plies < moves:
        return False
    return n_plies >= 0 and n_plies != moves


def uncounted(sight: Sight) -> tuple[str, int] | None:
    """The cutoffs of a log that has no stubs for the plies that they leave out."""
    n_cuts = int(np.count_nonzero(sight.outcome == words.CUTOFF))
    if sight.stubs_cuts or not n_cuts:
        return None
    return "no `pruned` stub says how many plies a cut left out", n_cuts


def _figures_of_moves(sight: Sight, row: int) -> Figures:
    expected, found = int(sight.moves[row]), int(n_accounted(sight, row))
    stubs = tuple(child for child in children_of(sight, row) if is_stub(sight, child))
    message = f"The position has {expected} legal plies, but children and stubs account for {found}."
    return Figures(expected, found, message, stubs)


def judged_by_moves(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    outcome = sight.outcome[rows]
    is_generated = has_rows(sight, rows) | (outcome == words.TERMINAL)
    is_left_out = (outcome == words.LEAF) | (outcome == words.TT) | (codes(sight.quiescence, rows) == 1)
    is_left_out |= (outcome == 0) & np.isnan(sight.score[rows])
    return np.asarray(
        where_finished(sight, rows) & is_generated & ~is_left_out & (codes(sight.moves, rows, -1) >= 0)
    )


MOVES_RULE = Rule(
    "moves",
    "wrong",
    ("moves",),
    _figures_of_moves,
    judged=(judged_by_moves,),
    violates=violates_moves,
    why_not=if_best_first("a best-first tree grows ply by ply"),
    leaves_out=uncounted,
)


LEFT_OUT: Final = marked(HAS_LIMITED), coded("layer", words.MAX, words.MIN)
"""Nodes of a mover below which the branching limit left plies out."""


@kernel
def best_limited(sight: Sight, row: int, sign: float) -> float:
    """The best pre-score among the plies of the stub `row`, for the mover; -inf where none is known."""
    best = -math.inf
    begin, end = stub_slice(sight, row)
    for i in range(begin, end):
        if sign * sight.stub_pre_scores[i] > best:
            best = sign * sight.stub_pre_scores[i]
    return best


@kernel
def pre_scores(sight: Sight, row: int) -> tuple[float, float]:
    """The worst pre-score searched and the best one limited, both for the mover (a larger one is better)."""
    sign = 1.0 if sight.layer[row] == words.MAX else -1.0
    worst, best = math.inf, -math.inf
    child = row + 1
    end = int(sight.end[row])
    while child < end:
        if sight.outcome[child] == words.LIMITED:
            best = max(best, best_limited(sight, child, sign))
        elif not is_stub(sight, child) and not is_aside(sight, child):
            pre_score = sign * pre_score_of(sight, child)
            if pre_score < worst:
                worst = pre_score
        child = int(sight.end[child])
    return worst, best


@kernel
def violates_limit_order(sight: Sight, row: int) -> bool:
    """Whether a limited ply stands before a searched one; ties pass."""
    if not sight.marks[row] & HAS_LIMITED:
        return False
    if not (sight.layer[row] == words.MAX or sight.layer[row] == words.MIN):
        return False
    worst, best = pre_scores(sight, row)
    return bool(best > worst)


def _figures_of_limit_order(sight: Sight, row: int) -> Figures:
    sign = 1.0 if sight.layer[row] == words.MAX else -1.0
    worst, best = (sign * float(each) for each in pre_scores(sight, row))
    searched = tuple(
        child
        for child in children_of(sight, row)
        if not is_stub(sight, child) and pre_score_of(sight, child) == worst
    )
    left_out, kept = apart(best, worst)
    message = f"A ply with the pre-score {left_out} was left out, but one with {kept} was searched."
    return Figures(best, worst, message, (*searched, *stubs_of(sight, row, words.LIMITED)))


def _has_judged_limit_order(sight: Sight, work: Work) -> bool:
    return len(sight.pre_score) > 0 and has_number(sight.stub_pre_scores) and has_row(sight, LEFT_OUT)


LIMIT_ORDER_RULE = Rule(
    "limit-order",
    "wrong",
    ("pre_score",),
    _figures_of_limit_order,
    has_judged=_has_judged_limit_order,
    violates=violates_limit_order,
)


@kernel
def violates_stopped_used(sight: Sight, row: int) -> bool:
    """Whether a finished score rests on a stopped child, or the choice at a stopped root on such a ply."""
    if row == sight.stopped_root:
        return not has_finished(sight, row, sight.result_ply)
    if sight.is_threaded and is_refuted(sight, row):
        return False
    score = sight.score[row]
    return bool(sight.marks[row] & HAS_STOPPED and score == score and is_finished(sight, row))


@kernel
def is_refuted(sight: Sight, row: int) -> bool:
    """Whether a finished ply reaches the mover's edge: other threads then stop their searches below."""
    child = row + 1
    while child < sight.end[row]:
        if sight.marks[child] & COUNTED:
            taken = taken_of(sight, child)
            if sight.layer[row] == words.MAX and taken >= narrowed_beta(sight, row):
                return True
            if sight.layer[row] == words.MIN and taken <= narrowed_alpha(sight, row):
                return True
        child = int(sight.end[child])
    return False


@kernel
def has_finished(sight: Sight, row: int, ply: int) -> bool:
    """Whether a visit of the ply below `row` counts."""
    child = row + 1
    while child < sight.end[row]:
        if sight.ply[child] == ply and sight.marks[child] & COUNTED:
            return True
        child = int(sight.end[child])
    return False


def _figures_of_stopped_used(sight: Sight, row: int) -> Figures:
    if row == sight.stopped_root:
        ply = sight.log.header["result"]["ply"]
        message = f"This tree was stopped before its ply {ply} was finished, but the result comes from both."
        return Figures("a finished ply", ply, message, visits_of(sight, row, sight.result_ply))
    unfinished = tuple(
        child
        for child in children_of(sight, row)
        if not is_stub(sight, child) and not is_finished(sight, child) and not is_aside(sight, child)
    )
    score = float(sight.score[row])
    (returned,) = apart(score)
    message = f"A child was stopped, so this node has no score, but it returned {returned} as if finished."
    return Figures("stopped", score, message, unfinished)


def judged_by_stopped_used(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_asked = sight.marks[rows] & HAS_STOPPED > 0
    if rows.start <= sight.stopped_root < rows.stop:
        is_asked[sight.stopped_root - rows.start] = True
    return np.asarray(is_asked)


STOPPED_USED_RULE = Rule(
    "stopped-used",
    "wrong",
    ("outcome",),
    _figures_of_stopped_used,
    judged=(judged_by_stopped_used,),
    violates=violates_stopped_used,
    why_not=best_first_averages,
)
