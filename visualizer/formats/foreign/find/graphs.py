"""Graphs in documents: a list of nodes and one of edges, or nodes that list their neighbours.

The second is the form of the JavaScript InfoVis Toolkit.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.foreign.find.found import Found
from plyscope.visualizer.formats.foreign.find.rows import ENDS as ENDS
from plyscope.visualizer.formats.tape.paths import step_to

NODES: Final = ("nodes", "vertices", "objects")
EDGES: Final = ("edges", "links", "arcs")
"""The usual names of these lists; the first that a document has counts."""
LISTS_OF_EDGES: Final = (*EDGES, "adjacency")
IDS: Final = ("_gvid", "id", "key", "_id", "name", "label")
NODE_LINK: Final = "graph of nodes and edges"
JIT_GRAPH: Final = "JavaScript InfoVis Toolkit graph"
JIT_FOUND: Final = Found(
    JIT_GRAPH, "adjacencies", kind="adjacencies", id="id", ends=("nodeFrom", "nodeTo"), is_directed=False
)
SUBGRAPHS: Final = "_subgraph_cnt"
HOW_WRITTEN: Final = ("directed", "multigraph", SUBGRAPHS)
"""The fields of a graph that say how to read its edges."""
LABELS: Final = ("move", "ply", "action", "san", "label", "name")
NOT_OF_EDGES: Final = ("id", "key")
"""Fields of an edge that are left out: they only identify it."""


class Graph(NamedTuple):
    """The nodes and edges of a document, each behind the step to it."""

    nodes: list[tuple[str, Any]]
    edges: list[tuple[str, Any]]
    inside: tuple[str, ...] = ()
    """The names that lead to the lists of both."""
    lists: tuple[str, str] = ("", "")
    """What these are called."""
    is_map: bool = False
    """Whether nodes stand under their ids, not in a list."""


def graph_parts(document: object, *, is_cut: bool = False) -> Graph | None:
    """The parts of a graph, None where the document is none; one that `is_cut` may lack nodes and edges.

    >>> graph_parts({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}).edges
    [('.links[0]', {'source': 1, 'target': 2})]
    >>> graph_parts({"nodes": [{"id": 1}, {"id": 2}], "adjacency": [[{"id": 2}], []]}).edges
    [('.adjacency[0][0]', {'source': 1, 'target': 2})]
    """
    if isinstance(document, list):
        if not all(isinstance(item, dict) and isinstance(item.get("data"), dict) for item in document):
            return None
        parts: tuple[list[Any], list[Any]] = [], []
        for each in _with_steps("", document):
            parts[_ends(_inner(each[1])) is not None].append(each)
        return Graph(*parts) if parts[1] else None
    if not isinstance(document, dict):
        return None
    elements = document.get("elements")
    if isinstance(elements, list) or (isinstance(elements, dict) and "elements" not in elements):
        inner = graph_parts(elements, is_cut=is_cut)
        return inner and inner._replace(
            nodes=[(f".elements{step}", node) for step, node in inner.nodes],
            edges=[(f".elements{step}", edge) for step, edge in inner.edges],
            inside=("elements", *inner.inside),
        )
    at = next((name for name in NODES if name in document), NODES[0])
    vertices = document.get(at)
    if isinstance(vertices, dict):
        return _of_map(document, at, vertices)
    if not isinstance(vertices, list) or not vertices:
        return None
    for name in LISTS_OF_EDGES:
        links = document.get(name)
        if not isinstance(links, list):
            continue
        is_adjacency = name == "adjacency"
        edges = _adjacency(vertices, links, is_cut=is_cut) if is_adjacency else _with_steps(f".{name}", links)
        if (is_adjacency and not edges) or not (is_adjacency or all(map(is_edge, links))):
            continue
        return Graph(_with_steps(f".{at}", vertices), edges, lists=(at, name))
    return None


def _with_steps(step: str, items: list[Any]) -> list[tuple[str, Any]]:
    return [(f"{step}[{place}]", item) for place, item in enumerate(items)]


def _of_map(document: Mapping[str, Any], at: str, nodes: Mapping[str, Any]) -> Graph | None:
    """The parts of a graph with a map of nodes by id, None where no list of edges names these."""
    if not nodes or not all(isinstance(node, dict) for node in nodes.values()):
        return None
    for name in EDGES:
        links = document.get(name)
        if not isinstance(links, list) or not links or not all(map(is_edge, links)):
            continue
        ends = [str(end) for link in links for end in _ends_of(link)]
        if 2 * sum(end in nodes for end in ends) < len(ends):
            continue
        return Graph(
            [(f".{at}{step_to(key)}", {"id": key, **node}) for key, node in nodes.items()],
            _with_steps(f".{name}", links),
            lists=(at, name),
            is_map=True,
        )
    return None


def _adjacency(nodes: list[Any], adjacency: list[Any], *, is_cut: bool) -> list[tuple[str, Any]]:
    """The edges of NetworkX's `adjacency_data`, which has, in the order of nodes, a list of successors."""
    if (len(adjacency) != len(nodes) and not is_cut) or not all(
        isinstance(node, dict)
        and isinstance(targets, list)
        and all(isinstance(target, dict) and "id" in target for target in targets)
        for node, targets in zip(nodes, adjacency, strict=False)
    ):
        return []
    edges = []
    for place, (node, targets) in enumerate(zip(nodes, adjacency, strict=False)):
        for step, target in _with_steps(f".adjacency[{place}]", targets):
            rest = {key: value for key, value in target.items() if key != "id"}
            edges.append((step, {**rest, "source": node.get("id"), "target": target["id"]}))
    return edges


