"""Draughts on 6 × 6: captures are compulsory and go on as far as they can; crowned discs go both ways.

    plyscope search examples/games/draughts.py:Draughts --depth 6 -o draughts.json
    plyscope view draughts.json --game examples/games/draughts.py:Draughts

A disc is crowned where it ends a ply on the last row. Whoever cannot move has lost; forty plies without a
capture or a step of an uncrowned disc are a draw. A square is (column, row), counted from the top left.
"""

import re
from itertools import pairwise

from plyscope.engine.game import DRAWN, FIRST_WON, SECOND_WON, Board, Cell, GameError

SIZE = 6
SQUARES = {(x, y): SIZE * y + x for y in range(SIZE) for x in range(SIZE)}
DISCS = {"w": "white disc", "W": "white crowned disc", "b": "black disc", "B": "black crowned disc"}
UP, DOWN = [(-1, -1), (1, -1)], [(-1, 1), (1, 1)]
DIRECTIONS = {"w": UP, "b": DOWN, "W": UP + DOWN, "B": UP + DOWN}
START = ".b.b.b/b.b.b./....../....../.w.w.w/w.w.w. w 0"
MOST_QUIET = 40


def at(board, square):
    """The disc on a square, `.` for none, a space beyond the edge."""
    return board[SQUARES[square]] if square in SQUARES else " "


def beside(square, direction, distance=1):
    return square[0] + distance * direction[0], square[1] + distance * direction[1]


def taken_by(ply):
    """The squares that a ply jumps over."""
    return [((x + u) // 2, (y + v) // 2) for (x, y), (u, v) in pairwise(ply) if abs(y - v) == 2]


def name_of(square):
    return f"{'abcdef'[square[0]]}{SIZE - square[1]}"


class Draughts:
    name = "draughts"
    players = ("white", "black")
    factors = {"discs": 3.0, "crowned": 2.0, "advance": 0.25}
    meanings = {
        "discs": "Discs, crowned ones too.",
        "crowned": "Crowned discs, which also go backwards.",
        "advance": "Rows that uncrowned discs have gone forward.",
    }

    def start(self):
        return self.read_position(START)  # the board row by row, whose turn it is, plies without progress

    def player(self, position):
        return "wb".index(position[1])

    def plies(self, position):
        """A ply is the squares on which its disc stands, one after the other."""
        board, side, quiet = position
        if quiet >= MOST_QUIET:
            return []
        own = [square for square in SQUARES if at(board, square).lower() == side]
        steps = [(square, beside(square, way)) for square in own for way in DIRECTIONS[at(board, square)]]
        captures = [ply for square in own for ply in self.captures(board, (square,))]
        return captures or [ply for ply in steps if at(board, ply[1]) == "."]

    def captures(self, board, ply):
        """The captures that begin with `ply`, each as long as it can be; no disc is taken twice."""
        disc, taken, longer = at(board, ply[0]), taken_by(ply), []
        for way in DIRECTIONS[disc]:
            over, to = beside(ply[-1], way), beside(ply[-1], way, 2)
            is_enemy = at(board, over).lower() == ("b" if disc in "wW" else "w")
            if is_enemy and over not in taken and (at(board, to) == "." or to == ply[0]):
                longer += self.captures(board, (*ply, to))
        return longer or ([ply] if taken else [])

    def apply(self, position, ply):
        board, side, quiet = position
        disc, taken, squares = at(board, ply[0]), taken_by(ply), dict(zip(SQUARES, board, strict=True))
        is_crowned = ply[-1][1] == (0 if side == "w" else SIZE - 1)
        squares |= dict.fromkeys([ply[0], *taken], ".") | {ply[-1]: disc.upper() if is_crowned else disc}
        quiet = quiet + 1 if disc.isupper() and not taken else 0
        return "".join(squares.values()), "b" if side == "w" else "w", quiet

    def winner(self, position):
        if self.plies(position):
            return None
        return DRAWN if position[2] >= MOST_QUIET else SECOND_WON if position[1] == "w" else FIRST_WON

    def values(self, position):
        board = position[0]
        crowned = board.count("W") - board.count("B")
        white = sum(SIZE - 1 - y for (x, y) in SQUARES if at(board, (x, y)) == "w")
        black = sum(y for (x, y) in SQUARES if at(board, (x, y)) == "b")
        return [board.count("w") - board.count("b") + crowned, crowned, white - black]

    def write_ply(self, position, ply):
        return ("x" if taken_by(ply) else "-").join(map(name_of, ply))

    def write_position(self, position):
        board, side, quiet = position
        return f"{'/'.join(board[i : i + SIZE] for i in range(0, len(board), SIZE))} {side} {quiet}"

    def read_position(self, text):
        found = re.fullmatch(r"((?:[wWbB.]{6}/){5}[wWbB.]{6}) ([wb]) (\d+)", text.strip())
        if found is None:
            raise GameError(f"expected rows from the top, whose turn, plies without progress: {START!r}")
        return found[1].replace("/", ""), found[2], int(found[3])

    def board(self, position):
        cells = []
        for (x, y), disc in zip(SQUARES, position[0], strict=True):
            pieces = (DISCS[disc],) if disc in DISCS else ()
            cells.append(Cell(x, y, pieces, name_of((x, y)), dark=(x + y) % 2 == 1))
        return Board("squares", tuple(cells))

    def ply_cells(self, position, ply):
        return [ply[0], *taken_by(ply), ply[-1]]
