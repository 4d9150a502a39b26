"""Rule `no-outcome`: a node above the horizon, without children, says why the search stopped there."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import cut_by_of, depth_of, is_quiescence, tt_use_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a childless node with depth left has a score, and nothing says where that comes from."""
    if sight.outcome[row] != 0 or sight.end[row] > row + 1 or not depth_of(sight, row) > 0.0:
        return False
    if sight.score[row] != sight.score[row] or is_quiescence(sight, row):
        return False
    has_ending = len(sight.ending) > 0 and sight.ending[row] > 0
    return not (has_ending or tt_use_of(sight, row) > 0 or cut_by_of(sight, row) > 0)


def figures(sight: Sight, row: int) -> Figures:
    """The score and the depth that was left."""
    score, depth = float(sight.score[row]), float(sight.depth[row])
    returned, left = apart(score, depth)
    message = (
        f"With a depth of {left} left it returned {returned} without a ply and without an `outcome`: "
        "neither searched, nor a leaf, nor the end of the game."
    )
    return Figures("an outcome", score, message)


def says_no_leaves(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    if sight.best_first:
        return "a best-first tree has no horizon"
    return None if (sight.outcome == words.LEAF).any() else "no node is a `leaf`, so none need say it"


def judged(sight: Sight, rows: slice) -> Mask:
    """Nodes without children and with depth left."""
    is_childless = sight.end[rows] == np.arange(rows.start, rows.stop) + 1
    is_above = codes(sight.depth, rows, 0) > 0
    return np.asarray(is_childless & is_above & (sight.outcome[rows] < words.FIRST_STUB))


RULE = Rule(
    "no-outcome",
    "odd",
    ("outcome", "depth", "score"),
    figures,
    judged=judged,
    violates=violates,
    why_not=says_no_leaves,
)
