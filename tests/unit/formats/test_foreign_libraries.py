"""Trees as libraries and authors write them, each in its own shape, are read alike by both roads."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log
from tests.property.test_foreign_bytes import check

PLIES: Final = ["root", "a1", "b1", "b2", "a2", "c1", "c2"]
SCORES: Final = [3, 3, 3, 8, -2, -2, 5]
PARENTS: Final = [-1, 0, 1, 1, 0, 4, 4]
EVERY: Final = range(len(PLIES))


def of(node: int) -> list[int]:
    """The children of a node."""
    return [child for child in EVERY if PARENTS[child] == node]


def row(node: int, **said: Any) -> dict[str, Any]:
    return {"move": PLIES[node], "score": SCORES[node], **said}


def own(node: int) -> int | None:
    return PARENTS[node] if node else None


def nested(node: int, held: Any) -> Any:
    """A tree by what `held` makes of a node and its children."""
    return held(node, [nested(child, held) for child in of(node)])


def edges(node: int, below: list[Any]) -> Any:
    """A node whose children are edges that hold nodes."""
    return row(node, children=[{"prior": 0.5, "node": child} for child in below])


def sides(node: int, below: list[Any]) -> Any:
    return row(node, **dict(zip(("left", "right"), below or (None, None), strict=True)))


LINKS: Final = [{"source": PARENTS[node], "target": node} for node in EVERY if node]
LIBRARIES: Final[dict[str, Any]] = {
    "d3's links by place": {"nodes": [row(node) for node in EVERY], "links": LINKS},
    "links by place beside ids": {"nodes": [row(node, id=f"n{node}") for node in EVERY], "links": LINKS},
    "a map from id to row": {str(node): {"parent": own(node), **row(node)} for node in EVERY},
    "a map of rows with ids": {str(node): {"id": node, "parent": own(node), **row(node)} for node in EVERY},
    "a map with parents of -1": {"tree": {str(node): row(node, parent=PARENTS[node]) for node in EVERY}},
    "a map without the root's parent": {
        str(node): row(node, **({"parent": own(node)} if node else {})) for node in EVERY
    },
    "a map of rows under nodes": {"root": 0, "nodes": {str(n): {"parent": own(n), **row(n)} for n in EVERY}},
    "a map of rows that list children": {str(node): row(node, children=of(node)) for node in EVERY},
    "rows that list places": [row(node, children=of(node)) for node in EVERY],
    "edges that hold nodes": nested(0, edges),
    "left and right": nested(0, sides),
}


def plies(log: Log) -> list[str | None]:
    return [log.texts[code] if code >= 0 else None for code in log.columns["ply"].tolist()]


@pytest.mark.parametrize("document", LIBRARIES.values(), ids=list(LIBRARIES))
def test_a_tree_is_read_as_its_library_means_it(document: Any) -> None:
    log = read_log(json.dumps(document).encode())
    assert log.columns["parent"].tolist() == PARENTS
    assert plies(log) == PLIES
    assert log.columns["score"].tolist() == SCORES
    check(json.dumps(document).encode())


@pytest.mark.parametrize("names", [("left", "right"), ("yes", "no"), ("leftChild", "rightChild")])
def test_inner_nodes_of_two_sides_need_no_score(names: tuple[str, str]) -> None:
    def held(node: int, below: list[Any]) -> Any:
        return {"op": "max", **dict(zip(names, below, strict=True))} if below else {"value": SCORES[node]}

    log = read_log(json.dumps(nested(0, held)).encode())
    assert log.columns["parent"].tolist() == PARENTS
    assert plies(log)[1:] == [names[side] for side in (0, 0, 1, 1, 0, 1)]
    assert [score for score in log.columns["score"].tolist() if score == score] == [3, 8, -2, 5]


def test_numbers_by_their_names_are_no_replies_in_maps_of_maps() -> None:
    leaf = {"score": 3, "visits": 2}
    log = read_log(json.dumps({"e4": {"e5": leaf, "c5": leaf}, "d4": {"d5": leaf, "score": 1}}).encode())
    assert plies(log) == [None, "e4", "e5", "c5", "d4", "d5"]
    assert log.columns["score"].tolist()[2:] == [3, 3, 1, 3]


def test_plies_that_recur_below_are_plies_and_no_field_of_children() -> None:
    deep = {"b1": {"a1": {"b1": 3, "c1": 2}, "c1": {"b1": {"a1": 4}}}, "c1": {"a1": {"b1": {"c1": 1}}}}
    log = read_log(json.dumps({"a1": deep, "b1": deep, "c1": {"a1": {"b1": 3}}}).encode())
    assert plies(log)[:4] == [None, "a1", "b1", "a1"]
    assert log.mapping == {"children": "*"}


@pytest.mark.parametrize("both_ways", [False, True])
def test_maps_of_maps_that_name_one_another_are_a_graph(both_ways: bool) -> None:
    """`to_dict_of_dicts` of NetworkX, of a directed graph and of one without directions."""
    maps = {PLIES[node]: {PLIES[child]: {"weight": 2} for child in of(node)} for node in EVERY}
    if both_ways:
        for node in EVERY[1:]:
            maps[PLIES[node]][PLIES[PARENTS[node]]] = {"weight": 2}
    log = read_log(json.dumps(maps).encode())
    assert (log.columns["parent"].tolist(), plies(log)) == (PARENTS, PLIES)


@pytest.mark.parametrize("names", [("numVisits", "totalReward"), ("visit_count", "value_sum"), ("N", "W")])
def test_a_sum_over_visits_gives_the_mean(names: tuple[str, str]) -> None:
    def held(node: int, below: list[Any]) -> Any:
        visits = 12 if not node else 3 * bool(below)
        return {"move": PLIES[node], names[0]: visits, names[1]: visits * -0.5, "children": below}

    document = nested(0, held)
    log = read_log(json.dumps(document).encode())
    assert [mean for mean in log.columns["mean"].tolist() if mean == mean] == [-0.5] * 3
    assert log.mapping["total"] == names[1]
    assert check(json.dumps(document).encode()) is not None
    document["children"][0]["children"][0][names[1]] = 7  # of no visit
    log = read_log(json.dumps(document).encode())
    assert "total" not in log.mapping
    assert f'"{names[1]}" is no sum over the visits by its values: no mean was read from it.' in log.notices
