"""The command line of the equality harness; `python -m tests.equality --help` lists what it does."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.equality import kept
from tests.equality.case import LARGE, Case, chosen
from tests.equality.children import BUILD, Answered, answers
from tests.equality.corpus import all_cases

NOW = BUILD / "now"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.equality", description=__doc__)
    parser.add_argument("verb", choices=["dump", "compare", "keep", "inputs"])
    parser.add_argument("patterns", nargs="*", help="names of cases, as `form/*/cut`; of inputs: NAME FOLDER")
    parser.add_argument("--most", type=int, default=LARGE, help="0 asks the quick cases only, 1 none large")
    parser.add_argument("--jobs", type=int, help="children at a time")
    parser.add_argument("--into", type=Path, default=NOW, help="where the texts are written")
    given = parser.parse_intermixed_args()
    if given.verb == "inputs":
        name, folder = given.patterns
        next(case for case in all_cases() if case.name == name).make(Path(folder))
        return 0
    cases = chosen(all_cases(), given.patterns, given.most)
    BUILD.mkdir(parents=True, exist_ok=True)
    answered = ask(cases, given.into, given.jobs)
    if given.verb == "dump":
        print(f"{len(answered):,} texts in {given.into}")
        return 0
    is_all = not given.patterns and given.most == LARGE
    if given.verb == "keep":
        kept.keep(answered, is_all=is_all)
        return 0
    return kept.compare(cases, answered, is_all=is_all)


def ask(cases: Sequence[Case], into: Path, jobs: int | None) -> dict[str, Answered]:
    """Answer the cases; progress goes to standard error."""
    answered: dict[str, Answered] = {}
    began = told = time.perf_counter()
    for each in answers(cases, into, jobs=jobs):
        answered[each.name] = each
        now = time.perf_counter()
        if now - told >= 1 or len(answered) == len(cases):
            told = now
            line = f"{len(answered):,} of {len(cases):,} cases, {now - began:.0f} s, {each.name[:50]}"
            print(f"\r{line:<90}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return answered


if __name__ == "__main__":
    sys.exit(main())
