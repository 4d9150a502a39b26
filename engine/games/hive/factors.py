"""What a position is judged by: twelve numbers that a player can count on the board.

Every one is white's less black's. Moves are counted by their first steps, which tables over the ring of
neighbours give at once; generating all moves would take five times as long. A piece counts as free when its
queen is in play, it is the top of its cell and leaving would not split the hive.

An evaluation is a sum of weight times value, and a weight is one number for the whole game. So what matters
more at the end is a count times the stage of the game, and what matters more at the beginning is one times
the stages still to come: each quarter of the pieces of both sides that is in play is a stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.game import State
from engine.games.hive.cells import ARCS, BESIDE, DIRECTION, DISTANCE, OFFSETS, RING, SLIDES, WRAP
from engine.games.hive.connection import rim, splits_beside
from engine.games.hive.state import (
    ANT,
    AT,
    BEETLE,
    BLACK,
    FIRST,
    GRASSHOPPER,
    HOLES_SHIFT,
    IN_PLAY,
    KIND,
    LADYBUG,
    SHAPE,
    TYPE,
    height_of,
    ring_of,
    top_of,
)
from engine.jit import count_bits, first_bit, kernel

WEIGHTS: Final[Mapping[str, float]] = {
    "queen_ring": 18.0,
    "queen_escapes": 3.0,
    "hand": -8.0,
    "pinned": -0.25,
    "covered": -1.5,
    "mobility_quiet": 0.1,
    "mobility_noisy": 5.0,
    "placement_cells": 0.4,
    "stacked_on_queen": 24.0,
    "pillbug_guard": 8.0,
    "ant_freedom": 0.5,
    "queen_distance": -2.0,
}

N_STAGES: Final = 4
"""The stage of a game goes from 0, the empty board, to this, every piece in play."""

_SLIDING: Final[npt.NDArray[np.int64]] = RING * (1 - np.isin(KIND[:BLACK], (GRASSHOPPER, LADYBUG)))
_CLIMBING: Final[npt.NDArray[np.int64]] = RING * np.isin(KIND[:BLACK], (BEETLE, GRASSHOPPER, LADYBUG))
"""Which steps a side's pieces take on the ground: into empty cells, onto occupied ones (or over them)."""

_FIRST_ANT: Final = int(FIRST[ANT])
_LAST_ANT: Final = _FIRST_ANT + 2


@kernel
def values(state: State, out: npt.NDArray[np.float64]) -> None:
    """Whole numbers, each white's less black's.

    queen_ring: occupied neighbours of the other side's queen (so black's queen's less white's).
    queen_escapes: cells to which the own queen may step, times the stage.
    hand: pieces in hand.
    pinned: pieces on the ground that would split the hive, times the stage.
    covered: pieces under others.
    mobility_quiet: first steps of free pieces that end away from the other queen; a jump is a step, so is a
        ladybug's climb, and a mosquito on the ground counts its slides.
    mobility_noisy: those that end beside the other queen or on it.
    placement_cells: cells beside own tops alone, while a piece is in hand, times the stages to come.
    stacked_on_queen: 1 where the top of the other queen's cell is an own piece.
    pillbug_guard: 1 where the own pillbug stands uncovered beside the own queen, times the stages to come.
    ant_freedom: cells beside the other queen into which an ant could slide from some side, for each free ant.
    queen_distance: the steps from all pieces in play to the other side's queen, added up.
    """
    for i in range(12):
        out[i] = 0
    n_pieces = 22 + 2 * count_bits(int(state[TYPE]))
    stage = N_STAGES * (int(state[IN_PLAY]) + int(state[IN_PLAY + 1])) // n_pieces
    to_come = N_STAGES - stage
    walked = rim(state)
    for side in range(2):
        sign = 1 - 2 * side
        own = BLACK * side
        queen = int(state[AT + own])
        target = int(state[AT + BLACK - own])
        if target >= 0:
            found = int(state[target])
            out[0] += sign * count_bits(ring_of(found))
            out[8] += sign if (top_of(found) >= BLACK) == (side == 1) else 0
        pillbug = int(state[AT + own + 13])
        if queen >= 0 and pillbug >= 0 and top_of(int(state[pillbug])) == own + 13:
            out[9] += sign * to_come if DIRECTION[(pillbug - queen) & WRAP] < 6 else 0
        in_hand = 11 + count_bits(int(state[TYPE])) - int(state[IN_PLAY + side])
        pinned = 0
        covered = 0
        n_steps = 0
        n_beside = 0
        free_ants = 0
        distance = 0
        for i in range(BLACK):
            cell = int(state[AT + own + i])
            if cell < 0:
                continue
            away = (cell - target) & WRAP
            distance += int(DISTANCE[away])
            found = int(state[cell])
            if top_of(found) != own + i:
                covered += 1
                continue
            ring = ring_of(found)
            steps = (int(SLIDES[ring]) & int(_SLIDING[i])) | (ring & int(_CLIMBING[i]))
            is_pinned = 1 if ARCS[ring] > 1 else 0
            if height_of(found) > 1:
                is_pinned = 0
                steps = RING
            elif is_pinned != 0 and state[SHAPE] >> HOLES_SHIFT != 0:
                is_pinned = 1 if splits_beside(state, cell, ring, walked) else 0
            pinned += is_pinned
            if is_pinned != 0 or queen < 0:
                continue
            n_steps += count_bits(steps)
            n_beside += count_bits(steps & int(BESIDE[away]))
            if _FIRST_ANT <= i <= _LAST_ANT and steps != 0:
                free_ants += 1
            if i == 0:
                out[1] += sign * count_bits(steps) * stage
        if target < 0:
            distance = 0
            n_beside = 0
        out[2] += sign * in_hand
        out[3] += sign * pinned * stage
        out[4] += sign * covered
        out[5] += sign * (n_steps - n_beside)
        out[6] += sign * n_beside
        out[7] += sign * to_come * (int(state[SHAPE]) >> (8 * side) & 255) if in_hand != 0 else 0
        if free_ants != 0 and target >= 0:
            out[10] += sign * free_ants * _open_cells(state, target)
        out[11] += sign * distance


@kernel
def _open_cells(state: State, queen: int) -> int:
    """The empty neighbours of a queen into which a slide from somewhere leads."""
    n = 0
    empty = ring_of(int(state[queen])) ^ RING
    while empty != 0:
        d = first_bit(empty)
        empty &= empty - 1
        around = ring_of(int(state[(queen + int(OFFSETS[d])) & WRAP]))
        if SLIDES[around] != 0:
            n += 1
    return n
