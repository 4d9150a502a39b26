"""Savings and costs of each technique of the search: nodes and time with it on and off, side by side.

Connect Four to depth 14 and Reversi to depth 10, each from its start, one option more or less than the line
it is compared with. Then recording beside not recording with a table, and what one probe of the table costs.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from plyscope.engine import jit
from plyscope.engine.alphabeta.table import find as find_entry
from plyscope.engine.alphabeta.table import table_for
from plyscope.engine.games import find
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search

ROUNDS = 3
CASES = (("connect_four", 14), ("reversi", 10))
BASE: dict[str, Any] = {"algorithm": "pvs", "iterative": True, "table": 64, "killers": True, "history": True}
VARIANTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("the base: pvs, deepening, table, killers, history", {}),
    ("without table", {"table": None}),
    ("without killers and history", {"killers": False, "history": False}),
    ("alphabeta instead of pvs", {"algorithm": "alphabeta"}),
    ("without deepening", {"iterative": False}),
    ("with aspiration of 8", {"aspiration": 8.0}),
    ("with entries at least as deep", {"table_depth": "at_least"}),
    ("with entries that narrow", {"table_use": "narrow"}),
    ("with IID by 2", {"iid": 2}),
    ("with quiescence of 4", {"quiescence": 4}),
    ("with null moves by 2", {"null_move": 2}),
    ("with LMR from the 4th", {"lmr": 3}),
    ("with reverse futility of 20", {"reverse_futility": 20.0}),
    ("fail hard", {"fail": "hard"}),
)


def run(game: Any, depth: int, *, record: bool = False, **said: Any) -> tuple[int, float, Any]:
    """Nodes, seconds, and the counters of one search."""
    options = SearchOptions(depth=depth, record=record, keep="last", **BASE | said)
    result = search(game, None, options).header["result"]
    return result["nodes"], result["seconds"], result["counters"]


def techniques(game: Any, depth: int) -> None:
    print(f"{game.name}, depth {depth}")
    print(f"  {'':<50}{'nodes':>14}{'ratio':>8}{'seconds':>10}{'ratio':>8}")
    run(game, depth)  # the first takes the memory of the table
    base_nodes, base_seconds, _ = run(game, depth)
    for label, said in VARIANTS:
        nodes, seconds, _ = run(game, depth, **said)
        ratios = nodes / base_nodes, seconds / base_seconds
        print(f"  {label:<50}{nodes:>14,}{ratios[0]:>8.2f}{seconds:>10.2f}{ratios[1]:>8.2f}")


def recording(game: Any, depth: int) -> None:
    plain, recorded = [], []
    nodes = 0
    for _ in range(ROUNDS):
        nodes, seconds, _ = run(game, depth)
        plain.append(seconds)
        recorded.append(run(game, depth, record=True)[1])
    ratio = statistics.median(recorded) / statistics.median(plain)
    print(f"  {nodes:,} nodes with a table, recorded / not recorded: {ratio:.2f} (median of {ROUNDS})")


@jit.kernel
def probe(entries: Any, keys: Any) -> int:
    """Look every key up; how many are found."""
    n_found = 0
    for i in range(len(keys)):
        n_found += find_entry(entries, keys[i]) >= 0
    return n_found


def probe_cost() -> None:
    """Random keys, of which none is known: every probe reads another cache line of a table of 256 MB."""
    entries = table_for(256, ()).entries
    keys = np.random.default_rng(1).integers(1, 2**63, 2_000_000, np.uint64)
    looked_up = jit.compiled(probe)
    looked_up(entries, keys)
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        n_found = looked_up(entries, keys)
        times.append(time.perf_counter() - began)
        assert n_found == 0
    print(f"a probe of a cold table of 256 MB: {statistics.median(times) / len(keys) * 1e9:.1f} ns")


def main() -> None:
    for name, depth in CASES:
        game = find(name)
        run(game, 2)
        run(game, 2, record=True)  # compile, or load from disk, before anything is timed
        techniques(game, depth)
        recording(game, depth)
    probe_cost()


if __name__ == "__main__":
    main()
