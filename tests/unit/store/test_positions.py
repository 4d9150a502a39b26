"""Plies of a chess log as they are shown, whatever notation the log has, and as they are found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.explain.answer import explain
from plyscope.visualizer.analysis.nodes.node_json import node_json, others_json
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.positions import respelled, respells, shown_ply
from plyscope.visualizer.store.tree import Tree

MATE = "7k/6pp/8/8/8/8/8/R3K2R w KQ - 0 1"


def log_of(root: dict[str, Any], **header: Any) -> Log:
    return read_log(
        json.dumps({"plyscope": 1, "game": "chess", "position": MATE, **header, "root": root}).encode()
    )


def node(*children: Any, **fields: Any) -> dict[str, Any]:
    return {**fields, "children": list(children)} if children else fields


UCI = node(
    node(node(ply="h8g8"), ply="e1g1", tt={"use": "order", "ply": "h8g8"}),
    node(ply="a1a8"),
    node(ply="a1a9"),
    {"outcome": "pruned", "plies": ["e1c1", "h1h7"], "count": 2},
)


def shown(log: Log) -> list[str | None]:
    return [shown_ply(log, row) for row in range(log.n_rows)]


def test_plies_are_shown_in_san_and_those_that_cannot_be_played_as_they_were_written() -> None:
    assert shown(log_of(UCI)) == [None, "O-O", "Kg8", "Ra8#", "a1a9", None]


def test_plies_of_stubs_and_table_entries_are_shown_in_san() -> None:
    tree = Tree(log_of(UCI))
    assert node_json(tree, 5)["plies"] == ["O-O-O", "Rxh7+"]
    assert node_json(tree, 1)["tt"]["ply"] == "Kg8"


def test_the_text_of_the_log_stays_among_all_fields() -> None:
    log = log_of(UCI)
    assert others_json(log, 3, 10, 100) == {"others": {"ply as written": "a1a8"}}
    assert others_json(log, 4, 10, 100) == {}
    foreign = read_log(json.dumps({"fen": MATE, "tree": {"children": [{"move": "a1a8"}]}}).encode())
    assert others_json(foreign, 1, 10, 100)["others"]["move"] == "a1a8"


def test_the_ply_before_a_root_is_shown_where_its_position_tells_it() -> None:
    log = log_of(node(node(ply="e7e5"), ply="e2e4"), position="startpos moves e2e4")
    assert shown(log) == ["e4", "e5"]


def test_a_log_in_san_or_of_ours_or_of_another_game_is_shown_as_it_is() -> None:
    assert not respells(log_of(node(node(ply="O-O"), node(ply="Ra8#"))))
    assert not respells(log_of(UCI, search={"engine": "plyscope"}))
    assert not respells(
        read_log(b'{"plyscope": 1, "game": "reversi", "root": {"children": [{"ply": "d3"}]}}')
    )
    assert respelled(log_of(UCI, game="reversi"), 0, "e1g1") == "e1g1"


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("O-O", [1]),
        ("Ra8", [3]),
        ("Ra8#", [3]),
        ("a1a8", [3]),
        ("O-O > Kg8", [2]),
        ("e1g1 > Kg8", [2]),
        ("e4", []),
    ],
)
def test_a_ply_is_found_in_both_spellings(query: str, rows: list[int]) -> None:
    assert Tree(log_of(UCI)).find(query).tolist() == rows


def test_a_result_in_the_notation_of_the_log_is_found_among_its_plies() -> None:
    root = node(
        node(ply="a1a8", score=9, outcome="terminal"), node(ply="e1g1", score=0), score=9, layer="max"
    )
    log = log_of(root, result={"ply": "a1a8", "score": 9, "pv": ["a1a8"], "rank": 0})
    assert check(log, compiled=False).findings("result") == []
    explained = explain(Tree(log)).as_json()
    assert explained["chosen"]["ply"] == "Ra8#"
