"""The cells of a hexagonal grid of hexagons: numbers, names, neighbours, for every side from 3 to 8.

Cells are numbered row by row from the top. Row `a` is the top one; a cell's name is its row's letter and its
place in the row from the left, from 1. So `e5` is the middle of a grid of side 5.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

LEAST_SIDE: Final = 3
MOST_SIDE: Final = 8
SIDES: Final = range(LEAST_SIDE, MOST_SIDE + 1)
STEPS: Final = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The six neighbours in axial coordinates."""


def n_cells_of(side: int) -> int:
    """Return how many cells a grid has.

    >>> [n_cells_of(side) for side in SIDES]
    [19, 37, 61, 91, 127, 169]
    """
    return 3 * side * (side - 1) + 1


MOST_CELLS: Final = n_cells_of(MOST_SIDE)


def _places(side: int) -> tuple[tuple[int, int], ...]:
    radius = side - 1
    return tuple(
        (q, r)
        for r in range(-radius, radius + 1)
        for q in range(max(-radius, -radius - r), min(radius, radius - r) + 1)
    )


PLACES: Final = {side: _places(side) for side in SIDES}
"""By the side: axial coordinates (q, r) of every cell, the middle (0, 0)."""


def _names(side: int) -> tuple[str, ...]:
    first = {r: min(q for q, row in PLACES[side] if row == r) for _, r in PLACES[side]}
    return tuple(f"{chr(ord('a') + r + side - 1)}{q - first[r] + 1}" for q, r in PLACES[side])


NAMES: Final = {side: _names(side) for side in SIDES}


def _neighbours() -> npt.NDArray[np.int64]:
    table = np.full((len(SIDES), MOST_CELLS, len(STEPS)), -1, np.int64)
    for side in SIDES:
        number = {place: cell for cell, place in enumerate(PLACES[side])}
        for (q, r), cell in number.items():
            for step, (dq, dr) in enumerate(STEPS):
                table[side - LEAST_SIDE, cell, step] = number.get((q + dq, r + dr), -1)
    return table


NEIGHBOURS: Final = _neighbours()
"""By side - 3, cell and step: the cell beside, -1 off the grid."""
