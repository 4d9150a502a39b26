"""The base class of kernel games: kernels taken by name, plies read by their texts, boards by default."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.engine.compile.kernels import GAME_KERNELS, OPTIONAL_KERNELS
from plyscope.engine.game import Board, GameError, Place, State, mover_of, pieces_of


class KernelGame:
    """A base for a `Game` (see `plyscope.engine.game`) whose kernels are functions of a module.

    `class Nim(KernelGame, kernels=(generate, apply, player, status, values, key))` has each function as the
    kernel of its name. Raises `TypeError` for a function whose name is not a kernel's, and for a game that
    lacks a required kernel.

    >>> from plyscope.engine.games.tictactoe import GAME, generate
    >>> GAME.generate is generate
    True
    >>> GAME.read_ply(GAME.read_position("XOX OXO ..."), " B1 ")
    7
    """

    players: tuple[str, str]
    max_plies: int

    generate: Callable[[State, npt.NDArray[np.int32]], int]
    apply: Callable[[State, int], None]
    player: Callable[[State], int]
    status: Callable[[State], int]
    values: Callable[[State, npt.NDArray[np.float64]], None]
    key: Callable[[State], int]
    write_position: Callable[..., str]

    def __init_subclass__(cls, kernels: Iterable[Callable[..., Any]] = ()) -> None:
        super().__init_subclass__()
        known = (*GAME_KERNELS, *OPTIONAL_KERNELS)
        for function in kernels:
            name = function.__name__
            if name not in known:
                raise TypeError(f"{cls.__name__}: no kernel is called {name!r}; expected {', '.join(known)}")
            setattr(cls, name, staticmethod(function))
        missing = [name for name in GAME_KERNELS if not hasattr(cls, name)]
        if missing:
            raise TypeError(f"{cls.__name__} lacks the kernels {', '.join(missing)}")

    def write_ply(self, state: State, ply: int) -> str:
        """Return the ply's name as people write it: by default its number."""
        return str(ply)

    def spelled(self, text: str) -> str:
        """Return a typed ply in the spelling of `write_ply`: by default `text` without spaces."""
        return text.strip()

    def read_ply(self, state: State, text: str) -> int:
        """Return the legal ply that `text` names in `state`; raises GameError that lists the legal ones."""
        legal = {self.write_ply(state, ply): ply for ply in legal_plies(self, state)}
        name = self.spelled(text)
        if name not in legal:
            expected = f"expected one of {', '.join(legal)}" if legal else "the game is over"
            raise GameError(f"{text[:40]!r} is no legal ply for {mover_of(self, state)}: {expected}")
        return legal[name]

    def board(self, state: State) -> Board:
        """Return the cells to draw: by default the text of the position."""
        return Board("text", (), self.write_position(state))

    def ply_cells(self, state: State, ply: int) -> Sequence[Place]:
        """Return the cells that the ply touches: by default, derived from the boards before and after it."""
        after = state.copy()
        self.apply(after, ply)
        return cells_between(self.board(state), self.board(after))


def legal_plies(game: Any, state: State) -> list[int]:
    """Return the numbers of the legal plies of a kernel game, in the order of generation.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> legal_plies(GAME, GAME.read_position("XOX OXO ..."))
    [6, 7, 8]
    """
    n_plies = -1
    while n_plies < 0:  # a plain game says so where they are more than it had so far
        plies = np.zeros(game.max_plies, np.int32)
        n_plies = game.generate(state, plies)
    numbers: list[int] = plies[:n_plies].tolist()
    return numbers


def cells_between(before: Board, after: Board) -> list[Place]:
    """Return the cells of a ply as `Game.ply_cells` does, by the changes; none where these are ambiguous.

    >>> from plyscope.engine.game import Cell
    >>> before = Board("squares", (Cell(0, 0, ("white disc",)), Cell(1, 0)))
    >>> cells_between(before, Board("squares", (Cell(0, 0), Cell(1, 0, ("white disc",)))))
    [(0, 0), (1, 0)]
    """
    old, new = pieces_of(before), pieces_of(after)
    changed = [place for place in {**old, **new} if old.get(place, ()) != new.get(place, ())]
    came = [place for place in changed if new.get(place)]
    left = [place for place in changed if not new.get(place)]
    if len(came) == 1:
        movers = [place for place in left if old[place] == new[came[0]]]
        if len(movers) == 1:
            return [movers[0], *(place for place in left if place != movers[0]), *came]
    begun = [place for place in came if not old.get(place)]
    if len(begun) == 1 and not left:
        return [*begun, *(place for place in came if place != begun[0])]
    return changed if len(changed) == 1 else []
