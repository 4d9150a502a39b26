"""A recorded search of Hive as a log: its plies by codes and one by one, in one run; then columns and files.

Seconds are the processor's, so that other programs disturb less. The position is one of tests/hive/perft.json
forty plies into a game of all types, and the search keeps thirty plies a node. Machine code is compiled or
loaded by the first call in a new process, which has loaded numba and compiled nothing else.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from plyscope.engine import jit
from plyscope.engine.games.hive import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.ply_texts import Plies, PlyTexts, code_plies, texts_by_code, texts_by_replay
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.files import write_log_file

ROUNDS: Final = 5
DEPTH: Final = 5
N_PLAYED: Final = 40


def middle() -> str:
    """The position to search."""
    counts = json.loads(Path("tests/hive/perft.json").read_text("utf-8"))
    texts = (case["position"] for case in counts if case["game_type"] == "Base+MLP")
    return next(text for text in texts if text.count(";") - 2 == N_PLAYED)


def plies_of(recording: Recording) -> Plies:
    return Plies(recording.rows, recording.stub_plies, recording.hits)


def seconds(run: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Of one run, the median."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        run()
        times.append(time.process_time() - began)
    return statistics.median(times)


def texts(found: PlyTexts) -> list[list[str | None]]:
    return [[*map([*found.texts, None].__getitem__, each.tolist())] for each in found[1:]]


def first_call() -> None:
    """Print what the first call takes in this process, on a recording that needed no machine code."""
    recording = search(GAME, middle(), SearchOptions(depth=1), compiled=False)
    jit.compiled(code_plies)
    print(seconds(lambda: texts_by_code(GAME, recording.state, plies_of(recording)), rounds=1))


def starting() -> tuple[float, float]:
    """Seconds to compile, and to load what was compiled."""
    with tempfile.TemporaryDirectory() as folder:
        times = []
        for _ in range(1 + ROUNDS):
            command = [sys.executable, "-m", "tests.benchmarks.writing", "first call"]
            environment = os.environ | {"PLYSCOPE_CACHE": folder}
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
            times.append(float(done.stdout))
    return times[0], statistics.median(times[1:])


def main() -> None:
    recording = search(GAME, middle(), SearchOptions(depth=DEPTH, limit=30))
    plies = plies_of(recording)
    n_rows, n_plies = len(plies.rows), len(plies.rows) + len(plies.stub_plies)
    print(f"Hive, depth {DEPTH}, limit 30: {n_rows:,} rows, {n_plies:,} plies of rows and stubs")
    ways: dict[str, Callable[..., Any]] = {"one by one": texts_by_replay, "by codes": texts_by_code}
    written = [texts(write(GAME, recording.state, plies)) for write in ways.values()]
    assert written[0] == written[1]
    took = {
        way: seconds(lambda write=write: write(GAME, recording.state, plies)) for way, write in ways.items()
    }
    for way, each in took.items():
        print(f"  plies {way:<11}{rates(n_rows, n_plies, each)}  {took['one by one'] / each:>6.1f} x")
    compiling, loading = starting()
    print(f"  machine code: {compiling:.2f} s to compile, {loading:.3f} s to load")
    whole = {"columns, all": seconds(lambda: log_from_recording(recording))}
    log = log_from_recording(recording)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("log.json", "log.jsonl", "log.json.gz"):
            whole[name] = seconds(lambda name=name: write_log_file(log, Path(folder) / name))
    for what, each in whole.items():
        part = f"{each / took['one by one']:.2f} of the time of plies one by one"
        print(f"  {what:<17}{rates(n_rows, n_plies, each)}  {part}")


def rates(n_rows: int, n_plies: int, taken: float) -> str:
    return f"{n_rows / taken:>11,.0f} rows/s{n_plies / taken:>13,.0f} plies/s"


if __name__ == "__main__":
    first_call() if len(sys.argv) > 1 else main()
