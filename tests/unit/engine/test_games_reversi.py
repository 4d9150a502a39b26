"""Reversi against a slow board of letters, and positions small enough to see."""

import random

import numpy as np
import pytest

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON, GameError
from plyscope.engine.games.reversi import GAME, PASS, flips, mobility
from plyscope.engine.kernel_game import legal_plies
from tests.oracle import values_of

DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


def slow_flips(board: str, mover: str, number: int) -> list[int]:
    """The cells turned over, found by walking outwards from `number` on a board of 64 letters."""
    if board[number] != "-":
        return []
    found = []
    for dx, dy in DIRECTIONS:
        line = []
        x, y = number % 8 + dx, number // 8 + dy
        while 0 <= x < 8 and 0 <= y < 8 and board[8 * y + x] not in ("-", mover):
            line.append(8 * y + x)
            x, y = x + dx, y + dy
        if 0 <= x < 8 and 0 <= y < 8 and board[8 * y + x] == mover:
            found += line
    return sorted(found)


def word(board: str, sign: str) -> int:
    return sum(1 << i for i in range(64) if board[i] == sign)


def members(bits: int) -> list[int]:
    return [i for i in range(64) if bits >> i & 1]


def board_text(**discs: str) -> str:
    """An otherwise empty board: `board_text(X="a1 b1", O="c1")`."""
    board = ["-"] * 64
    for sign, names in discs.items():
        for name in names.split():
            board["abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)] = sign
    return "".join(board)


@pytest.mark.parametrize("seed", range(20))
def test_mobility_and_flips_agree_with_walking_every_line_on_random_boards(seed: int) -> None:
    rng = random.Random(seed)
    weights = rng.choice([(8, 1, 1), (2, 1, 1), (1, 3, 3), (1, 1, 6)])
    board = "".join(rng.choices("-XO", weights, k=64))
    mover, other = word(board, "X"), word(board, "O")
    slow = {number: turned for number in range(64) if (turned := slow_flips(board, "X", number))}
    assert members(mobility(mover, other)) == sorted(slow)
    for number, turned in slow.items():
        assert members(flips(1 << number, mover, other)) == turned


def test_a_side_without_plies_passes_while_the_other_can_play() -> None:
    """White encloses nothing anywhere; black can play c1."""
    state = GAME.read_position(board_text(X="a1", O="b1") + " O")
    assert legal_plies(GAME, state) == [PASS]
    assert GAME.write_ply(state, PASS) == "pass"
    assert GAME.status(state) == ONGOING
    assert GAME.ply_cells(state, PASS) == ()
    GAME.apply(state, PASS)
    assert [GAME.write_ply(state, ply) for ply in legal_plies(GAME, state)] == ["c1"]


@pytest.mark.parametrize(
    ("discs", "result"),
    [
        ({"X": "a1 b1", "O": "h8"}, FIRST_WON),
        ({"X": "a1", "O": "h8 g8"}, SECOND_WON),
        ({"X": "a1", "O": "h8"}, DRAWN),
    ],
)
def test_the_game_is_over_when_neither_can_play_and_more_discs_win(
    discs: dict[str, str], result: int
) -> None:
    for side in "XO":
        state = GAME.read_position(f"{board_text(**discs)} {side}")
        assert GAME.status(state) == result
        assert legal_plies(GAME, state) == []


def values(text: str) -> dict[str, float]:
    return values_of(GAME, GAME.read_position(text))


def test_factors_on_a_board_that_can_be_counted_by_hand() -> None:
    """Black a1 b1 c1 b2, white g7 h1: 6 of 64 cells are filled.

    Nobody can play. All six stand beside empty cells; g7 is the X-square of the empty h8, b2 that of the
    held a1. The rest is even, and it is black's turn, so white plays last.
    """
    assert values(board_text(X="a1 b1 c1 b2", O="g7 h1") + " X") == {
        "discs": 2 * (6 / 64) ** 2,
        "mobility": 0.0,
        "frontier": 2 * 58 / 64,
        "corners": 0.0,
        "x_squares": -1.0,
        "edges": 2.0,
        "parity": -6 / 64,
    }


@pytest.mark.parametrize(
    ("discs", "factor", "value"),
    [
        ({"X": "a1", "O": "b1 c1 a2"}, "mobility", 2 * 60 / 64),
        ({"X": "c3 d3 e3 c4 d4 e4 c5 d5 e5"}, "frontier", 8 * 55 / 64),
        ({"X": " ".join(f"{c}{r}" for c in "gh" for r in range(1, 9))}, "frontier", 8 * 48 / 64),
    ],
    ids=["of both sides", "the middle touches no empty cell", "h1 and a2 are no neighbours"],
)
def test_a_factor_is_counted_whoever_is_to_move(discs: dict[str, str], factor: str, value: float) -> None:
    for side in "XO":
        assert values(f"{board_text(**discs)} {side}")[factor] == value


def test_usual_spellings_of_the_start_and_of_a_pass_are_read() -> None:
    figure = "· · · · · · · ·\n" * 3 + "· · · ○ ● · · ·\n· · · ● ○ · · ·\n" + "· · · · · · · ·\n" * 3
    for text in (
        "...........................OX......XO........................... X",
        "---------------------------WB------BW---------------------------\nblack",
        "---------------------------ox------xo---------------------------*",
        figure + "BLACK",
    ):
        assert GAME.write_position(GAME.read_position(text)) == GAME.start
    for text in ("--", " PASS ", "pa", "ps"):
        assert GAME.read_ply(GAME.read_position(board_text(X="a1", O="b1") + " O"), text) == PASS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "found 0 signs"),
        ("-" * 63 + " X", "64 cells and the side to move, X or O; found 64 signs: "),
        ("-" * 60 + " white", "found 60 signs and the side"),
        ("-" * 64 + "?", "'[?]' after the 64 cells is no side to move: expected X or O"),
        ("-" * 42 + "?" + "-" * 21 + " X", "'[?]' on c6 is no disc"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_what_was_found(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        GAME.read_position(text)


@pytest.mark.parametrize(
    ("position", "ply", "said"),
    [
        (GAME.start, "a1", "'a1' is no legal ply for black: expected one of d3, c4, f5, e6"),
        (GAME.start, "pass", "'pass' is no legal ply for black"),
        (GAME.start, "d3 c4", "'d3 c4' is no legal ply for black"),
        (board_text(X="a1") + " O", "pass", "for white: the game is over"),
    ],
)
def test_an_illegal_ply_is_refused_with_the_legal_ones(position: str, ply: str, said: str) -> None:
    with pytest.raises(GameError, match=said):
        GAME.read_ply(GAME.read_position(position), ply)


def test_the_board_names_every_cell_a_ply_those_that_it_turns_over_and_corners_are_noisy() -> None:
    state = GAME.read_position(board_text(X="a1 d1", O="b1 c1 b2") + " X")
    corner = GAME.read_position(board_text(X="c1 d4", O="b1 e4") + " X")
    assert GAME.ply_cells(state, GAME.read_ply(state, "c3")) == [(2, 2), (1, 1)]
    plies = np.zeros(GAME.max_plies, np.int32)
    assert [GAME.write_ply(corner, ply) for ply in plies[: GAME.noisy(corner, plies)]] == ["a1"]
    board = GAME.board(state)
    assert (board.kind, board.cells[42].name) == ("squares", "c6")
    assert [(c.x, c.y, c.pieces[0]) for c in board.cells if c.pieces][-1] == (1, 1, "white disc")
