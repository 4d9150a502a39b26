"""Tests of rules on `counted_as`, `estimate`, several threads, tablebase leaves, a result's own bound."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.declarations import declared
from plyscope.visualizer.analysis.nodes.best_children import ranked_children
from plyscope.visualizer.analysis.nodes.deciding_line import deciding_line
from plyscope.visualizer.analysis.nodes.proof import proof_of
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.tree import Tree
from tests.unit.analysis.check.checked import found
from tests.unit.logs import log_of

ORDERED = ("window", "window-wide", "cut-missed", "research-missing", "tt-source")
"""The rules that go by the order of rows."""


def said(root: dict[str, Any], **header: Any) -> list[tuple[str, str]]:
    return found(
        {"plyscope": 1, "search": {"fail": "soft", **header.pop("search", {})}, **header, "root": root}
    )


def node(layer: str, score: float, *children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    below = {"children": list(children)} if children else {"outcome": "leaf"}
    return {"layer": layer, "score": score, "bound": "exact", "alpha": None, "beta": None, **below, **fields}


def leaf(ply: str, score: float, **fields: Any) -> dict[str, Any]:
    return node("min", score, ply=ply, **fields)


# What a parent took -----------------------------------------------------------------------------------


def test_a_parent_has_the_best_of_what_it_took_and_not_of_the_scores() -> None:
    """max: a leaf of 9 that counts as 4, and one of 5 in the window above 4."""
    children = leaf("a", 9, counted_as=4), leaf("b", 5, alpha=4)
    assert said(node("max", 5, *children)) == []
    assert ("value", "root") in said(node("max", 9, *children))


def test_a_claim_moves_with_what_was_taken() -> None:
    children = leaf("a", 9, bound="lower", counted_as=6), leaf("b", 5, alpha=6, bound="upper")
    assert said(node("max", 6, *children, bound="lower")) == []
    assert ("claim", "root") in said(node("max", 6, *children))


@pytest.mark.parametrize("alpha", [4, 5])
def test_a_window_may_be_moved_as_the_score_is_or_left_as_it_was(alpha: float) -> None:
    """The mover has 4; the second ply loses 1 on the way up, so it must return more than 5 to beat that."""
    children = leaf("a", 4), leaf("b", 8, alpha=alpha, counted_as=7)
    assert said(node("max", 7, *children)) == []


def test_a_window_that_was_moved_to_the_other_side_or_by_another_number_is_wrong() -> None:
    for alpha in (5.5, 9):
        children = leaf("a", 4), leaf("b", 8, alpha=alpha, counted_as=7)
        assert ("window", "b") in said(node("max", 7, *children))


def test_where_all_scores_move_by_one_step_a_window_moves_by_it_though_its_score_does_not() -> None:
    """Mates lose a step on the way up, and edges that are mates gain one on the way down."""
    first = leaf("a", 1000, counted_as=999)
    second = leaf("b", 12, alpha=1000, bound="upper")
    assert said(node("max", 999, first, second)) == []


def test_where_all_scores_fade_in_one_ratio_a_window_may_be_moved_in_it() -> None:
    first = leaf("a", 8, counted_as=4)
    second = leaf("b", 0, alpha=8, bound="upper")
    assert said(node("max", 4, first, second)) == []
    other = leaf("c", 6, counted_as=5, alpha=8)  # no ratio any more, nor a step
    assert ("window", "b") in said(node("max", 5, first, second, other))


def test_the_end_of_the_range_does_not_move_with_a_claim() -> None:
    """A ply worth at most 4 counts as at most 3, and still as no less than the worst result there is."""
    children = (
        leaf("a", 4, counted_as=3, bound="upper", alpha=4),
        leaf("b", 2, counted_as=1, bound="upper", alpha=4),
    )
    root = node("max", 3, *children, bound="upper", alpha=3)
    assert said(root, search={"range": [-10, 10]}) == []
    root["score"] = 2
    assert ("claim", "root") in said(root, search={"range": [-10, 10]})


def test_a_cap_cuts_off_the_open_side_of_a_claim() -> None:
    """At least 9 and at least 8, but no more than 6 is taken for either: the best is 6, exactly."""
    capped = [leaf(ply, score, bound="lower", beta=7, counted_as=6) for ply, score in (("a", 9), ("b", 8))]
    capped[1]["alpha"] = 6
    assert said(node("max", 6, *capped, beta=7)) == []


def test_a_scout_that_is_capped_to_the_best_so_far_needs_no_re_search() -> None:
    first = leaf("a", 5)
    for counted_as, expected in ((5, []), (7, [("research-missing", "b")])):
        scout = leaf("b", 9, bound="lower", alpha=5, beta=6, purpose="scout", counted_as=counted_as)
        root = node("max", counted_as, first, scout, beta=20, bound="lower")
        assert [each for each in said(root) if each[0] == "research-missing"] == expected


def test_a_cut_is_missed_by_what_was_taken() -> None:
    """9 reaches beta, the 4 that it counts as does not."""
    children = leaf("a", 9, counted_as=4, beta=8), leaf("b", 5, alpha=4, beta=8)
    assert said(node("max", 5, *children, beta=8)) == []


def test_leaves_are_folded_up_again_as_they_were_taken() -> None:
    children = leaf("a", 9, counted_as=4, static=9), leaf("b", 3, alpha=4, static=3)
    assert said(node("max", 4, *children)) == []
    unmoved = leaf("a", 9, static=9), leaf("b", 3, alpha=9, static=3)
    assert ("repropagate", "root") in said(node("max", 4, *unmoved))


def test_the_principal_variation_goes_on_with_the_score_that_was_moved() -> None:
    deep = node("max", 9, node("min", 9, ply="c"), ply="b")
    root = node("max", 7, node("min", 8, {**deep, "counted_as": 8}, ply="a", counted_as=7))
    result = {"ply": "a", "score": 7, "pv": ["a", "b", "c"]}
    assert said(root, result=result) == []
    worse = {**result, "pv": ["a", "b", "d"]}
    assert said(root, result=worse) == [("result", "a > b")]


def test_the_deciding_line_goes_through_the_ply_that_counted_as_the_score() -> None:
    tree = Tree(log_of(node("max", 5, leaf("a", 9, counted_as=4), leaf("b", 6, counted_as=5))))
    assert deciding_line(tree, 0).rows == (2,)


def test_siblings_are_ranked_by_what_was_taken() -> None:
    tree = Tree(log_of(node("max", 5, leaf("a", 9, counted_as=4), leaf("b", 5))))
    rows, _ = ranked_children(tree, 0)
    assert rows.tolist() == [2, 1]


# Estimates --------------------------------------------------------------------------------------------


def test_an_estimate_is_one_more_ply_of_the_mover() -> None:
    """Futility: the plies that were skipped are worth at most 6."""
    children = leaf("a", 4, alpha=6, bound="upper"), {"outcome": "skipped", "count": 3}
    assert said(node("max", 6, *children, alpha=6, estimate=6, bound="upper")) == []
    assert ("value", "root") in said(node("max", 4, *children, alpha=6, estimate=6, bound="upper"))
    assert ("value", "root") in said(node("max", 6, *children, alpha=6, bound="upper"))


def test_an_estimate_of_the_other_layer_is_the_smallest() -> None:
    below = node("max", 8, ply="a", alpha=None, beta=6, bound="lower")
    assert said(node("min", 6, below, estimate=6)) == []
    assert ("value", "root") in said(node("min", 8, below, estimate=6))


def test_an_estimate_lifts_the_edge_and_opens_nothing() -> None:
    lifted = leaf("a", 5, alpha=6, bound="upper")
    assert said(node("max", 6, lifted, estimate=6)) == []
    assert ("window", "a") in said(node("max", 6, lifted, estimate=3))


def test_a_ply_may_be_searched_before_the_rest_is_estimated() -> None:
    """The first ply raises the best to 6, and only then the rest, worth at most 5, is skipped."""
    children = leaf("a", 6), {"outcome": "skipped", "count": 3}
    assert said(node("max", 6, *children, estimate=5)) == []
    assert said(node("max", 6, *children, estimate=5, alpha=2)) == [("window-wide", "a")]
    second = leaf("b", 6, alpha=4)
    assert said(node("max", 6, leaf("a", 4), second, children[1], estimate=5)) == []
    lower = node("max", 6, leaf("a", 3), second, children[1], estimate=5)
    assert said(lower) == [("window-wide", "b")]


def test_a_ply_may_be_searched_twice_around_the_plies_that_were_estimated() -> None:
    """The table's ply is searched first and, by a loop that does not leave it out, once more later."""
    stub, again = {"outcome": "skipped", "count": 3}, leaf("a", 4, alpha=5)
    plies = leaf("a", 4), leaf("b", 5, alpha=4, bound="upper"), stub, again
    assert said(node("max", 6, *plies, leaf("c", 6, alpha=5), estimate=5)) == []
    wider = leaf("a", 4), leaf("b", 5, alpha=3, bound="upper"), stub, again
    assert said(node("max", 6, *wider, leaf("c", 6, alpha=5), estimate=5)) == [("window-wide", "b")]


