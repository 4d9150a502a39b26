"""The line that decided a score, and the principal variation."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from plyscope.visualizer.analysis.nodes.deciding_line import Line, deciding_line, principal_variation
from plyscope.visualizer.analysis.nodes.score_source import SOURCE_UNSTATED
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import tree_of


def leaf(ply: str, score: float, **more: Any) -> dict[str, Any]:
    return {"ply": ply, "score": score, "outcome": "leaf", **more}


def node(ply: str, score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"ply": ply, "score": score, "outcome": "searched", "children": list(children), **more}


def most(score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A root of the side that takes the most, its window open where no other is stated."""
    window = {"alpha": None, "beta": None}
    return node("", score, *children, layer="max") | window | more


def line_of(root: dict[str, Any], row: int = 0, **header: Any) -> Line:
    return deciding_line(tree_of(root, **header), row)


STORED = node("a", 3, leaf("x", 3))
HIT = {"ply": "b", "score": 3, "outcome": "tt", "tt": {"use": "cut", "score": 3, "from": 1}}
SCOUT = node("a", 4, leaf("x", 4), layer="min", bound="upper", purpose="scout", depth=1)
RESEARCH = node("a", 4, leaf("y", 4), layer="min", bound="exact", purpose="research", depth=1)
EXACT, UPPER = leaf("b", 4, bound="exact"), leaf("a", 4, bound="upper")
PROVING = leaf("a", 4, bound="lower", purpose="scout"), leaf("a", 4, bound="upper", purpose="research")


@pytest.mark.parametrize(
    ("root", "rows", "how"),
    [
        # The first child with the score, down to its leaf, but no null move, probe or stopped visit.
        (node("", 4, leaf("a", 2), node("b", 4, leaf("c", 4), leaf("d", 4)), leaf("e", 4)), (2, 3), "leaf"),
        (node("", 4, leaf("pass", 4, purpose="null"), leaf("b", 4)), (2,), "leaf"),
        (node("", 4, leaf("pass", 4, purpose="probe"), leaf("b", 4)), (2,), "leaf"),
        (node("", 4, {"ply": "a", "score": 4, "outcome": "stopped"}, leaf("b", 4)), (2,), "leaf"),
        # Of two visits of a ply the deeper one counts.
        (node("", 4, leaf("a", 4, depth=1), leaf("a", 3, depth=2), leaf("b", 4, depth=2)), (3,), "leaf"),
        # A chance node at the horizon, where the dice are not rolled.
        (node("", 4, leaf("a", 4, layer="chance", static=4), leaf("b", 3)), (1,), "leaf"),
        # A re-search and never the scout beside it, which proves nothing though both returned 4.
        (most(4, leaf("b", 3, bound="exact"), SCOUT, RESEARCH), (4, 5), "leaf"),
        # The ply that proves the score, an equal bound only where none does.
        (most(4, UPPER, EXACT), (2,), "leaf"),
        (most(4, leaf("a", 4, bound="lower"), EXACT, layer="min"), (2,), "leaf"),
        (most(4, leaf("b", 4, bound="upper"), *PROVING), (3,), "leaf"),  # together, not alone
        (most(4, UPPER, leaf("b", 4, bound="upper"), bound="upper", alpha=9), (1,), "leaf"),
        (most(4, leaf("a", 4, bound="exact"), stand_pat=4, quiescence=True), (), "stand_pat"),
        # What was taken of a ply is its worth.
        (most(5, leaf("a", 9, counted_as=4), leaf("b", 6, counted_as=5)), (2,), "leaf"),
        # A table hit, which goes on in the node that stored it, where that is in the log.
        (node("", 3, leaf("a", 5), HIT | {"tt": {"use": "cut"}}), (2,), "table"),
        (node("", 3, node("a", 3, HIT | {"tt": {"use": "cut", "from": 1}})), (1, 2), "table"),  # back into it
    ],
)
def test_the_line_goes_through_the_visits_that_have_the_score(
    root: dict[str, Any], rows: tuple[int, ...], how: str
) -> None:
    line = line_of(root)
    assert (line.rows, line.how) == (rows, how)


def test_a_table_hit_and_a_narrowed_node_go_on_in_the_source_of_the_entry() -> None:
    assert line_of(node("", 5, STORED, HIT, leaf("c", 5)), 3).rows == (1, 2)
    entry = {"use": "narrow", "score": 3, "bound": "upper", "from": 1}
    narrowed = most(3, leaf("y", 5, bound="lower"), ply="b", tt=entry)
    assert line_of(node("", 5, STORED, narrowed), 3).rows == (1, 2)
    entry["from"] = 99
    assert "not in this log" in line_of(node("", 5, STORED, narrowed), 3).note
    del entry["from"]
    found = line_of(node("", 5, STORED, narrowed), 3)
    assert (found.how, found.note) == ("table", SOURCE_UNSTATED)
    assert "leads back" in line_of(node("", 3, node("a", 3, HIT | {"tt": {"use": "cut", "from": 1}}))).note


