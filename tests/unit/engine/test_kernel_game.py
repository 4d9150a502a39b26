"""Tests of kernel games: kernels by their names, plies by how they are written."""

from __future__ import annotations

import numpy as np
import pytest

from plyscope.engine.game import Board, GameError, State
from plyscope.engine.games.tictactoe import GAME, TicTacToe, apply, generate, key, player, status, values
from plyscope.engine.jit import kernel
from plyscope.engine.kernel_game import KernelGame

NEEDED = (generate, apply, player, status, values, key)


@kernel
def shuffle(state: object) -> None:
    """No kernel of any game."""


def test_a_subclass_keeps_the_kernels_that_it_does_not_change() -> None:
    class Apart(TicTacToe, kernels=()):
        key = staticmethod(player)

    assert Apart().generate is generate
    assert Apart().key is player


def test_kernels_of_other_names_and_kernels_that_are_lacking_are_refused() -> None:
    with pytest.raises(TypeError, match="Odd: no kernel is called 'shuffle'; expected generate, apply, "):
        type(KernelGame)("Odd", (KernelGame,), {}, kernels=(*NEEDED, shuffle))
    with pytest.raises(TypeError, match=r"Short lacks the kernels values, key$"):
        type(KernelGame)("Short", (KernelGame,), {}, kernels=NEEDED[:-2])


def test_without_a_board_the_text_of_a_position_is_drawn() -> None:
    class Bare(KernelGame, kernels=NEEDED):
        players = ("X", "O")

        def write_position(self, state: State) -> str:
            return str(state.tolist())

    state = np.zeros(3, np.int64)
    assert Bare().generate is generate
    assert not hasattr(Bare, "noisy")
    assert Bare().board(state) == Board("text", (), "[0, 0, 0]")
    assert Bare().ply_cells(state, 4) == []


def test_a_ply_is_written_as_its_number_where_the_game_does_not_say() -> None:
    class Numbered(KernelGame, kernels=NEEDED):
        players = ("X", "O")
        max_plies = 9

    state = GAME.read_position("XOX OX. O.. X")
    assert Numbered().read_ply(state, " 8") == 8
    with pytest.raises(GameError, match=r"'c1' is no legal ply for X: expected one of 5, 7, 8$"):
        Numbered().read_ply(state, "c1")
