"""The graph of the JavaScript InfoVis Toolkit, laid out from its first node."""

from __future__ import annotations

import json

import pytest

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.reader import read_foreign
from plyscope.visualizer.store.log import Log


def names(log: Log) -> list[str | None]:
    return [log.text(int(ply)) for ply in log.columns["ply"]]


def test_the_graph_is_laid_out_breadth_first_whichever_end_names_an_edge() -> None:
    """a - b, c named by a; c names b and d, and d names a: d is nearest to a."""
    graph = [
        {"id": "a", "name": "a", "adjacencies": ["b", {"nodeTo": "c", "data": {"weight": 3}}]},
        {"id": "b", "name": "b", "adjacencies": ["a"]},
        {"id": "c", "name": "c", "adjacencies": ["d", "b"]},
        {"id": "d", "name": "d", "adjacencies": [{"nodeTo": "a", "nodeFrom": "d"}]},
    ]
    log = read_foreign(graph)
    assert names(log) == ["a", "b", "c", "d"]
    assert log.columns["parent"].tolist() == [-1, 0, 0, 0]
    assert log.extras is not None
    assert json.loads(log.extras.of(2)) == {
        "id": "c",
        "edge": {"data": {"weight": 3}},
        "adjacencies": ["d", "b"],
    }
    assert any("2 edges outside the tree" in notice for notice in log.notices)


def test_an_edge_to_nowhere_makes_an_empty_node_with_a_notice() -> None:
    log = read_foreign([{"id": "a", "name": "a", "adjacencies": ["b", "b"]}])
    assert names(log) == ["a", None]
    assert any('"b", no node of the graph' in notice for notice in log.notices)


def test_a_missing_id_is_an_error_that_names_the_node() -> None:
    with pytest.raises(LogError, match=r'no id \(its name is "c6"\)') as missing:
        read_foreign([{"id": "a", "adjacencies": []}, {"name": "c6", "adjacencies": []}])
    assert missing.value.path == "$[1]"


def test_a_double_id_is_an_error_that_names_it() -> None:
    with pytest.raises(LogError, match=r'id "a" is already the id of \$\[0\]'):
        read_foreign([{"id": "a", "adjacencies": []}, {"id": "a", "adjacencies": []}])


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        ([{"id": "a", "adjacencies": []}, "b"], "expected a node with id, name and adjacencies"),
        ([{"id": "a", "adjacencies": []}, {"id": "b", "adjacencies": "a"}], "expected a list"),
        ([{"id": "a", "adjacencies": [{"nodeFrom": "a"}]}], "expected an id or an object with nodeTo"),
    ],
)
def test_what_is_no_node_or_edge_is_refused_with_its_place(graph: object, words: str) -> None:
    with pytest.raises(LogError, match=words) as refused:
        read_foreign(graph)
    assert refused.value.path is not None


def test_nodes_without_a_way_to_the_first_are_left_out_with_a_notice() -> None:
    log = read_foreign([{"id": "a", "adjacencies": []}, {"id": "b", "adjacencies": []}])
    assert log.n_rows == 1
    assert any('not connected with the first, "a", left out: "b"' in notice for notice in log.notices)
