"""Options of a Monte Carlo search, and which make no sense."""

from __future__ import annotations

import math
from typing import Any

import pytest

from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.option import OptionError
from tests.unit.engine.montecarlo.searches import found


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"playouts": 0}, "playouts: 0, expected a whole number from 1"),
        ({"select": "puct"}, "select: 'puct', expected one of ucb1, plain"),
        ({"choose": "ucb"}, "choose: 'ucb', expected one of visits, mean"),
        ({"c": -1.0}, "c: -1.0, expected a number from 0"),
        ({"guide": "queens"}, "guide: 'queens', expected ring"),
        ({"guide_power": 2.0}, "guide_power: nothing guides play-outs"),
        ({"guide": "ring", "guide_power": 101}, "guide_power: 101, expected a number from 0 to 100"),
        ({"fpu": "static"}, "fpu: 'static', expected a number or heuristic"),
        ({"fpu": math.nan}, "fpu: nan, expected a number or heuristic"),
        ({"fpu": 1.0, "select": "plain"}, "fpu: plain selection knows no urgency"),
        ({"c": 1.0, "select": "plain"}, "c: plain selection adds nothing to a mean"),
        ({"weights": {"centre": "2"}}, "weights: centre: '2', expected a finite number"),
        ({"evaluation": 3}, "evaluation: 3, expected the name of one"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: Any, says: str) -> None:
    with pytest.raises(OptionError, match=says.replace("(", r"\(")):
        MonteCarloOptions(**options)


def test_a_game_without_queens_refuses_to_be_guided() -> None:
    with pytest.raises(OptionError, match="guide: tictactoe has no ring"):
        found(TICTACTOE, guide="ring")


def test_the_heuristic_first_tries_the_ply_of_the_best_evaluation() -> None:
    """Of one visit each, in the order of the plies' statics; without it in a drawn order."""
    recording = found(TICTACTOE, playouts=9, seed=1, fpu="heuristic")
    last = recording.trees[-1].row
    plies = recording.rows["ply"][recording.rows["parent"] == last].tolist()
    assert plies[0] == 4  # the centre
    assert set(plies[1:5]) == {0, 2, 6, 8}  # the corners
