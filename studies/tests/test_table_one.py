"""Tests of the outcome of a player's games against random plies."""

from __future__ import annotations

from plyscope.engine.match.games import Played
from plyscope_studies.lab.hive_table_one import ROWS, outcome_of


def game(number: int, first: int, points: float, n_plies: int, seconds: tuple[float, float]) -> Played:
    plies = tuple(map(str, range(n_plies)))
    return Played(number, number // 2, first, 1 - first, points, "over", plies, seconds)


def test_wins_turns_and_time_are_those_of_the_player_on_either_side() -> None:
    games = [
        game(0, 0, 1.0, 5, (3.0, 0.5)),  # won as the first: three moves of its own in 3 s
        game(1, 1, 0.0, 8, (0.5, 8.0)),  # won as the second: four moves in 8 s
        game(2, 0, 0.5, 100, (400.0, 0.5)),
        game(3, 1, 1.0, 20, (0.5, 30.0)),
    ]
    found = outcome_of(ROWS[0], games)
    assert (found.score.won, found.score.drawn, found.score.lost) == (2, 1, 1)
    assert found.lengths == (5, 8)
    assert found.seconds_a_move == 2.5
