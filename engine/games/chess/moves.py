"""The legal plies: every piece's targets, cut down to those that leave the own king safe.

Where the king is in check, a piece must take the checking one or stand between (the *mask*); a pinned piece
stays on the line of its king. So no ply is played to see whether it is legal, but for en passant, which takes
two pawns off a line.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.game import State
from plyscope.engine.games.bits import FULL, cell
from plyscope.engine.games.chess.squares import BETWEEN, KING_ATTACKS, LINE, PAWN_ATTACKS, without_first
from plyscope.engine.games.chess.state import (
    EN_PASSANT,
    END_SHIFT,
    IS_CASTLING,
    IS_EN_PASSANT,
    JOURNAL,
    KING,
    MOVED,
    N_PLIES,
    OWN,
    PAWN,
    PROMOTED,
    QUEEN,
    RIGHTS,
    ROOM,
    TAKEN,
    Plies,
    attackers,
    attacks_of,
    end_of,
    kind_at,
    kind_in,
    king_of,
    number,
    occupied_in,
    passing,
    pinned_for,
    player,
    start_of,
)
from plyscope.engine.jit import count_bits, first_bit, kernel

MOST_PSEUDO: Final = 512
_EDGE_RANKS: Final = 0xFF00_0000_0000_00FF


@kernel
def generate(state: State, plies: Plies) -> int:
    """Plies by kind, the king's, en passant, castling; none where it is mate or stalemate."""
    side = player(state)
    checkers = checkers_of(state)
    mask = _mask(state, checkers)
    pinned = pinned_for(state, side)
    n = 0
    for kind in range(PAWN, KING):
        pieces = int(state[kind]) & int(state[OWN + side])
        while pieces != 0:
            start = first_bit(pieces)
            pieces = without_first(pieces)
            n = _add(state, plies, n, kind, start, _targets(state, side, kind, start, pinned) & mask)
    king = king_of(state, side)
    n = _add(state, plies, n, KING, king, _kings_targets(state, side))
    pieces = _passing(state, side)
    while pieces != 0:
        end = first_bit(int(state[EN_PASSANT]))
        plies[n] = _ply(PAWN, first_bit(pieces), end) | (PAWN << TAKEN) | IS_EN_PASSANT
        pieces = without_first(pieces)
        n += 1
    return _add_castling(state, plies, n, side, king) if checkers == 0 else n


@kernel
def noisy(state: State, plies: Plies) -> int:
    """Captures and promotions."""
    n_noisy = 0
    for i in range(generate(state, plies)):
        ply = int(plies[i])
        if kind_in(ply, TAKEN) != 0 or kind_in(ply, PROMOTED) != 0:
            plies[n_noisy] = ply
            n_noisy += 1
    return n_noisy


@kernel
def checkers_of(state: State) -> int:
    """The pieces that give check to the side to move."""
    side = player(state)
    return attackers(state, king_of(state, side), 1 - side, occupied_in(state))


@kernel
def in_check(state: State) -> bool:
    """Whether the mover's king is attacked."""
    return checkers_of(state) != 0


@kernel
def has_ply(state: State) -> bool:
    """Whether there is a legal ply; castling is never the only one."""
    side = player(state)
    mask = _mask(state, checkers_of(state))
    pinned = pinned_for(state, side)
    for kind in range(PAWN, KING):
        pieces = int(state[kind]) & int(state[OWN + side])
        while pieces != 0:
            start = first_bit(pieces)
            pieces = without_first(pieces)
            if _targets(state, side, kind, start, pinned) & mask != 0:
                return True
    return _kings_targets(state, side) != 0 or _passing(state, side) != 0


@kernel
def _mask(state: State, checkers: int) -> int:
    """The squares on which a piece other than the king may end, given who gives check."""
    if checkers == 0:
        return checkers ^ FULL
    if count_bits(checkers) > 1:
        return checkers ^ checkers
    return int(BETWEEN[64 * king_of(state, player(state)) + first_bit(checkers)]) | checkers


@kernel
def _targets(state: State, side: int, kind: int, start: int, pinned: int) -> int:
    """The squares to which a piece other than the king may go if its king is not in check."""
    occupied = occupied_in(state)
    if kind == PAWN:
        found = _pawns_targets(state, side, start, occupied)
    else:
        found = attacks_of(kind, start, occupied)
    found &= int(state[OWN + side]) ^ FULL
    if pinned & cell(start) != 0:
        found &= int(LINE[64 * king_of(state, side) + start])
    return found


