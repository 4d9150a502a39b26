"""Rule `proof`: in a best-first tree the children of a solved node prove it."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.judged import Mask, Rows, codes, every, has_rows
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.claims import end_of_range, won_by
from plyscope.visualizer.analysis.columns.row import is_aside, is_stub, moves_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words

# Faults of a solved node.
NOTHING: Final = 0
ENDING: Final = 1
"""The game ended otherwise than the score says."""
NO_WIN: Final = 2
"""The winner moves, and no ply is proven to win."""
ESCAPE: Final = 3
"""The loser moves, and a ply is proven otherwise."""
NOT_ALL: Final = 4
"""The loser moves, and not all of its plies are proven."""


@kernel
def verdict(sight: Sight, row: int) -> int:
    """The fault of a row, NOTHING where there is none or it is not asked."""
    if not sight.best_first or is_stub(sight, row):
        return NOTHING
    outcome = sight.outcome[row]
    if outcome == words.TERMINAL:
        return ENDING if contradicts_ending(sight, row) else NOTHING
    side = won_by(sight, row)
    layer = sight.layer[row]
    is_choice = layer == words.MAX or layer == words.MIN
    if side == 0 or not is_choice or outcome == words.LEAF or outcome == words.TT:
        return NOTHING
    n_proven = n_other = n_plies = 0
    child = row + 1
    while child < sight.end[row]:
        if sight.outcome[child] == words.UNLOGGED:
            return NOTHING
        if not is_stub(sight, child) and not is_aside(sight, child):
            n_plies += 1
            below = won_by(sight, child)
            n_proven += below == side
            n_other += below == -side
        child = int(sight.end[child])
    if n_plies == 0:
        return NOTHING
    if (layer == words.MAX) == (side == 1):
        return NO_WIN if n_proven == 0 else NOTHING
    if n_other > 0:
        return ESCAPE
    return NOT_ALL if n_proven < max(moves_of(sight, row), n_plies) else NOTHING


@kernel
def contradicts_ending(sight: Sight, row: int) -> bool:
    """Whether a win has a score that is the worst of the range, or a loss the best."""
    if len(sight.ending) == 0:
        return False
    side = end_of_range(sight, row)
    ending = sight.ending[row]
    return bool((ending == words.WIN and side == -1) or (ending == words.LOSS and side == 1))


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the children of a solved node do not prove it."""
    return verdict(sight, row) != NOTHING


def is_odd(sight: Sight, rows: Rows) -> bool:
    """Whether the search knows two values only, so that a draw is at an end of the range."""
    draws = np.flatnonzero(codes(sight.ending, every(sight)) == words.DRAW).tolist()
    return any(end_of_range(sight, row) != 0 for row in draws)


def reason_against(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    return None if sight.best_first else "only of a log that says `order: best_first`"


def _figures(sight: Sight, row: int) -> Figures:
    what = verdict(sight, row)
    if what == ENDING:
        ending = words.ENDINGS[int(sight.ending[row])]
        found = float(sight.score[row])
        message = (
            f"The game ended with a {ending}, but its score is the other end of the range, {apart(found)[0]}."
        )
        return Figures(ending, found, message)
    side = won_by(sight, row)
    winner = "the root player" if side == 1 else "the opponent"
    below = [child for child in children_of(sight, row) if not is_stub(sight, child)]
    proven = [child for child in below if won_by(sight, child) == side]
    others = [child for child in below if won_by(sight, child) == -side]
    if what == NO_WIN:
        message = f"The node is solved as won by {winner}, who moves here, but no ply is proven to win."
        return Figures(1, 0, message, tuple(below[:MOST_INVOLVED]))
    loser = "the opponent" if side == 1 else "the root player"
    if what == ESCAPE:
        message = f"The node is solved as won by {winner}, but {loser} moves here and has a ply that is won."
        return Figures(0, len(others), message, tuple(others[:MOST_INVOLVED]))
    n_plies = max(int(moves_of(sight, row)), len(below))
    message = (
        f"The node is solved as won by {winner}, but of {n_plies} plies of {loser}, who moves here, only "
        f"{len(proven)} {'is' if len(proven) == 1 else 'are'} proven."
    )
    rest = [child for child in below if child not in proven]
    return Figures(n_plies, len(proven), message, tuple(rest[:MOST_INVOLVED]))


def judged(sight: Sight, rows: slice) -> Mask:
    """Solved nodes with plies, and finished games with an ending and a score."""
    is_exact = sight.bound[rows] == words.EXACT
    has_end = (sight.score[rows] == sight.range_high) | (sight.score[rows] == sight.range_low)
    has_ending = codes(sight.ending, rows) > 0
    outcome = sight.outcome[rows]
    is_solved = is_exact & (has_end | has_ending) & has_rows(sight, rows)
    is_solved &= (outcome != words.LEAF) & (outcome != words.TT)
    return np.asarray(is_solved | ((outcome == words.TERMINAL) & has_end & has_ending))


RULE = Rule(
    "proof",
    "wrong",
    ("layer", "bound|ending", "range"),
    _figures,
    judged=(judged,),
    violates=violates,
    why_not=reason_against,
    is_odd=is_odd,
)
