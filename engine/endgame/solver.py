"""The exact score of a Reversi position: alpha-beta to the end of the game, without an evaluation.

Scores are discs from the side to move's view, empty cells counted to the winner. The search is a
principal-variation search over an explicit stack. It tries first the plies that leave the other side the
fewest answers ("fastest first"), and keeps bounds in a transposition table. An entry holds the whole
position, so two positions never share one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import GameError, State
from plyscope.engine.games.bits import cell, mixed
from plyscope.engine.games.reversi import BLACK, MOVES, PASS, SIDE, flips, mobility
from plyscope.engine.jit import compiled, count_bits, first_bit, kernel

FRAMES: Final = 128  # 60 plies, and between any two of them at most one pass
WIDTH: Final = 64
TABLE_BITS: Final = 18

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

_CORNERS: Final = 0x8100_0000_0000_0081
_ORDERED_FROM: Final = 4  # with fewer empty cells, ordering costs more than it saves


@kernel
def final_score(mover: int, other: int) -> int:
    """Return the discs of `mover` less those of `other`, empty cells counted to the winner."""
    own = count_bits(mover)
    lead = own - count_bits(other)
    empty = 64 - count_bits(mover | other)
    if lead > 0:
        return lead + empty
    return lead - empty if lead < 0 else 0


@kernel
def _list_plies(
    mover: int, other: int, moves: int, first: int, plies: npt.NDArray[np.int32], costs: npt.NDArray[np.int64]
) -> int:
    """Write the plies best first, and return their number; `first` is the table's ply, or -1."""
    ordering = 64 - count_bits(mover | other) >= _ORDERED_FROM
    n = 0
    while moves != 0:
        ply = first_bit(moves)
        placed = cell(ply)
        moves ^= placed
        cost = 0
        if ply == first:
            cost = -1000
        elif ordering:
            turned = flips(placed, mover, other)
            answers = mobility(other ^ turned, mover ^ turned ^ placed)
            cost = 2 * count_bits(answers) + count_bits(answers & _CORNERS)
            if placed & _CORNERS:
                cost -= 3
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
) -> int:
    """Return the score of the position in `words[0]` within the window in `numbers[0]`.

    words: (FRAMES, 2), mover and other. numbers: (FRAMES, 8). plies: (FRAMES, WIDTH). costs: (WIDTH,).
    table: (entries, 2), a power of two. bounds: (entries, 3). nodes: (1,), counted up. The best ply comes
    back in `numbers[0, 3]`, -1 if the game is over.
    """
    last_entry = len(table) - 1
    depth = 0
    entering = True
    value = 0
    while True:
        mover = int(words[depth, 0])
        other = int(words[depth, 1])
        if entering:
            nodes[0] += 1
            numbers[depth, _BEST] = -65
            numbers[depth, _BEST_PLY] = -1
            numbers[depth, _NEXT] = 0
            numbers[depth, _FIRST_ALPHA] = numbers[depth, _ALPHA]
            moves = mobility(mover, other)
            entering = False
            value = -65
            if moves == 0:
                numbers[depth, _COUNT] = 1
                plies[depth, 0] = PASS
                if mobility(other, mover) == 0:
                    value = final_score(mover, other)
            else:
                at = int(mixed(mixed(mover) ^ other) >> 32) & last_entry
                first = -1
                if int(table[at, 0]) == mover and int(table[at, 1]) == other:
                    first = int(bounds[at, _PLY])
                    lower = int(bounds[at, _LOWER])
                    upper = int(bounds[at, _UPPER])
                    if depth > 0 and (lower >= numbers[depth, _BETA] or lower == upper):
                        value = lower
                    elif depth > 0 and upper <= numbers[depth, _ALPHA]:
                        value = upper
                if value == -65:
                    numbers[depth, _COUNT] = _list_plies(mover, other, moves, first, plies[depth], costs)
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
            value = -65
            if numbers[depth, _BEST] >= beta or numbers[depth, _NEXT] == numbers[depth, _COUNT]:
                value = int(numbers[depth, _BEST])
                if ply != PASS:
                    at = int(mixed(mixed(mover) ^ other) >> 32) & last_entry
                    table[at, 0] = mover
                    table[at, 1] = other
                    bounds[at, _LOWER] = value if value > numbers[depth, _FIRST_ALPHA] else -64
                    bounds[at, _UPPER] = value if value < beta else 64
                    bounds[at, _PLY] = numbers[depth, _BEST_PLY]
        if value != -65:
            if depth == 0:
                return value
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
    """What a position is worth, in discs for the side to move, and how it was found.

    ply: the best ply (`reversi.PASS` for a pass), None if the game is over. nodes: positions visited.
    """

    score: int
    ply: int | None
    nodes: int


def solve(state: State, *, table_bits: int = TABLE_BITS) -> Solved:
    """Return the exact score of a state of Reversi and a ply that reaches it.

    The time grows about threefold with each empty cell. `table_bits`: the table has 2 to this power entries,
    of 19 bytes each. Raises `GameError` if that is not 1 to 28.
    """
    if not 1 <= table_bits <= 28:
        raise GameError(f"the solver's table has 2 ** {table_bits} entries: choose 1 to 28 bits")
    side = int(state[SIDE])
    words = np.zeros((FRAMES, 2), np.uint64)
    words[0] = state[BLACK + side], state[BLACK + (side ^ 1)]
    numbers = np.zeros((FRAMES, 8), np.int64)
    numbers[0, _ALPHA], numbers[0, _BETA] = -65, 65
    nodes = np.zeros(1, np.int64)
    score = compiled(solve_words)(
        words,
        numbers,
        np.zeros((FRAMES, WIDTH), np.int32),
        np.zeros(WIDTH, np.int64),
        np.zeros((1 << table_bits, 2), np.uint64),
        np.zeros((1 << table_bits, 3), np.int8),
        nodes,
    )
    over = int(state[MOVES]) == 0 and int(numbers[0, _BEST_PLY]) < 0
    return Solved(int(score), None if over else int(numbers[0, _BEST_PLY]), int(nodes[0]))
