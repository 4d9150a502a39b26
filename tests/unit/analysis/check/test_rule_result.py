"""result, nearer-win: what the run says is what its tree shows, and no nearer win was passed over."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import child, example, found


@pytest.mark.parametrize(
    ("result", "path"),
    [
        ({"ply": "h8"}, "root"),
        ({"score": 5}, "root"),
        ({"nodes": 5}, "root"),
        ({"pv": ["e6"]}, "root"),
        ({"rank": 1}, "c6"),
        ({"nodes": 4, "pv": ["c6"], "rank": 0, "score": 4}, None),
    ],
)
def test_each_part_of_the_result_is_held_against_the_tree(result: dict[str, Any], path: str | None) -> None:
    document = example("result")
    document["result"] = {"ply": "c6", "score": 4, **result}
    assert found(document, "result") == ([] if path is None else [("result", path)])


def test_a_result_from_a_root_that_is_a_bound_is_found() -> None:
    document = example("result")
    document["result"]["ply"] = "c6"
    document["root"]["bound"] = "lower"
    assert ("result", "root") in found(document)


def test_a_variation_is_followed_to_its_first_table_or_leaf_node() -> None:
    document = example("result")
    document["result"] = {"ply": "c6", "score": 4, "pv": ["c6", "f5", "f6"]}
    best = {"ply": "f5", "layer": "max", "score": 4, "bound": "exact", "outcome": "tt"}
    worse = {"ply": "g6", "layer": "max", "score": 9, "bound": "lower"}
    child(document, 0)["children"] = [best, worse]
    assert found(document, "result") == []
    document["result"]["pv"][1] = "g6"
    assert found(document, "result") == [("result", "c6 > g6")]
    document["result"]["pv"][1] = "a1"
    assert found(document, "result") == [("result", "c6")]


def _iterations(result: dict[str, Any], last: str) -> dict[str, Any]:
    def tree(iteration: int, score: int, outcome: str) -> dict[str, Any]:
        leaf = {"ply": "c6", "layer": "min", "score": score, "bound": "exact"}
        root = {"iteration": iteration, "layer": "max", "outcome": outcome, "children": [leaf]}
        return root if outcome == "stopped" else {**root, "score": score, "bound": "exact"}

    return {"plyscope": 1, "result": result, "roots": [tree(1, 4, "searched"), tree(2, 7, last)]}


def test_a_stopped_run_may_give_the_result_of_an_older_iteration() -> None:
    older = {"ply": "c6", "score": 4}
    assert found(_iterations(older, "stopped")) == []
    assert found(_iterations({**older, "root": 0}, "searched")) == []


def test_the_score_of_an_older_iteration_is_wrong_after_a_newer_one() -> None:
    assert found(_iterations({"ply": "c6", "score": 4}, "searched")) == [("result", "root")]


def test_a_stopped_iteration_may_choose_among_the_plies_that_it_finished() -> None:
    for root in ({}, {"root": 1}):
        assert found(_iterations({"ply": "c6", "score": 7} | root, "stopped")) == []
        assert found(_iterations({"ply": "c6", "score": 8} | root, "stopped")) == [("result", "root")]


def test_a_stopped_iteration_that_chooses_a_ply_that_it_stopped_is_found() -> None:
    document = _iterations({"ply": "c6", "score": 7, "root": 1}, "stopped")
    document["roots"][1]["children"][0]["outcome"] = "stopped"
    assert found(document) == [("stopped-used", "root")]
    del document["result"]["root"]
    document["result"]["score"] = 4
    assert found(document) == []


def test_a_stopped_iteration_named_without_a_ply_is_found() -> None:
    assert found(_iterations({"score": 7, "root": 1}, "stopped")) == [("result", "root")]


def test_totals_are_odd_where_they_differ_and_wrong_where_the_score_does_too() -> None:
    for score, severity in ((4, "odd"), (5, "wrong")):
        document = example("result")
        document["result"] = {"ply": "c6", "score": score, "nodes": 99}
        report = check(read_log(json.dumps(document).encode()), compiled=False)
        (finding,) = report.findings("result")
        assert finding.severity == severity
        assert "99 nodes" in finding.message
        assert report.counts[severity] == 1


def test_a_root_that_failed_high_may_choose_a_ply_and_claims_no_score() -> None:
    document = example("result")
    document["root"] |= {"bound": "lower", "alpha": 3, "beta": 4}
    document["result"] = {"ply": "c6"}
    assert found(document, "result") == []
    document["root"]["bound"] = "upper"
    assert found(document, "result") == [("result", "root")]
    document["result"] = {"nodes": 4}
    assert found(document, "result") == []


@pytest.mark.parametrize(("name", "right"), [("pruned", 3), ("prune_events", 1), ("leaves", 1), ("nodes", 2)])
def test_totals_are_the_rows(name: str, right: int) -> None:
    leaf = {"ply": "c6", "score": 4, "outcome": "leaf"}
    root = {"score": 4, "outcome": "cutoff", "children": [leaf, {"outcome": "pruned", "count": 3}]}
    assert found({"plyscope": 1, "result": {name: right}, "root": root}, "result") == []
    assert found({"plyscope": 1, "result": {name: right + 1}, "root": root}, "result") == [("result", "root")]


def test_a_total_that_differs_is_said_of_what_the_rows_hold_not_of_their_number() -> None:
    document = example("result")
    document["result"] = {"ply": "c6", "score": 4, "nodes": 5}
    messages = [each.message for each in check(read_log(json.dumps(document).encode())).findings()]
    assert messages == ["The result counts 5 nodes, but the rows hold 4."]


def test_a_ply_with_spaces_around_it_is_quoted_so_that_they_are_seen() -> None:
    document = example("result")
    document["result"]["ply"] = "c6 "
    report = check(read_log(json.dumps(document).encode()))
    assert """The result's ply is "c6 ", but""" in report.findings("result")[0].message


def test_the_nearest_mate_is_exact_though_it_is_a_bound() -> None:
    won = {"ply": "a", "layer": "min", "score": 99, "outcome": "terminal", "ending": "win"}
    root = {"layer": "max", "score": 99, "bound": "lower", "alpha": None, "beta": None, "children": [won]}
    mate = {"mate": {"score": 100, "step": 1, "threshold": 50}}
    document = {"plyscope": 1, "search": mate, "root": root, "result": {"ply": "a", "score": 99}}
    assert found(document, "result") == []
    document["search"] = {}
    assert found(document, "result") == [("result", "root")]


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
