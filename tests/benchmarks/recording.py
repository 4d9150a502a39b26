"""The cost of recording: the same searches with and without a row for every node, interleaved, medians.

Warm memory was written to before, fresh memory is touched for the first time (a page fault every 4 KiB).
Every factor is recorded. Seconds are the processor's, so that other programs disturb less. The children of a
node are all played, judged and sorted before the first of them is visited. So most positions are judged and
cut off before they are visited. A search that judges a node when it visits it has one count of nodes, and
that compares with positions judged: what costs time is to play and judge one.

python -m tests.benchmarks.recording NODES

A search of Connect Four of so many nodes as a run has it, without recording and into fresh memory, whose
pages a second thread touches ahead; target: at most 1.5 times. Seconds are the clock's: a virtual machine
that has to ask its host for memory may take twenty times as long as one that has it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from plyscope.engine import jit
from plyscope.engine.alphabeta.search import FINISHED, search
from plyscope.engine.alphabeta.stack import COUNTS, NOT_BEGUN, OPTIONS, stack_for
from plyscope.engine.games import find
from plyscope.engine.options import MATE_SCORE, SearchOptions
from plyscope.engine.record.memory import Memory, reserve
from plyscope.engine.run import search as searched
from tests.benchmarks.timing import medians, numbers, taken
from tests.chess.test_perft import PUBLISHED
from tests.hive.test_perft import COUNTS as HIVE

BULK_DEPTH = 4
"""Of searches of Hive, and of its leaves that are counted in bulk."""
MOST_LEAVES = 60_000_000


def position(game_type: str, ply: int) -> tuple[str, dict[int, int]]:
    """The first position of Hive's counts so far into a game, and its leaves by depth."""
    text = next(
        case["position"]
        for case in HIVE
        if case["game_type"] == game_type and case["depth"] == BULK_DEPTH and case["nodes"] < MOST_LEAVES
        if case["position"].count(";") - 2 == ply
    )
    return text, {case["depth"]: case["nodes"] for case in HIVE if case["position"] == text}


ROUNDS = 5
CASES = (
    ("connect_four", "", 12, 1.12),
    ("reversi", "", 9, 1.12),
    *(("chess", text, 5, 1.1) for text in [*PUBLISHED][:2]),
    *(("hive", position(game_type, 40)[0], BULK_DEPTH, 1.4) for game_type in ("Base", "Base+MLP")),
)
"""A game, a position or the game's start, the depth, and how many times the time recording may take, warm."""
ROOM = 4_000_000
LARGE_ROUNDS, LARGE_DEPTH = 3, 22
REST = 4.0  # seconds in which the system gives the host back what was freed, so that the next memory is fresh
NO_LIMIT = 1 << 60


def options_of(depth: int) -> Any:
    """An ordinary alpha-beta of every ply."""
    options = np.zeros(1, OPTIONS)
    options[0]["depth"], options[0]["limit"], options[0]["prunes"] = depth, 65_535, True
    options[0]["mate"], options[0]["mate_step"] = MATE_SCORE, 1.0
    options[0]["alpha"], options[0]["beta"] = -np.inf, np.inf
    return options


class Bench:
    """A search that can be run again and again from its beginning."""

    def __init__(self, name: str, text: str, depth: int) -> None:
        self.game = find(name)
        self.state = self.game.read_position(text or self.game.start)
        self.options = options_of(depth)
        self.weights = np.array(list(self.game.factors.values()))
        self.n_moves = self.game.max_plies
        in_place = hasattr(self.game, "undo")
        self.stack = stack_for(self.state, self.weights, depth, self.n_moves, 0, in_place=in_place)
        self.counts = np.zeros(1, COUNTS)
        self.search, self.token = jit.compiled(search), jit.bind(self.game)

    def memory(self) -> Memory:
        dtype = getattr(self.game, "factor_dtype", np.float64)
        return reserve(ROOM, len(self.weights), dtype, self.n_moves)

    def seconds(self, memory: Memory | None) -> float:
        self.counts[:] = 0
        self.counts[0]["level"] = NOT_BEGUN
        began = time.process_time()
        reason = self.search(self.token, self.options, self.stack, self.counts, memory, NO_LIMIT)
        taken = time.process_time() - began
        assert reason == FINISHED, reason
        return taken

    def ways(self) -> dict[str, Callable[[], float]]:
        """Seconds of a run that is not recorded, and of one into memory that was written to before."""
        memory = self.memory()
        ways = {"not recorded": lambda: self.seconds(None), "warm memory": lambda: self.seconds(memory)}
        for run in ways.values():  # compile, or load from disk; touch the memory
            run()
        return ways


def main() -> None:
    for name, text, depth, target in CASES:
        bench = Bench(name, text, depth)
        fresh = {"fresh memory": lambda bench=bench: bench.seconds(bench.memory())}
        times = medians(bench.ways() | fresh, ROUNDS)
        nodes, pruned, rows = (int(bench.counts[0][count]) for count in ("nodes", "pruned", "n_rows"))
        print(
            f"{name}, depth {depth}: {nodes:,} nodes, {nodes + pruned:,} judged, {rows:,} rows  {text[:40]}"
        )
        for way, seconds in times.items():
            note = f" (target: at most {target})" if way == "warm memory" else ""
            speed = (
                f"{seconds / nodes * 1e9:7.1f} ns a node, {(nodes + pruned) / seconds / 1e6:.2f} M judged/s"
            )
            print(f"  {way:22}{speed}, ratio {seconds / times['not recorded']:.2f}{note}")


def large(n_nodes: int) -> None:
    """A long search as a run has it: its memory is fresh, and a second thread touches it ahead."""
    game = find("connect_four")

    def seconds(record: bool) -> float:
        time.sleep(REST)
        options = SearchOptions(depth=LARGE_DEPTH, nodes=n_nodes, record=record)
        return taken(lambda: searched(game, options=options), time.perf_counter)

    for record in (False, True):  # compile, or load from disk
        searched(game, options=SearchOptions(depth=3, record=record))
    times = medians({"not recorded": lambda: seconds(False), "recorded": lambda: seconds(True)}, LARGE_ROUNDS)
    print(f"connect_four, depth {LARGE_DEPTH}: {n_nodes:,} nodes (target: at most 1.5)")
    for way, each in times.items():
        print(f"  {way:22}{each / n_nodes * 1e9:7.1f} ns a node, ratio {each / times['not recorded']:.2f}")


if __name__ == "__main__":
    large(*numbers(sys.argv[1:])) if len(sys.argv) > 1 else main()
