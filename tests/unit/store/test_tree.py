"""The questions a tree is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plyscope.visualizer.store import tree as of_tree
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of

#   root -> a -> (c, c again), b -> (e, three pruned)
FORK = {
    "score": 1,
    "children": [
        {"ply": "a", "children": [{"ply": "c"}, {"ply": "c"}]},
        {"ply": "b", "children": [{"ply": "e"}, {"outcome": "pruned", "count": 3}]},
    ],
}


@pytest.fixture
def tree() -> Tree:
    return Tree(log_of(FORK))


@pytest.mark.parametrize("block", [1, 2, 3, 7, 100])
def test_nodes_of_few_rows_are_counted_without_those_before_every_row(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(of_tree, "BLOCK", block)
    monkeypatch.setattr(of_tree, "BLOCKS_AT_ONCE", 2)
    rows = np.arange(7)
    counted = [tree.n_logged, *(tree.n_nodes(row) for row in rows), *tree.nodes_below(rows).tolist()]
    assert "nodes_before" not in tree.__dict__
    assert tree.nodes_before.tolist() == [0, 1, 2, 3, 4, 5, 6, 6]
    plain = Tree(tree.log)
    below = plain.nodes_below(slice(None)).tolist()
    assert counted == [6, 6, 3, 1, 1, 2, 1, 0, *below]


def test_a_path_of_plies_finds_every_visit_and_a_number_one_of_them(tree: Tree) -> None:
    assert tree.find("a > c").tolist() == [2, 3]
    assert tree.find("a > c#2").tolist() == [3]
    assert tree.find("root > a > c#3").tolist() == []


def test_of_several_trees_the_one_the_result_names_is_meant_else_the_last_finished() -> None:
    done, stopped = {"iteration": 1, "outcome": "searched"}, {"iteration": 3, "outcome": "stopped"}
    second = {"iteration": 2, "outcome": "searched"}
    assert Tree(log_of(roots=[done, second, stopped])).main_root == 1
    assert Tree(log_of(roots=[done, second, stopped], result={"root": 0})).main_root == 0
    assert Tree(log_of(roots=[done, second], result={"root": 99})).main_root == 1
    assert Tree(log_of(roots=[done, second], result={"root": True})).main_root == 1
    assert Tree(log_of(roots=[stopped, stopped])).main_root == 1


CUT = [
    {"iteration": 3},
    {"iteration": 3, "outcome": "open", "score": 9},
    {"iteration": 3, "outcome": "searched", "score": 9, "children": [{"ply": "a", "outcome": "stopped"}]},
]
"""Iterations that the clock cut: never left, said to be open, and left with what it had until then."""


@pytest.mark.parametrize("cut", CUT)
def test_an_iteration_that_the_clock_cut_is_never_the_main_one(cut: dict[str, Any]) -> None:
    done = {"iteration": 2, "outcome": "searched", "score": 4, "bound": "exact"}
    failed = {"iteration": 3, "outcome": "searched", "score": 2, "bound": "upper"}
    assert Tree(log_of(roots=[done, cut])).main_root == 0
    assert Tree(log_of(roots=[done, failed, cut])).main_root == 0
    assert Tree(log_of(roots=[failed, cut])).main_root == 0


def test_a_root_that_fails_high_is_the_main_one_where_the_result_names_it() -> None:
    """A search that stops once its bracket is narrow answers with its last fail-high, not its last root."""
    high = {"iteration": 1, "score": 9, "bound": "lower", "alpha": 8, "beta": 9}
    low = {"iteration": 1, "score": 20, "bound": "upper", "alpha": 23, "beta": 24}
    assert Tree(log_of(roots=[high, low], result={"ply": "a", "root": 0})).main_root == 0
    assert Tree(log_of(roots=[high, low], result={"ply": "a"})).main_root == 1


@pytest.mark.parametrize("swapped", [(0, 1), (2, 3), (3, 4), (4, 5), (5, 6)])
def test_ids_that_are_not_their_rows_are_looked_up(
    monkeypatch: pytest.MonkeyPatch, tree: Tree, swapped: tuple[int, int]
) -> None:
    monkeypatch.setattr(of_tree, "IDS_AT_ONCE", 2)
    ids = np.arange(7)
    assert [tree.row_of(row) for row in range(7)] == ids.tolist()
    ids[list(swapped)] = swapped[::-1]
    other = Tree(replace(tree.log, columns={**tree.log.columns, "id": ids}))
    assert [other.row_of(int(node_id)) for node_id in ids] == list(range(7))
