"""Rules `terminal` and `mate-distance`: what a finished game is worth, and how near a win can be."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, marked, where_known
from plyscope.visualizer.analysis.check.facts.reasons import best_first_averages, unknown_window
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.leaf_scores import expected_of, is_close, returns, worth_of
from plyscope.visualizer.analysis.columns.row import moves_of
from plyscope.visualizer.analysis.columns.sight import CLAIMED, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store.words import BOUNDS, DRAW, ENDINGS, EXACT, LOWER, TERMINAL, UPPER


@kernel
def violates_terminal(sight: Sight, row: int) -> bool:
    """Whether a finished game returned something else than it is worth."""
    if len(sight.ending) == 0 or sight.outcome[row] != TERMINAL:
        return False
    return not returns(sight, row, worth_of(sight, row))


def _figures_of_terminal(sight: Sight, row: int) -> Figures:
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


def undeclared_of_terminal(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    if np.isnan(sight.mate) and np.isnan(sight.draw):
        return "needs `search.mate` or `search.draw`"
    return unknown_window(sight)


def judged_by_terminal(sight: Sight, rows: slice) -> Mask:
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


TERMINAL_RULE = Rule(
    "terminal",
    "wrong",
    ("ending", "outcome"),
    _figures_of_terminal,
    judged=(judged_by_terminal,),
    violates=violates_terminal,
    why_not=undeclared_of_terminal,
)


@kernel
def nearest_end(sight: Sight, row: int) -> float:
    """Return the score of a win one ply above `row`, which no claim at the row may exceed either way.

    A game ends at the node itself at the earliest; the ply more is for engines that count from 1.
    """
    return float(sight.mate - sight.mate_step * (sight.n_plies[row] - 1))


@kernel
def violates_mate_distance(sight: Sight, row: int) -> bool:
    """Whether all that the row claims lies beyond the nearest win or loss.

    A position without plies is left to `no-plies` and `terminal`.
    """
    if moves_of(sight, row) == 0:
        return False
    nearest = nearest_end(sight, row)
    low, high = claim_of(sight, row)
    if low > nearest:
        return not is_close(low, nearest, sight.tolerance)
    return bool(high < -nearest and not is_close(high, -nearest, sight.tolerance))


def _figures_of_mate_distance(sight: Sight, row: int) -> Figures:
    low, high = claim_of(sight, row)
    is_win = bool(low > 0)
    level = int(sight.n_plies[row])
    ending = (1 if is_win else -1) * float(sight.mate - sight.mate_step * level)
    found = float(low if is_win else high)
    returned, nearest = apart(found, ending)
    bound = EXACT if low == high else LOWER if is_win else UPPER
    kind = "" if bound == EXACT else f" ({BOUNDS[bound]})"
    return Figures(
        expected=[ending, "inf"] if not is_win else ["-inf", ending],
        found=found,
        message=(
            f"The search returned {returned}{kind}, but a game that ends at this node, {level} plies from "
            f"the root, is worth {nearest}: nothing below it is a {'win' if is_win else 'loss'} so near."
        ),
    )


def undeclared_of_mate_distance(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    if not sight.mate > 0 or not sight.mate_step >= 0:
        return "needs `search.mate` with `score` and `step`"
    if len(sight.counted_as):
        return "scores change on the way up in this log (`counted_as`), so wins are not counted from the root"
    return best_first_averages(sight)


MATE_DISTANCE_RULE = Rule(
    "mate-distance",
    "wrong",
    ("score", "bound|alpha"),
    _figures_of_mate_distance,
    judged=(marked(CLAIMED),),
    violates=violates_mate_distance,
    why_not=undeclared_of_mate_distance,
)
