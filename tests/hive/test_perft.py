"""Hive's kernels against counts that others published: as plain Python where few, compiled where many."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engine import jit
from engine.game import State
from engine.games.hive import GAME
from engine.games.hive.moves import generate
from engine.games.hive.play import apply, undo

COUNTS = json.loads(Path(__file__).with_name("perft.json").read_text("utf-8"))
MOST_LEAVES = float(os.environ.get("PLYSCOPE_PERFT_LEAVES", "4e7"))
"""Counts up to here are made again; `make perft-full` raises it to a billion."""
MOST_PLAIN_LEAVES = 300


@cache
def position(game_type: str, text: str, source: str) -> State:
    repetition = "threefold " if "threefold" in source else ""
    return GAME.read_position(repetition + (game_type if text == "start" else text))


def position_of(case: dict[str, str]) -> State:
    return position(case["game_type"], case["position"], case["source"]).copy()


def counts_up_to(most: float) -> list[dict[str, Any]]:
    return [case for case in COUNTS if case["nodes"] <= most and case["depth"] > 0]


@jit.kernel
def count_in_place(state: Any, plies: Any, n_plies: Any, next_ply: Any) -> int:
    """The leaves as many plies below `state` as `plies` has rows, playing and taking back on one state."""
    total = 0
    level = 0
    n_plies[0] = generate(state, plies[0])
    next_ply[0] = 0
    while level >= 0:
        at = next_ply[level]
        if level + 1 == len(plies):
            total += n_plies[level]
        elif at < n_plies[level]:
            next_ply[level] = at + 1
            apply(state, plies[level, at])
            level += 1
            n_plies[level] = generate(state, plies[level])
            next_ply[level] = 0
            continue
        level -= 1
        if level >= 0:
            undo(state, plies[level, next_ply[level] - 1])
    return total


def counted(count: Any, state: State, depth: int) -> int:
    before = state.copy()
    plies = np.zeros((depth, GAME.max_plies), np.int32)
    numbers: npt.NDArray[np.int64] = np.zeros((2, depth), np.int64)
    found = int(count(state, plies, numbers[0], numbers[1]))
    assert np.array_equal(state, before)
    return found


@pytest.mark.parametrize("game_type", sorted({case["game_type"] for case in COUNTS}))
def test_plain_kernels_count_what_others_counted(game_type: str) -> None:
    cases = [case for case in counts_up_to(MOST_PLAIN_LEAVES) if case["game_type"] == game_type]
    assert len(cases) >= 2
    for case in cases:
        assert counted(count_in_place, position_of(case), case["depth"]) == case["nodes"], case["position"]


@pytest.mark.slow
def test_compiled_kernels_count_what_others_counted() -> None:
    count = jit.compiled(count_in_place)
    cases = counts_up_to(MOST_LEAVES)
    assert len({case["position"] for case in cases}) >= 150
    for case in cases:
        found = counted(count, position_of(case), case["depth"])
        assert found == case["nodes"], (case["position"], case["depth"])
