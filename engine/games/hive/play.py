"""Playing and taking back: what keeps the state's words, counts and key right ply by ply.

Taking back is playing backwards: each change of the board is its own inverse, and the journal knows where a
piece came from. A journal entry has the ply's number in bits 0-14 and the cell left in bits 15-24, or bit 25
set for a placement; what would take time to compute backwards stands beside it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON, State
from engine.games.hive.cells import ARCS, N_CELLS, OFFSETS, RING, WRAP
from engine.games.hive.state import (
    AT,
    BELOW,
    BLACK,
    HAND,
    HAS_PILLBUG,
    HOLES_SHIFT,
    IN_PLAY,
    JOURNAL,
    KEY,
    KIND,
    LONGEST,
    N_PLIES,
    PASS,
    PIECE_BITS,
    PITS_SHIFT,
    REPETITION,
    SHAPE,
    TALL,
    height_of,
    last_moved,
    ring_of,
    top_of,
)
from engine.jit import count_bits, kernel, word

FROM_HAND: Final = 1 << 25
_HALF: Final = 0xFFFF_FFFF
_SIGN: Final = 0x8000_0000
_BLACK_TO_MOVE: Final = 0x5A17_3C8E_93D2_0B65
_LAST: Final = 16 * 2 * N_CELLS
"""Where, behind sixteen colours and kinds, the table has the words for the cell of the piece moved last."""

_NUMBERS: Final[npt.NDArray[np.int32]] = np.random.default_rng(20240607).integers(
    -(2**31), 2**31, 17 * 2 * N_CELLS, dtype=np.int32
)


# The board ------------------------------------------------------------------------------------------------


@kernel
def _turned(half: int, level: int) -> int:
    """Half a key's word for a piece on `level`: rotated, so that each level has words of its own."""
    bits = half & _HALF
    bits = ((bits << (4 * level)) | (bits >> (32 - 4 * level))) & _HALF
    return (bits ^ _SIGN) - _SIGN


@kernel
def _touch_key(state: State, piece: int, cell: int, level: int) -> None:
    """Add `piece` on `cell` and `level` to the key, or take it out of it."""
    colour_and_kind = int(KIND[piece]) + (8 if piece >= BLACK else 0)
    at = 2 * (N_CELLS * colour_and_kind + cell)
    low = int(_NUMBERS[at])
    high = int(_NUMBERS[at + 1])
    if level > 0:
        low = _turned(low, level)
        high = _turned(high, level)
    state[KEY] ^= low
    state[KEY + 1] ^= high


@kernel
def flip_around(state: State, cell: int, bit: int) -> None:
    """Flip, in the words of all neighbours of `cell`, what they see in the direction of `cell`.

    `bit` is 1 where a white piece comes or goes, 64 for a black one, 65 where the colour changes.
    """
    state[(cell + 1) & WRAP] ^= bit << 3
    state[(cell - 31) & WRAP] ^= bit << 4
    state[(cell - 32) & WRAP] ^= bit << 5
    state[(cell - 1) & WRAP] ^= bit
    state[(cell + 31) & WRAP] ^= bit << 1
    state[(cell + 32) & WRAP] ^= bit << 2


