"""Positions of kernel games, from one to the next, in a search and in perft.

Most games are copied: every child has a state of its own. A game that brings `undo` is played in place: one
state follows the whole path, so that a search of large states needs no room for every child.
"""

from __future__ import annotations

from typing import Any

from plyscope.engine.game import State
from plyscope.engine.jit import copy_array, kernel


@kernel
def copy_state(source: State, target: State) -> None:
    """Make `target` the position `source`."""
    copy_array(source, target)


@kernel
def seat(game: Any, level: int, slot: int) -> tuple[int, int]:
    """Where in `Stack.states` the position of a node lies; of a game played in place, always the first."""
    if game.undoes():
        return 0, 0
    return level, slot
