"""Plies of chess, read and written beside python-chess."""

from __future__ import annotations

import chess
import pytest

from plyscope.engine.game import ONGOING, GameError
from plyscope.engine.games.chess import (
    GAME,
    read_fen,
    read_position,
    read_san,
    write_fen,
    write_position,
    write_san,
    write_uci,
)
from plyscope.engine.kernel_game import legal_plies
from tests.chess.test_perft import random_boards
from tests.property.examples import examples

CASTLES = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTES = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
PASSES = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
FOUR_KNIGHTS = "4k3/8/8/2N1N3/8/2N1N3/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "texts"),
    [
        (GAME.start, ("e4", "e2e4", "e2-e4", "Pe4", "Pe2-e4", "e4!?", " e4 ", "e2e4!")),
        (GAME.start, ("Nf3", "g1f3", "Ng1f3", "Ng1-f3", "Ngf3", "N1f3", "g1-f3")),
        (PASSES, ("exd6", "e5xd6", "e5d6", "ed6", "exd6 e.p.", "exd6ep", "e5-d6")),
        (CASTLES, ("O-O", "0-0", "o-o", "e1g1", "e1h1", "Ke1-g1", "O-O!")),
        (CASTLES, ("O-O-O", "0-0-0", "e1c1", "e1a1")),
        (CASTLES, ("Rxa8+", "Rxa8", "Ra1xa8+", "a1a8", "a1xa8!!", "Raxa8")),
        (PROMOTES, ("a8=Q", "a8Q", "a7a8q", "a7a8Q", "a7-a8=Q", "a8(Q)", "a8/Q", "a8=Q!")),
        (PROMOTES, ("axb8=N", "axb8N", "a7b8n", "a7xb8=N", "ab8=N")),
        (FOUR_KNIGHTS, ("Nc3d5", "Nc3-d5", "c3d5")),
    ],
)
def test_one_ply_is_read_from_all_its_spellings(fen: str, texts: tuple[str, ...]) -> None:
    state = read_fen(fen)
    assert len({read_san(state, text) for text in texts}) == 1


@pytest.mark.parametrize(
    ("fen", "text", "message"),
    [
        (GAME.start, "e5", r"^'e5' is no legal ply for white: expected one of a3, a4, .*\(16 in all\)$"),
        (GAME.start, "Ne4", "^'Ne4' is no legal ply for white: expected one of Na3, Nc3, Nf3, Nh3$"),
        (GAME.start, "g1e4", "^'g1e4' is no legal ply for white: expected one of Nf3, Nh3$"),
        (GAME.start, "", "^'' is no legal ply for white: expected one of "),
        (GAME.start, "O-O", "^'O-O' is no legal ply for white: expected one of a3, "),
        (FOUR_KNIGHTS, "Nd5", "may be several plies of white: expected one of Ncd5, Ned5$"),
        (FOUR_KNIGHTS, "Nd3", "may be several plies of white: expected one of Ncd3, Ned3$"),
        (PROMOTES, "a8", "may be several plies of white: expected one of a8=Q, a8=R, a8=B, a8=N$"),
        (PROMOTES, "a7a8", "may be several plies of white: expected one of a8=Q, "),
        (PROMOTES, "a8=K", "'a8=K' is no legal ply for white"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "is no legal ply for black: the game is over$"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--", "there is no null move where the game is over$"),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "0000", "there is no null move in check$"),
    ],
)
def test_a_ply_that_is_illegal_or_may_be_several_is_refused_with_what_is_possible(
    fen: str, text: str, message: str
) -> None:
    with pytest.raises(GameError, match=message):
        read_san(read_fen(fen), text)


def test_plies_of_random_positions_are_written_and_read_as_by_python_chess() -> None:
    n_plies = 0
    for board in random_boards("texts", examples(100)):
        state = read_fen(board.fen())
        before = state.copy()
        for ply in legal_plies(GAME, state):
            move = chess.Move.from_uci(write_uci(ply))
            san = board.san(move)
            assert write_san(state, ply) == san
            assert read_san(state, san) == read_san(state, move.uci()) == ply
            assert read_san(state, board.lan(move)) == ply
            n_plies += 1
        assert (state == before).all()
    assert n_plies > 20 * examples(100)


def test_the_null_move_is_read_and_written_and_is_no_legal_ply() -> None:
    state = read_fen(GAME.start)
    ply = read_san(state, "--")
    assert ply == read_san(state, "0000")
    assert ply not in legal_plies(GAME, state)
    assert (write_san(state, ply), write_uci(ply)) == ("--", "0000")
    GAME.apply(state, ply)
    assert write_fen(state) == GAME.start.replace(" w ", " b ").replace(" 0 1", " 1 1")
    assert write_position(state) == f"{GAME.start} moves 0000"
    assert write_fen(read_position(f"{GAME.start} moves 0000")) == write_fen(state)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("startpos", GAME.start),
        ("position startpos moves e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("position fen " + GAME.start, GAME.start),
        ("startpos moves Nf3 g8f6", GAME.start + " moves g1f3 g8f6"),
        ("startpos moves", GAME.start),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", GAME.start),
        (CASTLES + " moves Ke2 Ke7 Rab1", CASTLES + " moves e1e2 e8e7 a1b1"),
        (CASTLES.replace(" 0 1", " 98 70") + " moves Ke2 Ke7", "r6r/4k3/8/8/8/8/4K3/R6R w - - 100 71"),
        (CASTLES + " moves Ke2 Rxh1", "r3k3/8/8/8/8/8/4K3/R6r w q - 0 2"),
    ],
)
def test_a_position_has_the_plies_since_the_last_capture_or_pawns_ply(text: str, written: str) -> None:
    assert write_position(read_position(text)) == written
    assert write_position(read_position(written)) == written


def test_an_illegal_ply_of_a_position_is_refused_by_its_number() -> None:
    with pytest.raises(
        GameError, match=r"^ply 3: 'e2e4' is no legal ply for white: expected one of a3, a4, "
    ):
        read_position("startpos moves e2e4 d7d5 e2e4")


def test_a_position_that_is_read_again_goes_on_as_before() -> None:
    """After every ply key and result are those of the game that was never written, up to the draw."""
    state = read_fen(GAME.start)
    again = state
    for n, text in enumerate(("e4", *("Nc6", "Nf3", "Nb8", "Ng1") * 2)):
        assert GAME.status(state) == ONGOING, n
        again = read_position(write_position(again))
        for each in (state, again):
            GAME.apply(each, read_san(each, text))
        assert (GAME.key(again), GAME.status(again)) == (GAME.key(state), GAME.status(state))
    assert GAME.why_over(again) == "threefold repetition"
