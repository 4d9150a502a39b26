"""Rules `depth-step` and `reduced-unverified`: how deep a child is searched."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import (
    Mask,
    known,
    other_than,
    positive,
    visits,
    where_finished,
)
from plyscope.visualizer.analysis.check.facts.reasons import best_first
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    depth_of,
    extension_of,
    is_aside,
    is_finished,
    is_quiescence,
    is_stub,
    purpose_of,
    reduction_of,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import REDUCED_MORE, VERIFIED, Sight
from plyscope.visualizer.analysis.columns.windows import improves
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words
from plyscope.visualizer.store.words import CHANCE


@kernel
def expected_depth(sight: Sight, row: int) -> float:
    """The depth that follows from the parent's."""
    return depth_of(sight, int(sight.parent[row])) - 1.0 - reduction_of(sight, row) + extension_of(sight, row)


@kernel
def violates_depth_step(sight: Sight, row: int) -> bool:
    """Whether the depth differs from the one that follows from the parent's."""
    parent = int(sight.parent[row])
    if parent < 0:
        return False
    if not abs(expected_depth(sight, row) - depth_of(sight, row)) > 1e-9:
        return False  # asked first, as it nearly always ends here
    if is_stub(sight, row) or is_aside(sight, row):
        return False
    if is_quiescence(sight, row) or is_quiescence(sight, parent):
        return False
    if sight.layer[row] == CHANCE or sight.layer[parent] == CHANCE:
        return False  # either side of a roll may take the depth
    return not depth_of(sight, parent) <= 0.0


def _figures_of_depth_step(sight: Sight, row: int) -> Figures:
    parent = int(sight.parent[row])
    expected, found = float(expected_depth(sight, row)), float(sight.depth[row])
    above = float(sight.depth[parent])
    parents, next_one, stated = apart(above, expected, found)
    message = f"Below a depth of {parents}, with its reduction and extension, comes {next_one}, not {stated}."
    return Figures(expected, found, message, (parent,))


def is_below_depth(sight: Sight, rows: slice) -> Mask:
    """Rows whose parent had depth left, and is no chance node."""
    above = sight.parent[rows]
    return np.asarray((sight.depth[above] > 0) & (sight.layer[above] != CHANCE))


DEPTH_STEP_RULE = Rule(
    "depth-step",
    "odd",
    ("depth",),
    _figures_of_depth_step,
    judged=(visits, known("depth"), other_than("quiescence", 1), other_than("layer", CHANCE), is_below_depth),
    violates=violates_depth_step,
)


@kernel
def violates_reduced_unverified(sight: Sight, row: int) -> bool:
    """Whether a visit reduced more than its node beats its window, and no less reduced one follows."""
    if sight.marks[row] & (REDUCED_MORE | VERIFIED) != REDUCED_MORE or not reduction_of(sight, row) > 0:
        return False
    parent = int(sight.parent[row])
    if parent < 0 or is_aside(sight, row):
        return False
    if not is_finished(sight, row) or not is_finished(sight, parent):
        return False
    if sight.score[parent] != sight.score[parent]:
        return False
    score = float(sight.score[row])
    taken = taken_of(sight, row)
    if taken != score and not improves(sight, row, taken):
        return False
    is_scout = purpose_of(sight, row) == words.SCOUT
    beats = False
    if sight.layer[parent] == words.MAX:
        beats = score >= beta_of(sight, row) if is_scout else score > alpha_of(sight, row)
    elif sight.layer[parent] == words.MIN:
        beats = score <= alpha_of(sight, row) if is_scout else score < beta_of(sight, row)
    return beats


def _figures_of_reduced_unverified(sight: Sight, row: int) -> Figures:
    parent = int(sight.parent[row])
    score = float(sight.score[row])
    edge = float(alpha_of(sight, row) if sight.layer[parent] == words.MAX else beta_of(sight, row))
    plies = float(reduction_of(sight, row))
    returned, beaten = apart(score, edge)
    (less,) = apart(plies)
    message = (
        f"Searched {less} less deep, it returned {returned}, better than {beaten}, and was not verified."
    )
    return Figures("a visit at full depth", score, message, (parent,))


def reason_against(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    return best_first(sight) if sight.verifies else "`search.verify` is false: late plies cost more by design"


REDUCED_UNVERIFIED_RULE = Rule(
    "reduced-unverified",
    "wrong",
    ("reduction", "alpha", "beta", "score"),
    _figures_of_reduced_unverified,
    judged=(where_finished, visits, positive("reduction")),
    violates=violates_reduced_unverified,
    why_not=reason_against,
)
