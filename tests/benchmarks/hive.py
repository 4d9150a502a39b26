"""The speed of Hive by four counts, at plies 20, 40 and 60 of the base game and with all expansions.

* bulk: perft, whose last ply is counted and not played;
* made: every leaf played and taken back;
* evaluated: every leaf played, asked whether the game is over, judged by all factors and taken back;
* alpha-beta: plain, no limit; positions judged, nodes visited, and what recording adds. The children of a
  node are all played, judged and sorted before the first of them is visited, and no option searches
  otherwise. So most positions are judged and cut off before they are visited; they stand in the log with
  their ply and pre-score, though not in rows of their own. A search that judges a node when it visits it has
  one count of nodes, and that compares with positions judged: what costs time is to play and judge one.

How wide a position is decides how many leaves a second are counted in bulk, for they are counted a node at a
time: that time is shown beside them, and where a ply has a wider position, its figures too.

Beside them OpenSpiel's Hive in the same run, driven from Python over its C++ state: `legal_actions` for bulk,
`child` of every action for made. It evaluates nothing. It names some plies several times, and each counts for
it. How much of its time is its own C++ and not Python's is shown by its `legal_actions` alone. The positions
are those of tests/hive/perft.json, whose counts are made again here before anything is timed.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from plyscope.engine import jit
from plyscope.engine.game import ONGOING
from plyscope.engine.games.hive import GAME
from plyscope.engine.perft import perft
from tests.benchmarks.hive_rules import opinion, their_start
from tests.benchmarks.recording import Bench
from tests.hive.oracle import read_game, start

ROUNDS = 5
BULK_DEPTH = 4
DEPTH = 3
"""Of leaves made and evaluated; alpha-beta goes as deep as bulk."""
MOST_LEAVES = 60_000_000
LEAST_SECONDS = 0.05
"""What is over sooner is repeated within a round."""

COUNTS = json.loads(Path("tests/hive/perft.json").read_text("utf-8"))
CASES = tuple((game_type, ply) for game_type in ("Base", "Base+MLP") for ply in (20, 40, 60))
TARGETS = {"bulk": 60, "made": 20, "evaluated": 6}
"""Million leaves a second that a prototype reached in the base game."""
JUDGED_TARGET = 2.5
"""Million positions a second, the target for nodes of recorded alpha-beta."""
RECORDED_TARGET = 1.4
COLD_TARGET, CACHED_TARGET = 25.0, 1.0

SEARCH = "import plyscope.engine.run as r; from plyscope.engine.games import find; "
SEARCH += "from plyscope.engine.options import SearchOptions; "
SEARCH += "r.search(find('hive'), options=SearchOptions(depth=1))"


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


class Leaves:
    """`leaves` of one position."""

    def __init__(self, text: str) -> None:
        self.state = GAME.read_position(text)
        self.rooms = np.zeros((DEPTH, GAME.max_plies), np.int32), np.zeros(DEPTH, int), np.zeros(DEPTH, int)
        self.values = np.zeros(len(GAME.factors))
        self.run, self.token = jit.compiled(leaves), jit.bind(GAME)

    def count(self, judged: bool) -> int:
        return int(self.run(self.token, self.state, *self.rooms, self.values, judged))


def seconds(run: Callable[[], Any]) -> float:
    """The processor's, of one run: the median of rounds long enough to be timed."""
    run()
    times = []
    for _ in range(ROUNDS):
        n_runs, began = 0, time.process_time()
        while (taken := time.process_time() - began) < LEAST_SECONDS or n_runs == 0:
            run()
            n_runs += 1
        times.append(taken / n_runs)
    return statistics.median(times)


def counted(game_type: str, ply: int) -> list[tuple[str, int]]:
    """The positions of the counts so far into a game, with their leaves at `BULK_DEPTH`."""
    return [
        (case["position"], case["nodes"])
        for case in COUNTS
        if case["game_type"] == game_type and case["depth"] == BULK_DEPTH
        if case["position"].count(";") - 2 == ply
    ]


def position(game_type: str, ply: int) -> tuple[str, dict[int, int]]:
    """The first position of the counts so far into a game, and its counts by depth."""
    text = next(text for text, nodes in counted(game_type, ply) if nodes < MOST_LEAVES)
    return text, counts_of(text)


def counts_of(text: str) -> dict[int, int]:
    return {case["depth"]: case["nodes"] for case in COUNTS if case["position"] == text}


def widest(game_type: str, ply: int) -> str:
    """The position of the counts so far into a game with the most leaves."""
    return max(counted(game_type, ply), key=itemgetter(1))[0]


def theirs(text: str) -> Any:
    """OpenSpiel's state of a position, by playing its plies."""
    game_type = text.partition(";")[0]
    state, played = their_start(game_type), start(game_type)
    for ply in read_game(text, trusted=True).plies:
        actions, _ = opinion(state, played)
        state.apply_action(actions[ply])
        played = played.play(ply, trusted=True)
    return state


def their_leaves(state: Any, depth: int, made: bool) -> int:
    if depth == 1 and not made:
        return len(state.legal_actions())
    n = 0
    for action in state.legal_actions():
        child = state.child(action)
        n += 1 if depth == 1 else their_leaves(child, depth - 1, made)
    return n


