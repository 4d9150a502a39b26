"""Perspectives in games of more than two players: turned where the meaning is certain, else refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from plyscope.visualizer.formats.errors import LogError
from tests.unit.logs import log_of

NAMES = ["A", "B", "C"]
MAXN: dict[str, Any] = {
    "layer": "max",
    "player": "A",
    "score": 1,
    "scores": [1, 4, 5],
    "children": [{"ply": "a", "layer": "other", "player": "B", "score": 4, "scores": [1, 4, 5]}],
}


def rival(**fields: Any) -> dict[str, Any]:
    """The tree, with more said of B's node, or nothing where a value is None."""
    child = {name: value for name, value in {**MAXN["children"][0], **fields}.items() if value is not None}
    return {**MAXN, "children": [child]}


def scores_of(tree: dict[str, Any], view: str, **search: Any) -> list[float]:
    return list(log_of(tree, players=NAMES, search={"perspective": view, **search}).columns["score"].tolist())


def test_a_rivals_own_score_becomes_the_root_players_from_the_vector() -> None:
    assert scores_of(MAXN, "mover") == [1, 1]


def test_scores_of_who_made_the_ply_are_the_root_players_below_the_root() -> None:
    below = {"ply": "b", "layer": "other", "player": "C", "score": 4, "scores": [1, 4, 5]}
    assert scores_of(rival(score=1, children=[below]), "parent") == [1, 1, 1]


def test_rivals_who_play_together_have_the_root_players_score_negated() -> None:
    assert scores_of(rival(layer="min", score=-1), "mover") == [1, 1]
    assert scores_of(rival(layer="min", score=-1, scores=None), "mover") == [1, 1]


def test_a_chance_node_is_seen_by_who_moved_before() -> None:
    after = {"ply": "6", "layer": "other", "player": "C", "score": 5, "scores": [1, 4, 5]}
    chance = {"ply": "b", "layer": "chance", "score": 4, "scores": [1, 4, 5], "children": [after]}
    assert scores_of(rival(children=[chance]), "mover") == [1, 1, 1, 1]


def test_numbers_of_the_root_player_and_of_two_sides_turn_from_the_first_players_view() -> None:
    assert scores_of(MAXN | {"children": []}, "first") == [1]
    sides = {"layer": "max", "player": "B", "score": -2, "children": [{"layer": "min", "score": -3}]}
    assert scores_of(sides, "first", root_player="B") == [2, 3]


@pytest.mark.parametrize(
    ("tree", "field"),
    [
        (rival(scores=None), "score"),
        (rival(score=3), "score"),
        (rival(player=None), "score"),
        (rival(layer=None, player=None), "score"),
        (rival(alpha=2, beta=None), "alpha"),
        (rival(bound="lower"), "bound"),
        (rival(ending="win"), "ending"),
        (rival(counted_as=3), "counted_as"),
        (rival(tt={"score": 3}), "tt.score"),
        (rival(wins=3), "wins"),
        (rival(static=4), "static"),
        (rival(factors=[4]), "factors"),
        (rival(contributions={"men": 4}), "contributions"),
    ],
)
def test_a_number_of_a_rival_that_nothing_turns_is_refused(tree: dict[str, Any], field: str) -> None:
    sentence = (
        f'$.search.perspective: found "mover" in a game of more than two players, but `{field}` of node 1 is '
        "a rival's, which is not the root player's negated: write \"root\", "
    )
    with pytest.raises(LogError, match=re.escape(sentence)):
        scores_of(tree, "mover")


def test_a_rivals_pre_scores_of_stubs_are_refused() -> None:
    stub = {"outcome": "limited", "plies": ["x"], "pre_scores": [3]}
    with pytest.raises(LogError, match="but `pre_scores` of node 2 is a rival's"):
        scores_of(rival(children=[stub]), "mover")
    assert len(scores_of({**MAXN, "children": [stub]}, "mover")) == 2
    assert len(scores_of(rival(children=[{**stub, "pre_scores": None}]), "mover")) == 3


def test_an_evaluation_seen_otherwise_than_the_scores_is_refused_where_it_is_declared() -> None:
    with pytest.raises(LogError, match=re.escape('$.search.static_perspective: found "mover"')):
        scores_of(rival(score=1, static=4), "root", static_perspective="mover")
    assert scores_of(rival(static=4), "mover", static_perspective="root") == [1, 1]


def test_the_first_players_view_is_refused_where_rivals_play_each_for_itself() -> None:
    with pytest.raises(LogError, match='found "first" in a game of more than two players, but `score`'):
        scores_of(MAXN, "first", root_player="B")


def test_a_result_that_a_rival_sees_is_refused() -> None:
    search = {"perspective": "mover", "root_player": "B"}
    with pytest.raises(LogError, match="the result's score is a rival's"):
        log_of(rival(score=4), players=NAMES, search=search, result={"score": 1})


def test_a_log_from_the_root_players_view_states_what_it_likes() -> None:
    assert scores_of(rival(score=1, alpha=2, bound="lower", static=4), "root") == [1, 1]
    assert log_of(MAXN, players=NAMES).notices == ()
