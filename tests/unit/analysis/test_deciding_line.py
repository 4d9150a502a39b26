"""The line that decided a score, and the principal variation."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from plyscope.visualizer.analysis.nodes.deciding_line import deciding_line, principal_variation
from plyscope.visualizer.analysis.nodes.score_source import SOURCE_UNSTATED
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of


def leaf(ply: str, score: float, **more: Any) -> dict[str, Any]:
    return {"ply": ply, "score": score, "outcome": "leaf", **more}


def node(ply: str, score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"ply": ply, "score": score, "outcome": "searched", "children": list(children), **more}


def plies(tree: Tree, rows: Any) -> list[str | None]:
    return [tree.log.text(int(tree.log.columns["ply"][row])) for row in rows]


def test_the_first_child_with_the_score_is_followed_down_to_its_leaf() -> None:
    tree = Tree(log_of(node("", 4, leaf("a", 2), node("b", 4, leaf("c", 4), leaf("d", 4)), leaf("e", 4))))
    line = deciding_line(tree, 0)
    assert plies(tree, line.rows) == ["b", "c"]
    assert line.how == "leaf"


def test_a_chance_node_at_the_horizon_is_a_leaf_like_any_other() -> None:
    """The dice are not rolled there: its score is its own evaluation."""
    tree = Tree(log_of(node("", 4, leaf("a", 4, layer="chance", static=4), leaf("b", 3))))
    line = deciding_line(tree, 0)
    assert (plies(tree, line.rows), line.how) == (["a"], "leaf")


@pytest.mark.parametrize("purpose", ["null", "probe"])
def test_a_null_move_or_probe_never_decides(purpose: str) -> None:
    tree = Tree(log_of(node("", 4, leaf("pass", 4, purpose=purpose), leaf("b", 4))))
    assert plies(tree, deciding_line(tree, 0).rows) == ["b"]


def test_of_two_visits_of_a_ply_the_deeper_one_counts() -> None:
    tree = Tree(log_of(node("", 4, leaf("a", 4, depth=1), leaf("a", 3, depth=2), leaf("b", 4, depth=2))))
    assert plies(tree, deciding_line(tree, 0).rows) == ["b"]


def test_a_stopped_visit_decides_nothing() -> None:
    tree = Tree(log_of(node("", 4, {"ply": "a", "score": 4, "outcome": "stopped"}, leaf("b", 4))))
    assert plies(tree, deciding_line(tree, 0).rows) == ["b"]


def test_a_table_hit_continues_in_the_node_that_stored_it() -> None:
    stored = node("a", 3, leaf("x", 3))
    hit = {"ply": "b", "score": 3, "outcome": "tt", "tt": {"use": "cut", "score": 3, "from": 1}}
    tree = Tree(log_of(node("", 5, stored, hit, leaf("c", 5))))
    line = deciding_line(tree, 3)
    assert plies(tree, line.rows) == ["a", "x"]
    assert line.how == "leaf"


def test_a_table_hit_whose_source_is_not_in_the_log_ends_the_line() -> None:
    tree = Tree(log_of(node("", 3, {"ply": "b", "score": 3, "outcome": "tt", "tt": {"use": "cut"}})))
    assert deciding_line(tree, 0).how == "table"


ENDS = [
    ({"score": 3, "outcome": "terminal", "ending": "win"}, "terminal"),
    (
        {"score": 3, "outcome": "cutoff", "cut_by": "stand_pat", "stand_pat": 3, "children": [leaf("q", 1)]},
        "stand_pat",
    ),
    ({"score": 3, "outcome": "cutoff", "cut_by": "null", "children": [leaf("q", 1)]}, "null_move"),
    ({"score": 3, "outcome": "cutoff", "cut_by": "estimate", "children": [leaf("q", 3)]}, "estimate"),
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
    line = deciding_line(Tree(log_of(fields)), 0)
    assert line.how == how
    assert line.rows == ()
    assert line.note or how in ("terminal", "end")


def most(score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A root of the side that takes the most, its window open where no other is stated."""
    window = {"alpha": None, "beta": None}
    return {
        "layer": "max",
        "score": score,
        "outcome": "searched",
        "children": list(children),
        **window,
        **more,
    }


def test_the_line_goes_through_the_research_and_never_through_the_scout_beside_it() -> None:
    """Both returned 4; only the re-search proves it, and its line is another."""
    scout = node("a", 4, leaf("x", 4), layer="min", bound="upper", purpose="scout", depth=1)
    again = node("a", 4, leaf("y", 4), layer="min", bound="exact", purpose="research", depth=1)
    tree = Tree(log_of(most(4, leaf("b", 3, bound="exact"), scout, again)))
    assert plies(tree, deciding_line(tree, 0).rows) == ["a", "y"]
    assert principal_variation(tree) == [0, 4, 5]
    stated = Tree(log_of(most(4, scout, again), result={"pv": ["a", "y"]}))
    assert principal_variation(stated) == [0, 3, 4]


