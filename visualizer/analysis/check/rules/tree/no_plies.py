"""Rule `no-plies`: a position without plies is the end of the game, or of the search."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, where_finished
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import cut_by_of, is_finished, is_quiescence, moves_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words

_STAND_PAT: Final = words.CUT_BY.index("stand_pat")


@kernel
def is_asked(sight: Sight, row: int) -> bool:
    """Whether the row is a finished node that states no plies and an outcome, outside quiescence."""
    outcome = sight.outcome[row]
    return bool(moves_of(sight, row) == 0 and outcome != 0) and not (
        is_quiescence(sight, row) or not is_finished(sight, row)
    )


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether a node without plies, and without a child, was searched as if it had some.

    One that is cut may be so by a guess; in a log that never says what cuts, that cannot be told.
    """
    outcome = sight.outcome[row]
    if not is_asked(sight, row) or sight.end[row] > row + 1:
        return False
    if outcome == words.CUTOFF and len(sight.cut_by) == 0:
        return False
    is_searched = outcome == words.SEARCHED or outcome == words.CUTOFF
    return bool(is_searched and cut_by_of(sight, row) < _STAND_PAT)


def figures(sight: Sight, row: int) -> Figures:
    """An end of the game beside the outcome."""
    found = words.OUTCOMES[sight.outcome[row]]
    score = float(sight.score[row])
    returned = "" if score != score else f", and it returned {apart(score)[0]}"
    message = f"The position has no plies, so the game is over here, but the log says {found}{returned}."
    return Figures("terminal", found, message)


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_asked = codes(sight.moves, rows, -1) == 0
    if is_asked.any():
        is_quiet = codes(sight.quiescence, rows) != 1
        is_asked &= where_finished(sight, rows) & (sight.outcome[rows] > 0) & is_quiet
    return np.asarray(is_asked)


RULE = Rule("no-plies", "wrong", ("moves", "outcome"), figures, judged=judged, violates=violates)
