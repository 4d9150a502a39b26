"""The exact solver of Reversi against a plain minimax, on random ends of games."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.endgame.solver import solve
from plyscope.engine.game import GameError, State
from plyscope.engine.games.reversi import GAME, PASS, cell_name


def plies_of(state: State) -> list[int]:
    plies = np.zeros(GAME.max_plies, np.int32)
    return [int(ply) for ply in plies[: GAME.generate(state, plies)]]


def after(state: State, ply: int) -> State:
    child = state.copy()
    GAME.apply(child, ply)
    return child


def minimax(state: State) -> int:
    """The score for the side to move, by the rules alone: no window, no order, no table."""
    plies = plies_of(state)
    if plies:
        return max(-minimax(after(state, ply)) for ply in plies)
    own, others = (int(state[int(state[2]) ^ k]).bit_count() for k in (0, 1))
    empty = 64 - own - others
    return own - others + (empty if own > others else -empty if own < others else 0)


def played(seed: int, empties: int) -> State:
    """A random game's position with at most so many empty cells, or its end."""
    random = np.random.default_rng(seed)
    state = GAME.read_position(GAME.start)
    while 64 - (int(state[0]) | int(state[1])).bit_count() > empties and (plies := plies_of(state)):
        state = after(state, int(random.choice(plies)))
    return state


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 6), st.sampled_from([1, 4, 12]))
def test_score_and_ply_are_those_of_plain_minimax(seed: int, empties: int, table_bits: int) -> None:
    state = played(seed, empties)
    solved = solve(state, table_bits=table_bits)
    assert solved.score == minimax(state)
    if plies_of(state):
        assert solved.ply in plies_of(state)
        assert -minimax(after(state, solved.ply)) == solved.score
    else:
        assert solved.ply is None


def test_a_forced_pass_is_the_ply_of_a_side_that_cannot_play() -> None:
    state = GAME.read_position("-OX" + "X" * 61 + " X")
    assert plies_of(state) == [0]
    white = GAME.read_position("-OX" + "X" * 61 + " O")
    assert plies_of(white) == [PASS]
    assert solve(white).ply == PASS
    assert solve(white).score == -64


@pytest.mark.parametrize("bits", [0, 29])
def test_a_table_of_no_size_is_refused(bits: int) -> None:
    with pytest.raises(GameError, match="1 to 28 bits"):
        solve(GAME.read_position(GAME.start), table_bits=bits)


def test_the_published_position_ffo_40_is_solved() -> None:
    """Position 40 of the FFO end-game test: 20 empty cells, 51-13 for black by a2."""
    board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"
    solved = solve(GAME.read_position(f"{board} X"), table_bits=20)
    assert solved.ply is not None
    assert (solved.score, cell_name(solved.ply)) == (51 - 13, "a2")
