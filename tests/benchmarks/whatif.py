"""Time of what-if a row: one set of weights, and the ranges of a factor, beside one numpy pass.

python -m tests.benchmarks.whatif [NODES …]

Each log is one search of Reversi that ran until so many nodes: iterative, with scouts, re-searches,
reductions and a transposition table whose entries name their sources. Figures are medians of a few runs.
The numpy pass is the weighted sum of the factors of every row alone, without folding anything.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from plyscope.visualizer.analysis.whatif.reweighing import Reweighing
from plyscope.visualizer.store.tree import Tree
from tests.benchmarks.check import _searched

RUNS = 7
WARM_NODES = 5000
FEW = 4


def main(*sizes: int) -> None:
    """Print nanoseconds a row for searches of so many nodes."""
    warm = Reweighing(Tree(_searched(WARM_NODES)))
    warm.at({warm.weights[0].name: 3.0})
    warm.range_of(0)
    for n_nodes in sizes:
        _report(_searched(n_nodes))


def _report(log: object) -> None:
    tree = Tree(log)  # type: ignore[arg-type]
    n_rows = tree.log.n_rows
    begun = time.perf_counter()
    reweighing = Reweighing(tree)
    prepared = time.perf_counter() - begun
    weights = [each for each in reweighing.weights if each.weight is not None]
    n_tables = int(np.count_nonzero(reweighing.plan.source >= 0))
    print(f"{n_rows:,} rows, {len(weights)} factors, {n_tables:,} table rows with a source in the log")

    def line(name: str, seconds: float) -> None:
        print(f"  {name:34} {seconds / n_rows * 1e9:8.1f} ns a row  {seconds * 1e3:9.1f} ms")

    line("prepared once a log", prepared)
    factors = tree.log.columns["factors"]
    steps = np.zeros(len(weights))
    steps[0] = 0.5
    line("numpy: weighted sum alone", _median(lambda: factors @ np.ones(len(weights))))
    one = {weights[0].name: (weights[0].weight or 0.0) + 0.5}
    line("one weight changed", _median(lambda: reweighing.at(one)))
    everything = {each.name: (each.weight or 0.0) + 0.5 for each in weights}
    line("all weights changed", _median(lambda: reweighing.at(everything)))
    line("the range of one factor", _median(lambda: reweighing.range_of(0), FEW))
    begun = time.perf_counter()
    reweighing.ranges()
    line("the ranges of all, a factor", (time.perf_counter() - begun) / len(weights))


def _median(work: Callable[[], object], n_runs: int = RUNS) -> float:
    seconds = []
    for _ in range(n_runs):
        begun = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds)


if __name__ == "__main__":
    main(*(int(size.replace("_", "")) for size in sys.argv[1:] or ("1_000_000",)))
