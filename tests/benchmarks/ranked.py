"""Time of a turn of the ranked one-ply AI beside its plain twin, which counts play by play.

python -m tests.benchmarks.ranked [DEALS]

The first turns of so many deals; the one with the most plays is measured. The plain twin counts the factors
of every 20th play, from which its time is taken.
"""

from __future__ import annotations

import statistics
import sys
import time

from plyscope.engine.games.castle.data import read_kinds, read_plan
from plyscope.engine.games.castle.game import Rules, deal
from plyscope.engine.ranked.ranking import rank_plays
from tests.unit.engine.ranked import slow

RUNS = 7
EACH = 20


def main(n_deals: int = 40) -> None:
    """Print the plays of first turns, and the time of the widest."""
    plan = read_plan()
    rules = Rules(plan, read_kinds(plan))
    deals = [deal(rules, 4, seed) for seed in range(n_deals)]
    counts = [len(rank_plays(position).ranks) for position in deals]
    print(
        f"plays of {n_deals} first turns: {min(counts):,} to {max(counts):,}, "
        f"median {statistics.median(counts):,.0f}"
    )
    position = deals[counts.index(max(counts))]
    seconds = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        ranked = rank_plays(position)
        seconds.append(time.perf_counter() - begun)
    ours = statistics.median(seconds)
    begun = time.perf_counter()
    sample = range(0, len(ranked.ranks), EACH)
    for place in sample:
        slow.factors(position, tuple(ranked.play(place)))
    plain = (time.perf_counter() - begun) / len(sample) * len(ranked.ranks)
    print(
        f"{len(ranked.ranks):,} plays: {ours * 1e3:.0f} ms; "
        f"plain {plain * 1e3:,.0f} ms, {plain / ours:.0f} times"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
