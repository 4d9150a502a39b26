"""The best few of many siblings."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.analysis.nodes.best_children import best_children, ranked_children
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of

CHILDREN: list[dict[str, Any]] = [
    {"ply": "a", "score": 1},
    {"ply": "b", "score": 9, "bound": "upper"},
    {"ply": "c", "score": 5, "bound": "lower"},
    {"ply": "d", "score": 99, "purpose": "null"},
    {"ply": "e"},
    {"ply": "f", "score": 5},
    {"outcome": "pruned", "count": 2},
]


@pytest.mark.parametrize(
    ("layer", "plies"), [("max", "cfab"), ("min", "afbc"), (None, "cfab")], ids=["max", "min", "unknown"]
)
def test_what_is_guaranteed_stands_before_what_is_only_possible(layer: str | None, plies: str) -> None:
    tree = Tree(log_of({"children": CHILDREN, **({} if layer is None else {"layer": layer})}))
    found = [tree.ply(row) for row in best_children(tree, 0, 10).tolist()]
    assert "".join(ply or "?" for ply in found) == plies
    assert len(best_children(tree, 0, 2)) == 2


def test_all_children_have_a_place_those_that_claim_nothing_behind_the_others() -> None:
    tree = Tree(log_of({"layer": "max", "children": CHILDREN}))
    rows, n_ranked = ranked_children(tree, 0)
    assert [tree.ply(row) for row in rows.tolist()] == ["c", "f", "a", "b", "e", None, "d"]
    assert n_ranked == 4


VISITED: list[dict[str, Any]] = [
    {"ply": "a", "visits": 5, "mean": 0.9},
    {"ply": "b", "visits": 60, "mean": 0.4, "score": 0.4},
    {"ply": "c", "mean": 0.95},
    {"ply": "d"},
    {"ply": "e", "visits": 5, "mean": 0.2},
    {"outcome": "unlogged", "count": 2, "visits": 99, "mean": 1.0},
]


@pytest.mark.parametrize(
    ("search", "layer", "plies"),
    [
        ({"order": "best_first"}, "max", "baec"),
        ({"order": "best_first"}, "min", "beac"),
        ({"order": "best_first", "choose": "visits"}, "max", "baec"),
        ({"order": "best_first", "choose": "mean"}, "max", "cabe"),
        ({"order": "best_first", "choose": "mean"}, "min", "ebac"),
        ({}, "max", "cabe"),
    ],
)
def test_a_best_first_search_ranks_by_visits_or_means_as_it_chooses(
    search: dict[str, str], layer: str, plies: str
) -> None:
    tree = Tree(log_of({"layer": layer, "children": VISITED}, search=search))
    assert "".join(tree.ply(row) or "?" for row in best_children(tree, 0, 10).tolist()) == plies


def test_a_node_without_children_has_no_best() -> None:
    assert len(best_children(Tree(log_of({"score": 1})), 0, 5)) == 0
