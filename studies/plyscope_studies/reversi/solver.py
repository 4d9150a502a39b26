"""The exact score of a Reversi position: alpha-beta to the end of the game, without an evaluation.

Scores are discs from the side to move's view, empty cells counted to the winner. The search is a
principal-variation search over an explicit stack, so it can pause. It tries first the plies that leave the
other side the fewest answers, now ("fastest first") and later, and those in regions with an odd number of
empty cells. Bounds are kept in a transposition table, whose entries hold the whole position, so two positions
never share one. The last four cells are another module's work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import GameError, State
from plyscope.engine.games.bits import FULL, cell, mixed
from plyscope.engine.games.reversi import BLACK, MOVES, PASS, SIDE, flips, mobility, neighbours
from plyscope.engine.jit import compiled, count_bits, first_bit, kernel
from plyscope_studies.reversi.last_cells import LAST_CELLS, NO_SCORE, final_score, last_cells, odd_cells

FRAMES: Final = 128  # 60 plies, and between any two of them at most one pass
WIDTH: Final = 64
TABLE_BITS: Final = 20
PAUSE: Final = 2_000_000
"""So many positions are visited between two calls of `on_nodes`."""

# Columns of a frame's numbers.
_ALPHA: Final = 0
_BETA: Final = 1
_BEST: Final = 2
_BEST_PLY: Final = 3
_NEXT: Final = 4
_COUNT: Final = 5
_FIRST_ALPHA: Final = 6
_SCOUTING: Final = 7

# Columns of a table entry's numbers.
_LOWER: Final = 0
_UPPER: Final = 1
_PLY: Final = 2

# What a paused search goes on with.
_DEPTH: Final = 0
_ENTERING: Final = 1
_VALUE: Final = 2

_CORNERS: Final = 0x8100_0000_0000_0081
# With fewer empty cells, each of these costs more than it saves.
_ANSWERS_FROM: Final = 7
_TABLE_FROM: Final = 7
_ODD_COST: Final = 8


@kernel
def _cost(placed: int, mover: int, other: int) -> int:
    """Return how little a ply promises: the other side's answers, those it may get, and corners."""
    turned = flips(placed, mover, other)
    own = mover ^ (turned | placed)
    others = other ^ turned
    answers = mobility(others, own)
    later = neighbours(own) & ((own | others) ^ FULL)
    cost = 8 * (count_bits(answers) + count_bits(answers & _CORNERS)) + 4 * count_bits(later)
    return cost - 4 if placed & _CORNERS else cost


@kernel
def _list_plies(
    mover: int, other: int, moves: int, first: int, plies: npt.NDArray[np.int32], costs: npt.NDArray[np.int64]
) -> int:
    """Write the plies best first, and return their number; `first` is the table's ply, or -1."""
    empties = (mover | other) ^ FULL
    odd = odd_cells(empties)
    counting = count_bits(empties) >= _ANSWERS_FROM
    n = 0
    while moves != 0:
        ply = first_bit(moves)
        placed = cell(ply)
        moves ^= placed
        cost = 0 if placed & odd else _ODD_COST
        if ply == first:
            cost = -1000
        elif counting:
            cost += _cost(placed, mover, other)
        i = n
        while i > 0 and costs[i - 1] > cost:
            costs[i] = costs[i - 1]
            plies[i] = plies[i - 1]
            i -= 1
        costs[i] = cost
        plies[i] = ply
        n += 1
    return n


