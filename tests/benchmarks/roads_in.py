"""From bytes to columns by every road, against `orjson.loads` alone on the same bytes, in one run.

python -m tests.benchmarks.roads_in [NODES [FORM …]]

Each figure is of a process of its own. The first call loads numba and kernels from disk, the second has them;
seconds are the clock's, and the processor's of the first call. Memory is the most that the process needed
beyond what it had with the bytes. A star marks a form that large files of leave to the patient reader.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import orjson

from plyscope.visualizer.formats import detect
from tests.benchmarks.road_forms import FORMS, write

WAYS: Final = ("plyscope", "orjson")


def main(n_nodes: int = 1_000_000, forms: Sequence[str] = FORMS) -> None:
    """Print what each road takes."""
    with tempfile.TemporaryDirectory() as temporary:
        for name in forms:
            path = Path(temporary) / name
            write(path, n_nodes)
            (first, again, cpu, memory, patient), (loads, *_, dicts, _) = (
                in_a_process(path, way) for way in WAYS
            )
            size = f"{n_nodes:,} nodes {path.stat().st_size / 1e6:,.0f} MB"
            ours = f"{first:.2f} s ({cpu:.2f} s of processors), then {again:.2f} s, {memory:,.0f} MB"
            orjson_s = f"times orjson's speed ({loads:.2f} s, {dicts:,.0f} MB)"
            ratio = f"{loads / first:.1f} and {loads / again:.1f} {orjson_s}"
            print(f"{name + '*' * int(patient):<26} {size}: {ours}: {ratio}", flush=True)
            path.unlink()


def in_a_process(path: Path, way: str) -> tuple[float, ...]:
    """Seconds of the first and the second call, those of processors, megabytes, whether it is patient.

    Machine code is on disk before.
    """
    command = [sys.executable, "-m", "tests.benchmarks.roads_in", str(path), way]
    for _ in range(2 if way == "plyscope" else 1):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return tuple(map(float, done.stdout.split()))


def measured(path: Path, way: str) -> None:
    """Read one file twice by one way and print the seconds of both and the memory."""
    data = path.read_bytes()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took = []
    is_patient = []
    large = detect._large
    detect._large = lambda *args: (log := large(*args), is_patient.append(log is None))[0]
    cpu = 0.0
    for _ in range(2):
        start, start_cpu = time.perf_counter(), time.process_time()
        if way == "plyscope":
            detect.read_log(data)
        elif path.suffix == ".jsonl":
            kept = [orjson.loads(line) for line in data.splitlines()]
            del kept
        else:
            orjson.loads(data)
        took.append(time.perf_counter() - start)
        cpu = cpu or time.process_time() - start_cpu
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(*took, cpu, memory, int(any(is_patient)))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2] in WAYS:
        measured(Path(sys.argv[1]), sys.argv[2])
    else:
        main(*map(int, sys.argv[1:2]), *([sys.argv[2:]] if sys.argv[2:] else []))
