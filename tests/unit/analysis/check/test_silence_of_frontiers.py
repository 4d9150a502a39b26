"""Tests of correct searches that look wrong at first: open frontiers, quiescence, chance, passes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.analysis.check.checked import example, found


def leaf(ply: str, score: float, **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "layer": "min", "score": score, "outcome": "leaf", "bound": "exact", **fields}


def test_nothing_is_claimed_beside_siblings_that_were_searched_and_not_recorded() -> None:
    hidden = {"outcome": "unlogged", "count": 2}
    for bound in ("exact", "lower", "upper"):
        root = {"layer": "max", "score": 6, "bound": bound, "children": [leaf("a", 4), hidden]}
        assert found({"plyscope": 1, "root": root}) == []


def test_an_open_child_is_a_frontier_and_proves_nothing() -> None:
    growing = {"ply": "b", "layer": "min", "outcome": "open"}
    root = {"layer": "max", "score": 4, "bound": "lower", "children": [leaf("a", 4), growing]}
    assert found({"plyscope": 1, "root": root}) == []
    assert found({"plyscope": 1, "root": root | {"score": 9, "bound": "upper"}}, "value") == []
    assert found({"plyscope": 1, "root": root | {"bound": "exact"}}) == [("claim", "root")]
    only = root | {"bound": "exact", "children": [growing]}
    assert found({"plyscope": 1, "root": only}) == []
    stopped = {"ply": "b", "layer": "min", "outcome": "stopped"}
    root["children"] = [leaf("a", 4), stopped]
    assert found({"plyscope": 1, "root": root}) == [("stopped-used", "root")]


@pytest.mark.parametrize(
    ("parent", "child", "is_found"),
    [
        ({"depth": 2}, {"depth": 0}, True),
        ({"depth": 2}, {"depth": 0, "quiescence": True}, False),
        ({"depth": 0}, {"depth": 0}, False),
        ({"depth": -1}, {"depth": -1}, False),
        ({"depth": 2, "layer": "chance"}, {"depth": 2}, False),
        ({"depth": 4}, {"depth": 1, "purpose": "null"}, False),
        ({"depth": 4}, {"depth": 2, "purpose": "probe"}, False),
        ({"depth": 4}, {"depth": 2, "purpose": "scout"}, True),
    ],
)
def test_depths_step_down_but_in_quiescence_below_chance_nodes_and_aside(
    parent: dict[str, Any], child: dict[str, Any], is_found: bool
) -> None:
    root = {"layer": "max", "score": 4, "children": [leaf("a", 4) | child]} | parent
    assert (found({"plyscope": 1, "root": root}, "depth-step") != []) is is_found


def quiet(depth: float, stored: float, **entry: Any) -> dict[str, Any]:
    """Below the root a node at depth -1, and one that a table entry of it ends."""
    source = leaf("a", 4, depth=-1, key="A", quiescence=True, outcome="searched")
    used = {"use": "cut", "bound": "exact", "score": 4, "depth": stored, "from": 1} | entry
    hit = leaf("b", 4, depth=depth, key="A", outcome="tt", tt=used)
    return {"plyscope": 1, "root": {"layer": "max", "score": 4, "depth": 0, "children": [source, hit]}}


def test_depths_at_or_below_0_are_one_for_table_entries() -> None:
    for depth, stored in ((0, 0), (-2, 0), (-1, -1), (0, -1)):
        assert found(quiet(depth, stored), "tt-source") == []
        assert found(quiet(depth, stored), "tt-depth") == []
    assert found(quiet(1, 0), "tt-depth") == [("tt-depth", "b")]
    assert found(quiet(0, 1), "tt-source") == [("tt-source", "b")]


@pytest.mark.parametrize(
    ("score", "bound", "is_found"),
    [
        (99, "exact", False),
        (99, "lower", False),
        (97, "upper", True),
        (-99, "upper", False),
        (-97, "lower", True),
        (4, "exact", True),
    ],
)
def test_a_shallow_entry_may_be_used_only_where_it_proves_a_win_or_a_loss(
    score: int, bound: str, is_found: bool
) -> None:
    used = {"use": "cut", "bound": bound, "score": score, "depth": 0}
    hit = leaf("a", score, depth=2, outcome="tt", tt=used)
    root = {"layer": "max", "score": score, "depth": 3, "children": [hit]}
    search = {"mate": {"score": 100, "step": 1, "threshold": 90}}
    document = {"plyscope": 1, "search": search, "root": root}
    assert (found(document, "tt-depth") != []) is is_found


def test_the_plies_of_a_best_first_tree_need_not_be_all() -> None:
    document = example("moves")
    assert found(document, "moves") != []
    assert found(document | {"search": {"order": "best_first"}}, "moves") == []


def test_no_null_move_follows_another() -> None:
    passed = {"ply": "--", "layer": "min", "purpose": "null", "score": 4}
    again = {"ply": "--", "layer": "max", "purpose": "null", "score": 4}
    answer = {"ply": "a", "layer": "max", "score": 4, "children": [again | {"layer": "min"}]}
    for below, expected in ((again, [("in-check", "-- > --")]), (answer, [])):
        root = {"layer": "max", "score": 4, "children": [passed | {"children": [below]}, leaf("b", 4)]}
        assert found({"plyscope": 1, "root": root}, "in-check") == expected


def test_who_is_in_check_does_not_stand_pat() -> None:
    for in_check, expected in ((True, [("in-check", "root")]), (False, []), (None, [])):
        root = {"layer": "max", "score": 4, "quiescence": True, "stand_pat": 4, "in_check": in_check}
        assert found({"plyscope": 1, "root": root}, "in-check") == expected


@pytest.mark.parametrize(
    ("fields", "is_found"),
    [
        ({"outcome": "searched"}, True),
        ({"outcome": "cutoff", "cut_by": "child"}, True),
        ({"outcome": "cutoff", "cut_by": "null"}, False),
        ({"outcome": "cutoff"}, False),
        ({"outcome": "searched", "quiescence": True}, False),
        ({"outcome": "terminal"}, False),
        ({"outcome": "leaf"}, False),
        ({"outcome": "stopped"}, False),
        ({"outcome": "searched", "moves": None}, False),
        ({}, False),
    ],
)
def test_a_node_without_plies_is_an_end(fields: dict[str, Any], is_found: bool) -> None:
    child = {"ply": "a", "layer": "min", "score": 4, "moves": 0} | fields
    root = {"layer": "max", "score": 4, "moves": 1, "outcome": "searched", "children": [child]}
    expected = [("no-plies", "a")] if is_found else []
    assert found({"plyscope": 1, "root": root}, "no-plies") == expected


def test_a_node_that_was_never_left_accounts_for_no_plies() -> None:
    """A search that stops by an exception leaves its path without scores."""
    path = {"ply": "b", "layer": "min", "moves": 2}
    root = {"layer": "max", "moves": 3, "children": [leaf("a", 4), path]}
    assert found({"plyscope": 1, "root": root}) == []
    assert found({"plyscope": 1, "root": root | {"score": 4}}, "moves") == [("moves", "root")]


@pytest.mark.parametrize(("alpha", "is_found"), [(-1000, False), (-100, False), (-50, True)])
def test_an_edge_beyond_the_declared_range_is_open(alpha: float, is_found: bool) -> None:
    """An engine begins with a best of -1000 where no score is below -100."""
    child = leaf("a", 4, alpha=alpha, beta="inf")
    root = {"layer": "max", "alpha": "-inf", "beta": "inf", "score": 4, "bound": "exact", "children": [child]}
    rules = [rule for rule, _ in found({"plyscope": 1, "search": {"range": [-100, 100]}, "root": root})]
    assert rules == (["window"] if is_found else [])
