"""Lines of plies from the root: of exact entries, and the one that the search was in when it stopped."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyscope.engine.alphabeta.stack import PROBING, Stack
from plyscope.engine.alphabeta.table import find
from plyscope.engine.game import Array
from plyscope.engine.record.rows import EXACT, NULL_PLY


def line_in_table(game: Any, state: Array, ply: int, entries: Array, n_plies: int) -> list[int]:
    """The line of at most `n_plies` that begins with `ply` and goes on as exact entries say."""
    state = state.copy()
    legal = np.zeros(game.max_plies, np.int32)
    line = [ply]
    while len(line) < n_plies:
        game.apply(state, line[-1])
        place = find(entries, game.key(state))
        if place < 0 or entries[place]["bound"] != EXACT:
            break
        following = int(entries[place]["ply"])
        if following not in legal[: game.generate(state, legal)]:
            break
        line.append(following)
    return line


def entering(game: Any, state: Array, stack: Stack, level: int) -> str:
    """The position that a search at `level` was about to enter; -1 before the root."""
    state = state.copy()
    frames = stack.frames[: level + 1]
    plies = frames["ply"][1:].tolist()
    if level >= 0:
        last = frames[level]
        place = last["probe"] if last["phase"] == PROBING else last["next"]
        by_ply = last["phase"] >= PROBING
        plies.append(int(stack.plies[level, stack.order[level, place]]) if by_ply else NULL_PLY)
    for ply in plies:
        if ply == NULL_PLY:
            game.pass_turn(state)
        else:
            game.apply(state, ply)
    return str(game.write_position(state))
