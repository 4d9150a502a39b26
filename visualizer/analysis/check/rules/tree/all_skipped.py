"""Rule `all-skipped`: where no ply was searched, the score is a bound or an estimate."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_finished
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    cut_by_of,
    estimate_of,
    is_quiescence,
    stand_pat_of,
    static_of,
    tt_use_of,
)
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


@kernel
def violates(sight: Sight, row: int) -> bool:
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


def figures(sight: Sight, row: int) -> Figures:
    """The score, and that no ply gave it."""
    score = float(sight.score[row])
    message = (
        f"It returned {apart(score)[0]} as a true score, but every ply here was skipped, and no `estimate` "
        "stands for them: what the loop began with came back."
    )
    return Figures("a bound, or an estimate", score, message, (row + 1,))


def judged(sight: Sight, rows: slice) -> Mask:
    """Finished nodes whose first row below is a stub of skipped plies."""
    below = np.append(sight.outcome[rows.start + 1 : rows.stop + 1], np.uint8(0))[: rows.stop - rows.start]
    has_rows = sight.end[rows] > np.arange(rows.start, rows.stop) + 1
    return np.asarray(has_rows & (below == words.SKIPPED) & where_finished(sight, rows))


RULE = Rule("all-skipped", "odd", ("outcome", "score"), figures, judged=judged, violates=violates)
