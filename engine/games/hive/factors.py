"""What a position is judged by: twelve numbers that a player can count on the board.

Every one is white's less black's. Moves are counted by their first steps, which tables over the ring of
neighbours give at once; generating all moves would take five times as long. A piece counts as free when it is
the top of its cell and leaving would not split the hive.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.game import State
from engine.games.hive.cells import BESIDE, DIRECTION, DISTANCE, OFFSETS, RING, SLIDES, WRAP
from engine.games.hive.connection import splits
from engine.games.hive.state import (
    ANT,
    AT,
    BEETLE,
    BLACK,
    GRASSHOPPER,
    HAND,
    IN_PLAY,
    KIND,
    LADYBUG,
    N_KINDS,
    height_of,
    ring_of,
    top_of,
)
from engine.jit import count_bits, first_bit, kernel

WEIGHTS: Final[Mapping[str, float]] = {
    "queen_ring": 12.0,
    "queen_escapes": 3.0,
    "hand": -1.0,
    "pinned": -4.0,
    "covered": -4.0,
    "mobility_quiet": 0.5,
    "mobility_noisy": 1.0,
    "placement_cells": 0.5,
    "stacked_on_queen": 10.0,
    "pillbug_guard": 4.0,
    "ant_freedom": 4.0,
    "queen_distance": -0.25,
}


@kernel
def values(state: State, out: npt.NDArray[np.float64]) -> None:
    """Whole numbers, each white's less black's.

    queen_ring: occupied neighbours of the other side's queen (so black's queen's less white's).
    queen_escapes: cells to which the own queen may step.
    hand: pieces in hand.
    pinned: pieces on the ground that would split the hive.
    covered: pieces under others.
    mobility_quiet: first steps of free pieces that end away from the other queen; a jump is a step, so is a
        ladybug's climb, and a mosquito on the ground counts its slides.
    mobility_noisy: those that end beside the other queen or on it; an ant counts every cell there into which
        it could slide from some side.
    placement_cells: cells on which a piece in hand may be placed.
    stacked_on_queen: 1 where the top of the other queen's cell is an own piece.
    pillbug_guard: 1 where the own pillbug stands uncovered beside the own queen.
    ant_freedom: free ants with a cell to slide to.
    queen_distance: the steps from all pieces in play to the other side's queen, added up.
    """
    for i in range(12):
        out[i] = 0
    for side in range(2):
        sign = 1 - 2 * side
        own = BLACK * side
        queen = int(state[AT + own])
        target = int(state[AT + BLACK - own])
        n_open = 0
        if target >= 0:
            found = int(state[target])
            out[0] += sign * count_bits(ring_of(found))
            out[8] += sign if (top_of(found) >= BLACK) == (side == 1) else 0
            n_open = _open_cells(state, target, ring_of(found))
        pillbug = int(state[AT + own + 13])
        if queen >= 0 and pillbug >= 0 and top_of(int(state[pillbug])) == own + 13:
            out[9] += sign if DIRECTION[(pillbug - queen) & WRAP] < 6 else 0
        pinned = 0
        covered = 0
        steps_quiet = 0
        steps_noisy = 0
        free_ants = 0
        distance = 0
        for piece in range(own, own + BLACK):
            cell = int(state[AT + piece])
            if cell < 0:
                continue
            found = int(state[cell])
            away = 0
            if target >= 0:
                away = (cell - target) & WRAP
                distance += int(DISTANCE[away])
            if top_of(found) != piece:
                covered += 1
                continue
            ring = ring_of(found)
            height = height_of(found)
            if height == 1 and splits(state, cell, ring):
                pinned += 1
                continue
            kind = int(KIND[piece])
            steps = int(SLIDES[ring])
            if kind == ANT:
                if steps != 0:
                    free_ants += 1
                    steps_noisy += n_open
            elif kind in (GRASSHOPPER, LADYBUG):
                steps = ring
            elif height > 1:
                steps = RING
            elif kind == BEETLE:
                steps |= ring
            n_steps = count_bits(steps)
            if target >= 0:
                beside = count_bits(steps & int(BESIDE[away]))
                n_steps -= beside
                steps_noisy += beside if kind != ANT else 0
            steps_quiet += n_steps
            if piece == own:
                out[1] += sign * count_bits(steps)
        in_hand = 0
        for kind in range(N_KINDS):
            in_hand += int(state[HAND + 8 * side + kind])
        out[2] += sign * in_hand
        out[3] += sign * pinned
        out[4] += sign * covered
        out[5] += sign * steps_quiet
        out[6] += sign * steps_noisy
        if in_hand > 0:
            out[7] += sign * _n_placement_cells(state, side)
        out[10] += sign * free_ants
        out[11] += sign * distance


@kernel
def _open_cells(state: State, queen: int, ring: int) -> int:
    """The empty neighbours of a queen into which a slide from somewhere leads."""
    n = 0
    empty = ring ^ RING
    while empty != 0:
        d = first_bit(empty)
        empty &= empty - 1
        around = ring_of(int(state[(queen + int(OFFSETS[d])) & WRAP]))
        if SLIDES[around] != 0:
            n += 1
    return n


@kernel
def _n_placement_cells(state: State, side: int) -> int:
    """The number of empty cells that touch own tops only; 0 before the side has a piece in play."""
    if state[IN_PLAY + side] == 0:
        return 0
    own = BLACK * side
    own_shift = 6 * side
    n = 0
    for piece in range(own, own + BLACK):
        cell = int(state[AT + piece])
        if cell < 0:
            continue
        found = int(state[cell])
        if top_of(found) != piece:
            continue
        empty = ring_of(found) ^ RING
        while empty != 0:
            d = first_bit(empty)
            empty &= empty - 1
            around = int(state[(cell + int(OFFSETS[d])) & WRAP])
            seen = (around >> own_shift) & RING
            if seen == ring_of(around) and first_bit(seen) == (d + 3 if d < 3 else d - 3):
                n += 1
    return n
