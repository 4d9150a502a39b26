"""Ends of games of chess, beside python-chess: mate and stalemate, and three draws that leave their plies."""

from __future__ import annotations

import random
from collections import Counter

import chess
import pytest

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON
from plyscope.engine.games.chess import GAME, read_fen, read_position, read_san, write_fen
from plyscope.engine.kernel_game import legal_plies
from tests.property.examples import examples


@pytest.mark.parametrize(
    ("text", "result", "why"),
    [
        ("startpos", ONGOING, None),
        ("startpos moves f3 e5 g4 Qh4", SECOND_WON, "checkmate"),
        ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1 moves Re8", FIRST_WON, "checkmate"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", DRAWN, "stalemate"),
        ("4k3/8/8/8/8/8/3R4/4K3 w - - 99 80 moves Rd3", DRAWN, "fifty moves"),
        ("4k3/8/8/8/8/8/3R4/4K3 w - - 98 80 moves Rd3", ONGOING, None),
        ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 99 80 moves Re8", FIRST_WON, "checkmate"),
        ("startpos moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", ONGOING, None),
        ("startpos moves Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", DRAWN, "threefold repetition"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", DRAWN, "insufficient material"),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", DRAWN, "insufficient material"),
        ("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", ONGOING, None),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", DRAWN, "insufficient material"),
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", ONGOING, None),
        ("4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", ONGOING, None),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ONGOING, None),
    ],
)
def test_a_game_is_over_and_why_and_draws_by_status_alone_leave_their_plies(
    text: str, result: int, why: str | None
) -> None:
    state = read_position(text)
    assert (GAME.status(state), GAME.why_over(state)) == (result, why)
    assert len(legal_plies(GAME, state)) == chess.Board(write_fen(state)).legal_moves.count()


def test_a_castling_right_that_is_lost_makes_another_position() -> None:
    """The rook comes back twice, to a king that may not castle any more: two occurrences, not three."""
    there_and_back = "Rh2 Ke7 Rh1 Ke8 "
    state = read_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves " + 2 * there_and_back)
    assert GAME.status(state) == ONGOING
    state = read_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves " + 3 * there_and_back)
    assert GAME.why_over(state) == "threefold repetition"


def hold_ends(n_games: int, fen: str, seed: str) -> Counter[str]:
    """Play random games to python-chess's end, or 150 plies; return how many ended for each reason."""
    reasons: Counter[str] = Counter()
    for number in range(n_games):
        draw = random.Random(f"{seed}{number}")
        board = chess.Board(fen)
        state = read_fen(fen)
        while True:
            moves = [*board.legal_moves]
            expected = ONGOING
            if not moves:
                expected = DRAWN
                if board.is_check():
                    expected = SECOND_WON if board.turn == chess.WHITE else FIRST_WON
            elif board.is_repetition(3) or board.halfmove_clock >= 100 or board.is_insufficient_material():
                expected = DRAWN
            assert GAME.status(state) == expected, board.fen()
            assert GAME.in_check(state) == board.is_check()
            if (why := GAME.why_over(state)) is not None:
                reasons[why] += 1
            if not moves or expected == DRAWN or len(board.move_stack) > 150:
                break
            move = draw.choice(moves)
            GAME.apply(state, read_san(state, move.uci()))
            board.push(move)
    return reasons


ENDS = {
    "start": chess.STARTING_FEN,
    "few pieces": "8/5k2/8/3b4/8/3N4/2K5/8 w - - 80 60",
    "rooks": "8/5k2/8/3r4/8/3R4/2K5/8 w - - 60 60",
    "shut in": "8/8/p1p1p1p1/PkP1PpPp/1P3P1P/8/5K2/8 w - - 0 1",
    "nearly mated": "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
}


def test_random_games_end_where_python_chess_says() -> None:
    reasons = {why for name, fen in ENDS.items() for why in hold_ends(examples(6, least=6), fen, name)}
    assert len(reasons) == 5, reasons
