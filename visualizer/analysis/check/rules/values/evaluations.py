"""Rules of scores that no child explains: evaluations, worth of finished games, how near a win can be."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    best_first_averages,
    coded,
    codes,
    known,
    marked,
    other_than,
    unknown_window,
    where_finished,
    where_known,
)
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claims import (
    claim_of,
    expected_of,
    is_close,
    returns,
    sum_of_terms,
    worth_of,
)
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.row import is_finished, moves_of
from plyscope.visualizer.analysis.columns.sight import CLAIMED, Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.words import BOUNDS, DRAW, ENDINGS, EXACT, LEAF, LOWER, TERMINAL, UPPER

_SCORE = GIVEN["score"]


@kernel
def violates_nan(sight: Sight, row: int) -> bool:
    """Whether the row states a score that is not a number."""
    score = sight.score[row]
    return bool(score != score and sight.given[row] & _SCORE and is_finished(sight, row))


def _figures_of_nan(sight: Sight, row: int) -> Figures:
    return Figures("a number", "nan", "The score is not a number, expected one at a finished node.")


NAN_RULE = Rule(
    "nan",
    "wrong",
    ("score",),
    _figures_of_nan,
    judged=(where_finished, lambda sight, rows: sight.given[rows] & _SCORE > 0),
    of_lines=True,
    violates=violates_nan,
)


@kernel
def violates_leaf(sight: Sight, row: int) -> bool:
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


def _figures_of_leaf(sight: Sight, row: int) -> Figures:
    expected = expected_of(sight, row, float(sight.static[row]))
    found = float(sight.score[row])
    clamped = ", kept within the window," if sight.fail == HARD else ""
    static, returned = apart(expected, found)
    return Figures(
        expected=expected,
        found=found,
        message=f"The evaluation of this leaf{clamped} is {static}, but the search returned {returned}.",
    )


LEAF_RULE = Rule(
    "leaf",
    "wrong",
    ("static", "outcome"),
    _figures_of_leaf,
    judged=(coded("outcome", LEAF), known("static", "score"), other_than("tablebase", 1)),
    violates=violates_leaf,
    why_not=unknown_window,
)


@kernel
def violates_stand_pat(sight: Sight, row: int) -> bool:
    """Whether stand_pat and static are both known and differ."""
    if len(sight.stand_pat) == 0 or len(sight.static) == 0:
        return False
    stand_pat = sight.stand_pat[row]
    static = sight.static[row]
    if np.isnan(stand_pat) or np.isnan(static):
        return False
    return not is_close(stand_pat, static, sight.tolerance)


def _figures_of_stand_pat(sight: Sight, row: int) -> Figures:
    expected, found = float(sight.static[row]), float(sight.stand_pat[row])
    static, stand_pat = apart(expected, found)
    return Figures(
        expected=expected,
        found=found,
        message=f"The evaluation here is {static}, but stand_pat is {stand_pat}.",
    )


STAND_PAT_RULE = Rule(
    "stand-pat",
    "wrong",
    ("stand_pat", "static"),
    _figures_of_stand_pat,
    judged=(known("stand_pat", "static"),),
    violates=violates_stand_pat,
)


@kernel
def violates_static_sum(sight: Sight, row: int) -> bool:
    """Whether the static differs from the sum by more than the tolerance of the largest of them."""
    if len(sight.static) == 0:
        return False
    static = sight.static[row]
    total, size = sum_of_terms(sight, row)
    if (static != static) | (total != total) | (total == static):
        return False
    return not abs(static - total) <= sight.tolerance * max(size, abs(static))


def _figures_of_static_sum(sight: Sight, row: int) -> Figures:
    total, _ = sum_of_terms(sight, row)
    static = float(sight.static[row])
    added, stated = apart(float(total), static)
    return Figures(
        expected=float(total),
        found=static,
        message=f"The terms of the evaluation add up to {added}, but static is {stated}.",
    )


def judged_by_static_sum(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    static = where_known(sight.static, rows)
    if sight.contributions.shape[0] > 0:
        static &= ~np.isnan(sight.contributions[rows]).any(axis=1)
    elif sight.factors.shape[0] > 0:
        static &= ~np.isnan(sight.factors[rows]).any(axis=1) & (not np.isnan(sight.weights).any())
    return static


STATIC_SUM_RULE = Rule(
    "static-sum",
    "wrong",
    ("static", "factors|contributions"),
    _figures_of_static_sum,
    judged=(judged_by_static_sum,),
    violates=violates_static_sum,
)


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
