"""Random ends of Reversi: positions with few empty cells, of games of random plies."""

from __future__ import annotations

import numpy as np

from plyscope.engine.game import State
from plyscope.engine.games.reversi import GAME


def plies_of(state: State) -> list[int]:
    """The legal plies of a position."""
    plies = np.zeros(GAME.max_plies, np.int32)
    return [int(ply) for ply in plies[: GAME.generate(state, plies)]]


def random_end(seed: int, n_empty: int) -> State:
    """A random game's position with at most so many empty cells, or the end of that game."""
    random = np.random.default_rng(seed)
    state = GAME.read_position(GAME.start)
    while 64 - (int(state[0]) | int(state[1])).bit_count() > n_empty and (plies := plies_of(state)):
        state = state.copy()
        GAME.apply(state, int(random.choice(plies)))
    return state
