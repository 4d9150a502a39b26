"""Positions of kernel games, from one to the next: what every walk through a game does with its states."""

from __future__ import annotations

from engine.game import State
from engine.jit import kernel


@kernel
def copy_state(source: State, target: State) -> None:
    """Make `target` the position `source`; a loop, since compiled slices of unlike length would raise."""
    for i in range(len(source)):
        target[i] = source[i]
