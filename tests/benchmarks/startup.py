"""Shell to first node: a new process that searches one ply of Reversi, its machine code on disk already.

Beside it what Python, numpy and numba take to be imported at all; medians. Target: at most 1.0 s.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 7
TARGET_SECONDS = 1.0
PROGRAMS = {
    "python alone": "pass",
    "import numba": "import numba",
    "search, plain": "run.search(find('reversi'), options=SearchOptions(depth=1), compiled=False)",
    "search, compiled": "run.search(find('reversi'), options=SearchOptions(depth=1))",
}
IMPORTS = "from plyscope.engine import run; from plyscope.engine.games import find; "
IMPORTS += "from plyscope.engine.options import SearchOptions; "


def seconds(program: str) -> float:
    began = time.perf_counter()
    imports = IMPORTS if "search" in program else ""
    subprocess.run([sys.executable, "-c", imports + program], check=True)
    return time.perf_counter() - began


def main() -> None:
    for program in PROGRAMS.values():  # compile once, warm the file cache
        seconds(program)
    times: dict[str, list[float]] = {label: [] for label in PROGRAMS}
    for _ in range(RUNS):
        for label, program in PROGRAMS.items():
            times[label].append(seconds(program))
    for label, each in times.items():
        print(f"{label:18}{statistics.median(each):6.2f} s")
    whole, numba = (statistics.median(times[label]) for label in ("search, compiled", "import numba"))
    print(f"shell to first node {whole:.2f} s (target: at most {TARGET_SECONDS} s)")
    print(f"ratio to importing numba {whole / numba:.2f}")


if __name__ == "__main__":
    main()
