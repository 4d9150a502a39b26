"""What benchmarks share: ways that run in turn, their medians, figures of a process of its own."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

Run = Callable[[], Any]
Clock = Callable[[], float]


def taken(run: Run, clock: Clock = time.process_time) -> float:
    """Seconds of one run; the processor's by default, so that other programs disturb less."""
    began = clock()
    run()
    return clock() - began


def medians(ways: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of what each way says it took; all run in turn, so a busy moment disturbs them alike."""
    times: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, run in ways.items():
            times[way].append(run())
    return {way: statistics.median(each) for way, each in times.items()}


def median(run: Run, rounds: int = 5, clock: Clock = time.process_time) -> float:
    return medians({"": partial(taken, run, clock)}, rounds)[""]


def numbers(arguments: list[str]) -> list[int]:
    """Sizes as people write them: 1000000, 1_000_000 or 1,000,000."""
    return [int(each.replace("_", "").replace(",", "")) for each in arguments]


def memory(name: str) -> float:
    """MB of this process, by a name of its status; what getrusage says begins with its parent's."""
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{name}:")[1].split()[0]) / 1024


def told_by(module: str, *arguments: object, runs: int = 1) -> list[float]:
    """The figures that a benchmark prints in a process of its own, the last of some runs of it."""
    for _ in range(runs):
        command = [sys.executable, "-m", module, *map(str, arguments)]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [float(word) for word in said.split()]
