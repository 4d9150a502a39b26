"""FEN and plies of chess beside python-chess: read, written, refused by name; keys, and plies taken back."""

from __future__ import annotations

import random

import chess
import chess.polyglot
import numpy as np
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
from plyscope.engine.games.chess.moves import pseudo_legal
from plyscope.engine.games.chess.state import HASH, IS_CASTLING, hashed
from plyscope.engine.kernel_game import legal_plies
from tests.chess.test_perft import random_boards
from tests.property.examples import examples

EMPTY = "8/8/8/8/8/8/8/8"


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "a FEN has four to six fields, .*; found 0"),
        ("8/8/8/8/8/8/8 w - -", "the board of a FEN has 8 ranks; found 7"),
        ("9/8/8/8/8/8/8/8 w - -", "'9' is no piece of a FEN"),
        ("k7/8/8/8/8/8/8/KP7 w - -", "rank 1 of the FEN has 9 squares, expected 8: 'KP7'"),
        (f"{EMPTY} w - -", "white has no king, expected one"),
        ("k6k/8/8/8/8/8/8/K7 w - -", "black has 2 kings"),
        ("k7/8/8/8/8/8/8/K7 x - -", "'x' is no side to move in a FEN: expected w or b"),
        ("k7/8/8/8/8/8/8/KR6 w - -", None),
        ("k7/8/8/8/8/8/8/RK6 w - -", "white is to move, and black is in check .by the piece on a1"),
        ("kP6/8/8/8/8/8/8/K7 w - -", "a pawn stands on b8"),
        ("k7/8/pppp4/ppppp3/8/8/8/K7 w - -", "black has 9 pawns, expected at most 8"),
        ("k7/8/8/QQQ5/QQQQ4/QQQ5/8/K7 b - -", "white has 9 pieces more than at first, and lacks 8 pawns"),
        ("k7/8/8/8/8/8/8/4K2R w KQ - 0 1", "castling Q without white's rook on a1"),
        ("r3k2r/8/8/8/8/8/8/5K1R w K - 0 1", "castling K without white's king on e1 .Chess960"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "castling 'HAha' is of Chess960"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "'KK' are no castling rights of a FEN"),
        ("k7/8/8/8/8/8/8/K7 w - e9", "'e9' is no square of en passant"),
        ("k7/8/8/3pP3/8/8/8/K7 w - e6", "en passant on e6, which no pawn of black has just passed"),
        ("k7/3n4/8/3pP3/8/8/8/K7 w - d6", "en passant on d6, which no pawn of black has just passed"),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", "'x' is no plies since a capture or pawn's ply in a FEN"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 -1", "'-1' is no move's number in a FEN"),
    ],
)
def test_an_impossible_fen_is_refused_by_name(fen: str, message: str | None) -> None:
    if message is None:
        assert write_fen(read_fen(fen)) == f"{fen} 0 1"
        return
    with pytest.raises(GameError, match=message):
        read_fen(fen)


def test_positions_of_random_games_are_written_as_by_python_chess() -> None:
    for board in random_boards("fens", 60):
        state = read_fen(board.fen(en_passant="fen"))
        assert write_fen(state) == board.fen()
        assert int(state[HASH]) == hashed(state)


def test_a_square_of_en_passant_stays_only_where_a_pawn_can_be_taken() -> None:
    """Nobody beside it; a pinned pawn; two pawns that leave their king's rank together; a pawn that can."""
    for fen, stays in (
        ("4k3/8/8/3p4/8/8/4P3/4K3 w - d6 0 1", False),
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", False),
        ("6k1/8/8/r2pP2K/8/8/8/8 w - d6 0 1", False),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", True),
    ):
        assert (" d6 " in write_fen(read_fen(fen))) == stays
        board = chess.Board(fen)
        board.turn = chess.BLACK
        board.remove_piece_at(chess.D5)
        board.set_piece_at(chess.D7, chess.Piece(chess.PAWN, chess.BLACK))
        board.ep_square = None
        state = read_fen(board.fen())
        GAME.apply(state, read_san(state, "d7d5"))
        assert (" d6 " in write_fen(state)) == stays


