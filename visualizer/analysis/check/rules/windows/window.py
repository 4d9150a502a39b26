"""Rules of windows: a visit gets the window that is left for it, and plies are cut off at its edge."""

from __future__ import annotations

import math

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import stubs_of, visits_of_ply
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    Rows,
    best_first,
    coded,
    known,
    nodes,
    reason_if_unordered,
    stated,
    where_finished,
    where_window_known,
)
from plyscope.visualizer.analysis.check.rule import Figures, Rule, rows_marked
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    is_aside,
    is_finished,
    is_stub,
    narrowed_alpha,
    narrowed_beta,
    purpose_of,
)
from plyscope.visualizer.analysis.columns.sight import (
    CUT_MISSED,
    HAS_PRUNED,
    WINDOW_ELSE,
    WINDOW_WIDER,
    Sight,
)
from plyscope.visualizer.analysis.columns.windows import edges, mate_edges
from plyscope.visualizer.analysis.nodes.digits import apart, windows
from plyscope.visualizer.store import words


@kernel
def violates_window(sight: Sight, row: int) -> bool:
    """Whether the window leaves out a part that it should hold, or is empty from here on down."""
    return bool(sight.marks[row] & WINDOW_ELSE or begins_crossed(sight, row))


@kernel
def begins_crossed(sight: Sight, row: int) -> bool:
    """Whether the node has alpha above beta and its parent has not, so that the rows below follow from it."""
    parent = int(sight.parent[row])
    is_crossed = alpha_of(sight, row) > beta_of(sight, row)
    is_crossed = is_crossed and (parent < 0 or not alpha_of(sight, parent) > beta_of(sight, parent))
    return bool(is_crossed and sight.end[row] > row + 1 and not is_stub(sight, row + 1))


def _window_figures(sight: Sight, row: int) -> Figures:
    low, high = (float(edge) for edge in edges(sight, row))
    width = float(sight.null_width)
    if purpose_of(sight, row) == words.SCOUT:
        if sight.layer[sight.parent[row]] == words.MAX:
            high = min(high, low + width)
        else:
            low = max(low, high - width)
    found = float(sight.alpha[row]), float(sight.beta[row])
    left, had = windows((low, high), found)
    return Figures(
        (low, high),
        found,
        f"Its parent had the window {left} left, but it was searched with {had}.",
        (int(sight.parent[row]), *visits_of_ply(sight, row)),
    )


def is_odd_window(sight: Sight, rows: Rows) -> Mask:
    """Rows with alpha above beta and no window above that says more: alpha may be that on leaving."""
    return np.asarray(sight.marks[rows] & WINDOW_ELSE == 0)


def _figures_of_window(sight: Sight, row: int) -> Figures:
    if sight.marks[row] & WINDOW_ELSE:
        return _window_figures(sight, row)
    found = float(sight.alpha[row]), float(sight.beta[row])
    _, had = windows(found, found)
    message = f"It was searched with {had}: alpha is above beta, so that no score lies between them."
    return Figures((found[1], found[0]), found, message)


WINDOW_RULE = Rule(
    "window",
    "wrong",
    ("alpha", "beta"),
    _figures_of_window,
    judged=(
        known("alpha", "beta"),
        lambda sight, rows: where_window_known(sight, rows) | (sight.parent[rows] < 0),
    ),
    violates=violates_window,
    is_odd=is_odd_window,
    why_not=reason_if_unordered,
)


WIDE_RULE = Rule(
    "window-wide",
    "waste",
    ("alpha", "beta"),
    _window_figures,
    judged=(where_window_known, known("alpha", "beta")),
    find=rows_marked(WINDOW_WIDER),
    why_not=reason_if_unordered,
)


@kernel
def violates_probe_window(sight: Sight, row: int) -> bool:
    """Whether the window of a probe at its parent's position lies beside the parent's.

    A null window may lie anywhere: singular extensions test with one below the best.
    """
    parent = int(sight.parent[row])
    if purpose_of(sight, row) != words.PROBE or parent < 0:
        return False
    if sight.n_plies[row] != sight.n_plies[parent] or sight.layer[row] != sight.layer[parent]:
        return False
    alpha, beta = alpha_of(sight, row), beta_of(sight, row)
    low, high = alpha_of(sight, parent), beta_of(sight, parent)
    if not beta - alpha > sight.null_width * (1.0 + 1e-9):
        return False
    return bool(beta < low or alpha > high)


def _figures_of_probe_window(sight: Sight, row: int) -> Figures:
    parent = int(sight.parent[row])
    whole = float(sight.alpha[parent]), float(sight.beta[parent])
    found = float(sight.alpha[row]), float(sight.beta[row])
    had, probed = windows(whole, found)
    message = f"Its node has the window {had}, but it was searched with {probed}, which lies beside that."
    return Figures(whole, found, message, (parent,))


def is_at_own_position(sight: Sight, rows: slice) -> Mask:
    """Rows without a ply, whose position is that of their parent."""
    return np.asarray(sight.n_plies[rows] == sight.n_plies[sight.parent[rows]])


PROBE_WINDOW_RULE = Rule(
    "probe-window",
    "odd",
    ("purpose", "alpha", "beta"),
    _figures_of_probe_window,
    judged=(
        nodes,
        stated("parent"),
        coded("purpose", words.PROBE),
        is_at_own_position,
        known("alpha", "beta"),
    ),
    violates=violates_probe_window,
    why_not=reason_if_unordered,
)


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
