"""The evaluation of chess beside counts that python-chess's boards make slowly, and in the mirror."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import chess
import pytest

from plyscope.engine.games.chess import GAME, read_fen
from plyscope.engine.games.hive import GAME as HIVE
from tests.chess.test_perft import random_boards
from tests.oracle import values_of

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
STAGE = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}


def factors(board: chess.Board) -> dict[str, float]:
    return values_of(GAME, read_fen(board.fen()))


def slow_factors(board: chess.Board, side: chess.Color) -> dict[str, float]:
    """The counts of one side, by its squares' names; the two factors of squares are left out."""
    stage = sum(STAGE.get(piece.piece_type, 0) for piece in board.piece_map().values())
    early = min(stage, 16) / 16
    late = 1 - early
    step = 1 if side == chess.WHITE else -1
    own = {
        kind: [divmod(square, 8)[::-1] for square in board.pieces(kind, side)] for kind in chess.PIECE_TYPES
    }
    pawns = own[chess.PAWN]
    others = [divmod(square, 8)[::-1] for square in board.pieces(chess.PAWN, not side)]
    hit = {square for pawn in board.pieces(chess.PAWN, not side) for square in board.attacks(pawn)}
    doubled = [(x, y) for x, y in pawns if any(a == x and (b - y) * step > 0 for a, b in pawns)]
    first = [pawn for pawn in pawns if pawn not in doubled]
    passed = [(x, y) for x, y in first if not any(abs(a - x) <= 1 and (b - y) * step > 0 for a, b in others)]
    [(king_file, king_rank)] = own[chess.KING]
    return {
        "material": sum(WORTH[kind] * len(squares) for kind, squares in own.items()),
        "mobility": sum(
            board.color_at(end) != side and end not in hit
            for kind in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
            for square in board.pieces(kind, side)
            for end in board.attacks(square)
        ),
        "king_shelter": early
        * sum(abs(x - king_file) <= 1 and (y - king_rank) * step in (1, 2) for x, y in pawns),
        "passed": (1 + late) * sum(y - 1 if side == chess.WHITE else 6 - y for _, y in passed),
        "doubled": len(doubled),
        "isolated": sum(not any(abs(a - x) == 1 for a, _ in pawns) for x, _ in pawns),
        "bishop_pair": (1 + late) * (len(own[chess.BISHOP]) >= 2),
        "tempo": early * (board.turn == side),
    }


def test_each_factor_is_what_a_slow_count_of_it_is() -> None:
    for board in random_boards("factors", 60):
        white, black = (slow_factors(board, side) for side in chess.COLORS)
        found = factors(board)
        assert {name: found[name] for name in white} == {name: white[name] - black[name] for name in white}


def test_in_the_mirror_every_factor_changes_its_sign() -> None:
    for board in random_boards("mirrored", 60):
        mirrored = factors(board.mirror())
        assert factors(board) == {name: -value or 0.0 for name, value in mirrored.items()}


def test_a_knight_stands_better_in_the_middle_and_a_king_there_only_late() -> None:
    fens = "7k/8/8/8/8/8/8/N3K3", "7k/8/8/8/3N4/8/8/4K3"
    fens += "rnbqkbnr/8/8/8/8/8/8/RNBQ1BKR", "rnbqkbnr/8/8/8/3K4/8/8/RNBQ1B1R"
    corner, centre, home, out = (factors(chess.Board(f"{fen} w - - 0 1")) for fen in fens)
    assert corner["squares_end"] < centre["squares_end"]
    assert (home["squares_mid"] > out["squares_mid"], home["squares_end"]) == (True, 0)


@pytest.mark.parametrize("game", [GAME, HIVE], ids=["chess", "hive"])
def test_the_page_about_a_game_has_every_factor_with_its_weight_and_the_words_of_the_game(game: Any) -> None:
    page = (Path(__file__).parents[2] / "docs" / f"{game.name}.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([-.\d]+) \|$", page, re.MULTILINE)
    assert [(name, float(weight)) for name, _, weight in rows] == list(game.factors.items())
    assert {name: meaning for name, meaning, _ in rows} == game.meanings
