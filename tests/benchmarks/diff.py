"""Time of a comparison a row, at a million nodes of two searches of one position.

python -m tests.benchmarks.diff [NODES …]

Two searches of Reversi that run until so many nodes, each a tree of its own: plain alpha-beta beside one
with scouts, and beside itself. Figures are medians of a few runs, by the clock, over the compared rows of
both. Beside them, of the same process: numpy comparing score, bound, outcome and ply of the two logs row
against row, the least that reading them costs.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from plyscope.engine.games.reversi import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.diff.alignment import align
from plyscope.visualizer.analysis.diff.change_kinds import are_close
from plyscope.visualizer.analysis.diff.compared_trees import numbered
from plyscope.visualizer.analysis.diff.comparison import compare
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.tree import Tree

RUNS = 5
WARM_NODES = 30_000


def main(*sizes: int) -> None:
    """Print nanoseconds a row for searches of so many nodes."""
    compare(
        _searched(WARM_NODES), _searched(WARM_NODES, "pvs")
    ).n_changes()  # compiles, or loads machine code
    for n_nodes in sizes:
        old = _searched(n_nodes)
        _report("alpha-beta beside scouts", old, _searched(n_nodes, "pvs"))
        _report("one search twice", old, _searched(n_nodes))


def _searched(n_nodes: int, algorithm: str = "alphabeta") -> Tree:
    options = SearchOptions(depth=14, algorithm=algorithm, nodes=n_nodes)
    return Tree(log_from_recording(search(GAME, options=options)))


def _report(title: str, old: Tree, new: Tree) -> None:
    found = compare(old, new)
    numbering = numbered(found.sides)
    n_rows = sum(side.end - side.root for side in (found.sides.old, found.sides.new))
    print(f"{title}: {n_rows:,} rows compared, {found.n_changes():,} changes:")
    print(f"  {found.counts}")
    for name, work in (
        ("align", lambda: align(found.sides, numbering)),
        ("compare, list 50", lambda: compare(old, new).changes(0, 50)),
        ("compare, first parting", lambda: compare(old, new).first),
        ("numpy, row against row", lambda: _row_against_row(old, new)),
    ):
        print(f"  {name:<24} {_seconds(work) * 1e9 / n_rows:6.1f} ns a row")


def _row_against_row(old: Tree, new: Tree) -> int:
    n_both = min(old.log.n_rows, new.log.n_rows)
    one, other = ({name: tree.log.columns[name][:n_both] for name in NAMES} for tree in (old, new))
    unlike = ~are_close(one["score"], other["score"])
    for name in NAMES[1:]:
        unlike |= one[name] != other[name]
    return int(np.count_nonzero(unlike))


NAMES = ("score", "bound", "outcome", "ply")


def _seconds(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


if __name__ == "__main__":
    main(*(map(int, sys.argv[1:]) if len(sys.argv) > 1 else (1_000_000,)))
