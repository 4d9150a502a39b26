"""Time of `check` a row, all rules and one by one, against one plain numpy pass over the columns it reads.

python -m tests.benchmarks.check [ROWS …]
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from dataclasses import replace

import numpy as np

from engine.games.reversi import GAME
from engine.options import SearchOptions
from engine.run import search
from visualizer.analysis.check import RULES, check
from visualizer.analysis.check.scan import scan
from visualizer.analysis.check.sight import COLUMNS_SEEN, sight_of
from visualizer.analysis.check.sweep import derive
from visualizer.formats.recording import log_from_recording
from visualizer.store.log import Log, Root


def main(*sizes: int) -> None:
    """Print nanoseconds a row for logs of about so many rows."""
    one = _recorded(sizes[0])
    check(one, compiled=True)
    for n_rows in sizes:
        _report(_tiled(one, round(n_rows / one.n_rows)))


def _recorded(n_rows: int) -> Log:
    """A search of Reversi with the table, killers and scouts, of about so many rows."""
    options = SearchOptions(
        depth=14, algorithm="pvs", iterative=True, table=64.0, killers=True, nodes=round(n_rows * 0.8)
    )
    return log_from_recording(search(GAME, options=options))


def _tiled(log: Log, n_times: int) -> Log:
    """A forest of so many times the trees of `log`."""
    columns = {name: np.concatenate([column] * n_times) for name, column in log.columns.items()}
    shift = np.repeat(np.arange(n_times, dtype=np.int64) * log.n_rows, log.n_rows)
    columns["id"] = np.arange(len(shift), dtype=np.int64)
    for name in ("parent", "end", "tt_from"):
        if name in columns:
            column = columns[name]
            columns[name] = np.where(column < 0, column, column + shift).astype(column.dtype)
    roots = tuple(
        Root(root.row + i * log.n_rows, root.iteration) for i in range(n_times) for root in log.roots
    )
    stubs = log.stub_plies
    if stubs is not None:
        n_stubs, n_plies = len(stubs.rows), int(stubs.starts[-1])
        stubs = replace(
            stubs,
            rows=np.tile(stubs.rows, n_times)
            + np.repeat(np.arange(n_times, dtype=np.int32) * log.n_rows, n_stubs).astype(np.int32),
            starts=np.append(
                np.tile(stubs.starts[:-1], n_times) + np.repeat(np.arange(n_times) * n_plies, n_stubs),
                n_times * n_plies,
            ),
            texts=np.tile(stubs.texts, n_times),
            numbers=np.tile(stubs.numbers, n_times),
        )
    return replace(log, columns=columns, roots=roots, stub_plies=stubs)


def _report(log: Log) -> None:
    n_rows = log.n_rows
    read = [log.columns[name] for name in (*COLUMNS_SEEN, "factors") if name in log.columns]
    n_bytes = sum(column.nbytes for column in read)
    plain = _seconds(lambda: [int(np.count_nonzero(column)) for column in read])
    tracemalloc.start()
    report = check(log, compiled=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    whole = _seconds(lambda: check(log, compiled=True))
    print(f"{n_rows:,} rows, {len(report)} findings, {len(report.checked)} rules")
    print(f"  numpy over {len(read)} columns  {plain / n_rows * 1e9:7.1f} ns a row")
    print(f"  all rules               {whole / n_rows * 1e9:7.1f} ns a row, {whole / plain:.1f} x numpy")
    bytes_a_row = n_bytes / n_rows
    print(f"  memory on top          {peak / n_bytes:7.2f} x the {bytes_a_row:.0f} bytes a row read")
    swept = _seconds(lambda: derive(sight_of(log), True, _say_nothing))
    print(f"  sweep                   {swept / n_rows * 1e9:7.1f} ns a row, {swept / plain:.1f} x numpy")
    sight = derive(sight_of(log), True, _say_nothing)
    for name in report.checked:
        asked = {name: RULES[name]}
        seconds = _seconds(lambda asked=asked: scan(sight, RULES, asked, True, _say_nothing, None))
        print(f"  {name:22}  {seconds / n_rows * 1e9:7.1f} ns a row, {seconds / plain:.1f} x numpy")


def _say_nothing(fraction: float) -> None:
    return None


def _seconds(run: object) -> float:
    assert callable(run)
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main(*(int(size) for size in sys.argv[1:] or (1_000_000, 10_000_000)))