@kernel
def solve_words(
    words: npt.NDArray[np.uint64],
    numbers: npt.NDArray[np.int64],
    plies: npt.NDArray[np.int32],
    costs: npt.NDArray[np.int64],
    table: npt.NDArray[np.uint64],
    bounds: npt.NDArray[np.int8],
    nodes: npt.NDArray[np.int64],
    paused: npt.NDArray[np.int64],
    most_nodes: int,
) -> bool:
    """Search the position in `words[0]` within the window in `numbers[0]`; return whether it is solved.

    words: (FRAMES, 2), mover and other. numbers: (FRAMES, 8). plies: (FRAMES, WIDTH). costs: (WIDTH,).
    table: (entries, 2), a power of two. bounds: (entries, 3). nodes: (1,), counted up. The best ply comes
    back in `numbers[0, 3]`, -1 if the game is over. paused: (3,), begins as 0, 1, 0; its last number is the
    score. A search that has counted `most_nodes` pauses, and goes on when it is called again with the same
    arrays.
    """
    last_entry = len(table) - 1
    depth = int(paused[_DEPTH])
    entering = paused[_ENTERING] != 0
    value = int(paused[_VALUE])
    while True:
        mover = int(words[depth, 0])
        other = int(words[depth, 1])
        if entering:
            if nodes[0] >= most_nodes:
                paused[_DEPTH], paused[_ENTERING], paused[_VALUE] = depth, 1, value
                return False
            entering = False
            n_empty = 64 - count_bits(mover | other)
            if depth > 0 and 0 < n_empty <= LAST_CELLS:
                value = last_cells(
                    mover, other, int(numbers[depth, _ALPHA]), int(numbers[depth, _BETA]), nodes
                )
            else:
                value = _open(words, numbers, plies, costs, table, bounds, depth, n_empty)
                nodes[0] += 1
        else:  # a child has returned `value`, from its mover's view
            value = -value
            ply = int(plies[depth, numbers[depth, _NEXT]])
            alpha = int(numbers[depth, _ALPHA])
            beta = int(numbers[depth, _BETA])
            if numbers[depth, _SCOUTING] != 0 and alpha < value < beta:
                numbers[depth, _SCOUTING] = 0
                depth += 1
                _enter(words, numbers, depth, ply, -beta, -alpha)
                entering = True
                continue
            if value > numbers[depth, _BEST]:
                numbers[depth, _BEST] = value
                numbers[depth, _BEST_PLY] = ply
                if value > alpha:
                    numbers[depth, _ALPHA] = value
            numbers[depth, _NEXT] += 1
            value = NO_SCORE
            if numbers[depth, _BEST] >= beta or numbers[depth, _NEXT] == numbers[depth, _COUNT]:
                value = int(numbers[depth, _BEST])
                if ply != PASS and 64 - count_bits(mover | other) >= _TABLE_FROM:
                    at = int(mixed(mixed(mover) ^ other) >> 32) & last_entry
                    table[at, 0] = mover
                    table[at, 1] = other
                    bounds[at, _LOWER] = value if value > numbers[depth, _FIRST_ALPHA] else -64
                    bounds[at, _UPPER] = value if value < beta else 64
                    bounds[at, _PLY] = numbers[depth, _BEST_PLY]
        if value != NO_SCORE:
            if depth == 0:
                paused[_VALUE] = value
                return True
            depth -= 1
            continue
        alpha = int(numbers[depth, _ALPHA])
        beta = int(numbers[depth, _BETA])
        scouting = numbers[depth, _NEXT] > 0 and beta - alpha > 1
        numbers[depth, _SCOUTING] = 1 if scouting else 0
        ply = int(plies[depth, numbers[depth, _NEXT]])
        depth += 1
        _enter(words, numbers, depth, ply, -alpha - 1 if scouting else -beta, -alpha)
        entering = True


@kernel
def _open(
    words: npt.NDArray[np.uint64],
    numbers: npt.NDArray[np.int64],
    plies: npt.NDArray[np.int32],
    costs: npt.NDArray[np.int64],
    table: npt.NDArray[np.uint64],
    bounds: npt.NDArray[np.int8],
    depth: int,
    n_empty: int,
) -> int:
    """Prepare the frame of a position just reached, and return its score if no ply need be searched."""
    mover = int(words[depth, 0])
    other = int(words[depth, 1])
    numbers[depth, _BEST] = NO_SCORE
    numbers[depth, _BEST_PLY] = -1
    numbers[depth, _NEXT] = 0
    numbers[depth, _FIRST_ALPHA] = numbers[depth, _ALPHA]
    moves = mobility(mover, other)
    if moves == 0:
        numbers[depth, _COUNT] = 1
        plies[depth, 0] = PASS
        return final_score(mover, other) if mobility(other, mover) == 0 else NO_SCORE
    first = -1
    if n_empty >= _TABLE_FROM:
        at = int(mixed(mixed(mover) ^ other) >> 32) & (len(table) - 1)
        if int(table[at, 0]) == mover and int(table[at, 1]) == other:
            first = int(bounds[at, _PLY])
            lower = int(bounds[at, _LOWER])
            upper = int(bounds[at, _UPPER])
            if depth > 0 and (lower >= numbers[depth, _BETA] or lower == upper):
                return lower
            if depth > 0 and upper <= numbers[depth, _ALPHA]:
                return upper
    numbers[depth, _COUNT] = _list_plies(mover, other, moves, first, plies[depth], costs)
    return NO_SCORE


