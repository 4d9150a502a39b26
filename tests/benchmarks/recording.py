"""The cost of recording: the same searches with and without a row for every node, interleaved, medians.

Warm memory was written to before, fresh memory is touched for the first time (a page fault every 4 KiB).
Every factor is recorded. Targets, warm: at most 1.12 times the time of both games. Seconds are the
processor's, so that other programs disturb less.

python -m tests.benchmarks.recording NODES

A search of Connect Four of so many nodes, without recording and into fresh memory, whose pages are touched
ahead by a second thread, as a run has it, or by the search; target: at most 1.5 times. Seconds are the
clock's; what both threads take of the processors stands beside them, and the bytes that a node is written to:
a virtual machine that has to ask its host for memory may take twenty times as long as one that has it.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np

from plyscope.engine import jit
from plyscope.engine.alphabeta.search import FINISHED, search
from plyscope.engine.alphabeta.stack import COUNTS, NOT_BEGUN, OPTIONS, stack_for
from plyscope.engine.games import find
from plyscope.engine.options import MATE_SCORE
from plyscope.engine.record.memory import Memory, reserve
from plyscope.engine.record.touch_ahead import TouchAhead

ROUNDS = 9
CASES = (("connect_four", 12, 1.12), ("reversi", 9, 1.12))
ROOM = 4_000_000
LARGE_ROUNDS, LARGE_DEPTH = 3, 22
SLICE = 100_000
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

    def memory(self, n_rows: int = ROOM) -> Memory:
        dtype = getattr(self.game, "factor_dtype", np.float64)
        return reserve(n_rows, len(self.weights), dtype, self.n_moves)

    def begin(self) -> None:
        self.counts[:] = 0
        self.counts[0]["level"] = NOT_BEGUN

    def seconds(self, memory: Memory | None, n_nodes: int = NO_LIMIT) -> float:
        self.begin()
        began = time.process_time()
        reason = self.search(self.token, self.options, self.stack, self.counts, memory, n_nodes)
        taken = time.process_time() - began
        assert reason == FINISHED or n_nodes < NO_LIMIT, reason
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


def filled(memory: Memory, counts: Any) -> tuple[tuple[Any, int], ...]:
    return memory.filled(int(counts["n_rows"]), int(counts["n_stub_plies"]), int(counts["n_hits"]))


def in_slices(bench: Bench, memory: Memory | None, n_nodes: int, *, touches: bool) -> tuple[float, float]:
    """Seconds of the clock, and of the processors, of a search in slices, as a run has it."""
    bench.begin()
    began, worked = time.perf_counter(), time.process_time()
    with TouchAhead() as ahead:
        while (nodes := int(bench.counts[0]["nodes"])) < n_nodes:
            budget = min(nodes + SLICE, n_nodes)
            bench.search(bench.token, bench.options, bench.stack, bench.counts, memory, budget)
            if memory is not None and touches:
                ahead.follow(filled(memory, bench.counts[0]))
    return time.perf_counter() - began, time.process_time() - worked


def large(n_nodes: int) -> None:
    """A long search, interleaved."""
    bench = Bench("connect_four", LARGE_DEPTH)
    bench.seconds(bench.memory(), 1000)
    bench.seconds(None, 1000)
    ways = ("not recorded", "fresh memory", "fresh, ahead")
    taken: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(LARGE_ROUNDS):
        for way in ways:
            memory = None if way == "not recorded" else bench.memory(2 * n_nodes)
            taken[way].append(in_slices(bench, memory, n_nodes, touches=way == "fresh, ahead"))
            if memory is not None:
                n_bytes = sum(n * array.strides[0] for array, n in filled(memory, bench.counts[0]))
            del memory  # before the next is asked for
            time.sleep(REST)
    rows = int(bench.counts[0]["n_rows"])
    size = f"{n_bytes / n_nodes:.0f} bytes a node"
    print(f"connect_four, depth {LARGE_DEPTH}: {n_nodes:,} nodes, {rows:,} rows, {size}")
    base = statistics.median(clock for clock, _ in taken["not recorded"])
    for way in ways:
        clock, worked = (statistics.median(one) for one in zip(*taken[way], strict=True))
        ratio = f"ratio {clock / base:.2f}" + (" (target: at most 1.5)" if way == "fresh, ahead" else "")
        print(
            f"  {way:22}{clock / n_nodes * 1e9:7.1f} ns a node, {ratio};"
            f" of the processors {worked / n_nodes * 1e9:.1f}"
        )


if __name__ == "__main__":
    large(int(sys.argv[1].replace(",", ""))) if len(sys.argv) > 1 else main()
