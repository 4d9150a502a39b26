"""Playing plies and taking them back, with the key kept up to date; and the ends of games.

Taking back restores each bit; the journal has the facts that a ply does not contain. A third repetition is
looked for in the journal, back to the last capture or pawn's ply.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import (
    BY_SOME,
    DRAWN,
    FIFTY,
    FIRST_WON,
    NO_DRAW,
    ONGOING,
    REPEATED,
    SECOND_WON,
    THIRD,
    TOO_FEW,
    UNKNOWN_BEFORE,
    State,
)
from plyscope.engine.games.bits import FULL, cell
from plyscope.engine.games.chess.moves import has_ply, in_check
from plyscope.engine.games.chess.state import (
    BISHOP,
    BLACK_AT,
    CLOCK,
    EN_PASSANT,
    FILES_AT,
    HASH,
    IS_CASTLING,
    IS_EN_PASSANT,
    JOURNAL,
    KNIGHT,
    MOVED,
    N_PLIES,
    NUMBER,
    NUMBERS,
    OWN,
    PASS,
    PAWN,
    PLY_BITS,
    PROMOTED,
    QUEEN,
    RIGHTS,
    RIGHTS_AT,
    ROOK,
    ROOM,
    SIDE,
    TAKEN,
    end_of,
    kind_in,
    number,
    number_of,
    occupied_in,
    passing,
    player,
    start_of,
)
from plyscope.engine.jit import count_bits, first_bit, kernel

MOST_CLOCK: Final = 9_999
"""Plies without a capture or pawn's ply that a journal can note."""
FIFTY_MOVES: Final = 100  # plies
_PASSED_SHIFT, _RIGHTS_SHIFT, _CLOCK_SHIFT = 23, 30, 34
_DARK: Final = 0xAA55_AA55_AA55_AA55


KEPT: Final[npt.NDArray[np.int64]] = np.full(64, 15)
"""The castling rights that stay when a piece leaves a square, or is taken there."""
KEPT[[0, 4, 7, 56, 60, 63]] = (~2 & 15, ~3 & 15, ~1 & 15, ~8 & 15, ~12 & 15, ~4 & 15)


@kernel
def apply(state: State, ply: int) -> None:
    """Play a legal ply, or `PASS`; then the other side moves."""
    ply = int(ply)
    side = player(state)
    n_plies = number(state[N_PLIES])
    at = JOURNAL + 2 * (n_plies % ROOM)
    rights = number(state[RIGHTS])
    passed = first_bit(int(state[EN_PASSANT]))
    clock = number(state[CLOCK])
    state[at] = ply | (passed << _PASSED_SHIFT) | (rights << _RIGHTS_SHIFT) | (clock << _CLOCK_SHIFT)
    state[at + 1] = state[HASH]
    _change_key(state, BLACK_AT)
    if passed < 64:
        _change_key(state, FILES_AT + (passed & 7))
    state[EN_PASSANT] = 0
    if ply != PASS:
        _flip_all(state, side, ply)
        start = start_of(ply)
        end = end_of(ply)
        if kind_in(ply, MOVED) == PAWN or kind_in(ply, TAKEN) != 0:
            clock = -1
        left = rights & int(KEPT[start]) & int(KEPT[end])
        if left != rights:
            _change_key(state, RIGHTS_AT + rights)
            _change_key(state, RIGHTS_AT + left)
            state[RIGHTS] = left
        middle = (start + end) >> 1
        if kind_in(ply, MOVED) == PAWN and abs(end - start) == 16 and passing(state, middle, 1 - side) != 0:
            state[EN_PASSANT] = cell(middle)
            _change_key(state, FILES_AT + (middle & 7))
    state[CLOCK] = min(clock + 1, MOST_CLOCK)
    state[SIDE] = 1 - side
    state[NUMBER] = number(state[NUMBER]) + side
    state[N_PLIES] = n_plies + 1


@kernel
def _change_key(state: State, at: int) -> None:
    state[HASH] = int(state[HASH]) ^ int(NUMBERS[at])


@kernel
def _flip_all(state: State, side: int, ply: int) -> None:
    """Move the pieces of a ply of `side`, or move them back."""
    start = start_of(ply)
    end = end_of(ply)
    if kind_in(ply, TAKEN) != 0:
        back = 8 if side == 0 else -8
        _flip(state, 1 - side, kind_in(ply, TAKEN), end - back if ply & IS_EN_PASSANT != 0 else end)
    _flip(state, side, kind_in(ply, MOVED), start)
    _flip(state, side, kind_in(ply, PROMOTED) if kind_in(ply, PROMOTED) != 0 else kind_in(ply, MOVED), end)
    if ply & IS_CASTLING != 0:
        _flip(state, side, ROOK, end + 1 if end > start else end - 2)
        _flip(state, side, ROOK, (start + end) >> 1)


@kernel
def _flip(state: State, side: int, kind: int, square: int) -> None:
    """Put a piece on a square, or take it off; in the key, too."""
    state[kind] = int(state[kind]) ^ cell(square)
    state[OWN + side] = int(state[OWN + side]) ^ cell(square)
    _change_key(state, number_of(side, kind, square))


