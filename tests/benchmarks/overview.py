"""The overview of a large tree: one picture of all rows in each form, and one of a part.

Beside them numpy, which counts the nodes of each level and pixel, and finds no largest one.
`python -m tests.benchmarks.overview [NODES …]`; the target is 100 ms at 1 and 10 million rows.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np

from plyscope.visualizer.analysis.overview.levels import level_picture
from plyscope.visualizer.analysis.overview.picture import overview
from plyscope.visualizer.store.tree import Tree
from tests.benchmarks.statistics import log_of

RUNS = 9
WIDTH, BANDS = 1200, 24
FORMS = {"icicle": overview, "levels": level_picture}


def numpys(tree: Tree) -> np.ndarray:
    """The number of nodes that begin at each pixel of each level, by numpy."""
    before = tree.nodes_before[:-1]
    x = before * WIDTH // tree.n_logged
    return np.bincount(tree.log.columns["level"].astype(np.int64) * WIDTH + x)


def milliseconds(work: Callable[[], object]) -> tuple[float, float]:
    """The median and the slowest of some runs."""
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - begun))
    return statistics.median(times), max(times)


def main() -> None:
    for n_nodes in [int(text) for text in sys.argv[1:]] or [1_000_000, 10_000_000]:
        tree = Tree(log_of(n_nodes))
        n_rows, n_all = tree.log.n_rows, tree.n_logged
        for draw in FORMS.values():
            draw(tree, WIDTH, BANDS)  # compiled, its counts made
        other, _ = milliseconds(partial(numpys, tree))
        print(f"{n_rows:,} rows")
        parts = {
            "all of it": (0, n_all),
            "a tenth": (n_all // 2, n_all // 2 + n_all // 10),
            "1,000 nodes": (0, 1000),
        }
        for (form, draw), (name, part) in product(FORMS.items(), parts.items()):
            median, slowest = milliseconds(partial(draw, tree, WIDTH, BANDS, *part))
            a_row, ratio = 1e6 * median / n_rows, median / other
            print(f"    {form:7} {name:12} {median:8.1f} ms, slowest {slowest:7.1f}"
                  f"  {a_row:6.1f} ns a row  ratio to numpy {ratio:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
