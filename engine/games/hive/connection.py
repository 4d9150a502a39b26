"""The one-hive rule: may a piece leave its cell without splitting the rest in two?

A piece on another never splits the hive. Nor does a piece on the ground whose neighbours form one unbroken
arc. With two arcs or more it splits the hive exactly when two of the gaps between them open on the same empty
region. If the hive encloses no hole, there is one region, so it always splits. If every hole is a pit (a
single cell), it splits when two gaps are not pits. Only with larger holes must their rims be walked. As the
hive is connected, the pieces around a region form one closed walk, which passes a piece once for each gap
that opens on the region. For many pieces of a position one rim is walked for all of them (`rim`): with a
single larger hole, a gap that is neither a pit nor on that rim is on the other one.
Nothing here knows how bugs move.
"""

from __future__ import annotations

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import ARCS, BETWEEN, FOLLOW, OFFSETS, RING, WRAP
from plyscope.engine.games.hive.state import AT, HOLES_SHIFT, N_PIECES, SHAPE, ring_of, top_of
from plyscope.engine.jit import count_bits, first_bit, kernel


@kernel
def splits(state: State, cell: int, ring: int) -> bool:
    """Whether taking the only piece off `cell`, whose occupied neighbours are `ring`, splits the hive."""
    if ARCS[ring] < 2:
        return False
    holes_and_pits = int(state[SHAPE]) >> HOLES_SHIFT
    if holes_and_pits == 0:
        return True
    if holes_and_pits & 255 == holes_and_pits >> 8:
        return int(ARCS[ring]) - _n_pits(state, cell, ring) >= 2
    return _comes_back_elsewhere(state, cell, ring)


@kernel
def splits_beside(state: State, cell: int, ring: int, walked: int) -> bool:
    """Return the answer of `splits`, faster, from the position's `rim` in `walked`."""
    if walked == 0 or ARCS[ring] < 2:
        return splits(state, cell, ring)
    piece = top_of(int(state[cell]))
    if (walked >> (N_PIECES + piece)) & 1 != 0:
        return True
    holes_and_pits = int(state[SHAPE]) >> HOLES_SHIFT
    n_gaps = int(ARCS[ring]) - ((walked >> piece) & 1)
    if n_gaps >= 2 and holes_and_pits >> 8 != 0:
        n_gaps -= _n_pits(state, cell, ring)
    if n_gaps < 2:
        return False
    return (holes_and_pits & 255) - (holes_and_pits >> 8) == 1 or _comes_back_elsewhere(state, cell, ring)


@kernel
def rim(state: State) -> int:
    """The pieces met on a walk around one empty region, a larger hole or the outside; 0 without larger holes.

    Bits 0-27 have the pieces met, bits 28-55 those met more than once.
    """
    holes_and_pits = int(state[SHAPE]) >> HOLES_SHIFT
    if holes_and_pits & 255 == holes_and_pits >> 8:
        return 0
    begin = _likely_hole(state)
    if begin < 0:
        return 0
    cell = begin >> 3
    first = begin & 7
    step = first | int(OFFSETS[first]) << 3
    met = 0
    again = 0
    while True:
        bit = 1 << top_of(int(state[cell]))
        again |= met & bit
        met |= bit
        cell = (cell + (step >> 3)) & WRAP
        step = int(FOLLOW[(ring_of(int(state[cell])) << 3) | (step & 7)])
        if (cell << 3) | (step & 7) == begin:
            return met | (again << N_PIECES)


@kernel
def _likely_hole(state: State) -> int:
    """A gap but no pit, its column times 8 plus its direction: the first onto a cell with four neighbours.

    A cell with so many is mostly in a hole, whose rim is shorter than that of the outside. Where there is
    none, the cell with most neighbours is taken; -1 on the empty board.
    """
    best = -1
    most = 0
    for piece in range(N_PIECES):
        cell = int(state[AT + piece])
        if cell < 0:
            continue
        gaps = _gaps_of(ring_of(int(state[cell])))
        while gaps != 0:
            d = first_bit(gaps)
            gaps &= gaps - 1
            n = count_bits(ring_of(int(state[(cell + int(OFFSETS[(d + 5) % 6])) & WRAP])))
            if most < n < 6:
                most = n
                best = (cell << 3) | d
        if most >= 4:
            break
    return best


@kernel
def _gaps_of(ring: int) -> int:
    """The gaps of a ring, each as the direction of the occupied neighbour that ends it, against the clock."""
    return ring & ~((ring << 1) | (ring >> 5))


@kernel
def _n_pits(state: State, cell: int, ring: int) -> int:
    """Return the number of gaps between the arcs around `cell` that are holes of one cell."""
    n = 0
    gaps = int(BETWEEN[ring]) & (ring ^ RING)
    while gaps != 0:
        d = first_bit(gaps)
        gaps &= gaps - 1
        if ring_of(int(state[(cell + int(OFFSETS[d])) & WRAP])) == RING:
            n += 1
    return n


@kernel
def _comes_back_elsewhere(state: State, cell: int, ring: int) -> bool:
    """Whether a walk around a gap's region comes back at another gap of `cell`: tried for all but one."""
    gaps = _gaps_of(ring)
    gaps &= gaps - 1
    while gaps != 0:
        first = first_bit(gaps)
        gaps &= gaps - 1
        step = first
        at = (cell + int(OFFSETS[first])) & WRAP
        while at != cell:
            step = int(FOLLOW[(ring_of(int(state[at])) << 3) | (step & 7)])
            at = (at + (step >> 3)) & WRAP
        if int(FOLLOW[(ring << 3) | (step & 7)]) & 7 != first:
            return True
    return False
