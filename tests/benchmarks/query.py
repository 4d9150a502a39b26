"""Time of queries over a log, warm and cold, beside numpy that filters the same columns in the same run.

python -m tests.benchmarks.query [NODES]

The log is that of a search of Reversi, of a million nodes unless a number is given. `cold` is the first run
of a query in this process: DuckDB is loaded, and whatever is derived from the columns once. `warm` is the
median of five. numpy filters by masks over the same columns, with what is absent left out, and gives the same
rows; both are checked to agree.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from plyscope.engine.games.reversi import GAME
from plyscope.visualizer.analysis.query import sql
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.run import hits_of, order_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.benchmarks.timing import median, numbers, taken
from tests.benchmarks.verbs import searched_log

N_NODES = 1_000_000
MOBILITY = [*GAME.factors].index("mobility")
CLOCK = time.perf_counter

Mask = npt.NDArray[np.bool_]
Numpy = Callable[[Log, Tree], Mask]


def _few(log: Log, tree: Tree) -> Mask:
    at = log.columns
    return (
        (at["layer"] == words.MIN)
        & (at["score"] < -5)
        & (at["factors"][:, MOBILITY] > 3)
        & (at["outcome"] == words.CUTOFF)
    )


def _parents(log: Log, tree: Tree) -> Mask:
    parent = log.columns["parent"]
    above = log.columns["score"][parent]
    above[parent < 0] = np.nan
    score = log.columns["score"]
    return (score != above) & ~np.isnan(score) & ~np.isnan(above)


def _far(log: Log) -> npt.NDArray[np.float64]:
    return np.abs(log.columns["static"] - log.columns["score"])


QUERIES: dict[str, Numpy] = {
    "layer = 'min' and score < -5 and factors.mobility > 3 and outcome = 'cutoff'": _few,
    "abs(static - score) > 20": lambda log, tree: _far(log) > 20,
    "purpose = 'research' and depth > 3": lambda log, tree: (
        (log.columns["purpose"] == words.RESEARCH) & (log.columns["depth"] > 3)
    ),
    "nodes_below > 1000": lambda log, tree: tree.nodes_below() > 1000,
    "ply = 'c6'": lambda log, tree: log.columns["ply"] == log.texts.index("c6"),
    "contributions.mobility > 2": lambda log, tree: (
        log.columns["factors"][:, MOBILITY] * log.factors[MOBILITY].weight > 2
    ),
    "tt.depth >= 3": lambda log, tree: log.columns["tt_depth"] >= 3,
    "parent.score != score": _parents,
    "score < 0": lambda log, tree: log.columns["score"] < 0,
}


def main(n_nodes: int = N_NODES) -> None:
    """Print milliseconds of each query, cold and warm, and those of numpy."""
    sql.SECONDS = 60.0  # type: ignore[misc]
    log = searched_log(n_nodes)
    tree = Tree(log)
    fields = Fields(tree)
    print(f"{log.n_rows:,} rows   ms: cold, warm, numpy, warm / numpy; hits")
    for expression, by_numpy in QUERIES.items():
        found = partial(hits_of, fields, expression)
        expected = partial(lambda mask: np.flatnonzero(mask(log, tree)), by_numpy)
        cold = taken(found, CLOCK)
        warm, plain = median(found, clock=CLOCK), median(expected, clock=CLOCK)
        rows, _ = found()
        assert np.array_equal(rows, expected()), expression
        figures = f"{cold * 1e3:8.1f} {warm * 1e3:8.1f} {plain * 1e3:8.1f} {warm / plain:6.1f}"
        print(f"  {figures}  {len(rows):>11,}  {expression}")
    rows, _ = hits_of(fields, "score < 0")
    seconds = median(lambda: order_of(fields, rows, parse("abs(static - score)")), clock=CLOCK)
    by_numpy_sorted = median(lambda: np.argsort(_far(log)[rows], kind="stable"), clock=CLOCK)
    figures = f"{'':8} {seconds * 1e3:8.1f} {by_numpy_sorted * 1e3:8.1f} {seconds / by_numpy_sorted:6.1f}"
    print(f"  {figures}  {len(rows):>11,}  score < 0, sorted by abs(static - score)")


if __name__ == "__main__":
    main(*numbers(sys.argv[1:2]))
