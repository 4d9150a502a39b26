"""A position of chess as one flat array of unsigned words, and the meaning of its entries.

    SIDE           0 where white is to move, 1 for black
    PAWN … KING    the pieces of each kind, a bit a square
    OWN + side     the pieces of a side
    RIGHTS         castling: 1 and 2 for white's king's and queen's side, 4 and 8 for black's
    EN_PASSANT     the bit of the square on which a pawn can be taken in passing by a legal ply, else 0
    CLOCK          plies since the last capture or pawn's ply
    NUMBER         the number of the move, as a FEN has it
    HASH           the key of the position
    N_PLIES        plies in the journal
    JOURNAL + 2 i  what ply i changed, then the key before it; a ring of `ROOM` plies

A ply's number has the square it begins on in bits 0-5, its end in bits 6-11, the kind of the moving piece, of
the piece taken and of the piece promoted to above, and a bit each for en passant and castling. `PASS` is the
null move.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import State
from plyscope.engine.games.bits import FULL, cell
from plyscope.engine.games.chess.squares import (
    BETWEEN,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    PAWN_ATTACKS,
    Words,
    along,
    without_first,
)
from plyscope.engine.jit import count_bits, first_bit, kernel

SIDE, OWN = 0, 7
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
RIGHTS, EN_PASSANT, CLOCK, NUMBER, HASH, N_PLIES, JOURNAL = range(9, 16)
ROOM: Final = 1200
"""Plies that can be taken back: as many as the deepest search has, and those in which a position repeats."""
STATE_SIZE: Final = JOURNAL + 2 * ROOM

LETTERS: Final = "-PNBRQK"
"""The letter of each kind."""

Plies = npt.NDArray[np.int32]
"""The array that plies are written to, one number each."""

# A ply's number.
PASS: Final = 0
END_SHIFT: Final = 6
MOVED, TAKEN, PROMOTED = 12, 15, 18
IS_EN_PASSANT: Final = 1 << 21
IS_CASTLING: Final = 1 << 22
PLY_BITS: Final = (1 << 23) - 1

RIGHTS_AT, FILES_AT, BLACK_AT = 768, 784, 792
NUMBERS: Final[Words] = np.random.default_rng(20261126).integers(0, 2**64, BLACK_AT + 1, np.uint64)
"""A random word for each side and kind on each square, for castling rights, files of en passant, black."""


@kernel
def start_of(ply: int) -> int:
    """The square on which a ply begins."""
    return ply & 63


@kernel
def end_of(ply: int) -> int:
    """The square on which a ply ends; of castling, the king's."""
    return (ply >> END_SHIFT) & 63


@kernel
def kind_in(ply: int, shift: int) -> int:
    """The kind of the piece MOVED, TAKEN or PROMOTED to by a ply, 0 where there is none."""
    return (ply >> shift) & 7


@kernel
def number(entry: int) -> int:
    """Return a small number of the state as a signed one, with which one can count."""
    return int(np.int64(entry))


@kernel
def number_of(side: int, kind: int, square: int) -> int:
    """The place in `NUMBERS` of a piece on a square."""
    return ((6 * side + kind - 1) << 6) + square


@kernel
def player(state: State) -> int:
    """0 for white, 1 for black."""
    return 0 if state[SIDE] == 0 else 1


@kernel
def occupied_in(state: State) -> int:
    """All pieces."""
    return int(state[OWN]) | int(state[OWN + 1])


@kernel
def kind_at(state: State, square: int) -> int:
    """The kind of the piece on a square, 0 where none stands."""
    at = cell(square)
    if occupied_in(state) & at != 0:
        for kind in range(PAWN, KING + 1):
            if int(state[kind]) & at != 0:
                return kind
    return 0


@kernel
def attacks_of(kind: int, square: int, occupied: int) -> int:
    """The squares that a piece other than a pawn attacks, given the `occupied` squares."""
    if kind == KNIGHT:
        return int(KNIGHT_ATTACKS[square])
    if kind == KING:
        return int(KING_ATTACKS[square])
    found = occupied ^ occupied
    if kind != ROOK:
        found |= along(square, 2, occupied) | along(square, 3, occupied)
    if kind != BISHOP:
        found |= along(square, 0, occupied) | along(square, 1, occupied)
    return found


@kernel
def sliders_at(state: State, square: int, occupied: int) -> int:
    """The sliding pieces of both sides that attack a square."""
    queens = int(state[QUEEN])
    found = attacks_of(ROOK, square, occupied) & (int(state[ROOK]) | queens)
    return found | (attacks_of(BISHOP, square, occupied) & (int(state[BISHOP]) | queens))


@kernel
def attackers(state: State, square: int, side: int, occupied: int) -> int:
    """The pieces of `side` that attack a square."""
    found = int(PAWN_ATTACKS[64 * (1 - side) + square]) & int(state[PAWN])
    found |= int(KNIGHT_ATTACKS[square]) & int(state[KNIGHT])
    found |= int(KING_ATTACKS[square]) & int(state[KING])
    return (found | sliders_at(state, square, occupied)) & int(state[OWN + side])


@kernel
def king_of(state: State, side: int) -> int:
    """The square of a side's king."""
    return first_bit(int(state[KING]) & int(state[OWN + side]))


@kernel
def pinned_for(state: State, side: int) -> int:
    """The pinned pieces of a side, each alone between its king and a sliding piece of the other."""
    king = king_of(state, side)
    own = int(state[OWN + side])
    others = int(state[OWN + 1 - side])
    snipers = sliders_at(state, king, others) & others
    pinned = own ^ own
    while snipers != 0:
        between = int(BETWEEN[64 * king + first_bit(snipers)]) & own
        if count_bits(between) == 1:
            pinned |= between
        snipers = without_first(snipers)
    return pinned


@kernel
def passing(state: State, end: int, side: int) -> int:
    """The pawns of `side` that may take in passing on `end`: their king is not in check then."""
    pawns = int(PAWN_ATTACKS[64 * (1 - side) + end]) & int(state[PAWN]) & int(state[OWN + side])
    taken = cell(end - 8 if side == 0 else end + 8)
    occupied = occupied_in(state) ^ cell(end) ^ taken
    found = pawns ^ pawns
    while pawns != 0:
        start = cell(first_bit(pawns))
        pawns = without_first(pawns)
        if attackers(state, king_of(state, side), 1 - side, occupied ^ start) & (taken ^ FULL) == 0:
            found |= start
    return found


def empty_board() -> State:
    """A state without pieces, white to move."""
    state = np.zeros(STATE_SIZE, np.uint64)
    state[NUMBER] = 1
    return state


def hashed(state: State) -> int:
    """The key of a position, from its pieces; `apply` and `undo` keep it up to date."""
    word = int(NUMBERS[RIGHTS_AT + int(state[RIGHTS])])
    for side in (0, 1):
        for square in range(64):
            if int(state[OWN + side]) >> square & 1:
                word ^= int(NUMBERS[number_of(side, kind_at(state, square), square)])
    if state[EN_PASSANT]:
        word ^= int(NUMBERS[FILES_AT + first_bit(int(state[EN_PASSANT])) % 8])
    return word ^ int(NUMBERS[BLACK_AT]) if state[SIDE] else word
