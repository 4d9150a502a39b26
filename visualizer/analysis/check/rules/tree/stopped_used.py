"""Rule `stopped-used`: no finished score rests on a stopped child."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import children_of, visits_of
from plyscope.visualizer.analysis.check.facts.masks import Mask
from plyscope.visualizer.analysis.check.facts.reasons import best_first_averages
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import (
    is_aside,
    is_finished,
    is_stub,
    narrowed_alpha,
    narrowed_beta,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import COUNTED, HAS_STOPPED, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a finished score rests on a stopped child, or the choice at a stopped root on such a ply."""
    if row == sight.stopped_root:
        return not has_finished(sight, row, sight.result_ply)
    if sight.is_threaded and is_refuted(sight, row):
        return False
    score = sight.score[row]
    return bool(sight.marks[row] & HAS_STOPPED and score == score and is_finished(sight, row))


@kernel
def is_refuted(sight: Sight, row: int) -> bool:
    """Whether a finished ply reaches the mover's edge: other threads then stop what they search below."""
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


def figures(sight: Sight, row: int) -> Figures:
    """An unfinished node beside the score."""
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


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_asked = sight.marks[rows] & HAS_STOPPED > 0
    if rows.start <= sight.stopped_root < rows.stop:
        is_asked[sight.stopped_root - rows.start] = True
    return np.asarray(is_asked)


RULE = Rule(
    "stopped-used",
    "wrong",
    ("outcome",),
    figures,
    judged=judged,
    violates=violates,
    why_not=best_first_averages,
)
