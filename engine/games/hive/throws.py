"""What a pillbug, or a mosquito beside one, throws: a neighbour over itself onto an empty cell beside it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.game import State
from engine.games.hive.bugs import add_around, forget, tall_around
from engine.games.hive.cells import BETWEEN, DIRECTION, RING, WRAP
from engine.games.hive.connection import splits
from engine.games.hive.state import AT, BLACK, height_of, ring_of, top_of
from engine.jit import kernel

Plies = npt.NDArray[np.int32]


@kernel
def able(state: State, piece: int, last: int) -> int:
    """The cell of a piece that stands uncovered on the ground and did not move on the ply before, else -1."""
    cell = int(state[AT + piece])
    if cell >= 0 and piece != last:
        found = int(state[cell])
        if top_of(found) == piece and height_of(found) == 1:
            return cell
    return -1


@kernel
def throws_by(state: State, plies: Plies, n: int, piece: int, cell: int, thrower: int) -> int:
    """Add where the pillbug (or mosquito) on `thrower` throws `piece`, which may leave `cell`, if beside it.

    Over the thrower, whose height is 1, a gate is two neighbours of height 2 or more.
    """
    d = int(DIRECTION[(cell - thrower) & WRAP])
    if d < 6:
        gates = int(BETWEEN[tall_around(state, thrower)])
        if (gates >> d) & 1 == 0:
            empty = ring_of(int(state[thrower])) ^ RING
            n = add_around(state, plies, n, piece, thrower, empty & ~gates)
    return n


@kernel
def throws_of_others(
    state: State, plies: Plies, n: int, side: int, last: int, thrower: int, mimic: int
) -> int:
    """Throws of the opponent's pieces."""
    others = BLACK * (1 - side)
    for piece in range(others, others + BLACK):
        cell = able(state, piece, last)
        if cell >= 0:
            start = n
            n = throws_by(state, plies, n, piece, cell, thrower)
            if mimic >= 0:
                n = throws_by(state, plies, n, piece, cell, mimic)
            if n > start:
                forget(state, plies, start, n)
                if splits(state, cell, ring_of(int(state[cell]))):
                    n = start
    return n
