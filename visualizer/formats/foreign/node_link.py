"""Graphs given as a list of nodes and a list of edges, as graph libraries write them.

vis-network, Cytoscape, NetworkX, Sigma, Graphviz (`dot -Tjson0`) and the like differ in names only: the edges
are `edges` or `links`, their ends `source` and `target` or `from` and `to`, and Cytoscape puts everything
into `data`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.foreign.children import ply_text
from plyscope.visualizer.formats.foreign.links import Link, Links
from plyscope.visualizer.formats.foreign.outline import Outline

ENDS: Final = (("source", "target"), ("from", "to"), ("parent", "child"), ("src", "dst"), ("tail", "head"))
IDS: Final = ("_gvid", "id", "key", "_id", "name", "label")
LABELS: Final = ("move", "ply", "action", "san", "label", "name")


def graph_parts(document: object) -> tuple[list[Any], list[Any], str, str] | None:
    """The nodes, the edges and their paths below the document, None where it is no such graph.

    >>> graph_parts({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]})[3]
    '.links'
    """
    if isinstance(document, dict) and isinstance(document.get("elements"), dict | list):
        inner = graph_parts(document["elements"])
        return inner and (inner[0], inner[1], f".elements{inner[2]}", f".elements{inner[3]}")
    if isinstance(document, list):
        items = [item for item in document if isinstance(item, dict) and isinstance(item.get("data"), dict)]
        edges = [item for item in items if _ends(_inner(item))]
        if len(items) == len(document) and edges:
            return [item for item in items if not _ends(_inner(item))], edges, "", ""
        return None
    if not isinstance(document, dict):
        return None
    at = next((name for name in ("nodes", "vertices", "objects") if name in document), "nodes")
    vertices = document.get(at)
    for name in ("edges", "links", "arcs"):
        links = document.get(name)
        if isinstance(vertices, list) and vertices and isinstance(links, list) and all(map(_is_edge, links)):
            return vertices, links, f".{at}", f".{name}"
    return None


def read_node_link(document: Any, path: str) -> Outline:
    """Lay such a graph out as a tree: edges lead from parent to child, unless it says that it is undirected.

    A node reached twice keeps its first place, the other edges stay listed, with a notice. LogError where
    edges run in a circle, an id is missing or double.

    >>> graph = {"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"from": "a", "to": "b", "label": "c6"}]}
    >>> outline = read_node_link(graph, "$")
    >>> outline.parents, outline.labels
    ([-1, 0], [None, 'c6'])
    """
    parts = graph_parts(document)
    assert parts is not None
    nodes, edges, node_path, edge_path = parts
    links = Links("graph of nodes and edges", "edges")
    for place, node in enumerate(nodes):
        step = f"{path}{node_path}[{place}]"
        fields = _inner(node) if isinstance(node, dict) else {}
        name = node if isinstance(node, str | int) else next((fields[k] for k in IDS if k in fields), None)
        if name is None or isinstance(name, list | dict | bool):
            raise LogError(f"found {shown(node)} without an id, expected every node to have one", path=step)
        links.add(str(name), fields if fields else {"id": name}, step)
    for place, edge in enumerate(edges):
        _add_edge(links, edge, f"{path}{edge_path}[{place}]")
    directed = not (isinstance(document, dict) and document.get("directed") is False)
    return links.lay_out(directed=directed)


def _inner(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an item says, in itself or, as Cytoscape writes, in `data` and beside it."""
    data = item.get("data")
    if not isinstance(data, dict) or {"id", "source", "from"} & set(item):
        return item
    return {**data, **{key: value for key, value in item.items() if key != "data" and key not in data}}


def _is_edge(item: object) -> bool:
    return isinstance(item, list) or (isinstance(item, dict) and _ends(_inner(item)) is not None)


def _ends(edge: Mapping[str, Any]) -> tuple[str, str] | None:
    return next((ends for ends in ENDS if ends[0] in edge and ends[1] in edge), None)


def _add_edge(links: Links, edge: Any, step: str) -> None:
    if isinstance(edge, dict):
        fields = _inner(edge)
        ends = _ends(fields)
        assert ends is not None
        source, target = fields[ends[0]], fields[ends[1]]
        rest = {key: value for key, value in fields.items() if key not in ends and key not in ("id", "key")}
    else:
        if len(edge) < 2:
            raise LogError(f"found a list of {len(edge)}, expected the two ends of an edge", path=step)
        source, target = edge[:2]
        rest = {}
    for end in (source, target):
        if end is None or isinstance(end, bool | float | list | dict):
            raise LogError(f"found {shown(end)}, expected the id of a node", path=step)
    label = next((text for name in LABELS if (text := ply_text(rest.get(name)))), None)
    rest = {key: value for key, value in rest.items() if value is not None and ply_text(value) != label}
    links.links.append(
        Link(links.number_of(str(source), step), links.number_of(str(target), step), label, rest)
    )
