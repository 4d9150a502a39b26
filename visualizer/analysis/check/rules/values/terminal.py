"""terminal: a finished game is worth what the log declares for wins and draws."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, where_known
from plyscope.visualizer.analysis.check.facts.reasons import unknown_window
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.leaf_scores import expected_of, returns, worth_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store.words import DRAW, ENDINGS, TERMINAL


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a finished game returned something else than it is worth."""
    if len(sight.ending) == 0 or sight.outcome[row] != TERMINAL:
        return False
    return not returns(sight, row, worth_of(sight, row))


def figures(sight: Sight, row: int) -> Figures:
    """The score declared for the ending, and the score that the search returned."""
    expected = expected_of(sight, row, float(worth_of(sight, row)))
    found = float(sight.score[row])
    ending = ENDINGS[sight.ending[row]]
    far = f" {int(sight.n_plies[row])} plies from the root" if ending != "draw" else ""
    worth, returned = apart(expected, found)
    return Figures(
        expected=expected,
        found=found,
        message=f"A {ending}{far} is worth {worth} here, but the search returned {returned}.",
    )


def undeclared(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    if np.isnan(sight.mate) and np.isnan(sight.draw):
        return "needs `search.mate` or `search.draw`"
    return unknown_window(sight)


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_over = sight.outcome[rows] == TERMINAL
    if not is_over.any():
        return np.asarray(is_over)
    ending = codes(sight.ending, rows)
    has_worth = (ending == DRAW) & (sight.draw == sight.draw)
    has_worth |= (
        (ending > 0) & (ending != DRAW) & (sight.mate - sight.mate_step == sight.mate - sight.mate_step)
    )
    return np.asarray(has_worth & is_over & where_known(sight.score, rows))


RULE = Rule(
    "terminal", "wrong", ("ending", "outcome"), figures, judged=judged, violates=violates, why_not=undeclared
)
