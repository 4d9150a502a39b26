"""Tic-tac-toe: nine cells, four factors; the smallest game that is worth searching to its end.

Cell `3 * row + column` is a bit, rows and columns from 0 at a3, the top left. A state is three words: the
crosses, the noughts, and the side to move.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON, Board, Cell, GameError, State
from plyscope.engine.jit import count_bits, kernel
from plyscope.engine.kernel_game import KernelGame

CROSSES: Final = 0
NOUGHTS: Final = 1
SIDE: Final = 2

LINES: Final = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
ALL_CELLS: Final = 0o777
CENTRE: Final = 0o020
CORNERS: Final = 0o505

_SIGNS: Final = "XO"
_EMPTY_SIGNS: Final = "._-"


@kernel
def generate(state: State, plies: npt.NDArray[np.int32]) -> int:
    """The empty cells from the top left; none when the game is over."""
    if status(state) != ONGOING:
        return 0
    occupied = state[CROSSES] | state[NOUGHTS]
    n = 0
    for cell in range(9):
        if (occupied >> cell) & 1 == 0:
            plies[n] = cell
            n += 1
    return n


@kernel
def apply(state: State, ply: int) -> None:
    """Mark a cell."""
    state[state[SIDE]] |= 1 << ply
    state[SIDE] = 1 - state[SIDE]


@kernel
def player(state: State) -> int:
    """0 for crosses, 1 for noughts."""
    return int(state[SIDE])


@kernel
def status(state: State) -> int:
    """Return who has three in a row; without either, whether the board is full."""
    for line in LINES:
        if state[CROSSES] & line == line:
            return FIRST_WON
        if state[NOUGHTS] & line == line:
            return SECOND_WON
    return DRAWN if state[CROSSES] | state[NOUGHTS] == ALL_CELLS else ONGOING


@kernel
def values(state: State, out: npt.NDArray[np.float64]) -> None:
    """Differences crosses less noughts.

    centre, corners: cells held.
    open: lines without an opponent's mark.
    twos: such lines with two own marks, one short of winning.
    """
    crosses = state[CROSSES]
    noughts = state[NOUGHTS]
    out[0] = count_bits(crosses & CENTRE) - count_bits(noughts & CENTRE)
    out[1] = count_bits(crosses & CORNERS) - count_bits(noughts & CORNERS)
    out[2] = 0
    out[3] = 0
    for line in LINES:
        n_crosses = count_bits(crosses & line)
        n_noughts = count_bits(noughts & line)
        if n_noughts == 0:
            out[2] += 1
            out[3] += n_crosses == 2
        if n_crosses == 0:
            out[2] -= 1
            out[3] -= n_noughts == 2


@kernel
def key(state: State) -> int:
    """Return both boards and the side in one word, different for all positions."""
    return int(state[CROSSES] | (state[NOUGHTS] << 9) | (state[SIDE] << 18))


@kernel
def pass_turn(state: State) -> int:
    """Make a null move while the game goes on."""
    if status(state) != ONGOING:
        return 0
    state[SIDE] = 1 - state[SIDE]
    return 1


def cell_name(cell: int) -> str:
    """The name of a cell, column letter then row from the bottom.

    >>> cell_name(0), cell_name(8)
    ('a3', 'c1')
    """
    return "abc"[cell % 3] + "321"[cell // 3]


class TicTacToe(KernelGame, kernels=(generate, apply, player, status, values, key, pass_turn)):
    """The game as searches and boards take it.

    >>> GAME.write_position(GAME.read_position("X.. .O. ..."))
    'X.. .O. ... X'
    """

    name = "tictactoe"
    players = ("X", "O")
    factors: Mapping[str, float] = {"centre": 3.0, "corners": 1.0, "open": 1.0, "twos": 4.0}
    meanings: Mapping[str, str] = {
        "centre": "1 for holding the centre.",
        "corners": "Corners held.",
        "open": "Lines without an opposing mark.",
        "twos": "Lines of two own marks and an empty cell, one short of winning.",
    }
    factor_dtype = np.int16
    max_plies = 9
    state_size = 3
    state_dtype = np.int64
    start = "... ... ... X"
    finished_counts_in_perft = True
    positions_repeat = False

    def read_position(self, text: str) -> State:
        """The state of three rows of three, the top one first, and the side to move (else by the marks).

        A mark is `X` or `O`, an empty cell `.` (also `_`, `-`); white space and `/` do not matter.
        """
        signs = re.sub(r"[\s/]", "", text).upper()
        if len(signs) not in (9, 10) or not set(signs) <= set(_SIGNS + _EMPTY_SIGNS):
            raise GameError(
                "a tic-tac-toe position is nine cells, X, O or '.', then the side, X or O; "
                f"found {text[:40]!r}"
            )
        boards = [sum(1 << cell for cell in range(9) if signs[cell] == sign) for sign in _SIGNS]
        side = boards[0].bit_count() - boards[1].bit_count()
        if side not in (0, 1):
            marks = f"{boards[0].bit_count()} X and {boards[1].bit_count()} O"
            raise GameError(f"{marks} in {text[:40]!r}: X begins, so expected as many or one more")
        if len(signs) == 10 and signs[9] != _SIGNS[side]:
            raise GameError(f"{text[:40]!r}: by the marks {_SIGNS[side]} is to move, not {signs[9]}")
        return np.array([*boards, side], self.state_dtype)

    def write_position(self, state: State) -> str:
        """Three rows, the top one first, and the side to move."""
        rows = ["".join(self._sign(state, 3 * row + column) for column in range(3)) for row in range(3)]
        return " ".join([*rows, _SIGNS[int(state[SIDE])]])

    def _sign(self, state: State, cell: int) -> str:
        return "X" if int(state[CROSSES]) >> cell & 1 else "O" if int(state[NOUGHTS]) >> cell & 1 else "."

    def spelled(self, text: str) -> str:
        """An empty cell such as `b2`, in capitals or not."""
        return text.strip().lower()

    def write_ply(self, state: State, ply: int) -> str:
        """The cell's name."""
        return cell_name(int(ply))

    def board(self, state: State) -> Board:
        """Three by three squares."""
        pieces = {"X": ("cross",), "O": ("nought",), ".": ()}
        signs = [self._sign(state, cell) for cell in range(9)]
        cells = [Cell(i % 3, i // 3, pieces[sign], cell_name(i)) for i, sign in enumerate(signs)]
        return Board("squares", tuple(cells))

    def ply_cells(self, state: State, ply: int) -> Sequence[tuple[int, int]]:
        """The cell that is marked."""
        return [(int(ply) % 3, int(ply) // 3)]


GAME: Final = TicTacToe()
