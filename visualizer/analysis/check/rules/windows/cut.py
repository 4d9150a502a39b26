"""Rule `cut`: siblings are cut off only where the score reaches the edge of the window."""

from __future__ import annotations

import math

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import stubs_of
from plyscope.visualizer.analysis.check.facts.masks import (
    Mask,
    where_choosing,
    where_finished,
    where_known,
)
from plyscope.visualizer.analysis.check.facts.reasons import best_first
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import (
    is_aside,
    is_finished,
    is_stub,
    narrowed_alpha,
    narrowed_beta,
)
from plyscope.visualizer.analysis.columns.sight import HAS_PRUNED, Sight
from plyscope.visualizer.analysis.columns.windows import mate_edges
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


@kernel
def is_given_up(sight: Sight, row: int, score: float) -> bool:
    """Whether the node was left unsearched as it cannot reach the other edge: razoring and the like."""
    child = row + 1
    while child < sight.end[row]:
        if not is_stub(sight, child) and not is_aside(sight, child):
            return False
        child = int(sight.end[child])
    if sight.layer[row] == words.MAX:
        return bool(score <= narrowed_alpha(sight, row))
    return bool(sight.layer[row] == words.MIN and score >= narrowed_beta(sight, row))


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a cut, or a pruned stub, stands below a score that does not reach the mover's edge."""
    score = float(sight.score[row])
    is_cut = (sight.outcome[row] == words.CUTOFF) | (sight.marks[row] & HAS_PRUNED != 0)
    falls_short = (sight.layer[row] == words.MAX) & (score < narrowed_beta(sight, row))
    falls_short |= (sight.layer[row] == words.MIN) & (score > narrowed_alpha(sight, row))
    if not (is_cut & falls_short):
        return False
    if not is_finished(sight, row) or is_given_up(sight, row, score):
        return False
    least, most = mate_edges(sight, row)
    step = 0.0 if most == math.inf else sight.mate_step
    if sight.layer[row] == words.MAX:
        return not (score >= most - step or score >= sight.range_high)
    return not (score <= least + step or score <= sight.range_low)


def figures(sight: Sight, row: int) -> Figures:
    """The mover's edge beside the score."""
    found = float(sight.score[row])
    if sight.layer[row] == words.MAX:
        edge, name, than = float(narrowed_beta(sight, row)), "beta", "at least"
    else:
        edge, name, than = float(narrowed_alpha(sight, row)), "alpha", "at most"
    returned, needed = apart(found, edge)
    return Figures(
        edge,
        found,
        f"Children were cut off at a score of {returned}; a cut needs {than} {name}, {needed}.",
        stubs_of(sight, row, words.PRUNED),
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_cut = (sight.outcome[rows] == words.CUTOFF) | (sight.marks[rows] & HAS_PRUNED > 0)
    has_window = (
        where_known(sight.alpha, rows) & where_known(sight.beta, rows) & where_choosing(sight.layer[rows])
    )
    return np.asarray(where_finished(sight, rows) & is_cut & has_window & where_known(sight.score, rows))


RULE = Rule(
    "cut", "wrong", ("alpha", "beta", "score"), figures, judged=judged, violates=violates, why_not=best_first
)
