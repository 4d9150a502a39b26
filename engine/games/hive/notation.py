r"""Pieces, plies and positions as the Universal Hive Protocol writes them.

A ply is a MoveString: `wS1` (the first piece), `bA1 wS1/` (to the north-east of wS1), `wB1 bQ` (onto bQ),
`pass`. A ply has a spelling for each neighbour of its end, so a spelling is read as a piece and a cell. A
position is a GameString: the game type, two fields that follow from the rest, and all plies; with
`threefold ` before it a third occurrence of a position is a draw. Reading is lenient, writing strict.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON, GameError, State
from plyscope.engine.games.hive.cells import OFFSETS, WRAP
from plyscope.engine.games.hive.moves import generate
from plyscope.engine.games.hive.play import apply, player, status
from plyscope.engine.games.hive.state import (
    AT,
    BELOW,
    BLACK,
    COUNT,
    FIRST,
    HAND,
    KIND,
    LETTERS,
    LONGEST,
    N_PIECES,
    N_PLIES,
    PASS,
    PIECE_BITS,
    PLY_BITS,
    QUEEN,
    REPETITION,
    TYPE,
    height_of,
    journal,
    new_state,
    top_of,
)
from plyscope.engine.jit import kernel
from plyscope.engine.quoting import quoted

PLAYERS: Final = ("white", "black")
MAX_PLIES: Final = 1024
"""More than any position has: 28 pieces have at most 114 empty cells around them, and few bugs reach all."""

MOST_LISTED: Final = 12
"""The most legal plies that an error lists."""

THREEFOLD: Final = "threefold "
"""Before a GameString: the same position for the third time is a draw. The protocol does not know of it."""

_STATUSES: Final = {ONGOING: "InProgress", FIRST_WON: "WhiteWins", SECOND_WON: "BlackWins", DRAWN: "Draw"}


def _piece_name(piece: int) -> str:
    kind = int(KIND[piece])
    number = str(piece % BLACK - int(FIRST[kind]) + 1) if COUNT[kind] > 1 else ""
    return "wb"[piece // BLACK] + LETTERS[kind] + number


PIECES: Final = tuple(_piece_name(piece) for piece in range(N_PIECES))
"""The name of each piece, `wQ`, `wS1` and so on."""

_NUMBER_OF: Final = {name.lower(): piece for piece, name in enumerate(PIECES)} | {
    f"{name}1".lower(): piece for piece, name in enumerate(PIECES) if len(name) == 2
}
_SIDES_BEFORE: Final = {"-": 3, "/": 4, "\\": 2}
_SIDES_AFTER: Final = {"-": 0, "/": 1, "\\": 5}
_NORTH_WEST: Final = 2
_ONTO: Final = 6
_ALONE: Final = 7
_WRITTEN: Final = ("-{}", "/{}", "{}\\", "{}-", "{}/", "\\{}", "{}")
"""The spellings of an end beside a reference, by the direction of the reference; last, an end on it."""

_PIECE: Final = "[wb][qsbgamlp][0-9]?"
_MOVE: Final = re.compile(rf"({_PIECE})(?:\s+([-/\\]?)\s*({_PIECE})\s*([-/\\]?))?", re.IGNORECASE)
_TYPE: Final = re.compile(r"base(?:\s*\+\s*([mlp]{1,3}))?", re.IGNORECASE)


# Plies ----------------------------------------------------------------------------------------------------


def read_move(state: State, text: str) -> int:
    """The legal ply that a MoveString names in `state`, whatever its spelling; raises GameError."""
    legal = _legal(state)
    ply, complaint = _parse_move(state, text)
    if ply in legal:
        return ply
    side = PLAYERS[player(state)]
    if legal and not complaint:
        complaint = _why_none(state, legal, text)
    expected = f"expected one of {_listed(state, legal, text)}" if legal else "the game is over"
    raise GameError(f"{quoted(text.strip())} is no legal ply for {side}{complaint}: {expected}")


def _legal(state: State) -> list[int]:
    """The numbers of the legal plies, in the order of generation."""
    plies = np.zeros(MAX_PLIES, np.int32)
    n = generate(state, plies)
    return [int(ply) for ply in plies[:n]]


def _named(text: str) -> int:
    """The piece that a MoveString begins with, -1 where it begins with none."""
    return _NUMBER_OF.get(text.split()[0].lower() if text.split() else "", -1)


def _why_none(state: State, legal: Sequence[int], text: str) -> str:
    """Return why the piece that `text` begins with has no legal ply; an empty text if it has one."""
    piece = _named(text)
    if piece < 0 or any(ply & PIECE_BITS == piece for ply in legal):
        return ""
    name, side = PIECES[piece], piece // BLACK
    if side != player(state):
        return f", {name} is {PLAYERS[side]}'s"
    cell, queen = int(state[AT + piece]), BLACK * side + QUEEN
    if cell < 0:
        is_missing = _lowest_in_hand(state, int(KIND[piece]), side) < 0
        return f", the game has no {name}" if is_missing else f", {name} cannot be placed now"
    if (above := top_of(int(state[cell]))) != piece:
        return f", {name} lies under {PIECES[above]}"
    if state[AT + queen] < 0:
        return f", nothing of {PLAYERS[side]} moves before {PIECES[queen]} is in play"
    return f", {name} cannot move now"


def _listed(state: State, legal: Sequence[int], text: str) -> str:
    """Return the legal plies of the piece that `text` begins with, else all; only the first of many."""
    piece = _named(text)
    plies = [ply for ply in legal if ply & PIECE_BITS == piece] or legal
    names = ", ".join(write_move(state, ply) for ply in plies[:MOST_LISTED])
    return names if len(plies) <= MOST_LISTED else f"{names}, … ({len(plies)} in all)"


def _parse_move(state: State, text: str) -> tuple[int, str]:
    """Return the ply's number (-1 if there is none), and the message if it is not legal."""
    words = text.strip()
    if words.lower() == "pass":
        return PASS, ""
    found = _MOVE.fullmatch(words)
    if found is None:
        return -1, ""
    piece = _NUMBER_OF.get(found[1].lower(), -1)
    if piece < 0:
        return -1, f", there is no piece {found[1]}"
    lowest = _lowest_in_hand(state, int(KIND[piece]), piece // BLACK)
    complaint = f", {PIECES[lowest]} comes first" if state[AT + piece] < 0 and 0 <= lowest < piece else ""
    if found[3] is None:
        return (piece if state[N_PLIES] == 0 else -1), complaint
    beside = _NUMBER_OF.get(found[3].lower(), -1)
    if beside < 0:
        return -1, f", there is no piece {found[3]}"
    cell = int(state[AT + beside])
    if cell < 0:
        return -1, f", {PIECES[beside]} is not in play"
    if found[2] and found[4]:
        return -1, ", one side of a piece has one sign"
    if found[2] or found[4]:
        d = _SIDES_BEFORE[found[2]] if found[2] else _SIDES_AFTER[found[4]]
        cell = (cell + int(OFFSETS[d])) & WRAP
    return piece | cell << 5, complaint


def _lowest_in_hand(state: State, kind: int, side: int) -> int:
    """The piece of a kind that is placed next, -1 where none is left."""
    left = int(state[HAND + 8 * side + kind])
    return BLACK * side + int(FIRST[kind] + COUNT[kind]) - left if left else -1


def write_move(state: State, ply: int) -> str:
    """The MoveString of a ply in `state`, the position before it."""
    return write_code(ply_code(state, ply))


@kernel
def ply_code(state: State, ply: int) -> int:
    """Return the code of a ply's text: the piece in bits 0-4, its reference in bits 5-9, the side above.

    The reference is the top piece under the end, else the first neighbour clockwise from the north-west that
    is not the moving piece; and what that leaves behind, where there is no other.
    """
    piece = int(ply) & PIECE_BITS
    code = piece | _ALONE << 10
    if piece == PASS:
        return code
    cell = int(ply) >> 5
    found = int(state[cell])
    if height_of(found) > 0:
        return piece | top_of(found) << 5 | _ONTO << 10
    for turn in range(6):
        d = (_NORTH_WEST + 6 - turn) % 6
        found = int(state[(cell + OFFSETS[d]) & WRAP])
        if height_of(found) > 0 and top_of(found) != piece:
            return piece | top_of(found) << 5 | d << 10
        if height_of(found) > 1:
            code = piece | int(state[BELOW + piece]) << 5 | d << 10
    return code


@cache
def write_code(code: int) -> str:
    """The MoveString of which `ply_code` is `code`.

    >>> write_code(PASS | _ALONE << 10), write_code(1 | 14 << 5 | _ONTO << 10), write_code(1 | 14 << 5)
    ('pass', 'wS1 bQ', 'wS1 -bQ')
    """
    piece, reference, where = code & PIECE_BITS, code >> 5 & PIECE_BITS, code >> 10
    if piece == PASS:
        return "pass"
    if where == _ALONE:
        return PIECES[piece]
    return f"{PIECES[piece]} {_WRITTEN[where].format(PIECES[reference])}"


# Positions ------------------------------------------------------------------------------------------------


def read_game(text: str) -> State:
    """The position after the plies of a GameString, or the start of a GameTypeString; raises GameError.

    The two fields between type and plies are ignored; blanks and empty plies do not matter.
    """
    body = text.strip()
    repetition = body.lower().startswith(THREEFOLD)
    fields = [field.strip() for field in (body[len(THREEFOLD) :] if repetition else body).split(";")]
    state = new_state(_read_type(fields[0]), repetition)
    for i, name in enumerate(("the game's state, such as InProgress", "the turn, such as White[3]"), 1):
        if i < len(fields) and _MOVE.fullmatch(fields[i]):
            raise GameError(
                f"field {i + 1} of a GameString is {name}: expected it before {quoted(fields[i])}"
            )
    for number, move in enumerate(filter(None, fields[3:]), 1):
        if number > LONGEST:
            raise GameError(f"a game of more than {LONGEST} plies has no room here")
        try:
            apply(state, read_move(state, move))
        except GameError as error:
            raise GameError(f"ply {number}: {error}") from None
    return state


def _read_type(text: str) -> int:
    found = _TYPE.fullmatch(text)
    letters = (found[1] or "").upper() if found else "?"
    if found is None or len(set(letters)) != len(letters):
        raise GameError(
            "a Hive position begins with its game type, Base or Base+ and letters of MLP, such as Base+MLP;"
            f"InProgress;White[2];wS1;bS1 wS1-; found {quoted(text, 60)}"
        )
    return sum(1 << "MLP".index(letter) for letter in letters)


def contradiction(text: str, state: State) -> str | None:
    """Return a warning if a GameString's state or turn contradict its plies, which led to `state`; else None.

    Case does not matter.

    >>> contradiction("Base;Draw;White[1]", read_game("Base"))
    "'Draw' is stated, but its plies give NotStarted"
    """
    stated = [field.strip() for field in text.split(";")][1:3]
    found = write_game(state).split(";")[1:3]
    wrong = [
        f"{quoted(each)} is stated, but its plies give {given}"
        for each, given in zip(stated, found, strict=False)
        if each and each.lower() != given.lower()
    ]
    return "; ".join(wrong) or None


def write_game(state: State) -> str:
    """The GameString of a position, with all its plies."""
    n_plies = int(state[N_PLIES])
    replayed = new_state(int(state[TYPE]), bool(state[REPETITION]))
    moves = []
    for entry in journal(state):
        ply = entry & PLY_BITS
        moves.append(write_move(replayed, ply))
        apply(replayed, ply)
    letters = "".join(letter for i, letter in enumerate("MLP") if state[TYPE] >> i & 1)
    fields = [
        (THREEFOLD if state[REPETITION] else "") + ("Base+" + letters if letters else "Base"),
        _STATUSES[status(state)] if n_plies else "NotStarted",
        f"{('White', 'Black')[player(state)]}[{n_plies // 2 + 1}]",
    ]
    return ";".join(fields + moves)
