"""Odd as searches and boards take it: the kernels, and the texts of positions and plies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from plyscope.engine.game import Board, Cell, GameError, State
from plyscope.engine.kernel_game import KernelGame
from plyscope_studies.odd.cells import (
    LEAST_SIDE,
    MOST_CELLS,
    MOST_SIDE,
    NAMES,
    PLACES,
    SIDES,
    n_cells_of,
)
from plyscope_studies.odd.rules import (
    BLACK,
    EMPTIES,
    LABELS,
    SIDE,
    STATE_SIZE,
    WHITE,
    apply,
    generate,
    key,
    n_cells,
    player,
    status,
    values,
)

USUAL_SIDE = 5
_SIDE_OF = {n_cells_of(side): side for side in SIDES}
_SIGNS = {"X": BLACK, "x": BLACK, "O": WHITE, "o": WHITE}
_EMPTY = "-._"
_COLOURS = "bw"
_DISCS = ("black disc", "white disc")


class Odd(KernelGame, kernels=(generate, apply, player, status, values, key)):
    """Place a piece of either colour; an odd number of groups of five or more is the first player's win.

    >>> GAME = Odd()
    >>> state = GAME.read_position("side 3")
    >>> GAME.apply(state, GAME.read_ply(state, "C3 w"))
    >>> GAME.write_position(state)
    '---------O--------- second'
    """

    name = "odd"
    players = ("first", "second")
    factors: Mapping[str, float] = {"parity": 1.0, "fours": 0.125, "empties": 0.0078125}
    meanings: Mapping[str, str] = {
        "parity": "1, for the first player while the number of groups is odd, else for the second.",
        "fours": "Sets of four next to an empty cell, for the player whom the parity is against: each may "
        "change it.",
        "empties": "Empty cells, for the player whom the parity is against: how often it may change yet.",
    }
    factor_dtype = np.int16
    max_plies = 2 * MOST_CELLS
    state_size = STATE_SIZE
    state_dtype = np.int16
    start = "-" * n_cells_of(USUAL_SIDE) + " first"
    finished_counts_in_perft = False
    positions_repeat = False

    def read_position(self, text: str) -> State:
        """The state of the cells, row by row from the top, and of whose turn it is; or `side 4`, empty.

        Black is `X`, white `O`, an empty cell `-` (also `.`, `_`); rows may stand on lines or between `/`.
        The number of signs tells the side of the grid. Whose turn it is follows from the pieces, so `first`
        or `second` may be left out.
        """
        body = text.strip()
        if empty := re.fullmatch(r"side\s+([0-9]{1,3})", body):
            side = int(empty[1])
            if side not in SIDES:
                raise GameError(f"side {side}: expected a grid of side {LEAST_SIDE} to {MOST_SIDE}")
            return self._empty(side)
        turn = re.search(r"\s(first|second)$", body)
        signs = re.sub(r"[\s/]", "", body[: turn.start()] if turn else body)
        if wrong := next((sign for sign in signs if sign not in _SIGNS and sign not in _EMPTY), None):
            raise GameError(f"{wrong!r} is no piece of Odd: expected X, O or -, then 'first' or 'second'")
        if len(signs) not in _SIDE_OF:
            sizes = ", ".join(map(str, _SIDE_OF))
            raise GameError(
                f"a position of Odd has {sizes} cells, the grids of side {LEAST_SIDE} to {MOST_SIDE}; "
                f"found {len(signs)} in {text[:60]!r}"
            )
        state = self._empty(_SIDE_OF[len(signs)])
        for cell, sign in enumerate(signs):
            if sign in _SIGNS:
                apply(state, 2 * cell + _SIGNS[sign])
        mover = self.players[player(state)]
        if turn and turn[1] != mover:
            n_pieces = n_cells(state) - int(state[EMPTIES])
            raise GameError(f"{turn[1]} is not to move after {n_pieces} pieces: expected {mover}")
        return state

    def _empty(self, side: int) -> State:
        state = np.zeros(self.state_size, self.state_dtype)
        state[SIDE], state[EMPTIES] = side, n_cells_of(side)
        return state

    def write_position(self, state: State) -> str:
        """A sign for each cell, row by row from the top, and whose turn it is."""
        labels = state[LABELS : LABELS + n_cells(state)]
        signs = "".join("X" if label > 0 else "O" if label < 0 else "-" for label in labels.tolist())
        return f"{signs} {self.players[player(state)]}"

    def write_ply(self, state: State, ply: int) -> str:
        """The cell and the colour: `e5 b`."""
        return f"{NAMES[int(state[SIDE])][int(ply) >> 1]} {_COLOURS[int(ply) & 1]}"

    def spelled(self, text: str) -> str:
        """Capitals, more blanks or none, and whole words are understood."""
        parts = re.fullmatch(r"\s*([a-o][0-9]{1,2})\s*(b|w|black|white)\s*", text.lower())
        return f"{parts[1]} {parts[2][0]}" if parts else text.strip()

    def board(self, state: State) -> Board:
        """Hexagons in axial coordinates, the middle (0, 0)."""
        side = int(state[SIDE])
        cells = (
            Cell(q, r, () if label == 0 else (_DISCS[BLACK if label > 0 else WHITE],), name)
            for (q, r), name, label in zip(
                PLACES[side], NAMES[side], state[LABELS : LABELS + n_cells(state)].tolist(), strict=True
            )
        )
        return Board("hexes", tuple(cells))

    def ply_cells(self, state: State, ply: int) -> Sequence[tuple[int, int]]:
        """Return the cell of the piece."""
        return [PLACES[int(state[SIDE])][int(ply) >> 1]]
