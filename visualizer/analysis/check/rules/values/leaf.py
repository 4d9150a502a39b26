"""leaf: what the search returned at its horizon is the evaluation there."""

from __future__ import annotations

from typing import Final

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


_EXAMPLE: Final = """
{"plyscope": 1,
 "search": {"fail": "soft"},
 "root": {"layer": "max", "score": 4, "children": [
   {"ply": "c6", "layer": "min", "score": 4, "outcome": "leaf", "static": 4},
   {"ply": "d3", "layer": "min", "score": -9, "outcome": "leaf", "static": 9},
   {"ply": "e6", "layer": "min", "score": 1, "outcome": "leaf", "static": 1}]}}
"""

RULE = Rule(
    name="leaf",
    severity="wrong",
    reason="the score of a leaf is its static (fail-hard: within the window), unless it is a tablebase's",
    judged=judged,
    unjudged="no leaf states both static and score",
    meaning=(
        "At the horizon the search returned another number than the evaluation of the position. Usually "
        "the sign is turned once too often or not at all (evaluation seen from the wrong side), the "
        "position was evaluated before the last ply was made, or the score comes from another node's "
        "variable. Look at the line where depth is 0."
    ),
    needs=("static", "outcome"),
    example=_EXAMPLE,
    violates=violates,
    figures=figures,
    why_not=unknown_window,
)
