"""Squares as bits, and the attacks of a piece: tables of steps, and lines cut at the first piece.

Bit 0 is a1, bit 7 h1, bit 63 h8. Four lines run through a square: its rank, its file and two diagonals. Each
is kept in two halves, towards lower and towards higher numbers: a sliding piece attacks a half up to and with
its first occupied square, which is the highest bit below, or the lowest bit above. So no table of attacks by
occupancy is needed. Nothing here knows of a position.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.games.bits import FULL, TOP, cell
from plyscope.engine.jit import first_bit, kernel, last_bit

Words = npt.NDArray[np.uint64]

Step = tuple[int, int]
"""Files to the right and ranks up."""

LINE_STEPS: Final[tuple[Step, ...]] = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""The steps of a rank, a file and both diagonals towards higher numbers."""
N_LINES: Final = len(LINE_STEPS)
KING_STEPS: Final = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
KNIGHT_STEPS: Final = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))


def _walk(square: int, step: Step) -> list[int]:
    """The squares that are reached by repeating a step, to the edge."""
    x, y = square % 8 + step[0], square // 8 + step[1]
    found = []
    while 0 <= x < 8 and 0 <= y < 8:
        found.append(8 * y + x)
        x, y = x + step[0], y + step[1]
    return found


def bits_of(squares: list[int]) -> int:
    """The word with the bits of some squares.

    >>> bits_of([0, 2])
    5
    """
    return sum(1 << square for square in squares)


def _one_step(square: int, steps: tuple[Step, ...]) -> int:
    return bits_of([at for step in steps for at in _walk(square, step)[:1]])


def _words(words: list[int]) -> Words:
    return np.array(words, np.uint64)


KNIGHT_ATTACKS: Final[Words] = _words([_one_step(square, KNIGHT_STEPS) for square in range(64)])
"""The squares that a knight attacks, by its own."""
KING_ATTACKS: Final[Words] = _words([_one_step(square, KING_STEPS) for square in range(64)])
PAWN_ATTACKS: Final[Words] = _words(
    [_one_step(square, ((-1, up), (1, up))) for up in (1, -1) for square in range(64)]
)
"""The squares that a white pawn attacks, by its own, then those of a black one."""

ABOVE: Final[Words] = _words([bits_of(_walk(square, step)) for square in range(64) for step in LINE_STEPS])
BELOW: Final[Words] = _words(
    [bits_of(_walk(square, (-x, -y))) for square in range(64) for x, y in LINE_STEPS]
)
"""The halves of the four lines through each square, without the square."""


@kernel
def without_first(word: int) -> int:
    """Return `word`, which is not 0, without its lowest bit."""
    return word & (word - cell(0))


@kernel
def along(square: int, line: int, occupied: int) -> int:
    """The squares of a line that a sliding piece attacks, occupied ones at its ends included."""
    at = N_LINES * square + line
    above = int(ABOVE[at])
    below = int(BELOW[at])
    reached = above & (FULL >> (63 - first_bit((occupied & above) | TOP)))
    return reached | (below & (FULL << last_bit(occupied & below)))


def _on_line(one: int, other: int) -> tuple[int, int]:
    """The squares between two on a line, and the whole of it; nothing where no line has both."""
    for line in range(N_LINES):
        both = int(ABOVE[N_LINES * one + line]) | int(BELOW[N_LINES * one + line])
        if both >> other & 1:
            return along(one, line, 1 << other) & along(other, line, 1 << one), both | 1 << one
    return 0, 0


BETWEEN, LINE = np.array(
    [_on_line(one, other) for one in range(64) for other in range(64)], np.uint64
).T.copy()
"""The squares between two on a line, by 64 times one plus the other; the whole line, both included."""


_NOT_A_FILE: Final = 0xFEFE_FEFE_FEFE_FEFE
_H_FILE: Final = 0x8080_8080_8080_8080


@kernel
def pawns_attacks(pawns: int, side: int) -> int:
    """The squares that all pawns of a side attack."""
    left = pawns & _NOT_A_FILE
    right = pawns & (_H_FILE ^ FULL)
    if side == 0:
        return ((left << 7) | (right << 9)) & FULL
    return (left >> 9) | (right >> 7)


def square_name(square: int) -> str:
    """Return the name of a square.

    >>> square_name(0), square_name(12)
    ('a1', 'e2')
    """
    return "abcdefgh"[square % 8] + str(square // 8 + 1)
