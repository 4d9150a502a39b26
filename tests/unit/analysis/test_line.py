"""The line that decided a score, and the principal variation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.logs import log_of
from visualizer.analysis.line import deciding_line
from visualizer.analysis.pv import principal_variation
from visualizer.formats.detect import read_log
from visualizer.store.tree import Tree


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
    ({"score": 3, "outcome": "cutoff", "cut_by": "null", "children": [leaf("q", 1)]}, "bound"),
    ({"score": 3, "outcome": "cutoff", "bound": "lower", "children": [leaf("q", 9)]}, "bound"),
    ({"score": 3, "outcome": "searched", "bound": "exact", "children": [leaf("q", 9)]}, "unknown"),
    ({"children": [leaf("q", 9)]}, "unknown"),
    ({"outcome": "leaf"}, "unknown"),
    ({"score": 3}, "end"),
    ({"score": 3, "outcome": "searched"}, "unlogged"),
    ({"score": 3, "outcome": "searched", "children": [{"outcome": "unlogged", "count": 9}]}, "unlogged"),
]


@pytest.mark.parametrize(("fields", "how"), ENDS)
def test_where_no_child_has_the_score_it_is_said_why(fields: dict[str, Any], how: str) -> None:
    line = deciding_line(Tree(log_of(fields)), 0)
    assert line.how == how
    assert line.rows == ()
    assert line.note or how in ("terminal", "end")


def test_the_stated_variation_is_followed_through_the_visit_that_has_the_score() -> None:
    scout = node("a", 2, leaf("x", 2), purpose="scout", depth=1)
    again = node("a", 4, leaf("x", 4), purpose="research", depth=1)
    tree = Tree(log_of(node("", 4, scout, again), result={"pv": ["a", "x"]}))
    assert principal_variation(tree) == [0, 3, 4]


def test_a_variation_that_the_log_does_not_hold_gives_way_to_the_deciding_line() -> None:
    tree = Tree(log_of(node("", 4, leaf("a", 4)), result={"pv": ["z9", "a"]}))
    assert principal_variation(tree) == [0, 1]


def test_the_chosen_ply_is_followed_even_where_it_is_not_the_best() -> None:
    tree = Tree(log_of(node("", 4, leaf("a", 4), node("b", 3, leaf("c", 3))), result={"ply": "b", "rank": 1}))
    assert principal_variation(tree) == [0, 2, 3]


def test_a_chain_of_a_hundred_thousand_nodes_is_followed_without_recursion() -> None:
    chain = '{"score":1,"children":[' * 100_000 + '{"score":1}' + "]}" * 100_000
    tree = Tree(read_log(f'{{"plyscope":1,"root":{chain}}}'.encode()))
    assert len(deciding_line(tree, 0).rows) == 100_000
