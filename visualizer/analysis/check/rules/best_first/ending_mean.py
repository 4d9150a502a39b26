"""Rule `ending-mean`: in a best-first tree the mean of a finished game is what its ending counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, where_known
from plyscope.visualizer.analysis.check.facts.reasons import other_order
from plyscope.visualizer.analysis.check.rule import Figures, Rule, Severity
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


def severity_at(sight: Sight, rows: npt.NDArray[np.int64]) -> Sequence[Severity]:
    """Wrong where a win or loss counts more for the other side; else odd, since engines discount far wins."""
    middle = (sight.range_low + sight.range_high) / 2
    means, endings = sight.mean[rows], sight.ending[rows]
    is_turned = ((endings == WIN) & (means < middle)) | ((endings == LOSS) & (means > middle))
    return ["wrong" if turned else "odd" for turned in is_turned.tolist()]


def judged(sight: Sight, rows: slice) -> Mask:
    """Visited finished games whose ending has a worth."""
    ending = codes(sight.ending, rows)
    has_worth = (ending == WIN) | (ending == LOSS) | ((ending == DRAW) & (sight.draw == sight.draw))
    has_worth &= (sight.outcome[rows] == TERMINAL) & (sight.bound[rows] == 0)
    return np.asarray(has_worth & where_known(sight.mean, rows))


_EXAMPLE: Final = """
{"plyscope": 1,
 "search": {"order": "best_first", "range": [0, 1], "draw": 0.5},
 "root": {"layer": "max", "visits": 9, "mean": 0.5, "children": [
   {"ply": "c6", "layer": "min", "visits": 4, "mean": 1, "outcome": "terminal", "ending": "loss"},
   {"ply": "d3", "layer": "min", "visits": 4, "mean": 0.125}]}}
"""

RULE = Rule(
    name="ending-mean",
    severity="wrong",
    reason="in a best-first tree the mean of a finished game is what its ending counts",
    judged=judged,
    unjudged="no visited node of a finished game has an ending whose worth is declared",
    meaning=(
        "Every visit of a finished game has the same result: the high end of `range` for a win of the root "
        "player, the low end for a loss, `draw` for a draw. Usually the result is taken for the player to "
        "move where it is the one who moved, or a finished game is played on at random. The finding is odd "
        "if the mean is on the right side: some engines count a far win less than a near one. Nodes that "
        "state a `bound` are left out, and draws where `draw` is not declared."
    ),
    needs=("ending", "outcome", "mean", "range"),
    example=_EXAMPLE,
    violates=violates,
    figures=figures,
    why_not=other_order,
    severity_at=severity_at,
)
