"""First answers on a new machine: with nothing cached anywhere, beside the same with everything warm.

python -m tests.benchmarks.first_answers [NAME …]

The left column is asked with a home, a folder of machine code, pastes, converted logs and mappings of its
own, all empty, in new processes; the right one asks again, with what the left has left behind. A name leaves
out the questions that do not begin with it. What is asked:

* `opened`: a copy of the Hive example with one score changed, in Python, which all others do first;
* `page`: the same from the shell to the painted tree;
* `check`, `plain check`: its check without and with `replay`; `reversi`: the check of the Reversi example;
* `stats`, `explain`: the statistics of the copy, and its explanation;
* `search`: a search of Hive, one ply deep;
* `one rule`: a million rows are asked one rule, for which one kernel is compiled.

Seconds are by the clock; in brackets those of all processors, which say more on a machine that others use.
Behind them stands how many files of machine code were written.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

from plyscope.visualizer.analysis.check.rules import RULES
from tests.benchmarks.first_page import PLYSCOPE, free_port, seen_from_the_shell
from tests.benchmarks.in_browser import chromium, fresh_page
from tests.benchmarks.timing import taken
from tests.conftest import ROOT
from tests.equality.verbs import changed

EXAMPLES: Final = ROOT / "examples"
FOLDERS: Final = ("HOME", "XDG_CACHE_HOME", "PLYSCOPE_CACHE", "PLYSCOPE_DATA", "NUMBA_CACHE_DIR")
MOST_ROWS: Final = "1_000_000"
ONE_RULE: Final = "nan"

Question = Callable[[], float]


class Answered(NamedTuple):
    """Seconds of an answer by the clock and of processors, and files of machine code that are there then."""

    clock: float
    worked: float
    n_files: int

    def __str__(self) -> str:
        return f"{self.clock:7.2f} s ({self.worked:6.2f}) {self.n_files:4}"


def changed_copy(folder: Path) -> Path:
    """A copy of the Hive example in which one score is another."""
    path = folder / "hive-changed.json.gz"
    path.write_bytes(changed((EXAMPLES / "hive-midgame.json.gz").read_bytes()))
    return path


def command(*arguments: object) -> Question:
    """Run a command to its end; exit code 1 says that something was found."""

    def run() -> None:
        done = subprocess.run([*map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert done.returncode in (0, 1), arguments

    return partial(taken, run, time.perf_counter)


def page(path: Path) -> Question:
    """From the shell to the painted tree of a log, in a browser with an empty cache."""

    def ask() -> float:
        with chromium() as started, fresh_page(started) as shown:
            return seen_from_the_shell(shown, free_port(), str(path))[1]

    return ask


def questions(path: Path, large: Path) -> dict[str, Question]:
    """What is asked, by name."""
    others = ",".join(name for name in RULES if name != ONE_RULE)
    return {
        "opened": command(sys.executable, "-c", f"import plyscope; plyscope.open({str(path)!r})"),
        "page": page(path),
        "check": command(PLYSCOPE, "check", "--ignore", "replay", path),
        "plain check": command(PLYSCOPE, "check", path),
        "reversi": command(PLYSCOPE, "check", EXAMPLES / "reversi-midgame.json.gz"),
        "stats": command(PLYSCOPE, "stats", path),
        "explain": command(PLYSCOPE, "explain", path),
        "search": command(PLYSCOPE, "search", "hive", "--depth", "1"),
        "one rule": command(PLYSCOPE, "check", "--ignore", others, large),
    }


def answered(ask: Question, folder: Path) -> Answered:
    """Ask once, with the caches in `folder`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    places = {name: str(folder / name.lower()) for name in FOLDERS}
    for place in places.values():
        Path(place).mkdir(exist_ok=True)
    with patch.dict(os.environ, places):
        clock = ask()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Answered(clock, worked, len([*folder.rglob("kernels/*/*.bin")]))


def main(*names: str) -> None:
    with tempfile.TemporaryDirectory(prefix="plyscope-first-") as kept:
        path, large = changed_copy(Path(kept)), Path(kept, "large.plyb")
        asked = {
            name: ask
            for name, ask in questions(path, large).items()
            if not names or any(name.startswith(each) for each in names)
        }
        if "one rule" in asked:
            subprocess.run([sys.executable, EXAMPLES / "make_big.py", MOST_ROWS, large], check=True)
        print(f"{'':14}{'nothing cached':>27}{'warm':>27}")
        for name, ask in asked.items():
            with tempfile.TemporaryDirectory(prefix="plyscope-nothing-") as nothing:
                cold, warm = (answered(ask, Path(nothing)) for _ in range(2))
            print(f"{name:14}{cold!s:>27}{warm!s:>27}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
