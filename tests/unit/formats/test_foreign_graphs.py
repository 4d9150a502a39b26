"""Graphs as tools write them: laid out as a tree, the same from bytes as from values, or refused in words."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes, read_foreign
from plyscope.visualizer.store.log import Log
from tests.equality.forms import GRAPHS, N_NODES, TRANSPOSED, TREE, Edges, own
from tests.property.test_foreign_bytes import check
from tests.unit.logs import plies, scores, there
from tests.unit.same_logs import extras


def checked(graph: Any) -> Log | None:
    return check(json.dumps(graph).encode())


def network(edges: Edges = TREE, **said: Any) -> Any:
    return GRAPHS["network"](edges) | said


def test_edges_outside_the_tree_are_said() -> None:
    """Of the five, one is there twice: an edge counts once."""
    n_outside = len(set(TRANSPOSED)) - len(TREE)
    said = f"{n_outside} edges outside the tree (a node is reached twice): listed on their nodes under "
    assert said + '"adjacencies".' in there(checked(GRAPHS["toolkit"](TRANSPOSED))).notices


def test_edges_outside_a_tree_of_unnamed_nodes_are_listed_by_place() -> None:
    links = [{"source": 0, "target": 1}, {"source": 0, "target": 2}, {"source": 1, "target": 2, "w": 3}]
    log = there(checked({"nodes": [{"v": 1}, {"v": 2}, {"v": 3}], "links": links}))
    assert extras(log, 1)["edges"] == [{"to": "2", "w": 3}]
    assert extras(log, 2)["edges"] == ["1"]


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


@pytest.mark.parametrize("edge", [{}, {"w": 2}])
def test_maps_that_name_one_another_are_a_graph_whatever_its_edges_say(edge: dict[str, int]) -> None:
    """Which the beginning of the document does not show: they name others behind it."""
    n_nodes = 2_000
    below = {
        f"n{at}": {f"n{child}": edge for child in range(3 * at + 1, 3 * at + 4)} for at in range(n_nodes)
    }
    graph = {
        name: {child: said for child, said in inner.items() if child in below}
        for name, inner in below.items()
    }
    assert there(check(json.dumps(graph).encode(), head=2**12)).n_rows == n_nodes


@pytest.mark.parametrize("edge", ['{"w":1e999}', '{"w":1,"w":2}'])
@pytest.mark.parametrize(
    "document", ['{"a":{"b":§},"b":{"c":{}},"c":{}}', '{"node":[0,1,2],"parent":[null,0,0],"said":[[§],1,2]}']
)
def test_what_is_irregular_in_a_document_parsed_at_once_is_told(document: str, edge: str) -> None:
    assert check(document.replace("§", "{}").encode(), head=24) is not None
    assert check(document.replace("§", edge).encode(), head=24) is None


@pytest.mark.parametrize("id_of", [lambda at: at, lambda at: 7919 * at + 1, "n{}".format])
def test_whether_links_have_indices_is_known_at_the_end(id_of: Callable[[int], int | str]) -> None:
    """What the head shows may be ids of nodes further on, or indices."""
    n_nodes = 3_000
    order = random.Random(1).sample(range(1, n_nodes), n_nodes - 1)
    nodes = [{"id": id_of(at)} for at in [0, *order]]
    end_of = int if isinstance(id_of(0), str) else id_of
    links = [{"source": end_of((at - 1) // 3), "target": end_of(at)} for at in reversed(order)]
    graph = {"nodes": nodes, "links": links, "arcs": "drawn by hand"}
    log = there(check(json.dumps(graph).encode(), head=2**12))
    assert (log.n_rows, len(log.roots)) == (n_nodes, 1)
    nodes = [{"id": [at]} for at in range(n_nodes)]
    assert check(json.dumps({"nodes": nodes, "links": links}).encode(), head=2**12) is None


def test_edges_are_found_behind_all_nodes_of_one_list_or_before_them() -> None:
    """The others come pieces of the tape later."""
    n_nodes = 30_000
    nodes = [{"data": {"id": at}} for at in range(n_nodes)]
    edges = [{"data": {"source": at // 3, "target": at}} for at in range(1, n_nodes)]
    two_lists = {"nodes": nodes, "links": ["none of them"], "edges": edges}
    for elements in ([*nodes, *edges], [*edges, *nodes], two_lists):
        log = there(read_bytes(TapeDocument(json.dumps(elements).encode(), head=2**12)))
        assert (log.n_rows, len(log.roots)) == (n_nodes, 1)


@pytest.mark.parametrize(
    "cut",
    [
        '[{"adjacencies":[],"id":"n1"},{"adjacencies":[{"nodeTo":"n1"',
        '[{"id":"b","children":["d"]},{"id":"c","children":[]},{"id":"d","children":[]},'
        '{"score":1,"children":["b","c"]',
    ],
)
def test_links_of_a_node_that_the_cut_left_out_go_with_it(cut: str) -> None:
    """Its id stands behind its links."""
    log = read_log(cut.encode())
    assert (log.columns["parent"] < log.n_rows).all()
    assert read_bytes(TapeDocument(cut.encode())) is not None


def test_elements_that_are_cut_are_read_however_many() -> None:
    items = [
        item
        for at in range(6_000)
        for item in ({"data": {"id": at}}, {"data": {"source": at // 3, "target": at + 1}})
    ]
    cut = json.dumps({"elements": items}).encode()[:-5]
    assert there(read_bytes(TapeDocument(cut, head=2**12))).n_rows >= 6_000


ELEMENTS = GRAPHS["cytoscape"](TREE)["elements"]
LINKS = [link | {"data": {"source": 1, "target": 2}, "id": 3} for link in network()["links"]]
NODES = [{"score": at, "id": at} for at in range(4)]
LAST_FIRST = {name: [dict(reversed(each.items())) for each in items] for name, items in ELEMENTS.items()}
IRREGULAR = {
    "two parts": network([(at, to) for at, to in TREE if to != 7], directed=False),
    "data in edges": network(links=LINKS),
    "an id twice": [*GRAPHS["toolkit"](TRANSPOSED)[:-1], {"id": "n3", "adjacencies": []}],
    "a node with an edge": [*GRAPHS["toolkit"](TREE), {"id": "n90", "edge": 3, "adjacencies": []}],
    "a tree beside it": {"graph": network(), "tree": {"children": [{"children": [{}]}]}},
    "two graphs": {"graphs": [network(), network(TRANSPOSED)]},
    "elements in elements": {"elements": {"elements": network()}},
    "elements without direction": {"directed": False, "elements": network([(1, 0), (1, 2)])},
    "elements with data last": {"elements": LAST_FIRST},
    "elements in a list": ELEMENTS["nodes"] + ELEMENTS["edges"],
    "more neighbours than nodes": {"nodes": NODES, "adjacency": [NODES[1:3], NODES[3:], [], [], []]},
}


@pytest.mark.parametrize("graph", IRREGULAR)
def test_a_graph_that_is_irregular_is_read_alike_or_left_to_who_tells_the_place(graph: str) -> None:
    checked(IRREGULAR[graph])


IDS: dict[str, Callable[[int], Any]] = {
    **{"numbers": int, "texts": str, "letters": "n{}".format, "zeros": "n{:03}".format},
    **{"behind": "{}a".format, "between": "x1y{}".format},
    **{"far apart": lambda n: n * 10**6, "below zero": lambda n: 20 - n},
}


@pytest.mark.parametrize("ids", IDS)
def test_ids_may_be_spelled_in_any_way(ids: str) -> None:
    of_id = IDS[ids]
    root = own(0) | {"id": of_id(0), "parent": None}
    assert checked([root, *(own(to) | {"id": of_id(to), "parent": of_id(at)} for at, to in TREE)]) is not None
    edges = [{"from": of_id(at), "to": str(of_id(to))} for at, to in TRANSPOSED]
    nodes = [own(at) | {"id": of_id(at)} for at in range(N_NODES)]
    assert checked({"edges": edges, "nodes": nodes}) is not None
    nodes[3]["id"] = of_id(4)
    assert checked({"edges": edges, "nodes": nodes}) is None
    text = json.dumps({"edges": edges[:1], "nodes": nodes[:2], "links": 3}, separators=(",", ":"))
    for end in range(1, len(text)):  # cut, it is said to be cut short, or left to who tells the place
        log = read_bytes(TapeDocument(text[:end].encode()))
        assert log is None or "cut short" in log.notices[0]


def test_what_no_link_reaches_is_no_fault_and_is_left_out_where_it_is_not_connected() -> None:
    document = [
        {"id": 0, "adjacencies": [{"nodeTo": 1}, {"nodeTo": 2}]},
        {"id": 1, "adjacencies": [{"nodeTo": 3}]},
        {"id": 2, "adjacencies": [{"nodeTo": 2}]},
        {"id": 3, "pruned": True, "breakdown": {"a": 1}},
    ]
    assert read_log(json.dumps(document).encode()).n_rows > 1
    log = read_foreign([ALONE, {"id": "b", "adjacencies": []}])
    assert log.n_rows == 1
    assert any('not connected with the first, "a", left out: "b"' in notice for notice in log.notices)


def test_fields_of_links_are_listed_in_the_order_in_which_links_state_them() -> None:
    """Though a name is met before elsewhere: here that of a weight in a breakdown."""
    links = [{"nodeTo": 1}, {"nodeTo": 2, "key": 0, "weight": 0}]
    root = {"id": 0, "breakdown": {"a": {"value": 2, "weight": 3}}, "adjacencies": links}
    text = json.dumps([root, {"id": 1}, {"id": 2}])
    for padded in (text, text + " " * 2**21):
        assert "edge.key, edge.weight." in read_log(padded.encode()).notices[0]


def test_nodes_under_their_ids_are_no_children_where_edges_name_them() -> None:
    nodes = {"a": {"score": 3}, "b": {"score": 3}, "c": {"score": 1}}
    edges = [{"from": "a", "to": "b", "move": "e4"}, {"from": "a", "to": "c", "move": "d4"}]
    log = there(checked({"nodes": nodes, "edges": edges}))
    assert log.columns["parent"].tolist() == [-1, 0, 0]
    assert plies(log) == [None, "e4", "d4"]
    assert there(checked({"nodes": nodes, "edges": [{"from": "x", "to": "y"}]})).n_rows == 4


AB = [{"id": "a"}, {"id": "b"}]
ONE = {"source": "a", "target": "b"}
ALONE = {"id": "a", "adjacencies": []}
LACKING = {"id": "a", "adjacencies": [{"nodeFrom": "a"}]}
WRONG = [
    ({"nodes": [*AB, {"id": "b"}], "edges": [ONE]}, "$.nodes[2]", 'id "b" is already the id of'),
    ({"nodes": [*AB, {"x": 1}], "edges": [ONE]}, "$.nodes[2]", "without an id"),
    ({"nodes": AB, "edges": [ONE | {"target": None}]}, "$.edges[0]", "expected the id of a node"),
    ({"nodes": AB, "edges": [["a"]]}, "$.edges[0]", "expected the two ends of an edge"),
    ([ALONE, {"name": "c6", "adjacencies": []}], "$[1]", r'no id \(its name is "c6"\)'),
    ([ALONE, ALONE], "$[1]", r'id "a" is already the id of \$\[0\]'),
    ([ALONE, "b"], "$[1]", "expected a node with id, name and adjacencies"),
    ([ALONE, {"id": "b", "adjacencies": "a"}], "$[1].adjacencies", "expected a list"),
    ([LACKING], "$[0].adjacencies[0]", "expected an id or an object with nodeTo"),
]


@pytest.mark.parametrize(("graph", "path", "said"), WRONG)
def test_what_is_wrong_with_a_graph_is_said_with_its_place(graph: Any, path: str, said: str) -> None:
    with pytest.raises(LogError, match=said) as refused:
        read_foreign(graph)
    assert refused.value.path == path


# The JavaScript InfoVis Toolkit --------------------------------------------------------------------------


def test_its_graph_is_laid_out_breadth_first_whichever_end_names_an_edge() -> None:
    """a - b, c named by a; c names b and d, and d names a: d is nearest to a."""
    graph = [
        {"id": "a", "name": "a", "adjacencies": ["b", {"nodeTo": "c", "data": {"weight": 3}}]},
        {"id": "b", "name": "b", "adjacencies": ["a"]},
        {"id": "c", "name": "c", "adjacencies": ["d", "b"]},
        {"id": "d", "name": "d", "adjacencies": [{"nodeTo": "a", "nodeFrom": "d"}]},
    ]
    log = read_foreign(graph)
    assert plies(log) == ["a", "b", "c", "d"]
    assert log.columns["parent"].tolist() == [-1, 0, 0, 0]
    assert extras(log, 2) == {"id": "c", "edge": {"data": {"weight": 3}}, "adjacencies": ["d", "b"]}
    assert any("2 edges outside the tree" in notice for notice in log.notices)
    # Ids in a tree: one is missing, one double.
    children = '[{id: "a", name: "c6", data: {score: 2}}, {name: "d6"}]'
    log = read_log(f'{{id: "a", name: "start", data: {{}}, children: {children}}}'.encode())
    assert (plies(log), scores(log)) == (["start", "c6", "d6"], [None, 2, None])
    assert log.notices[0].startswith("Read as JavaScript InfoVis Toolkit tree")


def test_a_small_graph_whose_root_is_named_by_edges_alone_is_read() -> None:
    nodes = [{"data": {"id": "n1", "score": -1}}, {"data": {"id": "n2", "score": [1]}}]
    edges = [{"data": {"id": f"e{n}", "source": "r", "target": f"n{n}", "label": "rock"}} for n in (1, 2)]
    graph = {"elements": {"nodes": nodes, "edges": edges, "position": edges[0]["data"]}}
    assert read_log(json.dumps(graph).encode()).n_rows == 3
