"""A solver of Connect Four that shares nothing with the engine: lines of four listed once, and a memo.

Cells are numbered along rows from the top left, as a position is read; a board is one number of 42 bits. A
win is worth more the fewer discs lie when the game ends, so values need no shifting between levels.
"""

from __future__ import annotations

COLUMNS, ROWS = 7, 6
N_CELLS = COLUMNS * ROWS

_STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
_CENTRE_FIRST = (3, 2, 4, 1, 5, 0, 6)
_FULL = (1 << N_CELLS) - 1


def _lines_of_four() -> list[list[int]]:
    """For each cell the boards of the lines of four through it, without the cell itself."""
    through: list[list[int]] = [[] for _ in range(N_CELLS)]
    for row in range(ROWS):
        for column in range(COLUMNS):
            for down, right in _STEPS:
                cells = [(row + i * down, column + i * right) for i in range(4)]
                if all(0 <= r < ROWS and 0 <= c < COLUMNS for r, c in cells):
                    numbers = [COLUMNS * r + c for r, c in cells]
                    for number in numbers:
                        through[number].append(sum(1 << each for each in numbers if each != number))
    return through


_THROUGH = _lines_of_four()


def solve(text: str) -> tuple[int, int]:
    """The worth of six rows `text` for the side to move (1 won, 0 drawn, -1 lost) and the plies to the end.

    >>> solve("XOX.OO./OXO.OX./OXO.XXX/OOX.XXX/XOX.OOO/OOX.OXX")
    (-1, 4)
    """
    rows = text.split("/")
    boards = [
        sum(1 << COLUMNS * r + c for r in range(ROWS) for c in range(COLUMNS) if rows[r][c] == sign)
        for sign in "XO"
    ]
    n_discs = (boards[0] | boards[1]).bit_count()
    if n_discs % 2:
        boards.reverse()
    known: dict[tuple[int, int], tuple[int, int]] = {}
    value = _value(boards[0], boards[1], -N_CELLS, N_CELLS, known)
    if value == 0:
        return 0, N_CELLS - n_discs
    return (1 if value > 0 else -1), N_CELLS + 1 - abs(value) - n_discs


def _value(own: int, other: int, low: int, high: int, known: dict[tuple[int, int], tuple[int, int]]) -> int:
    """43 less the discs that lie when the side to move wins, negative when it loses, 0 for a draw.

    Alpha-beta; `known` holds for each position a value it has at least, and one it has at most.
    """
    occupied = own | other
    if occupied == _FULL:
        return 0
    cells = [cell for column in _CENTRE_FIRST if (cell := _landing(occupied, column)) >= 0]
    if any(_completes(own, cell) for cell in cells):
        return N_CELLS - occupied.bit_count()
    least, most = known.get((own, other), (-N_CELLS, N_CELLS))
    if least == most or least >= high:
        return least
    if most <= low:
        return most
    blocks = [cell for cell in cells if _completes(other, cell)]
    best = -N_CELLS
    for cell in blocks[:1] or cells:
        best = max(best, -_value(other, own | 1 << cell, -high, -max(low, best), known))
        if best >= high:
            break
    if best > low:
        least = max(least, best)
    if best < high:
        most = min(most, best)
    known[own, other] = least, most
    return best


def _landing(occupied: int, column: int) -> int:
    """The lowest empty cell of a column, -1 where it is full."""
    for row in reversed(range(ROWS)):
        cell = COLUMNS * row + column
        if not occupied >> cell & 1:
            return cell
    return -1


def _completes(board: int, cell: int) -> bool:
    """Whether a disc of `board` on `cell` makes four in a row."""
    return any(board & line == line for line in _THROUGH[cell])
