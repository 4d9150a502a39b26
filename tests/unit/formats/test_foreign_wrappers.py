"""Nodes that hold their children behind objects which tell of the edge: an action, a link, an outcome."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes, read_foreign
from tests.property.test_foreign_bytes import check
from tests.unit.formats.test_foreign import layers, plies


def decision(visits: int, actions: list[Any]) -> dict[str, Any]:
    return {"type": "Decision", "visits": visits, "win_rate": visits / 100, "actions": actions}


def chance(name: str, visits: int, outcomes: list[Any]) -> dict[str, Any]:
    inner = {"type": "Chance", "visits": visits, "win_rate": 0.1, "outcomes": outcomes}
    return {"action": 7, "action_name": name, "N_sa": visits, "chance": inner}


EXPECTIMAX = decision(
    15,
    [
        chance(
            "left", 6, [{"prob": 0.25, "child": decision(2, [])}, {"prob": 0.75, "child": decision(4, [])}]
        ),
        chance("down", 9, [{"prob": 1.0, "child": decision(9, [])}]),
    ],
)


def test_chance_nodes_between_decisions_are_a_layer() -> None:
    log = read_foreign(EXPECTIMAX)
    assert log.columns["parent"].tolist() == [-1, 0, 1, 1, 0, 4]
    assert layers(log) == ["max", "chance", "max", "max", "chance", "max"]
    assert log.columns["visits"].tolist() == [15, 6, 2, 4, 9, 9]
    assert log.columns["prior"].tolist()[2:4] == [0.25, 0.75]
    assert plies(log) == [None, "left", None, None, "down", None]


def edge(ply: str, node: Any) -> dict[str, Any]:
    return {"move": ply, "prior": 0.5, "edge": {"since": 3, "target": {"node": node}}}


def of_edges(key: str, n_levels: int) -> dict[str, Any]:
    below = [edge(ply, of_edges(key, n_levels - 1)) for ply in "ab"] if n_levels else []
    return {"visits": 4 ** (n_levels + 1), "score": n_levels, key: below}


def by_name(n_levels: int) -> dict[str, Any]:
    below = {ply: {"prior": 0.5, "node": by_name(n_levels - 1)} for ply in "ab"} if n_levels else {}
    return {"visits": 4 ** (n_levels + 1), "score": n_levels, "branches": below}


def test_nodes_behind_several_objects_of_an_edge_are_found() -> None:
    log = read_foreign(of_edges("moves", 2))
    assert log.columns["parent"].tolist() == [-1, 0, 1, 1, 0, 4, 4]
    assert plies(log) == [None, "a", "a", "b", "b", "a", "b"]
    assert log.columns["visits"].tolist() == [64, 16, 4, 4, 16, 4, 4]
    assert log.columns["prior"].tolist()[1:] == [0.5] * 6


def test_nodes_behind_an_object_in_a_map_by_ply_are_found() -> None:
    log = read_foreign(by_name(2))
    assert plies(log) == [None, "a", "a", "b", "b", "a", "b"]
    assert log.columns["score"].tolist() == [2, 1, 0, 0, 1, 0, 0]


def test_children_under_any_name_are_found_behind_edges_where_nodes_look_searched() -> None:
    assert read_foreign(of_edges("zuege", 2)).n_rows == 7
    record = {"data": [{"id": 1, "links": {"author": {"data": [{"id": 9}]}}}]}
    with pytest.raises(LogError, match="expected a tree"):
        read_foreign(record)


@pytest.mark.parametrize(
    "document", [EXPECTIMAX, of_edges("moves", 7), by_name(8), {"a": 1, "tree": of_edges("zuege", 6)}]
)
def test_they_are_the_same_from_bytes_and_from_values(document: Any) -> None:
    assert check(json.dumps(document).encode(), heads=(2**12, 2**20)) is not None


def test_trees_by_name_are_all_read_however_many_there_are() -> None:
    named = {f"t{n}": {"score": n, "children": [{"score": n, "note": "x" * 300}]} for n in range(1000)}
    log = read_log(json.dumps(named).encode())
    assert log.n_rows == 2000


def test_of_trees_of_one_name_the_last_counts() -> None:
    told = (("a", 1), ("b", 2), ("b", 3))
    trees = ", ".join(f'"{name}": {{"v": {v}, "kids": {{"c": {{"v": {v}}}}}}}' for name, v in told)
    assert read_bytes(TapeDocument(f"{{{trees}}}".encode())) is None
    assert read_log(f"{{{trees}}}".encode()).columns["score"].tolist() == [1, 1, 3, 3]
