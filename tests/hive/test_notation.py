"""MoveStrings and GameStrings: read in any spelling, written in one, refused with what was expected."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, GameError, State
from plyscope.engine.games.hive import GAME
from plyscope.engine.games.hive.state import AT, LONGEST
from plyscope.engine.kernel_game import legal_plies

COUNTS = json.loads(Path(__file__).with_name("perft.json").read_text("utf-8"))
GAMES = sorted({case["position"] for case in COUNTS if case["position"] != "start"})
OPENING = r"Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-"


def after(*moves: str, game_type: str = "Base+MLP") -> State:
    return GAME.read_position(";".join([game_type, "InProgress", "White[1]", *moves]))


def legal(state: State) -> list[str]:
    return [GAME.write_ply(state, ply) for ply in legal_plies(GAME, state)]


# Plies ----------------------------------------------------------------------------------------------------


BEETLES = ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-", "wB1 -wQ", "bB1 bQ-", "wB1 wQ", "bB1 bQ")
"""Both queens are under a beetle then."""


@pytest.mark.parametrize(
    ("moves", "move", "message"),
    [
        (
            (),
            "wQ",
            "'wQ' is no legal ply for white, wQ cannot be placed now: expected one of wS1, wB1, wG1, wA1$",
        ),
        ((), "bS1", "is no legal ply for white, bS1 is black's: expected one of"),
        ((), "wL", "is no legal ply for white, the game has no wL: expected one of"),
        (("wS1", "bS1 wS1-"), "wS1 bS1-", "nothing of white moves before wQ is in play: expected one of"),
        (("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"), "wS1 bQ-", "for white, wS1 cannot move now: expected"),
        (("wS1",), "bS1", "'bS1' is no legal ply for black: expected one of"),
        (BEETLES, "wQ wS1/", "for white, wQ lies under wB1: expected one of"),
        (("wS1",), "bS2 wS1-", "for black, bS1 comes first: expected one of"),
        (("wS1",), "bS3 wS1-", "there is no piece bS3: expected"),
        (("wS1",), "bS wS1-", "there is no piece bS: expected"),
        (("wS1",), "bS1 wB3-", "there is no piece wB3: expected"),
        (("wS1",), "bS1 wA1-", "wA1 is not in play: expected"),
        (("wS1",), "bS1 -wS1-", "one side of a piece has one sign: expected"),
        (("wS1",), "pass", "'pass' is no legal ply for black: expected"),
        (("wS1",), "bM wS1-", "'bM wS1-' is no legal ply"),
        (("wS1",), "hello", "'hello' is no legal ply for black: expected one of"),
    ],
)
def test_a_ply_that_is_not_legal_is_refused_with_those_that_are(
    moves: tuple[str, ...], move: str, message: str
) -> None:
    with pytest.raises(GameError, match=message):
        GAME.read_ply(after(*moves, game_type="Base"), move)


# Positions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        *[("Base" + letters, letters) for letters in ("", "+M", "+L", "+P", "+ML", "+MP", "+LP", "+MLP")],
        ("base", ""),
        (" BASE + plm ", "+MLP"),
        ("Base+LMP;;", "+MLP"),
        ("Base+MLP;Draw;black[7];", "+MLP"),
    ],
)
def test_a_game_type_in_any_spelling_is_the_start_of_a_game(text: str, letters: str) -> None:
    state = GAME.read_position(text)
    assert GAME.write_position(state) == f"Base{letters};NotStarted;White[1]"
    assert len(legal(state)) == 4 + len(letters[1:])


def test_a_game_that_is_over_says_who_won() -> None:
    won = next(game for game in GAMES if ";WhiteWins;" in game)
    state = GAME.read_position(won)
    assert GAME.status(state) == FIRST_WON
    assert GAME.write_position(state).split(";")[1] == "WhiteWins"
    with pytest.raises(GameError, match=r"is no legal ply for (white|black): the game is over"):
        GAME.read_ply(state, "wQ -wS1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with its game type, Base or Base[+] and letters of MLP.*found ''"),
        ("Base+X", "found 'Base[+]X'"),
        ("Chess;InProgress;White[1]", "found 'Chess'"),
        ("Base;wS1;bS1 wS1-", "field 2 of a GameString is the game's state.*before 'wS1'"),
        ("Base;InProgress;wS1", "field 3 of a GameString is the turn.*before 'wS1'"),
        (
            "Base;x;x;wS1;bQ wS1-",
            "^ply 2: 'bQ wS1-' is no legal ply for black, bQ cannot be placed now: expected one of bS1",
        ),
        ("Base;x;x;wS1;bS1 wS1-;wQ", "^ply 3: 'wQ' is no legal ply for white"),
    ],
)
def test_a_text_that_is_no_game_is_refused_with_where_and_what(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        GAME.read_position(text)


def test_an_error_tells_the_plies_of_the_piece_or_the_first_of_many() -> None:
    state = GAME.read_position(OPENING)
    with pytest.raises(GameError, match=r"expected one of (wQ [^,]+, )*wQ [^,]+$"):
        GAME.read_ply(state, "wQ wQ")
    with pytest.raises(GameError, match=r"expected one of ([^,]+, ){12}… \((\d+) in all\)$") as told:
        GAME.read_ply(state, "bA1 wS1-")
    assert f"({len(legal(state))} in all)" in str(told.value)


def test_a_game_longer_than_the_journal_is_refused() -> None:
    circling = [r"wQ \wS1", r"bQ bS1/", "wQ -wS1", "bQ bS1-"]
    text = OPENING + ";" + ";".join(circling * (LONGEST // 4 - 1))
    state = GAME.read_position(text)
    assert (GAME.status(state), GAME.pass_turn(state.copy())) == (DRAWN, 0)
    with pytest.raises(GameError, match="a game of more than 1024 plies has no room"):
        GAME.read_position(text + ";" + circling[0])


def test_a_third_occurrence_draws_where_the_text_asks_for_it_and_no_placement_came_between() -> None:
    circling = r";wQ \wS1;bQ bS1/;wQ -wS1;bQ bS1-"
    for text in (
        OPENING + circling * 2,
        "threefold " + OPENING + circling,
        rf"threefold {OPENING}{circling};wA1 /wS1;bA1 bS1\ {circling}",
    ):
        assert GAME.status(GAME.read_position(text)) == ONGOING
    drawn = GAME.read_position(" Threefold " + OPENING + circling * 2)
    assert GAME.status(drawn) == DRAWN
    assert legal(drawn) == []
    written = GAME.write_position(drawn)
    assert written.startswith("threefold Base;Draw;White[7];")
    assert np.array_equal(GAME.read_position(written), drawn)


# Boards ---------------------------------------------------------------------------------------------------


def test_an_empty_board_has_no_cells_and_coordinates_do_not_jump_where_cell_numbers_wrap_around() -> None:
    """Every ply goes as far east as it can, over half of the way around, where west begins for numbers."""
    state = GAME.read_position("Base")
    assert GAME.board(state).cells == ()
    assert GAME.ply_cells(state, GAME.read_ply(state, "wS1"))[-1] == (0, 0)
    state = GAME.read_position(OPENING)
    for _ in range(60):
        east = max(legal_plies(GAME, state), key=lambda ply: (GAME.ply_cells(state, ply) or ((-99, 0),))[-1])
        GAME.apply(state, east)
    places = [(cell.x, cell.y) for cell in GAME.board(state).cells if cell.pieces]
    assert max(q for q, _ in places) > 16
    assert max(q for q, _ in places) - min(q for q, _ in places) < 27
    assert len(places) == len({int(cell) for cell in state[AT : AT + 28] if cell >= 0})
