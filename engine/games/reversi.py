"""Reversi (Othello): bitboards, legal plies by parallel-prefix fills, seven factors.

Bit `8 * row + column` is a cell, rows and columns from 0 at a1, the top left. A state is four words: black
discs, white discs, the side to move, and the cells on which that side may play (kept, since generating,
judging and ending a game all ask for them). A side that cannot play but whose opponent can has one ply, the
pass; the game is over when neither can play.

It runs to more than 200 lines because text and kernels of a game stand together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON, Board, Cell, GameError, State
from plyscope.engine.games.bits import FULL, cell, mixed
from plyscope.engine.jit import count_bits, first_bit, kernel
from plyscope.engine.kernel_game import KernelGame

PASS: Final = 64

BLACK: Final = 0
WHITE: Final = 1
SIDE: Final = 2
MOVES: Final = 3

# Masks whose top bit is clear are written as complements (see plyscope.engine.games.bits).
_OUTER_COLUMNS: Final = 0x8181_8181_8181_8181
_NOT_A_FILE: Final = 0xFEFE_FEFE_FEFE_FEFE
_H_FILE: Final = 0x8080_8080_8080_8080
_CORNERS: Final = 0x8100_0000_0000_0081
_NOT_X_SQUARES: Final = 0xFFBD_FFFF_FFFF_BDFF
_NOT_EDGES: Final = 0x817E_7E7E_7E7E_7E81  # corners are no edge cells here


# The fills ------------------------------------------------------------------------------------------------


@kernel
def _runs_up(start: int, through: int, step: int) -> int:
    """Return the cells of `through` in unbroken lines of up to six from `start`, towards higher numbers.

    Parallel prefix (Kogge and Stone): one step, two, then twice two more by pairs.
    """
    run = through & (start << step)
    run |= through & (run << step)
    pairs = through & (through << step)
    run |= pairs & (run << (2 * step))
    run |= pairs & (run << (2 * step))
    return run


@kernel
def _runs_down(start: int, through: int, step: int) -> int:
    """The same as `_runs_up` towards lower numbers."""
    run = through & (start >> step)
    run |= through & (run >> step)
    pairs = through & (through >> step)
    run |= pairs & (run >> (2 * step))
    run |= pairs & (run >> (2 * step))
    return run


@kernel
def mobility(mover: int, other: int) -> int:
    """Return the cells on which `mover` may play: empty ones at the far end of a line of `other` discs."""
    inner = other & (_OUTER_COLUMNS ^ FULL)
    found = _runs_up(mover, inner, 1) << 1
    found |= _runs_up(mover, inner, 7) << 7
    found |= _runs_up(mover, inner, 9) << 9
    found |= _runs_up(mover, other, 8) << 8
    found |= _runs_down(mover, inner, 1) >> 1
    found |= _runs_down(mover, inner, 7) >> 7
    found |= _runs_down(mover, inner, 9) >> 9
    found |= _runs_down(mover, other, 8) >> 8
    return found & ((mover | other) ^ FULL)


@kernel
def _flips_up(placed: int, mover: int, through: int, step: int) -> int:
    run = _runs_up(placed, through, step)
    return run if (run << step) & mover else run ^ run


@kernel
def _flips_down(placed: int, mover: int, through: int, step: int) -> int:
    run = _runs_down(placed, through, step)
    return run if (run >> step) & mover else run ^ run


@kernel
def flips(placed: int, mover: int, other: int) -> int:
    """Return the discs of `other` that a disc of `mover` on the single cell `placed` turns over."""
    inner = other & (_OUTER_COLUMNS ^ FULL)
    return (
        _flips_up(placed, mover, inner, 1)
        | _flips_up(placed, mover, inner, 7)
        | _flips_up(placed, mover, inner, 9)
        | _flips_up(placed, mover, other, 8)
        | _flips_down(placed, mover, inner, 1)
        | _flips_down(placed, mover, inner, 7)
        | _flips_down(placed, mover, inner, 9)
        | _flips_down(placed, mover, other, 8)
    )


@kernel
def neighbours(cells: int) -> int:
    """Return `cells` and all that touch one of them, corners included."""
    beside = cells | ((cells & (_H_FILE ^ FULL)) << 1) | ((cells & _NOT_A_FILE) >> 1)
    return (beside | (beside << 8) | (beside >> 8)) & FULL


# The game's kernels ---------------------------------------------------------------------------------------


@kernel
def generate(state: State, plies: npt.NDArray[np.int32]) -> int:
    """Cells from a1 to h8 in order; a forced pass alone; nothing when the game is over."""
    moves = int(state[MOVES])
    n = 0
    while moves != 0:
        ply = first_bit(moves)
        plies[n] = ply
        n += 1
        moves ^= cell(ply)
    if n == 0:
        side = int(state[SIDE])
        if mobility(int(state[side ^ 1]), int(state[side])) != 0:
            plies[0] = PASS
            n = 1
    return n


@kernel
def apply(state: State, ply: int) -> None:
    """Place a disc and turn discs over, or pass; then the other side moves."""
    side = int(state[SIDE])
    mover = int(state[side])
    other = int(state[side ^ 1])
    if ply != PASS:
        placed = cell(int(ply))
        turned = flips(placed, mover, other)
        mover ^= turned | placed
        other ^= turned
        state[side] = mover
        state[side ^ 1] = other
    state[SIDE] = side ^ 1
    state[MOVES] = mobility(other, mover)


@kernel
def noisy(state: State, plies: npt.NDArray[np.int32]) -> int:
    """The corners on which the side to move may play: they change an evaluation most, and for good."""
    moves = int(state[MOVES]) & _CORNERS
    n = 0
    while moves != 0:
        ply = first_bit(moves)
        plies[n] = ply
        n += 1
        moves ^= cell(ply)
    return n


@kernel
def pass_turn(state: State) -> int:
    """Make a null move if both sides can play; a pass that the rules force is an ordinary ply."""
    side = int(state[SIDE])
    moves = mobility(int(state[side ^ 1]), int(state[side]))
    if state[MOVES] == 0 or moves == 0:
        return 0
    state[SIDE] = side ^ 1
    state[MOVES] = moves
    return 1


@kernel
def player(state: State) -> int:
    """0 for black, 1 for white."""
    return 0 if state[SIDE] == 0 else 1


@kernel
def status(state: State) -> int:
    """Over when neither side can play; the greater number of discs wins."""
    if state[MOVES] != 0:
        return ONGOING
    black = int(state[BLACK])
    white = int(state[WHITE])
    side = int(state[SIDE])
    if mobility(int(state[side ^ 1]), int(state[side])) != 0:
        return ONGOING
    lead = count_bits(black) - count_bits(white)
    if lead == 0:
        return DRAWN
    return FIRST_WON if lead > 0 else SECOND_WON


@kernel
def _lead(black: int, white: int) -> int:
    """Return the number of cells in black's word minus that in white's."""
    return count_bits(black) - count_bits(white)


@kernel
def values(state: State, out: npt.NDArray[np.float64]) -> None:
    """Write differences black less white; `late` is the filled part of the board in 64ths, so all are exact.

    discs: grows with the square of `late`, for early discs are worth little.
    mobility: legal plies, fading with `late`.
    frontier: discs beside an empty cell, fading: targets for the opponent, hence a negative weight.
    corners: corners held.
    x_squares: discs diagonally inside an empty corner, hence a negative weight.
    edges: edge discs that are no corners.
    parity: 1 for the side that will fill the last cell if nobody passes, growing with `late`.
    """
    black = int(state[BLACK])
    white = int(state[WHITE])
    empty = (black | white) ^ FULL
    late = count_bits(black | white) / 64.0
    black_moves = int(state[MOVES])
    white_moves = mobility(white, black)
    if state[SIDE] != 0:
        white_moves = black_moves
        black_moves = mobility(black, white)
    beside = neighbours(empty)
    corners = empty & _CORNERS
    risky = ((corners << 9) | (corners << 7) | (corners >> 7) | (corners >> 9)) & (_NOT_X_SQUARES ^ FULL)
    edges = _NOT_EDGES ^ FULL
    odd = (count_bits(empty) & 1) != 0
    out[0] = _lead(black, white) * late * late
    out[1] = _lead(black_moves, white_moves) * (1.0 - late)
    out[2] = _lead(black & beside, white & beside) * (1.0 - late)
    out[3] = _lead(black & _CORNERS, white & _CORNERS)
    out[4] = _lead(black & risky, white & risky)
    out[5] = _lead(black & edges, white & edges)
    out[6] = late if odd == (state[SIDE] == 0) else -late


@kernel
def key(state: State) -> int:
    """Both boards and the side, mixed one after the other."""
    word = mixed(int(state[BLACK]))
    if state[SIDE] != 0:
        word ^= FULL
    return mixed(word ^ int(state[WHITE]))


# Text -----------------------------------------------------------------------------------------------------

_BLACK_SIGNS: Final = "Xx*@Bb#●"
_WHITE_SIGNS: Final = "OoWw0○"
_EMPTY_SIGNS: Final = "-._·"
_SIDES: Final = {
    **dict.fromkeys((*_BLACK_SIGNS, "black"), 0),
    **dict.fromkeys((*_WHITE_SIGNS, "white"), 1),
}
_PASS_SPELLINGS: Final = ("pass", "pa", "ps", "--")


def cell_name(number: int) -> str:
    """Return the name of a cell, column letter then row from the top.

    >>> cell_name(42)
    'c6'
    """
    return "abcdefgh"[number % 8] + str(number // 8 + 1)


class Reversi(KernelGame, kernels=(generate, apply, player, status, values, key, noisy, pass_turn)):
    """The game as searches and boards take it.

    >>> GAME = Reversi()
    >>> state = GAME.read_position(GAME.start)
    >>> plies = np.zeros(GAME.max_plies, np.int32)
    >>> [GAME.write_ply(state, ply) for ply in plies[: GAME.generate(state, plies)]]
    ['d3', 'c4', 'f5', 'e6']
    """

    name = "reversi"
    players = ("black", "white")
    factors: Mapping[str, float] = {
        "discs": 1.0,
        "mobility": 4.0,
        "frontier": -1.0,
        "corners": 12.0,
        "x_squares": -6.0,
        "edges": 1.0,
        "parity": 2.0,
    }
    meanings: Mapping[str, str] = {
        "discs": "Discs, times the square of the filled share of the board: counts late.",
        "mobility": "Legal plies, times the empty share of the board: counts more early.",
        "frontier": "Discs beside an empty cell, times the empty share of the board: counts more early.",
        "corners": "Corners held.",
        "x_squares": "Discs diagonally inside an empty corner, which help the opponent to it.",
        "edges": "Discs on edges, corners left out.",
        "parity": "1 for filling the last cell if nobody passes, times the filled share: counts more late.",
    }
    factor_dtype = np.float32
    max_plies = 64
    state_size = 4
    state_dtype = np.uint64
    start = "---------------------------OX------XO--------------------------- X"
    finished_counts_in_perft = True
    positions_repeat = False

    def read_position(self, text: str) -> State:
        """The state of 64 cells, row by row from a1, then the side to move; white space does not matter.

        Black is `X` (also `* @ B # ●`), white `O` (also `W 0 ○`), an empty cell `-` (also `. _ ·`); the
        side is one of those signs or `black`, `white`.
        """
        body = text.strip()
        word = re.search(r"(?<![^\s])(black|white)$", body, re.IGNORECASE)
        side_text = word[1].lower() if word else ""
        signs = re.sub(r"\s", "", body[: word.start()] if word else body)
        if not side_text and len(signs) == 65:
            signs, side_text = signs[:64], signs[64]
        if len(signs) != 64 or not side_text:
            found = f"{len(signs)} signs" + (" and the side" if side_text else "")
            raise GameError(
                f"a Reversi position is 64 cells and the side to move, X or O; found {found}: {text[:100]!r}"
            )
        if side_text not in _SIDES:
            raise GameError(f"{side_text!r} after the 64 cells is no side to move: expected X or O")
        black = white = 0
        for number, sign in enumerate(signs):
            if sign in _BLACK_SIGNS:
                black |= 1 << number
            elif sign in _WHITE_SIGNS:
                white |= 1 << number
            elif sign not in _EMPTY_SIGNS:
                raise GameError(f"{sign!r} on {cell_name(number)} is no disc: expected X, O or -")
        side = _SIDES[side_text]
        moves = mobility(white, black) if side else mobility(black, white)
        return np.array([black, white, side, moves], np.uint64)

    def write_position(self, state: State) -> str:
        """64 cells, row by row from a1, each `X`, `O` or `-`, then a space and the side."""
        black, white = int(state[BLACK]), int(state[WHITE])
        signs = ("X" if black >> i & 1 else "O" if white >> i & 1 else "-" for i in range(64))
        return "".join(signs) + (" O" if state[SIDE] else " X")

    def spelled(self, text: str) -> str:
        """A cell such as `c6`, or `pass` (also `pa`, `ps`, `--`)."""
        name = text.strip().lower()
        return "pass" if name in _PASS_SPELLINGS else name

    def write_ply(self, state: State, ply: int) -> str:
        """`c6`, or `pass`."""
        return "pass" if ply == PASS else cell_name(int(ply))

    def board(self, state: State) -> Board:
        """Eight by eight squares."""
        black, white = int(state[BLACK]), int(state[WHITE])
        cells = []
        for i in range(64):
            disc = ("black disc",) if black >> i & 1 else ("white disc",) if white >> i & 1 else ()
            cells.append(Cell(i % 8, i // 8, disc, cell_name(i)))
        return Board("squares", tuple(cells))

    def ply_cells(self, state: State, ply: int) -> Sequence[tuple[int, int]]:
        """Return the cell played on, then those turned over."""
        if ply == PASS:
            return ()
        side = int(state[SIDE])
        turned = flips(1 << int(ply), int(state[side]), int(state[side ^ 1]))
        touched = [int(ply), *(i for i in range(64) if turned >> i & 1)]
        return [(i % 8, i // 8) for i in touched]


GAME: Final = Reversi()
