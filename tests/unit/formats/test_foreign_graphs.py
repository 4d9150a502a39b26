"""Graphs as tools write them make the same log from bytes as from values."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes
from tests.property.test_foreign_bytes import check

N_NODES: Final = 24
DRAW: Final = random.Random(8)
TREE: Final = [(DRAW.randrange(number), number) for number in range(1, N_NODES)]
TRANSPOSED: Final = [*TREE, (0, 20), (3, 20), (3, 20), (7, 21), (7, 8)]
Edge = Callable[[int, int], dict[str, Any]]


def own(number: int) -> dict[str, Any]:
    return {"move": f"m{number % 7}", "score": number % 11 - 5.5}


def toolkit(edge: Callable[[int, int], Any], links: list[tuple[int, int]] = TREE) -> Any:
    """The graph of the JavaScript InfoVis Toolkit."""
    return [
        {
            "id": f"n{at}",
            "name": "c6",
            "data": own(at),
            "adjacencies": [edge(*link) for link in links if link[0] == at],
        }
        for at in range(N_NODES)
    ]


def coloured(at: int, to: int) -> dict[str, Any]:
    """An edge as the examples of the toolkit have it."""
    return {"nodeTo": f"n{to}", "nodeFrom": f"n{at}", "data": {"$color": "#557EAA", "weight": to}}


def network(
    links: list[tuple[int, int]] = TREE, edge: Edge = lambda at, to: {}, *, name: str = "links", **around: Any
) -> Any:
    """`node_link_data` of NetworkX."""
    nodes = [own(at) | {"id": at} for at in range(N_NODES)]
    edges = [edge(*link) | {"source": link[0], "target": link[1]} for link in links]
    return {"directed": True, "multigraph": False, "graph": {}, **around, "nodes": nodes, name: edges}


def adjacency(links: list[tuple[int, int]], **around: Any) -> Any:
    """`adjacency_data` of NetworkX."""
    below = [[{"id": to, "weight": at} for at, to in links if at == node] for node in range(N_NODES)]
    nodes = [own(at) | {"id": at} for at in range(N_NODES)]
    return {"directed": True, "multigraph": False, "graph": [], **around, "nodes": nodes, "adjacency": below}


def dot(links: list[tuple[int, int]]) -> Any:
    """What `dot -Tjson` writes."""
    objects = [{"_gvid": at, "name": f"n{at}", "score": str(at % 9), "pos": "27,18"} for at in range(N_NODES)]
    edges = [
        {
            "_gvid": place,
            "tail": at,
            "head": to,
            "label": f"m{to % 7}",
            "_draw_": [{"op": "b", "points": [1, 2]}],
        }
        for place, (at, to) in enumerate(links)
    ]
    return {"name": "G", "directed": True, "strict": False, "objects": objects, "edges": edges}


def cytoscape(links: list[tuple[int, int]], **around: Any) -> Any:
    """`cytoscape_data` of NetworkX, and what Cytoscape writes beside it."""
    nodes = [{"data": own(at) | {"id": f"n{at}"}, "position": {"x": at, "y": 0}} for at in range(N_NODES)]
    edges = [
        {"data": {"id": f"e{place}", "source": f"n{at}", "target": f"n{to}", "weight": to}, "group": "edges"}
        for place, (at, to) in enumerate(links)
    ]
    return {"data": [], "multigraph": False, **around, "elements": {"nodes": nodes, "edges": edges}}


def listing(links: list[tuple[int, int]]) -> Any:
    """Rows that list the ids of their children."""
    return [own(at) | {"id": at, "children": [to for up, to in links if up == at]} for at in range(N_NODES)]


def by_place() -> Any:
    """Rows without ids, which name the places of their parents."""
    return [own(0) | {"parent": -1}, *(own(to) | {"parent": at} for at, to in TREE)]


GRAPHS: Final[dict[str, Any]] = {
    "toolkit": toolkit(coloured),
    "toolkit, transposed": toolkit(coloured, TRANSPOSED),
    "toolkit, ids, transposed": toolkit(lambda at, to: f"n{to}", TRANSPOSED),
    "toolkit, to nowhere": toolkit(coloured, [*TREE, (3, 90), (5, 90), (5, 91)]),
    "directed": network(),
    "undirected": network(directed=False),
    "transposed": network(TRANSPOSED, lambda at, to: {"weight": to}, name="edges"),
    "undirected, transposed": network(TRANSPOSED, directed=False),
    "multigraph": network(TRANSPOSED, lambda at, to: {"key": 0, "weight": 0.5}, multigraph=True),
    "plies on edges": network(TRANSPOSED, lambda at, to: {"label": f"m{to % 5}", "value": to}),
    "to nowhere": network([*TREE, (3, 90), (90, 91)]),
    "pairs": network() | {"links": TRANSPOSED},
    "adjacency": adjacency(TRANSPOSED),
    "adjacency, undirected": adjacency([*TREE, *((to, at) for at, to in TREE)], directed=False),
    "dot": dot(TRANSPOSED),
    "listing": listing(TREE),
    "listing, transposed": {"nodes": listing(TRANSPOSED), "game": "go"},
    "by place": by_place(),
    "cytoscape": cytoscape(TRANSPOSED),
    "cytoscape, undirected": cytoscape(TREE, directed=False),
    "toolkit, wrapped": {"run": {"seed": 3}, "graph": toolkit(coloured, TRANSPOSED)},
    "nodes under their ids": {"nodes": {str(at): own(at) for at in range(N_NODES)}, "edges": TRANSPOSED},
    "nodes under their ids, named ends": {
        "nodes": {f"n{at}": own(at) | {"id": at} for at in range(N_NODES)},
        "links": [{"source": f"n{at}", "target": f"n{to}", "move": f"m{to % 5}"} for at, to in TRANSPOSED],
    },
    "wrapped": {"about": "x", "search": {"graph": network(TRANSPOSED, directed=False)}, "seconds": 2},
}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_a_graph_that_a_tool_writes_is_read_by_columns(graph: Any, indent: int | None) -> None:
    log = check(json.dumps(graph, indent=indent).encode())
    assert log is not None
    assert log.n_rows in (N_NODES, N_NODES + 1, N_NODES + 2)


def test_edges_outside_the_tree_are_said() -> None:
    """Of the five, one is there twice: an edge counts once."""
    log = check(json.dumps(toolkit(coloured, TRANSPOSED)).encode())
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
        network(edge=lambda at, to: {"data": {"source": 1, "target": 2}, "id": 3}),
        [*toolkit(coloured, TRANSPOSED)[:-1], {"id": "n3", "adjacencies": []}],
        [*toolkit(coloured), {"id": "n90", "edge": 3, "adjacencies": []}],
        {"graph": network(), "tree": {"children": [{"children": [{}]}]}},
        {"graphs": [network(), network(TRANSPOSED)]},
        {"elements": {"elements": network()}},
        {"directed": False, "elements": network([(1, 0), (1, 2)])},
        {
            "elements": {
                name: [dict(reversed(each.items())) for each in items]
                for name, items in cytoscape(TREE)["elements"].items()
            }
        },
        cytoscape(TREE)["elements"]["nodes"] + cytoscape(TREE)["elements"]["edges"],
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