@kernel
def _enter(
    words: npt.NDArray[np.uint64], numbers: npt.NDArray[np.int64], depth: int, ply: int, alpha: int, beta: int
) -> None:
    """Write the frame `depth` of the position after `ply` of the frame above it."""
    mover = int(words[depth - 1, 0])
    other = int(words[depth - 1, 1])
    if ply != PASS:
        placed = cell(ply)
        turned = flips(placed, mover, other)
        mover ^= turned | placed
        other ^= turned
    words[depth, 0] = other
    words[depth, 1] = mover
    numbers[depth, _ALPHA] = alpha
    numbers[depth, _BETA] = beta


@dataclass(frozen=True, slots=True)
class Solved:
    """A solved position: its score in discs for the side to move, the best ply and the nodes visited.

    score: exact inside the window that was asked for; at or outside its ends a bound. ply: the best ply
    (`reversi.PASS` for a pass), None if the game is over. nodes: positions visited.
    """

    score: int
    ply: int | None
    nodes: int


class UnfinishedError(Exception):
    """A solver was stopped before the end. `ply`: the best so far, not proven, or None; `nodes`: visited."""

    def __init__(self, ply: int | None, nodes: int) -> None:
        super().__init__(f"the solver was stopped after {nodes:,} nodes")
        self.ply = ply
        self.nodes = nodes


def solve(
    state: State,
    *,
    table_bits: int = TABLE_BITS,
    window: tuple[int, int] = (NO_SCORE, -NO_SCORE),
    on_nodes: Callable[[int], bool] | None = None,
) -> Solved:
    """Return the exact score of a state of Reversi and a ply that reaches it.

    The time grows two- to threefold with each empty cell. `table_bits`: the table has 2 to this power
    entries, of 19 bytes each. `window`: scores at or below its first number, or at or above its second, need
    not be told apart; (-1, 1) asks who wins, (0, 1) whether the mover does. `on_nodes` is called with the
    positions visited so far, a few times a second; once it returns True the solver stops.

    Raises `GameError` for a table or window of no size, `UnfinishedError` when `on_nodes` stops it.
    """
    if not 1 <= table_bits <= 28:
        raise GameError(f"the solver's table has 2 ** {table_bits} entries: choose 1 to 28 bits")
    if window[0] >= window[1]:
        raise GameError(
            f"no score lies in a window from {window[0]} to {window[1]}: its first number is the lower"
        )
    side = int(state[SIDE])
    words = np.zeros((FRAMES, 2), np.uint64)
    words[0] = state[BLACK + side], state[BLACK + (side ^ 1)]
    numbers = np.zeros((FRAMES, 8), np.int64)
    numbers[0, [_ALPHA, _BETA]] = window
    plies, costs = np.zeros((FRAMES, WIDTH), np.int32), np.zeros(WIDTH, np.int64)
    table, bounds = np.zeros((1 << table_bits, 2), np.uint64), np.zeros((1 << table_bits, 3), np.int8)
    nodes, paused = np.zeros(1, np.int64), np.array([0, 1, 0])
    go_on = compiled(solve_words)
    while not go_on(words, numbers, plies, costs, table, bounds, nodes, paused, int(nodes[0]) + PAUSE):
        if on_nodes is not None and on_nodes(int(nodes[0])):
            ply = int(numbers[0, _BEST_PLY])
            raise UnfinishedError(None if ply < 0 else ply, int(nodes[0]))
    over = int(state[MOVES]) == 0 and int(numbers[0, _BEST_PLY]) < 0
    return Solved(int(paused[_VALUE]), None if over else int(numbers[0, _BEST_PLY]), int(nodes[0]))
