"""The speed of Hive by three counts, at plies 20, 40 and 60 of the base game and with all expansions.

* bulk: perft, whose last ply is counted and not played; how wide a position is decides its speed, so the
  plies of a node and the time of one stand beside it;
* made: every leaf played and taken back;
* evaluated: every leaf played, asked whether the game is over, judged by all factors and taken back.

What a search judges is a figure of `recording`.

Beside them OpenSpiel's Hive in the same run, driven from Python over its C++ state: `legal_actions` for bulk,
`child` of every action for made. It evaluates nothing, and names some plies several times, each of which
counts for it. How much of its time is its own C++ and not Python's is shown by `legal_actions` alone. The
positions are those of tests/hive/perft.json, whose counts are made again here before anything is timed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyspiel

from plyscope.engine import jit
from plyscope.engine.game import ONGOING
from plyscope.engine.games.hive import GAME
from plyscope.engine.perft import perft
from tests.benchmarks.recording import BULK_DEPTH, position
from tests.benchmarks.timing import medians
from tests.hive.oracle import read_game, start

ROUNDS = 5
DEPTH = 3
"""Of leaves made and evaluated."""
LEAST_SECONDS = 0.05
"""What is over sooner is repeated within a round."""

CASES = tuple((game_type, ply) for game_type in ("Base", "Base+MLP") for ply in (20, 40, 60))
TARGETS = {"bulk": 60, "made": 20, "evaluated": 6}
"""Million leaves a second that a prototype reached in the base game."""


@jit.kernel
def leaves(game: Any, state: Any, plies: Any, n_plies: Any, next_ply: Any, values: Any, judged: bool) -> int:
    """Play and take back every leaf, `len(plies)` plies down, judge it where asked; how many there are."""
    n_leaves = 0
    level = 0
    n_plies[0] = game.generate(state, plies[0])
    next_ply[0] = 0
    while level >= 0:
        at = next_ply[level]
        if at == n_plies[level]:
            level -= 1
            if level >= 0:
                game.undo(state, plies[level, next_ply[level] - 1])
            continue
        next_ply[level] = at + 1
        game.apply(state, plies[level, at])
        if level + 1 < len(plies):
            level += 1
            n_plies[level] = game.generate(state, plies[level])
            next_ply[level] = 0
            continue
        n_leaves += 1
        if judged and game.status(state) == ONGOING:
            game.values(state, values)
        game.undo(state, plies[level, at])
    return n_leaves


def counter(text: str) -> Callable[[bool], int]:
    """A function that counts the leaves of a position by `leaves`, judged or not."""
    rooms = np.zeros((DEPTH, GAME.max_plies), np.int32), np.zeros(DEPTH, int), np.zeros(DEPTH, int)
    arguments = jit.bind(GAME), GAME.read_position(text), *rooms, np.zeros(len(GAME.factors))
    return partial(jit.compiled(leaves), *arguments)


def seconds_of_one(run: Callable[[], Any]) -> float:
    """The processor's of one run, of as many as take long enough to be timed."""
    n_runs, began = 0, time.process_time()
    while (taken := time.process_time() - began) < LEAST_SECONDS or n_runs == 0:
        run()
        n_runs += 1
    return taken / n_runs


def theirs(text: str) -> Any:
    """OpenSpiel's state of a position, by playing its plies, of which it may name one several times."""
    game_type = text.partition(";")[0]
    has = {f"uses_{name}": name[0].upper() in game_type[5:] for name in ("mosquito", "ladybug", "pillbug")}
    state, played = pyspiel.load_game("hive", has).new_initial_state(), start(game_type)
    for ply in read_game(text, trusted=True).plies:
        named = (each for each in state.legal_actions() if played.read(state.action_to_string(each)) == ply)
        state.apply_action(next(named))
        played = played.play(ply, trusted=True)
    return state


def their_leaves(state: Any, depth: int, made: bool) -> int:
    if depth == 1 and not made:
        return len(state.legal_actions())
    below = (state.child(action) for action in state.legal_actions())
    return sum(1 if depth == 1 else their_leaves(child, depth - 1, made) for child in below)


def counts(game_type: str, ply: int) -> None:
    """Print leaves a second of each count, whose leaves are checked first."""
    text, expected = position(game_type, ply)
    ours, state, their_state = counter(text), GAME.read_position(text), theirs(text)
    assert ours(False) == ours(True) == expected[DEPTH]
    assert perft(GAME, state, BULK_DEPTH) == expected[BULK_DEPTH]
    n_theirs = their_leaves(their_state, 2, False)
    counted: dict[str, tuple[int, Callable[[], Any]]] = {
        "bulk": (expected[BULK_DEPTH], lambda: perft(GAME, state, BULK_DEPTH)),
        "made": (expected[DEPTH], lambda: ours(False)),
        "evaluated": (expected[DEPTH], lambda: ours(True)),
        "their bulk": (n_theirs, lambda: their_leaves(their_state, 2, False)),
        "their made": (n_theirs, lambda: their_leaves(their_state, 2, True)),
        "their legal_actions": (len(their_state.legal_actions()), their_state.legal_actions),
    }
    times = medians({what: partial(seconds_of_one, run) for what, (_, run) in counted.items()}, ROUNDS)
    rates = {what: counted[what][0] / seconds for what, seconds in times.items()}
    print(f"{game_type}, ply {ply}: {expected[DEPTH]:,} leaves at depth {DEPTH}, ", end="")
    print(f"{expected[2]:,} at depth 2, where OpenSpiel names {n_theirs:,}")
    for what, target in TARGETS.items():
        rate, other = rates[what], rates.get(f"their {what}")
        part = f"of every leaf made {rate / rates['made']:.2f}"
        if other is not None:
            part = f"OpenSpiel {other / 1e6:.3f}, ratio {rate / other:,.0f}"
        print(f"  {what:<10}{rate / 1e6:8.1f} M leaves/s (target, base: {target}), {part}")
    n_plies = expected[BULK_DEPTH] / expected[BULK_DEPTH - 1]
    print(f"  in bulk {n_plies:.0f} plies a node, {n_plies / rates['bulk'] * 1e9:.0f} ns a node; ", end="")
    alone = rates["their legal_actions"]
    print(f"OpenSpiel's legal_actions alone: {alone / 1e6:.3f} M/s, ratio {rates['bulk'] / alone:,.0f}")


def main() -> None:
    for case in CASES:
        counts(*case)


if __name__ == "__main__":
    main()
