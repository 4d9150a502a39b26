"""Options that make no sense are refused where they are given, in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions, check_game, weights_of


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"depth": 0}, "depth: 0, expected a whole number from 1 to 1000"),
        ({"depth": 2.5}, r"depth: 2\.5, expected a whole number"),
        ({"seconds": float("inf")}, "seconds: inf, expected a number above 0"),
        ({"quotient": 1}, "quotient: 1, expected a whole number from 2"),
        ({"seed": -1}, "seed: -1, expected a whole number from 0"),
        ({"algorithm": "mcts"}, "algorithm: 'mcts', expected one of minimax, alphabeta, pvs"),
        ({"aspiration": 5.0}, "aspiration: .* needs iterative=True"),
        ({"aspiration": 1.0, "iterative": True, "algorithm": "minimax"}, "minimax has no windows"),
        ({"table": 1e9}, "table: .*, expected a number above 0 to 1048576"),
        ({"reverse_futility": -1.0}, "reverse_futility: -1.0, expected a number above 0"),
        ({"killers": 1}, "killers: 1, expected True or False"),
        ({"null_move": 101}, "null_move: 101, expected a whole number from 1 to 100"),
        ({"fail": "safe"}, "fail: 'safe', expected one of soft, hard"),
        ({"table": 1, "table_depth": "any"}, "table_depth: 'any', expected one of equal, at_least"),
        ({"table_use": "narrow"}, "table_use: there is no table to use"),
        ({"null_move": 2, "algorithm": "minimax"}, "null_move: minimax has no windows"),
        ({"weights": {"centre": float("nan")}}, "weights: centre: nan, expected a finite number"),
    ],
)
def test_nonsense_is_refused_by_name(said: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        SearchOptions(**said)


def test_weights_replace_the_games_own_by_name() -> None:
    weights = weights_of(GAME, SearchOptions(weights={"centre": 7}))
    assert weights == dict(GAME.factors) | {"centre": 7.0}


def test_a_weight_for_no_factor_is_refused() -> None:
    with pytest.raises(OptionError, match="'mobility' is no factor; expected one of centre, corners"):
        weights_of(GAME, SearchOptions(weights={"mobility": 1.0}))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"quiescence": 3}, "quiescence: quiet has no noisy"),
        ({"null_move": 2}, "null_move: quiet has no pass_turn"),
    ],
)
def test_a_technique_that_the_game_lacks_a_kernel_for_is_refused(said: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        check_game(SimpleNamespace(name="quiet"), SearchOptions(**said))
