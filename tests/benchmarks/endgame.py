"""The exact solver of Reversi beside a plain alpha-beta, on random ends of games.

Seconds are the processor's; positions are solved in turn by both, scores must agree, and the ratio is that of
the sums.

python -m tests.benchmarks.endgame [EMPTY_CELLS] [POSITIONS]
"""

from __future__ import annotations

import sys

from plyscope.visualizer.lab.plain_endgame import both

EMPTY_CELLS, POSITIONS = 16, 10


def main() -> None:
    """Solve, and print both."""
    n_empty, n_positions = (
        int(sys.argv[i]) if len(sys.argv) > i else default
        for i, default in ((1, EMPTY_CELLS), (2, POSITIONS))
    )
    solver, plain = both(n_empty, n_positions)
    print(f"{n_positions} positions of {n_empty} empty cells")
    for name, each in (("plain", plain), ("solver", solver)):
        rate = each.nodes / each.seconds
        print(f"{name:<8}{each.nodes:>14,} nodes{each.seconds:>9.2f} s{rate:>14,.0f} nodes/s")
    print(
        f"the solver takes 1/{plain.seconds / solver.seconds:.0f} of the time, "
        f"with 1/{plain.nodes / solver.nodes:.0f} of the nodes"
    )


if __name__ == "__main__":
    main()
