"""Trees written as JSON: what is read, what is refused, and that they are written back as they were."""

from __future__ import annotations

import json

import numpy as np
import pytest

from plyscope.engine.game import GameError
from plyscope.engine.games.explicit_tree import GAME

FIGURE = '{"player": "min", "children": {"left": 3, "right": [{"ending": "loss"}, 1.5]}}'


@pytest.mark.parametrize(
    "text",
    [
        "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
        FIGURE,
        '{"value": 2, "children": [{"player": "max", "children": [1, {"player": "max", "value": 4}]}]}',
        '[{"ending": "win"}, {"ending": "draw"}, {"ending": "loss"}, 0]',
        '{"pass": {"pass": [7], "children": [2]}, "children": [{"in_check": true, "children": [4]}]}',
    ],
)
def test_a_tree_is_written_back_as_it_was(text: str) -> None:
    written = GAME.write_position(GAME.read_position(text))
    whole = json.loads(text)
    short = whole["children"] if isinstance(whole, dict) and list(whole) == ["children"] else whole
    assert json.loads(written) in (whole, short)
    assert GAME.write_position(GAME.read_position(written)) == written


def test_nodes_of_one_key_are_one_position() -> None:
    state = GAME.read_position(
        '[{"key": "A", "value": 1}, {"key": "A", "value": 1}, {"key": "B", "value": 1}, 1]'
    )
    keys = []
    for name in "abcd":
        child = state.copy()
        GAME.apply(child, GAME.read_ply(state, name))
        keys.append(GAME.key(child))
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, 2", "the tree is no JSON: .* at line 1, column 6"),
        ("[[[" * 40_000, "the tree is too deep"),
        ("9" * 5000, "value inf, expected a number"),
        ("[1, [2, null]]", "b > b: value None, expected a number"),
        ("[NaN]", "a: value nan, expected a number"),
        ("{}", "the root: neither children, value nor ending"),
        ('{"score": 3}', "the root: 'score' is unknown; expected player, children"),
        ('{"player": "white", "value": 1}', "player 'white', expected max or min"),
        ('{"value": 1, "key": 3}', "key 3, expected a text"),
        ('{"children": 3}', "children 3, expected a list, or an object"),
        ('{"children": {"": 3}}', "a ply without a name"),
        ('[{"ending": "mate"}]', "a: ending 'mate', expected win, loss or draw, and no children"),
        ('{"noisy": 1, "children": [1]}', "noisy 1, expected true or false"),
        ('[{"in_check": "yes", "value": 1}]', "a: in_check 'yes', expected true or false"),
        ('[{"pass": 3, "value": 1}]', "a: a pass, but no children"),
        ('{"pass": [{"pass": ["x"], "children": [1]}], "children": [1]}', "the pass > a > the pass > a"),
        ('{"ending": "win", "children": [1]}', "ending 'win', expected win, loss or draw, and no children"),
        (json.dumps([1] * 65), "65 children, at most 64 can be"),
        (json.dumps([[1] * 60] * 20), "more than 1000 nodes"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        GAME.read_position(text)


def test_an_unknown_ply_is_refused_and_those_said_to_be_noisy_are_generated_in_their_order() -> None:
    state = GAME.read_position(FIGURE)
    with pytest.raises(GameError, match="'up' is no ply here: expected one of left, right"):
        GAME.read_ply(state, "up")
    with pytest.raises(GameError, match="'up' is no ply here: this is a leaf"):
        GAME.read_ply(GAME.read_position("3"), "up")
    state = GAME.read_position('[1, {"noisy": true, "value": 2}, [3], {"noisy": true, "children": [4]}]')
    plies = np.zeros(GAME.max_plies, np.int32)
    assert [GAME.write_ply(state, ply) for ply in plies[: GAME.noisy(state, plies)]] == ["b", "d"]


def test_a_pass_leads_to_its_own_tree_where_the_other_side_moves() -> None:
    state = GAME.read_position(
        '{"pass": {"pass": [7, 8], "in_check": true, "children": [2]}, "children": [3]}'
    )
    assert (GAME.pass_turn(state), GAME.player(state), GAME.in_check(state)) == (1, 1, True)
    assert (GAME.pass_turn(state), GAME.player(state), GAME.in_check(state)) == (1, 0, False)
    assert GAME.write_position(state) == GAME.board(state).text == "[7, 8]"
    assert GAME.pass_turn(state) == 0
    assert GAME.write_position(state) == "[7, 8]"