def test_a_node_all_of_whose_plies_were_estimated_has_the_estimate() -> None:
    stub = {"outcome": "skipped", "count": 3}
    assert said(node("max", 6, stub, estimate=6, alpha=9, bound="upper")) == []
    assert said(node("max", 7, stub, estimate=6, alpha=9, bound="upper")) == [("value", "root")]
    assert said({**node("max", 7, estimate=6), "outcome": "searched"}) == [
        ("value", "root"),
        ("claim", "root"),
    ]


def test_the_deciding_line_ends_at_an_estimate() -> None:
    tree = Tree(log_of(node("max", 6, leaf("a", 6), estimate=6)))
    line = deciding_line(tree, 0)
    assert (line.rows, line.how) == ((), "estimate")
    assert "estimate" in line.note


@pytest.mark.parametrize("guess", [{"estimate": 1}, {}])
def test_contradictions_are_odd_beside_an_estimate(guess: dict[str, Any]) -> None:
    visits = leaf("a", 8, bound="lower", depth=1), leaf("a", 6, purpose="research", depth=1)
    report = check(log_of(node("max", 6, *visits, depth=2, **guess), search={"fail": "soft"}), compiled=False)
    found = {finding.severity for finding in report.findings("research-disagrees")}
    assert found == {"odd" if guess else "wrong"}