@kernel
def undo(state: State, ply: int) -> None:
    """Take back `ply`, the one played last, a null move too."""
    ply = int(ply)
    side = 1 - player(state)
    n_plies = number(state[N_PLIES]) - 1
    at = JOURNAL + 2 * (n_plies % ROOM)
    noted = number(state[at])
    if ply != PASS:
        _flip_all(state, side, ply)
    passed = (noted >> _PASSED_SHIFT) & 127
    state[EN_PASSANT] = 0
    if passed < 64:
        state[EN_PASSANT] = cell(passed)
    state[RIGHTS] = (noted >> _RIGHTS_SHIFT) & 15
    state[CLOCK] = noted >> _CLOCK_SHIFT
    state[HASH] = state[at + 1]
    state[SIDE] = side
    state[NUMBER] = number(state[NUMBER]) - side
    state[N_PLIES] = n_plies
    state[at] = 0
    state[at + 1] = 0


@kernel
def last_ply(state: State) -> int:
    """The ply that led here, -1 where none is known."""
    n_plies = number(state[N_PLIES])
    return number(state[JOURNAL + 2 * ((n_plies - 1) % ROOM)]) & PLY_BITS if n_plies > 0 else -1


@kernel
def pass_turn(state: State) -> int:
    """Make a null move if the mover is not in check and the game goes on; `undo` takes it back as `PASS`."""
    if in_check(state) or status(state) != ONGOING:
        return 0
    apply(state, PASS)
    return 1


@kernel
def status(state: State) -> int:
    """Mate and stalemate; then fifty moves, the third occurrence of a position, too few pieces for a mate."""
    if not has_ply(state):
        if not in_check(state):
            return DRAWN
        return SECOND_WON if player(state) == 0 else FIRST_WON
    if state[CLOCK] >= FIFTY_MOVES or is_third(state) or has_too_few(state):
        return DRAWN
    return ONGOING


def why_over(state: State) -> str | None:
    """The reason for which `status` says that the game is over, in words; None while it goes on."""
    if status(state) == ONGOING:
        return None
    if not has_ply(state):
        return "checkmate" if in_check(state) else "stalemate"
    if is_third(state):
        return "threefold repetition"
    return "insufficient material" if has_too_few(state) else "fifty moves"


@kernel
def n_reversible(state: State) -> int:
    """The plies known since the last capture or pawn's ply; none after fifty moves, when none counts."""
    return 0 if state[CLOCK] >= FIFTY_MOVES else min(number(state[CLOCK]), number(state[N_PLIES]))


@kernel
def is_third(state: State) -> bool:
    """Whether the position stood twice before."""
    n_plies = number(state[N_PLIES])
    n_known = n_reversible(state)
    n_same = 0
    back = 4
    while back <= n_known:
        if state[JOURNAL + 2 * ((n_plies - back) % ROOM) + 1] == state[HASH]:
            n_same += 1
        back += 2
    return n_same >= 2


@kernel
def draw_of(state: State) -> int:
    """The draw that holds at a position, or that engines may claim there; `NO_DRAW` for none."""
    if not has_ply(state):
        return NO_DRAW
    if state[CLOCK] >= FIFTY_MOVES:
        return FIFTY
    if is_third(state):
        return THIRD
    if has_too_few(state):
        return TOO_FEW
    if int(state[PAWN]) | int(state[ROOK]) | int(state[QUEEN]) == 0 and count_bits(occupied_in(state)) <= 4:
        return BY_SOME
    n_plies = number(state[N_PLIES])
    has_passed = False
    for back in range(1, n_reversible(state) + 1):
        at = JOURNAL + 2 * ((n_plies - back) % ROOM)
        has_passed |= number(state[at]) & PLY_BITS == PASS
        if state[at + 1] == state[HASH]:
            return BY_SOME if has_passed else REPEATED + back
    return UNKNOWN_BEFORE if number(state[CLOCK]) > n_plies else NO_DRAW


def stood_before(state: State) -> bool:
    """Whether the pieces stood so before, with any rights to castle or pass, or a ply is left of fifty moves.

    Engines without these in their keys call that a repetition, others count fifty moves a ply early.
    """
    before, found = state.copy(), bool(state[CLOCK] == FIFTY_MOVES - 1)
    for _ in range(n_reversible(state)):
        undo(before, last_ply(before))
        found = found or bool((before[:RIGHTS] == state[:RIGHTS]).all())
    return found


@kernel
def has_too_few(state: State) -> bool:
    """Whether neither side can mate: bare kings, with one knight, or with bishops on one colour only."""
    if int(state[PAWN]) | int(state[ROOK]) | int(state[QUEEN]) != 0:
        return False
    if state[KNIGHT] != 0:
        return count_bits(occupied_in(state)) == 3
    bishops = int(state[BISHOP])
    return bishops & _DARK == 0 or bishops & (_DARK ^ FULL) == 0


@kernel
def key(state: State) -> int:
    """Pieces, side, castling rights, and the file of a pawn that can be taken in passing."""
    return int(state[HASH])
