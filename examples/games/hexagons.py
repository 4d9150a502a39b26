"""Yavalath on hexagons: four of your discs in a row win, three in a row without a fourth lose.

    plyscope search examples/games/hexagons.py:Yavalath --depth 3 -o hexagons.json
    plyscope view hexagons.json --game examples/games/hexagons.py:Yavalath

By Cameron Browne's program Ludi (2007), which played it on a board of side 5; this one has side 4, and no
swap. A full board is a draw. A cell is (q, r), in axial coordinates: q to the right, r down and to the right.
"""

from collections import Counter

from plyscope.engine.game import DRAWN, FIRST_WON, SECOND_WON, Board, Cell, GameError

SIDE = 4
LAST = SIDE - 1
CELLS = [(q, r) for r in range(-LAST, SIDE) for q in range(-LAST, SIDE) if abs(q + r) <= LAST]
NUMBERS = {cell: number for number, cell in enumerate(CELLS)}
NAMES = [f"{'abcdefg'[r + LAST]}{q - max(-LAST, -LAST - r) + 1}" for q, r in CELLS]
INSIDE = [LAST - max(abs(q), abs(r), abs(q + r)) for q, r in CELLS]
DISCS = {"x": ("red disc",), "o": ("blue disc",), ".": ()}
DIRECTIONS = [(1, 0), (0, 1), (1, -1)]


def rows_of(length):
    """Every row of so many cells, as their numbers."""
    rows = [[(q + i * dq, r + i * dr) for i in range(length)] for q, r in CELLS for dq, dr in DIRECTIONS]
    return [[NUMBERS[cell] for cell in row] for row in rows if all(cell in NUMBERS for cell in row)]


THREES, FOURS = rows_of(3), rows_of(4)


def discs_on(board, row):
    return "".join(board[cell] for cell in row)


class Yavalath:
    name = "yavalath"
    players = ("red", "blue")
    factors = {"threats": 4.0, "pairs": 1.0, "middle": 0.1}
    meanings = {
        "threats": "Rows of four with three discs and a gap in the middle: the gap wins.",
        "pairs": "Rows of four with a disc at each end and none between.",
        "middle": "How far discs stand from the edge.",
    }

    def start(self):
        return "." * len(CELLS), 0  # the cells as in CELLS, whose turn it is

    def player(self, position):
        return position[1]

    def plies(self, position):
        return [] if self.winner(position) else [i for i, disc in enumerate(position[0]) if disc == "."]

    def apply(self, position, ply):
        board, player = position
        return board[:ply] + "xo"[player] + board[ply + 1 :], 1 - player

    def winner(self, position):
        board, player = position
        disc = "ox"[player]  # of whoever played last
        if any(discs_on(board, row) == disc * 4 for row in FOURS):
            return SECOND_WON if player == 0 else FIRST_WON
        if any(discs_on(board, row) == disc * 3 for row in THREES):
            return FIRST_WON if player == 0 else SECOND_WON
        return None if "." in board else DRAWN

    def values(self, position):
        rows = Counter(discs_on(position[0], row) for row in FOURS)
        threats = rows["xx.x"] + rows["x.xx"] - rows["oo.o"] - rows["o.oo"]
        worth = {"x": 1, "o": -1, ".": 0}
        middle = sum(inside * worth[disc] for inside, disc in zip(INSIDE, position[0], strict=True))
        return [threats, rows["x..x"] - rows["o..o"], middle]

    def write_ply(self, position, ply):
        return NAMES[ply]

    def write_position(self, position):
        return f"{position[0]} {self.players[position[1]]}"

    def read_position(self, text):
        board, _, player = text.strip().partition(" ")
        if len(board) != len(CELLS) or set(board) - set(DISCS) or player not in self.players:
            raise GameError(
                f"expected {len(CELLS)} cells and whose turn it is, as {self.write_position(self.start())!r}"
            )
        return board, self.players.index(player)

    def board(self, position):
        cells = zip(CELLS, position[0], NAMES, strict=True)
        return Board("hexes", tuple(Cell(q, r, DISCS[disc], name) for (q, r), disc, name in cells))
