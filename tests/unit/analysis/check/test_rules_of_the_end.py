"""over, no-outcome, all-skipped: where the game or the search ended, and what says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log


def node(ply: str | None, layer: str, score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    said: dict[str, Any] = {"ply": ply, "layer": layer, "score": score, **more}
    return {name: value for name, value in said.items() if value is not None} | (
        {"children": list(children)} if children else {}
    )


def leaf(ply: str, score: float, **more: Any) -> dict[str, Any]:
    return node(ply, "min", score, outcome="leaf", **more)


def found(rule: str, root: dict[str, Any], **header: Any) -> list[tuple[str, str]]:
    report = check(read_log(json.dumps({"plyscope": 1, **header, "root": root}).encode()), compiled=False)
    return [(each.severity, each.path) for each in report.findings(rule)]


SKIPPED = {"outcome": "skipped", "count": 3}


@pytest.mark.parametrize(
    "below",
    [[SKIPPED], [{"outcome": "limited", "count": 2}], [node("x", "max", 0, outcome="leaf")]],
    ids=["skipped", "limited", "searched"],
)
def test_a_finished_game_has_no_plies(below: list[dict[str, Any]]) -> None:
    over = node("b", "min", 0, *below, outcome="terminal", ending="draw")
    assert found("over", node(None, "max", 4, leaf("a", 4), over)) == [("wrong", "b")]
    del over["children"]
    assert found("over", node(None, "max", 4, leaf("a", 4), over)) == []


def test_an_ending_says_that_the_game_is_over_too() -> None:
    over = node("b", "min", 9, node("x", "max", 9), outcome="searched", ending="win")
    assert found("over", node(None, "max", 9, over)) == [("wrong", "b")]


def test_a_node_that_a_solver_proved_may_state_its_ending_above_plies() -> None:
    solved = node("b", "min", 1, node("x", "max", 1, visits=2, mean=1.0), ending="win", visits=3, mean=1.0)
    root = node(None, "max", 1, solved, visits=4, mean=1.0, outcome="searched")
    best_first = {"order": "best_first", "range": [-1, 1]}
    assert found("over", root, search=best_first) == [("odd", "b")]
    solved |= {"outcome": "terminal"}
    assert found("over", root, search=best_first) == [("wrong", "b")]


def test_plies_may_be_left_over_at_the_end() -> None:
    won = node("b", "min", 9, outcome="terminal", ending="win", moves=6)
    assert found("over", node(None, "max", 9, leaf("a", 4, moves=7), won)) == []


def test_a_mate_at_the_horizon_is_no_leaf() -> None:
    mate = leaf("b", 4, moves=0, in_check=True)
    assert found("over", node(None, "max", 4, leaf("a", 3, moves=0), mate)) == [("odd", "b")]


def test_a_leaf_without_plies_is_odd_where_others_have_some() -> None:
    stalemate = leaf("b", 4, moves=0)
    assert found("over", node(None, "max", 4, leaf("a", 3, moves=5), stalemate)) == [("odd", "b")]
    assert found("over", node(None, "max", 4, leaf("a", 3, moves=0), stalemate)) == []


def test_a_side_without_plies_may_pass() -> None:
    passed = node("c", "min", 3, node("pass", "max", 3, outcome="leaf", moves=4), outcome="searched", moves=0)
    assert found("over", node(None, "max", 4, passed, leaf("b", 4, moves=0))) == []


@pytest.mark.parametrize("more", [{"quiescence": True}, {"why": "tablebase"}, {"moves": 3}])
def test_a_leaf_that_may_have_plies_or_knows_its_worth_is_right(more: dict[str, Any]) -> None:
    log = node(None, "max", 4, leaf("a", 3, moves=5), leaf("b", 4, **{"moves": 0, **more}))
    assert found("over", log) == []


def horizon(*nodes: dict[str, Any]) -> dict[str, Any]:
    searched = node("a", "min", 5, node("x", "max", 5, outcome="leaf", depth=0), outcome="searched", depth=1)
    return node(None, "max", 5, searched, *nodes, outcome="searched", depth=2)


def test_a_node_above_the_horizon_says_why_it_ended() -> None:
    assert found("no-outcome", horizon(node("b", "min", 0, depth=1))) == [("odd", "b")]


@pytest.mark.parametrize(
    "more",
    [
        {"outcome": "stopped"},
        {"outcome": "tt"},
        {"depth": 0},
        {"depth": -1, "quiescence": True},
        {"score": None},
        {"ending": "draw"},
        {"tt": {"use": "cut", "score": 0}},
        {"cut_by": "null"},
    ],
)
def test_other_nodes_without_children_are_left_alone(more: dict[str, Any]) -> None:
    assert found("no-outcome", horizon(node("b", "min", **{"score": 0, "depth": 1, **more}))) == []


def all_skipped(**more: Any) -> dict[str, Any]:
    """A log in which a node above the horizon skips all its plies."""
    return horizon(node("b", "min", **{"score": 4, "outcome": "searched", **more}, children=[SKIPPED]))


@pytest.mark.parametrize("more", [{"bound": "exact"}, {"alpha": 3, "beta": 9}, {}, {"static": 3}])
def test_a_score_of_which_no_ply_was_searched_is_a_bound_or_an_estimate(more: dict[str, Any]) -> None:
    assert found("all-skipped", all_skipped(**more)) == [("odd", "b")]


@pytest.mark.parametrize(
    "more",
    [
        {"bound": "upper"},
        {"alpha": 4, "beta": 9},
        {"estimate": 4},
        {"static": 4},
        {"stand_pat": 4, "quiescence": True},
        {"cut_by": "estimate", "outcome": "cutoff"},
        {"outcome": "stopped", "score": None},
        {"ending": "draw"},
        {"tt": {"use": "narrow", "score": 4, "bound": "exact"}},
    ],
)
def test_a_node_that_skipped_its_plies_for_a_reason_is_left_alone(more: dict[str, Any]) -> None:
    assert found("all-skipped", all_skipped(**more)) == []


def test_a_writer_who_never_says_leaf_need_not_say_outcomes() -> None:
    log = horizon(node("b", "min", 0, depth=1))
    del log["children"][0]["children"][0]["outcome"]
    assert found("no-outcome", log) == []


def test_an_engine_that_takes_kings_knows_of_mate_after_its_plies() -> None:
    """Each ply is answered by the capture of the king; what the node returns is none of these scores."""
    taken = node("x", "min", 900, outcome="terminal", ending="win")
    replies = [node(ply, "max", 900, taken, outcome="cutoff") for ply in ("p", "q")]
    mate = node("b", "min", 500, *replies, outcome="terminal")
    assert found("over", node(None, "max", 500, mate)) == []
    replies[0]["score"] = 3
    assert found("over", node(None, "max", 500, mate)) == [("wrong", "b")]


def test_plies_that_are_left_over_at_an_end_are_not_missed() -> None:
    won = node("b", "min", 9, outcome="terminal", ending="win", moves=6)
    assert found("moves", node(None, "max", 9, leaf("a", 4), won, moves=2)) == []
    assert found("moves", node(None, "max", 9, leaf("a", 4), won, moves=3)) == [("wrong", "root")]


def test_a_finished_game_above_the_horizon_is_called_a_leaf() -> None:
    log = node(None, "max", 4, leaf("a", 3, moves=5, depth=2), leaf("b", 4, moves=0, depth=2), depth=3)
    document = {"plyscope": 1, "root": log}
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    (finding,) = report.findings("over")
    assert finding.message.endswith("but the position is called a leaf: `outcome` should be `terminal`.")
