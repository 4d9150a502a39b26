"""Put pieces on the board and lift them, and update words, counts and key.

Here and in `play`, masks on numbers in range tell the compiler that an index is not negative. Otherwise it
tests at every index whether to count from the end.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import ARCS, N_CELLS, OFFSETS, RING, WRAP
from plyscope.engine.games.hive.state import (
    AT,
    BELOW,
    BLACK,
    HOLES_SHIFT,
    KEY,
    KIND,
    PITS_SHIFT,
    SHAPE,
    TALL,
    height_of,
    ring_of,
    top_of,
)
from plyscope.engine.jit import kernel

_HALF: Final = 0xFFFF_FFFF
_SIGN: Final = 0x8000_0000

NUMBERS: Final[npt.NDArray[np.int32]] = np.random.default_rng(20240607).integers(
    -(2**31), 2**31, 17 * 2 * N_CELLS, dtype=np.int32
)
"""Two random halves for each of sixteen colours and kinds on each cell, then for each cell moved to last."""
_STANDING: Final = 16 * 2 * N_CELLS - 1
"""A mask of the places of those of colours and kinds."""


@kernel
def put(state: State, piece: int, cell: int) -> None:
    """Set `piece` on top of `cell`, counts and key included."""
    found = int(state[cell])
    level = height_of(found)
    black = 1 if piece >= BLACK else 0
    if level == 0:
        shape = int(state[SHAPE]) + _shape_around(state, cell, black) - _shape_of(found)
        shape += (int(ARCS[ring_of(found)]) - 1) << HOLES_SHIFT
        flip_around(state, cell, 1 << (6 * black))
        if shape >> HOLES_SHIFT != 0:
            shape += _pits_around(state, cell) << PITS_SHIFT
        state[SHAPE] = shape
    else:
        below = top_of(found)
        state[BELOW + piece] = below
        state[TALL] += 1
        if (below >= BLACK) != (black != 0):
            state[SHAPE] += _recolour(state, cell)
    state[cell] = (found & 0xFFF) | (piece << 12) | ((level + 1) << 17)
    state[AT + piece] = cell
    _touch_key(state, piece, cell, level)


@kernel
def take(state: State, piece: int) -> None:
    """Lift `piece`, the top of its cell, counts and key included."""
    cell = int(state[AT + piece])
    found = int(state[cell])
    level = height_of(found) - 1
    black = 1 if piece >= BLACK else 0
    if level == 0:
        shape = int(state[SHAPE])
        if shape >> HOLES_SHIFT != 0:
            shape -= _pits_around(state, cell) << PITS_SHIFT
        flip_around(state, cell, 1 << (6 * black))
        shape -= (int(ARCS[ring_of(found)]) - 1) << HOLES_SHIFT
        state[SHAPE] = shape - _shape_around(state, cell, black) + _shape_of(found)
        state[cell] = found & 0xFFF
    else:
        below = int(state[BELOW + piece])
        state[BELOW + piece] = 0
        state[TALL] -= 1
        if (below >= BLACK) != (black != 0):
            state[SHAPE] += _recolour(state, cell)
        state[cell] = (found & 0xFFF) | (below << 12) | (level << 17)
    _touch_key(state, piece, cell, level)


@kernel
def put_back(state: State, piece: int, cell: int) -> None:
    """Put `piece` on top of `cell`; counts and key come from the journal."""
    found = int(state[cell])
    level = height_of(found)
    black = 1 if piece >= BLACK else 0
    if level == 0:
        flip_around(state, cell, 1 << (6 * black))
    else:
        below = top_of(found)
        state[BELOW + piece] = below
        state[TALL] += 1
        if (below >= BLACK) != (black != 0):
            flip_around(state, cell, 65)
    state[cell] = (found & 0xFFF) | (piece << 12) | ((level + 1) << 17)
    state[AT + piece] = cell


@kernel
def take_back(state: State, piece: int) -> None:
    """Lift `piece`, the top of its cell; counts and key come from the journal."""
    cell = int(state[AT + piece]) & WRAP
    found = int(state[cell])
    level = height_of(found) - 1
    black = 1 if piece >= BLACK else 0
    if level == 0:
        flip_around(state, cell, 1 << (6 * black))
        state[cell] = found & 0xFFF
    else:
        below = int(state[BELOW + piece])
        state[BELOW + piece] = 0
        state[TALL] -= 1
        if (below >= BLACK) != (black != 0):
            flip_around(state, cell, 65)
        state[cell] = (found & 0xFFF) | (below << 12) | (level << 17)


@kernel
def flip_around(state: State, cell: int, bit: int) -> None:
    """Flip the bits for `cell` in the words of all its neighbours.

    `bit` is 1 if a white piece comes or goes, 64 for a black one, 65 if the colour changes.
    """
    state[(cell + 1) & WRAP] ^= bit << 3
    state[(cell - 31) & WRAP] ^= bit << 4
    state[(cell - 32) & WRAP] ^= bit << 5
    state[(cell - 1) & WRAP] ^= bit
    state[(cell + 31) & WRAP] ^= bit << 1
    state[(cell + 32) & WRAP] ^= bit << 2


@kernel
def _shape_around(state: State, cell: int, black: int) -> int:
    """Return the change of the shape counts by a piece of a side on `cell`, not yet in its neighbours' words.

    An empty neighbour that saw nothing now sees only that side; one that saw only the other now sees both.
    """
    not_other = ~(63 << (6 - 6 * black))
    n_empty = 0
    n_without = 0
    for d in range(6):
        found = int(state[(cell + int(OFFSETS[d])) & WRAP])
        n_empty += 1 if found == 0 else 0
        n_without += 1 if found & not_other == 0 else 0
    return (n_empty << (8 * black)) - ((n_without - n_empty) << (8 - 8 * black))


@kernel
def _shape_of(found: int) -> int:
    """Return the shape counts of an empty cell with the word `found`: beside one side alone, a pit."""
    white = found & 63
    black = (found >> 6) & 63
    shape = 0
    if white == 0 or black == 0:
        if white != 0:
            shape = 1
        elif black != 0:
            shape = 256
    if white | black == RING:
        shape += 1 << PITS_SHIFT
    return shape


@kernel
def _pits_around(state: State, cell: int) -> int:
    """The empty neighbours of `cell` whose neighbours are all occupied."""
    n = 0
    for d in range(6):
        found = int(state[(cell + int(OFFSETS[d])) & WRAP])
        if found < 0x1000 and ring_of(found) == RING:
            n += 1
    return n


@kernel
def _recolour(state: State, cell: int) -> int:
    """Change the colour of `cell` in its neighbours' words; return the change of the shape counts."""
    added = 0
    for d in range(6):
        at = (cell + int(OFFSETS[d])) & WRAP
        found = int(state[at])
        seen = found ^ (65 << (d + 3 if d < 3 else d - 3))
        state[at] = seen
        if found < 0x1000:
            added += _shape_of(seen) - _shape_of(found)
    return added


@kernel
def _touch_key(state: State, piece: int, cell: int, level: int) -> None:
    """Add `piece` on `cell` and `level` to the key, or take it out of it."""
    colour_and_kind = int(KIND[piece]) + (8 if piece >= BLACK else 0)
    at = 2 * (N_CELLS * colour_and_kind + cell)
    low = int(NUMBERS[at & _STANDING])
    high = int(NUMBERS[(at + 1) & _STANDING])
    if level > 0:
        low = _turned(low, level)
        high = _turned(high, level)
    state[KEY] ^= low
    state[KEY + 1] ^= high


@kernel
def _turned(half: int, level: int) -> int:
    """Return half a key's word for a piece on `level`, rotated so that each level has its own words."""
    bits = half & _HALF
    bits = ((bits << (4 * level)) | (bits >> (32 - 4 * level))) & _HALF
    return (bits ^ _SIGN) - _SIGN
