"""Rule `claim`: what a node claims with its bound contains what its children prove."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import visits_with
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_folded, where_scored_by_plies
from plyscope.visualizer.analysis.check.facts.proofs import proven_fold
from plyscope.visualizer.analysis.check.facts.reasons import best_first_averages
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claim_fold import is_folded
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.sight import (
    CLAIMED,
    COUNTED,
    FOLD_OUTSIDE,
    TABLE_DISAGREES,
    UNCLEAR,
    Sight,
)
from plyscope.visualizer.analysis.nodes.digits import intervals


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the fold of the children reaches outside the node's claim."""
    if not sight.marks[row] & FOLD_OUTSIDE or sight.marks[row] & (UNCLEAR | TABLE_DISAGREES):
        return False
    if not is_folded(sight, row):
        return False
    low, high = proven_fold(sight, row)
    least, most = claim_of(sight, row)
    return bool(low < least or high > most)


def figures(sight: Sight, row: int) -> Figures:
    """The fold of the children beside the claim of the node."""
    low, high = proven_fold(sight, row)
    expected = (float(low), float(high))
    least, most = claim_of(sight, row)
    found = (float(least), float(most))
    proven, claimed = intervals(expected, found)
    return Figures(
        expected,
        found,
        f"Its children prove a value in {proven}, but the node claims {claimed}.",
        visits_with(sight, row, None, COUNTED),
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_clear = sight.marks[rows] & (CLAIMED | UNCLEAR | TABLE_DISAGREES) == CLAIMED
    return np.asarray(
        where_scored_by_plies(sight, rows) & is_clear & where_folded(sight, sight.fold_lows, rows)
    )


RULE = Rule(
    "claim",
    "wrong",
    ("bound|alpha", "bound|beta"),
    figures,
    judged=judged,
    violates=violates,
    why_not=best_first_averages,
)
