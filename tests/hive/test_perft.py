"""Hive's kernels against counts that others published: as plain Python where few, compiled where many."""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyscope.engine.game import State
from plyscope.engine.games.hive import GAME
from plyscope.engine.perft import perft

COUNTS = json.loads(Path(__file__).with_name("perft.json").read_text("utf-8"))
MOST_LEAVES = float(os.environ.get("PLYSCOPE_PERFT_LEAVES", "1e7"))
"""Counts up to here are made again; `make perft-full` raises it to a billion."""
MOST_PLAIN_LEAVES = 300


@cache
def position(game_type: str, text: str, source: str) -> State:
    repetition = "threefold " if "threefold" in source else ""
    return GAME.read_position(repetition + (game_type if text == "start" else text))


def counts_up_to(most: float) -> list[dict[str, Any]]:
    return [case for case in COUNTS if case["nodes"] <= most]


def counted(case: dict[str, Any], compiled: bool) -> int:
    state = position(case["game_type"], case["position"], case["source"])
    before = state.copy()
    found = perft(GAME, state, case["depth"], compiled=compiled)
    assert np.array_equal(state, before)
    return found


@pytest.mark.parametrize("game_type", sorted({case["game_type"] for case in COUNTS}))
def test_plain_kernels_count_what_others_counted(game_type: str) -> None:
    cases = [case for case in counts_up_to(MOST_PLAIN_LEAVES) if case["game_type"] == game_type]
    assert len(cases) >= 2
    for case in cases:
        assert counted(case, compiled=False) == case["nodes"], case["position"]


@pytest.mark.slow
def test_compiled_kernels_count_what_others_counted() -> None:
    cases = counts_up_to(MOST_LEAVES)
    assert len({case["position"] for case in cases}) >= 150
    for case in cases:
        assert counted(case, compiled=True) == case["nodes"], (case["position"], case["depth"])
