"""The best few of many siblings."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.analysis.best import best_children, ranked_children
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


def test_a_node_without_children_has_no_best() -> None:
    assert len(best_children(Tree(log_of({"score": 1})), 0, 5)) == 0
