"""Plies as text, and positions with the plies that led to them.

A ply is written in Standard Algebraic Notation (SAN). It is read in that, in the notation of UCI, and in what
lies between: `e4`, `e2e4`, `e2-e4`, `exd5`, `Ng1-f3`, `O-O`, `0-0`, `e1g1`, `e1h1`, `e8=Q`, `e8Q`, `e7e8q`,
with or without `+ # ! ?`. `--` and `0000` are the null move.

A position is a FEN. What came before it counts for repetition: then the text is the FEN after the last
capture or pawn's ply, `moves`, and the plies since. Any plies may follow when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

import numpy as np

from plyscope.engine.game import GameError, State
from plyscope.engine.games.bits import FULL, cell
from plyscope.engine.games.chess.fen import PLAYERS, START, read_fen, write_fen
from plyscope.engine.games.chess.moves import generate, has_ply, in_check, pseudo_legal
from plyscope.engine.games.chess.play import apply, last_ply, n_reversible, undo
from plyscope.engine.games.chess.squares import LINE, square_name, without_first
from plyscope.engine.games.chess.state import (
    IS_CASTLING,
    JOURNAL,
    KING,
    LETTERS,
    MOVED,
    OWN,
    PASS,
    PAWN,
    PROMOTED,
    TAKEN,
    attacks_of,
    end_of,
    kind_in,
    king_of,
    occupied_in,
    pinned_for,
    player,
    start_of,
)
from plyscope.engine.jit import count_bits, first_bit, kernel
from plyscope.engine.quoting import quoted

MAX_PLIES: Final = 256
"""More than any position has: 218 is the most that is known."""
MOST_LISTED: Final = 12
"""The most legal plies that an error lists."""
NULL: Final = ("--", "0000", "null", "@@@@")
_POSITION: Final = re.compile(r"(?:position\s+)?(?:fen\s+)?(startpos|.*?)(?:\s+moves\b(.*))?", re.DOTALL)
_PLY: Final = re.compile(
    r"([NBRQKP]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:[=/]?\(?([NBRQnbrq])\)?)?(?:\s*e\.?p\.?)?"
)
_CASTLING: Final = re.compile(r"[O0o]-[O0o](-[O0o])?")

# The parts of a ply's code, least first: 0 no check, 1 check, 2 mate; the kind promoted to; the end; whether
# it takes; from where, as far as that is written; the kind.
_N_CHECKS, _N_PROMOTED, _N_FROM = 3, 6, 81
"""0 for nothing, then files, ranks and squares; of kings both castlings and the null move."""
_RANKS_FROM, _SQUARES_FROM = 9, 17
_SHORT, _LONG, _NULL = 1, 2, 3


# Plies ----------------------------------------------------------------------------------------------------


def read_san(state: State, text: str) -> int:
    """The legal ply that a text names in `state`, in any of the spellings above, or the null move `PASS`.

    Raises GameError for one that is illegal or may be several, with what is possible.
    """
    if count_bits(int(state[KING])) < 2:
        raise GameError(f"{quoted(text)}: a king was taken")
    legal = _legal_in(state[:JOURNAL].tobytes())
    body = text.strip()
    if body in NULL:
        if legal and not in_check(state):
            return PASS
        why = "in check" if legal else "where the game is over"
        raise GameError(f"{quoted(body)}: there is no null move {why}")
    found, near = _named(state, legal, body.rstrip("+#!?=").rstrip())
    if len(found) == 1:
        return found[0]
    names = _listed(state, found or near or legal)
    side = PLAYERS[player(state)]
    if found:
        raise GameError(f"{quoted(body)} may be several plies of {side}: expected one of {names}")
    expected = f"expected one of {names}" if legal else "the game is over"
    raise GameError(f"{quoted(body)} is no legal ply for {side}: {expected}")


def read_pseudo(state: State, text: str) -> int | None:
    """The ply that a text names, which may leave its king attacked; None where it names none, or several."""
    if count_bits(int(state[KING])) < 2:
        return None
    found, _ = _named(state, pseudo_legal(state), text.strip().rstrip("+#!?=").rstrip())
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=256)
def _legal_in(words: bytes) -> Sequence[int]:
    """The legal plies of a state without its journal, since many are read in one position."""
    plies = np.zeros(MAX_PLIES, np.int32)
    legal = plies[: generate(np.frombuffer(words, np.uint64), plies)].tolist()
    return tuple(ply for ply in legal if kind_in(ply, TAKEN) != KING)  # one that was left under attack


def _named(state: State, legal: Sequence[int], body: str) -> tuple[list[int], list[int]]:
    """The legal plies that a text may name; and those that are near, if it names none."""
    if castling := _CASTLING.fullmatch(body):
        castles = [ply for ply in legal if ply & IS_CASTLING]
        return [ply for ply in castles if (end_of(ply) % 8 == 2) == (castling[1] is not None)], castles
    if (parts := _PLY.fullmatch(body)) is None:
        return [], []
    letter, file, rank, end_name, promoted = parts.groups(default="")
    end = "abcdefgh".index(end_name[0]) + 8 * (int(end_name[1]) - 1)
    # In UCI a piece has no letter, and castling may be written as the king's taking his rook.
    kind = 0 if file and rank and not letter else max(PAWN, LETTERS.find(letter or "P"))
    near = [ply for ply in legal if kind in (0, kind_in(ply, MOVED))]
    found = []
    for ply in near:
        start, ends = start_of(ply), [end_of(ply)]
        if ply & IS_CASTLING and file:
            ends.append(end_of(ply) + 1 if end_of(ply) > start else end_of(ply) - 2)
        is_from = square_name(start)[0] == (file or square_name(start)[0])
        is_from = is_from and square_name(start)[1] == (rank or square_name(start)[1])
        if end in ends and is_from and (not promoted or LETTERS[kind_in(ply, PROMOTED)] == promoted.upper()):
            found.append(ply)
    if file and rank:
        near = [ply for ply in near if square_name(start_of(ply)) == file + rank]
    return found, near


def _listed(state: State, plies: Sequence[int]) -> str:
    """The texts of some plies; only the first of many."""
    names = ", ".join(write_san(state, ply) for ply in plies[:MOST_LISTED])
    return names if len(plies) <= MOST_LISTED else f"{names}, … ({len(plies)} in all)"


def write_san(state: State, ply: int) -> str:
    """The SAN of a legal ply in `state`, the position before it; `--` for the null move."""
    return write_code(int(ply_code(state, ply)))


def write_uci(ply: int) -> str:
    """A ply in the notation of UCI, `e2e4`, `e1g1`, `e7e8q`; `0000` for the null move."""
    if ply == PASS:
        return "0000"
    promoted = LETTERS[kind_in(ply, PROMOTED)].lower() if kind_in(ply, PROMOTED) else ""
    return square_name(start_of(ply)) + square_name(end_of(ply)) + promoted


@kernel
def ply_code(state: State, ply: int) -> int:
    """Return a number below a million that means one text of SAN in every position."""
    ply = int(ply)
    if ply == PASS:
        return _code(KING, _NULL, 0, 0, 0, 0)
    start = start_of(ply)
    end = end_of(ply)
    kind = kind_in(ply, MOVED)
    takes = 1 if kind_in(ply, TAKEN) != 0 else 0
    come_from = 0
    if ply & IS_CASTLING != 0:
        come_from = _SHORT if end > start else _LONG
    elif kind == PAWN and takes != 0:
        come_from = 1 + (start & 7)
    elif kind != PAWN and kind != KING:
        come_from = _told_apart(state, kind, start, end)
    apply(state, ply)
    check = 0
    if in_check(state):
        check = 1 if has_ply(state) else 2
    undo(state, ply)
    return _code(kind, come_from, takes, end, kind_in(ply, PROMOTED), check)


@kernel
def _code(kind: int, come_from: int, takes: int, end: int, promoted: int, check: int) -> int:
    found = ((kind - 1) * _N_FROM + come_from) * 2 + takes
    return ((found * 64 + end) * _N_PROMOTED + promoted) * _N_CHECKS + check


@kernel
def _told_apart(state: State, kind: int, start: int, end: int) -> int:
    """From where a piece comes, as far as that is written: nothing, its file, its rank or both."""
    side = player(state)
    others = attacks_of(kind, end, occupied_in(state)) & int(state[kind]) & int(state[OWN + side])
    others &= cell(start) ^ FULL
    pinned = pinned_for(state, side)
    king = king_of(state, side)
    n_others = 0
    n_on_file = 0
    n_on_rank = 0
    while others != 0:
        at = first_bit(others)
        others = without_first(others)
        if pinned & cell(at) == 0 or int(LINE[64 * king + at]) & cell(end) != 0:
            n_others += 1
            n_on_file += 1 if at & 7 == start & 7 else 0
            n_on_rank += 1 if at >> 3 == start >> 3 else 0
    if n_others == 0:
        return 0
    if n_on_file == 0:
        return 1 + (start & 7)
    return _RANKS_FROM + (start >> 3) if n_on_rank == 0 else _SQUARES_FROM + start


@cache
def write_code(code: int) -> str:
    """The SAN of which `ply_code` is `code`.

    >>> write_code(_code(PAWN, 5, 1, 43, 0, 1)), write_code(_code(KING, _LONG, 0, 2, 0, 2))
    ('exd6+', 'O-O-O#')
    """
    rest, check = divmod(code, _N_CHECKS)
    rest, promoted = divmod(rest, _N_PROMOTED)
    rest, end = divmod(rest, 64)
    rest, takes = divmod(rest, 2)
    kind, come_from = divmod(rest, _N_FROM)
    kind += 1
    if kind == KING and come_from:
        return ("", "O-O", "O-O-O", "--")[come_from] + ("", "+", "#")[check]
    if come_from >= _SQUARES_FROM:
        came = square_name(come_from - _SQUARES_FROM)
    else:
        came = ("", *"abcdefgh12345678")[come_from]
    letter = LETTERS[kind] if kind != PAWN else ""
    into = f"={LETTERS[promoted]}" if promoted else ""
    return f"{letter}{came}{'x' * takes}{square_name(end)}{into}{('', '+', '#')[check]}"


# Positions ------------------------------------------------------------------------------------------------


def read_position(text: str) -> State:
    """The position of `FEN` or `FEN moves PLY …`, `startpos` for the FEN of the start; raises GameError."""
    parts = _POSITION.fullmatch(text.strip())
    assert parts is not None
    state = read_fen(START if parts[1] == "startpos" else parts[1])
    for n, name in enumerate((parts[2] or "").split(), 1):
        try:
            apply(state, read_san(state, name))
        except GameError as error:
            raise GameError(f"ply {n}: {error}") from None
    return state


def write_position(state: State) -> str:
    """The FEN; with `moves` and the plies since the last capture or pawn's ply, if any are known.

    >>> write_position(read_position("startpos moves e4 e5 Nf3"))
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 moves g1f3'
    """
    before, plies = state.copy(), []
    for _ in range(n_reversible(state)):
        plies.append(last_ply(before))
        undo(before, plies[-1])
    return " ".join([write_fen(before), *(["moves"] if plies else []), *map(write_uci, reversed(plies))])
