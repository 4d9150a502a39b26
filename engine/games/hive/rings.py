"""The tiles around the queens after a ply, found without playing it, to guide play-outs of Hive."""

from __future__ import annotations

from typing import Final

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import DIRECTION, N_CELLS, WRAP
from plyscope.engine.games.hive.play import player
from plyscope.engine.games.hive.state import AT, BLACK, PASS, PIECE_BITS, height_of, ring_of
from plyscope.engine.jit import count_bits, kernel

NOWHERE: Final = -1


@kernel
def ring(state: State, ply: int) -> int:
    """Return the occupied neighbours of the other side's queen less those of the mover's, after `ply`.

    A queen in hand has none. The answer is between -6 and 6.
    """
    own = BLACK * player(state)
    other = BLACK - own
    return around(state, other, ply) - around(state, own, ply)


@kernel
def around(state: State, queen: int, ply: int) -> int:
    """Return the occupied neighbours of a queen, piece 0 or 14, after `ply`."""
    piece = int(ply) & PIECE_BITS
    at = int(state[AT + queen])
    left = NOWHERE
    end = NOWHERE
    if piece != PASS:
        left = int(state[AT + piece])
        end = (int(ply) >> 5) & WRAP
        if piece == queen:
            at = end
    if at < 0:
        return 0
    n = count_bits(ring_of(int(state[at])))
    if left >= 0 and height_of(int(state[left])) == 1 and is_beside(at, left):
        n -= 1  # the cell that the piece leaves is empty then
    if end >= 0 and height_of(int(state[end])) == 0 and is_beside(at, end):
        n += 1
    return n


@kernel
def is_beside(cell: int, other: int) -> bool:
    """Whether two cells are neighbours."""
    return bool(DIRECTION[(other - cell) & (N_CELLS - 1)] < 6)
