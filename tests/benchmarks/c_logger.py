"""The cost of logging to an engine in C: nodes a second without a log, in the compact form, in JSON Lines.

python -m tests.benchmarks.c_logger [FOLDER]

`examples/c_engine/connect_four.c`, compiled with -O2, searches one position in each way, in turn.
The logs are written to FOLDER (a temporary one by default). Seconds are the processor's, the system's share
included. A figure is the median of `ROUNDS`, a ratio that of two medians. Rows a second are those of the
logger alone, which writes a tree of made-up numbers.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.unit.loggers.running import LOGGERS, command_for

ENGINE: Final = LOGGERS.parent / "c_engine" / "connect_four.c"
SEARCH: Final = ("--position", "4453", "--depth", "14")
ROUNDS: Final = 9
GOAL_KEPT: Final = 0.60
GOAL_ROWS: Final = 5e6


def compiled(form: str, folder: Path) -> list[str]:
    """The command of the engine that logs in `form`."""
    (folder / form).mkdir()
    return command_for(ENGINE, folder / form, "-O2", f"-I{ENGINE.parent}", f'-DTRACE="{form}_trace.h"')


def told(command: list[str]) -> dict[str, Any]:
    """The JSON object that a program prints."""
    answer = subprocess.run(command, check=True, capture_output=True, timeout=600)
    return dict(json.loads(answer.stdout))


def main(folder: Path) -> None:
    binary, lines = compiled("binary", folder), compiled("json", folder)
    (folder / "rows").mkdir()
    rows = command_for(Path(__file__).with_name("c_rows.c"), folder / "rows", "-O2")
    logs = {"compact": folder / "log.plyb", "JSON Lines": folder / "log.jsonl"}
    ways = {
        "no log": [*binary, *SEARCH],
        "compact": [*binary, *SEARCH, "--log", str(logs["compact"])],
        "JSON Lines": [*lines, *SEARCH, "--log", str(logs["JSON Lines"])],
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    rates: list[float] = []
    n_nodes = 0
    for number in range(ROUNDS):
        for way, command in ways.items():
            if way == "JSON Lines" and number >= 3:
                continue
            answer = told(command)
            n_nodes = answer["nodes"]
            taken[way].append(answer["seconds"])
            if way in logs and number + 1 < (3 if way == "JSON Lines" else ROUNDS):
                logs[way].unlink()
        answer = told([*rows, str(folder / "rows.plyb")])
        rates.append(answer["rows"] / answer["seconds"])
        (folder / "rows.plyb").unlink()
    bare = statistics.median(taken["no log"])
    print(f"connect_four.c {' '.join(SEARCH)}: {n_nodes:,} nodes")
    for way, seconds in taken.items():
        median = statistics.median(seconds)
        size = f"{logs[way].stat().st_size / n_nodes:>7.1f} bytes a node" if way in logs else ""
        print(f"  {way:<11}{n_nodes / median / 1e6:>7.2f} M nodes/s{bare / median:>7.2f} kept{size}")
    kept = bare / statistics.median(taken["compact"])
    print(f"  goal: {GOAL_KEPT:.2f} kept by the compact form: {'reached' if kept >= GOAL_KEPT else 'missed'}")
    rate = statistics.median(rates)
    is_reached = "reached" if rate >= GOAL_ROWS else "missed"
    print(
        f"the logger alone, to a file: {rate / 1e6:.1f} M rows/s (goal {GOAL_ROWS / 1e6:.0f}: {is_reached})"
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as made:
        main(Path(made))