def test_the_line_goes_through_the_ply_that_proves_the_score_and_not_an_equal_bound() -> None:
    bound, exact = leaf("a", 4, bound="upper"), leaf("b", 4, bound="exact")
    tree = Tree(log_of(most(4, bound, exact)))
    assert plies(tree, deciding_line(tree, 0).rows) == ["b"]
    tree = Tree(log_of({**most(4, leaf("a", 4, bound="lower"), exact), "layer": "min"}))
    assert plies(tree, deciding_line(tree, 0).rows) == ["b"]


def test_two_visits_prove_together_what_neither_proves_alone() -> None:
    low, high = leaf("a", 4, bound="lower", purpose="scout"), leaf("a", 4, bound="upper", purpose="research")
    tree = Tree(log_of(most(4, leaf("b", 4, bound="upper"), low, high)))
    assert deciding_line(tree, 0).rows == (3,)


def test_of_plies_that_prove_nothing_the_first_one_is_followed() -> None:
    tree = Tree(
        log_of(most(4, leaf("a", 4, bound="upper"), leaf("b", 4, bound="upper"), bound="upper", alpha=9))
    )
    assert deciding_line(tree, 0).rows == (1,)


def test_standing_pat_comes_before_a_ply_of_the_same_worth() -> None:
    tree = Tree(log_of(most(4, leaf("a", 4, bound="exact"), stand_pat=4, quiescence=True)))
    assert deciding_line(tree, 0).how == "stand_pat"


def test_a_score_of_the_entry_that_narrowed_a_node_goes_on_in_its_source() -> None:
    stored = node("a", 3, leaf("x", 3))
    entry = {"use": "narrow", "score": 3, "bound": "upper", "from": 1}
    narrowed = most(3, leaf("y", 5, bound="lower"), ply="b", tt=entry)
    tree = Tree(log_of(node("", 5, stored, narrowed)))
    assert plies(tree, deciding_line(tree, 3).rows) == ["a", "x"]
    entry["from"] = 99
    assert "not in this log" in deciding_line(Tree(log_of(node("", 5, stored, narrowed))), 3).note
    del entry["from"]
    found = deciding_line(Tree(log_of(node("", 5, stored, narrowed))), 3)
    assert (found.how, found.note) == ("table", SOURCE_UNSTATED)


CLAMPED = [
    most(5, leaf("a", 5, bound="upper"), alpha=5, beta=9),
    {"layer": "max", "score": 5, "outcome": "tt", "alpha": 1, "beta": 5, "tt": {"use": "cut", "score": 8}},
]


@pytest.mark.parametrize("root", CLAMPED)
def test_a_clamped_score_ends_at_the_edge_of_the_window_unless_the_log_is_fail_soft(
    root: dict[str, Any],
) -> None:
    assert deciding_line(Tree(log_of(root)), 0).how == "window_edge"
    assert deciding_line(Tree(log_of(root, search={"fail": "hard"})), 0).how == "window_edge"
    assert deciding_line(Tree(log_of(root, search={"fail": "soft"})), 0).how != "window_edge"


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
        found = deciding_line(Tree(log_of(root, search=search)), 0)
        assert (found.rows, found.how) == (rows, how)


def test_the_evaluation_of_a_leaf_that_no_window_explains_is_no_edge() -> None:
    root = {"layer": "max", "score": 5, "outcome": "leaf", "alpha": 1, "beta": 9, "static": 8}
    assert deciding_line(Tree(log_of(root)), 0).how == "leaf"


def test_a_leaf_whose_evaluation_was_rounded_is_a_leaf() -> None:
    root = {"layer": "max", "score": 5.01, "outcome": "leaf", "static": 5.012}
    assert deciding_line(Tree(log_of(root, search={"tolerance": 0.001})), 0).note == ""
    assert "not the leaf's own evaluation" in deciding_line(Tree(log_of(root)), 0).note


def test_a_leaf_that_is_worth_its_edge_is_a_leaf() -> None:
    root = {"layer": "max", "score": 5, "outcome": "leaf", "alpha": 5, "beta": 9}
    assert deciding_line(Tree(log_of({**root, "static": 5}, search={"fail": "hard"})), 0).how == "leaf"
    assert deciding_line(Tree(log_of(root)), 0).how == "leaf"
    assert deciding_line(Tree(log_of(root, search={"fail": "hard"})), 0).how == "window_edge"


def test_an_entry_that_leads_back_into_the_line_ends_it() -> None:
    hit = {"ply": "b", "score": 3, "outcome": "tt", "tt": {"use": "cut", "from": 1}}
    line = deciding_line(Tree(log_of(node("", 3, node("a", 3, hit)))), 0)
    assert (line.rows, line.how) == ((1, 2), "table")
    assert "leads back" in line.note


def test_a_variation_that_the_log_does_not_hold_gives_way_to_the_deciding_line() -> None:
    tree = Tree(log_of(node("", 4, leaf("a", 4)), result={"pv": ["z9", "a"]}))
    assert principal_variation(tree) == [0, 1]


def test_the_chosen_ply_is_followed_even_where_it_is_not_the_best() -> None:
    tree = Tree(log_of(node("", 4, leaf("a", 4), node("b", 3, leaf("c", 3))), result={"ply": "b", "rank": 1}))
    assert principal_variation(tree) == [0, 2, 3]


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
    assert said in deciding_line(Tree(log_of(fields)), 0).note
