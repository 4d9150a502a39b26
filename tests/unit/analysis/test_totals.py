"""Tests of the totals of a whole search."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.statistics import totals as of_totals
from plyscope.visualizer.analysis.statistics.totals import Totals, summed, totals
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of, tree_of


def of(*children: dict[str, Any], **root: Any) -> Totals:
    return totals(tree_of({"outcome": "searched", **root, "children": list(children)}))


def test_stubs_are_no_nodes_and_their_counts_add_up() -> None:
    cut = {"ply": "b", "outcome": "cutoff", "children": [{"outcome": "pruned", "count": 7}]}
    stubs = {"outcome": "limited", "count": 4}, {"outcome": "skipped", "count": 100}
    counted = of({"ply": "a", "outcome": "leaf"}, cut, {"ply": "c", "outcome": "terminal"}, *stubs)
    assert (counted.rows, counted.nodes, counted.leaves, counted.cuts) == (7, 4, 2, 1)
    assert (counted.prune_events, counted.pruned, counted.limited) == (1, 7, 4)
    assert [level.nodes for level in counted.levels] == [1, 3, 0]
    assert (counted.uncounted_pruned, counted.uncounted_limited) == (0, 0)


def test_stubs_that_do_not_say_how_many_they_are_count_for_themselves() -> None:
    cut = {"ply": "a", "outcome": "cutoff"}
    nameless = of(cut | {"children": [{"outcome": "pruned"}, {"outcome": "pruned"}]}, {"outcome": "limited"})
    assert (nameless.prune_events, nameless.pruned, nameless.uncounted_pruned) == (2, 0, 2)
    assert (nameless.limited, nameless.uncounted_limited) == (0, 1)
    some = of(cut | {"children": [{"outcome": "pruned"}, {"outcome": "pruned", "plies": ["x", "y"]}]})
    assert (some.pruned, some.uncounted_pruned) == (2, 1)
    assert [level.uncounted_pruned for level in some.levels] == [0, 0, 1]
    assert summed([nameless, some]).uncounted_pruned == 3
    assert summed([]).nodes == 0


def test_where_no_outcome_is_stated_the_childless_rows_are_leaves() -> None:
    stub = {"outcome": "pruned", "count": 3}
    assert totals(tree_of({"children": [{"ply": "a"}, {"children": [{}, stub]}]})).leaves == 2


SCORED = {"score": 1, "outcome": "searched"}
STAND_PAT = {"outcome": "cutoff", "cut_by": "stand_pat", "quiescence": True}


@pytest.mark.parametrize(
    ("child", "leaves", "returned"),
    [
        ({"score": 1, "outcome": "leaf"}, 1, 0),
        (SCORED | STAND_PAT, 1, 1),
        (SCORED | {"quiescence": True, "children": [{"outcome": "limited"}]}, 1, 1),
        (SCORED | {"outcome": "cutoff", "cut_by": "estimate", "depth": 2}, 1, 1),
        (SCORED | {"depth": 0}, 1, 1),
        (SCORED | {"stand_pat": 1, "depth": 1}, 1, 1),
        (SCORED | {"depth": 2}, 0, 0),
        (SCORED | {"depth": 0, "children": [{"outcome": "unlogged"}]}, 0, 0),
        (SCORED | {"outcome": "stopped", "depth": 0}, 0, 0),
        (SCORED | {"outcome": "tt", "depth": 0}, 0, 0),
        ({"outcome": "searched", "depth": 0}, 0, 0),
        (SCORED | {"quiescence": True, "children": [{"ply": "x"}]}, 0, 0),
    ],
)
def test_childless_returns_are_leaves_but_what_was_not_recorded_finished_or_searched(
    child: dict[str, Any], leaves: int, returned: int
) -> None:
    counted = of({"ply": "a", **child}, score=1)
    assert (counted.leaves, counted.returned) == (leaves, returned)


def test_levels_beyond_what_is_asked_for_are_counted_not_listed() -> None:
    answer = as_json(totals(tree_of({"children": [{"children": [{}]}]})), 1)
    assert [level["level"] for level in answer["levels"]] == [0]
    assert answer["more_levels"] == 2


def test_nodes_that_were_searched_without_rows_are_counted_apart() -> None:
    told = {"outcome": "unlogged", "count": 4, "nodes": 50}
    leaves = {"ply": "a", "nodes": 10, "children": [{"ply": "x", "nodes": 3}, {"outcome": "unlogged"}]}
    for children, expected in (
        ([leaves, {"ply": "b"}, told], (4, 62, 0, "62")),
        ([{"ply": "b"}, told, {"outcome": "unlogged", "count": 2}], (2, 52, 1, "≥52")),
        ([{"ply": "b"}, {"outcome": "pruned", "count": 9}], (2, 2, 0, None)),
    ):
        found = of(*children)
        text = found.searched_text()
        assert (found.nodes, found.searched, found.unknown_searched, text) == expected
    less = of({"ply": "a", "nodes": 7}, {"ply": "b"}, nodes=2)  # fewer than the rows
    assert (less.nodes, less.searched) == (3, 9)


def test_parts_of_a_log_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Node 3 returned at the horizon, node 5 did not: its replies were left out of the log."""
    replies = [{"outcome": "unlogged", "nodes": 4}]
    leaf = {"depth": 0, "outcome": "searched", "score": 2}
    children = [
        {"outcome": "cutoff", "children": [leaf, {"outcome": "pruned", "count": 3}]},
        leaf | {"children": replies},
    ]
    log = log_of(
        {"score": 1, "outcome": "searched", "depth": 2, "children": [{**leaf, "depth": 1}, *children]}
    )
    whole = totals(Tree(log))
    assert (whole.returned, whole.pruned) == (1, 3)
    for n_rows in (1, 2, 3, 5):
        monkeypatch.setattr(of_totals, "ROWS_AT_ONCE", n_rows)
        assert totals(Tree(log)) == whole
