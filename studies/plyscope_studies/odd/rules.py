"""The kernels of Odd.

A state is `SIDE`, the numbers of empty cells and of groups, and for each cell two numbers. The first is 0 if
the cell is empty; else 1 + the least cell of all pieces of its colour that it is connected with, negative for
white. The second is how many those are, at that least cell; elsewhere 0. So a state follows from the pieces
alone, whatever order they came in, and the number of groups is at hand in every position.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import FIRST_WON, ONGOING, SECOND_WON, State
from plyscope.engine.games.bits import mixed
from plyscope.engine.jit import kernel, word
from plyscope_studies.odd.cells import LEAST_SIDE, MOST_CELLS, NEIGHBOURS, STEPS

MIN_GROUP: Final = 5
"""The least pieces of a group, on every grid."""

SIDE: Final = 0
EMPTIES: Final = 1
GROUPS: Final = 2
LABELS: Final = 3
SIZES: Final = LABELS + MOST_CELLS
STATE_SIZE: Final = SIZES + MOST_CELLS

BLACK: Final = 0
WHITE: Final = 1
"""A ply is 2 · cell + colour."""

N_STEPS: Final = len(STEPS)
_KEYS: Final[npt.NDArray[np.uint64]] = np.array(
    [mixed(number + 1) for number in range(2 * MOST_CELLS)], np.uint64
)


@kernel
def n_cells(state: State) -> int:
    """Return how many cells the grid has."""
    side = int(state[SIDE])
    return 3 * side * (side - 1) + 1


@kernel
def generate(state: State, plies: npt.NDArray[np.int32]) -> int:
    """Write both colours for every empty cell; none when the board is full."""
    n = 0
    for cell in range(n_cells(state)):
        if state[LABELS + cell] == 0:
            plies[n] = 2 * cell + BLACK
            plies[n + 1] = 2 * cell + WHITE
            n += 2
    return n


@kernel
def apply(state: State, ply: int) -> None:
    """Place a piece, and join what it connects."""
    cell = ply >> 1
    sign = 1 if ply & 1 == BLACK else -1
    table = int(state[SIDE]) - LEAST_SIDE
    label = cell
    state[EMPTIES] -= 1
    state[LABELS + cell] = sign * (cell + 1)
    state[SIZES + cell] = 1
    for step in range(N_STEPS):
        beside = NEIGHBOURS[table, cell, step]
        if beside < 0:
            continue
        other = int(state[LABELS + beside]) * sign - 1
        if other >= 0 and other != label:
            label = join(state, label, other, sign)


@kernel
def join(state: State, one: int, other: int, sign: int) -> int:
    """Make one of two sets of connected pieces of a colour; returns its label."""
    low = min(one, other)
    high = max(one, other)
    n_low = int(state[SIZES + low])
    n_high = int(state[SIZES + high])
    if n_low >= MIN_GROUP:
        state[GROUPS] -= 1
    if n_high >= MIN_GROUP:
        state[GROUPS] -= 1
    if n_low + n_high >= MIN_GROUP:
        state[GROUPS] += 1
    state[SIZES + low] = n_low + n_high
    state[SIZES + high] = 0
    old = sign * (high + 1)
    new = sign * (low + 1)
    for cell in range(high, n_cells(state)):
        if state[LABELS + cell] == old:
            state[LABELS + cell] = new
    return low


@kernel
def player(state: State) -> int:
    """0 for the first player, 1 for the second: nobody passes, so the pieces tell."""
    return (n_cells(state) - int(state[EMPTIES])) & 1


@kernel
def status(state: State) -> int:
    """Odd groups of a full board are the first player's win, even ones the second's."""
    if state[EMPTIES] > 0:
        return ONGOING
    return FIRST_WON if int(state[GROUPS]) & 1 == 1 else SECOND_WON


@kernel
def touches_empty(state: State, label: int) -> bool:
    """Return True if a piece of the set with this label, a least cell, has an empty cell beside it."""
    table = int(state[SIDE]) - LEAST_SIDE
    wanted = state[LABELS + label]
    for cell in range(label, n_cells(state)):
        if state[LABELS + cell] == wanted:
            for step in range(N_STEPS):
                beside = NEIGHBOURS[table, cell, step]
                if beside >= 0 and state[LABELS + beside] == 0:
                    return True
    return False


@kernel
def values(state: State, out: npt.NDArray[np.float64]) -> None:
    """Write the factors; the first player wants an odd number of groups.

    parity   1 if the groups are odd, else -1
    fours    sets of one piece too few beside an empty cell, of use to whom the parity is against
    empties  empty cells, likewise
    """
    parity = 1 if int(state[GROUPS]) & 1 == 1 else -1
    n_fours = 0
    for cell in range(n_cells(state)):
        if state[SIZES + cell] == MIN_GROUP - 1 and touches_empty(state, cell):
            n_fours += 1
    out[0] = parity
    out[1] = -parity * n_fours
    out[2] = -parity * int(state[EMPTIES])


@kernel
def key(state: State) -> int:
    """Return a word of the pieces and the size of the grid."""
    found = mixed(word(int(state[SIDE])))
    for cell in range(n_cells(state)):
        label = state[LABELS + cell]
        if label != 0:
            found ^= word(_KEYS[2 * cell + (0 if label > 0 else 1)])
    return found
