"""Graphs as tools write them make the same log from bytes as from values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes
from tests.equality.forms import GRAPHS, N_NODES, TRANSPOSED, TREE, Edges, own
from tests.property.test_foreign_bytes import check


def network(edges: Edges = TREE, **said: Any) -> Any:
    return GRAPHS["network"](edges) | said


def test_edges_outside_the_tree_are_said() -> None:
    """Of the five, one is there twice: an edge counts once."""
    log = check(json.dumps(GRAPHS["toolkit"](TRANSPOSED)).encode())
    assert log is not None
    n_outside = len(set(TRANSPOSED)) - len(TREE)
    said = f"{n_outside} edges outside the tree (a node is reached twice): listed on their nodes under "
    assert said + '"adjacencies".' in log.notices


@pytest.mark.parametrize(
    ("edge", "why"),
    [
        ('{"nodeTo":"n2","data":{"a":1,"a":2}}', "a name twice in what an edge says"),
        ('{"nodeTo":"n2","x":null,"x":1}', "a name twice in an edge"),
        ('{"nodeTo":"n2","nodeTo":"n2"}', "an end twice"),
        ('{"nodeTo":"n2","data":{"a":tru}}', "no JSON"),
        ('{"nodeTo":"n2","data":nul}', "no JSON"),
        ('{"nodeTo":"n2"', "an edge without its end"),
        ('{"data":{}}', "an edge to nothing"),
        ("true", "no id"),
        ('["n2"]', "no edge"),
    ],
)
def test_an_edge_that_is_irregular_is_left_to_who_tells_the_place(edge: str, why: str) -> None:
    graph = '[{"id":"n1","adjacencies":[%s]},{"id":"n2","adjacencies":[{"nodeTo":"n1"}]}]'
    assert check((graph % '"n2"').encode()) is not None
    assert check((graph % edge).encode()) is None, why


@pytest.mark.parametrize(
    "graph",
    [
        network([*TREE, (23, 0)]),
        network([(at, to) for at, to in TREE if to != 7], directed=False),
        network(links=[link | {"data": {"source": 1, "target": 2}, "id": 3} for link in network()["links"]]),
        [*GRAPHS["toolkit"](TRANSPOSED)[:-1], {"id": "n3", "adjacencies": []}],
        [*GRAPHS["toolkit"](TREE), {"id": "n90", "edge": 3, "adjacencies": []}],
        {"graph": network(), "tree": {"children": [{"children": [{}]}]}},
        {"graphs": [network(), network(TRANSPOSED)]},
        {"elements": {"elements": network()}},
        {"directed": False, "elements": network([(1, 0), (1, 2)])},
        {
            "elements": {
                name: [dict(reversed(each.items())) for each in items]
                for name, items in GRAPHS["cytoscape"](TREE)["elements"].items()
            }
        },
        GRAPHS["cytoscape"](TREE)["elements"]["nodes"] + GRAPHS["cytoscape"](TREE)["elements"]["edges"],
    ],
    ids=[
        *("a circle", "two parts", "data in edges", "an id twice", "a node with an edge", "a tree beside it"),
        *("two graphs", "elements in elements"),
        *("elements without direction", "elements with data last", "elements in a list"),
    ],
)
def test_a_graph_that_is_irregular_is_read_alike_or_left_to_who_tells_the_place(graph: Any) -> None:
    check(json.dumps(graph).encode())


def test_a_document_that_ends_anywhere_is_said_to_be_cut_short_or_left_to_who_tells_the_place() -> None:
    text = json.dumps({"edges": [[0, 1]], "nodes": [{"id": 0}, {"id": 1}], "links": 3}, separators=(",", ":"))
    for end in range(1, len(text)):
        log = read_bytes(TapeDocument(text[:end].encode()))
        assert log is None or "cut short" in log.notices[0]


@pytest.mark.parametrize(
    "of_id",
    [
        int,
        str,
        "n{}".format,
        "n{:03}".format,
        "{}a".format,
        "x1y{}".format,
        lambda n: n * 10**6,
        lambda n: 20 - n,
    ],
    ids=["numbers", "texts", "letters", "zeros", "behind", "between", "far apart", "below zero"],
)
def test_ids_may_be_spelled_in_any_way(of_id: Callable[[int], Any]) -> None:
    rows = [
        own(to) | {"id": of_id(to), "parent": None if at is None else of_id(at)}
        for at, to in [(None, 0), *TREE]
    ]
    assert check(json.dumps(rows).encode()) is not None
    edges = [{"from": of_id(at), "to": str(of_id(to))} for at, to in TRANSPOSED]
    nodes = [own(at) | {"id": of_id(at)} for at in range(N_NODES)]
    assert check(json.dumps({"edges": edges, "nodes": nodes}).encode()) is not None
    nodes[3]["id"] = of_id(4)
    assert check(json.dumps({"edges": edges, "nodes": nodes}).encode()) is None


def test_what_is_broken_down_on_a_node_that_no_link_reaches_is_no_fault() -> None:
    document = [
        {"id": 0, "adjacencies": [{"nodeTo": 1}, {"nodeTo": 2}]},
        {"id": 1, "adjacencies": [{"nodeTo": 3}]},
        {"id": 2, "adjacencies": [{"nodeTo": 2}]},
        {"id": 3, "pruned": True, "breakdown": {"a": 1}},
    ]
    assert read_log(json.dumps(document).encode()).n_rows > 1


def test_fields_of_links_are_listed_in_the_order_in_which_links_state_them() -> None:
    """Though a name is met before elsewhere: here that of a weight in a breakdown."""
    document = [
        {
            "id": 0,
            "breakdown": {"a": {"value": 2, "weight": 3}},
            "adjacencies": [{"nodeTo": 1}, {"nodeTo": 2, "key": 0, "weight": 0}],
        },
        {"id": 1},
        {"id": 2},
    ]
    text = json.dumps(document)
    for padded in (text, text + " " * 2**21):
        assert "edge.key, edge.weight." in read_log(padded.encode()).notices[0]


def test_nodes_under_their_ids_are_no_children_where_edges_name_them() -> None:
    document = {
        "nodes": {"a": {"score": 3}, "b": {"score": 3}, "c": {"score": 1}},
        "edges": [{"from": "a", "to": "b", "move": "e4"}, {"from": "a", "to": "c", "move": "d4"}],
    }
    log = check(json.dumps(document).encode())
    assert log is not None
    assert log.columns["parent"].tolist() == [-1, 0, 0]
    assert [log.text(int(ply)) for ply in log.columns["ply"]] == [None, "e4", "d4"]
    document["edges"] = [{"from": "x", "to": "y"}]
    nested = check(json.dumps(document).encode())
    assert nested is not None
    assert nested.n_rows == 4
