"""What a game is: the protocol that searches, logs and boards rely on.

A *kernel game* describes its positions as one flat numpy array (`state`) and brings the kernels listed in
`Kernels`; the search is compiled for it. A *plain game* is any Python object with the methods of `PlainGame`;
the same search runs on it as ordinary Python. Text (positions, plies, boards) is plain Python for both, so
that a log can be drawn without compiling anything.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

State = Array
"""A position of a kernel game: one-dimensional, `Game.state_size` entries of `Game.state_dtype`."""

MOST_MOVES: Final = 65_535
"""More plies in one position than a record of it can count are refused."""

# What the kernel `status` answers.
ONGOING: Final = 0
FIRST_WON: Final = 1
SECOND_WON: Final = 2
DRAWN: Final = 3
SCORED: Final = 4
"""Over, and worth what its factors add up to, as where points decide and not who won."""


class GameError(ValueError):
    """A text that is no position or no legal ply; the message says what, where and what was expected."""


@dataclass(frozen=True)
class Cell:
    """One cell of a board: where it is, what stands on it (top last), a word to show where it is empty."""

    x: int
    y: int
    pieces: tuple[str, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Board:
    """A position as cells to draw.

    `kind` says how `x` and `y` lie on the page: `squares` (column, row from the top) or `hexes` (axial q, r).
    A piece is a name such as `black disc` or `wQ`; the page knows how to draw the ones the games use and
    writes any other as text.
    """

    kind: Literal["squares", "hexes", "text"]
    cells: tuple[Cell, ...] = ()
    text: str = ""
    """For `text`: the board as it is, in a fixed-width font."""
    hands: tuple[tuple[str, ...], ...] = ()
    """Pieces that wait beside the board, one tuple a player; empty for games without such pieces."""


class Game(Protocol):
    """A kernel game, complete: what it is called, its kernels, and how its positions and plies are written.

    The kernels (`generate`, `apply`, `player`, `status`, `values`, `key`) are module-level functions marked
    with `plyscope.engine.jit.kernel`; they take and return scalars and arrays, raise nothing and allocate
    nothing.

    Optional attributes: `factor_dtype`, a smaller type that holds every factor's value exactly, in which
    rows keep them (float64 where absent); `mate_score`, what a win at the root counts (a million);
    `plies_need_position`, True where one number of a ply is written differently in different positions;
    `keys_need_position`, True where the keys of one searched position mean nothing in another; `meanings`,
    by the names of factors: a sentence for a player on what is counted for a side. A value is that of
    player 0 less that of player 1; where a factor matters more in some phase, its sentence says so;
    `positions_repeat`, False where no position comes again in a game (True where absent).

    Optional kernels, each asked for by a technique: `noisy(state, plies)` writes the noisy ones of
    generate's plies, in the same order (quiescence); `in_check(state)` says whether the mover is in check
    (no standing pat, null move, reduction or estimate then); `pass_turn(state)` hands the move to the other
    side in place and returns 1, or returns 0 and leaves the state where that is not allowed (null move; a
    pass that is a rule of the game is an ordinary ply).

    And for games whose states are dear to copy: `undo(state, ply)` takes back `ply`, the one applied last, in
    place; what that needs the state keeps itself. With it the search and perft keep one state for a whole
    path and judge children by apply, values, undo. A null move is taken back by a copy of the state, not by
    `undo`.

    And for games with `plies_need_position` whose logs grow large: `ply_code(state, ply)`, a kernel, says how
    a ply is written by a number from 0 that means the same text in every position, and `write_code(code)`,
    plain Python, is that text: `write_ply(state, ply) == write_code(ply_code(state, ply))`. The codes of a
    large recording are found by machine code, a hundred times faster than its plies are written one by one.

    And for games whose positions tell how they came about: `taken_back(state)`, plain Python, is the position
    before the last ply, and that ply, which a board then marks; None at a start. And for those whose texts
    say more than is needed: `contradiction(text, state)`, what of `text` does not fit the position that was
    read from it, in words for a warning; None where all fits.
    """

    name: str
    players: tuple[str, str]
    factors: Mapping[str, float]
    """Name and default weight of each factor, in the order in which `values` writes them."""
    max_plies: int
    """More plies than any position has; the search allots its buffers by it."""
    state_size: int
    state_dtype: type[np.generic]
    start: str
    """The text of the starting position."""
    finished_counts_in_perft: bool
    """Whether perft counts a game that ended early as a leaf (Reversi does, Hive does not)."""

    # Kernels -----------------------------------------------------------------------------------------
    def generate(self, state: State, plies: npt.NDArray[np.int32]) -> int:
        """Write the legal plies to `plies[:n]`, return n; a forced pass is a ply; 0 when the game is over."""

    def apply(self, state: State, ply: int) -> None:
        """Play `ply` on `state`, in place."""

    def player(self, state: State) -> int:
        """The side to move, 0 or 1."""

    def status(self, state: State) -> int:
        """ONGOING, FIRST_WON, SECOND_WON, DRAWN or SCORED."""

    def values(self, state: State, out: npt.NDArray[np.float64]) -> None:
        """Write the raw value of every factor to `out`, seen from player 0 (negated, it is player 1's)."""

    def key(self, state: State) -> int:
        """A 64-bit key of the position: board and side to move, whatever path led there."""

    # Text ---------------------------------------------------------------------------------------------
    def read_position(self, text: str) -> State:
        """The state that `text` describes; raises GameError."""

    def write_position(self, state: State) -> str:
        """The text that `read_position` reads back."""

    def read_ply(self, state: State, text: str) -> int:
        """The legal ply that `text` names in `state`; raises GameError that lists what was expected."""

    def write_ply(self, state: State, ply: int) -> str:
        """The ply's name as people write it."""

    def board(self, state: State) -> Board:
        """The cells to draw."""

    def ply_cells(self, state: State, ply: int) -> Sequence[tuple[int, int]]:
        """Cells `(x, y)` that `ply`, played in `state`, touches first to last; empty for a pass.

        Where the first cell holds a piece in `state`, a piece moves from it to the last; else the ply ends
        on the first, and the others are what it changed.
        """


class PlainGame(Protocol):
    """A game written in an evening: any object with these methods can be searched and logged.

    Positions and plies are whatever hashable values the game likes; `apply` returns a new position. Optional
    attributes and methods, used where they exist: `name`, `meanings` (as for `Game`), `start_text`,
    `read_position`, `write_position`, `write_ply`, `read_ply`, `key(position)`, `board`, `ply_cells`, and
    what techniques ask for: `noisy(position)` (plies), `in_check(position)`, `pass_turn(position)` (a
    position, None where a pass is not allowed).
    """

    players: tuple[str, str]
    factors: Mapping[str, float]

    def start(self) -> Hashable:
        """The starting position."""

    def plies(self, position: Any) -> Sequence[Hashable]:
        """The legal plies in order of generation; empty only when the game is over."""

    def apply(self, position: Any, ply: Any) -> Hashable:
        """The position after `ply`."""

    def player(self, position: Any) -> int:
        """The side to move, 0 or 1."""

    def winner(self, position: Any) -> int | None:
        """ONGOING (or None), FIRST_WON, SECOND_WON, DRAWN or SCORED."""

    def values(self, position: Any) -> Sequence[float]:
        """The raw value of every factor, in the order of `factors`, seen from player 0."""


def meanings_of(game: Any) -> dict[str, str]:
    """What the factors of `game` count, a sentence each, by name; only those that it explains.

    Raises `GameError` for a name that is no factor of the game, and for anything but texts by name.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> meanings_of(GAME)["corners"]
    'Corners held.'
    """
    name = getattr(game, "name", type(game).__name__)
    factors, meanings = getattr(game, "factors", {}), getattr(game, "meanings", {})
    if not isinstance(meanings, Mapping):
        raise GameError(f"{name}: meanings = {meanings!r}, expected texts by the names of factors")
    for factor, meaning in meanings.items():
        if factor not in factors:
            expected = f"expected one of {', '.join(factors)}" if factors else "but the game has none"
            raise GameError(f"{name}: meanings explains {factor!r}, which is no factor; {expected}")
        if not isinstance(meaning, str):
            raise GameError(f"{name}: meanings[{factor!r}] = {meaning!r}, expected a text")
    return {factor: meanings[factor] for factor in factors if factor in meanings}
