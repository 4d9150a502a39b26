"""Placements of pieces in hand: on empty cells that touch only tops of the own side."""

from __future__ import annotations

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import OFFSETS, RING, SOLE, WRAP
from plyscope.engine.games.hive.state import (
    AT,
    BLACK,
    COUNT,
    FIRST,
    HAND,
    IN_PLAY,
    N_KINDS,
    QUEEN,
    Plies,
    ring_of,
    top_of,
)
from plyscope.engine.jit import first_bit, kernel


@kernel
def placements(state: State, plies: Plies, side: int) -> int:
    """One ply for each kind in hand and each cell; the queen not first, and fourth at the latest."""
    own = BLACK * side
    n_in_play = int(state[IN_PLAY + side])
    queen_is_due = n_in_play == 3 and state[HAND + 8 * side + QUEEN] != 0
    n_cells = -1
    n = 0
    for kind in range(N_KINDS):
        left = int(state[HAND + 8 * side + kind])
        if left == 0 or (kind == QUEEN and n_in_play == 0) or (kind != QUEEN and queen_is_due):
            continue
        piece = own + int(FIRST[kind] + COUNT[kind]) - left
        if n_cells < 0:
            n_cells = placement_cells(state, plies, side)
            n = n_cells
            for i in range(n_cells):
                plies[i] = (plies[i] << 5) | piece
        else:
            for i in range(n_cells):
                plies[n + i] = (plies[i] & ~31) | piece
            n += n_cells
    return n


@kernel
def placement_cells(state: State, cells: Plies, side: int) -> int:
    """Write the cells on which `side` may place; return their number."""
    if state[IN_PLAY] + state[IN_PLAY + 1] == 0:
        cells[0] = 0
        return 1
    # a side without a piece in play places beside any piece
    owner = side if state[IN_PLAY + side] != 0 else 1 - side
    n = 0
    for piece in range(BLACK * owner, BLACK * owner + BLACK):
        cell = int(state[AT + piece])
        if cell < 0:
            continue
        found = int(state[cell])
        if top_of(found) != piece:
            continue
        sole = sole_cells(state, cell, found, owner)
        while sole != 0:
            d = first_bit(sole)
            sole &= sole - 1
            cells[n] = (cell + int(OFFSETS[d])) & WRAP
            n += 1
    return n


@kernel
def sole_cells(state: State, cell: int, found: int, side: int) -> int:
    """The directions of empty cells that touch pieces of `side` only, of which that on `cell` comes first.

    So each such cell is listed once: by the own piece in its lowest direction. `found` is the
    word of `cell`.
    """
    neighbours = found & 0xFFF
    if side == 1:
        neighbours = (neighbours >> 6) | ((neighbours & RING) << 6)
    sole = 0
    maybe = int(SOLE[neighbours])
    while maybe != 0:
        d = first_bit(maybe)
        maybe &= maybe - 1
        around = int(state[(cell + int(OFFSETS[d])) & WRAP])
        own = (around >> (6 * side)) & RING
        if own == ring_of(around) and first_bit(own) == (d + 3 if d < 3 else d - 3):
            sole |= 1 << d
    return sole
