"""terminal: a finished game is worth what the log declares for wins and draws."""

from __future__ import annotations

from typing import Final

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


_EXAMPLE: Final = """
{"plyscope": 1,
 "search": {"fail": "soft", "mate": {"score": 1000, "step": 1, "threshold": 900}, "draw": 0},
 "root": {"layer": "max", "score": 999, "children": [
   {"ply": "c6", "layer": "min", "score": 999, "outcome": "terminal", "ending": "win"},
   {"ply": "d3", "layer": "min", "score": 999, "outcome": "terminal", "ending": "loss"},
   {"ply": "e6", "layer": "min", "score": 0, "outcome": "terminal", "ending": "draw"}]}}
"""

RULE = Rule(
    name="terminal",
    severity="wrong",
    reason="a win or loss is worth ±(mate − step × level), a draw the declared draw score",
    judged=judged,
    unjudged="no terminal node has an ending whose worth is declared",
    meaning=(
        "The game is over here, and the score is not what the log declares for such an ending, seen "
        "from the root player. Usually a sign (a win for the side that is mated), the distance counted "
        "from depth left instead of from the root, or a draw score that is turned with the side to "
        "move. Look at the lines that test whether the game is over."
    ),
    needs=("ending", "outcome"),
    example=_EXAMPLE,
    violates=violates,
    figures=figures,
    why_not=undeclared,
)
