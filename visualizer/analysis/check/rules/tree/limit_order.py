"""Rule `limit-order`: no searched ply has a worse pre-score than one that the branching limit left out."""

from __future__ import annotations

import math

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import children_of, stubs_of
from plyscope.visualizer.analysis.check.facts.masks import Mask, has_row, where_choosing
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.pieces import has_number
from plyscope.visualizer.analysis.columns.row import is_aside, is_stub, pre_score_of, stub_slice
from plyscope.visualizer.analysis.columns.sight import HAS_LIMITED, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


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
def violates(sight: Sight, row: int) -> bool:
    """Whether a limited ply stands before a searched one; ties pass."""
    if not sight.marks[row] & HAS_LIMITED:
        return False
    if not (sight.layer[row] == words.MAX or sight.layer[row] == words.MIN):
        return False
    worst, best = pre_scores(sight, row)
    return bool(best > worst)


def figures(sight: Sight, row: int) -> Figures:
    """The best pre-score that was left out beside the worst that was searched."""
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


def chooses(sight: Sight, rows: slice) -> Mask:
    """Nodes of a mover below which the branching limit left plies out."""
    return np.asarray((sight.marks[rows] & HAS_LIMITED > 0) & where_choosing(sight.layer[rows]))


def has_judged(sight: Sight, work: Work) -> bool:
    """Whether a node left plies out, in a log that states pre-scores of such plies and of others."""
    return len(sight.pre_score) > 0 and has_number(sight.stub_pre_scores) and has_row(sight, chooses)


RULE = Rule("limit-order", "wrong", ("pre_score",), figures, has_judged=has_judged, violates=violates)
