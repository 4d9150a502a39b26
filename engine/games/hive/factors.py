"""The evaluation of a position: twelve numbers that a player can count on the board.

Every one is white's less black's. Moves are counted by their first steps, which tables over the ring of
neighbours give at once; generating all moves would take five times as long. A piece counts as free when its
queen is in play, it is the top of its cell and leaving would not split the hive.

An evaluation is a sum of weight times value, and a weight is one number for the whole game. So a count that
matters more at the end is multiplied by the stage of the game, and one that matters more at the beginning by
the stages still to come. Each quarter of both sides' pieces that is in play is a stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import ARCS, BESIDE, DIRECTION, DISTANCE, OFFSETS, RING, SLIDES, WRAP
from plyscope.engine.games.hive.connection import rim, splits_beside
from plyscope.engine.games.hive.state import (
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
    PILLBUG,
    SHAPE,
    TYPE,
    ring_of,
    top_of,
)
from plyscope.engine.jit import count_bits, first_bit, kernel

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

_N_BASE: Final = BLACK - 3
"""A side's pieces without mosquito, ladybug and pillbug."""

_STAGE: Final[npt.NDArray[np.int64]] = np.array(
    [[N_STAGES * n // (2 * (_N_BASE + game_type.bit_count())) for n in range(32)] for game_type in range(8)]
)
"""The stage by the game type and the pieces in play: a table takes less time than a division."""
_ALONE: Final = 1 << 5
"""A height of 1, as it stands in a cell's word above its top piece."""

_SLIDING: Final[npt.NDArray[np.int64]] = RING * (1 - np.isin(KIND[:BLACK], (GRASSHOPPER, LADYBUG)))
_CLIMBING: Final[npt.NDArray[np.int64]] = RING * np.isin(KIND[:BLACK], (BEETLE, GRASSHOPPER, LADYBUG))
"""Which steps a side's pieces take on the ground: into empty cells, onto occupied ones (or over them)."""

_THE_PILLBUG: Final = int(FIRST[PILLBUG])
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
    stage = int(_STAGE[int(state[TYPE]) & 7, (int(state[IN_PLAY]) + int(state[IN_PLAY + 1])) & 31])
    to_come = N_STAGES - stage
    walked = rim(state)
    queen_ring = 0
    queen_escapes = 0
    hand = 0
    pinned = 0
    covered = 0
    quiet = 0
    noisy = 0
    placement_cells = 0
    stacked_on_queen = 0
    pillbug_guard = 0
    ant_freedom = 0
    queen_distance = 0
    for side in range(2):
        sign = 1 - 2 * side
        own = BLACK * side
        queen = int(state[AT + own])
        target = int(state[AT + BLACK - own])
        if target >= 0:
            found = int(state[target])
            queen_ring += sign * count_bits(ring_of(found))
            stacked_on_queen += sign if (top_of(found) >= BLACK) == (side == 1) else 0
        pillbug = int(state[AT + own + _THE_PILLBUG])
        if queen >= 0 and pillbug >= 0 and top_of(int(state[pillbug])) == own + _THE_PILLBUG:
            pillbug_guard += sign if DIRECTION[(pillbug - queen) & WRAP] < 6 else 0
        n_pinned = 0
        n_covered = 0
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
            steps = RING
            if found >> 12 == (own + i) | _ALONE:
                ring = ring_of(found)
                steps = (int(SLIDES[ring]) & int(_SLIDING[i])) | (ring & int(_CLIMBING[i]))
                is_pinned = ARCS[ring] > 1
                if is_pinned and state[SHAPE] >> HOLES_SHIFT != 0:
                    is_pinned = splits_beside(state, cell, ring, walked)
                if is_pinned:
                    n_pinned += 1
                    continue
            elif top_of(found) != own + i:
                n_covered += 1
                continue
            if queen < 0:
                continue
            n_steps += count_bits(steps)
            n_beside += count_bits(steps & int(BESIDE[away]))
            if _FIRST_ANT <= i <= _LAST_ANT and steps != 0:
                free_ants += 1
            if i == 0:
                queen_escapes += sign * count_bits(steps)
        if target < 0:
            distance = 0
            n_beside = 0
        in_hand = _N_BASE + count_bits(int(state[TYPE])) - int(state[IN_PLAY + side])
        hand += sign * in_hand
        pinned += sign * n_pinned
        covered += sign * n_covered
        quiet += sign * (n_steps - n_beside)
        noisy += sign * n_beside
        placement_cells += sign * (int(state[SHAPE]) >> (8 * side) & 255) if in_hand != 0 else 0
        if free_ants != 0 and target >= 0:
            ant_freedom += sign * free_ants * _open_cells(state, target)
        queen_distance += sign * distance
    out[0] = queen_ring
    out[1] = queen_escapes * stage
    out[2] = hand
    out[3] = pinned * stage
    out[4] = covered
    out[5] = quiet
    out[6] = noisy
    out[7] = placement_cells * to_come
    out[8] = stacked_on_queen
    out[9] = pillbug_guard * to_come
    out[10] = ant_freedom
    out[11] = queen_distance


@kernel
def _open_cells(state: State, queen: int) -> int:
    """Return the number of empty neighbours of a queen into which a slide from somewhere leads."""
    n = 0
    empty = ring_of(int(state[queen])) ^ RING
    while empty != 0:
        d = first_bit(empty)
        empty &= empty - 1
        around = ring_of(int(state[(queen + int(OFFSETS[d])) & WRAP]))
        if SLIDES[around] != 0:
            n += 1
    return n
