"""maxn: each of more than two players takes its own best, and the score is the root player's part."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import child, found


def leaf(ply: str, *scores: float, **more: Any) -> dict[str, Any]:
    return {"ply": ply, "outcome": "leaf", "score": scores[0], "scores": list(scores), **more}


def node(player: str, scores: list[float], *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A node of A's search; A is the first of three, and its rivals are `other`."""
    layer = "max" if player == "A" else "other"
    said = {"layer": layer, "player": player, "score": scores[0], "scores": scores, "outcome": "searched"}
    return {**said, "children": list(children), **more}


def log(root: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"plyscope": 1, "players": ["A", "B", "C"], "root": root, **more}


def above(*children: dict[str, Any], scores: list[float], **more: Any) -> dict[str, Any]:
    """A node of B below a root that has no other ply."""
    return log(node("A", scores, node("B", scores, *children, ply="b", **more)))


def messages(document: dict[str, Any]) -> list[str]:
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    return [finding.message for finding in report.findings("maxn")]


def test_each_takes_what_is_best_for_itself() -> None:
    children = leaf("x", 1, 2, 3), leaf("y", 0, 4, 2)
    assert found(above(*children, scores=[0, 4, 2])) == []
    assert messages(above(*children, scores=[1, 2, 3])) == [
        "B moves here and gets 4 from its best child, but the node returned 2."
    ]


def test_of_equal_children_any_may_be_taken_and_no_mixture() -> None:
    children = leaf("x", 1, 4, 3), leaf("y", 0, 4, 2)
    assert found(above(*children, scores=[0, 4, 2])) == []
    assert found(above(*children, scores=[1, 4, 3])) == []
    assert messages(above(*children, scores=[1, 4, 2])) == [
        "The children that are best for B have [1, 4, 3] or [0, 4, 2], but the node returned [1, 4, 2]."
    ]


def test_the_score_is_the_root_players_part() -> None:
    document = above(leaf("x", 1, 2, 3), scores=[1, 2, 3])
    child(document, 0)["score"] = 2
    assert ("maxn", "b") in found(document)
    assert messages(document) == ["In its own scores A has 1, but the score of the node is 2."]


def test_the_root_player_is_the_declared_one_wherever_it_stands_in_the_header() -> None:
    document = log(leaf("x", 1, 2, 3) | {"score": 3}, search={"root_player": "C"})
    assert found(document) == []
    document["search"]["root_player"] = "B"
    assert messages(document) == ["In its own scores B has 2, but the score of the node is 3."]


def test_a_player_beyond_the_list_is_not_asked() -> None:
    document = log(leaf("x", 1, 2, 3, player="D", layer="max"), players=["A", "B", "C", "D"])
    assert found(document, "maxn") == []


@pytest.mark.parametrize(
    "more",
    [
        {"outcome": "cutoff"},
        {"bound": "lower"},
        {"cut_by": "null"},
        {"stand_pat": 1},
        {"estimate": 1},
        {"layer": "chance"},
        {"player": None},
        {"tt": {"use": "narrow", "bound": "lower", "score": 1}},
    ],
)
def test_a_node_that_took_no_child_as_it_is_is_not_asked(more: dict[str, Any]) -> None:
    document = above(leaf("x", 1, 2, 3), leaf("y", 0, 4, 2), scores=[1, 2, 3])
    assert messages(document) != []
    b = child(document, 0)
    b.update({name: said for name, said in more.items() if said is not None})
    if "player" in more:
        del b["player"]
    assert messages(document) == []


@pytest.mark.parametrize(
    "last",
    [
        {"outcome": "unlogged", "count": 1},
        {"outcome": "pruned", "count": 1},
        {"ply": "z", "outcome": "stopped"},
        {"ply": "z", "outcome": "leaf", "score": 1},
        leaf("z", 0, 0, 0, counted_as=1),
        leaf("z", 0, 0, 0, bound="upper"),
    ],
    ids=["unlogged", "pruned", "stopped", "no vector", "counted otherwise", "a bound"],
)
def test_children_that_are_not_all_known_as_they_were_taken_say_nothing(last: dict[str, Any]) -> None:
    document = above(leaf("x", 1, 2, 3), leaf("y", 0, 4, 2), last, scores=[1, 2, 3])
    assert messages(document) == []


def test_a_paranoid_search_is_asked_for_the_root_players_smallest() -> None:
    document = above(leaf("x", 1, 2, 3), leaf("y", 0, 4, 2), scores=[0, 4, 2], layer="min")
    assert found(document) == []
    document = above(leaf("x", 1, 2, 3), leaf("y", 0, 4, 2), scores=[1, 2, 3], layer="min")
    assert found(document) == [("value", "b")]


def test_a_rival_called_min_beside_others_takes_its_own_best() -> None:
    """C's layer says that this is no paranoid search."""
    c = node("C", [1, 4, 3], leaf("x", 1, 4, 3), ply="c")
    assert found(above(c, leaf("y", 0, 2, 2), scores=[1, 4, 3], layer="min")) == []
    assert found(above(c, leaf("y", 0, 5, 2), scores=[1, 4, 3], layer="min")) == [("maxn", "b")]


def test_a_leaf_called_other_is_enough_to_say_so() -> None:
    children = leaf("x", 1, 4, 3, layer="other"), leaf("y", 0, 2, 2)
    assert found(above(*children, scores=[1, 4, 3], layer="min")) == []


def of_two(chosen: list[float], layer: str) -> list[tuple[str, str]]:
    """A general-sum game of two, in which B chooses between what is better for both and worse for both."""
    replies = [leaf("x", 3, 4), leaf("y", 1, 2)]
    b = node("B", chosen, *replies, ply="b", layer=layer)
    return found({"plyscope": 1, "players": ["A", "B"], "root": node("A", chosen, b)})


def test_of_two_players_each_takes_its_own_best_too() -> None:
    assert of_two([3, 4], "other") == []
    assert of_two([1, 2], "other") == [("maxn", "b")]


def test_a_score_of_two_players_is_the_root_players_component() -> None:
    root = {**node("A", [3, 4], leaf("x", 3, 4)), "score": 4}
    assert found({"plyscope": 1, "players": ["A", "B"], "root": root}, "maxn") == [("maxn", "root")]


def test_a_log_of_two_players_is_not_told_to_write_vectors() -> None:
    two = {"plyscope": 1, "players": ["A", "B"], "root": {"score": 1}}
    three = {"plyscope": 1, "players": ["A", "B", "C"], "root": {"score": 1}}
    listed = [
        [each.rule for each in check(read_log(json.dumps(document).encode())).not_checked]
        for document in (two, three)
    ]
    assert ["maxn" in rules for rules in listed] == [False, True]