def found_graph(document: Any, path: str, *, is_cut: bool = False) -> Found | None:
    """The description of a graph; edges lead from parent to child by default.

    None where the document is none. Ends may be indices in the list of nodes in the place of ids, as in d3.
    Where the document `is_cut`, nodes may be missing; if all of them are, or all edges, it is none. Raises
    LogError where an id is missing, or an edge lacks an end.

    >>> graph = {"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"from": "a", "to": "b", "label": "c6"}]}
    >>> found_graph(graph, "$").ends
    ('from', 'to')
    """
    parts = graph_parts(document, is_cut=is_cut)
    if parts is None or (is_cut and not (parts.nodes and parts.edges)):
        return None
    n_nodes = sys.maxsize if is_cut else len(parts.nodes)
    are_unnamed = _have_places(parts.edges, n_nodes) and all(_is_unnamed(node) for _, node in parts.nodes)
    for step, node in parts.nodes:
        if not are_unnamed and not _is_named(node):
            message = f"found {shown(node)} without an id, expected every node to have one"
            raise LogError(message, path=path + step)
    for step, edge in parts.edges:
        _check_edge(edge, path + step)
    return _found(parts)


def begun_graph(document: Any) -> Found | None:
    """The description of a graph of which a document that is cut has only nodes, None where it has others.

    >>> begun_graph({"elements": {"nodes": [{"id": 1}, {"id": 2}]}}).inside
    ('elements',)
    """
    inside: tuple[str, ...] = ()
    while isinstance(document, dict) and [*document][-1:] == ["elements"] and not inside:
        inside, document = ("elements",), document["elements"]
    at = ""
    if isinstance(document, dict) and document and (at := next(reversed(document))) in NODES:
        document = document[at]
    if not isinstance(document, list) or not document:
        return None
    are_in_data = all(isinstance(node, dict) and isinstance(node.get("data"), dict) for node in document)
    is_known = all(map(_is_named, document)) or (at and all(map(_is_unnamed, document)))
    if not (at or are_in_data) or not is_known:
        return None
    found = _found(Graph(_with_steps("", document), [], inside, (at, "")))
    return replace(found, is_begun=True, ends=("", "") if at else ENDS[0])


def _name_of(node: object) -> Any:
    if isinstance(node, str | int):
        return node
    fields = _inner(node) if isinstance(node, dict) else {}
    return next((fields[name] for name in IDS if name in fields), None)


def _found(parts: Graph) -> Found:
    first: Mapping[str, Any] = next((node for _, node in parts.nodes if isinstance(node, dict)), {})
    in_data = _inner(first) is not first
    edge = next((edge for _, edge in parts.edges if isinstance(edge, dict)), None)
    return Found(
        NODE_LINK,
        "edges",
        kind="graph",
        id="" if parts.is_map else next((name for name in IDS if name in _inner(first)), ""),
        is_map=parts.is_map,
        inside=parts.inside,
        nodes=parts.lists[0],
        edges=parts.lists[1],
        ends=(_ends(_inner(edge)) or ("", "")) if edge is not None else ("", ""),
        in_data=in_data and not parts.is_map,
    )


