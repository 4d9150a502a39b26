"""EinStein würfelt nicht: a die says which of six stones moves; the far corner, or the last stone, wins.

`plyscope search examples/games/einstein.py:EinStein --algorithm expectimax --depth 2 --view`
"""

from plyscope.engine.game import CHANCE, FIRST_WON, SECOND_WON, Board, Cell, GameError

SIZE = 5
CELLS = range(SIZE * SIZE)
FACES = range(1, 7)
STONES = "ABCDEF", "abcdef"  # as positions are written: the stones 1 to 6 of red and of blue
GOALS = SIZE * SIZE - 1, 0
START = "ABD../CE.../F...f/...ec/..dba red ?"


def name(cell):
    return "abcde"[cell % SIZE] + str(SIZE - cell // SIZE)


def steps(cell, side):
    """Steps from a cell to the far corner: a stone goes sideways, ahead, or both at once."""
    far = (cell % SIZE, cell // SIZE)
    return max(far) if side else SIZE - 1 - min(far)


def ahead(cell, side):
    """The cells that a stone may step to, whatever stands there."""
    step = -1 if side else 1
    column, row = cell % SIZE + step, cell // SIZE + step
    ways = [(column, cell // SIZE), (cell % SIZE, row), (column, row)]
    return [x + SIZE * y for x, y in ways if 0 <= x < SIZE and 0 <= y < SIZE]


def movable(cells, side, face):
    """The stone that a face of the die names; where that is taken, the next lower and the next higher one."""
    left = [number for number in FACES if STONES[side][number - 1] in cells]
    numbers = {*[n for n in left if n <= face][-1:], *[n for n in left if n >= face][:1]}
    numbers = {face} if face in left else numbers
    return [cells.index(STONES[side][number - 1]) for number in sorted(numbers)]


class EinStein:
    """A position is the cells row by row, whose turn it is, and the die: 0 before it is rolled."""

    name = "einstein"
    players = ("red", "blue")
    factors = {"steps": 2.0, "likely_steps": 2.0, "stones": 1.0}
    meanings = {
        "steps": "Steps to the far corner of the stone nearest to it, counted below 0.",
        "likely_steps": "The same of the stones that a roll lets move, added up over the six faces.",
        "stones": "Stones left: more of them are harder to take, fewer leave the runner to more faces.",
    }
    positions_repeat = False

    def start(self):
        return self.read_position(START)

    def player(self, position):
        return position[1] if position[2] else CHANCE

    def chances(self, position):
        return [(face, 1 / 6) for face in FACES]

    def plies(self, position):
        cells, side, face = position
        return [(cell, to) for cell in movable(cells, side, face) for to in ahead(cell, side)]

    def apply(self, position, ply):
        cells, side, _ = position
        if isinstance(ply, int):  # the die
            return cells, side, ply
        after = list(cells)
        after[ply[1]], after[ply[0]] = after[ply[0]], "."
        return "".join(after), 1 - side, 0

    def winner(self, position):
        cells = position[0]
        for side, won in ((0, FIRST_WON), (1, SECOND_WON)):
            if cells[GOALS[side]] in STONES[side] or not any(stone in cells for stone in STONES[1 - side]):
                return won
        return None

    def values(self, position):
        cells = position[0]
        red, blue = (self.counts(cells, side) for side in (0, 1))
        return [one - other for one, other in zip(red, blue, strict=True)]

    def counts(self, cells, side):
        places = [cell for cell in CELLS if cells[cell] in STONES[side]]
        likely = [[steps(cell, side) for cell in movable(cells, side, face)] for face in FACES if places]
        nearest = min((steps(cell, side) for cell in places), default=SIZE)
        return [-nearest, -sum(map(min, likely)), len(places)]

    def write_ply(self, position, ply):
        if isinstance(ply, int):
            return f"roll {ply}"
        return f"{STONES[position[1]].index(position[0][ply[0]]) + 1}-{name(ply[1])}"

    def write_position(self, position):
        rows = "/".join(position[0][row : row + SIZE] for row in CELLS[::SIZE])
        return f"{rows} {self.players[position[1]]} {position[2] or '?'}"

    def read_position(self, text):
        cells, side, die = (*text.replace("/", "").split(), "", "", "")[:3]
        if len(cells) != len(CELLS) or side not in self.players or die not in ("?", *map(str, FACES)):
            raise GameError(f"expected a position such as {START!r}; found {text[:60]!r}")
        return cells, self.players.index(side), int(die.replace("?", "0"))

    def board(self, position):
        cells, mover, face = position
        pieces = {stone: f"{self.players[i]} {n + 1}" for i in (0, 1) for n, stone in enumerate(STONES[i])}
        squares = [
            Cell(i % SIZE, i // SIZE, (pieces[cells[i]],) if cells[i] in pieces else (), name(i))
            for i in CELLS
        ]
        rolled = tuple((f"{face}",) if face and mover == side else () for side in (0, 1))
        return Board("squares", tuple(squares), hands=rolled)
