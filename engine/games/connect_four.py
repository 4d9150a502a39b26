"""Connect Four, seven columns by six rows: bitboards in columns of seven bits, six factors.

Bit `7 * column + row` is a cell, rows from 0 at the bottom; the seventh bit of a column is always empty, so
that lines never run from one column into the next. A state is four words: first player's discs, second
player's discs, the side to move, and the status as of the last ply (kept, since generating and ending both
ask for it).

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

COLUMNS: Final = 7
ROWS: Final = 6

FIRST: Final = 0
SECOND: Final = 1
SIDE: Final = 2
STATUS: Final = 3

# Complements of the masks (see plyscope.engine.games.bits).
_NOT_BOARD: Final = FULL ^ sum(0b0111111 << (7 * column) for column in range(COLUMNS))
_NOT_COLUMN: Final = FULL ^ 0b0111111
_NOT_CENTRE: Final = FULL ^ (0b0111111 << 21)
_NOT_NEAR_CENTRE: Final = FULL ^ (0b0111111 << 14 | 0b0111111 << 21 | 0b0111111 << 28)
_NOT_INNER: Final = FULL ^ sum(0b0111111 << (7 * column) for column in range(1, 6))


# The game's kernels ---------------------------------------------------------------------------------------


@kernel
def has_four(discs: int) -> bool:
    """Whether four of `discs` are in a line: finds pairs of neighbours, then pairs of pairs, by direction."""
    pairs = discs & (discs >> 1)
    fours = pairs & (pairs >> 2)
    pairs = discs & (discs >> 6)
    fours |= pairs & (pairs >> 12)
    pairs = discs & (discs >> 7)
    fours |= pairs & (pairs >> 14)
    pairs = discs & (discs >> 8)
    fours |= pairs & (pairs >> 16)
    return fours != 0


@kernel
def generate(state: State, plies: npt.NDArray[np.int32]) -> int:
    """The columns with room, from the left; none when the game is over."""
    n = 0
    if state[STATUS] == ONGOING:
        occupied = int(state[FIRST]) | int(state[SECOND])
        for column in range(COLUMNS):
            if occupied & cell(7 * column + ROWS - 1) == 0:
                plies[n] = column
                n += 1
    return n


@kernel
def landing(occupied: int, column: int) -> int:
    """The lowest empty cell of a column that has room: adding its bottom cell carries through the discs."""
    return (occupied + cell(7 * column)) & ((_NOT_COLUMN ^ FULL) << (7 * column))


@kernel
def apply(state: State, ply: int) -> None:
    """Drop a disc, and store whether it ended the game."""
    side = int(state[SIDE])
    occupied = int(state[FIRST]) | int(state[SECOND])
    dropped = landing(occupied, int(ply))
    discs = int(state[side]) | dropped
    state[side] = discs
    state[SIDE] = side ^ 1
    if has_four(discs):
        state[STATUS] = FIRST_WON if side == 0 else SECOND_WON
    elif (occupied | dropped) == _NOT_BOARD ^ FULL:
        state[STATUS] = DRAWN


@kernel
def noisy(state: State, plies: npt.NDArray[np.int32]) -> int:
    """Write the columns that win at once, and those that must be blocked, where the opponent would win."""
    n = 0
    if state[STATUS] == ONGOING:
        side = int(state[SIDE])
        own = int(state[side])
        other = int(state[side ^ 1])
        for column in range(COLUMNS):
            if (own | other) & cell(7 * column + ROWS - 1) == 0:
                dropped = landing(own | other, column)
                if has_four(own | dropped) or has_four(other | dropped):
                    plies[n] = column
                    n += 1
    return n


@kernel
def in_check(state: State) -> bool:
    """Whether the opponent would win with the next disc, were it their turn."""
    if state[STATUS] == ONGOING:
        side = int(state[SIDE])
        other = int(state[side ^ 1])
        occupied = int(state[side]) | other
        for column in range(COLUMNS):
            has_room = occupied & cell(7 * column + ROWS - 1) == 0
            if has_room and has_four(other | landing(occupied, column)):
                return True
    return False


@kernel
def pass_turn(state: State) -> int:
    """Make a null move while the game goes on; the key includes it, the text of a position does not."""
    if state[STATUS] != ONGOING:
        return 0
    state[SIDE] = int(state[SIDE]) ^ 1
    return 1


@kernel
def player(state: State) -> int:
    """0 for the first player, 1 for the second."""
    return 0 if state[SIDE] == 0 else 1


@kernel
def status(state: State) -> int:
    """Return the status that `apply` stored."""
    result = ONGOING
    if state[STATUS] == FIRST_WON:
        result = FIRST_WON
    elif state[STATUS] == SECOND_WON:
        result = SECOND_WON
    elif state[STATUS] == DRAWN:
        result = DRAWN
    return result


@kernel
def _open_lines(free: int, step: int) -> int:
    """Return the first cells of lines of four along `step` in `free`, cells without an opponent's disc."""
    pairs = free & (free >> step)
    return pairs & (pairs >> (2 * step))


