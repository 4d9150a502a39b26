"""Positions in Forsyth-Edwards Notation (FEN), and checks for impossible ones.

A FEN is written with the square of en passant only where a pawn can be taken there by a legal ply. Reading
takes the square of every double step, and four fields as well as six.
"""

from __future__ import annotations

import re
from typing import Final

from plyscope.engine.game import GameError, State
from plyscope.engine.games.chess.squares import square_name
from plyscope.engine.games.chess.state import (
    CLOCK,
    EN_PASSANT,
    HASH,
    KING,
    LETTERS,
    NUMBER,
    OWN,
    PAWN,
    RIGHTS,
    ROOK,
    SIDE,
    attackers,
    empty_board,
    hashed,
    kind_at,
    king_of,
    number,
    occupied_in,
    passing,
    player,
)
from plyscope.engine.jit import count_bits, first_bit
from plyscope.engine.quoting import quoted

PLAYERS: Final = ("white", "black")
START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
NAMES: Final = ("", "pawn", "knight", "bishop", "rook", "queen", "king")
_AT_FIRST: Final = (0, 8, 2, 2, 2, 1, 1)
"""Pieces of each kind that a side begins with."""
_RIGHTS: Final = {"K": (4, 7), "Q": (4, 0), "k": (60, 63), "q": (60, 56)}
"""The squares of king and rook for each right."""


def read_fen(text: str) -> State:
    """The position of a FEN; raises GameError with the fault."""
    fields = text.split()
    if not 4 <= len(fields) <= 6:
        raise GameError(
            "a FEN has four to six fields, the board, the side to move, castling rights and en passant first;"
            f" found {len(fields)}: {quoted(text, 100)}"
        )
    state = empty_board()
    _read_board(state, fields[0])
    if fields[1] not in ("w", "b"):
        raise GameError(f"{quoted(fields[1])} is no side to move in a FEN: expected w or b")
    state[SIDE] = "wb".index(fields[1])
    _see_pieces(state)
    state[RIGHTS] = _read_rights(state, fields[2])
    state[EN_PASSANT] = _read_passed(state, fields[3])
    for place, name, at in ((4, "plies since a capture or pawn's ply", CLOCK), (5, "move's number", NUMBER)):
        if place < len(fields):
            if not re.fullmatch("[0-9]{1,4}", fields[place]):
                raise GameError(f"{quoted(fields[place])} is no {name} in a FEN: expected 0 to 9999")
            state[at] = int(fields[place])
    state[NUMBER] = max(1, int(state[NUMBER]))
    state[HASH] = hashed(state)
    return state


def _read_board(state: State, text: str) -> None:
    ranks = text.split("/")
    if len(ranks) != 8:
        raise GameError(f"the board of a FEN has 8 ranks; found {len(ranks)} in {quoted(text, 80)}")
    for rank, signs in zip(range(7, -1, -1), ranks, strict=True):
        file = 0
        for sign in signs:
            if sign in "12345678":
                file += int(sign)
                continue
            kind = LETTERS.find(sign.upper())
            if kind < PAWN:
                raise GameError(f"{sign!r} is no piece of a FEN: expected one of PNBRQKpnbrqk, or 1 to 8")
            if file < 8:
                for at in (kind, OWN + int(sign.islower())):
                    state[at] = int(state[at]) | 1 << 8 * rank + file
            file += 1
        if file != 8:
            raise GameError(f"rank {rank + 1} of the FEN has {file} squares, expected 8: {quoted(signs)}")


def _see_pieces(state: State) -> None:
    """Raise GameError for a board that no game can have."""
    for side, name in enumerate(PLAYERS):
        counts = [count_bits(int(state[kind]) & int(state[OWN + side])) for kind in range(1, KING + 1)]
        if counts[-1] != 1:
            raise GameError(f"{name} has {counts[-1] or 'no'} king{'s' * (counts[-1] > 1)}, expected one")
        if counts[0] > 8:
            raise GameError(f"{name} has {counts[0]} pawns, expected at most 8")
        promoted = sum(max(0, n - _AT_FIRST[kind]) for kind, n in enumerate(counts, 1) if kind > PAWN)
        if promoted > 8 - counts[0]:
            raise GameError(
                f"{name} has {promoted} pieces more than at first, and lacks {8 - counts[0]} pawns"
            )
    if edge := int(state[PAWN]) & 0xFF000000000000FF:
        raise GameError(f"a pawn stands on {square_name(first_bit(edge))}")
    side = player(state)
    checkers = attackers(state, king_of(state, 1 - side), side, occupied_in(state))
    if checkers:
        raise GameError(
            f"{PLAYERS[side]} is to move, and {PLAYERS[1 - side]} is in check"
            f" (by the piece on {square_name(first_bit(checkers))})"
        )


def _read_rights(state: State, text: str) -> int:
    if text == "-":
        return 0
    if re.fullmatch("[A-Ha-h]+", text):
        raise GameError(
            f"castling {quoted(text)} is of Chess960, which is not played here: expected KQkq or -"
        )
    if not re.fullmatch("[KQkq]{1,4}", text) or len(set(text)) < len(text):
        raise GameError(f"{quoted(text)} are no castling rights of a FEN: expected some of KQkq, or -")
    for letter in text:
        side, (king, rook) = int(letter.islower()), _RIGHTS[letter]
        for kind, square in ((KING, king), (ROOK, rook)):
            if not int(state[kind]) & int(state[OWN + side]) & 1 << square:
                raise GameError(
                    f"castling {letter} without {PLAYERS[side]}'s {NAMES[kind]} on {square_name(square)}"
                    " (Chess960 is not played here)"
                )
    return sum(1 << at for at, letter in enumerate(_RIGHTS) if letter in text)


def _read_passed(state: State, text: str) -> int:
    """The bit of the square of en passant, 0 where no pawn can be taken there."""
    if text == "-":
        return 0
    if not re.fullmatch("[a-h][36]", text):
        raise GameError(f"{quoted(text)} is no square of en passant in a FEN: expected such as e3, or -")
    side = player(state)
    file, rank = "abcdefgh".index(text[0]), int(text[1]) - 1
    forward = 1 if side == 0 else -1
    square, pawn, home = (8 * (rank + n * forward) + file for n in (0, -1, 1))
    others = int(state[PAWN]) & int(state[OWN + 1 - side])
    is_empty = occupied_in(state) & (1 << square | 1 << home) == 0
    if rank != (5 if side == 0 else 2) or not others >> pawn & 1 or not is_empty:
        raise GameError(f"en passant on {text}, which no pawn of {PLAYERS[1 - side]} has just passed")
    return 1 << square if passing(state, square, side) else 0


def write_fen(state: State) -> str:
    """The FEN of a position, of six fields.

    >>> write_fen(read_fen(START)) == START
    True
    """
    ranks = []
    for rank in range(7, -1, -1):
        signs = "".join(_sign(state, 8 * rank + file) for file in range(8))
        ranks.append(re.sub("-+", lambda found: str(len(found[0])), signs))
    rights = "".join(letter for at, letter in enumerate(_RIGHTS) if number(state[RIGHTS]) >> at & 1)
    passed = int(state[EN_PASSANT])
    passed_name = square_name(first_bit(passed)) if passed else "-"
    board, mover = "/".join(ranks), "wb"[player(state)]
    return f"{board} {mover} {rights or '-'} {passed_name} {state[CLOCK]} {state[NUMBER]}"


def _sign(state: State, square: int) -> str:
    letter = LETTERS[kind_at(state, square)]
    return letter.lower() if int(state[OWN + 1]) >> square & 1 else letter
