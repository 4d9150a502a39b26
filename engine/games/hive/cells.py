"""The board without edges: cell numbers that wrap around, directions, and tables over six neighbours.

Cell `32 * r + q`, modulo 1024, is the cell at axial (q, r): pointy-top hexes, q to the east, r to the
south-east. Two cells share a number only 32 steps apart, and a hive of 28 pieces is at most 27 steps wide, so
there are no bounds to check and nothing is ever moved back to the middle. Directions are counted from the
east against the clock: E, NE, NW, W, SW, SE. A set of neighbours is a number of six bits, bit d for direction
d. Nothing here knows of pieces.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

N_CELLS: Final = 1024
WRAP: Final = N_CELLS - 1
RING: Final = 63
"""All six neighbours."""

STEPS: Final = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The change of (q, r) by a step in each direction."""

OFFSETS: Final[npt.NDArray[np.int64]] = np.array([q + 32 * r for q, r in STEPS])
"""The change of a cell's number by a step in each direction, before it wraps."""

DIRECTION: Final[npt.NDArray[np.int64]] = np.full(N_CELLS, 6)
"""The direction that leads over a difference of cell numbers, 6 where none does in one step."""
DIRECTION[OFFSETS & WRAP] = np.arange(6)


def _distance(difference: int) -> int:
    """The steps between two cells by the difference of their numbers, the shortest way around the torus."""
    r, q = divmod(difference, 32)
    ways = ((q - 32 * a, r + a - 32 * b) for a in (0, 1) for b in (0, 1))
    return min(max(abs(q), abs(r), abs(q + r)) for q, r in ways)


DISTANCE: Final[npt.NDArray[np.int64]] = np.array([_distance(difference) for difference in range(N_CELLS)])
"""The steps that a difference of cell numbers is long."""

BESIDE: Final[npt.NDArray[np.int64]] = np.array(
    [
        sum(int(DISTANCE[(difference + step) & WRAP] <= 1) << d for d, step in enumerate(OFFSETS))
        for difference in range(N_CELLS)
    ]
)
"""The directions in which a step ends beside or on a cell, by the difference of the numbers, own less its."""


def _between(neighbours: int) -> int:
    """The directions both of whose common neighbours are in the set."""
    return sum(1 << d for d in range(6) if neighbours >> (d + 1) % 6 & 1 and neighbours >> (d + 5) % 6 & 1)


def _slides(occupied: int) -> int:
    """The directions of empty cells with exactly one of both common neighbours occupied.

    With none a piece would lose touch with the hive, with both it could not squeeze through.
    """
    return sum(
        1 << d
        for d in range(6)
        if not occupied >> d & 1 and (occupied >> (d + 1) % 6 ^ occupied >> (d + 5) % 6) & 1
    )


def _arcs(occupied: int) -> int:
    """The number of unbroken runs around the ring; a full ring has none."""
    return sum(1 for d in range(6) if occupied >> d & 1 and not occupied >> (d + 1) % 6 & 1)


BETWEEN: Final[npt.NDArray[np.int64]] = np.array([_between(ring) for ring in range(64)])
SLIDES: Final[npt.NDArray[np.int64]] = np.array([_slides(ring) for ring in range(64)])
ARCS: Final[npt.NDArray[np.int64]] = np.array([_arcs(ring) for ring in range(64)])


def _follow(occupied: int, came: int) -> int:
    """The next step around an empty region after a step in direction `came` onto a piece with this ring.

    The region lies on the right: turning against the clock from it, the first occupied neighbour is next.
    """
    return next(((came + 4 + turn) % 6 for turn in range(1, 6) if occupied >> (came + 4 + turn) % 6 & 1), 0)


FOLLOW: Final[npt.NDArray[np.int16]] = np.array(
    [(each := _follow(i >> 3, i & 7)) | (int(OFFSETS[each]) & WRAP) << 3 for i in range(512)], np.int16
)
"""The next step around an empty region, by the ring of neighbours times 8 plus the direction of the last.

Bits 0-2 are its direction, from bit 3 on what it adds to a cell's number.
"""


def _sole(own_and_other: int) -> int:
    """The empty directions that may be a piece's to place on, as far as its own neighbours tell.

    Bits 0-5 are its neighbours of its own colour, bits 6-11 the others. A cell that a neighbour of the other
    colour touches is out; one that an own neighbour touches is that neighbour's if it comes first in the
    order of directions seen from the cell.
    """
    own, other = own_and_other & RING, own_and_other >> 6
    found = 0
    for d in range(6):
        sides = ((d + 1) % 6, (d + 5) % 6)
        if (own | other) >> d & 1 or any(other >> side & 1 for side in sides):
            continue
        back = (d + 3) % 6
        # the common neighbour in direction d + 1 is seen from the cell in direction back - 1
        seen = ((back + 5) % 6, (back + 1) % 6)
        if not any(own >> side & 1 and at < back for side, at in zip(sides, seen, strict=True)):
            found |= 1 << d
    return found


SOLE: Final[npt.NDArray[np.int64]] = np.array([_sole(neighbours) for neighbours in range(4096)])
