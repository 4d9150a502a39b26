"""Read mutated logs, and large shapes made by hand; say of each that is read wrongly how to repeat it.

python -m tests.fuzz [N] [--seed S] [--first I] [--jobs J] [--folder F]   N mutated inputs, then other files
python -m tests.fuzz --only I [--seed S] [--folder F]                     one input again: kept, and judged
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any, Final

from tests.fuzz.judged import input_of, judge
from tests.fuzz.running import Failure, run
from tests.fuzz.shapes import SHAPES

PARTS: Final = (("compact", "compact logs", 10), ("asked", "logs asked by verbs", 50))
"""Further inputs: one of a kind for so many texts."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.split("\n")[0])
    parser.add_argument("n", nargs="?", type=int, default=200_000, help="how many mutated inputs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="go on from this input")
    parser.add_argument("--only", type=int, help="write and judge this one input, in this process")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, default=Path("fuzz-failures"), help="for inputs that fail")
    parser.add_argument("--no-shapes", action="store_true")
    asked = parser.parse_args()
    if asked.only is not None:
        name, data = input_of(asked.seed, asked.only)
        print(f"from {name}, {len(data):,} bytes, in {_kept(asked.folder, asked.seed, asked.only, data)}")
        print(judge(data) or "all is well")
        return 0
    began = time.perf_counter()
    n_wrong, jobs = 0, asked.jobs

    def tell_failure(failure: Failure) -> None:
        name, data = input_of(asked.seed, failure.number)
        path = _kept(asked.folder, asked.seed, failure.number, data)
        print(f"\rseed {asked.seed}, input {failure.number} (from {name}), {path}:\n  {failure.wrong}")

    def tell_progress(done: int) -> None:
        if done % 100 == 0 or done == asked.n:
            rate = done / (time.perf_counter() - began)
            print(f"\r{done:,} of {asked.n:,} inputs, {rate:.0f}/s ", end="", file=sys.stderr, flush=True)

    def tell(kind: tuple[str, ...], name: str, first: int, n: int, jobs: int, **told: Any) -> None:
        nonlocal n_wrong
        say = {"on_failure": lambda failure: print(f"{name} {failure.number}: {failure.wrong}"), **told}
        found = run(kind, first, first + n, jobs=jobs, **say)
        print(f"\n{n:,} of {name}, from {first}: {len(found)} read wrongly")
        n_wrong += len(found)

    seed = str(asked.seed)
    said = {"on_failure": tell_failure, "on_progress": tell_progress}
    tell(("texts", seed), f"inputs of seed {seed}", asked.first, asked.n, jobs, **said)
    for kind, name, part in PARTS:
        tell((kind, seed), f"{name} of seed {seed}", asked.first // part, asked.n // part, jobs)
    if not asked.no_shapes:
        tell(("shapes", "1"), "large shapes", 0, len(SHAPES), 1)
    return 1 if n_wrong else 0


def _kept(folder: Path, seed: int, number: int, data: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{seed}-{number}"
    path.write_bytes(data)
    return path


if __name__ == "__main__":
    sys.exit(main())
