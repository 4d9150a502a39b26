"""Rule `ending-mean`: in a best-first tree the mean of a finished game is what its ending counts."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, Rows, codes, where_known
from plyscope.visualizer.analysis.check.facts.reasons import other_order
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.best_first.visit_counts import SINGLE_PRECISION
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store.words import DRAW, ENDINGS, LOSS, TERMINAL, WIN


@kernel
def counted(sight: Sight, row: int) -> float:
    """Return what the ending of a row counts, an end of the range or the draw; NaN where it is unstated."""
    if sight.ending[row] == WIN:
        return sight.range_high
    if sight.ending[row] == LOSS:
        return sight.range_low
    if sight.ending[row] == DRAW:
        return sight.draw
    return np.nan


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a finished game has another mean than its ending counts."""
    if not sight.best_first or len(sight.ending) == 0 or len(sight.mean) == 0:
        return False
    span = sight.range_high - sight.range_low
    if sight.outcome[row] != TERMINAL or sight.bound[row] != 0 or not 0.0 < span < np.inf:
        return False
    return bool(abs(sight.mean[row] - counted(sight, row)) > sight.mean_error + SINGLE_PRECISION * span)


def figures(sight: Sight, row: int) -> Figures:
    """The mean that the ending gives, and the mean that the row states."""
    expected, found = float(counted(sight, row)), float(sight.mean[row])
    counts, stated = apart(expected, found)
    ending = ENDINGS[sight.ending[row]]
    message = f"A {ending} counts {counts} here, but the mean of its visits is {stated}."
    return Figures(expected, found, message)


def is_odd(sight: Sight, rows: Rows) -> Mask:
    """Engines discount far wins; but a win or loss that counts more for the other side is wrong."""
    middle = (sight.range_low + sight.range_high) / 2
    means, endings = sight.mean[rows], sight.ending[rows]
    is_turned = ((endings == WIN) & (means < middle)) | ((endings == LOSS) & (means > middle))
    return np.asarray(~is_turned)


def judged(sight: Sight, rows: slice) -> Mask:
    """Visited finished games whose ending has a worth."""
    ending = codes(sight.ending, rows)
    has_worth = (ending == WIN) | (ending == LOSS) | ((ending == DRAW) & (sight.draw == sight.draw))
    has_worth &= (sight.outcome[rows] == TERMINAL) & (sight.bound[rows] == 0)
    return np.asarray(has_worth & where_known(sight.mean, rows))


RULE = Rule(
    "ending-mean",
    "wrong",
    ("ending", "outcome", "mean", "range"),
    figures,
    judged=judged,
    violates=violates,
    why_not=other_order,
    is_odd=is_odd,
)
