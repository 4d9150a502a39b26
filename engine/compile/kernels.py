"""The kernels of a game by name, with stand-ins for those that it lacks.

A search calls all of them, whatever the game: a game without noisy plies gets a `noisy` that finds none.
`jit.bind` compiles these kernels; `with_all_kernels` returns the same as plain Python.
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
"""The kernels that every game has: `game.generate(state, plies)` and so on."""

OF_STATE_ALONE: Final = ("player", "status", "key", "in_check", "pass_turn", "draw_of")
"""Kernels, optional ones included, whose only argument is the state; the others take one argument more."""

UNDOES: Final = "undoes"
"""`game.undoes()` is True if the game has `undo`: a constant, so the branch not taken costs nothing."""

CHANCE_OF: Final = "chance_of"
"""`game.chance_of(state, place)` is how likely the outcome at `place` of `generate` is, where chance moves.

Where a player moves it is -1, so of a kernel game, which has no chance nodes, it is a constant.
"""


@kernel
def no_noisy(state: State, plies: npt.NDArray[np.int32]) -> int:
    """No ply is noisy."""
    return 0


@kernel
def never_in_check(state: State) -> bool:
    """The game has no check."""
    return False


@kernel
def knows_no_draw(state: State) -> int:
    """The game has no draw that leaves its plies."""
    return 0


@kernel
def cannot_pass(state: State) -> int:
    """No null move is allowed."""
    return 0


@kernel
def has_no_undo(state: State, ply: int) -> None:
    """Never called: the states of such a game are copied."""


@kernel
def has_no_ring(state: State, ply: int) -> int:
    """Never called: play-outs of such a game are not guided."""
    return 0


@kernel
def has_no_codes(state: State, ply: int) -> int:
    """Never called: plies of such a game are written in Python."""
    return -1


@kernel
def has_no_chance(state: State, place: int) -> float:
    """-1: a player moves."""
    return -1.0


@kernel
def is_copied() -> bool:
    """False: every position has a state of its own."""
    return False


@kernel
def is_played_in_place() -> bool:
    """True: one state follows the path."""
    return True


STAND_INS: Final[Mapping[str, Any]] = {
    "noisy": no_noisy,
    "in_check": never_in_check,
    "pass_turn": cannot_pass,
    "draw_of": knows_no_draw,
    "undo": has_no_undo,
    "ply_code": has_no_codes,
    "ring": has_no_ring,
}
"""The optional kernels by name, with the stand-in that is called if a game lacks one."""

OPTIONAL_KERNELS: Final = tuple(STAND_INS)


def kernels_of(game: Any) -> dict[str, Any]:
    """Return the kernels of a game by name; None for a required kernel that it lacks."""
    kernels = {name: getattr(game, name, None) for name in GAME_KERNELS}
    for name, stand_in in STAND_INS.items():
        kernels[name] = getattr(game, name, stand_in)
    kernels[CHANCE_OF] = has_no_chance
    kernels[UNDOES] = is_copied if kernels["undo"] is has_no_undo else is_played_in_place
    return kernels


def with_all_kernels(game: Any) -> Any:
    """Return all kernels that the search calls on a game, with stand-ins for those that it lacks.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> with_all_kernels(GAME).in_check(GAME.read_position(GAME.start))
    False
    """
    return SimpleNamespace(name=game.name, **kernels_of(game))
