"""Time of queries over a log, warm and cold, beside numpy that filters the same columns in the same run.

python -m tests.benchmarks.query [ROWS]

The log is made: a tree of random fan-outs with scores, words, plies, statics, factors and table entries, one
million rows unless a number is given. `cold` is the first run of a query in this process: DuckDB is loaded,
and whatever is derived from the columns once. `warm` is the median of five. numpy filters by masks over the
same columns, with what is absent left out, and gives the same rows; both are checked to agree.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.query import sql
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.parse import parse
from plyscope.visualizer.analysis.query.run import hits_of, order_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import Factor, Log, Root
from plyscope.visualizer.store.tree import Tree

ROWS = 1_000_000
RUNS = 5
PLIES = [f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)]

Mask = npt.NDArray[np.bool_]
Numpy = Callable[[Log, Tree], Mask]


def made(n_rows: int) -> Log:
    """A log of so many rows, in pre-order, sixty levels deep at most; the same for the same number."""
    draw = np.random.default_rng(n_rows)
    # Of a walk down by one or up by some, each place is a node: levels are those of a tree in pre-order.
    level = np.zeros(n_rows, np.int32)
    steps = draw.choice(np.array([1, 0, 0, 0, -1, -2]), n_rows)
    deep = 0
    parent, last = np.full(n_rows, -1, np.int32), [0] * 64
    end = np.full(n_rows, n_rows, np.int32)
    for row, step in enumerate(steps.tolist()):
        if row:
            deep = min(60, max(1, deep + step))
            parent[row] = last[deep - 1]
        level[row] = deep
        last[deep] = row
    _set_ends(level, end)
    outcome = draw.integers(1, 12, n_rows).astype(np.uint8)
    score = np.round(draw.normal(0, 100, n_rows), 2)
    static = np.round(score + draw.normal(0, 80, n_rows), 2)
    given = np.full(n_rows, GIVEN["score"] | GIVEN["static"], np.uint16)
    is_stub = outcome >= words.FIRST_STUB
    score[is_stub] = static[is_stub] = np.nan
    given[is_stub] = 0
    columns: dict[str, npt.NDArray[Any]] = {
        "id": np.arange(n_rows, dtype=np.int64),
        "parent": parent,
        "end": end,
        "level": level,
        "given": given,
        "ply": draw.integers(-1, len(PLIES), n_rows).astype(np.int32),
        "layer": (level % 2 + 1).astype(np.uint8),
        "score": score,
        "bound": draw.integers(0, 4, n_rows).astype(np.uint8),
        "outcome": outcome,
        "static": static,
        "depth": np.where(is_stub, np.nan, 60.0 - level),
        "purpose": draw.integers(0, 6, n_rows).astype(np.uint8),
        "tt_depth": np.where(draw.random(n_rows) < 0.2, draw.integers(0, 12, n_rows), np.nan),
        "factors": np.round(draw.normal(0, 5, (n_rows, 4)), 1),
    }
    for column in columns.values():
        column.flags.writeable = False
    factors = tuple(Factor(name, 2.0) for name in ("mobility", "corners", "queen_ring", "hand"))
    return Log(header={}, columns=columns, texts=PLIES, roots=(Root(0),), factors=factors)


def _set_ends(level: npt.NDArray[np.int32], end: npt.NDArray[np.int32]) -> None:
    """Write the end of each subtree: the next row that is no deeper."""
    is_open: list[int] = []
    for row, deep in enumerate(level.tolist()):
        while is_open and level[is_open[-1]] >= deep:
            end[is_open.pop()] = row
        is_open.append(row)


def _few(log: Log, tree: Tree) -> Mask:
    at = log.columns
    return (
        (at["layer"] == words.MIN)
        & (at["score"] < -50)
        & (at["factors"][:, 0] > 3)
        & (at["outcome"] == words.CUTOFF)
    )


def _parents(log: Log, tree: Tree) -> Mask:
    parent = log.columns["parent"]
    above = log.columns["score"][parent]
    above[parent < 0] = np.nan
    score = log.columns["score"]
    return (score != above) & ~np.isnan(score) & ~np.isnan(above)


QUERIES: dict[str, Numpy] = {
    "layer = 'min' and score < -50 and factors.mobility > 3 and outcome = 'cutoff'": _few,
    "abs(static - score) > 200": lambda log, tree: np.abs(log.columns["static"] - log.columns["score"]) > 200,
    "purpose = 'null' and depth > 3": lambda log, tree: (
        (log.columns["purpose"] == words.NULL) & (log.columns["depth"] > 3)
    ),
    "nodes_below > 1000": lambda log, tree: tree.nodes_below() > 1000,
    "ply = 'c6'": lambda log, tree: log.columns["ply"] == PLIES.index("c6"),
    "contributions.queen_ring > 20": lambda log, tree: log.columns["factors"][:, 2] * 2.0 > 20,
    "tt.depth >= 8": lambda log, tree: log.columns["tt_depth"] >= 8,
    "parent.score != score": _parents,
    "score < 0": lambda log, tree: log.columns["score"] < 0,
}


def main(n_rows: int = ROWS) -> None:
    """Print milliseconds of each query, cold and warm, and those of numpy."""
    sql.SECONDS = 60.0  # type: ignore[misc]
    log = made(n_rows)
    tree = Tree(log)
    fields = Fields(tree)
    print(f"{n_rows:,} rows   ms: cold, warm, numpy, warm / numpy; hits")
    for expression, by_numpy in QUERIES.items():
        began = time.perf_counter()
        rows, _ = hits_of(fields, expression)
        cold = time.perf_counter() - began
        expected = np.flatnonzero(by_numpy(log, tree))
        assert np.array_equal(rows, expected), expression
        warm = _median(lambda expression=expression: hits_of(fields, expression))
        plain = _median(lambda by_numpy=by_numpy: np.flatnonzero(by_numpy(log, tree)))
        figures = f"{cold * 1e3:8.1f} {warm * 1e3:8.1f} {plain * 1e3:8.1f} {warm / plain:6.1f}"
        print(f"  {figures}  {len(rows):>11,}  {expression}")
    rows, _ = hits_of(fields, "score < 0")
    seconds = _median(lambda: order_of(fields, rows, parse("abs(static - score)")))
    by_numpy_sorted = _median(
        lambda: np.argsort(np.abs(log.columns["static"][rows] - log.columns["score"][rows]), kind="stable")
    )
    figures = f"{'':8} {seconds * 1e3:8.1f} {by_numpy_sorted * 1e3:8.1f} {seconds / by_numpy_sorted:6.1f}"
    print(f"  {figures}  {len(rows):>11,}  score < 0, sorted by abs(static - score)")


def _median(run: Callable[[], object]) -> float:
    seconds = []
    for _ in range(RUNS):
        began = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


if __name__ == "__main__":
    main(*(int(argument.replace("_", "").replace(",", "")) for argument in sys.argv[1:2]))
