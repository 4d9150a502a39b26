"""The exact solver of Reversi against a plain minimax, on random ends of games."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.game import GameError, State
from plyscope.engine.games.reversi import GAME, PASS, SIDE
from plyscope.engine.jit import compiled
from plyscope_studies.reversi import solver
from plyscope_studies.reversi.ffo import solution
from plyscope_studies.reversi.last_cells import last_cells
from plyscope_studies.reversi.random_ends import plies_of, random_end
from plyscope_studies.reversi.solver import UnfinishedError, solve
from tests.property.examples import examples


def after(state: State, ply: int) -> State:
    child = state.copy()
    GAME.apply(child, ply)
    return child


def minimax(state: State) -> int:
    """The score for the side to move, by the rules alone: no window, no order, no table."""
    plies = plies_of(state)
    if plies:
        return max(-minimax(after(state, ply)) for ply in plies)
    own, others = (int(state[int(state[2]) ^ k]).bit_count() for k in (0, 1))
    empty = 64 - own - others
    return own - others + (empty if own > others else -empty if own < others else 0)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 6), st.sampled_from([1, 4, 12]))
def test_score_and_ply_are_those_of_plain_minimax(seed: int, empties: int, table_bits: int) -> None:
    state = random_end(seed, empties)
    solved = solve(state, table_bits=table_bits)
    assert solved.score == minimax(state)
    if plies_of(state):
        assert solved.ply in plies_of(state)
        assert -minimax(after(state, solved.ply)) == solved.score
    else:
        assert solved.ply is None


def test_a_forced_pass_is_the_ply_of_a_side_that_cannot_play() -> None:
    state = GAME.read_position("-OX" + "X" * 61 + " X")
    assert plies_of(state) == [0]
    white = GAME.read_position("-OX" + "X" * 61 + " O")
    assert plies_of(white) == [PASS]
    assert solve(white).ply == PASS
    assert solve(white).score == -64


@pytest.mark.parametrize("bits", [0, 29])
def test_a_table_of_no_size_is_refused(bits: int) -> None:
    with pytest.raises(GameError, match="1 to 28 bits"):
        solve(GAME.read_position(GAME.start), table_bits=bits)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(-64, 63), st.integers(1, 20))
def test_a_window_tells_the_score_inside_it_and_the_side_outside(
    seed: int, empties: int, low: int, width: int
) -> None:
    state = random_end(seed, empties)
    exact = minimax(state)
    found = solve(state, table_bits=4, window=(low, low + width)).score
    if low < exact < low + width:
        assert found == exact
    else:
        assert exact <= found <= low if exact <= low else low + width <= found <= exact


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(-64, 63), st.integers(1, 128))
def test_the_last_cells_are_scored_as_by_plain_minimax_in_any_window(
    seed: int, empties: int, alpha: int, width: int
) -> None:
    state = random_end(seed, empties)
    side = int(state[SIDE])
    own, others = state[side], state[side ^ 1]
    if not 1 <= 64 - int(own | others).bit_count() <= 4:
        return  # the game was over before
    exact = minimax(state)
    visited = np.zeros(1, np.int64)
    for found in (
        last_cells(int(own), int(others), alpha, alpha + width, visited),
        compiled(last_cells)(own, others, alpha, alpha + width, visited),
    ):
        if alpha < exact < alpha + width:
            assert found == exact
        else:
            assert exact <= found <= alpha if exact <= alpha else alpha + width <= found <= exact
    assert visited[0] > 0


def test_a_window_that_holds_nothing_is_refused() -> None:
    with pytest.raises(GameError, match="window from 2 to 2"):
        solve(GAME.read_position(GAME.start), window=(2, 2))


def test_a_solver_that_pauses_finds_what_it_finds_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    state = random_end(7, 12)
    at_once = solve(state)
    monkeypatch.setattr(solver, "PAUSE", 100)
    told: list[int] = []
    assert solve(state, on_nodes=lambda nodes: told.append(nodes) is not None) == at_once
    assert told == sorted(set(told))
    assert len(told) > 10
    assert told[-1] <= at_once.nodes


def test_a_stopped_solver_tells_its_best_ply_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    state = random_end(7, 12)
    monkeypatch.setattr(solver, "PAUSE", 1000)
    with pytest.raises(UnfinishedError, match="stopped after 2") as stopped:
        solve(state, on_nodes=lambda nodes: nodes >= 20_000)
    assert stopped.value.nodes >= 20_000
    assert stopped.value.ply in plies_of(state)


def test_a_published_position_is_solved() -> None:
    """Of 20 empty cells, the smallest of the FFO test; `plyscope study lab reversi` solves the others too."""
    found = solution(40)
    assert (found.discs, found.ply) == ("{}-{}".format(*found.published.discs), found.published.ply)
