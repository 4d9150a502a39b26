"""The cost of logging to an engine in C: nodes a second without a log, in the compact form, in JSON Lines.

python -m tests.benchmarks.c_logger [FOLDER]

`examples/c_engine/connect_four.c`, compiled with -O2, searches one position in each way, in turn.
The logs are written to FOLDER (a temporary one by default). Seconds are the processor's, the system's share
included. A figure is the median of `ROUNDS`, a ratio that of two medians. Rows a second are those of the
logger alone, which writes a tree of made-up numbers.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.timing import medians
from tests.unit.loggers.running import LOGGERS, command_for

ENGINE: Final = LOGGERS.parent / "c_engine" / "connect_four.c"
SEARCH: Final = ("--position", "4453", "--depth", "14")
ROUNDS: Final = 5
GOAL_KEPT: Final = 0.60
GOAL_ROWS: Final = 5e6


def compiled(form: str, folder: Path) -> list[str]:
    """The command of the engine that logs in `form`."""
    (folder / form).mkdir()
    return command_for(ENGINE, folder / form, "-O2", f"-I{ENGINE.parent}", f'-DTRACE="{form}_trace.h"')


def told(command: list[str], log: Path | None = None) -> dict[str, Any]:
    """The JSON object that a program prints, which writes `log` anew."""
    if log is not None:
        log.unlink(missing_ok=True)
    answer = subprocess.run(command, check=True, capture_output=True, timeout=600)
    return dict(json.loads(answer.stdout))


def main(folder: Path) -> None:
    binary, lines = compiled("binary", folder), compiled("json", folder)
    (folder / "rows").mkdir()
    rows = command_for(Path(__file__).with_name("c_rows.c"), folder / "rows", "-O2")
    logs = {"compact": folder / "log.plyb", "JSON Lines": folder / "log.jsonl", "rows": folder / "rows.plyb"}
    commands = {
        "no log": [*binary, *SEARCH],
        "compact": [*binary, *SEARCH, "--log", str(logs["compact"])],
        "JSON Lines": [*lines, *SEARCH, "--log", str(logs["JSON Lines"])],
        "rows": [*rows, str(logs["rows"])],
    }
    n_nodes = told(commands["no log"])["nodes"]
    n_rows = told(commands["rows"], logs["rows"])["rows"]
    times = medians(
        {
            way: lambda way=way, command=command: told(command, logs.get(way))["seconds"]
            for way, command in commands.items()
        },
        ROUNDS,
    )
    rate = n_rows / times.pop("rows")
    print(f"connect_four.c {' '.join(SEARCH)}: {n_nodes:,} nodes")
    for way, seconds in times.items():
        size = f"{logs[way].stat().st_size / n_nodes:>7.1f} bytes a node" if way in logs else ""
        kept = times["no log"] / seconds
        goal = f" (goal {GOAL_KEPT:.2f})" if way == "compact" else ""
        print(f"  {way:<11}{n_nodes / seconds / 1e6:>7.2f} M nodes/s{kept:>7.2f} kept{goal}{size}")
    print(f"the logger alone, to a file: {rate / 1e6:.1f} M rows/s (goal {GOAL_ROWS / 1e6:.0f})")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as made:
        main(Path(made))
