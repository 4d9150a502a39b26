"""Rules `no-plies`, `over`, `no-outcome`, `all-skipped`: how a node without searched plies ended."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    Rows,
    coded,
    codes,
    every,
    has_rows,
    nodes,
    other_than,
    positive,
    where_finished,
)
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    cut_by_of,
    depth_of,
    estimate_of,
    is_finished,
    is_quiescence,
    is_stub,
    moves_of,
    stand_pat_of,
    static_of,
    tt_use_of,
)
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words

_STAND_PAT: Final = words.CUT_BY.index("stand_pat")


@kernel
def is_asked(sight: Sight, row: int) -> bool:
    """Whether the row is a finished node that states no plies and an outcome, outside quiescence."""
    outcome = sight.outcome[row]
    return bool(moves_of(sight, row) == 0 and outcome != 0) and not (
        is_quiescence(sight, row) or not is_finished(sight, row)
    )


@kernel
def violates_no_plies(sight: Sight, row: int) -> bool:
    """Whether a node without plies, and without a child, was searched as if it had some.

    A cutoff may come from a guess; in a log that never states `cut_by`, such nodes are not judged.
    """
    outcome = sight.outcome[row]
    if not is_asked(sight, row) or sight.end[row] > row + 1:
        return False
    if outcome == words.CUTOFF and len(sight.cut_by) == 0:
        return False
    is_searched = outcome == words.SEARCHED or outcome == words.CUTOFF
    return bool(is_searched and cut_by_of(sight, row) < _STAND_PAT)


def _figures_of_no_plies(sight: Sight, row: int) -> Figures:
    found = words.OUTCOMES[sight.outcome[row]]
    score = float(sight.score[row])
    returned = "" if score != score else f", and it returned {apart(score)[0]}"
    message = f"The position has no plies, so the game is over here, but the log says {found}{returned}."
    return Figures("terminal", found, message)


NO_PLIES_RULE = Rule(
    "no-plies",
    "wrong",
    ("moves", "outcome"),
    _figures_of_no_plies,
    judged=(coded("moves", 0), where_finished, positive("outcome"), other_than("quiescence", 1)),
    violates=violates_no_plies,
)


def says_it_is_over(sight: Sight, rows: slice) -> Mask:
    """Nodes of finished games: terminal, or with an ending."""
    is_over = (sight.outcome[rows] == words.TERMINAL) | (codes(sight.ending, rows) > 0)
    return np.asarray(nodes(sight, rows) & is_over)


def continues(sight: Sight) -> Mask:
    """Rows with a stub or a visit of a ply directly below."""
    is_ply = (sight.ply >= 0) if len(sight.ply) else np.zeros(sight.n_rows, np.bool_)
    is_below = (sight.parent >= 0) & (is_ply | (sight.outcome >= words.FIRST_STUB))
    found = np.zeros(sight.n_rows, np.bool_)
    found[sight.parent[is_below]] = True
    return found


def is_mate_by_capture(sight: Sight, row: int) -> bool:
    """Whether all plies searched below have one score, and the node another: each of them loses the king.

    Engines that try illegal plies too know of mate and stalemate only after that.
    """
    below = list(children_of(sight, row))
    scores = {float(sight.score[child]) for child in below if sight.outcome[child] != words.LEAF}
    has_stub = any(is_stub(sight, child) for child in below)
    return not has_stub and len(scores) == 1 and scores != {float(sight.score[row])}


def leaves_without_plies(sight: Sight) -> Mask:
    """Leaves that state 0 legal plies, outside quiescence, and are not a tablebase's."""
    is_leaf = (sight.outcome == words.LEAF) & (codes(sight.moves, every(sight), -1) == 0)
    is_leaf &= (codes(sight.quiescence, every(sight)) != 1) & (codes(sight.ending, every(sight)) == 0)
    if len(sight.tablebase):
        is_leaf &= ~sight.tablebase
    return np.asarray(is_leaf)


def counts_plies_of_leaves(sight: Sight) -> bool:
    """Whether leaves state their true number of plies: some have plies, and no node without has children.

    Many engines generate no plies at the horizon, and state 0. In some games a side without plies passes.
    """
    if not len(sight.moves) or not ((sight.outcome == words.LEAF) & (sight.moves > 0)).any():
        return False
    return not (continues(sight) & (sight.moves == 0)).any()


def find_over(sight: Sight, work: Work) -> Rows:
    """The rows of finished games that go on, and leaves at which the game may have been over."""
    broken = says_it_is_over(sight, every(sight)) & continues(sight)
    for row in np.flatnonzero(broken & (sight.outcome == words.TERMINAL)).tolist():
        broken[row] = not is_mate_by_capture(sight, row)
    without = leaves_without_plies(sight)
    if without.any():
        broken |= (
            without if counts_plies_of_leaves(sight) else without & (codes(sight.in_check, every(sight)) == 1)
        )
    return np.flatnonzero(broken)


def is_odd_over(sight: Sight, rows: Rows) -> Mask:
    """A leaf, and a node that a best-first search may have solved: its ending is then a result."""
    is_ended = (codes(sight.ending, every(sight))[rows] > 0) & ~np.bool_(sight.best_first)
    return np.asarray((sight.outcome[rows] != words.TERMINAL) & ~is_ended)


