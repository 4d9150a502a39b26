"""Parquet beside JSON Lines on one log: rows a second, bytes a row, memory; then queries of many files.

python -m tests.benchmarks.parquet [ROWS]

Each figure is of a process of its own, with numba loaded. `memory` is what it needs at most beyond what it
had; the log that is read, or mapped to be written, is a part of that, as large as the first line says. Ratios
are to JSON Lines.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.formats.seal.tree_order import sealed_order
from plyscope.visualizer.formats.write import text_kernel
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.store import disk, words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import Lists, Log
from tests.benchmarks.query import PLIES, made
from tests.benchmarks.reading import most_memory

FORMS: Final = ("log.jsonl", "log.parquet")
FILES: Final = 200


def main(n_rows: int = 5_000_000) -> None:
    """Print what each form takes."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        log = with_stubs_and_keys(made(n_rows))
        disk.save(log, folder / "log")
        size = sum(column.nbytes for column in log.columns.values())
        print(f"{n_rows:,} rows, {len(log.columns)} columns of {size / 1e6:,.0f} MB")
        del log
        for verb in ("write", "read"):
            took: dict[str, float] = {}
            for form in FORMS:
                seconds, memory = in_a_process(folder, verb, form)
                took[form] = seconds
                n_bytes = (folder / form).stat().st_size
                rate = f"{n_rows / seconds:>11,.0f} rows/s {took[FORMS[0]] / seconds:>5.1f} x"
                rest = f"{memory:>6,.0f} MB memory  {n_bytes / n_rows:>6.1f} bytes a row"
                print(f"{verb:>5}  {form:<12}{rate}  {rest}")
        many_files(folder, n_rows)


def in_a_process(folder: Path, verb: str, form: str) -> tuple[float, float]:
    """Seconds and megabytes of one run."""
    command = [sys.executable, "-m", "tests.benchmarks.parquet", str(folder), verb, form]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, memory = done.stdout.split()
    return float(seconds), float(memory)


def measured(folder: Path, verb: str, form: str) -> None:
    """Run one way once and print seconds and megabytes."""
    compiled(text_kernel.join)
    sealed_order(np.array([-1] + [0] * 300_000))
    if verb == "write":
        log = disk.load(folder / "log")
        assert log is not None
        run: Any = partial(write_log_file, log, folder / form)
    else:
        run = partial(read_log_file, folder / form)
    import duckdb

    duckdb.connect().close()
    before = most_memory()
    start = time.perf_counter()
    run()
    print(time.perf_counter() - start, most_memory() - before)


def many_files(folder: Path, n_rows: int) -> None:
    """Queries of as many rows in many files, beside the same of one file."""
    import plyscope

    logs = folder / "logs"
    logs.mkdir()
    for number in range(FILES):
        write_log_file(with_stubs_and_keys(made(n_rows // FILES + number % 3)), logs / f"{number:04}.parquet")
    for expression in (
        "score < -200 and outcome = 'cutoff'",
        "ply = 'c6' and factors.mobility > 9",
        "level = 40",
    ):
        took = []
        for files in (logs, folder / "log.parquet"):
            start = time.perf_counter()
            hits = plyscope.query_files(files, expression, limit=50)
            took.append(time.perf_counter() - start)
        ratio = f"{took[0]:>6.2f} s in {FILES} files, {took[1]:>6.2f} s in one  {took[0] / took[1]:>5.1f} x"
        print(f"query {ratio}  {hits.total:>9,} hits  {expression}")


def with_stubs_and_keys(log: Log) -> Log:
    """The log with a key on each node and a list of plies on a stub in three."""
    n_rows = log.n_rows
    draw = np.random.default_rng(1)
    outcome = log.columns["outcome"].copy()
    outcome[log.columns["end"] > np.arange(n_rows) + 1] = words.CUTOFF
    stubs = np.flatnonzero((outcome >= words.FIRST_STUB) & (draw.random(n_rows) < 0.3)).astype(np.int32)
    starts = np.append(0, np.cumsum(draw.integers(1, 9, len(stubs))))
    lists = Lists(
        stubs,
        starts,
        draw.integers(0, len(PLIES), starts[-1]).astype(np.int32),
        np.round(draw.normal(0, 9, starts[-1])),
    )
    columns = {
        **log.columns,
        "outcome": outcome,
        "given": log.columns["given"] | np.uint16(GIVEN["key"]),
        "key": draw.integers(0, 2**64, n_rows, dtype=np.uint64),
    }
    header = {"factors": [{"name": factor.name, "weight": factor.weight} for factor in log.factors]}
    return Log(**{**vars(log), "columns": columns, "stub_plies": lists, "key_form": "hex", "header": header})


if __name__ == "__main__":
    if len(sys.argv) == 4:
        measured(Path(sys.argv[1]), *sys.argv[2:])
    else:
        main(*(int(argument.replace("_", "").replace(",", "")) for argument in sys.argv[1:2]))
