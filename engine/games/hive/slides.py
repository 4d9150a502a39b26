"""Slides of ants and spiders along the rim of the hive, during which the piece is lifted.

A visited cell is `SEEN`. The piece's own cell counts as empty on the way: it is removed from its neighbours'
words, and put back. A slide never goes back the way it came.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import OFFSETS, RING, SLIDES, WRAP
from plyscope.engine.games.hive.pieces import flip_around
from plyscope.engine.games.hive.state import BLACK, PLY_BITS, Plies, ring_of, see
from plyscope.engine.jit import first_bit, kernel

_CAME: Final = PLY_BITS.bit_length()
"""Above the ply of a cell in an ant's queue stands from this bit on the direction of the slide onto it."""

_BACK: Final[npt.NDArray[np.int64]] = np.array([1 << (d + 3) % 6 for d in range(6)])
"""The way back of each direction, as a set."""


def _onward(came: int, ring: int) -> int:
    """The one slide that goes on from a cell, -1 where there is none or a choice."""
    ways = int(SLIDES[ring]) & ~(1 << (came + 3) % 6)
    if ways.bit_count() != 1:
        return -1
    d = ways.bit_length() - 1
    return d << 10 | int(OFFSETS[d]) & WRAP


_ONWARD: Final[npt.NDArray[np.int16]] = np.array([_onward(i >> 6, i & RING) for i in range(512)], np.int16)
"""The slide that goes on, not back, by the direction of the last times 64 plus the ring of neighbours.

Bits 0-9 are what it adds to a cell's number, from bit 10 on its direction; -1 is none, or several.
"""


@kernel
def walk(state: State, plies: Plies, n: int, piece: int, cell: int) -> int:
    """Add an ant's plies: all cells that it reaches by slides. The plies so far are the queue."""
    lift(state, cell, piece)
    turn = n
    n = _slide_on(state, plies, n, piece, cell, int(SLIDES[ring_of(int(state[cell]))]))
    while turn < n:
        if n - turn == 2:
            turn = _walk_both_ways(state, plies, turn, piece)
            n = turn + 2
        entry = int(plies[turn])
        plies[turn] = entry & PLY_BITS
        turn += 1
        at = (entry >> 5) & WRAP
        came = (entry >> _CAME) & 7
        onward = int(SLIDES[ring_of(int(state[at]))]) & ~int(_BACK[came])
        n = _slide_on(state, plies, n, piece, at, onward)
    lower(state, cell, piece)
    return n


@kernel
def _walk_both_ways(state: State, plies: Plies, turn: int, piece: int) -> int:
    """Go on from both cells in the queue by turns while there is a new slide; return whose turn it is.

    Most of a walk goes this way. A step waits for the one before it. So the two cells and their onward slides
    (`way`, a place in `_ONWARD`), stay out of the queue, and steps on both ways overlap.
    """
    entry = int(plies[turn])
    at = (entry >> 5) & WRAP
    way = (((entry >> _CAME) & 7) << 6) | ring_of(int(state[at]))
    entry = int(plies[turn + 1])
    next_at = (entry >> 5) & WRAP
    next_way = (((entry >> _CAME) & 7) << 6) | ring_of(int(state[next_at]))
    while True:
        step = int(_ONWARD[way])
        beside = (at + step) & WRAP
        found = int(state[beside])
        if step < 0 or not see(state, beside):
            break
        plies[turn] = (at << 5) | piece
        turn += 1
        at = next_at
        way = next_way
        next_at = beside
        next_way = ((step >> 10) << 6) | ring_of(found)
    plies[turn] = ((way >> 6) << _CAME) | (at << 5) | piece
    plies[turn + 1] = ((next_way >> 6) << _CAME) | (next_at << 5) | piece
    return turn


@kernel
def _slide_on(state: State, plies: Plies, n: int, piece: int, cell: int, directions: int) -> int:
    """Add the neighbours of `cell` in these directions that were not yet added, each with its direction."""
    while directions != 0:
        d = first_bit(directions)
        directions &= directions - 1
        beside = (cell + int(OFFSETS[d])) & WRAP
        if see(state, beside):
            plies[n] = (d << _CAME) | (beside << 5) | piece
            n += 1
    return n


@kernel
def three_steps(state: State, plies: Plies, n: int, piece: int, cell: int, ring: int) -> int:
    """Add a spider's plies: three slides that enter no cell twice."""
    lift(state, cell, piece)
    first = int(SLIDES[ring])
    while first != 0:
        d = first_bit(first)
        first &= first - 1
        one = (cell + int(OFFSETS[d])) & WRAP
        second = int(SLIDES[ring_of(int(state[one]))]) & ~int(_BACK[d])
        while second != 0:
            d = first_bit(second)
            second &= second - 1
            two = (one + int(OFFSETS[d])) & WRAP
            third = int(SLIDES[ring_of(int(state[two]))]) & ~int(_BACK[d])
            while third != 0:
                d = first_bit(third)
                third &= third - 1
                end = (two + int(OFFSETS[d])) & WRAP
                if see(state, end):
                    plies[n] = (end << 5) | piece
                    n += 1
    lower(state, cell, piece)
    return n


@kernel
def lift(state: State, cell: int, piece: int) -> None:
    """Remove `cell` from its neighbours' words, and block the way back onto it."""
    flip_around(state, cell, 64 if piece >= BLACK else 1)
    see(state, cell)


@kernel
def lower(state: State, cell: int, piece: int) -> None:
    """Undo `lift`, but that `cell` stays `SEEN`: no ply of its own piece ends on it."""
    flip_around(state, cell, 64 if piece >= BLACK else 1)