@kernel
def _twos(own: int, lines: int, step: int) -> int:
    """Return those of `lines` with exactly two discs of `own`."""
    b = own >> step
    c = own >> (2 * step)
    d = own >> (3 * step)
    one_of_ab = own ^ b
    one_of_cd = c ^ d
    both_or_none = (own & b) ^ (c & d)
    return lines & ((one_of_ab & one_of_cd) | (both_or_none & ((one_of_ab | one_of_cd) ^ FULL)))


@kernel
def _threes(own: int, lines: int, step: int) -> int:
    """Return those of `lines` with exactly three discs of `own`."""
    b = own >> step
    c = own >> (2 * step)
    d = own >> (3 * step)
    return lines & (((own & b) & (c ^ d)) | ((own ^ b) & (c & d)))


@kernel
def _gaps(threes: int, empty: int, step: int) -> int:
    """Return the empty cells of lines that have three discs."""
    gaps = threes & empty
    gaps |= (threes << step) & empty
    gaps |= (threes << (2 * step)) & empty
    return gaps | ((threes << (3 * step)) & empty)


@kernel
def values(state: State, out: npt.NDArray[np.float64]) -> None:
    """Write differences first less second, all whole numbers.

    centre: discs, counted 3 in the middle column, 2 beside it, 1 in the next.
    lines: lines of four without an opponent's disc.
    twos, threes: such lines with exactly two, three own discs.
    threats: empty cells that complete a four.
    stacked: threats directly above one another, of which the second cannot be stopped.
    """
    first = int(state[FIRST])
    second = int(state[SECOND])
    empty = (first | second | _NOT_BOARD) ^ FULL
    first_gaps = first ^ first
    second_gaps = first_gaps
    lines = 0
    twos = 0
    threes = 0
    for step in (1, 6, 7, 8):
        first_lines = _open_lines(first | empty, step)
        second_lines = _open_lines(second | empty, step)
        lines += count_bits(first_lines) - count_bits(second_lines)
        twos += count_bits(_twos(first, first_lines, step)) - count_bits(_twos(second, second_lines, step))
        first_threes = _threes(first, first_lines, step)
        second_threes = _threes(second, second_lines, step)
        threes += count_bits(first_threes) - count_bits(second_threes)
        first_gaps |= _gaps(first_threes, empty, step)
        second_gaps |= _gaps(second_threes, empty, step)
    centre = count_bits(first & (_NOT_CENTRE ^ FULL)) - count_bits(second & (_NOT_CENTRE ^ FULL))
    centre += count_bits(first & (_NOT_NEAR_CENTRE ^ FULL)) - count_bits(second & (_NOT_NEAR_CENTRE ^ FULL))
    centre += count_bits(first & (_NOT_INNER ^ FULL)) - count_bits(second & (_NOT_INNER ^ FULL))
    out[0] = centre
    out[1] = lines
    out[2] = twos
    out[3] = threes
    out[4] = count_bits(first_gaps) - count_bits(second_gaps)
    out[5] = count_bits(first_gaps & (first_gaps >> 1)) - count_bits(second_gaps & (second_gaps >> 1))


@kernel
def key(state: State) -> int:
    """Return both boards, mixed in turn; the discs tell the side to move, unless a null move was made."""
    word = mixed(int(state[FIRST]))
    is_odd = (count_bits(int(state[FIRST]) | int(state[SECOND])) & 1) != 0
    if is_odd != (state[SIDE] != 0):
        word ^= FULL
    return mixed(word ^ int(state[SECOND]))


# Text -----------------------------------------------------------------------------------------------------

_FIRST_SIGNS: Final = "XxRr"
_SECOND_SIGNS: Final = "OoYy"
_EMPTY_SIGNS: Final = "._-"


def cell_name(column: int, row: int) -> str:
    """The name of a cell: its column as plies name it, then the row from the bottom.

    >>> cell_name(3, 0)
    '4.1'
    """
    return f"{column + 1}.{row + 1}"


