"""stand-pat: the value of not moving is the evaluation of the position."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_known
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.leaf_scores import is_close
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether stand_pat and static are both known and differ."""
    if len(sight.stand_pat) == 0 or len(sight.static) == 0:
        return False
    stand_pat = sight.stand_pat[row]
    static = sight.static[row]
    if np.isnan(stand_pat) or np.isnan(static):
        return False
    return not is_close(stand_pat, static, sight.tolerance)


def figures(sight: Sight, row: int) -> Figures:
    """The static beside the stand-pat value."""
    expected, found = float(sight.static[row]), float(sight.stand_pat[row])
    static, stand_pat = apart(expected, found)
    return Figures(
        expected=expected,
        found=found,
        message=f"The evaluation here is {static}, but stand_pat is {stand_pat}.",
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    return where_known(sight.stand_pat, rows) & where_known(sight.static, rows)


RULE = Rule("stand-pat", "wrong", ("stand_pat", "static"), figures, judged=judged, violates=violates)
