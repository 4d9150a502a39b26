"""Tiles around the queens after a ply, found without playing it, against a count after playing it."""

from __future__ import annotations

import random

import pytest

from plyscope.engine.game import State
from plyscope.engine.games.hive import GAME
from plyscope.engine.games.hive.game import coordinates, stack
from plyscope.engine.games.hive.rings import ring
from plyscope.engine.kernel_game import legal_plies
from tests.hive.oracle import neighbours
from tests.hive.test_state import playout

TYPES = ("Base", "Base+MLP")


def tiles_around(state: State, queen: str) -> int:
    """The occupied cells beside a queen, by coordinates of the game replayed; 0 of one in hand."""
    stacks = {place: stack(state, cell) for cell, place in coordinates(state).items()}
    cells = [place for place, pieces in stacks.items() if queen in pieces]
    return sum(each in stacks for cell in cells for each in neighbours(cell))


@pytest.mark.parametrize("game_type", TYPES)
@pytest.mark.parametrize("seed", range(4))
def test_the_guide_of_every_ply_is_that_of_the_position_after_it(game_type: str, seed: int) -> None:
    drawn = random.Random(seed)
    for state, _ in playout(game_type, seed, 45):
        plies = legal_plies(GAME, state)
        own, other = ("wQ", "bQ") if GAME.player(state) == 0 else ("bQ", "wQ")
        for ply in drawn.sample(plies, min(3, len(plies))):
            after = state.copy()
            GAME.apply(after, ply)
            assert ring(state, ply) == tiles_around(after, other) - tiles_around(after, own)
