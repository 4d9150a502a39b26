"""Kernels that record a search: rows of nodes and stubs, and the table entries found.

Callers must have checked that there is room.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from plyscope.engine.alphabeta.stack import Stack
from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SCORED, Array
from plyscope.engine.jit import fetch, kernel
from plyscope.engine.record.memory import Memory
from plyscope.engine.record.rows import DRAW, LEAF, LOSS, OPEN, TERMINAL, WIN

_NO_NUMBER: Final = np.nan

_AHEAD: Final = 16
"""The distance, in rows and in plies of stubs, at which memory is fetched ahead of writing."""


@kernel
def write_entry(
    row: Any,
    parent: int,
    ply: int,
    depth: int,
    reduction: int,
    player: int,
    purpose: int,
    flags: int,
    alpha: float,
    beta: float,
    static: float,
    key: int,
    moves: int,
) -> None:
    """Write the fields of a node that are known on entry."""
    row["parent"] = parent
    row["ply"] = ply
    row["depth"] = depth
    row["reduction"] = reduction
    row["player"] = player
    row["outcome"] = OPEN
    row["bound"] = 0
    row["cut_by"] = 0
    row["ending"] = 0
    row["purpose"] = purpose
    row["flags"] = flags
    row["alpha"] = alpha
    row["beta"] = beta
    row["score"] = _NO_NUMBER
    row["static"] = static
    row["key"] = key
    row["moves"] = moves


@kernel
def fetch_ahead(memory: Memory, n_rows: int, n_stub_plies: int) -> None:
    """Prefetch the memory that is written some nodes from now, since most of it is in no near cache.

    A store waits for its memory, and all later stores wait for that one.
    """
    fetch(memory.rows, n_rows + _AHEAD)
    fetch(memory.factors, n_rows + _AHEAD)
    fetch(memory.stub_plies, n_stub_plies + _AHEAD)


@kernel
def write_factors(target: Array, values: Array) -> None:
    """Write a node's factors. The type of `target` says how many there are, so compiled there is no loop."""
    for factor in range(len(target)):
        target[factor] = values[factor]


@kernel
def write_end(row: Any, end: int, score: float, bound: int, outcome: int, cut_by: int) -> None:
    """Write the fields of a node that are known when it is left."""
    row["end"] = end
    row["score"] = score
    row["bound"] = bound
    row["outcome"] = outcome
    row["cut_by"] = cut_by


@kernel
def write_ending(row: Any, status: int, option: Any) -> int:
    """Write how the game ended at a node without a child; return its outcome."""
    row["moves"] = 0
    if status in (ONGOING, SCORED):
        return LEAF
    if status == DRAWN:
        row["ending"] = DRAW
    else:
        row["ending"] = WIN if (status == FIRST_WON) == (option["root_player"] == 0) else LOSS
    return TERMINAL


@kernel
def write_hit(hit: Any, row: int, entry: Any, score: float, bound: int, use: int) -> None:
    """Write the table entry found at the node of `row`; score and bound are the root player's view."""
    hit["row"] = row
    hit["source"] = entry["row"]
    hit["score"] = score
    hit["ply"] = entry["ply"]
    hit["depth"] = entry["depth"]
    hit["bound"] = bound
    hit["use"] = use


@kernel
def write_stub(
    memory: Memory,
    stack: Stack,
    level: int,
    parent: int,
    outcome: int,
    place: int,
    count: int,
    number: int,
    n_stub_plies: int,
) -> None:
    """Write row `number`, a stub for `count` children of the node at `level` from `place` on."""
    row = memory.rows[number]
    row["parent"] = parent
    row["end"] = number + 1
    row["ply"] = -1
    row["moves"] = count
    row["outcome"] = outcome
    row["key"] = n_stub_plies
    row["purpose"] = 0
    row["reduction"] = 0
    row["flags"] = 0
    for i in range(count):
        slot = stack.order[level, place + i]
        memory.stub_plies[n_stub_plies + i]["ply"] = stack.plies[level, slot]
        memory.stub_plies[n_stub_plies + i]["pre_score"] = stack.pre_scores[level, slot]
