"""result: what the run says in the end is what its tree shows."""

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
