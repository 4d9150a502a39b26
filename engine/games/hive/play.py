"""Play plies and take them back, and keep the state's words, counts and key up to date.

Taking back reverses a ply: each change of the board is its own inverse, and the journal holds where a
piece came from. A journal entry has the ply's number in bits 0-14 and the cell left in bits 15-24, or bit 25
set for a placement; beside it are the numbers that would take time to compute backwards.
"""

from __future__ import annotations

from typing import Final

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON, State
from plyscope.engine.games.hive.cells import N_CELLS, RING, WRAP
from plyscope.engine.games.hive.pieces import NUMBERS, put, put_back, take, take_back
from plyscope.engine.games.hive.state import (
    AT,
    BLACK,
    HAND,
    HAS_PILLBUG,
    IN_PLAY,
    JOURNAL,
    KEY,
    KIND,
    LONGEST,
    N_KINDS,
    N_PLIES,
    PASS,
    PIECE_BITS,
    REPETITION,
    SHAPE,
    last_moved,
    ring_of,
)
from plyscope.engine.jit import count_bits, kernel, word

_FROM_HAND: Final = 1 << 25
_HALF: Final = 0xFFFF_FFFF
_BLACK_TO_MOVE: Final = 0x5A17_3C8E_93D2_0B65
_LAST: Final = 16 * 2 * N_CELLS
"""Where, behind sixteen colours and kinds, `NUMBERS` has those of the cell of the piece moved last."""
_PLIES: Final = 2 * LONGEST - 1
"""A mask of numbers of plies, of which there are at most `LONGEST`."""


@kernel
def apply(state: State, ply: int) -> None:
    """Place, move, throw or pass, and note it in the journal with the key and shape before it."""
    piece = int(ply) & PIECE_BITS
    n_plies = int(state[N_PLIES]) & _PLIES
    at = JOURNAL + 4 * n_plies
    state[at + 1] = state[KEY]
    state[at + 2] = state[KEY + 1]
    state[at + 3] = state[SHAPE]
    entry = PASS
    if piece != PASS:
        cell = (int(ply) >> 5) & WRAP
        left = int(state[AT + piece])
        entry = piece | (cell << 5)
        if left < 0:
            black = 1 if piece >= BLACK else 0
            state[HAND + 8 * black + (int(KIND[piece]) & (N_KINDS - 1))] -= 1
            state[IN_PLAY + black] += 1
            entry |= _FROM_HAND
        else:
            entry |= left << 15
            take(state, piece)
        put(state, piece, cell)
    state[at] = entry
    state[N_PLIES] = n_plies + 1


@kernel
def undo(state: State, ply: int) -> None:
    """Take back `ply`, the one played last; after `pass_turn` take that back, whatever the number."""
    n_plies = (int(state[N_PLIES]) - 1) & _PLIES
    at = JOURNAL + 4 * n_plies
    entry = int(state[at])
    piece = entry & PIECE_BITS
    if piece != PASS:
        take_back(state, piece)
        if entry & _FROM_HAND != 0:
            black = 1 if piece >= BLACK else 0
            state[AT + piece] = -1
            state[HAND + 8 * black + (int(KIND[piece]) & (N_KINDS - 1))] += 1
            state[IN_PLAY + black] -= 1
        else:
            put_back(state, piece, (entry >> 15) & WRAP)
    state[KEY] = state[at + 1]
    state[KEY + 1] = state[at + 2]
    state[SHAPE] = state[at + 3]
    for i in range(4):
        state[at + i] = 0
    state[N_PLIES] = n_plies


@kernel
def pass_turn(state: State) -> int:
    """Make a null move if the game goes on and both sides have a piece in play; `undo` takes it back.

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
def is_surrounded(state: State, queen: int) -> bool:
    """Whether all six neighbours of a queen, piece 0 or 14, are occupied."""
    cell = int(state[AT + queen])
    return cell >= 0 and ring_of(int(state[cell])) == RING


@kernel
def in_check(state: State) -> bool:
    """Whether the mover's queen has one empty neighbour left."""
    cell = int(state[AT + BLACK * player(state)])
    return cell >= 0 and count_bits(ring_of(int(state[cell]))) == 5


@kernel
def _is_third(state: State) -> bool:
    """Whether the position, with the same side to move, stood twice before.

    The walk back ends at a placement, since no older position can be the same. The piece moved last, which
    may not be thrown, is not compared.
    """
    n_same = 0
    n_plies = int(state[N_PLIES])
    for back in range(1, n_plies + 1):
        at = JOURNAL + 4 * (n_plies - back)
        if int(state[at]) & _FROM_HAND != 0:
            break
        if back & 1 == 0 and state[at + 1] == state[KEY] and state[at + 2] == state[KEY + 1]:
            n_same += 1
    return n_same >= 2


@kernel
def key(state: State) -> int:
    """Return the key of pieces, levels, the side to move and, with pillbugs, the last moved piece."""
    low = int(state[KEY])
    high = int(state[KEY + 1])
    if state[HAS_PILLBUG] != 0:
        last = last_moved(state)
        if last != PASS:
            at = _LAST + 2 * int(state[AT + last])
            low ^= int(NUMBERS[at])
            high ^= int(NUMBERS[at + 1])
    both = (high << 32) | (low & _HALF)
    if int(state[N_PLIES]) & 1 != 0:
        both ^= _BLACK_TO_MOVE
    return word(both)
