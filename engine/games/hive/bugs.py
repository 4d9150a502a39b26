"""The moves of each bug, once it may leave its cell.

A bit a cell (`SEEN`) keeps each destination of a piece unique; `forget` clears them all before the next
piece. How ants and spiders slide is in `slides`.
"""

from __future__ import annotations

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import BETWEEN, OFFSETS, RING, SLIDES, WRAP
from plyscope.engine.games.hive.slides import lift, lower, three_steps, walk
from plyscope.engine.games.hive.state import (
    ANT,
    BEETLE,
    GRASSHOPPER,
    KIND,
    LADYBUG,
    MOSQUITO,
    PILLBUG,
    QUEEN,
    SPIDER,
    TALL,
    Plies,
    height_of,
    ring_of,
    see,
    top_of,
)
from plyscope.engine.jit import first_bit, kernel


@kernel
def moves_of(state: State, plies: Plies, n: int, piece: int, cell: int, ring: int, height: int) -> int:
    """The moves of a piece that may leave its cell, by its kind; their cells stay `SEEN`."""
    kind = int(KIND[piece])
    kinds = 1 << kind
    if kind == MOSQUITO:
        kinds = 1 << BEETLE if height > 1 else kinds_around(state, cell)
    if (kinds >> ANT) & 1 != 0:
        n = walk(state, plies, n, piece, cell)
    elif kinds & (1 << SPIDER) != 0:
        n = three_steps(state, plies, n, piece, cell, ring)
    if kinds & ((1 << QUEEN) | (1 << PILLBUG)) != 0:
        n = add_around(state, plies, n, piece, cell, int(SLIDES[ring]))
    if (kinds >> GRASSHOPPER) & 1 != 0:
        n = _jump(state, plies, n, piece, cell, ring)
    if (kinds >> BEETLE) & 1 != 0:
        n = add_around(state, plies, n, piece, cell, climbs(state, cell, ring, height - 1))
    if (kinds >> LADYBUG) & 1 != 0:
        n = _over_the_top(state, plies, n, piece, cell, ring)
    return n


@kernel
def add_around(state: State, plies: Plies, n: int, piece: int, cell: int, directions: int) -> int:
    """Add the neighbours of `cell` in these directions that were not yet added."""
    while directions != 0:
        d = first_bit(directions)
        directions &= directions - 1
        beside = (cell + int(OFFSETS[d])) & WRAP
        if see(state, beside):
            plies[n] = (beside << 5) | piece
            n += 1
    return n


@kernel
def kinds_around(state: State, cell: int) -> int:
    """Return the set of kinds on top of the neighbours of `cell`, as bits."""
    around = ring_of(int(state[cell]))
    kinds = 0
    while around != 0:
        d = first_bit(around)
        around &= around - 1
        kinds |= 1 << int(KIND[top_of(int(state[(cell + int(OFFSETS[d])) & WRAP]))])
    return kinds


@kernel
def _jump(state: State, plies: Plies, n: int, piece: int, cell: int, ring: int) -> int:
    """A grasshopper's: straight over an unbroken row to the first empty cell."""
    while ring != 0:
        d = first_bit(ring)
        ring &= ring - 1
        offset = int(OFFSETS[d])
        end = (cell + offset) & WRAP
        found = int(state[end])
        while height_of(found) != 0:
            end = (end + offset) & WRAP
            found = int(state[end])
        if see(state, end):
            plies[n] = (end << 5) | piece
            n += 1
    return n


@kernel
def _over_the_top(state: State, plies: Plies, n: int, piece: int, cell: int, ring: int) -> int:
    """A ladybug's: two steps on top of the hive, then one down, not back to where it stood."""
    lift(state, cell, piece)
    first = climbs(state, cell, ring, 0) & ring
    done = 0
    while first != 0:
        d = first_bit(first)
        first &= first - 1
        one = (cell + int(OFFSETS[d])) & WRAP
        on = int(state[one])
        second = climbs(state, one, ring_of(on), height_of(on)) & ring_of(on)
        while second != 0:
            d = first_bit(second)
            second &= second - 1
            two = (one + int(OFFSETS[d])) & WRAP
            on = int(state[two])
            # what follows does not depend on the first step
            if (done >> top_of(on)) & 1 == 0:
                done |= 1 << top_of(on)
                down = climbs(state, two, ring_of(on), height_of(on)) & (ring_of(on) ^ RING)
                n = add_around(state, plies, n, piece, two, down)
    lower(state, cell, piece)
    return n


@kernel
def climbs(state: State, cell: int, ring: int, level: int) -> int:
    """The directions in which a beetle may step from `level` on `cell`.

    From the ground to the ground it slides. Otherwise it is blocked only if both common neighbours are higher
    than the stack that it leaves and the one that it steps on.
    """
    allowed = RING if level > 0 else ring | int(SLIDES[ring])
    gates = int(BETWEEN[tall_around(state, cell)]) & allowed
    while gates != 0:
        d = first_bit(gates)
        gates &= gates - 1
        to = height_of(int(state[(cell + int(OFFSETS[d])) & WRAP]))
        left = height_of(int(state[(cell + int(OFFSETS[(d + 1) % 6])) & WRAP]))
        right = height_of(int(state[(cell + int(OFFSETS[(d + 5) % 6])) & WRAP]))
        if left > max(level, to) and right > max(level, to):
            allowed ^= 1 << d
    return allowed


@kernel
def tall_around(state: State, cell: int) -> int:
    """Return the directions of neighbours with two pieces or more on one another."""
    tall = 0
    if state[TALL] != 0:
        for d in range(6):
            if height_of(int(state[(cell + int(OFFSETS[d])) & WRAP])) > 1:
                tall |= 1 << d
    return tall
