"""From bytes to columns by every road, against `orjson.loads` alone on the same bytes, in one run.

python -m tests.benchmarks.roads_in [NODES [FORM …]]

Each figure is of a process of its own, whose garbage collector is off: our reader pauses it, and with it
orjson's objects would take three times as long. The first call loads numba and kernels from disk, the
second has them; seconds are the clock's, in brackets the processors', of which there may be two at once.
Memory is of the second call: what it left, the log with its columns, and the most that it needed beyond
that. A star marks a form that a library reads as values. Needs /proc.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from plyscope.visualizer.formats import detect
from tests.benchmarks.road_forms import FORMS, write
from tests.benchmarks.timing import memory, numbers, told_by

WAYS: Final = ("plyscope", "orjson")


def main(n_nodes: int = 1_000_000, forms: Sequence[str] = FORMS) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        for name in forms:
            path = Path(temporary) / name
            write(path, n_nodes)
            told = (told_by("tests.benchmarks.roads_in", path, way, runs=2) for way in WAYS)
            ours, loads = (Figures(*each) for each in told)
            size = f"{n_nodes:,} nodes {path.stat().st_size / 1e6:,.0f} MB"
            times = f"{loads.first / ours.first:.1f} ({loads.first_cpu / ours.first_cpu:.1f})"
            times += f" and {loads.first / ours.again:.1f} ({loads.first_cpu / ours.again_cpu:.1f})"
            label = name + "*" * int(ours.is_walked)
            print(f"{label:<26} {size}: {ours}: {times} times orjson's speed, {loads}", flush=True)
            path.unlink()


class Figures(NamedTuple):
    """Seconds of the first and the second call, by the clock and of processors, and megabytes."""

    first: float
    first_cpu: float
    again: float
    again_cpu: float
    kept: float
    beyond: float
    is_walked: float

    def __str__(self) -> str:
        first, again = f"{self.first:.2f} ({self.first_cpu:.2f})", f"{self.again:.2f} ({self.again_cpu:.2f})"
        return f"{first} s, then {again} s, {self.kept:,.0f} and {self.beyond:,.0f} MB"


def measured(path: Path, way: str) -> None:
    """Read one file twice by one way and print the figures."""
    data = path.read_bytes()
    took = []
    is_walked = []
    tape = detect._by_the_tape

    def watched(*arguments: Any, **said: Any) -> Any:
        log = tape(*arguments, **said)
        is_walked.append(log is None)
        return log

    detect._by_the_tape = watched
    gc.disable()
    for _ in range(2):
        read: Any = None
        before = settled_memory()
        Path("/proc/self/clear_refs").write_text("5")  # the maximum counts from here
        start, start_cpu = time.perf_counter(), time.process_time()
        if way == "plyscope":
            read = detect.read_log(data)
        elif path.suffix == ".jsonl":
            read = [orjson.loads(line) for line in data.splitlines()]
        else:
            read = orjson.loads(data)
        took += [time.perf_counter() - start, time.process_time() - start_cpu]
        most, after = memory("VmHWM"), settled_memory()
    print(*took, after - before, most - after, int(any(is_walked)))
    del read


def settled_memory() -> float:
    """MB of this process, without what nothing holds any more."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return memory("VmRSS")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2] in WAYS:
        measured(Path(sys.argv[1]), sys.argv[2])
    else:
        main(*numbers(sys.argv[1:2]), *([sys.argv[2:]] if sys.argv[2:] else []))
