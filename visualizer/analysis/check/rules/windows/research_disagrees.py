"""Rule `research-disagrees`: two visits of one ply that count do not contradict."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import visits_of_ply
from plyscope.visualizer.analysis.check.facts.masks import Mask, sees_in_two_ways
from plyscope.visualizer.analysis.check.facts.reasons import best_first_averages
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.row import score_as_taken
from plyscope.visualizer.analysis.columns.sight import CLAIMED, COUNTED, DISAGREES, Sight
from plyscope.visualizer.analysis.nodes.digits import intervals


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the sweep found the claims to exclude one another."""
    return bool(sight.marks[row] & DISAGREES)


def figures(sight: Sight, row: int) -> Figures:
    """The claim of the earlier visits beside that of this one."""
    earlier = [visit for visit in visits_of_ply(sight, row) if visit < row and sight.marks[visit] & COUNTED]
    before = earlier[-1] if earlier else row
    expected, found = claim_taken(sight, before), claim_taken(sight, row)
    first, second = intervals(expected, found)
    return Figures(
        expected,
        found,
        f"An earlier visit of this ply claims {first}, this one {second}.",
        tuple(earlier),
    )


def claim_taken(sight: Sight, row: int) -> tuple[float, float]:
    """The claim of a visit as its parent saw it."""
    low, high = claim_of(sight, row)
    return float(score_as_taken(sight, row, low)), float(score_as_taken(sight, row, high))


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    return np.asarray((sight.before[rows] >= 0) & (sight.marks[rows] & CLAIMED > 0))


RULE = Rule(
    "research-disagrees",
    "wrong",
    ("bound|alpha", "bound|beta"),
    figures,
    judged=judged,
    violates=violates,
    is_odd=sees_in_two_ways,
    why_not=best_first_averages,
)
