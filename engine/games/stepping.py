"""Steps from one position of a kernel game to the next, in a search and in perft.

Most games are copied: every child has a state of its own. A game with `undo` is played in place: one state
follows the whole path, so a search of large states needs no memory for every child.
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
    """Return the place of a position in `Stack.states`: always the first for a game played in place."""
    if game.undoes():
        return 0, 0
    return level, slot
