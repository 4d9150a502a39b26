"""The order in which kept plies are tried: by the table, by killers, by history. It never chooses them.

A killer is a ply that cut at the same level; the history of a ply is how often, and how high in the tree, it
cut anywhere. Both are remembered by the ply's number, whatever the position.
"""

from __future__ import annotations

from typing import Any, Final

from engine.counters import HISTORY, KILLERS, TRIED
from engine.jit import kernel
from engine.stack import HISTORY_SIZE, Stack

NOBODY: Final = -1
"""The pre-scores, or the table, put the first ply first."""


@kernel
def arrange(option: Any, stack: Stack, level: int, n_kept: int, mover: int, table_ply: int) -> int:
    """Reorder the kept plies of the node at `level`: the table's, killers, history, then pre-score.

    Returns the counter of the technique that put the first ply first, or NOBODY.
    """
    order = stack.order[level]
    plies = stack.plies[level]
    placed_by = NOBODY
    if option["history"]:
        history = stack.history[mover]
        for i in range(1, n_kept):
            slot = order[i]
            merit = history[plies[slot] & (HISTORY_SIZE - 1)]
            place = i
            while place > 0 and merit > history[plies[order[place - 1]] & (HISTORY_SIZE - 1)]:
                order[place] = order[place - 1]
                place -= 1
            order[place] = slot
        if history[plies[order[0]] & (HISTORY_SIZE - 1)] > 0:
            placed_by = HISTORY
    if option["killers"]:
        if to_front(order, plies, n_kept, stack.killers[level, 1]):
            placed_by = KILLERS
        if to_front(order, plies, n_kept, stack.killers[level, 0]):
            placed_by = KILLERS
    if table_ply >= 0 and to_front(order, plies, n_kept, table_ply):
        placed_by = NOBODY
    if placed_by != NOBODY:
        stack.counters[placed_by, TRIED] += 1
    return placed_by


@kernel
def to_front(order: Any, plies: Any, n_kept: int, ply: int) -> bool:
    """Put `ply` before the other kept plies; False where it is none of them."""
    for place in range(n_kept):
        if plies[order[place]] == ply:
            move_up(order, place)
            return True
    return False


@kernel
def move_up(order: Any, place: int) -> None:
    """Put what stands at `place` first, the others one place further."""
    slot = order[place]
    while place > 0:
        order[place] = order[place - 1]
        place -= 1
    order[0] = slot


@kernel
def reward(option: Any, stack: Stack, level: int, mover: int, ply: int, depth: int) -> None:
    """Remember that `ply` cut at `level`, with `depth` plies left to search."""
    if option["killers"] and stack.killers[level, 0] != ply:
        stack.killers[level, 1] = stack.killers[level, 0]
        stack.killers[level, 0] = ply
    if option["history"]:
        stack.history[mover, ply & (HISTORY_SIZE - 1)] += max(1, depth * depth)
