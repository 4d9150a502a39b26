"""nearer-win: a win at once, or a nearer one, beside the one that was chosen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log

Node = dict[str, Any]


def won(ply: str, layer: str, score: float, **more: Any) -> Node:
    return {"ply": ply, "layer": layer, "score": score, "outcome": "terminal", "ending": "win", **more}


def line(ply: str, score: float, *, moves: int | None = 1) -> Node:
    """A ply, its only reply, and a ply that wins."""
    reply: Node = {"ply": "r", "layer": "max", "score": score, "outcome": "searched", "moves": 2}
    reply["children"] = [won("w", "min", score)]
    first: Node = {"ply": ply, "layer": "min", "score": score, "outcome": "searched", "children": [reply]}
    return first if moves is None else first | {"moves": moves}


def said(*plies: Node, ply: str = "a", layer: str = "max", **header: Any) -> list[tuple[str, str, str]]:
    root = {"layer": layer, "score": plies[0]["score"], "outcome": "searched", "children": list(plies)}
    document = {"plyscope": 1, **header, "root": root, "result": {"ply": ply}}
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    return [(each.severity, each.path, each.message) for each in report.findings("nearer-win")]


def test_a_win_at_once_beside_a_slower_one_is_said() -> None:
    message = "This ply wins in 3 plies, but b wins at once: a nearer win was passed over."
    assert said(line("a", 10), won("b", "min", 10)) == [("odd", "a", message)]
    assert said(line("a", 10), won("b", "min", 10), ply="b") == []


def test_slower_wins_that_score_more_are_the_same_fault() -> None:
    mate = {"search": {"mate": {"score": 100, "step": 1, "threshold": 50}}}
    assert len(said(line("a", 99), won("b", "min", 97), **mate)) == 1
    assert said(line("a", 97), won("b", "min", 99), **mate) != []


def test_a_win_that_is_not_proven_counts_where_the_two_have_one_score() -> None:
    unproven = line("a", 10, moves=3)
    assert [message for _, _, message in said(unproven, won("b", "min", 10))] == [
        "b wins at once, which is proven, and has the same score; of this ply no win is proven."
    ]
    unproven["score"] = 12
    assert said(unproven, won("b", "min", 10)) == []


def test_the_nearest_loss_of_the_root_player_is_the_win_of_a_min_root() -> None:
    def turned(node: Node) -> Node:
        layer = "min" if node["layer"] == "max" else "max"
        ending = {"ending": "loss"} if "ending" in node else {}
        children = {"children": [turned(each) for each in node["children"]]} if "children" in node else {}
        return {**node, "layer": layer, "score": -node["score"], **ending, **children}

    assert len(said(turned(line("a", 10)), turned(won("b", "min", 10)), layer="min")) == 1


@pytest.mark.parametrize(
    ("plies", "header"),
    [
        ([line("a", 10), line("b", 10)], {}),
        ([won("a", "min", 10), won("b", "min", 10)], {}),
        ([line("a", 10), {"ply": "b", "layer": "min", "score": 10, "outcome": "leaf"}], {}),
        ([line("a", 10), won("b", "min", 10, ending="draw")], {}),
        ([line("a", 10), won("b", "min", 10, purpose="probe")], {}),
    ],
    ids=["equal", "both at once", "a leaf", "a draw", "a probe"],
)
def test_where_no_nearer_win_is_proven_nothing_is_said(plies: list[Node], header: dict[str, Any]) -> None:
    assert said(*plies, **header) == []
