"""One hive: may a piece leave its cell without splitting the rest in two?

A piece on another never splits anything. A piece on the ground whose neighbours stand in one unbroken arc
does not either. With two arcs or more it does exactly when two of the gaps between them open on the same
empty region. So where the hive encloses no hole it always does; where every hole is a pit, a single cell, it
does when two gaps are no pits; and only with larger holes the rest must be walked.
Nothing here knows how bugs move.
"""

from __future__ import annotations

from engine.game import State
from engine.games.hive.cells import ARCS, BETWEEN, OFFSETS, RING, WRAP
from engine.games.hive.state import AT, HOLES_SHIFT, SHAPE, ring_of, top_of
from engine.jit import first_bit, kernel


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
    return not _joined_without(state, cell, ring)


@kernel
def _n_pits(state: State, cell: int, ring: int) -> int:
    """How many of the gaps between the arcs around `cell` are holes of one cell."""
    n = 0
    gaps = int(BETWEEN[ring]) & (ring ^ RING)
    while gaps != 0:
        d = first_bit(gaps)
        gaps &= gaps - 1
        if ring_of(int(state[(cell + int(OFFSETS[d])) & WRAP])) == RING:
            n += 1
    return n


@kernel
def _joined_without(state: State, cell: int, ring: int) -> bool:
    """Whether all neighbours of `cell` are joined by ways around it: a flood over top pieces, 28 bits."""
    goal = 0
    for d in range(6):
        # the last of each arc stands for the arc
        if (ring >> d) & 1 != 0 and (ring >> ((d + 1) % 6)) & 1 == 0:
            goal |= 1 << top_of(int(state[(cell + int(OFFSETS[d])) & WRAP]))
    frontier = 1 << first_bit(goal)
    reached = frontier | (1 << top_of(int(state[cell])))
    while frontier != 0:
        piece = first_bit(frontier)
        frontier &= frontier - 1
        at = int(state[AT + piece])
        around = ring_of(int(state[at]))
        while around != 0:
            d = first_bit(around)
            around &= around - 1
            met = 1 << top_of(int(state[(at + int(OFFSETS[d])) & WRAP]))
            if met & reached == 0:
                reached |= met
                frontier |= met
        if goal & reached == goal:
            return True
    return False
