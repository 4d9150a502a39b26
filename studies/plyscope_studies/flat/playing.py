"""Play-outs whose draws come from any source."""

from __future__ import annotations

from typing import Any, Final

from plyscope.engine.game import ONGOING, Array, State
from plyscope.engine.games.stepping import copy_state
from plyscope.engine.jit import kernel
from plyscope.engine.montecarlo.playout import NO_PLIES, TOO_NARROW, winner_of
from plyscope_studies.flat.sources import draw_one

PATH_FULL: Final = -3
"""A play-out has more plies than there is room for; nothing was drawn."""


@kernel
def play_out_by(
    game: Any,
    state: State,
    plies: Array,
    values: Array,
    weights: Array,
    kind: int,
    source: Array,
    shifts: Array,
    point: int,
    most_plies: int,
    path: Array,
) -> int:
    """As `play_out`, but the plies are drawn by the source `kind`; `point` is the number of the play-out.

    The plies are written into `path`, into `path[0]` how many, then each; a path without room has none.
    """
    before = source[0]
    is_noted = len(path) > 0
    if is_noted:
        path[0] = 0
    for number in range(most_plies):
        status = game.status(state)
        if status != ONGOING:
            return int(winner_of(game, state, status, values, weights))
        n = game.generate(state, plies)
        if n < 0 or (is_noted and number + 1 == len(path)):
            source[0] = before
            return TOO_NARROW if n < 0 else PATH_FULL
        if n == 0:
            return NO_PLIES
        ply = plies[draw_one(kind, source, shifts, point, number, n)]
        if is_noted:
            path[number + 1] = ply
            path[0] = number + 1
        game.apply(state, ply)
    return int(winner_of(game, state, game.status(state), values, weights))


@kernel
def play_outs_by(
    game: Any,
    state: State,
    scratch: State,
    plies: Array,
    values: Array,
    weights: Array,
    kind: int,
    source: Array,
    shifts: Array,
    point: int,
    most_plies: int,
    path: Array,
    n_games: int,
    tally: Array,
) -> int:
    """Play `n_games` from `state`, which is not changed, on `scratch`, each as `play_out_by`.

    `point` is the number of the first; `tally[outcome]` is raised by one for each, ONGOING where the limit
    ended it. Returns the number of games played; fewer than asked where one ended with NO_PLIES or
    TOO_NARROW, which `scratch` then shows. Where a `path` has no room for the first, `path[0]` says so.
    """
    for n_played in range(n_games):
        copy_state(state, scratch)
        outcome = play_out_by(
            game, scratch, plies, values, weights, kind, source, shifts, point + n_played, most_plies, path
        )
        if outcome < 0:
            if outcome == PATH_FULL:
                path[0] = PATH_FULL
            return n_played
        tally[outcome] += 1
    return n_games