@pytest.mark.parametrize("change", [{"extension": 1}, {"extension": -0.5}, {"reduction": 1}])
def test_contradictions_are_odd_where_depth_may_follow_the_order_of_plies(change: dict[str, Any]) -> None:
    visits = leaf("a", 8, bound="lower", depth=1), leaf("a", 6, purpose="research", depth=1)
    other = leaf("b", 1, depth=1, **change)
    report = check(log_of(node("max", 6, *visits, other, depth=2), search={"fail": "soft"}), compiled=False)
    assert {finding.severity for finding in report.findings("research-disagrees")} == {"odd"}


@pytest.mark.parametrize("guess", ["estimate", "skipped", ""])
def test_a_loss_is_not_proven_where_a_guess_stood_in_for_plies(guess: str) -> None:
    """The opponent has two plies, both lost at once."""
    over = {"outcome": "terminal", "ending": "win", "layer": "max", "score": 98}
    stub = [{"outcome": "skipped", "count": 1}] if guess == "skipped" else []
    estimate = {"estimate": 99} if guess == "estimate" else {}
    lost = {"ply": "a", "layer": "min", "score": 98, "moves": 2, **estimate}
    lost["children"] = [{**over, "ply": "x"}, {**over, "ply": "y"}, *stub]
    mate = {"score": 100, "step": 1, "threshold": 50}
    log = log_of({"layer": "max", "score": 98, "children": [lost]}, search={"mate": mate})
    proof = proof_of(log, 0)
    assert proof is not None
    assert proof.verdict == ("none" if guess else "proven")


def test_windows_beside_plies_that_have_no_rows_are_not_judged() -> None:
    """The ply without a row may have raised alpha to 3."""
    children = leaf("a", 2), leaf("b", 5, alpha=3)
    assert ("window", "b") in said(node("max", 5, *children))
    assert said(node("max", 5, *children, {"outcome": "unlogged", "count": 1})) == []


# Threads ----------------------------------------------------------------------------------------------


def test_rules_of_order_are_not_asked_where_threads_searched() -> None:
    late = leaf("a", 5, alpha=9), leaf("b", 9, alpha=5)
    root = node("max", 9, *late)
    assert [rule for rule, _ in said(root)] == ["window"]
    log = log_of(root, search={"fail": "soft", "threads": 4})
    report = check(log, compiled=False)
    assert report.findings() == []
    reasons = {each.rule: each.why for each in report.not_checked}
    assert all("thread" in (reasons[rule] or "") for rule in ORDERED)


