"""Rule `moves`: the plies searched and those that stubs stand for add up to the legal ones."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import children_of
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, where_finished
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import (
    count_of,
    cut_by_of,
    is_aside,
    is_quiescence,
    is_stub,
    moves_of,
)
from plyscope.visualizer.analysis.columns.sight import PLIES_DIFFER, REVISITED, Sight
from plyscope.visualizer.store import words

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
def violates(sight: Sight, row: int) -> bool:
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


def reason_if_grown(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None: a best-first tree grows ply by ply."""
    return "a best-first tree grows ply by ply" if sight.best_first else None


def uncounted(sight: Sight) -> tuple[str, int] | None:
    """The cuts of a log that has no stubs for what they leave out."""
    n_cuts = int(np.count_nonzero(sight.outcome == words.CUTOFF))
    if sight.stubs_cuts or not n_cuts:
        return None
    return "no `pruned` stub says how many plies a cut left out", n_cuts


def figures(sight: Sight, row: int) -> Figures:
    """The legal plies beside those accounted for."""
    expected, found = int(sight.moves[row]), int(n_accounted(sight, row))
    stubs = tuple(child for child in children_of(sight, row) if is_stub(sight, child))
    message = f"The position has {expected} legal plies, but children and stubs account for {found}."
    return Figures(expected, found, message, stubs)


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    outcome = sight.outcome[rows]
    has_rows = (sight.end[rows] > np.arange(rows.start, rows.stop) + 1) | (outcome == words.TERMINAL)
    is_left_out = (outcome == words.LEAF) | (outcome == words.TT) | (codes(sight.quiescence, rows) == 1)
    is_left_out |= (outcome == 0) & np.isnan(sight.score[rows])
    return np.asarray(
        where_finished(sight, rows) & has_rows & ~is_left_out & (codes(sight.moves, rows, -1) >= 0)
    )


RULE = Rule(
    "moves",
    "wrong",
    ("moves",),
    figures,
    judged=judged,
    violates=violates,
    why_not=reason_if_grown,
    leaves_out=uncounted,
)
