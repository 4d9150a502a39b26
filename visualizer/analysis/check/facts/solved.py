"""Rows of a best-first tree that are solved: who wins for good."""

from __future__ import annotations

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.row import is_finished
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.store import words


@kernel
def end_of_range(sight: Sight, row: int) -> int:
    """Return 1 where the score is the best of the range, -1 where it is the worst, else 0."""
    score = float(sight.score[row])
    if score == sight.range_high and score > sight.range_low:
        return 1
    return -1 if score == sight.range_low and score < sight.range_high else 0


@kernel
def won_by(sight: Sight, row: int) -> int:
    """Return for a solved row who wins: 1 the root player, -1 the opponent, 0 where neither is proven to."""
    is_over = sight.outcome[row] == words.TERMINAL
    if not is_finished(sight, row) or not (is_over or sight.bound[row] == words.EXACT):
        return 0
    side = end_of_range(sight, row)
    if side == 0 and len(sight.ending) > 0:
        if sight.ending[row] == words.WIN:
            side = 1
        elif sight.ending[row] == words.LOSS:
            side = -1
    return side
