"""Correct logs are clean: examples, what our own search records, and searches that look wrong at first.

Those have open frontiers, quiescence, chance, passes, and nodes that end before their loop over the plies.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from plyscope.engine.games import connect_four, reversi, tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from tests.shapes.dump import documents
from tests.unit.analysis.check.checked import example, found
from tests.unit.logs import log_of

EXAMPLES = Path(__file__).parents[4] / "examples"

OPTIONS = [
    SearchOptions(depth=3, algorithm="minimax"),
    SearchOptions(depth=4, limit=4, quotient=2, seed=3),
    SearchOptions(depth=4, limit=3, algorithm="pvs", iterative=True, aspiration=2.0),
    SearchOptions(
        depth=4, limit=4, algorithm="pvs", fail="hard", table=1.0, table_use="narrow", killers=True
    ),
    SearchOptions(depth=4, limit=4, algorithm="pvs", iterative=True, table=1.0, table_depth="at_least"),
    SearchOptions(depth=4, limit=4, algorithm="pvs", lmr=2, history=True, iid=2),
    SearchOptions(depth=4, limit=4, reverse_futility=3.0, nodes=300),
]


def recorded(options: SearchOptions, game: object = tictactoe.GAME) -> Log:
    return log_from_recording(search(game, options=options, compiled=False))


@pytest.mark.parametrize("name", ["connect-four-deepening.jsonl.gz", "textbook-alpha-beta.json"])
def test_the_bundled_examples_are_clean(name: str) -> None:
    assert check(read_log((EXAMPLES / name).read_bytes())).findings() == []


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_trees_from_outside_contradict_nothing_as_they_are_read(document: Path) -> None:
    assert check(read_log(document.read_bytes()), compiled=False).findings() == []


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_searches_of_every_kind_give_nothing_wrong(options: SearchOptions) -> None:
    assert check(recorded(options), compiled=False).findings(severity="wrong") == []


@pytest.mark.parametrize("game", [connect_four.GAME, reversi.GAME], ids=["connect_four", "reversi"])
def test_searches_of_larger_games_give_nothing_wrong(game: object) -> None:
    options = SearchOptions(depth=3, limit=4, algorithm="pvs", iterative=True, table=1.0, null_move=None)
    assert check(recorded(options, game), compiled=False).findings(severity="wrong") == []


def test_compiled_rules_find_what_plain_ones_find() -> None:
    log = recorded(OPTIONS[3])
    columns = dict(log.columns)
    for name, at, value in (("score", 7, 3.5), ("alpha", 20, 1.0), ("beta", 30, 2.0), ("depth", 40, 9.0)):
        columns[name] = columns[name].copy()
        columns[name][at::50] = value
    spoilt = dataclasses.replace(log, columns=columns)
    plain, compiled = check(spoilt, compiled=False), check(spoilt, compiled=True)
    assert len(plain) > 10
    assert plain.groups == compiled.groups
    assert plain.findings() == compiled.findings()


def test_window_rules_are_not_asked_of_a_monte_carlo_tree() -> None:
    root = json.loads(RULES["window"].text.example)["root"]
    report = check(log_of(root, search={"order": "best_first"}))
    assert not {"window", "window-wide", "cut", "cut-missed"} & set(report.checked)
    assert any("best-first" in str(each) for each in report.not_checked)


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


PASSED = {"ply": "pass", "layer": "max", "purpose": "null", "depth": 0, "score": 3, "outcome": "leaf"}
PRUNED = {"outcome": "pruned", "count": 1}


def below(*children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A log whose root has a node of 12 plies, which was cut off, and another that cuts with a stub."""
    cut = {"ply": "a", "layer": "min", "outcome": "cutoff", "moves": 12, "children": [*children], **fields}
    other = {"ply": "b", "layer": "min", "outcome": "cutoff", "moves": 2}
    other["children"] = [{"ply": "c", "layer": "max", "outcome": "leaf"}, PRUNED]
    return {"plyscope": 1, "root": {"layer": "max", "moves": 2, "children": [cut, other]}}


@pytest.mark.parametrize("cut_by", ["null", "estimate", "stand_pat"])
def test_what_ended_a_node_before_its_plies_needs_no_stub_for_them(cut_by: str) -> None:
    assert found(below(PASSED, cut_by=cut_by), "moves") == []


@pytest.mark.parametrize("fields", [{}, {"cut_by": "child"}])
def test_a_cut_by_a_ply_needs_a_stub_in_a_log_that_has_them(fields: dict[str, Any]) -> None:
    ply = {"ply": "d", "layer": "max", "outcome": "leaf"}
    assert found(below(PASSED, ply, **fields), "moves") == [("moves", "a")]


def test_more_plies_than_legal_are_wrong_whatever_ended_the_node() -> None:
    stub = {"outcome": "pruned", "count": 13}
    assert found(below(PASSED, stub, cut_by="null"), "moves") == [("moves", "a")]


PROBED = {
    "score": 7,
    "children": [
        {"purpose": "probe", "score": 6, "children": [{"ply": "c", "score": -6, "outcome": "leaf"}]},
        {"purpose": "probe", "ply": "c", "score": -8, "outcome": "leaf"},
        {"purpose": "null", "score": -2, "outcome": "leaf"},
        {"ply": "c", "score": -7, "outcome": "leaf"},
    ],
}


def test_a_probe_without_a_ply_is_seen_by_the_mover_of_its_own_position() -> None:
    document = {"plyscope": 1, "search": {"perspective": "mover"}, "root": PROBED}
    log = read_log(json.dumps(document).encode())
    assert log.columns["score"].tolist() == [7, 6, 6, 8, 2, 7]
    high, low = words.MAX, words.MIN
    assert log.columns["layer"].tolist() == [high, high, low, low, low, low]