@kernel
def _pawns_targets(state: State, side: int, start: int, occupied: int) -> int:
    """The targets of a pawn: one or two empty squares forward, and attacked squares with pieces to take."""
    empty = occupied ^ FULL
    one = cell(start + 8 if side == 0 else start - 8) & empty
    found = one | (int(PAWN_ATTACKS[64 * side + start]) & int(state[OWN + 1 - side]))
    if one != 0 and start >> 3 == (1 if side == 0 else 6):
        found |= cell(start + 16 if side == 0 else start - 16) & empty
    return found


@kernel
def _passing(state: State, side: int) -> int:
    """The pawns that may take in passing."""
    end = int(state[EN_PASSANT])
    return passing(state, first_bit(end), side) if end != 0 else end


@kernel
def _safe(state: State, squares: int, side: int) -> int:
    """Those of some squares that the other side does not attack; the king himself hides none of them."""
    occupied = occupied_in(state) ^ cell(king_of(state, side))
    found = squares
    while squares != 0:
        square = first_bit(squares)
        squares = without_first(squares)
        if attackers(state, square, 1 - side, occupied) != 0:
            found ^= cell(square)
    return found


@kernel
def _kings_targets(state: State, side: int) -> int:
    """The squares to which a king may step."""
    return _safe(state, int(KING_ATTACKS[king_of(state, side)]) & (int(state[OWN + side]) ^ FULL), side)


@kernel
def _add_castling(state: State, plies: Plies, n: int, side: int, king: int) -> int:
    """Castling, where the king is not in check: over empty squares, none of the king's way attacked."""
    rights = number(state[RIGHTS]) >> (2 * side)
    for at in range(2):
        if (rights >> at) & 1 == 0:
            continue
        step = 1 - 2 * at
        way = cell(king + step) | cell(king + 2 * step)
        empty = way if at == 0 else way | cell(king - 3)
        if occupied_in(state) & empty == 0 and _safe(state, way, side) == way:
            plies[n] = _ply(KING, king, king + 2 * step) | IS_CASTLING
            n += 1
    return n


def pseudo_legal(state: State) -> list[int]:
    """The plies of engines that look later whether the own king is safe; castling wherever squares are empty.

    A king that stands under attack may be taken.
    """
    side, plies, n = player(state), np.zeros(MOST_PSEUDO, np.int32), 0
    for kind in range(PAWN, KING + 1):
        for start in range(64):
            if int(state[kind]) & int(state[OWN + side]) & cell(start):
                n = _add(state, plies, n, kind, start, _targets(state, side, kind, start, 0))
    found: list[int] = plies[:n].tolist()
    king, rights = king_of(state, side), number(state[RIGHTS]) >> 2 * side
    for right, step, way in ((1, 1, (1, 2)), (2, -1, (-1, -2, -3))):
        if rights & right and not any(occupied_in(state) & cell(king + at) for at in way):
            found.append(_ply(KING, king, king + 2 * step) | IS_CASTLING)
    last = number(state[JOURNAL + 2 * ((number(state[N_PLIES]) - 1) % ROOM)]) if state[N_PLIES] else 0
    passed, end = end_of(last), (start_of(last) + end_of(last)) // 2
    if kind_in(last, MOVED) == PAWN and abs(end_of(last) - start_of(last)) == 16:
        for start in (passed - 1, passed + 1):
            own = int(state[PAWN]) & int(state[OWN + side])
            if start // 8 == passed // 8 and own & cell(start):
                found.append(_ply(PAWN, start, end) | (PAWN << TAKEN) | IS_EN_PASSANT)
    return found


@kernel
def _ply(kind: int, start: int, end: int) -> int:
    return start | (end << END_SHIFT) | (kind << MOVED)


@kernel
def _add(state: State, plies: Plies, n: int, kind: int, start: int, found: int) -> int:
    """Write a piece's plies to the squares `found`; a pawn's to the last rank to a queen first."""
    while found != 0:
        end = first_bit(found)
        found = without_first(found)
        ply = _ply(kind, start, end) | (kind_at(state, end) << TAKEN)
        if kind == PAWN and cell(end) & _EDGE_RANKS != 0:
            for less in range(4):
                plies[n + less] = ply | ((QUEEN - less) << PROMOTED)
            n += 4
        else:
            plies[n] = ply
            n += 1
    return n