ENDS = [
    ({"score": 3, "outcome": "terminal", "ending": "win"}, "terminal"),
    ({"score": 3, "outcome": "cutoff", "cut_by": "stand_pat", "stand_pat": 3}, "stand_pat"),
    ({"score": 3, "outcome": "cutoff", "cut_by": "null", "children": [leaf("q", 1)]}, "null_move"),
    ({"score": 3, "outcome": "cutoff", "cut_by": "estimate", "children": [leaf("q", 3)]}, "estimate"),
    ({"score": 3, "outcome": "searched", "estimate": 3, "children": [leaf("q", 3)]}, "estimate"),
    ({"score": 3, "outcome": "leaf", "static": 1, "why": "tablebase"}, "leaf"),
    ({"score": 3, "outcome": "cutoff", "bound": "lower", "children": [leaf("q", 9)]}, "not_recorded"),
    ({"score": 3, "outcome": "cutoff", "cut_by": "child", "children": [leaf("q", 9)]}, "unknown"),
    ({"score": 3, "layer": "chance", "children": [leaf("q", 3)]}, "chance"),
    ({"score": 3, "outcome": "searched", "bound": "exact", "children": [leaf("q", 9)]}, "unknown"),
    ({"children": [leaf("q", 9)]}, "unknown"),
    ({"outcome": "leaf"}, "unknown"),
    ({"score": 3}, "end"),
    ({"score": 3, "outcome": "searched"}, "not_recorded"),
    ({"score": 3, "outcome": "searched", "children": [{"outcome": "unlogged", "count": 9}]}, "not_recorded"),
]


@pytest.mark.parametrize(("fields", "how"), ENDS)
def test_where_no_child_has_the_score_it_is_said_why(fields: dict[str, Any], how: str) -> None:
    line = line_of(fields)
    assert (line.how, line.rows) == (how, ())
    assert line.note or how in ("terminal", "end", "leaf")


CLAMPED = [
    most(5, leaf("a", 5, bound="upper"), alpha=5, beta=9),
    {"layer": "max", "score": 5, "outcome": "tt", "alpha": 1, "beta": 5, "tt": {"use": "cut", "score": 8}},
]


@pytest.mark.parametrize("root", CLAMPED)
def test_a_clamped_score_ends_at_the_edge_of_the_window_unless_the_log_is_fail_soft(
    root: dict[str, Any],
) -> None:
    found = [line_of(root, search={"fail": fail} if fail else {}).how for fail in (None, "hard", "soft")]
    assert [how == "window_edge" for how in found] == [True, True, False]


@pytest.mark.parametrize(
    ("root", "rows", "how"),
    [
        (most(5, leaf("a", 9, bound="lower"), alpha=1, beta=5), (1,), "leaf"),
        (most(5, leaf("a", 2, bound="upper"), leaf("b", 3, bound="upper"), alpha=5, beta=9), (2,), "leaf"),
        (most(5, leaf("a", 5, bound="upper", static=2, alpha=5, beta=9), alpha=5, beta=9), (1,), "leaf"),
        (most(5, alpha=1, beta=5, stand_pat=7), (), "stand_pat"),
        ({"layer": "max", "score": 5, "outcome": "leaf", "alpha": 1, "beta": 5, "static": 8}, (), "leaf"),
        ({"layer": "max", "score": 5, "outcome": "leaf", "static": 8}, (), "leaf"),
    ],
)
def test_behind_a_clamped_score_the_line_goes_on_where_the_rows_say_more(
    root: dict[str, Any], rows: tuple[int, ...], how: str
) -> None:
    for search in ({}, {"fail": "hard"}):
        found = line_of(root, search=search)
        assert (found.rows, found.how) == (rows, how)


@pytest.mark.parametrize(
    ("window", "search", "how"),
    [
        ({"alpha": 1, "beta": 9, "static": 8}, {}, "leaf"),  # no window explains it
        ({"alpha": 5, "beta": 9, "static": 5}, {"fail": "hard"}, "leaf"),
        ({"alpha": 5, "beta": 9}, {}, "leaf"),
        ({"alpha": 5, "beta": 9}, {"fail": "hard"}, "window_edge"),
    ],
)
def test_a_leaf_is_at_an_edge_only_where_that_explains_its_score(
    window: dict[str, Any], search: dict[str, str], how: str
) -> None:
    assert line_of({"layer": "max", "score": 5, "outcome": "leaf", **window}, search=search).how == how


def test_a_leaf_whose_evaluation_was_rounded_is_a_leaf() -> None:
    root = {"layer": "max", "score": 5.01, "outcome": "leaf", "static": 5.012}
    assert line_of(root, search={"tolerance": 0.001}).note == ""
    assert "not the leaf's own evaluation" in line_of(root).note


@pytest.mark.parametrize(
    ("root", "result", "rows"),
    [
        (node("", 4, leaf("a", 4)), {"pv": ["z9", "a"]}, [0, 1]),  # the log does not hold it
        (node("", 4, leaf("a", 4), node("b", 3, leaf("c", 3))), {"ply": "b", "rank": 1}, [0, 2, 3]),
        (most(4, SCOUT, RESEARCH), {"pv": ["a", "y"]}, [0, 3, 4]),
    ],
)
def test_the_principal_variation_is_the_one_stated_or_that_of_the_chosen_ply(
    root: dict[str, Any], result: dict[str, Any], rows: list[int]
) -> None:
    assert principal_variation(tree_of(root, result=result)) == rows


@pytest.mark.slow
def test_a_chain_of_ten_thousand_nodes_is_followed_without_recursion() -> None:
    chain = '{"score":1,"children":[' * 10_000 + '{"score":1}' + "]}" * 10_000
    tree = Tree(read_log(f'{{"plyscope":1,"root":{chain}}}'.encode()))
    assert len(deciding_line(tree, 0).rows) == 10_000 > sys.getrecursionlimit()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"mean": 0.5, "children": [{"ply": "a", "mean": 0.5}]}, "a mean over its visits and no score"),
        ({"children": [{"ply": "a", "mean": 0.5}]}, "nothing says which child decided it"),
        ({}, "This node has no score."),
    ],
)
def test_a_node_without_a_score_says_what_it_has_in_its_place(fields: dict[str, Any], said: str) -> None:
    assert said in line_of(fields).note
