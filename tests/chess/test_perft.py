"""The rules of chess by counts: published ones, and those of python-chess below plies of random positions."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import chess
import numpy as np
import pytest

from plyscope.engine.games.chess import GAME, read_fen, write_uci
from plyscope.engine.kernel_game import legal_plies
from plyscope.engine.perft import divide, perft
from tests.property.examples import examples

PUBLISHED = {
    GAME.start: (20, 400, 8_902, 197_281, 4_865_609, 119_060_324),
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": (
        *(48, 2_039, 97_862, 4_085_603, 193_690_690),
    ),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": (14, 191, 2_812, 43_238, 674_624, 11_030_083),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (
        *(6, 264, 9_467, 422_333, 15_833_292),
    ),
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1": (
        *(6, 264, 9_467, 422_333, 15_833_292),
    ),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1_486, 62_379, 2_103_487, 89_941_194),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (
        *(46, 2_079, 89_890, 3_894_594, 164_075_551),
    ),
}
"""Counts by depth from 1 on: the start and the positions of the chess programming wiki."""
MOST_LEAVES = float(os.environ.get("PLYSCOPE_PERFT_LEAVES", "5e6"))
"""Counts up to here are made again; `make perft-full` raises it to a billion."""
MOST_PLAIN_LEAVES = 3_000


def random_boards(seed: str, n: int) -> Iterator[chess.Board]:
    """Positions of random games, each some plies into one of its own."""
    for i in range(n):
        draw = random.Random(f"{seed}{i}")
        board = chess.Board()
        for _ in range(draw.randrange(160)):
            board.push(draw.choice([*board.legal_moves]))
            if not any(board.legal_moves):
                board.pop()
                break
        yield board


@pytest.mark.parametrize("text", PUBLISHED)
def test_plain_kernels_count_what_is_published(text: str) -> None:
    state = GAME.read_position(text)
    before = state.copy()
    for depth, leaves in enumerate(PUBLISHED[text], 1):
        if leaves <= MOST_PLAIN_LEAVES:
            assert perft(GAME, state, depth, compiled=False) == leaves
    assert np.array_equal(state, before)


@pytest.mark.slow
def test_compiled_kernels_count_what_is_published() -> None:
    for text, counts in PUBLISHED.items():
        state = GAME.read_position(text)
        for depth, leaves in enumerate(counts, 1):
            if leaves <= MOST_LEAVES:
                assert perft(GAME, state, depth) == leaves, (text, depth)


def leaves_of(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return board.legal_moves.count()
    n = 0
    for move in board.legal_moves:
        board.push(move)
        n += leaves_of(board, depth - 1)
        board.pop()
    return n


@pytest.mark.parametrize(("seed", "n", "depth"), [("few", 200, 1), ("fewer", 10, 2)])
def test_the_plies_of_random_positions_lead_to_as_many_as_those_of_python_chess(
    seed: str, n: int, depth: int
) -> None:
    for board in random_boards(seed, examples(n)):
        state = read_fen(board.fen())
        counts = divide(GAME, state, depth, compiled=False).values()
        ours = dict(zip(map(write_uci, legal_plies(GAME, state)), counts, strict=True))
        theirs = {}
        for move in board.legal_moves:
            board.push(move)
            theirs[move.uci()] = leaves_of(board, depth - 1)
            board.pop()
        assert ours == theirs, board.fen()
