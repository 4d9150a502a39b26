"""Play-outs: a game played to its end by random plies, for the search of this folder and for flat players.

The kernels take any game, compiled or plain. A state is changed in place, so callers that need it again pass
a copy. Nothing here knows of trees.
"""

from __future__ import annotations

from typing import Any, Final

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SCORED, SECOND_WON, Array, State
from plyscope.engine.jit import kernel
from plyscope.engine.montecarlo.draws import draw_below, draw_fraction

# Results of a play-out, beside FIRST_WON, SECOND_WON, DRAWN, and ONGOING where the ply limit ended it.
TOO_NARROW: Final = -1
"""A position has more plies than the buffer holds (plain games alone); nothing was drawn."""
NO_PLIES: Final = -2
"""A position is not over and has no plies: the game contradicts itself. The state is that position."""

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0
"""Results count half points."""


@kernel
def play_out(
    game: Any, state: State, plies: Array, values: Array, weights: Array, source: Array, most_plies: int
) -> int:
    """Play random legal plies on `state`, in place, until the game is over or `most_plies` are played.

    All plies of a position have the same chance, but where chance moves its outcomes have theirs. Returns
    FIRST_WON, SECOND_WON, DRAWN, or ONGOING at the limit; a game whose points decide is won by whose
    evaluation, the sum of `weights` × `values`, is above 0. `plies` (int32) holds the plies of a
    position, `values` its factors (float64); `source` is of `draws`.
    """
    before = source[0]
    for _ in range(most_plies):
        status = game.status(state)
        if status != ONGOING:
            return winner_of(game, state, status, values, weights)
        n = game.generate(state, plies)
        if n < 0:
            source[0] = before
            return TOO_NARROW
        if n == 0:
            return NO_PLIES
        game.apply(state, plies[draw_place(game, state, n, source)])
    return winner_of(game, state, game.status(state), values, weights)


@kernel
def draw_place(game: Any, state: State, n: int, source: Array) -> int:
    """Draw one of the `n` plies of a position: all with the same chance, where chance moves with theirs."""
    if game.chance_of(state, 0) < 0.0:
        return draw_below(source, n)
    rest = draw_fraction(source)
    place = 0
    while place < n - 1 and rest >= game.chance_of(state, place):
        rest -= game.chance_of(state, place)
        place += 1
    return place


@kernel
def winner_of(game: Any, state: State, status: int, values: Array, weights: Array) -> int:
    """Return `status`, or who won by the evaluation where points decide; 0 of it is a draw."""
    if status != SCORED:
        return int(status)
    game.values(state, values)
    score = 0.0
    for factor in range(len(weights)):
        score += weights[factor] * values[factor]
    if score == 0.0:
        return DRAWN
    return FIRST_WON if score > 0.0 else SECOND_WON


@kernel
def result_for(player: int, outcome: int) -> int:
    """Return WIN, LOSS or DRAW of a play-out for `player`, 0 or 1; one cut short by its limit is a draw.

    >>> result_for(0, FIRST_WON) == WIN, result_for(1, FIRST_WON) == LOSS, result_for(1, ONGOING) == DRAW
    (True, True, True)
    """
    if outcome == FIRST_WON:
        return WIN if player == 0 else LOSS
    if outcome == SECOND_WON:
        return LOSS if player == 0 else WIN
    return DRAW
