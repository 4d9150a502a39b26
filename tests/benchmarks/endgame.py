"""The exact solver of Reversi beside a plain alpha-beta, on random ends of games.

Both are compiled and use the same rules (`mobility`, `flips`). The plain one tries plies from a1 to h8 and
has no table and no kernels for the last cells. Seconds are the processor's; positions are solved in turn by
both, scores must agree, and the ratio is that of the sums.

python -m tests.benchmarks.endgame [EMPTY_CELLS] [POSITIONS]
"""

from __future__ import annotations

import sys
import time

import numba
import numpy as np
import numpy.typing as npt

from plyscope.engine.endgame.last_cells import final_score
from plyscope.engine.endgame.solver import solve
from plyscope.engine.game import State
from plyscope.engine.games.bits import cell
from plyscope.engine.games.reversi import SIDE, flips, mobility
from plyscope.engine.jit import compiled, first_bit
from tests.unit.engine.endgame.test_solver import played

EMPTY_CELLS, POSITIONS = 16, 10
_mobility, _flips, _final_score = compiled(mobility), compiled(flips), compiled(final_score)
_cell = compiled(cell)


@numba.njit("int64(uint64, uint64, int64, int64, int64[:])")
def plain_alphabeta(mover, other, alpha, beta, nodes):  # type: ignore[no-untyped-def]
    """The score for the mover, plies in the order of their cells."""
    nodes[0] += 1
    moves = _mobility(mover, other)
    if moves == 0:
        if _mobility(other, mover) == 0:
            return _final_score(mover, other)
        return -plain_alphabeta(other, mover, -beta, -alpha, nodes)
    best = -65
    while moves != 0:
        placed = _cell(first_bit(moves))
        moves ^= placed
        turned = _flips(placed, mover, other)
        score = -plain_alphabeta(other ^ turned, mover ^ (turned | placed), -beta, -alpha, nodes)
        best = max(best, score)
        alpha = max(alpha, score)
        if best >= beta:
            break
    return best


def plain(state: State, nodes: npt.NDArray[np.int64]) -> int:
    """The score of a state by the plain search."""
    side = int(state[SIDE])
    return int(plain_alphabeta(state[side], state[side ^ 1], -65, 65, nodes))


def main() -> None:
    """Solve, and print both."""
    n_empty, n_positions = (
        int(sys.argv[i]) if len(sys.argv) > i else default
        for i, default in ((1, EMPTY_CELLS), (2, POSITIONS))
    )
    nodes = {"plain": np.zeros(1, np.int64), "solver": np.zeros(1, np.int64)}
    seconds = dict.fromkeys(nodes, 0.0)
    solve(played(0, 8))
    for seed in range(n_positions):
        state = played(seed, n_empty)
        begun = time.process_time()
        found = solve(state)
        middle = time.process_time()
        expected = plain(state, nodes["plain"])
        seconds["plain"] += time.process_time() - middle
        seconds["solver"] += middle - begun
        nodes["solver"][0] += found.nodes
        if found.score != expected:
            sys.exit(f"seed {seed}: the solver says {found.score}, plain alpha-beta {expected}")
    print(f"{n_positions} positions of {n_empty} empty cells")
    for name, taken in seconds.items():
        n = int(nodes[name][0])
        print(f"{name:<8}{n:>14,} nodes{taken:>9.2f} s{n / taken:>14,.0f} nodes/s")
    times, fewer = seconds["plain"] / seconds["solver"], nodes["plain"][0] / nodes["solver"][0]
    print(f"the solver takes 1/{times:.0f} of the time, with 1/{fewer:.0f} of the nodes")


if __name__ == "__main__":
    main()
