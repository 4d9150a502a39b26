"""The overhead of the match runner: games of random plies against the same loop written by hand.

python -m tests.benchmarks.matches [GAMES]

Both play by the same kernels and write the plies down; by hand there are no agents and no clocks. The loop by
hand draws its plies twice over: by `Generator.choice`, as one writes it, and as the runner does, which draws
the same plies in less time; the second ratio is what agents, clocks and records add. Processor time of this
process, medians of some runs in turn. Target: 1.05 of the loop as one writes it. What the second ratio has
above 1 is, by game, another generator (14 µs) and a seed (10 µs), which a loop with one generator does
without; and by ply two looks at the clock and a call of the player (0.3 µs).
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from plyscope.engine.game import ONGOING, State
from plyscope.engine.games import load_game
from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.games import Terms, play, schedule

N_GAMES: Final = 200
N_RUNS: Final = 7
GAMES: Final = ("hive", "reversi", "connect_four")


def by_choice(arbiter: Arbiter, state: State, draw: np.random.Generator) -> int:
    """A legal ply, as one draws it."""
    return int(draw.choice(arbiter.legal(state)))


def by_hand(
    arbiter: Arbiter,
    n_games: int,
    most_plies: int,
    drawn: Callable[[Arbiter, State, np.random.Generator], int] = by_choice,
) -> int:
    """Plies of so many games."""
    n_plies = 0
    for seed in range(n_games):
        draw = np.random.default_rng(seed)
        state, status = arbiter.start(), ONGOING
        texts: list[str] = []
        while status == ONGOING and len(texts) < most_plies:
            ply = drawn(arbiter, state, draw)
            texts.append(arbiter.game.write_ply(state, ply))
            status = arbiter.play(state, ply)
        n_plies += len(texts)
    return n_plies


def by_runner(arbiter: Arbiter, n_games: int, most_plies: int) -> int:
    """Plies of as many games of a match."""
    agents = read_agent("a: random"), read_agent("b: random")
    terms = Terms(n_opening=0, most_plies=most_plies)
    return sum(len(play(arbiter, agents, task, terms).plies) for task in schedule(2, n_games))


def main(n_games: int = N_GAMES) -> None:
    """Print microseconds a ply of both, and their ratio."""
    print(f"random plies, {n_games} games: microseconds of processor time a ply")
    print(f"{'':<14} by hand    drawn as the runner does    runner    ratios")
    for name in GAMES:
        arbiter = Arbiter(load_game(name))
        as_runner = partial(by_hand, drawn=Arbiter.drawn)
        ways: tuple[Callable[[Arbiter, int, int], int], ...] = (by_hand, as_runner, by_runner)
        spent: tuple[list[float], ...] = ([], [], [])
        for _ in range(N_RUNS):
            for way, kept in zip(ways, spent, strict=True):
                began = time.process_time()
                n_plies = way(arbiter, n_games, 100)
                kept.append((time.process_time() - began) / n_plies * 1e6)
        hand, own, runner = (statistics.median(kept) for kept in spent)
        print(
            f"{name:<14}{hand:8.1f}{own:28.1f}{runner:10.1f}{runner / hand:10.2f}{runner / own:7.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
