"""Rules `cut`, `cut-missed`: plies are cut off where a score reaches the edge of the window, no earlier."""

from __future__ import annotations

import math

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import stubs_of
from plyscope.visualizer.analysis.check.facts.masks import (
    Mask,
    coded,
    known,
    where_finished,
    where_window_known,
)
from plyscope.visualizer.analysis.check.facts.reasons import best_first, reason_if_unordered
from plyscope.visualizer.analysis.check.rule import Figures, Rule, rows_marked
from plyscope.visualizer.analysis.columns.row import (
    is_aside,
    is_finished,
    is_stub,
    narrowed_alpha,
    narrowed_beta,
)
from plyscope.visualizer.analysis.columns.sight import CUT_MISSED, HAS_PRUNED, Sight
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
def violates_cut(sight: Sight, row: int) -> bool:
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


def _figures_of_cut(sight: Sight, row: int) -> Figures:
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


def is_cut_off(sight: Sight, rows: slice) -> Mask:
    """Rows that say that they were cut, and those above a pruned stub."""
    return np.asarray((sight.outcome[rows] == words.CUTOFF) | (sight.marks[rows] & HAS_PRUNED > 0))


CUT_RULE = Rule(
    "cut",
    "wrong",
    ("alpha", "beta", "score"),
    _figures_of_cut,
    judged=(
        where_finished,
        is_cut_off,
        known("alpha", "beta", "score"),
        coded("layer", words.MAX, words.MIN),
    ),
    violates=violates_cut,
    why_not=best_first,
)


def _figures_of_cut_missed(sight: Sight, row: int) -> Figures:
    parent = int(sight.parent[row])
    best = float(sight.edge_before[row])
    if sight.layer[parent] == words.MAX:
        edge, name = float(narrowed_beta(sight, parent)), "beta"
    else:
        edge, name = float(narrowed_alpha(sight, parent)), "alpha"
    had, reached = apart(best, edge)
    edge_text = f"{name}, {reached}"
    message = f"The plies before had {had}, which reaches {edge_text}; this one could not matter any more."
    return Figures(edge, best, message, (parent,))


CUT_MISSED_RULE = Rule(
    "cut-missed",
    "waste",
    ("alpha", "beta", "score"),
    _figures_of_cut_missed,
    judged=(where_window_known,),
    find=rows_marked(CUT_MISSED),
    why_not=reason_if_unordered,
)
