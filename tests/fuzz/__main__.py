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
from typing import Final

from tests.fuzz.judged import input_of, judge
from tests.fuzz.running import Failure, run
from tests.fuzz.shapes import SHAPES

PARTS: Final = (("compact", "compact log", 10), ("asked", "log asked by verbs", 50))
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
    last = asked.first + asked.n

    def tell_failure(failure: Failure) -> None:
        name, data = input_of(asked.seed, failure.number)
        path = _kept(asked.folder, asked.seed, failure.number, data)
        print(f"\rseed {asked.seed}, input {failure.number} (from {name}), {path}:\n  {failure.wrong}")

    def tell_progress(done: int) -> None:
        nonlocal told
        if (now := time.perf_counter()) - told >= 1 or done == asked.n:
            told = now
            rate = done / (now - began)
            print(f"\r{done:,} of {asked.n:,} inputs, {rate:.0f}/s ", end="", file=sys.stderr, flush=True)

    told = began
    found = run(
        (str(asked.seed),),
        asked.first,
        last,
        jobs=asked.jobs,
        on_failure=tell_failure,
        on_progress=tell_progress,
    )
    print(f"\n{asked.n:,} inputs of seed {asked.seed}, from {asked.first}: {len(found)} read wrongly")
    for kind, name, part in PARTS:
        n_asked = asked.n // part
        broken = run(
            (kind, str(asked.seed)),
            asked.first // part,
            asked.first // part + n_asked,
            jobs=asked.jobs,
            on_failure=lambda failure, name=name: print(f"{name} {failure.number}: {failure.wrong}"),  # type: ignore[misc]
        )
        print(f"{n_asked:,} inputs of seed {asked.seed}, {name}: {len(broken)} wrong")
        found += broken
    if asked.no_shapes:
        return 1 if found else 0
    wrong = run(
        ("shapes", "1"),
        0,
        len(SHAPES),
        on_failure=lambda failure: print(f"shape {SHAPES[failure.number].__name__}: {failure.wrong}"),
    )
    print(f"{len(SHAPES)} large shapes: {len(wrong)} read wrongly")
    return 1 if found or wrong else 0


def _kept(folder: Path, seed: int, number: int, data: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{seed}-{number}"
    path.write_bytes(data)
    return path


if __name__ == "__main__":
    sys.exit(main())
