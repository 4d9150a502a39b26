"""Rule `nan`: a finished node has a number as its score."""

from __future__ import annotations

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, where_finished
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import is_finished
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store.columns import GIVEN

_SCORE = GIVEN["score"]


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the row states a score that is not a number."""
    score = sight.score[row]
    return bool(score != score and sight.given[row] & _SCORE and is_finished(sight, row))


def figures(sight: Sight, row: int) -> Figures:
    """A number was expected."""
    return Figures("a number", "nan", "The score is not a number, expected one at a finished node.")


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    return where_finished(sight, rows) & (sight.given[rows] & _SCORE > 0)


RULE = Rule("nan", "wrong", ("score",), figures, judged=judged, of_lines=True, violates=violates)
