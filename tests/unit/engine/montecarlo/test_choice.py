"""The ply that a Monte Carlo search chooses: as good as that of minimax, by the figure that is asked for."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING
from plyscope.engine.games.connect_four import GAME as CONNECT_FOUR
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.kernel_game import legal_plies
from tests.both_ways import plain_and_in_sweep_compiled
from tests.connect_four_solver import solve
from tests.unit.engine.montecarlo.searches import found

KNOWN: dict[int, int] = {}


def value(state: Any) -> int:
    """The value of a tic-tac-toe position to X: plain minimax, each position once."""
    key = int(TICTACTOE.key(state))
    if key not in KNOWN:
        KNOWN[key] = value_by_minimax(state)
    return KNOWN[key]


def value_by_minimax(state: Any) -> int:
    """The same, from the values of the positions after it."""
    status = TICTACTOE.status(state)
    if status != ONGOING:
        return 1 if status == FIRST_WON else 0 if status == DRAWN else -1
    values = []
    for ply in legal_plies(TICTACTOE, state):
        after = state.copy()
        TICTACTOE.apply(after, ply)
        values.append(value(after))
    return max(values) if TICTACTOE.player(state) == 0 else min(values)


@pytest.mark.parametrize("position", [".X. ... ...", "X.. .O. ..X"])
@pytest.mark.parametrize("choose", ["visits", "mean"])
@plain_and_in_sweep_compiled
def test_ten_thousand_play_outs_find_a_drawing_ply_of_tictactoe(
    position: str, choose: Any, compiled: bool
) -> None:
    n = 10_000 if compiled else 1_500
    recording = found(TICTACTOE, position, playouts=n, seed=1, choose=choose, compiled=compiled)
    state = TICTACTOE.read_position(position)
    assert value(state) == 0
    TICTACTOE.apply(state, TICTACTOE.read_ply(state, str(recording.ply)))
    assert value(state) == 0


def late_positions(n: int) -> list[str]:
    """Positions of Connect Four with 8 to 12 empty cells, reached by random plies."""
    drawn, positions = random.Random(8), []
    while len(positions) < n:
        state = CONNECT_FOUR.read_position(CONNECT_FOUR.start)
        for _ in range(drawn.randint(30, 34)):
            if CONNECT_FOUR.status(state) != ONGOING:
                break
            CONNECT_FOUR.apply(state, drawn.choice(legal_plies(CONNECT_FOUR, state)))
        if CONNECT_FOUR.status(state) == ONGOING:
            positions.append(CONNECT_FOUR.write_position(state))
    return positions


@pytest.mark.slow
def test_late_in_connect_four_it_agrees_with_a_solver() -> None:
    """The ply is as good as the best, by won, drawn and lost, in at least 95 % of positions."""
    agreed, positions = 0, late_positions(20)
    for position in positions:
        recording = found(CONNECT_FOUR, position, playouts=20_000, seed=1, compiled=True)
        state = CONNECT_FOUR.read_position(position)
        best, _ = solve(position)
        CONNECT_FOUR.apply(state, CONNECT_FOUR.read_ply(state, str(recording.ply)))
        status = CONNECT_FOUR.status(state)
        if status == ONGOING:
            worth = -solve(CONNECT_FOUR.write_position(state))[0]
        else:
            worth = 0 if status == DRAWN else 1
        agreed += worth == best
    assert agreed >= 0.95 * len(positions)