def _figures_of_over(sight: Sight, row: int) -> Figures:
    if not says_it_is_over(sight, slice(row, row + 1))[0]:
        check = "in check and " if codes(sight.in_check, slice(row, row + 1))[0] == 1 else ""
        is_above = len(sight.depth) > 0 and sight.depth[row] > 0
        message = f"The mover is {check}without a legal ply, so the game is over here, but the position " + (
            "is called a leaf: `outcome` should be `terminal`."
            if is_above
            else "was evaluated as a leaf: the end of the game was not looked for before the horizon."
        )
        return Figures("terminal", "leaf", message)
    below = list(children_of(sight, row))
    stubs = [each for each in below if is_stub(sight, each)]
    n_visits = len(below) - len(stubs)
    counts = [int(sight.count[each]) if len(sight.count) else -1 for each in stubs]
    n_left = sum(max(each, 1) for each in counts)
    said = "the game is over" if sight.outcome[row] == words.TERMINAL else _ending(sight, row)
    what = []
    if n_visits:
        what.append(f"{n_visits:,} {'ply' if n_visits == 1 else 'plies'} searched")
    if stubs:
        kinds = {words.OUTCOMES[int(sight.outcome[each])] for each in stubs}
        what.append(f"{n_left:,} {' and '.join(sorted(kinds))}")
    message = f"The log says that {said} here, but there are plies below: {' and '.join(what)}."
    return Figures(0, n_visits + n_left, message, tuple(below[:MOST_INVOLVED]))


def _ending(sight: Sight, row: int) -> str:
    ending = words.ENDINGS[int(sight.ending[row])]
    return f"the game ended with a {ending}"


def _has_judged_over(sight: Sight, work: Work) -> bool:
    return bool(says_it_is_over(sight, every(sight)).any() or leaves_without_plies(sight).any())


OVER_RULE = Rule(
    "over",
    "wrong",
    ("outcome|ending",),
    _figures_of_over,
    has_judged=_has_judged_over,
    find=find_over,
    is_odd=is_odd_over,
)


@kernel
def violates_no_outcome(sight: Sight, row: int) -> bool:
    """Whether a childless node with depth left has a score, and nothing says where that comes from."""
    if sight.outcome[row] != 0 or sight.end[row] > row + 1 or not depth_of(sight, row) > 0.0:
        return False
    if sight.score[row] != sight.score[row] or is_quiescence(sight, row):
        return False
    has_ending = len(sight.ending) > 0 and sight.ending[row] > 0
    return not (has_ending or tt_use_of(sight, row) > 0 or cut_by_of(sight, row) > 0)


def _figures_of_no_outcome(sight: Sight, row: int) -> Figures:
    score, depth = float(sight.score[row]), float(sight.depth[row])
    returned, left = apart(score, depth)
    message = (
        f"With a depth of {left} left it returned {returned} without a ply and without an `outcome`: "
        "neither searched, nor a leaf, nor the end of the game."
    )
    return Figures("an outcome", score, message)


def says_no_leaves(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    if sight.best_first:
        return "a best-first tree has no horizon"
    return None if (sight.outcome == words.LEAF).any() else "no node is a `leaf`, so none need say it"


NO_OUTCOME_RULE = Rule(
    "no-outcome",
    "odd",
    ("outcome", "depth", "score"),
    _figures_of_no_outcome,
    judged=(nodes, positive("depth"), lambda sight, rows: ~has_rows(sight, rows)),
    violates=violates_no_outcome,
    why_not=says_no_leaves,
)


@kernel
def violates_all_skipped(sight: Sight, row: int) -> bool:
    """Whether a node that skipped all its plies has an exact score, and nothing says where it is from."""
    score = sight.score[row]
    if sight.outcome[row] > words.CUTOFF or sight.end[row] == row + 1 or score != score:
        return False
    for child in range(row + 1, int(sight.end[row])):
        if sight.outcome[child] != words.SKIPPED:
            return False
    bound = int(sight.bound[row]) if len(sight.bound) > 0 else 0
    if bound == 0 and (score <= alpha_of(sight, row) or score >= beta_of(sight, row)):
        return False
    if bound == words.UPPER or bound == words.LOWER or score == static_of(sight, row):
        return False
    estimate = estimate_of(sight, row)
    stand_pat = stand_pat_of(sight, row)
    has_ending = len(sight.ending) > 0 and sight.ending[row] > 0
    if has_ending or estimate == estimate or stand_pat == stand_pat or is_quiescence(sight, row):
        return False
    return tt_use_of(sight, row) == 0 and cut_by_of(sight, row) == 0


def _figures_of_all_skipped(sight: Sight, row: int) -> Figures:
    score = float(sight.score[row])
    message = (
        f"It returned {apart(score)[0]} as a true score, but every ply here was skipped, and no `estimate` "
        "stands for them: what the loop began with came back."
    )
    return Figures("a bound, or an estimate", score, message, (row + 1,))


def begins_with_skipped(sight: Sight, rows: slice) -> Mask:
    """Rows before a stub of skipped plies."""
    below = np.append(sight.outcome[rows.start + 1 : rows.stop + 1], np.uint8(0))[: rows.stop - rows.start]
    return np.asarray(below == words.SKIPPED)


ALL_SKIPPED_RULE = Rule(
    "all-skipped",
    "odd",
    ("outcome", "score"),
    _figures_of_all_skipped,
    judged=(where_finished, has_rows, begins_with_skipped),
    violates=violates_all_skipped,
)
