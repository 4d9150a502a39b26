"""The cost per node of a log's statistics, beside one numpy pass over its outcomes and levels.

python -m tests.benchmarks.statistics [NODES …]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from plyscope.engine.games import connect_four
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.analysis.statistics.totals import totals
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

SIZES = (1_000_000, 10_000_000)
REPEATS = 3


def log_of(n_nodes: int) -> Log:
    """A search of Connect Four that is stopped after so many nodes."""
    options = SearchOptions(depth=20, nodes=n_nodes, iterative=True, algorithm="pvs")
    return log_from_recording(search(connect_four.GAME, options=options))


def plain_pass(log: Log) -> Any:
    """Count the nodes by level and outcome with numpy, in one pass over two columns."""
    columns = log.columns
    return np.bincount(columns["level"].astype(np.int64) * 16 + columns["outcome"])


def best_seconds(work: Callable[[], Any]) -> float:
    found = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


def main() -> None:
    counted_in(Tree(log_of(20_000)))  # compiled, or loaded from disk
    for size in map(int, sys.argv[1:]) if len(sys.argv) > 1 else SIZES:
        log = log_of(size)
        counted = totals(Tree(log))
        seconds = best_seconds(lambda log=log, counted=counted: counted_in(Tree(log), counted))  # type: ignore[misc]
        both = best_seconds(lambda log=log: counted_in(Tree(log)))  # type: ignore[misc]
        plain = best_seconds(lambda log=log: plain_pass(log))  # type: ignore[misc]
        print(
            f"{log.n_rows:,} rows: statistics {seconds:.3f} s, {seconds / log.n_rows * 1e9:.0f} ns a row; "
            f"with totals {both:.3f} s; a numpy pass {plain:.3f} s: ratio {seconds / plain:.1f}"
        )


if __name__ == "__main__":
    main()
