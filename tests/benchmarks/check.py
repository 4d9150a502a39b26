"""Time of `check` a row and its memory: all rules, by pass and by rule, at one and at ten million rows.

python -m tests.benchmarks.check [NODES …]

Each log is one search of Reversi that ran until so many nodes: iterative, with scouts, re-searches,
reductions, a transposition table and killers, so windows, purposes, keys, table entries, statics and factors
are all there to be judged. Nothing is repeated to make a log longer: ten million rows have the keys of ten
million visits. `replay` plays the game, which is another kind of work: it stands apart, and not in the sum.

Figures are the medians of a few runs, by the clock and by the time that processors worked; the latter says
more where others use the machine. Beside them, of the same process: numpy counting what is not 0 in every
column that the rules read, the least that reading them costs; and the same rules as plain Python, on a
search of a few thousand nodes. Memory on top is the peak of what a check allocates, over the columns read.

The bare log is the same search with its scores, layers, bounds and outcomes alone. A rule whose fields are
absent costs nothing: all rules take as long there as those that can be asked.
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
from plyscope.visualizer.analysis.check import RULES, check
from plyscope.visualizer.analysis.check.facts.masks import has_row
from plyscope.visualizer.analysis.check.field_coverage import Stated
from plyscope.visualizer.analysis.check.rule_scan import scan
from plyscope.visualizer.analysis.check.rules.keys.key_pass import flags_by_key
from plyscope.visualizer.analysis.check.rules.keys.paths import flags_by_path
from plyscope.visualizer.analysis.check.rules.values.leaf_fold import refolded
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import COLUMNS_SEEN, Sight, sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.columns import CORE, GIVEN
from plyscope.visualizer.store.log import Log

APART = ("replay",)
RUNS = 3
WARM_NODES = PLAIN_NODES = 3000

Seconds = tuple[float, float]


def main(*sizes: int) -> None:
    """Print nanoseconds a row for searches of so many nodes."""
    _once(_searched(WARM_NODES))  # compiles, or loads machine code
    for n_nodes in sizes:
        _report(_searched(n_nodes))


def _searched(n_nodes: int) -> Log:
    """A search of Reversi with its techniques on, stopped after so many nodes; the log has stubs besides."""
    options = SearchOptions(
        depth=24, algorithm="pvs", iterative=True, table=256.0, killers=True, lmr=1, nodes=n_nodes
    )
    return log_from_recording(search(GAME, options=options))


def _report(log: Log) -> None:
    read = [log.columns[name] for name in (*COLUMNS_SEEN, "factors") if name in log.columns]
    n_bytes = sum(column.nbytes for column in read)
    report = check(_fresh(log), compiled=True, ignore=APART)
    print(f"{log.n_rows:,} rows, {len(report.checked)} rules asked, {len(report)} findings")
    n_keys = len(np.unique(log.columns["key"]))
    print(f"  {n_keys:,} keys; {len(read)} columns, {n_bytes / log.n_rows:.0f} bytes a row")
    numpy = _median(lambda: [int(np.count_nonzero(column)) for column in read])

    def line(name: str, seconds: Seconds, n_rows: int = log.n_rows) -> None:
        clock, worked = (each / n_rows * 1e9 for each in seconds)
        times = worked / (numpy[1] / log.n_rows * 1e9)
        print(f"  {name:22}  {clock:8.1f} ns a row  {worked:8.1f} of processors  {times:7.1f} x numpy")

    line("all rules", _median(lambda: _once(log)))
    line("numpy, one pass", numpy)
    plain = _searched(PLAIN_NODES)
    line(
        "plain Python",
        _median(lambda: check(_fresh(plain), compiled=False, ignore=APART)),
        plain.n_rows,
    )
    print(f"  memory on top           {_peak(lambda: _once(log)) / n_bytes:8.2f} x the columns read")
    bare = _bare(log)
    unasked = set(RULES) - set(check(bare, compiled=True, ignore=APART).checked)
    print(f"bare log: {len(RULES) - len(unasked)} rules asked")
    line("all rules", _median(lambda: _once(bare)))
    line("those that are asked", _median(lambda: check(_fresh(bare), compiled=True, ignore=unasked)))
    sight = derive(sight_of(log), True, _say_nothing)
    print("pass by pass")
    for name, run in _passes(sight).items():
        line(name, _median(run))
    print("rule by rule")
    for name in report.checked:
        line(name, _median(partial(_ask, sight, name)))
    only = set(RULES) - set(APART)
    line("replay, apart", _median(lambda: check(_fresh(log), compiled=True, ignore=only), runs=1))


def _passes(sight: Sight) -> dict[str, Callable[[], object]]:
    """The passes over the rows that a check of all rules consists of, each alone."""
    log, work = sight.log, Work(True)
    rules = [rule for name, rule in RULES.items() if name not in APART]
    by_row = {rule.name: rule for rule in rules if rule.violates is not None}
    needs = {need for rule in rules for need in rule.needs}
    underived = sight_of(log)
    return {
        "declarations": lambda: sight_of(log),
        "sweep": lambda: derive(underived, True, _say_nothing),
        "fields that are lacking": lambda: Stated(log).count_lacking(needs),
        "rules row by row": lambda: scan(sight, by_row, work),
        "rows by key": lambda: flags_by_key(sight, work),
        "rows by path": lambda: flags_by_path(sight, work),
        "leaves folded up": lambda: refolded(sight, work),
        "result": lambda: RULES["result"].find(sight, work),  # type: ignore[misc]
        "rows to judge": lambda: [has_row(sight, rule.judged) for rule in rules if rule.judged is not None],
    }


def _bare(log: Log) -> Log:
    """The log without the columns that no row has to state."""
    columns = {column.name: log.columns[column.name] for column in CORE}
    columns["given"] = columns["given"] & ~np.uint16(GIVEN["key"])
    return replace(log, columns=columns, factors=(), stub_plies=None)


def _say_nothing(part: float) -> None:
    return None


def _ask(sight: Sight, name: str) -> None:
    scan(sight._replace(log=_fresh(sight.log)), {name: RULES[name]}, Work(True))


def _once(log: Log) -> None:
    check(_fresh(log), compiled=True, ignore=APART)


def _fresh(log: Log) -> Log:
    """The same log as another object: what is kept of an earlier check of it is not used."""
    return replace(log)


def _median(run: Callable[[], object], runs: int = RUNS) -> Seconds:
    """Seconds of the run in the middle: by the clock, and of all processors together."""
    clock, worked = [], []
    for _ in range(runs):
        start, work = time.perf_counter(), time.process_time()
        run()
        clock.append(time.perf_counter() - start)
        worked.append(time.process_time() - work)
    return statistics.median(clock), statistics.median(worked)


def _peak(run: Callable[[], object]) -> int:
    """The most bytes that were allocated at once, beyond what was there before."""
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


if __name__ == "__main__":
    main(*(int(size) for size in sys.argv[1:] or (850_000, 8_500_000)))