def test_keys_are_equal_where_those_of_python_chess_are() -> None:
    """Two hundred ways to few positions: kings, rooks and a castling right walk to and fro."""
    ours_of: dict[int, int] = {}
    theirs_of: dict[int, int] = {}
    draw = random.Random(5)
    n_plies = 0
    for _ in range(200):
        board = chess.Board("4k3/4p3/8/3P4/8/8/8/R3K3 w Q - 0 1")
        state = read_fen(board.fen())
        for _ in range(draw.randrange(1, 8)):
            move = draw.choice([*board.legal_moves])
            GAME.apply(state, read_san(state, move.uci()))
            board.push(move)
            n_plies += 1
            ours, theirs = int(GAME.key(state)), chess.polyglot.zobrist_hash(board)
            assert ours_of.setdefault(theirs, ours) == ours
            assert theirs_of.setdefault(ours, theirs) == theirs
    assert len(ours_of) < n_plies


def test_a_null_move_hands_over_the_turn_is_read_and_written_and_taken_back_and_is_no_legal_ply() -> None:
    state = read_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 4 9")
    before = state.copy()
    assert GAME.pass_turn(state) == 1
    assert write_fen(state) == "4k3/8/8/3pP3/8/8/8/4K3 b - - 5 9"
    assert int(state[HASH]) == hashed(state)
    ply = read_san(before, "--")
    GAME.undo(state, ply)
    assert np.array_equal(state, before)
    assert ply == read_san(before, "0000")
    assert ply not in legal_plies(GAME, before)
    assert (write_san(before, ply), write_uci(ply)) == ("--", "0000")
    # As a ply of a position.
    GAME.apply(state := read_fen(GAME.start), ply)
    assert write_fen(state) == GAME.start.replace(" w ", " b ").replace(" 0 1", " 1 1")
    assert write_position(state) == f"{GAME.start} moves 0000"
    assert write_fen(read_position(f"{GAME.start} moves 0000")) == write_fen(state)
    # In check and after the end there is none.
    for fen in ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        state, before = read_fen(fen), read_fen(fen)
        assert GAME.pass_turn(state) == 0
        assert np.array_equal(state, before)


def test_noisy_plies_are_captures_and_promotions() -> None:
    n_noisy = 0
    for board in random_boards("noisy", 60):
        state = read_fen(board.fen())
        plies = np.zeros(GAME.max_plies, np.int32)
        found = plies[: GAME.noisy(state, plies)].tolist()
        expected = []
        for ply in legal_plies(GAME, state):
            move = board.parse_san(GAME.write_ply(state, ply))
            if board.is_capture(move) or move.promotion:
                expected.append(ply)
        assert found == expected
        n_noisy += len(found)
    assert n_noisy > 100


def test_the_board_has_the_last_ply_taken_back_none_of_a_fen_and_a_castling_king_with_his_rook() -> None:
    assert GAME.taken_back(read_fen(GAME.start)) is None
    state = GAME.read_position("startpos moves e4 e5")
    before, ply = GAME.taken_back(state) or pytest.fail("no ply")
    assert GAME.write_ply(before, ply) == "e5"
    state = read_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    names = {(cell.x, cell.y): cell.name for cell in GAME.board(state).cells}
    cells = GAME.ply_cells(state, read_san(state, "O-O-O"))
    assert [names[cell] for cell in cells] == ["e1", "a1", "d1", "c1"]
    assert GAME.board(state).cells[4].pieces == ("white king",)


def test_pseudo_legal_plies_are_those_of_python_chess() -> None:
    """But for castling through check, which python-chess leaves out."""
    for board in random_boards("pseudo", 60):
        state = GAME.read_position(f"startpos moves {' '.join(ply.uci() for ply in board.move_stack)}")
        ours = [ply for ply in pseudo_legal(state) if not ply & IS_CASTLING]
        theirs = [ply.uci() for ply in board.pseudo_legal_moves if not board.is_castling(ply)]
        assert sorted(map(write_uci, ours)) == sorted(theirs)
        assert board.pseudo_legal_moves.count() in GAME.pseudo_counts(state)


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
        (GAME.start, "", "^'' is no legal ply for white: expected one of "),
        (GAME.start, "O-O", "^'O-O' is no legal ply for white: expected one of a3, "),
        (FOUR_KNIGHTS, "Nd5", "may be several plies of white: expected one of Ncd5, Ned5$"),
        (PROMOTES, "a8", "may be several plies of white: expected one of a8=Q, a8=R, a8=B, a8=N$"),
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
def test_a_position_has_its_plies_since_the_last_capture_or_pawns_ply_and_refuses_one_by_its_number(
    text: str, written: str
) -> None:
    assert write_position(read_position(text)) == written
    assert write_position(read_position(written)) == written
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
