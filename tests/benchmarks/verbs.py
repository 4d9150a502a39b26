"""Time a row of check, statistics, what-if, the overview, a comparison and queries, beside a pass of numpy.

python -m tests.benchmarks.verbs [NODES …]

Each log is one search of Reversi that ran until so many nodes: iterative, with scouts, re-searches,
reductions, a transposition table and killers, so windows, purposes, keys, table entries, statics and factors
are all there to be asked. Nothing is repeated to make a log longer: ten million rows have the keys of ten
million visits. `replay` plays the game, which is another kind of work: it stands apart, and not in the sum.

Figures are the medians of a few runs, by the clock and by the time that processors worked; the latter says
more where others use the machine. The pass of numpy counts what is not 0 in every column that the rules
read: the least that reading them costs. Memory on top is the peak of what a check allocates, over the
columns read. A comparison is that of the search with plain alpha-beta, over the rows of both.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from plyscope.engine.games.reversi import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check, scan
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import COLUMNS_SEEN, Sight, sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.analysis.diff.comparison import compare
from plyscope.visualizer.analysis.overview.levels import level_picture
from plyscope.visualizer.analysis.overview.picture import overview
from plyscope.visualizer.analysis.query import sql
from plyscope.visualizer.analysis.query.fields import Fields
from plyscope.visualizer.analysis.query.run import hits_of
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.analysis.whatif.reweighing import Reweighing
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.benchmarks.timing import numbers

APART = ("replay",)
RUNS = 3
WARM_NODES = 30_000
WIDTH, BANDS = 1200, 24

QUERIES = {
    "query, a number": "score < 0",
    "query, four fields": "layer = 'min' and score < -5 and factors.mobility > 3 and outcome = 'cutoff'",
    "query, a sum": "abs(static - score) > 20",
    "query, the parent's": "parent.score != score",
    "query, a text": "ply = 'c6'",
}

Timed = Callable[[], object]
Seconds = tuple[float, float]


def main(*sizes: int) -> None:
    """Print nanoseconds a row for searches of so many nodes."""
    sql.SECONDS = 60.0  # type: ignore[misc]
    for verb in _verbs(searched_log(WARM_NODES), _plain(WARM_NODES)).values():
        verb()  # compiles, or loads machine code
    for n_nodes in sizes:
        _report(searched_log(n_nodes), _plain(n_nodes))


def searched_log(n_nodes: int) -> Log:
    """A search with its techniques on, stopped after so many nodes; the log has stubs besides."""
    options = SearchOptions(
        depth=24, algorithm="pvs", iterative=True, table=256.0, killers=True, lmr=1, nodes=n_nodes
    )
    return log_from_recording(search(GAME, options=options))


def _plain(n_nodes: int) -> Log:
    return log_from_recording(search(GAME, options=SearchOptions(depth=14, nodes=n_nodes)))


def _verbs(log: Log, other: Log) -> dict[str, Timed]:
    """The calls that are timed, each on another object of the same log, so nothing kept is used."""
    reweighing = Reweighing(Tree(log))
    weights = {each.name: each.weight + 0.5 for each in reweighing.weights if each.weight is not None}
    one = dict([next(iter(weights.items()))])
    pictured, old, new = Tree(log), Tree(other), Tree(log)
    queried = {name: partial(hits_of, Fields(pictured), each) for name, each in QUERIES.items()}
    return {
        "check, all rules": lambda: check(replace(log), compiled=True, ignore=APART),
        "statistics": lambda: counted_in(Tree(replace(log))),
        "what-if, prepared": lambda: Reweighing(Tree(log)),
        "what-if, one weight": lambda: reweighing.at(one),
        "what-if, all weights": lambda: reweighing.at(weights),
        "what-if, a range": lambda: reweighing.range_of(0),
        "overview, icicle": lambda: overview(pictured, WIDTH, BANDS),
        "overview, levels": lambda: level_picture(pictured, WIDTH, BANDS),
        "compared, first 50": lambda: compare(old, new).changes(0, 50),
    } | queried


def _report(log: Log, other: Log) -> None:
    read = [log.columns[name] for name in (*COLUMNS_SEEN, "factors") if name in log.columns]
    n_bytes = sum(column.nbytes for column in read)
    print(f"{log.n_rows:,} rows, {len(read)} columns, {n_bytes / log.n_rows:.0f} bytes a row")
    numpy = _median(lambda: [int(np.count_nonzero(column)) for column in read])

    def line(name: str, seconds: Seconds, n_rows: int = log.n_rows) -> None:
        clock, worked = (each / n_rows * 1e9 for each in seconds)
        times = worked / (numpy[1] / log.n_rows * 1e9)
        print(f"  {name:22}  {clock:8.1f} ns a row  {worked:8.1f} of processors  {times:7.1f} x numpy")

    line("numpy, one pass", numpy)
    for name, verb in _verbs(log, other).items():
        line(name, _median(verb), log.n_rows + (other.n_rows if name.startswith("compared") else 0))
    peak = _peak(lambda: check(replace(log), compiled=True, ignore=APART))
    print(f"  memory of a check       {peak / n_bytes:8.2f} x the columns read\nrule by rule")
    sight = derive(sight_of(log), Work(True))
    for name in check(replace(log), compiled=True, ignore=APART).checked:
        line(name, _median(partial(_ask, sight, name)))
    only = set(RULES) - set(APART)
    line("replay, apart", _median(lambda: check(replace(log), compiled=True, ignore=only), runs=1))


def _ask(sight: Sight, name: str) -> None:
    scan(sight._replace(log=replace(sight.log)), {name: RULES[name]}, Work(True))


def _median(run: Timed, runs: int = RUNS) -> Seconds:
    """Seconds of the run in the middle: by the clock, and of all processors together."""
    clock, worked = [], []
    for _ in range(runs):
        start, work = time.perf_counter(), time.process_time()
        run()
        clock.append(time.perf_counter() - start)
        worked.append(time.process_time() - work)
    return statistics.median(clock), statistics.median(worked)


def _peak(run: Timed) -> int:
    """The most bytes that were allocated at once, beyond what was there before."""
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


if __name__ == "__main__":
    main(*(numbers(sys.argv[1:]) or (850_000, 8_500_000)))
