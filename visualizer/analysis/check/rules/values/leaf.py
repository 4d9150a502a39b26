"""leaf: what the search returned at its horizon is the evaluation there."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_known
from plyscope.visualizer.analysis.check.facts.reasons import unknown_window
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.leaf_scores import expected_of, returns
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store.words import LEAF


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a leaf returned something else than its static."""
    if len(sight.static) == 0:
        return False
    # One test of all, which nearly always fails: a branch on outcomes alone is hard to predict.
    clamps = (sight.fail == HARD) & sight.fail_is_declared
    if not ((sight.outcome[row] == LEAF) & ((sight.score[row] != sight.static[row]) | clamps)):
        return False
    if len(sight.tablebase) > 0 and sight.tablebase[row]:
        return False
    return not returns(sight, row, sight.static[row])


def figures(sight: Sight, row: int) -> Figures:
    """The static, clamped where the log is fail-hard, beside the score."""
    expected = expected_of(sight, row, float(sight.static[row]))
    found = float(sight.score[row])
    clamped = ", kept within the window," if sight.fail == HARD else ""
    static, returned = apart(expected, found)
    return Figures(
        expected=expected,
        found=found,
        message=f"The evaluation of this leaf{clamped} is {static}, but the search returned {returned}.",
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_leaf = (sight.outcome[rows] == LEAF) & where_known(sight.static, rows) & where_known(sight.score, rows)
    return np.asarray(is_leaf & ~sight.tablebase[rows] if len(sight.tablebase) else is_leaf)


RULE = Rule(
    "leaf", "wrong", ("static", "outcome"), figures, judged=judged, violates=violates, why_not=unknown_window
)
