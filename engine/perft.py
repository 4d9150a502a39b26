"""Perft: the number of lines of a given length, the field's test of a game's rules.

Leaves at the last ply are counted, not visited. A game that ends sooner counts as one leaf or as none, by its
`finished_counts_in_perft` (a plain game without it counts none). Outcomes of chance count as plies. One
source counts kernel games compiled and as plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine import jit
from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.game import Game, GameError, PlainGame, State
from plyscope.engine.games.game_files import enter
from plyscope.engine.games.plain import plies_of
from plyscope.engine.games.stepping import copy_state
from plyscope.engine.kernel_game import legal_plies

Progress = Callable[[int], None]

DEEPEST: Final = 500
PLIES_A_SLICE: Final = 4_000_000
"""Plies played between two calls of `progress`, compiled: about a quarter of a second."""
PLIES_A_PLAIN_SLICE: Final = 20_000


def perft(
    game: Game | PlainGame,
    state: Any,
    depth: int,
    *,
    compiled: bool = True,
    progress: Progress | None = None,
) -> int:
    """Return the number of leaves `depth` plies below `state`, a position of `game`.

    A plain game is counted in plain Python, a kernel game if `compiled` is False. `progress` is called
    with the count so far, a few times a second. Raises GameError for a depth below 0 or above 500.

    >>> from plyscope.engine.games import find
    >>> game = find("reversi")
    >>> perft(game, game.read_position(game.start), 4, compiled=False)
    244
    """
    if not 0 <= depth <= DEEPEST:
        raise GameError(f"perft of depth {depth}: expected 0 to {DEEPEST}")
    enter(game)
    if depth == 0:
        return 1
    if _is_plain(game):
        return _count_plain(game, state, depth, progress)
    return _count_kernels(game, state, depth, compiled, progress)


def divide(
    game: Game | PlainGame,
    state: Any,
    depth: int,
    *,
    compiled: bool = True,
    progress: Progress | None = None,
) -> dict[str, int]:
    """Return the perft below each ply of `state`, by the ply's text; `depth` includes that ply.

    Raises GameError for a depth below 1 or above 500.

    >>> from plyscope.engine.games import find
    >>> game = find("connect_four")
    >>> divide(game, game.read_position("444444"), 2, compiled=False)
    {'1': 6, '2': 6, '3': 6, '5': 6, '6': 6, '7': 6}
    """
    if depth < 1:
        raise GameError(f"perft by plies of depth {depth}: expected 1 to {DEEPEST}")
    enter(game)
    counts: dict[str, int] = {}
    for name, child in named_children(game, state):
        before = sum(counts.values())

        def onward(count: int, before: int = before) -> None:
            if progress is not None:
                progress(before + count)

        counts[name] = perft(game, child, depth - 1, compiled=compiled, progress=onward)
    return counts


def needs_compiling(game: Game | PlainGame, state: Any) -> bool:
    """Return True if counting below `state` compiles the rules first: seconds, once on a machine.

    Perft has machine code of its own, so a compiled search does not help.
    """
    if _is_plain(game):
        return False
    rules = jit.bind(game)
    return jit.needs_compiling(jit.compiled(count_leaves), rules, *_room(game, state, 1), 0, 0, 0)


def _is_plain(game: Game | PlainGame) -> bool:
    return not hasattr(game, "generate")


def named_children(game: Any, state: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name of each legal ply, and the position after it."""
    if _is_plain(game):
        write = getattr(game, "write_ply", lambda position, ply: str(ply))
        for ply in plies_of(game, state):
            yield write(state, ply), game.apply(state, ply)
        return
    for ply in legal_plies(game, state):
        child = state.copy()
        game.apply(child, ply)
        yield game.write_ply(state, ply), child


def _count_plain(game: Any, position: Any, depth: int, progress: Progress | None) -> int:
    """Count depth first, with an iterator over the untried plies of each level."""
    finished = int(getattr(game, "finished_counts_in_perft", False))
    total = n_played = 0
    open_levels = [iter([position])]
    while open_levels:
        position = next(open_levels[-1], None)
        if position is None:
            open_levels.pop()
            continue
        plies = plies_of(game, position)
        n_played += 1
        if not plies:
            total += finished
        elif len(open_levels) == depth:
            total += len(plies)
        else:
            open_levels.append(map(game.apply, repeat(position), plies))
        if progress is not None and n_played % PLIES_A_PLAIN_SLICE == 0:
            progress(total)
    return total


def _count_kernels(game: Any, state: State, depth: int, compiled: bool, progress: Progress | None) -> int:
    """Run `count_leaves` slice by slice until it is done."""
    rules = with_all_kernels(game)
    states, plies, n_plies, next_ply = _room(game, state, depth)
    finished = int(game.finished_counts_in_perft)
    n_plies[0] = game.generate(state, plies[0])
    if n_plies[0] == 0:
        return finished
    if depth == 1:
        return int(n_plies[0])
    run = jit.compiled(count_leaves) if compiled else count_leaves
    if compiled:
        rules = jit.bind(game)
    total = level = 0
    while level >= 0:
        n_slice = PLIES_A_SLICE if compiled else PLIES_A_PLAIN_SLICE
        counted, level = run(rules, states, plies, n_plies, next_ply, level, finished, n_slice)
        total += int(counted)
        if progress is not None:
            progress(total)
    return total


def _room(game: Any, state: State, depth: int) -> tuple[npt.NDArray[Any], ...]:
    """Return positions, plies, their numbers and the next ply, a row a level; the first position is set."""
    states = np.zeros((1 if with_all_kernels(game).undoes() else depth, len(state)), state.dtype)
    states[0] = state
    plies = np.zeros((depth, game.max_plies), np.int32)
    return states, plies, np.zeros(depth, np.int64), np.zeros(depth, np.int64)


@jit.kernel
def count_leaves(
    game: Any,
    states: npt.NDArray[Any],
    plies: npt.NDArray[np.int32],
    n_plies: npt.NDArray[np.int64],
    next_ply: npt.NDArray[np.int64],
    level: int,
    finished: int,
    n_slice: int,
) -> tuple[int, int]:
    """Count on from `level` for at most `n_slice` plies; return the leaves and the level to resume at.

    That level is -1 when all is counted. Row i of `states`, `plies`, `n_plies` and `next_ply` is the
    position i plies down, its plies, their number, and the next ply to play. There are as many rows as plies
    to play, at least two; the plies of the last row are leaves. For a game played in place `states` has one
    row: the position at `level`. `finished` is the count of a game that has ended.
    """
    total = 0
    child = states[0]
    while level >= 0 and n_slice > 0:
        at = next_ply[level]
        if at == n_plies[level]:
            level -= 1
            if game.undoes() and level >= 0:
                game.undo(child, plies[level, next_ply[level] - 1])
            continue
        next_ply[level] = at + 1
        n_slice -= 1
        if not game.undoes():
            child = states[level + 1]
            copy_state(states[level], child)
        game.apply(child, plies[level, at])
        n = game.generate(child, plies[level + 1])
        if n > 0 and level + 2 < len(plies):
            level += 1
            n_plies[level] = n
            next_ply[level] = 0
            continue
        total += n if n > 0 else finished
        if game.undoes():
            game.undo(child, plies[level, at])
    return total, level
