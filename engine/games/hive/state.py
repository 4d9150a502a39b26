"""A position of Hive as one flat int32 array, and the meaning of its entries.

    0 … 1023      a word per cell: bits 0-5 which neighbours show a white piece on top, bits 6-11 a black one,
                  bits 12-16 the top piece, bits 17-19 how many pieces stand here
    AT + piece    the piece's cell, -1 in hand
    BELOW + piece the piece under it, where there is one
    HAND + kind   how many of white's kind are in hand; black's from HAND + 8
    JOURNAL + 4 i ply i as it was played, then both halves of the key and the shape before it

Pieces are numbered Q S1 S2 B1 B2 G1 G2 G3 A1 A2 A3 M L P, white's from 0, black's from 14. A ply's number has
the piece in bits 0-4 and the cell it ends on in bits 5-14; `PASS` is a piece that does not exist.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import N_CELLS
from plyscope.engine.jit import kernel

N_PIECES: Final = 28
BLACK: Final = 14
"""The first of black's pieces."""

QUEEN: Final = 0
SPIDER: Final = 1
BEETLE: Final = 2
GRASSHOPPER: Final = 3
ANT: Final = 4
MOSQUITO: Final = 5
LADYBUG: Final = 6
PILLBUG: Final = 7
N_KINDS: Final = 8

LETTERS: Final = "QSBGAMLP"
"""The letter of each kind."""

_KINDS_OF_A_SIDE: Final = (0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 6, 7)
KIND: Final[npt.NDArray[np.int64]] = np.array(_KINDS_OF_A_SIDE * 2 + (0,) * 4)
"""The kind of each piece."""

COUNT: Final[npt.NDArray[np.int64]] = np.array([_KINDS_OF_A_SIDE.count(kind) for kind in range(N_KINDS)])
FIRST: Final[npt.NDArray[np.int64]] = np.array([_KINDS_OF_A_SIDE.index(kind) for kind in range(N_KINDS)])

PIECE_BITS: Final = 31
PASS: Final = 31

LONGEST: Final = 1024
"""Plies that a journal holds; a game that gets there is drawn."""

PLY_BITS: Final = 0x7FFF
"""The bits of a ply's number; an entry of the journal has more above them."""

Plies = npt.NDArray[np.int32]
"""The array that plies are written to, one number each."""

AT: Final = N_CELLS
BELOW: Final = AT + 32
HAND: Final = BELOW + 32
IN_PLAY: Final = HAND + 16
"""The number of white's pieces in play; black's follows."""
N_PLIES: Final = IN_PLAY + 2
TALL: Final = N_PLIES + 1
"""Pieces that stand on others."""
KEY: Final = TALL + 1
"""The two halves of the position's key."""
SHAPE: Final = KEY + 2
"""Four counts of a byte each: cells beside white's tops alone, beside black's alone, holes, pits.

Holes are empty places that the hive encloses, and 1 on the empty board, where the sum over pieces begins;
pits are the holes of one cell.
"""
HAS_PILLBUG: Final = SHAPE + 1
REPETITION: Final = HAS_PILLBUG + 1
"""1 where a position's third occurrence is a draw."""
TYPE: Final = REPETITION + 1
"""The game type: bit 0 mosquito, bit 1 ladybug, bit 2 pillbug."""
SEEN: Final = TYPE + 1
"""A bit a cell, 32 an entry: where a piece may end whose plies are being generated. 0 before and after."""
JOURNAL: Final = SEEN + N_CELLS // 32
STATE_SIZE: Final = JOURNAL + 4 * LONGEST

_SIGN: Final = 1 << 31
HOLES_SHIFT: Final = 16
PITS_SHIFT: Final = 24


@kernel
def ring_of(word: int) -> int:
    """The occupied neighbours in a cell's word."""
    return (word | (word >> 6)) & 63


@kernel
def height_of(word: int) -> int:
    """Return the number of pieces on a cell, from its word."""
    return (word >> 17) & 7


@kernel
def top_of(word: int) -> int:
    """The top piece in a cell's word, where one stands."""
    return (word >> 12) & 31


@kernel
def last_moved(state: State) -> int:
    """The piece that the ply before placed, moved or threw; 31 after a pass and before the first ply."""
    n_plies = int(state[N_PLIES])
    if n_plies == 0:
        return PASS
    return int(state[JOURNAL + 4 * n_plies - 4]) & PIECE_BITS


@kernel
def see(state: State, cell: int) -> bool:
    """Have `cell` `SEEN`; return whether it was not before."""
    at = SEEN + (cell >> 5)
    seen = int(state[at])
    if (seen >> (cell & 31)) & 1 != 0:
        return False
    bit = 1 << (cell & 31)
    state[at] = seen | ((bit ^ _SIGN) - _SIGN)  # as 32 bits with a sign
    return True


@kernel
def forget(state: State) -> None:
    """Have no cell `SEEN`."""
    for i in range(SEEN, JOURNAL):
        state[i] = 0


def new_state(game_type: int, repetition: bool) -> State:
    """The empty board of a game type; bit 0 mosquito, bit 1 ladybug, bit 2 pillbug."""
    state = np.zeros(STATE_SIZE, np.int32)
    state[AT : AT + N_PIECES] = -1
    for side in (0, 1):
        for kind in range(N_KINDS):
            in_game = kind < MOSQUITO or game_type >> (kind - MOSQUITO) & 1
            state[HAND + 8 * side + kind] = COUNT[kind] if in_game else 0
    state[SHAPE] = 1 << HOLES_SHIFT
    state[HAS_PILLBUG] = game_type >> 2 & 1
    state[REPETITION] = int(repetition)
    state[TYPE] = game_type
    return state


def journal(state: State) -> list[int]:
    """The plies played so far: their numbers in bits 0-14, more above."""
    entries: list[int] = state[JOURNAL : JOURNAL + 4 * int(state[N_PLIES]) : 4].tolist()
    return entries
