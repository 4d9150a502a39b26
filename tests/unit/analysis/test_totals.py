"""Tests of the totals of a whole search."""

from __future__ import annotations

import pytest

from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.statistics import totals as of_totals
from plyscope.visualizer.analysis.statistics.totals import summed, totals
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of

LIMITED = {"outcome": "limited"}


def test_stubs_are_no_nodes_and_their_counts_add_up() -> None:
    counted = totals(
        Tree(
            log_of(
                {
                    "outcome": "searched",
                    "children": [
                        {"ply": "a", "outcome": "leaf"},
                        {"ply": "b", "outcome": "cutoff", "children": [{"outcome": "pruned", "count": 7}]},
                        {"ply": "c", "outcome": "terminal"},
                        {"outcome": "limited", "count": 4},
                        {"outcome": "skipped", "count": 100},
                    ],
                }
            )
        )
    )
    everything = counted
    assert counted.rows == 7
    assert (everything.nodes, everything.leaves, everything.cuts) == (4, 2, 1)
    assert (everything.prune_events, everything.pruned, everything.limited) == (1, 7, 4)
    assert [level.nodes for level in counted.levels] == [1, 3, 0]
    assert (everything.uncounted_pruned, everything.uncounted_limited) == (0, 0)


def test_stubs_that_do_not_say_how_many_they_are_count_for_themselves() -> None:
    cut = {"ply": "a", "outcome": "cutoff", "children": [{"outcome": "pruned"}, {"outcome": "pruned"}]}
    nameless = totals(Tree(log_of({"outcome": "searched", "children": [cut, LIMITED]})))
    assert (nameless.prune_events, nameless.pruned, nameless.uncounted_pruned) == (2, 0, 2)
    assert (nameless.limited, nameless.uncounted_limited) == (0, 1)
    named = cut | {"children": [{"outcome": "pruned"}, {"outcome": "pruned", "plies": ["x", "y"]}]}
    some = totals(Tree(log_of({"outcome": "searched", "children": [named]})))
    assert (some.pruned, some.uncounted_pruned) == (2, 1)
    assert [level.uncounted_pruned for level in some.levels] == [0, 0, 1]
    assert summed([nameless, some]).uncounted_pruned == 3
    assert summed([]).nodes == 0


def test_where_no_outcome_is_stated_the_childless_rows_are_leaves() -> None:
    stub = {"outcome": "pruned", "count": 3}
    assert totals(Tree(log_of({"children": [{"ply": "a"}, {"children": [{}, stub]}]}))).leaves == 2


def test_childless_returns_of_quiescence_and_pruning_are_leaves_and_said_to_be_such() -> None:
    children = [
        {"ply": "a", "score": 1, "outcome": "leaf"},
        {"ply": "b", "score": 1, "outcome": "cutoff", "cut_by": "stand_pat", "quiescence": True},
        {
            "ply": "c",
            "score": 1,
            "outcome": "searched",
            "quiescence": True,
            "children": [{"outcome": "limited"}],
        },
        {"ply": "d", "score": 1, "outcome": "cutoff", "cut_by": "estimate", "depth": 2},
        {"ply": "e", "score": 1, "outcome": "searched", "depth": 0},
        {"ply": "f", "score": 1, "outcome": "searched", "stand_pat": 1, "depth": 1},
    ]
    counted = totals(Tree(log_of({"score": 1, "outcome": "searched", "children": children})))
    assert (counted.leaves, counted.returned) == (6, 5)


def test_what_was_not_recorded_or_not_finished_or_taken_from_the_table_is_no_leaf() -> None:
    children = [
        {"ply": "a", "score": 1, "outcome": "searched", "depth": 2},
        {"ply": "b", "score": 1, "outcome": "searched", "depth": 0, "children": [{"outcome": "unlogged"}]},
        {"ply": "c", "score": 1, "outcome": "stopped", "depth": 0},
        {"ply": "d", "score": 1, "outcome": "tt", "depth": 0},
        {"ply": "e", "outcome": "searched", "depth": 0},
        {"ply": "f", "score": 1, "outcome": "searched", "quiescence": True, "children": [{"ply": "x"}]},
    ]
    counted = totals(Tree(log_of({"score": 1, "outcome": "searched", "children": children})))
    assert (counted.leaves, counted.returned) == (0, 0)


def test_levels_beyond_what_is_asked_for_are_counted_not_listed() -> None:
    answer = as_json(totals(Tree(log_of({"children": [{"children": [{}]}]}))), 1)
    assert [level["level"] for level in answer["levels"]] == [0]
    assert answer["more_levels"] == 2


def test_nodes_that_were_searched_without_rows_are_counted_apart() -> None:
    told = {"outcome": "unlogged", "count": 4, "nodes": 50}
    leaves = {"ply": "a", "nodes": 10, "children": [{"ply": "x", "nodes": 3}, {"outcome": "unlogged"}]}
    counted = totals(Tree(log_of({"children": [leaves, {"ply": "b"}, told]})))
    assert (counted.nodes, counted.searched, counted.unknown_searched) == (4, 62, 0)
    assert counted.searched_text() == "62"
    untold = totals(Tree(log_of({"children": [{"ply": "b"}, told, {"outcome": "unlogged", "count": 2}]})))
    assert (untold.nodes, untold.searched, untold.unknown_searched) == (2, 52, 1)
    assert untold.searched_text() == "≥52"
    nothing = totals(Tree(log_of({"children": [{"ply": "b"}, {"outcome": "pruned", "count": 9}]})))
    assert (nothing.searched, nothing.searched_text()) == (2, None)


def test_a_number_of_nodes_below_that_of_the_rows_is_passed_over() -> None:
    less = totals(Tree(log_of({"nodes": 2, "children": [{"ply": "a", "nodes": 7}, {"ply": "b"}]})))
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
