"""static-sum: an evaluation is the sum of its terms."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_known
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.leaf_scores import sum_of_terms
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the static differs from the sum by more than the tolerance of the largest of them."""
    if len(sight.static) == 0:
        return False
    static = sight.static[row]
    total, size = sum_of_terms(sight, row)
    if (static != static) | (total != total) | (total == static):
        return False
    return not abs(static - total) <= sight.tolerance * max(size, abs(static))


def figures(sight: Sight, row: int) -> Figures:
    """The sum beside the static."""
    total, _ = sum_of_terms(sight, row)
    static = float(sight.static[row])
    added, stated = apart(float(total), static)
    return Figures(
        expected=float(total),
        found=static,
        message=f"The terms of the evaluation add up to {added}, but static is {stated}.",
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    static = where_known(sight.static, rows)
    if sight.contributions.shape[0] > 0:
        static &= ~np.isnan(sight.contributions[rows]).any(axis=1)
    elif sight.factors.shape[0] > 0:
        static &= ~np.isnan(sight.factors[rows]).any(axis=1) & (not np.isnan(sight.weights).any())
    return static


RULE = Rule(
    "static-sum", "wrong", ("static", "factors|contributions"), figures, judged=judged, violates=violates
)
