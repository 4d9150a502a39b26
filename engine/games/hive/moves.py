"""The legal plies: placements, moves, throws, or the forced pass.

Generating leaves the state as it was, though bits of it are used on the way.
"""

from __future__ import annotations

from plyscope.engine.game import ONGOING, State
from plyscope.engine.games.hive.bugs import moves_of
from plyscope.engine.games.hive.cells import DIRECTION, WRAP
from plyscope.engine.games.hive.connection import rim, splits_beside
from plyscope.engine.games.hive.placements import placements
from plyscope.engine.games.hive.play import player, status
from plyscope.engine.games.hive.state import (
    AT,
    BLACK,
    HAS_PILLBUG,
    PASS,
    Plies,
    forget,
    height_of,
    last_moved,
    ring_of,
    top_of,
)
from plyscope.engine.games.hive.throws import add_throws, mosquitos_throws, pillbugs_throws, throws_of_others
from plyscope.engine.jit import kernel


@kernel
def generate(state: State, plies: Plies) -> int:
    """Placements by kind, moves and throws by piece, throws of the opponent's; a pass if none; 0 if over."""
    if status(state) != ONGOING:
        return 0
    side = player(state)
    n = placements(state, plies, side)
    if state[AT + BLACK * side] >= 0:
        n = _moves(state, plies, n, side)
    if n == 0:
        plies[0] = PASS
        n = 1
    return n


@kernel
def _moves(state: State, plies: Plies, n: int, side: int) -> int:
    """Moves of own pieces and throws of any, with the queen in play."""
    own = BLACK * side
    last = last_moved(state)
    throws = 0
    more_throws = 0
    if state[HAS_PILLBUG] != 0:
        throws = pillbugs_throws(state, side, last)
        more_throws = mosquitos_throws(state, side, last)
    walked = rim(state)
    for piece in range(own, own + BLACK):
        cell = int(state[AT + piece])
        if cell < 0 or piece == last:
            continue
        cell &= WRAP
        found = int(state[cell])
        if top_of(found) != piece:
            continue
        ring = ring_of(found)
        height = height_of(found)
        if height == 1 and splits_beside(state, cell, ring, walked):
            continue
        n = moves_of(state, plies, n, piece, cell, ring, height)
        if ((throws | more_throws) >> piece) & 1 != 0:
            n = add_throws(state, plies, n, piece, throws, more_throws)
        forget(state)
    return throws_of_others(state, plies, n, side, throws, more_throws)


@kernel
def noisy(state: State, plies: Plies) -> int:
    """The plies that end beside or on the opponent's queen."""
    n = generate(state, plies)
    queen = int(state[AT + BLACK * (1 - player(state))])
    n_noisy = 0
    for i in range(n):
        ply = int(plies[i])
        if queen >= 0 and ply != PASS:
            end = ply >> 5
            if end == queen or DIRECTION[(end - queen) & WRAP] < 6:
                plies[n_noisy] = ply
                n_noisy += 1
    return n_noisy
