"""The order in which kept plies are tried: by the table, by killers, by history. It never chooses them.

A killer is a ply that cut at the same level; the history of a ply counts its cutoffs anywhere, weighted by
how high in the tree they were. Both are stored by the ply's number, whatever the position. The pre-score
comes before either, since it has seen the position: a ply that cut elsewhere, tried before the best
pre-score, doubles the nodes of a search of Connect Four. So killers follow the ply of the best pre-score, and
history decides between plies of equal pre-score.
"""

from __future__ import annotations

from typing import Any, Final

from plyscope.engine.alphabeta.counters import HISTORY, KILLERS, TRIED
from plyscope.engine.alphabeta.stack import HISTORY_SIZE, Stack
from plyscope.engine.jit import kernel

NOBODY: Final = -1
"""No killer and no history brought a ply forward, or the table put that ply first."""

AFTER_THE_BEST: Final = 1
"""The place that a killer is brought to."""


@kernel
def arrange(
    option: Any, stack: Stack, level: int, n_kept: int, mover: int, table_ply: int
) -> tuple[int, int]:
    """Reorder the kept plies of the node at `level`: the table's, the best pre-score, killers, the others.

    Returns the counter of the technique that brought a ply forward, or NOBODY, and which ply it was.
    """
    order = stack.order[level]
    plies = stack.plies[level]
    placed_by = NOBODY
    placed = -1
    if option["history"]:
        placed = sort_ties(order, plies, stack.pre_scores[level], stack.history[mover], n_kept)
        if placed >= 0:
            placed_by = HISTORY
    if option["killers"]:
        for age in (1, 0):  # the younger killer comes before the older
            place = place_of(order, plies, n_kept, stack.killers[level, age])
            if place > AFTER_THE_BEST:
                placed_by = KILLERS
                placed = order[place]
                move_up(order, place, AFTER_THE_BEST)
    if table_ply >= 0:
        place = place_of(order, plies, n_kept, table_ply)
        if place >= 0:
            move_up(order, place, 0)
            if order[0] == placed:
                placed_by = NOBODY
    if placed_by != NOBODY:
        stack.counters[placed_by, TRIED] += 1
    return placed_by, placed


@kernel
def sort_ties(order: Any, plies: Any, pre_scores: Any, history: Any, n_kept: int) -> int:
    """Sort plies of equal pre-score by their history; returns the first that came forward, -1: none did."""
    first = n_kept
    for i in range(1, n_kept):
        slot = order[i]
        merit = history[plies[slot] & (HISTORY_SIZE - 1)]
        place = i
        while (
            place > 0
            and pre_scores[order[place - 1]] == pre_scores[slot]
            and history[plies[order[place - 1]] & (HISTORY_SIZE - 1)] < merit
        ):
            order[place] = order[place - 1]
            place -= 1
        order[place] = slot
        if place < i:
            first = min(first, place)
    return order[first] if first < n_kept else -1


@kernel
def place_of(order: Any, plies: Any, n_kept: int, ply: int) -> int:
    """Return the place of `ply` among the kept plies; -1 where it is none of them."""
    for place in range(n_kept):
        if plies[order[place]] == ply:
            return place
    return -1


@kernel
def move_up(order: Any, place: int, to: int) -> None:
    """Move the entry at `place` forward to `to`, and those between one place back."""
    slot = order[place]
    while place > to:
        order[place] = order[place - 1]
        place -= 1
    order[to] = slot


@kernel
def reward(option: Any, stack: Stack, level: int, mover: int, ply: int, depth: int) -> None:
    """Remember that `ply` cut at `level`, with `depth` plies left to search."""
    if option["killers"] and stack.killers[level, 0] != ply:
        stack.killers[level, 1] = stack.killers[level, 0]
        stack.killers[level, 0] = ply
    if option["history"]:
        stack.history[mover, ply & (HISTORY_SIZE - 1)] += max(1, depth * depth)
