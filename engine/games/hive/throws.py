"""Throws by a pillbug, or a mosquito beside one: a neighbour goes over it to an empty cell beside it.

All throws by one piece are a number: bits 0-27 are the pieces it may lift without splitting the hive, bits
28-37 its cell, bits 38-43 the directions in which it may put them down. 0 means no throw.
"""

from __future__ import annotations

from typing import Final

from plyscope.engine.game import State
from plyscope.engine.games.hive.bugs import add_around, kinds_around, tall_around
from plyscope.engine.games.hive.cells import BETWEEN, OFFSETS, RING, WRAP
from plyscope.engine.games.hive.connection import splits
from plyscope.engine.games.hive.state import (
    AT,
    BLACK,
    FIRST,
    MOSQUITO,
    N_PIECES,
    PILLBUG,
    Plies,
    forget,
    height_of,
    ring_of,
    top_of,
)
from plyscope.engine.jit import first_bit, kernel

_LANDINGS: Final = N_PIECES + 10
_SIDE: Final = (1 << BLACK) - 1
_THE_MOSQUITO: Final = int(FIRST[MOSQUITO])
_THE_PILLBUG: Final = int(FIRST[PILLBUG])


@kernel
def pillbugs_throws(state: State, side: int, last: int) -> int:
    """The throws by a side's pillbug."""
    cell = _able(state, BLACK * side + _THE_PILLBUG, last)
    return _throws_over(state, cell, last) if cell >= 0 else 0


@kernel
def mosquitos_throws(state: State, side: int, last: int) -> int:
    """The throws by a side's mosquito, if it is beside a pillbug."""
    cell = _able(state, BLACK * side + _THE_MOSQUITO, last)
    if cell < 0 or (kinds_around(state, cell) >> PILLBUG) & 1 == 0:
        return 0
    return _throws_over(state, cell, last)


@kernel
def add_throws(state: State, plies: Plies, n: int, piece: int, throws: int, more_throws: int) -> int:
    """Add the throws of `piece` by two throwers, if they may lift it; its cells stay `SEEN`."""
    if (throws >> piece) & 1 != 0:
        n = add_around(state, plies, n, piece, (throws >> N_PIECES) & WRAP, throws >> _LANDINGS)
    if (more_throws >> piece) & 1 != 0:
        n = add_around(state, plies, n, piece, (more_throws >> N_PIECES) & WRAP, more_throws >> _LANDINGS)
    return n


@kernel
def throws_of_others(state: State, plies: Plies, n: int, side: int, throws: int, more_throws: int) -> int:
    """Throws of the opponent's pieces by two pieces of `side`."""
    pieces = (throws | more_throws) & (_SIDE << BLACK * (1 - side))
    while pieces != 0:
        piece = first_bit(pieces)
        pieces &= pieces - 1
        cell = int(state[AT + piece]) & WRAP
        if not splits(state, cell, ring_of(int(state[cell]))):
            n = add_throws(state, plies, n, piece, throws, more_throws)
            forget(state)
    return n


@kernel
def _able(state: State, piece: int, last: int) -> int:
    """The cell of a piece that stands uncovered on the ground and did not move on the ply before, else -1."""
    cell = int(state[AT + piece])
    if cell >= 0 and piece != last:
        found = int(state[cell])
        if top_of(found) == piece and height_of(found) == 1:
            return cell & WRAP
    return -1


@kernel
def _throws_over(state: State, cell: int, last: int) -> int:
    """The throws by the piece on `cell`.

    A gate above it is two neighbours of height 2 or more. The piece moved last cannot be thrown.
    """
    ring = ring_of(int(state[cell]))
    open_ways = RING & ~int(BETWEEN[tall_around(state, cell)])
    beside = ring & open_ways
    pieces = 0
    while beside != 0:
        d = first_bit(beside)
        beside &= beside - 1
        found = int(state[(cell + int(OFFSETS[d])) & WRAP])
        if height_of(found) == 1:
            pieces |= 1 << top_of(found)
    pieces &= ~(1 << last)
    return pieces | (cell << N_PIECES) | ((open_ways & ~ring) << _LANDINGS)
