"""The rules of Hive, slow and obvious: dicts, sets, flood fills; it shares nothing with the engine.

A cell is axial: q to the east, r to the south-east, so rows run east and west. A piece is its name in the
Universal Hive Protocol (`wQ`, `bA2`). A ply is `(piece, cell)`, whether the piece is placed there, moves
there or is thrown there; `PASS` where a side has nothing else. All rules stand in this one file, to be read
from top to bottom; that makes it longer than 300 lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

Cell = tuple[int, int]
Ply = tuple[str, Cell] | None

PASS: Ply = None

EAST, NORTH_EAST, NORTH_WEST = (1, 0), (1, -1), (0, -1)
WEST, SOUTH_WEST, SOUTH_EAST = (-1, 0), (-1, 1), (0, 1)
AROUND = (EAST, NORTH_EAST, NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST)

COUNTS = {"Q": 1, "S": 2, "B": 2, "G": 3, "A": 3, "M": 1, "L": 1, "P": 1}
GAME_TYPES = ("Base", "Base+M", "Base+L", "Base+P", "Base+ML", "Base+MP", "Base+LP", "Base+MLP")

SIGNS = {
    "{}-": EAST,
    "{}/": NORTH_EAST,
    "\\{}": NORTH_WEST,
    "-{}": WEST,
    "/{}": SOUTH_WEST,
    "{}\\": SOUTH_EAST,
}
"""How a side of a piece is written, and where it lies."""

REFERENCES = (NORTH_WEST, NORTH_EAST, EAST, SOUTH_EAST, SOUTH_WEST, WEST)
"""Where strict writing looks for a neighbour of the destination, in this order."""


class IllegalError(ValueError):
    """A text that is no game, or a ply that is not legal where it was played."""


def step(cell: Cell, direction: Cell) -> Cell:
    return cell[0] + direction[0], cell[1] + direction[1]


def neighbours(cell: Cell) -> list[Cell]:
    return [step(cell, direction) for direction in AROUND]


def in_common(cell: Cell, neighbour: Cell) -> list[Cell]:
    """The two cells that touch both of two neighbouring cells."""
    return [each for each in neighbours(cell) if each in neighbours(neighbour)]


def kind(piece: str) -> str:
    return piece[1]


@dataclass
class Position:
    """A position and the plies that led to it; `columns` holds the stack of every occupied cell, top last."""

    game_type: str = "Base"
    threefold: bool = False
    columns: dict[Cell, list[str]] = field(default_factory=dict)
    plies: list[Ply] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    seen: Counter[object] = field(default_factory=Counter)

    # What is where ----------------------------------------------------------------------------------------

    def mover(self) -> str:
        return "wb"[len(self.plies) % 2]

    def pieces(self) -> list[str]:
        """Every piece of the game type, white's first."""
        expansions = self.game_type.removeprefix("Base").removeprefix("+")
        bugs = "QSBGA" + expansions
        return [
            side + bug + (str(number) if COUNTS[bug] > 1 else "")
            for side in "wb"
            for bug in bugs
            for number in range(1, COUNTS[bug] + 1)
        ]

    def cell_of(self, piece: str) -> Cell | None:
        return next((cell for cell, column in self.columns.items() if piece in column), None)

    def height(self, cell: Cell) -> int:
        return len(self.columns.get(cell, ()))

    def top(self, cell: Cell) -> str:
        return self.columns[cell][-1]

    def last_moved(self) -> str | None:
        """The piece of the ply before, which has to rest."""
        return self.plies[-1][0] if self.plies and self.plies[-1] is not None else None

    def lifted(self, cell: Cell) -> Position:
        """The same board without the top piece of `cell`."""
        columns = {each: list(column) for each, column in self.columns.items()}
        columns[cell].pop()
        return Position(self.game_type, columns={each: column for each, column in columns.items() if column})

    def is_one_hive(self) -> bool:
        """Whether a flood from any cell reaches all."""
        if not self.columns:
            return True
        flooded: set[Cell] = set()
        open_cells = [next(iter(self.columns))]
        while open_cells:
            cell = open_cells.pop()
            if cell not in flooded:
                flooded.add(cell)
                open_cells += [each for each in neighbours(cell) if each in self.columns]
        return len(flooded) == len(self.columns)

    # How the game stands ----------------------------------------------------------------------------------

    def state(self) -> str:
        """NotStarted, InProgress, Draw, WhiteWins or BlackWins."""
        if not self.plies:
            return "NotStarted"
        lost = [self.is_surrounded(side + "Q") for side in "wb"]
        if all(lost) or (self.threefold and not any(lost) and self.seen[self.look()] >= 3):
            return "Draw"
        return "BlackWins" if lost[0] else "WhiteWins" if lost[1] else "InProgress"

    def is_surrounded(self, queen: str) -> bool:
        cell = self.cell_of(queen)
        return cell is not None and all(each in self.columns for each in neighbours(cell))

    def look(self) -> object:
        """The identity of a position: the kinds of bugs on every cell, and who is to move."""
        board = {(cell, tuple(piece[:2] for piece in column)) for cell, column in self.columns.items()}
        return frozenset(board), self.mover()

    def game_string(self) -> str:
        colour = "White" if self.mover() == "w" else "Black"
        turn = f"{colour}[{len(self.plies) // 2 + 1}]"
        return ";".join([self.game_type, self.state(), turn, *self.texts])

    # Legal plies ------------------------------------------------------------------------------------------

    def legal(self) -> set[Ply]:
        """Every legal ply, `{PASS}` where there is no other; none when the game is over."""
        if self.state() in ("Draw", "WhiteWins", "BlackWins"):
            return set()
        plies: set[Ply] = {*self.placements()}
        if self.cell_of(self.mover() + "Q") is not None:
            plies |= {*self.moves(), *self.throws()}
        return plies or {PASS}

    def placements(self) -> Iterator[tuple[str, Cell]]:
        hand = [piece for piece in self.pieces() if piece[0] == self.mover() and self.cell_of(piece) is None]
        lowest = [piece for piece in hand if not any(each < piece for each in hand if each[:2] == piece[:2])]
        turn = len(self.plies) // 2 + 1
        if turn == 1:
            lowest = [piece for piece in lowest if kind(piece) != "Q"]
        if turn == 4 and self.mover() + "Q" in lowest:
            lowest = [self.mover() + "Q"]
        yield from product(lowest, self.placement_cells())

    def placement_cells(self) -> list[Cell]:
        """Empty cells beside the hive that touch no piece of the opponent; the second piece may."""
        if not self.columns:
            return [(0, 0)]
        beside = {each for cell in self.columns for each in neighbours(cell) if each not in self.columns}
        if len(self.plies) == 1:
            return list(beside)
        return [
            cell
            for cell in beside
            if all(self.top(each)[0] == self.mover() for each in neighbours(cell) if each in self.columns)
        ]

    def moves(self) -> Iterator[tuple[str, Cell]]:
        """The moves of the mover's own pieces by their own legs."""
        for cell in self.columns:
            piece = self.top(cell)
            if piece[0] != self.mover() or piece == self.last_moved():
                continue
            lifted = self.lifted(cell)
            if not lifted.is_one_hive():
                continue
            for destination in lifted.destinations(kind(piece), cell):
                yield piece, destination

    def destinations(self, bug: str, cell: Cell) -> set[Cell]:
        """The cells that a bug lifted from `cell` can go to."""
        if bug == "M":
            if self.height(cell) > 0:
                return self.steps(cell)
            copied = {kind(self.top(each)) for each in neighbours(cell) if each in self.columns} - {"M"}
            return {each for other in copied for each in self.destinations(other, cell)}
        if bug in "QP":
            return self.slides(cell)
        if bug == "S":
            paths = [[cell]]
            for _ in range(3):
                paths = [[*path, to] for path in paths for to in self.slides(path[-1]) if to not in path]
            return {path[-1] for path in paths}
        if bug == "A":
            reached, edge = {cell}, {cell}
            while edge:
                edge = {to for each in edge for to in self.slides(each)} - reached
                reached |= edge
            return reached - {cell}
        if bug == "G":
            return {
                self.beyond(cell, direction) for direction in AROUND if self.height(step(cell, direction))
            }
        if bug == "B":
            return self.steps(cell)
        assert bug == "L"
        return {
            down
            for up in self.climbs(cell)
            if self.height(up)
            for on in self.climbs(up)
            if self.height(on)
            for down in self.climbs(on)
            if not self.height(down) and down != cell
        }

    def slides(self, cell: Cell) -> set[Cell]:
        """One step on the ground: through no gate, and never away from the hive."""
        return {
            to
            for to in neighbours(cell)
            if to not in self.columns and sum(each in self.columns for each in in_common(cell, to)) == 1
        }

    def climbs(self, cell: Cell) -> set[Cell]:
        """The neighbours that a piece on top of `cell` gets to between the columns left and right."""
        return {
            to
            for to in neighbours(cell)
            if min(map(self.height, in_common(cell, to))) <= max(self.height(cell), self.height(to))
        }

    def steps(self, cell: Cell) -> set[Cell]:
        """A beetle's: a climb up, down or along the top, or a slide on the ground."""
        above = {to for to in self.climbs(cell) if self.height(cell) or self.height(to)}
        return above if self.height(cell) else above | self.slides(cell)

    def beyond(self, cell: Cell, direction: Cell) -> Cell:
        """The first empty cell in a direction."""
        cell = step(cell, direction)
        while cell in self.columns:
            cell = step(cell, direction)
        return cell

    def throws(self) -> Iterator[tuple[str, Cell]]:
        """Throws by the mover's pillbug, or mosquito beside one, which may be pinned: piece and new cell."""
        for cell in self.columns:
            thrower = self.top(cell)
            if thrower[0] != self.mover() or thrower == self.last_moved() or not self.can_throw(cell):
                continue
            for start in neighbours(cell):
                if self.height(start) != 1 or self.top(start) == self.last_moved():
                    continue
                lifted = self.lifted(start)
                if not lifted.is_one_hive() or cell not in lifted.climbs(start):
                    continue
                for end in lifted.climbs(cell):
                    if not lifted.height(end) and end != start:
                        yield self.top(start), end

    def can_throw(self, cell: Cell) -> bool:
        beside = {kind(self.top(each)) for each in neighbours(cell) if each in self.columns}
        bug = kind(self.top(cell))
        return self.height(cell) == 1 and (bug == "P" or (bug == "M" and "P" in beside))

    # Playing ----------------------------------------------------------------------------------------------

    def play(self, ply: Ply, *, trusted: bool = False) -> Position:
        """The position after a legal ply; `trusted` plies are not looked up among the legal ones."""
        if not trusted and ply not in self.legal():
            raise IllegalError(f"{ply} is not legal in {self.game_string()}")
        columns = {cell: list(column) for cell, column in self.columns.items()}
        if ply is not None:
            piece, to = ply
            start = self.cell_of(piece)
            if start is not None:
                columns[start].pop()
                if not columns[start]:
                    del columns[start]
            columns.setdefault(to, []).append(piece)
        after = Position(
            self.game_type,
            self.threefold,
            columns,
            [*self.plies, ply],
            [*self.texts, self.write(ply)],
            Counter(self.seen),
        )
        after.seen[after.look()] += 1
        return after

    # Text -------------------------------------------------------------------------------------------------

    def write(self, ply: Ply) -> str:
        """The strict MoveString: on top of a piece, else by the first neighbour of `REFERENCES`.

        What the moving piece has stood on is named only where there is no other neighbour.
        """
        if ply is None:
            return "pass"
        piece, to = ply
        if not self.columns:
            return piece
        if to in self.columns:
            return f"{piece} {self.top(to)}"
        left = self.cell_of(piece)
        beside = [cell for cell in (step(to, side) for side in REFERENCES) if cell in self.columns]
        if others := [cell for cell in beside if cell != left]:
            reference, target = others[0], self.top(others[0])
        else:
            reference, target = beside[0], self.columns[beside[0]][-2]
        sign = next(sign for sign, side in SIGNS.items() if step(reference, side) == to)
        return f"{piece} {sign.format(target)}"

    def read(self, text: str) -> Ply:
        """The ply of a MoveString in any spelling; it need not be legal."""
        words = text.split()
        if [word.lower() for word in words] == ["pass"]:
            return PASS
        if len(words) == 1 and not self.columns:
            return self.piece_named(words[0]), (0, 0)
        found = re.fullmatch(r"([-/\\]?)(\w+)([-/\\]?)", words[1]) if len(words) == 2 else None
        if found is None or (found[1] and found[3]):
            raise IllegalError(f"{text!r} is no MoveString")
        cell = self.cell_of(self.piece_named(found[2]))
        if cell is None:
            raise IllegalError(f"{text!r}: {found[2]} is not in play")
        sign = found[1] + "{}" + found[3]
        return self.piece_named(words[0]), step(cell, SIGNS[sign]) if sign != "{}" else cell

    def piece_named(self, text: str) -> str:
        name = text[:1].lower() + text[1:].upper()
        if name[1:2] in "QMLP" and name[2:] == "1":
            name = name[:2]
        if name not in self.pieces():
            raise IllegalError(f"{text!r} is no piece of {self.game_type}")
        return name


def start(game_type: str = "Base", *, threefold: bool = False) -> Position:
    """An empty board with the hands of one of `GAME_TYPES`."""
    if game_type not in GAME_TYPES:
        raise IllegalError(f"{game_type!r}, expected one of {', '.join(GAME_TYPES)}")
    return Position(game_type, threefold)


def read_game(text: str, *, threefold: bool = False, trusted: bool = False) -> Position:
    """Play a GameString; what it says about state and turn is not believed, blanks and empty fields go."""
    fields = [each.strip() for each in text.split(";")]
    position = start(fields[0], threefold=threefold)
    for each in filter(None, fields[3:]):
        position = position.play(position.read(each), trusted=trusted)
    return position