class ConnectFour(
    KernelGame, kernels=(generate, apply, player, status, values, key, noisy, in_check, pass_turn)
):
    """The game as searches and boards take it.

    >>> GAME = ConnectFour()
    >>> GAME.write_position(GAME.read_position("4453"))
    '......./......./......./......./...O.../..OXX..'
    """

    name = "connect_four"
    players = ("red", "yellow")
    factors: Mapping[str, float] = {
        "centre": 1.0,
        "lines": 0.5,
        "twos": 2.0,
        "threes": 4.0,
        "threats": 6.0,
        "stacked": 30.0,
    }
    meanings: Mapping[str, str] = {
        "centre": "Discs near the middle: 3 for one in the middle column, 2 beside it, 1 in the next.",
        "lines": "Lines of four cells without an opposing disc.",
        "twos": "Lines of four cells that hold two own discs and no other.",
        "threes": "Lines of four cells that hold three own discs and no other.",
        "threats": "Empty cells that complete a four.",
        "stacked": "Pairs of such cells, one directly above the other: the upper one cannot be stopped.",
    }
    factor_dtype = np.int8
    max_plies = COLUMNS
    state_size = 4
    state_dtype = np.uint64
    start = "/".join(["." * COLUMNS] * ROWS)
    finished_counts_in_perft = False
    positions_repeat = False

    def read_position(self, text: str) -> State:
        """The state of six rows, the top one first, or of the columns played so far, such as `4453`.

        Rows stand on lines of their own or between `/`. Red, who begins, is `X` (also `R`), yellow `O`
        (also `Y`), an empty cell `.` (also `_`, `-`). The numbers of discs say whose turn it is.
        """
        body = text.strip()
        if re.fullmatch(r"[0-9]+", body):
            return self._played(body)
        rows = [re.sub(r"\s", "", row) for row in re.split(r"[/\n]", body)]
        if len(rows) != ROWS or any(len(row) != COLUMNS for row in rows):
            raise GameError(
                "a Connect Four position is six rows of seven cells, on lines or between '/', or the columns "
                f"played such as 4453; found {text[:100]!r}"
            )
        boards = [0, 0]
        for column in range(COLUMNS):
            for row in range(ROWS):
                sign = rows[ROWS - 1 - row][column]
                bit = 1 << (7 * column + row)
                if sign in _EMPTY_SIGNS:
                    continue
                if sign not in _FIRST_SIGNS + _SECOND_SIGNS:
                    raise GameError(f"{sign!r} on {cell_name(column, row)} is no disc: expected X, O or .")
                if row and not (boards[0] | boards[1]) & (bit >> 1):
                    raise GameError(f"the disc on {cell_name(column, row)} hangs in the air")
                boards[sign in _SECOND_SIGNS] |= bit
        return self._state(*boards)

    def _played(self, columns: str) -> State:
        state = np.zeros(self.state_size, self.state_dtype)
        for number, column in enumerate(columns, 1):
            try:
                apply(state, self.read_ply(state, column))
            except GameError as error:
                raise GameError(f"ply {number} of {columns!r}: {error}") from None
        return state

    def _state(self, first: int, second: int) -> State:
        side = first.bit_count() - second.bit_count()
        if side not in (0, 1):
            raise GameError(
                f"red has {first.bit_count()} discs and yellow {second.bit_count()}: red begins, so expected "
                "as many or one more"
            )
        if has_four((first, second)[side]):
            raise GameError(f"{self.players[side]} is to move but has four in a row already")
        result = ONGOING
        if has_four((first, second)[1 - side]):
            result = (SECOND_WON, FIRST_WON)[side]
        elif first | second == _NOT_BOARD ^ FULL:
            result = DRAWN
        return np.array([first, second, side, result], self.state_dtype)

    def write_position(self, state: State) -> str:
        """Six rows between `/`, the top one first."""
        first, second = int(state[FIRST]), int(state[SECOND])

        def sign(bit: int) -> str:
            return "X" if first >> bit & 1 else "O" if second >> bit & 1 else "."

        rows = reversed(range(ROWS))
        return "/".join("".join(sign(7 * column + row) for column in range(COLUMNS)) for row in rows)

    def write_ply(self, state: State, ply: int) -> str:
        """The column, from 1."""
        return str(ply + 1)

    def board(self, state: State) -> Board:
        """Seven by six squares."""
        first, second = int(state[FIRST]), int(state[SECOND])
        cells = []
        for row in reversed(range(ROWS)):
            for column in range(COLUMNS):
                bit = 7 * column + row
                disc = ("red disc",) if first >> bit & 1 else ("yellow disc",) if second >> bit & 1 else ()
                cells.append(Cell(column, ROWS - 1 - row, disc, cell_name(column, row)))
        return Board("squares", tuple(cells))

    def ply_cells(self, state: State, ply: int) -> Sequence[tuple[int, int]]:
        """Return the cell that the disc falls to."""
        dropped = landing(int(state[FIRST]) | int(state[SECOND]), int(ply))
        row = first_bit(dropped) - 7 * int(ply)
        return [(int(ply), ROWS - 1 - row)]


GAME: Final = ConnectFour()
