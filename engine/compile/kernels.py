"""The kernels of a game by their names, and what stands in for those that it lacks.

A search calls all of them, whatever the game: where no ply is noisy, it is given a `noisy` that finds none.
`jit.bind` compiles what is found here; `with_all_kernels` has the same as plain Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.compile.fingerprint import kernel
from plyscope.engine.game import State

GAME_KERNELS: Final = ("generate", "apply", "player", "status", "values", "key")
"""What a search may call on any game: `game.generate(state, plies)` and so on."""

OF_STATE_ALONE: Final = ("player", "status", "key", "in_check", "pass_turn")
"""Kernels, optional ones too, that take the state and no more; the others take it and one thing besides."""

UNDOES: Final = "undoes"
"""`game.undoes()` says whether the game brings `undo`: a constant, so the other branch costs nothing."""


@kernel
def no_noisy(state: State, plies: npt.NDArray[np.int32]) -> int:
    """No ply is noisy."""
    return 0


@kernel
def never_in_check(state: State) -> bool:
    """The game has no check."""
    return False


@kernel
def cannot_pass(state: State) -> int:
    """Nobody may hand the move over."""
    return 0


@kernel
def has_no_undo(state: State, ply: int) -> None:
    """Never called: such a game is copied."""


@kernel
def has_no_codes(state: State, ply: int) -> int:
    """Never called: plies of such a game are written in Python."""
    return -1


@kernel
def is_copied() -> bool:
    """Every position has a state of its own."""
    return False


@kernel
def is_played_in_place() -> bool:
    """One state follows the path."""
    return True


STAND_INS: Final[Mapping[str, Any]] = {
    "noisy": no_noisy,
    "in_check": never_in_check,
    "pass_turn": cannot_pass,
    "undo": has_no_undo,
    "ply_code": has_no_codes,
}
"""What a game may bring besides, by name, and what is called where it does not."""

OPTIONAL_KERNELS: Final = tuple(STAND_INS)


def kernels_of(game: Any) -> dict[str, Any]:
    """What the search may call of a kernel game, by name: None for one that it lacks and must have."""
    kernels = {name: getattr(game, name, None) for name in GAME_KERNELS}
    for name, stand_in in STAND_INS.items():
        kernels[name] = getattr(game, name, stand_in)
    kernels[UNDOES] = is_copied if kernels["undo"] is has_no_undo else is_played_in_place
    return kernels


def with_all_kernels(game: Any) -> Any:
    """What the search calls of a kernel game: its kernels, and what stands in for those that it lacks.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> with_all_kernels(GAME).in_check(GAME.read_position(GAME.start))
    False
    """
    return SimpleNamespace(name=game.name, **kernels_of(game))
