"""maxn: each of more than two players takes its own best, and the score is the root player's part."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.analysis.check.checked import Cases, Node, held, log, messages, report_of

PLAYERS = ["A", "B", "C"]
WRONG = "wrong maxn b"


def leaf(ply: str, *scores: float, **more: Any) -> Node:
    return {"ply": ply, "outcome": "leaf", "score": scores[0], "scores": list(scores), **more}


def node(player: str, scores: list[float], *children: Node, **more: Any) -> Node:
    """A node of A's search; A is the first of three, and its rivals are `other`."""
    layer = "max" if player == "A" else "other"
    said = {"layer": layer, "player": player, "score": scores[0], "scores": scores, "outcome": "searched"}
    return {**said, "children": list(children), **more}


def above(*children: Node, scores: list[float], **more: Any) -> Any:
    """A node of B below a root that has no other ply."""
    return log(node("A", scores, node("B", scores, *children, ply="b", **more)), players=PLAYERS)


X, Y = leaf("x", 1, 2, 3), leaf("y", 0, 4, 2)
EQUAL = leaf("x", 1, 4, 3), Y
OF_C = node("C", [1, 4, 3], leaf("x", 1, 4, 3), ply="c")


def of_two(chosen: list[float], layer: str = "other") -> Any:
    """A general-sum game of two, in which B chooses between what is better for both and worse for both."""
    b = node("B", chosen, leaf("x", 3, 4), leaf("y", 1, 2), ply="b", layer=layer)
    return log(node("A", chosen, b), players=PLAYERS[:2])


def with_last(last: Node) -> Any:
    return above(X, Y, last, scores=[1, 2, 3])


CASES: Cases = {
    "maxn: a player beyond the list is not asked": [
        (log(leaf("x", 1, 2, 3, player="D", layer="max"), players=[*PLAYERS, "D"]), ""),
    ],
    "maxn: a node that took no child as it is is not asked": [
        (above(X, Y, scores=[1, 2, 3]), WRONG),
        (above(X, Y, scores=[1, 2, 3], outcome="cutoff"), ""),
        (above(X, Y, scores=[1, 2, 3], bound="lower"), ""),
        (above(X, Y, scores=[1, 2, 3], layer="chance"), ""),
        (above(X, Y, scores=[1, 2, 3], tt={"use": "narrow", "bound": "lower", "score": 1}), ""),
    ],
    "maxn: children that are not all known as they were taken say nothing": [
        (with_last({"ply": "z", "outcome": "stopped"}), ""),
        (with_last({"ply": "z", "outcome": "leaf", "score": 1}), ""),
        (with_last(leaf("z", 0, 0, 0, counted_as=1)), ""),
        (with_last(leaf("z", 0, 0, 0, bound="upper")), ""),
    ],
    "a paranoid search is asked for the root player's smallest": [
        (above(X, Y, scores=[0, 4, 2], layer="min"), ""),
        (above(X, Y, scores=[1, 2, 3], layer="min"), "wrong value b"),
    ],
    "a rival called min beside a node or a leaf called other takes its own best": [
        (above(OF_C, leaf("y", 0, 2, 2), scores=[1, 4, 3], layer="min"), ""),
        (above(OF_C, leaf("y", 0, 5, 2), scores=[1, 4, 3], layer="min"), WRONG),
    ],
    "of two players each takes its own best too": [
        (of_two([3, 4]), ""),
        (of_two([1, 2]), WRONG),
    ],
    "maxn: a score of two players is the root player's component": [
        (log(node("A", [3, 4], leaf("x", 3, 4)) | {"score": 4}, players=PLAYERS[:2]), "wrong maxn root"),
    ],
}

test_maxn = held(CASES)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            above(*EQUAL, scores=[1, 4, 2]),
            "The children that are best for B have [1, 4, 3] or [0, 4, 2], but the node returned [1, 4, 2].",
        ),
        (
            log(X | {"score": 3}, players=PLAYERS, search={"root_player": "B"}),
            "In its own scores B has 2, but the score of the node is 3.",
        ),
    ],
)
def test_what_is_wrong_is_told_by_players(document: Any, message: str) -> None:
    assert messages(document, "maxn") == [message]


def test_the_root_player_is_the_declared_one() -> None:
    assert messages(log(X | {"score": 3}, players=PLAYERS, search={"root_player": "C"}), "maxn") == []


def test_a_log_of_two_players_is_not_told_to_write_vectors() -> None:
    reports = [report_of(log({"score": 1}, players=players)) for players in (PLAYERS[:2], PLAYERS)]
    assert ["maxn" in [each.rule for each in report.not_checked] for report in reports] == [False, True]
