"""The game chess, for searches, logs and boards."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from plyscope.engine.game import Board, Cell, Place, State
from plyscope.engine.games.chess.factors import MEANINGS, WEIGHTS, values
from plyscope.engine.games.chess.fen import NAMES, PLAYERS, START
from plyscope.engine.games.chess.moves import generate, in_check, noisy, pseudo_legal
from plyscope.engine.games.chess.notation import (
    MAX_PLIES,
    ply_code,
    read_position,
    read_pseudo,
    read_san,
    write_code,
    write_position,
    write_san,
)
from plyscope.engine.games.chess.play import (
    apply,
    draw_of,
    key,
    last_ply,
    pass_turn,
    status,
    stood_before,
    undo,
    why_over,
)
from plyscope.engine.games.chess.squares import square_name
from plyscope.engine.games.chess.state import (
    HASH,
    IS_CASTLING,
    IS_EN_PASSANT,
    KING,
    MOVED,
    OWN,
    PASS,
    PAWN,
    STATE_SIZE,
    end_of,
    kind_at,
    kind_in,
    king_of,
    player,
    start_of,
)
from plyscope.engine.jit import count_bits
from plyscope.engine.kernel_game import KernelGame, legal_plies


class Chess(
    KernelGame,
    kernels=(
        generate,
        apply,
        undo,
        player,
        status,
        values,
        key,
        noisy,
        in_check,
        pass_turn,
        ply_code,
        draw_of,
    ),
):
    """The game; 50 moves, repetition and too few pieces are draws by `status` alone, and leave their plies.

    >>> GAME = Chess()
    >>> state = GAME.read_position("startpos moves e2e4 e5")
    >>> GAME.write_ply(state, GAME.read_ply(state, "g1-f3"))
    'Nf3'
    """

    name = "chess"
    players = PLAYERS
    factors: Mapping[str, float] = WEIGHTS
    meanings: Mapping[str, str] = MEANINGS
    unit = "pawns"
    factor_dtype = np.float32
    max_plies = MAX_PLIES
    plies_need_position = True
    state_size = STATE_SIZE
    state_dtype = np.uint64
    start = START
    finished_counts_in_perft = False
    draws_leave_plies = True

    read_position = staticmethod(read_position)
    write_position = staticmethod(write_position)
    read_ply = staticmethod(read_san)
    write_ply = staticmethod(write_san)
    write_code = staticmethod(write_code)
    why_over = staticmethod(why_over)
    read_pseudo = staticmethod(read_pseudo)
    stood_before = staticmethod(stood_before)

    def identity(self, state: State) -> tuple[bytes, bytes]:
        """The pieces of a position, and all that keys may have: a double step, the clock, the number."""
        last = last_ply(state)
        is_double = last >= 0 and kind_in(last, MOVED) == PAWN and abs(end_of(last) - start_of(last)) == 16
        whole = state[:HASH].tobytes() + bytes([end_of(last) if is_double else 64])
        return state[PAWN : OWN + 2].tobytes(), whole

    def pseudo_counts(self, state: State) -> set[int]:
        """The numbers of pseudo-legal plies, castling included, that other engines may report here."""
        found = pseudo_legal(state)
        castling = [ply for ply in found if ply & IS_CASTLING]
        return {len(found), len(found) - len(castling) + len({*castling} & {*legal_plies(self, state)})}

    def takes_king(self, before: State, ply: int, reply: str) -> bool:
        """Whether the text of a reply to `ply` ends on the square of the king that this left under attack."""
        after = before.copy()
        apply(after, ply)
        square = square_name(king_of(after, player(before)))
        return re.findall("[a-h][1-8]", reply)[-1:] == [square]

    def taken_back(self, state: State) -> tuple[State, int] | None:
        """The position before the last ply, and that ply; None where a FEN alone was read."""
        ply = last_ply(state)
        if ply < 0:
            return None
        before = state.copy()
        undo(before, ply)
        return before, ply

    def board(self, state: State) -> Board:
        """Eight by eight squares, white below."""
        is_taken = count_bits(int(state[KING])) < 2
        attacked = _place(king_of(state, player(state))) if not is_taken and in_check(state) else None
        return Board("squares", tuple(_cell(state, square) for square in range(64)), check=attacked)

    def ply_cells(self, state: State, ply: int) -> Sequence[Place]:
        """The square that a piece leaves, others that change, and the one it ends on."""
        if ply == PASS:
            return ()
        start, end = start_of(ply), end_of(ply)
        changed = []
        if ply & IS_CASTLING:
            changed = [end + 1, end - 1] if end > start else [end - 2, end + 1]
        elif ply & IS_EN_PASSANT:
            changed = [8 * (start // 8) + end % 8]
        return [_place(square) for square in (start, *changed, end)]


def _place(square: int) -> Place:
    return square % 8, 7 - square // 8


def _cell(state: State, square: int) -> Cell:
    kind = kind_at(state, square)
    side = PLAYERS[int(state[OWN + 1]) >> square & 1]
    pieces = (f"{side} {NAMES[kind]}",) if kind else ()
    x, y = _place(square)
    return Cell(x, y, pieces, square_name(square), dark=(x + y) % 2 == 1)


GAME: Final = Chess()
