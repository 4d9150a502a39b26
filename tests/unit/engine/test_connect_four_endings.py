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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_empty", "count", "said"),
    [
        (14, 12, {}),
        (14, 12, {"algorithm": "pvs", "killers": True, "history": True}),
        (20, 8, {"algorithm": "pvs", "killers": True, "history": True}),
    ],
)
def test_endings_are_worth_what_the_solver_says(n_empty: int, count: int, said: dict[str, Any]) -> None:
    worth = {text: solve(text) for text in endings(n_empty, count)}
    assert n_empty > 14 or {each[0] for each in worth.values()} == {-1, 0, 1}
    assert {text: searched(text, **said) for text in worth} == worth
