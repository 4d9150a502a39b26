"""A plain alpha-beta for ends of Reversi, which the exact solver is compared with.

It is compiled when this module is imported, and has the solver's rules (`mobility`, `flips`). It tries plies
from a1 to h8 and has no table and no kernels for the last cells.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

from plyscope.engine.game import State
from plyscope.engine.games.bits import cell
from plyscope.engine.games.reversi import SIDE, flips, mobility
from plyscope.engine.jit import compiled, first_bit
from plyscope_studies.reversi.last_cells import final_score
from plyscope_studies.reversi.random_ends import random_end
from plyscope_studies.reversi.solver import solve

_mobility, _flips, _final_score = compiled(mobility), compiled(flips), compiled(final_score)
_cell = compiled(cell)


@numba.njit("int64(uint64, uint64, int64, int64, int64[:])")
def _alphabeta(mover, other, alpha, beta, nodes):  # type: ignore[no-untyped-def]
    """The score for the mover, plies in the order of their cells."""
    nodes[0] += 1
    moves = _mobility(mover, other)
    if moves == 0:
        if _mobility(other, mover) == 0:
            return _final_score(mover, other)
        return -_alphabeta(other, mover, -beta, -alpha, nodes)
    best = -65
    while moves != 0:
        placed = _cell(first_bit(moves))
        moves ^= placed
        turned = _flips(placed, mover, other)
        score = -_alphabeta(other ^ turned, mover ^ (turned | placed), -beta, -alpha, nodes)
        best = max(best, score)
        alpha = max(alpha, score)
        if best >= beta:
            break
    return best


def plain_score(state: State, nodes: npt.NDArray[np.int64]) -> int:
    """The score of a state for the side to move; the nodes are added to `nodes[0]`."""
    side = int(state[SIDE])
    return int(_alphabeta(state[side], state[side ^ 1], -65, 65, nodes))


@dataclass(frozen=True, slots=True)
class Effort:
    """The nodes and the processor seconds of a search of all positions."""

    nodes: int
    seconds: float


def both(n_empty: int, n_positions: int, first_seed: int = 0) -> tuple[Effort, Effort]:
    """Solve random ends by the solver and by the plain search in turn, and return what each took.

    Raises ArithmeticError where their scores differ.
    """
    solve(random_end(first_seed, 8))
    nodes, solver_nodes = np.zeros(1, np.int64), 0
    of_solver = of_plain = 0.0
    for seed in range(first_seed, first_seed + n_positions):
        state = random_end(seed, n_empty)
        begun = time.process_time()
        found = solve(state)
        middle = time.process_time()
        expected = plain_score(state, nodes)
        of_plain += time.process_time() - middle
        of_solver += middle - begun
        solver_nodes += found.nodes
        if found.score != expected:
            raise ArithmeticError(f"seed {seed}: the solver says {found.score}, plain alpha-beta {expected}")
    return Effort(solver_nodes, of_solver), Effort(int(nodes[0]), of_plain)
