"""Connect Four endings, searched to the end with a table, against an independent solver."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from plyscope.engine.game import ONGOING
from plyscope.engine.games import find
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from tests.connect_four_solver import solve

GAME: Any = find("connect_four")
N_CELLS = 42
LEAST_PLIES = 7
"""Endings that are won sooner prove little."""


def endings(n_empty: int, count: int) -> list[str]:
    """Positions with so many empty cells, reached at random without overlooking a win in one."""
    rng = random.Random(n_empty)
    found: list[str] = []
    while len(found) < count:
        state = GAME.read_position(GAME.start)
        plies = np.zeros(GAME.max_plies, np.int32)
        for _ in range(N_CELLS - n_empty):
            after = []
            for ply in plies[: GAME.generate(state, plies)].tolist():
                child = state.copy()
                GAME.apply(child, ply)
                passed = child.copy()
                if GAME.pass_turn(passed) and not GAME.in_check(passed):
                    after.append(child)
            if not after:
                break
            state = rng.choice(after)
        text = GAME.write_position(state)
        if text.count(".") == n_empty and GAME.status(state) == ONGOING and solve(text)[1] >= LEAST_PLIES:
            found.append(text)
    return found


def searched(text: str, **said: Any) -> tuple[int, int]:
    """Won, drawn or lost, and in how many plies, as the search says."""
    options = SearchOptions(depth=text.count("."), table=32, record=False, **said)
    recording = search(GAME, text, options)
    score = recording.score
    assert score is not None
    if score == 0:
        return 0, text.count(".")
    mate = recording.header["search"]["mate"]["score"]
    return (1 if score > 0 else -1), round(mate - abs(score))


def test_endings_are_of_every_kind() -> None:
    assert {solve(text)[0] for text in endings(14, 12)} == {-1, 0, 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    "said", [{}, {"algorithm": "pvs", "killers": True, "history": True}], ids=["plain", "pvs"]
)
def test_endings_are_worth_what_the_solver_says(said: dict[str, Any]) -> None:
    for text in endings(14, 12):
        assert searched(text, **said) == solve(text), text


@pytest.mark.slow
def test_endings_of_twenty_empty_cells_are_worth_what_the_solver_says() -> None:
    for text in endings(20, 8):
        assert searched(text, algorithm="pvs", killers=True, history=True) == solve(text), text
