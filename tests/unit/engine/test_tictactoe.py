"""Tic-tac-toe: its positions as text, its factors by hand, its known worth."""

from __future__ import annotations

import numpy as np
import pytest

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON, Cell, GameError
from plyscope.engine.games.tictactoe import GAME


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("... ... ...", ONGOING),
        ("XXX OO. ...", FIRST_WON),
        ("X.X OOO X..", SECOND_WON),
        ("X.O .XO ..X", FIRST_WON),
        ("XOX XOO OXX", DRAWN),
    ],
)
def test_the_status_of_a_position_is_read_from_its_lines(text: str, status: int) -> None:
    assert GAME.status(GAME.read_position(text)) == status


def test_factors_are_what_their_names_say() -> None:
    """X holds the centre, both a corner; the diagonal that X has two marks on is blocked."""
    state = GAME.read_position("X.. .X. ..O")
    out = np.zeros(4)
    GAME.values(state, out)
    # Open to X: three lines through the centre, two through the corner; to O: two through its corner.
    assert dict(zip(GAME.factors, out.tolist(), strict=True)) == {
        "centre": 1.0,
        "corners": 0.0,
        "open": 3.0,
        "twos": 0.0,
    }
    GAME.values(GAME.read_position("XX. .O. ..O"), out)
    assert out.tolist() == [-1.0, 0.0, -2.0, 1.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("... ...", "nine cells, X, O or '.', then the side, X or O; found '... ...'"),
        ("Z.. ... ...", "nine cells"),
        ("XX. ... ...", "2 X and 0 O in .*: X begins"),
        ("X.. ... ... X", "by the marks O is to move, not X"),
    ],
)
def test_what_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        GAME.read_position(text)


def test_a_taken_cell_is_no_ply() -> None:
    with pytest.raises(GameError, match="'a3' is no legal ply for O: expected one of b3, c3"):
        GAME.read_ply(GAME.read_position("X.. ... ..."), "a3")


def test_cells_are_drawn_where_plies_touch_them() -> None:
    state = GAME.read_position("X.. .O. ...")
    board = GAME.board(state)
    assert board.cells[0] == Cell(0, 0, ("cross",), "a3")
    assert board.cells[4] == Cell(1, 1, ("nought",), "b2")
    assert GAME.ply_cells(state, GAME.read_ply(state, "c1")) == [(2, 2)]
