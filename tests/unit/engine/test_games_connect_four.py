"""Connect Four and tic-tac-toe: against slow boards and a solver, and positions small enough to see."""

from __future__ import annotations

import random

import pytest

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON, Cell, GameError
from plyscope.engine.games.connect_four import GAME
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.kernel_game import legal_plies
from tests.oracle import values_of

LINES = [
    [(x + i * dx, y + i * dy) for i in range(4)]
    for x in range(7)
    for y in range(6)
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    if 0 <= x + 3 * dx < 7 and 0 <= y + 3 * dy < 6
]


def slow_values(text: str) -> dict[str, float]:
    """Every factor counted line by line on the letters of a position's text."""
    rows = text.split("/")
    board = {(x, y): rows[5 - y][x] for x in range(7) for y in range(6)}
    counts = dict.fromkeys(GAME.factors, 0.0)
    for own, other, sign in (("X", "O", 1), ("O", "X", -1)):
        counts["centre"] += sign * sum(
            max(0, 3 - abs(x - 3)) for (x, _), disc in board.items() if disc == own
        )
        lines = [line for line in LINES if all(board[cell] != other for cell in line)]
        counts["lines"] += sign * len(lines)
        of_n = {n: [line for line in lines if sum(board[cell] == own for cell in line) == n] for n in (2, 3)}
        counts["twos"] += sign * len(of_n[2])
        counts["threes"] += sign * len(of_n[3])
        threats = {cell for line in of_n[3] for cell in line if board[cell] == "."}
        counts["threats"] += sign * len(threats)
        counts["stacked"] += sign * sum((x, y + 1) in threats for x, y in threats)
    return counts


@pytest.mark.parametrize("seed", range(20))
def test_a_random_game_agrees_with_a_slow_board_at_every_ply(seed: int) -> None:
    rng = random.Random(seed)
    state = GAME.read_position(GAME.start)
    heights = [0] * 7
    while plies := legal_plies(GAME, state):
        assert plies == [column for column in range(7) if heights[column] < 6]
        assert GAME.status(state) == ONGOING
        ply = rng.choice(plies)
        assert GAME.ply_cells(state, ply) == [(ply, 5 - heights[ply])]
        heights[ply] += 1
        GAME.apply(state, ply)
        text = GAME.write_position(state)
        assert text.count("X") + text.count("O") == sum(heights)
        assert values_of(GAME, state) == slow_values(text)
        rows = text.split("/")
        signs = [{rows[5 - y][x] for x, y in line} for line in LINES]
        winner = "X" if {"X"} in signs else "O" if {"O"} in signs else ""
        expected = {"X": FIRST_WON, "O": SECOND_WON, "": ONGOING if sum(heights) < 42 else DRAWN}
        assert GAME.status(state) == expected[winner]


def test_columns_played_and_rows_name_one_position_and_the_bottom_row_is_drawn_at_the_bottom() -> None:
    rows = "\n".join([". . . . . . ."] * 4 + [". . . O . . .", ". . O X X . ."])
    assert (GAME.read_position(rows) == GAME.read_position("4453")).all()
    board = GAME.board(GAME.read_position("12"))
    assert [(c.x, c.y, c.pieces, c.name) for c in board.cells if c.pieces] == [
        (0, 5, ("red disc",), "1.1"),
        (1, 5, ("yellow disc",), "2.1"),
    ]
    assert (board.kind, len(board.cells)) == ("squares", 42)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "six rows of seven cells"),
        ("......./......./......./......./......./...?...", "'[?]' on 4.1 is no disc: expected X, O or [.]"),
        ("......./......./......./......./...X.../.......", "the disc on 4.2 hangs in the air"),
        ("......./......./......./......./......./.O.....", "red has 0 discs and yellow 1"),
        ("......./......./......./......./OOO..../XXXX..O", "red is to move but has four in a row already"),
        ("444444444", "ply 7 of '444444444': '4' is no legal ply for red: expected one of 1, 2, 3, 5, 6, 7"),
        ("4458", "ply 4 of '4458': '8' is no legal ply for yellow"),
        ("12121217", "ply 8 of '12121217': '7' is no legal ply for yellow: the game is over"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_what_was_found(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        GAME.read_position(text)


def test_factors_are_what_their_names_say() -> None:
    """X holds the centre, both a corner; the diagonal that X has two marks on is blocked."""
    state = TICTACTOE.read_position("X.. .X. ..O")
    # Open to X: three lines through the centre, two through the corner; to O: two through its corner.
    assert values_of(TICTACTOE, state) == {"centre": 1.0, "corners": 0.0, "open": 3.0, "twos": 0.0}
    state = TICTACTOE.read_position("XX. .O. ..O")
    assert [*values_of(TICTACTOE, state).values()] == [-1.0, 0.0, -2.0, 1.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("... ...", "nine cells, X, O or '.', then the side, X or O; found '... ...'"),
        ("XX. ... ...", "2 X and 0 O in .*: X begins"),
        ("X.. ... ... X", "by the marks O is to move, not X"),
    ],
)
def test_what_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        TICTACTOE.read_position(text)


def test_cells_are_drawn_where_plies_touch_them() -> None:
    state = TICTACTOE.read_position("X.. .O. ...")
    board = TICTACTOE.board(state)
    assert board.cells[0] == Cell(0, 0, ("cross",), "a3")
    assert board.cells[4] == Cell(1, 1, ("nought",), "b2")
    assert TICTACTOE.ply_cells(state, TICTACTOE.read_ply(state, "c1")) == [(2, 2)]