def _inner(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of an item: its own or, as Cytoscape writes, those in `data` and beside it."""
    data = item.get("data")
    if not isinstance(data, dict) or {"id", "source", "from"} & set(item):
        return item
    return {**data, **{key: value for key, value in item.items() if key != "data" and key not in data}}


def is_edge(item: object) -> bool:
    """Whether an item of a list of edges names two ends.

    >>> is_edge({"from": 1, "to": 2}), is_edge([1, 2]), is_edge({"from": 1})
    (True, True, False)
    """
    return isinstance(item, list) or (isinstance(item, dict) and _ends(_inner(item)) is not None)


def _ends(edge: Mapping[str, Any]) -> tuple[str, str] | None:
    return next((ends for ends in ENDS if ends[0] in edge and ends[1] in edge), None)


def _have_places(edges: list[tuple[str, Any]], n_nodes: int) -> bool:
    """Whether all ends of edges are indices in a list of `n_nodes` nodes."""
    said = [end for _, edge in edges for end in _ends_of(edge)]
    return bool(said) and all(type(end) is int and 0 <= end < n_nodes for end in said)


def _is_named(node: object) -> bool:
    name = _name_of(node)
    return name is not None and not isinstance(name, list | dict | bool)


def _is_unnamed(node: object) -> bool:
    return isinstance(node, dict) and not any(name in _inner(node) for name in IDS)


def _ends_of(edge: Any) -> tuple[Any, ...]:
    """The source and the target of an edge, as far as it has them."""
    if isinstance(edge, list):
        return tuple(edge[:2])
    fields = _inner(edge)
    return tuple(fields[end] for end in _ends(fields) or ())


def _check_edge(edge: Any, step: str) -> None:
    """Raise LogError where an edge does not name both ends."""
    if isinstance(edge, list) and len(edge) < 2:
        raise LogError(f"found a list of {len(edge)}, expected the two ends of an edge", path=step)
    for end in _ends_of(edge):
        if end is None or isinstance(end, bool | float | list | dict):
            raise LogError(f"found {shown(end)}, expected the id of a node", path=step)


def is_jit_graph(document: object) -> bool:
    """Whether a list holds nodes with `adjacencies`.

    >>> is_jit_graph([{"id": "a", "adjacencies": []}]), is_jit_graph([{"id": "a", "children": []}])
    (True, False)
    """
    return isinstance(document, list) and any(
        isinstance(node, dict) and isinstance(node.get("adjacencies"), list) for node in document
    )


def found_jit_graph(document: list[Any], path: str = "$") -> Found:
    """The description of a JIT graph; raises LogError where a node has no id, or an edge leads to no node.

    >>> found_jit_graph([{"id": "a", "adjacencies": ["b"]}, {"id": "b", "adjacencies": ["a"]}]).kind
    'adjacencies'
    """
    for place, node in enumerate(document):
        step = f"{path}[{place}]"
        if not isinstance(node, dict):
            raise LogError(f"found {shown(node)}, expected a node with id, name and adjacencies", path=step)
        _check_id(node, step)
        adjacencies = node.get("adjacencies")
        if not isinstance(adjacencies, list | None):
            raise LogError(f"found {shown(adjacencies)}, expected a list", path=f"{step}.adjacencies")
        for index, entry in enumerate(adjacencies or ()):
            target = entry.get("nodeTo") if isinstance(entry, dict) else entry
            if target is None or isinstance(target, bool | list | dict):
                message = f"found {shown(entry)}, expected an id or an object with nodeTo"
                raise LogError(message, path=f"{step}.adjacencies[{index}]")
    return JIT_FOUND


def _check_id(node: Mapping[str, Any], step: str) -> None:
    name = node.get("id")
    if name is None or name == "" or isinstance(name, list | dict):
        called = f" (its name is {shown(node['name'])})" if "name" in node else ""
        found = "no id" if name is None else f"{shown(name)} as id"
        message = f"found a node with {found}{called}, expected every node of a graph to have one"
        raise LogError(message, path=step)
