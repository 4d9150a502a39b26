"""The exact score of Reversi's last four cells, without a stack, a table or lists of plies.

Nearly all positions of an end-game search have four empty cells or fewer. Each number of cells has a kernel
that tries every cell in turn, knowing which cells are left: no position asks where it may play. A side that
cannot play passes; when neither can, the game is over. Scores are discs from the mover's view, empty cells
counted to the winner; outside the window they are bounds.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from plyscope.engine.games.bits import FULL, cell
from plyscope.engine.games.reversi import flips
from plyscope.engine.jit import count_bits, first_bit, kernel

LAST_CELLS: Final = 4

# Quadrants, those whose top bit is clear as complements (see plyscope.engine.games.bits).
_NOT_NORTH_WEST: Final = 0xFFFF_FFFF_F0F0_F0F0
_NOT_NORTH_EAST: Final = 0xFFFF_FFFF_0F0F_0F0F
_NOT_SOUTH_WEST: Final = 0xF0F0_F0F0_FFFF_FFFF
_SOUTH_EAST: Final = 0xF0F0_F0F0_0000_0000

Nodes: TypeAlias = npt.NDArray[np.int64]

NO_SCORE: Final = -65
"""Below every score."""


@kernel
def final_score(mover: int, other: int) -> int:
    """Return the discs of `mover` less those of `other`, empty cells counted to the winner."""
    own = count_bits(mover)
    lead = own - count_bits(other)
    empty = 64 - count_bits(mover | other)
    if lead > 0:
        return lead + empty
    return lead - empty if lead < 0 else 0


@kernel
def odd_cells(empties: int) -> int:
    """Return the empty cells of the quadrants that have an odd number of them.

    Who plays there first will, as a rule, also play there last: such plies are tried first.
    """
    odd = empties ^ empties
    for quadrant in (
        empties & (_NOT_NORTH_WEST ^ FULL),
        empties & (_NOT_NORTH_EAST ^ FULL),
        empties & (_NOT_SOUTH_WEST ^ FULL),
        empties & _SOUTH_EAST,
    ):
        if count_bits(quadrant) & 1 != 0:
            odd |= quadrant
    return odd


@kernel
def last_cells(mover: int, other: int, alpha: int, beta: int, nodes: Nodes) -> int:
    """Return the score of a position with one to four empty cells; `nodes[0]` counts the positions."""
    rest = (mover | other) ^ FULL
    odd = odd_cells(rest)
    rest ^= odd
    a = b = c = d = rest
    n = 0
    while odd | rest != 0:
        following = cell(first_bit(odd if odd != 0 else rest))
        if odd != 0:
            odd ^= following
        else:
            rest ^= following
        a, b, c, d = b, c, d, following
        n += 1
    if n == 4:
        return _four(mover, other, (a, b, c, d), alpha, beta, nodes)
    if n == 3:
        return _three(mover, other, (b, c, d), alpha, beta, nodes)
    if n == 2:
        return _two(mover, other, (c, d), alpha, beta, nodes)
    return _one(mover, other, d, nodes)


@kernel
def _four(
    mover: int,
    other: int,
    cells: tuple[int, int, int, int],
    alpha: int,
    beta: int,
    nodes: Nodes,
) -> int:
    a, b, c, d = cells
    sign = 1
    for _ in range(2):
        nodes[0] += 1
        best = NO_SCORE
        for placed, rest in ((a, (b, c, d)), (b, (a, c, d)), (c, (a, b, d)), (d, (a, b, c))):
            turned = flips(placed, mover, other)
            if turned != 0:
                value = -_three(other ^ turned, mover ^ (turned | placed), rest, -beta, -alpha, nodes)
                best = max(best, value)
                alpha = max(alpha, value)
                if value >= beta:
                    break
        if best != NO_SCORE:
            return sign * best
        mover, other = other, mover
        alpha, beta = -beta, -alpha
        sign = -sign
    return final_score(mover, other)


@kernel
def _three(mover: int, other: int, cells: tuple[int, int, int], alpha: int, beta: int, nodes: Nodes) -> int:
    a, b, c = cells
    sign = 1
    for _ in range(2):
        nodes[0] += 1
        best = NO_SCORE
        for placed, rest in ((a, (b, c)), (b, (a, c)), (c, (a, b))):
            turned = flips(placed, mover, other)
            if turned != 0:
                value = -_two(other ^ turned, mover ^ (turned | placed), rest, -beta, -alpha, nodes)
                best = max(best, value)
                alpha = max(alpha, value)
                if value >= beta:
                    break
        if best != NO_SCORE:
            return sign * best
        mover, other = other, mover
        alpha, beta = -beta, -alpha
        sign = -sign
    return final_score(mover, other)


@kernel
def _two(mover: int, other: int, cells: tuple[int, int], alpha: int, beta: int, nodes: Nodes) -> int:
    a, b = cells
    sign = 1
    for _ in range(2):
        nodes[0] += 1
        best = NO_SCORE
        turned = flips(a, mover, other)
        if turned != 0:
            best = -_one(other ^ turned, mover ^ (turned | a), b, nodes)
        if best < beta:
            turned = flips(b, mover, other)
            if turned != 0:
                best = max(best, -_one(other ^ turned, mover ^ (turned | b), a, nodes))
        if best != NO_SCORE:
            return sign * best
        mover, other = other, mover
        beta = -alpha
        sign = -sign
    return final_score(mover, other)


@kernel
def _one(mover: int, other: int, last: int, nodes: Nodes) -> int:
    nodes[0] += 1
    own = count_bits(mover)
    turned = count_bits(flips(last, mover, other))
    if turned != 0:
        return 2 * (own + turned + 1) - 64
    turned = count_bits(flips(last, other, mover))
    if turned != 0:
        return 2 * (own - turned) - 64
    return final_score(mover, other)
