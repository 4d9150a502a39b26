"""The protocol of a game, on which searches, logs and boards rely.

A *kernel game* describes a position as one flat numpy array (`state`) and brings the kernels of `Game`; the
search is compiled for it. A *plain game* is any Python object with the methods of `PlainGame`; the same
search runs on it as ordinary Python. Text (positions, plies, boards) is plain Python for both, so a log can
be drawn without compiling anything.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

State = Array
"""A position of a kernel game: one-dimensional, `Game.state_size` entries of `Game.state_dtype`."""

MOST_MOVES: Final = 65_535
"""The most plies of a position, since a record counts them in 16 bits."""


def state_of(game: Any, position: str | State | None) -> State:
    """A state of its own for a kernel game, or for a plain one in kernels: read, copied, or the game's start.

    Raises GameError for a text that is no position.
    """
    if isinstance(position, np.ndarray):
        return position.copy()
    state: State = game.read_position(getattr(game, "start", None) if position is None else position)
    return state


# Results of the kernel `status`.
ONGOING: Final = 0
FIRST_WON: Final = 1
SECOND_WON: Final = 2
DRAWN: Final = 3
SCORED: Final = 4

# Results of `draw_of`: no draw; draws by which `status` is `DRAWN`; draws that only some engines claim.
NO_DRAW: Final = 0
FIFTY: Final = 1
THIRD: Final = 2
TOO_FEW: Final = 3
BY_SOME: Final = 4
"""Few pieces, with which a mate cannot be forced; or the position came before a null move."""
UNKNOWN_BEFORE: Final = 5
"""The position may have come before the first one that is known."""
REPEATED: Final = 6
"""The position came before, `draw_of` - REPEATED plies ago."""
"""Over, and worth the sum of its factors: points decide, not who won."""


# Results of `player`, beside 0 and 1.
CHANCE: Final = -1
"""No player moves here but chance: dice are rolled, a card is turned."""


class GameError(ValueError):
    """A text that is no position or legal ply; the message has the fault, its place and the expectation."""


Place = tuple[float, float]
"""Where a cell lies: its `x` and `y`."""


def root_player_of(game: Any, state: State) -> int:
    """Return the player whose scores a search of `state` has: who moves there, player 0 where chance does."""
    return max(int(game.player(state)), 0)


def mover_of(game: Any, state: State) -> str:
    """Return the name of the player who is to move in `state`, or "chance"."""
    player = int(game.player(state))
    return "chance" if player == CHANCE else str(game.players[player])


def why_over(game: Any, state: State) -> str:
    """Return why a game that is over is so, in brackets after a blank, where the game says it; else nothing.

    >>> from plyscope.engine.games.chess import GAME
    >>> why_over(GAME, GAME.read_position("7k/5Q2/6K1/8/8/8/8/8 b - -"))
    ' (stalemate)'
    """
    ask = getattr(game, "why_over", None)
    why = None if ask is None else ask(state)
    return "" if why is None else f" ({why})"


@dataclass(frozen=True)
class Cell:
    """One cell of a board: its place, the pieces on it (top last), the name by which plies call it."""

    x: float
    y: float
    pieces: tuple[str, ...] = ()
    name: str = ""
    dark: bool = False
    """Shaded, as every second square of a chequered board."""
    label: str = ""
    """A sign or two on the cell, such as a wall or a number of points."""

    def __post_init__(self) -> None:
        for name, place in (("x", self.x), ("y", self.y)):
            if not isinstance(place, int | float | np.integer | np.floating) or not math.isfinite(place):
                raise GameError(f"Cell({self.x!r}, {self.y!r}): {name} = {place!r}, expected a number")
        if isinstance(self.pieces, str):
            expected = f"expected a tuple of names, ({self.pieces!r},)"
            raise GameError(f"Cell({self.x}, {self.y}): pieces = {self.pieces!r}, {expected}")


BoardKind = Literal["squares", "hexes", "points", "free", "text"]


@dataclass(frozen=True)
class Board:
    """A position as cells to draw; page, picture and terminal draw every kind.

    `kind` says how `x` and `y` lie: `squares` (column, row from the top), `hexes` (axial q, r), `points`
    (stones stand on crossings of lines; column, row from the top), `free` (any numbers, a cell's width is 1).
    A piece is a name: `white disc`, `red star`, `black K`, `wQ`, `7`. `docs/adding-a-game.md` has the shapes;
    any other name is written.

    >>> Board("points", (Cell(0, 0, ("black stone",), "a1"), Cell(1, 0, name="b1"))).cells[1].pieces
    ()
    """

    kind: BoardKind
    cells: tuple[Cell, ...] = ()
    text: str = ""
    """For `text`: the board, shown in a fixed-width font."""
    hands: tuple[tuple[str, ...], ...] = ()
    """Pieces that wait beside the board, one tuple a player; empty for games without such pieces."""
    lines: tuple[tuple[str, ...], ...] = ()
    """Lines through cells, each the names of its cells; without any, points at distance 1 are joined."""
    check: Place | None = None
    """The cell of a king that is attacked."""

    def __post_init__(self) -> None:
        if self.kind not in get_args(BoardKind):
            raise GameError(f"Board({self.kind!r}): expected one of {', '.join(get_args(BoardKind))}")


def pieces_of(board: Board) -> dict[Place, tuple[str, ...]]:
    """The pieces on the cells of a board, by their places."""
    return {(cell.x, cell.y): cell.pieces for cell in board.cells}


class Game(Protocol):
    """A complete kernel game: its name, its kernels, and the texts of its positions and plies.

    The kernels (`generate`, `apply`, `player`, `status`, `values`, `key`) are module-level functions marked
    with `plyscope.engine.jit.kernel`. They take and return scalars and arrays, raise nothing and allocate
    nothing.

    Optional attributes, defaults in brackets:

    * `factor_dtype`: the type in which rows store factors, which must hold every value exactly (float64).
    * `mate_score`: the score of a win at the root (a million).
    * `plies_need_position`: True if the text of a ply's number depends on the position.
    * `keys_need_position`: True if the keys of one searched position mean nothing in another.
    * `meanings`: by the names of factors, a sentence for a player on what is counted for a side. A value is
      that of player 0 less that of player 1. The sentence says in which phase the factor matters more.
    * `unit`: what a score counts, a word (`pawns`) that logs state.
    * `evaluations`: other evaluations by name, each the game with other `factors`, `meanings` and `values`.
    * `positions_repeat`: False if no position comes again in a game (True).
    * `draws_leave_plies`: True if a position may be drawn by `status` and have legal plies nevertheless, as
      after fifty moves of chess: perft counts them, a search stops (False).

    Optional kernels of techniques:

    * `noisy(state, plies)` writes the noisy plies, in the order of `generate` (quiescence).
    * `in_check(state)` is True if the mover is in check (then no stand pat, null move, reduction, estimate).
    * `pass_turn(state)` gives the move to the other side in place and returns 1; if that is not allowed it
      returns 0 and leaves the state (null move; a pass by the rules of the game is an ordinary ply).

    * `ring(state, ply)` returns, of the position after `ply`, the neighbours taken around the other side's
      queen less those around the mover's, from -6 to 6 (guided play-outs; `state` stays as it is).

    For states that are expensive to copy: `undo(state, ply)` takes back `ply`, the one applied last, in
    place; the state itself keeps what that needs. With it the search and perft keep one state for a whole
    path and evaluate children by apply, values, undo. A null move is taken back from a copy of the state, not
    by `undo`.

    For games with `plies_need_position` and large logs: `ply_code(state, ply)`, a kernel, returns a number
    from 0 that means the same text in every position, and `write_code(code)`, plain Python, returns that
    text: `write_ply(state, ply) == write_code(ply_code(state, ply))`. Machine code finds the codes of a large
    recording, a hundred times faster than Python writes its plies one by one.

    For games whose state holds its history: `taken_back(state)`, plain Python, returns the position before
    the last ply, and that ply, which a board then marks; None at a start. For games whose texts are
    redundant: `contradiction(text, state)` returns a warning about the part of `text` that contradicts the
    position read from it; None if there is none. For games that end in several ways: `why_over(state)`
    returns why the game is over in words ("stalemate"); None while it goes on. For games with
    `draws_leave_plies`: `draw_of(state)`, a kernel, returns which draw stands, or may be taken by some
    engines, where there are plies (`NO_DRAW` to `REPEATED`).

    A kernel game has no chance nodes: `player` is 0 or 1. A game with dice is a plain one.
    """

    name: str
    players: tuple[str, str]
    factors: Mapping[str, float]
    """Name and default weight of each factor, in the order in which `values` writes them."""
    max_plies: int
    """At least as many plies as any position has; the search sizes its buffers by it."""
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
        """Return the state that `text` describes; raises GameError."""

    def write_position(self, state: State) -> str:
        """Return the text that `read_position` reads back."""

    def read_ply(self, state: State, text: str) -> int:
        """Return the legal ply that `text` names in `state`; raises GameError that lists the legal ones."""

    def write_ply(self, state: State, ply: int) -> str:
        """Return the ply's name as people write it."""

    def board(self, state: State) -> Board:
        """Return the cells to draw."""

    def ply_cells(self, state: State, ply: int) -> Sequence[Place]:
        """Return the cells `(x, y)` that `ply`, played in `state`, touches first to last; empty for a pass.

        If the first cell holds a piece in `state`, a piece moves from it to the last cell. Otherwise the ply
        ends on the first cell, and the others are the cells that it changed.
        """


class PlainGame(Protocol):
    """A game written in an evening: any object with these methods can be searched and logged.

    Positions and plies are any hashable values; `apply` returns a new position. Optional
    attributes and methods: `name`, `meanings` (as for `Game`), `read_position`, `write_position`,
    `write_ply`, `key(position)`, `board`, `ply_cells`, `mate_score`, `positions_repeat`,
    `finished_counts_in_perft`, and for techniques `noisy(position)` (plies), `in_check(position)`,
    `pass_turn(position)` (a position, None if a pass is not allowed), `ring(position, ply)`.

    A game with dice or cards returns CHANCE from `player` where chance is to move, and has
    `chances(position)`: the outcomes there, each a ply that `apply` plays, with its probability, such as
    `[("1", 0.5), ("2", 0.5)]`. Outcomes differ, probabilities are above 0 and add up to 1. `plies` is not
    asked there, `winner` and `values` are.
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
        """The side to move, 0 or 1; CHANCE where it is no player's turn."""

    def winner(self, position: Any) -> int | None:
        """ONGOING (or None), FIRST_WON, SECOND_WON, DRAWN or SCORED."""

    def values(self, position: Any) -> Sequence[float]:
        """The raw value of every factor, in the order of `factors`, seen from player 0."""


def meanings_of(game: Any) -> dict[str, str]:
    """Return a sentence on what each factor of `game` counts, by name, for the factors that it explains.

    Raises `GameError` for a name that is not a factor of the game, and for anything but texts by name.

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