def our_rates(text: str) -> dict[str, float]:
    """Leaves a second of each count, checked first."""
    expected = counts_of(text)
    ours, state = Leaves(text), GAME.read_position(text)
    assert ours.count(False) == ours.count(True) == expected[DEPTH]
    assert perft(GAME, state, BULK_DEPTH) == expected[BULK_DEPTH]
    depths = {"bulk": BULK_DEPTH, "made": DEPTH, "evaluated": DEPTH}
    runs: dict[str, Callable[[], Any]] = {
        "bulk": lambda: perft(GAME, state, BULK_DEPTH),
        "made": lambda: ours.count(False),
        "evaluated": lambda: ours.count(True),
    }
    return {label: expected[depths[label]] / seconds(run) for label, run in runs.items()}


def a_node(text: str, rates: dict[str, float]) -> str:
    """The mean number of plies at the last nodes of a bulk count, and the time of one such node, as text."""
    expected = counts_of(text)
    n_plies = expected[BULK_DEPTH] / expected[BULK_DEPTH - 1]
    return f"{n_plies:.0f} plies a node, {n_plies / rates['bulk'] * 1e9:.0f} ns a node"


def counts(game_type: str, ply: int) -> None:
    text, expected = position(game_type, ply)
    rates = our_rates(text)
    their_state = theirs(text)
    n_theirs = their_leaves(their_state, 2, False)
    their_rates = {
        label: n_theirs / seconds(partial(their_leaves, their_state, 2, label == "made"))
        for label in ("bulk", "made")
    }
    alone = len(their_state.legal_actions()) / seconds(their_state.legal_actions)
    print(f"{game_type}, ply {ply}: {expected[DEPTH]:,} leaves at depth {DEPTH}, ", end="")
    print(f"{expected[2]:,} at depth 2, where OpenSpiel names {n_theirs:,}")
    for label, rate in rates.items():
        target = f"(target, base: {TARGETS[label]})"
        part = f", of every leaf made {rate / rates['made']:.2f}" if label == "evaluated" else ""
        if label in their_rates:
            part = f", OpenSpiel {their_rates[label] / 1e6:.3f}, ratio {rate / their_rates[label]:,.0f}"
        part += f"; {a_node(text, rates)}" if label == "bulk" else ""
        print(f"  {label:<10}{rate / 1e6:8.1f} M leaves/s {target}{part}")
    wide = widest(game_type, ply)
    if wide != text:
        wide_rates = our_rates(wide)
        figures = ", ".join(f"{label} {rate / 1e6:.1f}" for label, rate in wide_rates.items())
        print(f"  a wider position: {figures} M leaves/s; {a_node(wide, wide_rates)}")
    print(f"  OpenSpiel's legal_actions alone: {alone / 1e6:.3f} M/s, ratio {rates['bulk'] / alone:,.0f}")


def alpha_beta(game_type: str, ply: int) -> None:
    text, _ = position(game_type, ply)
    bench = Bench("hive", BULK_DEPTH, text)
    warm = bench.memory()
    for memory in (None, warm):
        bench.seconds(memory)
    times: dict[str, list[float]] = {"plain": [], "recorded": []}
    for _ in range(ROUNDS):
        for label, memory in (("plain", None), ("recorded", warm)):
            began = time.process_time()
            bench.seconds(memory)
            times[label].append(time.process_time() - began)
    plain, recorded = statistics.median(times["plain"]), statistics.median(times["recorded"])
    nodes = int(bench.counts[0]["nodes"])
    judged = nodes + int(bench.counts[0]["pruned"])
    print(
        f"  {game_type:<9}ply {ply}: recorded, {judged / recorded / 1e6:.2f} M positions judged/s (target: "
        f"{JUDGED_TARGET}), {nodes / recorded / 1e6:.2f} M of them visited; {judged:,} judged, {nodes:,} "
        f"visited; {recorded / plain:.2f} times the time of unrecorded (target: at most {RECORDED_TARGET})"
    )


def starting() -> None:
    """A new process that searches one ply, with an empty folder of machine code and with a full one."""
    with tempfile.TemporaryDirectory() as folder:
        times, worked = [], []
        for _ in range(1 + ROUNDS):
            began, before = time.perf_counter(), os.times()
            environment = os.environ | {"PLYSCOPE_CACHE": folder}
            subprocess.run([sys.executable, "-c", SEARCH], check=True, env=environment)
            times.append(time.perf_counter() - began)
            worked.append(os.times().children_user - before.children_user)
    cached = statistics.median(times[1:])
    print(f"shell to first node: {times[0]:.1f} s compiling (target: at most {COLD_TARGET:.0f}), ", end="")
    print(f"{cached:.2f} s from disk (target: at most {CACHED_TARGET:.0f}); ", end="")
    print(f"of the processor {worked[0]:.1f} s and {statistics.median(worked[1:]):.2f} s")


def main() -> None:
    for case in CASES:
        counts(*case)
    print(f"alpha-beta, depth {BULK_DEPTH}, all factors; a row for each node visited, and for the others")
    print("that were judged, cut off at the same node, one row with their plies and pre-scores:")
    for case in CASES:
        alpha_beta(*case)
    starting()


if __name__ == "__main__":
    main()
