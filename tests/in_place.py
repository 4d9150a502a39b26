"""The twin of explicit trees that is played in place: the same rules, with an `undo`."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from plyscope.engine.game import State
from plyscope.engine.games import explicit_tree
from plyscope.engine.jit import kernel

ROOM: Final = 64
"""Plies that the journal of a tree's state holds."""


@kernel
def go(state: State, ply: int) -> None:
    """Go to a child, and note where we were; the last number of the state counts the notes before it."""
    n = int(state[len(state) - 1])
    state[len(state) - 2 - n] = state[0]
    state[len(state) - 1] = n + 1
    explicit_tree.apply(state, ply)


@kernel
def go_back(state: State, ply: int) -> None:
    """Go to where we were before `ply`; handing over the move made no note."""
    assert int(state[0]) == ply
    n = int(state[len(state) - 1]) - 1
    state[0] = state[len(state) - 2 - n]
    state[len(state) - 1] = n


class TreeInPlace(type(explicit_tree.GAME)):  # type: ignore[misc]
    """A tree whose state keeps a journal of the way down."""

    apply = staticmethod(go)
    undo = staticmethod(go_back)

    def read_position(self, text: str) -> State:
        """As written, with an empty journal."""
        return np.append(super().read_position(text), np.zeros(ROOM + 1))

    def write_position(self, state: State) -> str:
        """As if there were no journal."""
        return str(super().write_position(state[: -ROOM - 1]))


TREE: Final[Any] = TreeInPlace()
