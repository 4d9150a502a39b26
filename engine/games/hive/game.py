"""The game Hive, for searches, logs and boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from plyscope.engine.game import Board, Cell, State
from plyscope.engine.games.hive.cells import OFFSETS, STEPS, WRAP
from plyscope.engine.games.hive.factors import WEIGHTS, values
from plyscope.engine.games.hive.meanings import MEANINGS
from plyscope.engine.games.hive.moves import generate, noisy
from plyscope.engine.games.hive.notation import (
    MAX_PLIES,
    PIECES,
    PLAYERS,
    contradiction,
    ply_code,
    read_game,
    read_move,
    write_code,
    write_game,
    write_move,
)
from plyscope.engine.games.hive.play import apply, in_check, key, pass_turn, player, status, undo
from plyscope.engine.games.hive.rings import ring
from plyscope.engine.games.hive.state import (
    AT,
    BELOW,
    BLACK,
    HAND,
    KIND,
    PASS,
    PIECE_BITS,
    PLY_BITS,
    STATE_SIZE,
    height_of,
    journal,
    top_of,
)
from plyscope.engine.kernel_game import KernelGame

if TYPE_CHECKING:
    from plyscope.engine.games.hive.study import Terms


class Hive(
    KernelGame,
    kernels=(generate, apply, undo, player, status, values, key, noisy, in_check, pass_turn, ply_code, ring),
):
    """The game, with whichever of mosquito, ladybug and pillbug the position's type has.

    >>> GAME = Hive()
    >>> state = GAME.read_position("Base+MLP;InProgress;White[2];wS1;bL wS1-")
    >>> GAME.write_position(state)
    'Base+MLP;InProgress;White[2];wS1;bL wS1-'
    >>> GAME.board(state).cells[0].pieces
    ('wS1',)
    """

    name = "hive"
    players = PLAYERS
    factors: Mapping[str, float] = WEIGHTS
    meanings: Mapping[str, str] = MEANINGS
    factor_dtype = np.int16
    max_plies = MAX_PLIES
    plies_need_position = True
    state_size = STATE_SIZE
    state_dtype = np.int32
    start = "Base;NotStarted;White[1]"
    finished_counts_in_perft = False

    @property
    def evaluations(self) -> Mapping[str, Hive]:
        """Other evaluations by name, imported when they are asked for."""
        return _evaluations()

    @property
    def adjudications(self) -> Mapping[str, Callable[[State], float]]:
        """Ways to tell who won a game that was broken off: white's points, 1, 0.5 or 0."""
        return {"ring": ring_points}

    def read_position(self, text: str) -> State:
        """The position of a GameString, or a GameTypeString's start, after `threefold ` where asked for."""
        return read_game(text)

    def write_position(self, state: State) -> str:
        """The GameString, with all plies."""
        return write_game(state)

    def contradiction(self, text: str, state: State) -> str | None:
        """Return a warning if a GameString contradicts its own plies, which led to `state`."""
        return contradiction(text, state)

    def read_ply(self, state: State, text: str) -> int:
        """A MoveString in any spelling."""
        return read_move(state, text)

    def write_ply(self, state: State, ply: int) -> str:
        """The MoveString."""
        return write_move(state, ply)

    def write_code(self, code: int) -> str:
        """The MoveString of a code."""
        return write_code(code)

    def taken_back(self, state: State) -> tuple[State, int] | None:
        """The position before the last ply, and that ply; None at the start.

        >>> before, ply = GAME.taken_back(GAME.read_position("Base;InProgress;White[2];wS1;bG1 wS1-"))
        >>> GAME.write_position(before), GAME.write_ply(before, ply)
        ('Base;InProgress;Black[1];wS1', 'bG1 wS1-')
        """
        played = journal(state)
        if not played:
            return None
        before, ply = state.copy(), played[-1] & PLY_BITS
        undo(before, ply)
        return before, ply

    def board(self, state: State) -> Board:
        """Hexes: the stacks, then the empty cells around them; each side's pieces in hand."""
        at = coordinates(state)
        cells = [Cell(q, r, stack(state, cell)) for cell, (q, r) in at.items()]
        around = {(q + dq, r + dr) for q, r in at.values() for dq, dr in STEPS} - set(at.values())
        cells += (Cell(q, r) for q, r in sorted(around))
        return Board("hexes", tuple(cells), hands=(hand(state, 0), hand(state, 1)))

    def ply_cells(self, state: State, ply: int) -> Sequence[tuple[int, int]]:
        """Return the cell that a piece leaves and the one it ends on; a placement has only its end."""
        piece = int(ply) & PIECE_BITS
        if piece == PASS:
            return ()
        at = coordinates(state)
        end = _place(at, int(ply) >> 5)
        left = int(state[AT + piece])
        return (end,) if left < 0 else (at[left], end)


def coordinates(state: State) -> dict[int, tuple[int, int]]:
    """Return (q, r) of every occupied cell, by its number; the first piece was placed on (0, 0).

    Cell numbers wrap around and coordinates do not, so the game is replayed from its first ply.
    """
    at: dict[int, tuple[int, int]] = {}
    height: dict[int, int] = {}
    standing: dict[int, int] = {}
    for entry in journal(state):
        piece = entry & PIECE_BITS
        if piece == PASS:
            continue
        end = entry >> 5 & WRAP
        place = _place(at, end)
        if piece in standing:
            left = standing[piece]
            height[left] -= 1
            if height[left] == 0:
                del at[left], height[left]
        at[end] = place
        height[end] = height.get(end, 0) + 1
        standing[piece] = end
    return at


def _place(at: Mapping[int, tuple[int, int]], cell: int) -> tuple[int, int]:
    """(q, r) of a cell that is occupied or beside one that is."""
    if cell in at or not at:
        return at.get(cell, (0, 0))
    for offset, (dq, dr) in zip(OFFSETS.tolist(), STEPS, strict=True):
        if (cell - offset) & WRAP in at:
            q, r = at[(cell - offset) & WRAP]
            return q + dq, r + dr
    raise AssertionError(f"cell {cell} is away from the hive")


def stack(state: State, cell: int) -> tuple[str, ...]:
    """The names of the pieces on a cell, the top one last."""
    found = int(state[cell])
    piece = top_of(found)
    names = []
    for _ in range(height_of(found)):
        names.append(PIECES[piece])
        piece = int(state[BELOW + piece])
    return tuple(reversed(names))


def hand(state: State, side: int) -> tuple[str, ...]:
    """The names of the pieces that a side has yet to place."""
    own = range(side * BLACK, (side + 1) * BLACK)
    return tuple(
        PIECES[piece] for piece in own if state[AT + piece] < 0 and state[HAND + 8 * side + int(KIND[piece])]
    )


def ring_points(state: State) -> float:
    """White's points where the queen with more neighbours has lost: 1, 0 or, with as many, 0.5."""
    found = np.zeros(len(WEIGHTS))
    values(state, found)
    return float((np.sign(found[list(WEIGHTS).index("queen_ring")]) + 1) / 2)


class _JudgedHive(Hive):
    """Hive with another evaluation."""

    def __init__(self, terms: Terms) -> None:
        self.factors, self.meanings, self.values = terms


@cache
def _evaluations() -> Mapping[str, Hive]:
    from plyscope.engine.games.hive.study import EVALUATIONS

    return {name: _JudgedHive(terms) for name, terms in EVALUATIONS.items()}


GAME: Final = Hive()
