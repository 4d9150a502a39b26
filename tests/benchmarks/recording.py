"""The cost of recording: the same searches with and without a row for every node, interleaved, medians.

Warm memory was written to before, fresh memory is touched for the first time (a page fault every 4 KiB).
Every factor is recorded. Targets, warm: at most 1.6 times Connect Four's time, 1.25 times Reversi's. Seconds
are the processor's, so that other programs disturb less.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from plyscope.engine import jit
from plyscope.engine.alphabeta.search import FINISHED, search
from plyscope.engine.alphabeta.stack import COUNTS, NOT_BEGUN, OPTIONS, stack_for
from plyscope.engine.games import find
from plyscope.engine.options import MATE_SCORE
from plyscope.engine.record.memory import Memory, reserve

ROUNDS = 9
CASES = (("connect_four", 12, 1.6), ("reversi", 9, 1.25))
ROOM = 4_000_000
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

    def __init__(self, name: str, depth: int, position: str | None = None) -> None:
        self.game = find(name)
        self.state = self.game.read_position(position or self.game.start)
        self.options = options_of(depth)
        self.weights = np.array(list(self.game.factors.values()))
        self.n_moves = self.game.max_plies
        in_place = hasattr(self.game, "undo")
        self.stack = stack_for(self.state, self.weights, depth, self.n_moves, 0, in_place=in_place)
        self.counts = np.zeros(1, COUNTS)
        self.search, self.token = jit.compiled(search), jit.bind(self.game)

    def memory(self) -> Memory:
        dtype = getattr(self.game, "factor_dtype", np.float64)
        return reserve(ROOM, len(self.weights), dtype, len(self.stack.frames), self.n_moves)

    def seconds(self, memory: Memory | None) -> float:
        self.counts[:] = 0
        self.counts[0]["level"] = NOT_BEGUN
        began = time.process_time()
        reason = self.search(self.token, self.options, self.stack, self.counts, memory, NO_LIMIT)
        taken = time.process_time() - began
        assert reason == FINISHED, reason
        return taken


def main() -> None:
    for name, depth, target in CASES:
        bench = Bench(name, depth)
        warm = bench.memory()
        for memory in (None, warm):  # compile, or load from disk; touch the memory
            bench.seconds(memory)
        plain, recorded, fresh = [], [], []
        for _ in range(ROUNDS):
            plain.append(bench.seconds(None))
            recorded.append(bench.seconds(warm))
            fresh.append(bench.seconds(bench.memory()))
        nodes, rows = int(bench.counts[0]["nodes"]), int(bench.counts[0]["n_rows"])
        base = statistics.median(plain)
        print(f"{name}, depth {depth}: {nodes:,} nodes, {rows:,} rows with {len(bench.weights)} factors each")
        print(f"  not recorded          {base / nodes * 1e9:7.1f} ns a node")
        for label, times, note in (
            ("warm memory", recorded, f" (target: at most {target})"),
            ("fresh memory", fresh, ""),
        ):
            median = statistics.median(times)
            ratio = f"ratio {median / base:.2f}{note}"
            print(f"  recorded, {label:12}{median / nodes * 1e9:7.1f} ns a node, {ratio}")


if __name__ == "__main__":
    main()
