"""The evaluation of chess: ten factors, in pawns with their weights, and the meaning of each in words.

The phase of the game is in the values: `early` falls from 1 to 0 as pieces go, in 16ths, so all values are
exact. It is 1 while minor pieces (1 each), rooks (2) and queens (4) of both sides count 16 or more, of 24.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import State
from plyscope.engine.games.bits import FULL
from plyscope.engine.games.chess.squares import KING_ATTACKS, Words, pawns_attacks, without_first
from plyscope.engine.games.chess.state import (
    BISHOP,
    KING,
    KNIGHT,
    OWN,
    PAWN,
    QUEEN,
    ROOK,
    attacks_of,
    king_of,
    occupied_in,
    player,
)
from plyscope.engine.jit import count_bits, first_bit, kernel

WEIGHTS: Final[Mapping[str, float]] = {
    "material": 1.0,
    "squares_mid": 0.01,
    "squares_end": 0.01,
    "mobility": 0.03,
    "king_shelter": 0.15,
    "passed": 0.08,
    "doubled": -0.15,
    "isolated": -0.15,
    "bishop_pair": 0.2,
    "tempo": 0.1,
}

MATERIAL, SQUARES_MID, SQUARES_END, MOBILITY, KING_SHELTER, PASSED = range(6)
DOUBLED, ISOLATED, BISHOP_PAIR, TEMPO = range(6, 10)
_EARLY: Final = "times 1 to 0 as pieces go: counts more early."
_LATE: Final = "times 1 to 2 as pieces go: counts more late."

MEANINGS: Final[Mapping[str, str]] = {
    "material": "Pieces: a pawn 1, knight and bishop 3, rook 5, queen 9.",
    "squares_mid": f"How well pieces stand in the middle game, in hundredths of a pawn, {_EARLY}",
    "squares_end": "How well pieces stand in the end game, in hundredths of a pawn: counts late.",
    "mobility": "Squares that pieces attack, without those of own pieces and of the other side's pawns.",
    "king_shelter": f"Own pawns on the two ranks before the king, on its file and beside, {_EARLY}",
    "passed": f"Ranks that passed pawns have gone, {_LATE}",
    "doubled": "Pawns with an own pawn before them.",
    "isolated": "Pawns without an own pawn on a file beside theirs.",
    "bishop_pair": f"1 for two bishops or more, {_LATE}",
    "tempo": f"1 for being to move, {_EARLY}",
}

_MOST_EARLY: Final = 16
_WORTH: Final[npt.NDArray[np.int64]] = np.array([0, 1, 3, 3, 5, 9, 0])
"""Pawns that each kind counts."""
_STAGE: Final[npt.NDArray[np.int64]] = np.array([0, 0, 1, 1, 2, 4, 0])
"""The addition of each kind to the stage of the game."""


def _on_square(kind: int, is_end: bool, file: int, rank: int) -> int:
    """The worth of a square to a white piece, in hundredths of a pawn.

    By simple rules: pieces to the middle, pawns forward there; the king to the edge of his rank while there
    are many pieces, into the middle when there are few.
    """
    inwards, centre = min(file, 7 - file), min(file, 7 - file) + min(rank, 7 - rank)
    gone = rank - 1
    early = {
        PAWN: 3 * gone * (inwards - 1),
        KNIGHT: 10 * (centre - 3),
        BISHOP: 4 * (centre - 2) - (6 if rank == 0 else 0),
        ROOK: 3 * inwards + (20 if rank == 6 else 0),
        QUEEN: centre - 3,
        KING: -15 * rank - 10 * inwards,
    }
    late = {
        PAWN: 8 * gone,
        KNIGHT: 5 * (centre - 3),
        BISHOP: 3 * (centre - 2),
        ROOK: 0,
        QUEEN: 4 * (centre - 2),
        KING: 10 * (centre - 3),
    }
    return (late if is_end else early)[kind]


ON_SQUARE: Final[npt.NDArray[np.int64]] = np.array(
    [
        [[_on_square(kind, is_end, at % 8, at // 8) for at in range(64)] for kind in range(PAWN, KING + 1)]
        for is_end in (False, True)
    ]
)
"""By phase, kind and square, of white; a black piece's square is that of the rank from its own side."""


def _ahead(side: int, square: int) -> int:
    """The squares before a pawn on its file and beside, which a pawn of the other side must leave to it."""
    step = 1 - 2 * side
    is_ahead = [abs(at % 8 - square % 8) <= 1 and (at // 8 - square // 8) * step > 0 for at in range(64)]
    return sum(1 << at for at in range(64) if is_ahead[at])


AHEAD: Final[Words] = np.array([_ahead(at >> 6, at & 63) for at in range(128)], np.uint64)
BESIDE: Final[Words] = np.array(
    [sum(1 << at for at in range(64) if abs(at % 8 - file) == 1) for file in range(8)], np.uint64
)
"""The files beside each file."""


@kernel
def values(state: State, out: npt.NDArray[np.float64]) -> None:
    """Write each factor, white's less black's: see `MEANINGS`."""
    occupied = occupied_in(state)
    pawns = int(state[PAWN])
    stage = 0
    for i in range(TEMPO):
        out[i] = 0.0
    for side in range(2):
        sign = 1 - 2 * side
        own = int(state[OWN + side])
        others_pawns = pawns & (own ^ FULL)
        own_pawns = pawns & own
        free = (own | pawns_attacks(others_pawns, 1 - side)) ^ FULL
        for kind in range(PAWN, KING + 1):
            pieces = int(state[kind]) & own
            n = count_bits(pieces)
            out[MATERIAL] += sign * n * int(_WORTH[kind])
            stage += n * int(_STAGE[kind])
            if kind == BISHOP and n > 1:
                out[BISHOP_PAIR] += sign
            while pieces != 0:
                square = first_bit(pieces)
                pieces = without_first(pieces)
                seen = square ^ (56 * side)
                out[SQUARES_MID] += sign * int(ON_SQUARE[0, kind - 1, seen])
                out[SQUARES_END] += sign * int(ON_SQUARE[1, kind - 1, seen])
                if kind == PAWN:
                    ahead = int(AHEAD[64 * side + square])
                    if ahead & own_pawns & (int(BESIDE[square & 7]) ^ FULL) != 0:
                        out[DOUBLED] += sign
                    elif ahead & others_pawns == 0:
                        out[PASSED] += sign * ((seen >> 3) - 1)
                    if int(BESIDE[square & 7]) & own_pawns == 0:
                        out[ISOLATED] += sign
                elif kind != KING:
                    out[MOBILITY] += sign * count_bits(attacks_of(kind, square, occupied) & free)
        out[KING_SHELTER] += sign * count_bits(_before_king(king_of(state, side), side) & own_pawns)
    early = min(stage, _MOST_EARLY) / _MOST_EARLY
    out[SQUARES_MID] *= early
    out[SQUARES_END] *= 1.0 - early
    out[KING_SHELTER] *= early
    out[PASSED] *= 2.0 - early
    out[BISHOP_PAIR] *= 2.0 - early
    out[TEMPO] = early if player(state) == 0 else -early


@kernel
def _before_king(king: int, side: int) -> int:
    """The squares of a king's shelter: two ranks of its file and those beside."""
    near = int(AHEAD[64 * side + king])
    beside = int(KING_ATTACKS[king])
    return near & (beside | ((beside << 8) & FULL if side == 0 else beside >> 8))
