"""Check so many correct searches of both engines; say of each that has something wrong how to repeat it.

python -m tests.zoo.sweep 10000 [FIRST]
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from plyscope.visualizer.analysis.check.run import check
from tests.second_engine.sound import sound_search


def sweep(first: int, n_searches: int, say_every: int = 250) -> int:
    """The number of searches in whose logs something is wrong; progress goes to standard error."""
    n_wrong, n_rows, began = 0, 0, time.perf_counter()
    others: Counter[str] = Counter()
    for done, seed in enumerate(range(first, first + n_searches), start=1):
        made = sound_search(seed)
        report = check(made.log, compiled=False)
        n_rows += made.log.n_rows
        others.update(group.rule for group in report.groups if group.severity != "wrong")
        for found in report.findings(severity="wrong", limit=1):
            n_wrong += 1
            print(f"seed {seed}: {found.rule} at {found.path!r}, {found.message}\n  {made.what[:600]}")
        if done % say_every == 0 or done == n_searches:
            rate = done / (time.perf_counter() - began)
            print(
                f"{done:,} of {n_searches:,} searches, {n_rows:,} rows, {n_wrong} wrong, {rate:.0f}/s",
                file=sys.stderr,
            )
    print(f"{n_searches:,} correct searches, {n_rows:,} rows: {n_wrong} with something wrong")
    print("waste and odd:", ", ".join(f"{name} {n}" for name, n in others.most_common()) or "none")
    return n_wrong


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    sys.exit(1 if sweep(int(sys.argv[2]) if len(sys.argv) > 2 else 0, wanted) else 0)
