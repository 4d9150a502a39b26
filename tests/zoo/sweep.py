"""Check so many correct searches of both engines; say of each that has something wrong how to repeat it.

python -m tests.zoo.sweep 10000 [FIRST]
"""

from __future__ import annotations

import sys
from collections import Counter

from plyscope.visualizer.analysis.check.run import check
from tests.second_engine.sound import sound_search


def sweep(first: int, n_searches: int) -> int:
    """The number of searches in whose logs something is wrong; how many are done goes to standard error."""
    n_wrong, n_rows, others = 0, 0, Counter[str]()
    for seed in range(first, first + n_searches):
        made = sound_search(seed)
        report = check(made.log, compiled=False)
        n_rows += made.log.n_rows
        others.update(group.rule for group in report.groups if group.severity != "wrong")
        for found in report.findings(severity="wrong", limit=1):
            n_wrong += 1
            print(f"seed {seed}: {found.rule} at {found.path!r}, {found.message}\n  {made.what[:600]}")
        if seed % 250 == 0:
            print(f"{seed - first:,} of {n_searches:,}", file=sys.stderr)
    print(f"{n_searches:,} correct searches, {n_rows:,} rows: {n_wrong} with something wrong")
    print("waste and odd:", ", ".join(f"{name} {n}" for name, n in others.most_common()) or "none")
    return n_wrong


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    sys.exit(1 if sweep(int(sys.argv[2]) if len(sys.argv) > 2 else 0, wanted) else 0)