@pytest.mark.parametrize(("threads", "n_found"), [(1, 1), (2, 0)])
def test_a_child_may_be_stopped_under_a_cut_of_another_thread(threads: int, n_found: int) -> None:
    stopped = {"ply": "a", "layer": "min", "outcome": "stopped"}
    root = node(
        "max", 9, stopped, leaf("b", 9, bound="lower", beta=8), beta=8, bound="lower", outcome="cutoff"
    )
    assert len(said(root, search={"threads": threads})) == n_found


def test_a_stopped_child_without_a_cut_is_a_fault_in_any_number_of_threads() -> None:
    stopped = {"ply": "a", "layer": "min", "outcome": "stopped"}
    root = node("max", 7, stopped, leaf("b", 7))
    assert said(root, search={"threads": 2}) == [("stopped-used", "root")]


@pytest.mark.parametrize("threads", [0, 1.5, True, "2", -1])
def test_threads_that_are_no_whole_number_from_1_are_refused(threads: Any) -> None:
    with pytest.raises(LogError, match="expected a whole number from 1") as refused:
        log_of({"score": 1}, search={"threads": threads})
    assert refused.value.path == "$.search.threads"


# Tablebases -------------------------------------------------------------------------------------------


def test_a_tablebase_leaf_need_not_have_its_static() -> None:
    probed = leaf("a", 90, static=3, outcome="leaf")
    assert said(node("max", 90, probed)) == [("leaf", "a"), ("repropagate", "root")]
    assert said(node("max", 90, {**probed, "why": "tablebase"})) == []
    assert said(node("max", 90, {**probed, "why": " Tablebase "}, leaf("b", 2, static=2, alpha=90))) == []


def test_the_deciding_line_ends_at_a_tablebase_leaf_without_a_word_on_its_static() -> None:
    tree = Tree(log_of(node("max", 90, leaf("a", 90, static=3, why="tablebase"))))
    line = deciding_line(tree, 0)
    assert (line.rows, line.how, line.note) == ((1,), "leaf", "")


# Results ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "is_found"),
    [
        ({"score": 7}, True),
        ({"score": 7, "bound": "lower"}, False),
        ({"score": 7, "bound": "upper"}, True),
        ({"score": 7, "bound": "exact"}, True),
        ({"score": 6, "bound": "lower"}, True),
        ({}, False),
    ],
)
def test_a_result_that_is_a_bound_says_which(result: dict[str, Any], is_found: bool) -> None:
    root = node("max", 7, leaf("a", 7, bound="lower", beta=5), beta=5, bound="lower", outcome="cutoff")
    assert (said(root, result={"ply": "a", **result}) == [("result", "root")]) == is_found


def test_the_bound_of_a_result_turns_with_its_score() -> None:
    root = {"layer": "min", "player": "b", "score": 3, "bound": "lower"}
    log = log_of(
        root,
        players=["a", "b"],
        search={"perspective": "mover", "root_player": "a"},
        result={"score": 3, "bound": "lower"},
    )
    assert log.header["result"] == {"score": -3, "bound": "upper"}
    assert np.isclose(log.columns["score"][0], -3)


@pytest.mark.parametrize(
    "taken",
    [
        [(-1.5e308, 1.7e308)],
        [(1e-308, 1e308)],
        [(5e-324, 3.0), (2.0, 3.0)],
        [(1.0, 1.7e308), (1.0, -1.7e308)],
    ],
)
def test_what_was_counted_beyond_all_numbers_is_no_step_and_no_warning(
    taken: list[tuple[float, float]],
) -> None:
    children = [
        {"ply": f"p{at}", "score": score, "counted_as": counted, "outcome": "leaf"}
        for at, (score, counted) in enumerate(taken)
    ]
    best = max(counted for _, counted in taken)
    log = {
        "plyscope": 1,
        "root": {"layer": "max", "score": best, "outcome": "searched", "children": children},
    }
    told = declared(read_log(json.dumps(log).encode()))
    assert not math.isinf(told["counted_step"])
    assert not math.isinf(told["counted_ratio"])
    assert found(log, "value") == []