@kernel
def _shape_around(state: State, cell: int, black: int) -> int:
    """What a piece of a side on `cell`, which no neighbour has in its word yet, adds to the shape around it.

    An empty neighbour that saw nothing now sees that side alone; one that saw only the other does no more.
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
    """What an empty cell with the word `found` is in the shape: a cell beside one side alone, a pit."""
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
    """Have the neighbours of `cell` see the other colour there; returns what that adds to the shape."""
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
def _put(state: State, piece: int, cell: int) -> int:
    """Set `piece` on top of `cell`, counts and key included; returns its level."""
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
    return level


@kernel
def _take(state: State, piece: int) -> int:
    """Lift `piece`, the top of its cell, counts and key included; returns its level."""
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
    return level


@kernel
def _put_back(state: State, piece: int, cell: int) -> None:
    """Set `piece` on top of `cell`; the journal knows counts and key."""
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
def _take_back(state: State, piece: int) -> None:
    """Lift `piece`, the top of its cell; the journal knows counts and key."""
    cell = int(state[AT + piece])
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


# The game's kernels ---------------------------------------------------------------------------------------


@kernel
def apply(state: State, ply: int) -> None:
    """Place, move, throw or pass, and note it in the journal with the key and shape before it."""
    piece = int(ply) & PIECE_BITS
    n_plies = int(state[N_PLIES])
    at = JOURNAL + 4 * n_plies
    state[at + 1] = state[KEY]
    state[at + 2] = state[KEY + 1]
    state[at + 3] = state[SHAPE]
    entry = PASS
    if piece != PASS:
        cell = int(ply) >> 5
        left = int(state[AT + piece])
        entry = piece | (cell << 5)
        if left < 0:
            black = 1 if piece >= BLACK else 0
            state[HAND + 8 * black + int(KIND[piece])] -= 1
            state[IN_PLAY + black] += 1
            entry |= FROM_HAND
        else:
            entry |= left << 15
            _take(state, piece)
        _put(state, piece, cell)
    state[at] = entry
    state[N_PLIES] = n_plies + 1


@kernel
def undo(state: State, ply: int) -> None:
    """Take back `ply`, the one played last, or the turn that `pass_turn` handed over, by whatever number."""
    n_plies = int(state[N_PLIES]) - 1
    at = JOURNAL + 4 * n_plies
    entry = int(state[at])
    piece = entry & PIECE_BITS
    if piece != PASS:
        _take_back(state, piece)
        if entry & FROM_HAND != 0:
            black = 1 if piece >= BLACK else 0
            state[AT + piece] = -1
            state[HAND + 8 * black + int(KIND[piece])] += 1
            state[IN_PLAY + black] -= 1
        else:
            _put_back(state, piece, (entry >> 15) & WRAP)
    state[KEY] = state[at + 1]
    state[KEY + 1] = state[at + 2]
    state[SHAPE] = state[at + 3]
    for i in range(4):
        state[at + i] = 0
    state[N_PLIES] = n_plies


@kernel
def pass_turn(state: State) -> int:
    """Hand the turn over while the game goes on and both sides have a piece in play; `undo` takes it back.

    The journal notes a pass, and whatever moved before may move again.
    """
    if state[IN_PLAY] == 0 or state[IN_PLAY + 1] == 0 or status(state) != ONGOING:
        return 0
    apply(state, PASS)
    return 1


@kernel
def player(state: State) -> int:
    """0 for white, 1 for black, who take turns from the first ply on, passes included."""
    return int(state[N_PLIES]) & 1


@kernel
def is_surrounded(state: State, queen: int) -> bool:
    """Whether all six neighbours of a queen, piece 0 or 14, are occupied."""
    cell = int(state[AT + queen])
    return cell >= 0 and ring_of(int(state[cell])) == RING


@kernel
def status(state: State) -> int:
    """A surrounded queen loses, both at once draw; so do a full journal and, if asked for, a repetition."""
    white_lost = is_surrounded(state, 0)
    black_lost = is_surrounded(state, BLACK)
    result = ONGOING
    if white_lost and black_lost:
        result = DRAWN
    elif white_lost:
        result = SECOND_WON
    elif black_lost:
        result = FIRST_WON
    elif state[N_PLIES] >= LONGEST or (state[REPETITION] != 0 and _is_third(state)):
        result = DRAWN
    return result


@kernel
def in_check(state: State) -> bool:
    """Whether the mover's queen has one empty neighbour left."""
    cell = int(state[AT + BLACK * player(state)])
    return cell >= 0 and count_bits(ring_of(int(state[cell]))) == 5


@kernel
def _is_third(state: State) -> bool:
    """Whether the position, with the same side to move, stood twice before.

    The walk back ends at a placement, for no older position can be the same. The piece moved last, which
    may not be thrown, is no part of the comparison.
    """
    n_same = 0
    n_plies = int(state[N_PLIES])
    for back in range(1, n_plies + 1):
        at = JOURNAL + 4 * (n_plies - back)
        if int(state[at]) & FROM_HAND != 0:
            break
        if back & 1 == 0 and state[at + 1] == state[KEY] and state[at + 2] == state[KEY + 1]:
            n_same += 1
    return n_same >= 2


@kernel
def key(state: State) -> int:
    """What stands where and on what, the side to move and, where there are pillbugs, the piece moved last."""
    low = int(state[KEY])
    high = int(state[KEY + 1])
    if state[HAS_PILLBUG] != 0:
        last = last_moved(state)
        if last != PASS:
            at = _LAST + 2 * int(state[AT + last])
            low ^= int(_NUMBERS[at])
            high ^= int(_NUMBERS[at + 1])
    both = (high << 32) | (low & _HALF)
    if int(state[N_PLIES]) & 1 != 0:
        both ^= _BLACK_TO_MOVE
    return word(both)
