"""Graphs as documents write them: a list of nodes and one of edges, or nodes that list those next to them.

The second is the form of the JavaScript InfoVis Toolkit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.foreign.found import Found
from plyscope.visualizer.formats.foreign.linked_rows import ENDS as ENDS
from plyscope.visualizer.formats.foreign.links import Link, Links
from plyscope.visualizer.formats.foreign.outline import Outline, ply_text

NODES: Final = ("nodes", "vertices", "objects")
EDGES: Final = ("edges", "links", "arcs")
"""Where a document lists them, the first of these names that it has."""
IDS: Final = ("_gvid", "id", "key", "_id", "name", "label")
NODE_LINK: Final = "graph of nodes and edges"
JIT_GRAPH: Final = "JavaScript InfoVis Toolkit graph"
FORMS: Final = (NODE_LINK, JIT_GRAPH)
HOW_WRITTEN: Final = ("directed", "multigraph")
"""What a graph says of how its edges are to be read."""
LABELS: Final = ("move", "ply", "action", "san", "label", "name")
NOT_OF_EDGES: Final = ("id", "key")
"""Names of an edge that nobody keeps: they only tell it from others."""


class Graph(NamedTuple):
    """The nodes and edges of a document, where each stands in it, and what else it says."""

    nodes: list[Any]
    edges: list[Any]
    node_steps: list[str]
    edge_steps: list[str]
    around: Mapping[str, Any]
    inside: tuple[str, ...] = ()
    """The names that lead to the lists of both."""
    lists: tuple[str, str] = ("", "")
    """What these are called."""


def graph_parts(document: object) -> Graph | None:
    """The parts of a graph, None where the document is none.

    >>> graph_parts({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}).edge_steps
    ['.links[0]']
    >>> graph_parts({"nodes": [{"id": 1}, {"id": 2}], "adjacency": [[{"id": 2}], []]}).edges
    [{'source': 1, 'target': 2}]
    """
    if isinstance(document, list):
        items = [item for item in document if isinstance(item, dict) and isinstance(item.get("data"), dict)]
        places = [(item, f"[{place}]", _ends(_inner(item))) for place, item in enumerate(items)]
        edges = [(item, step) for item, step, ends in places if ends]
        if len(items) < len(document) or not edges:
            return None
        nodes = [(item, step) for item, step, ends in places if not ends]
        return Graph(
            [item for item, _ in nodes],
            [item for item, _ in edges],
            [step for _, step in nodes],
            [step for _, step in edges],
            {},
        )
    if not isinstance(document, dict):
        return None
    if isinstance(document.get("elements"), dict | list):
        inner = graph_parts(document["elements"])
        return inner and inner._replace(
            node_steps=[f".elements{step}" for step in inner.node_steps],
            edge_steps=[f".elements{step}" for step in inner.edge_steps],
            around={key: value for key, value in document.items() if key != "elements"},
            inside=("elements", *inner.inside),
        )
    at = next((name for name in NODES if name in document), NODES[0])
    vertices = document.get(at)
    if not isinstance(vertices, list) or not vertices:
        return None
    for name in (*EDGES, "adjacency"):
        links = document.get(name)
        if not isinstance(links, list):
            continue
        steps = [f".{name}[{place}]" for place in range(len(links))]
        if name == "adjacency":
            links, steps = _adjacency(vertices, links)
        elif not all(map(is_edge, links)):
            continue
        if links or name != "adjacency":
            around = {key: value for key, value in document.items() if key not in (at, name)}
            node_steps = [f".{at}[{place}]" for place in range(len(vertices))]
            return Graph(vertices, links, node_steps, steps, around, (), (at, name))
    return None


def _adjacency(nodes: list[Any], adjacency: list[Any]) -> tuple[list[Any], list[str]]:
    """The edges of NetworkX's `adjacency_data`: by node, in their order, a list of what it leads to."""
    if len(adjacency) != len(nodes) or not all(
        isinstance(node, dict)
        and isinstance(targets, list)
        and all(isinstance(target, dict) and "id" in target for target in targets)
        for node, targets in zip(nodes, adjacency, strict=True)
    ):
        return [], []
    edges, steps = [], []
    for place, (node, targets) in enumerate(zip(nodes, adjacency, strict=True)):
        for index, target in enumerate(targets):
            rest = {key: value for key, value in target.items() if key != "id"}
            edges.append({**rest, "source": node.get("id"), "target": target["id"]})
            steps.append(f".adjacency[{place}][{index}]")
    return edges, steps


def read_node_link(document: Any, path: str) -> Outline:
    """Lay such a graph out as a tree: edges lead from parent to child, unless it says that it is undirected.

    A node reached twice keeps its first place, the other edges stay listed, with a notice. Ends that are no
    ids but places in the list of nodes, as d3 has them, are those. LogError where edges run in a circle, an
    id is missing or double.

    >>> graph = {"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"from": "a", "to": "b", "label": "c6"}]}
    >>> outline = read_node_link(graph, "$")
    >>> outline.parents, outline.labels
    ([-1, 0], [None, 'c6'])
    """
    parts = graph_parts(document)
    assert parts is not None
    links = Links(NODE_LINK, "edges")
    are_unnamed = _have_places(parts.edges, len(parts.nodes)) and all(map(_is_unnamed, parts.nodes))
    for place, (node, node_step) in enumerate(zip(parts.nodes, parts.node_steps, strict=True)):
        step = path + node_step
        fields = _inner(node) if isinstance(node, dict) else {}
        name = node if isinstance(node, str | int) else next((fields[k] for k in IDS if k in fields), None)
        if are_unnamed:
            name = place
        if name is None or isinstance(name, list | dict | bool):
            raise LogError(f"found {shown(node)} without an id, expected every node to have one", path=step)
        links.add(str(name), fields if fields else {"id": name}, step)
    by_place = _are_places(links, parts.edges)
    for edge, step in zip(parts.edges, parts.edge_steps, strict=True):
        _add_edge(links, edge, path + step, by_place=by_place)
    directed = not (isinstance(document, dict) and document.get("directed") is False)
    outline = links.lay_out(directed=directed)
    outline.found = _found(parts, is_directed=directed, by_place=by_place or are_unnamed)
    outline.around = {
        key: value
        for key, value in parts.around.items()
        if key not in HOW_WRITTEN and value not in ([], {}, None)
    }
    return outline


def _found(parts: Graph, *, is_directed: bool, by_place: bool) -> Found:
    """Where the parts of a graph lie, and how they are written."""
    objects = [node for node in parts.nodes if isinstance(node, dict)]
    first = objects[0] if objects else {}
    in_data = _inner(first) is not first
    edge = next((edge for edge in parts.edges if isinstance(edge, dict)), None)
    return Found(
        NODE_LINK,
        "edges",
        kind="graph",
        id=next((name for name in IDS if name in _inner(first)), ""),
        inside=parts.inside,
        nodes=parts.lists[0],
        edges=parts.lists[1],
        ends=(_ends(_inner(edge)) or ("", "")) if edge is not None else ("", ""),
        in_data=in_data,
        is_directed=is_directed,
        by_place=by_place,
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


def is_said(value: object) -> bool:
    """Whether a value of an edge says anything: zero and false do."""
    return value is not None and value not in ("", [], {})


def _ends(edge: Mapping[str, Any]) -> tuple[str, str] | None:
    return next((ends for ends in ENDS if ends[0] in edge and ends[1] in edge), None)


def _are_places(links: Links, edges: list[Any]) -> bool:
    """Whether the ends of edges count nodes, and none of them is the id of one."""
    return _have_places(edges, len(links.names)) and not any(
        str(end) in links.numbers for edge in edges for end in _ends_of(edge)
    )


def _have_places(edges: list[Any], n_nodes: int) -> bool:
    """Whether all ends of edges are places in a list of so many nodes."""
    said = [end for edge in edges for end in _ends_of(edge)]
    return bool(said) and all(type(end) is int and 0 <= end < n_nodes for end in said)


def _is_unnamed(node: object) -> bool:
    return isinstance(node, dict) and not any(name in _inner(node) for name in IDS)


def _ends_of(edge: Any) -> tuple[Any, ...]:
    """What an edge names, source and target as far as it has them."""
    if isinstance(edge, list):
        return tuple(edge[:2])
    fields = _inner(edge)
    return tuple(fields[end] for end in _ends(fields) or ())


def _add_edge(links: Links, edge: Any, step: str, *, by_place: bool) -> None:
    if isinstance(edge, dict):
        fields = _inner(edge)
        ends = _ends(fields)
        assert ends is not None
        source, target = _ends_of(edge)
        rest = {key: value for key, value in fields.items() if key not in (*ends, *NOT_OF_EDGES)}
    else:
        if len(edge) < 2:
            raise LogError(f"found a list of {len(edge)}, expected the two ends of an edge", path=step)
        source, target = edge[:2]
        rest = {}
    for end in (source, target):
        if end is None or isinstance(end, bool | float | list | dict):
            raise LogError(f"found {shown(end)}, expected the id of a node", path=step)
    label = next((text for name in LABELS if (text := ply_text(rest.get(name)))), None)
    rest = {
        key: value
        for key, value in rest.items()
        if is_said(value) and (label is None or key not in LABELS or ply_text(value) != label)
    }
    if not by_place:
        source, target = (links.number_of(str(end), step) for end in (source, target))
    links.links.append(Link(source, target, label, rest))


def found_graph_in_part(document: object) -> Found | None:
    """Where a graph lies in a document whose end is missing, None where there is none."""
    if isinstance(document, list) and is_jit_graph(document[:-1]):
        return Found(JIT_GRAPH, "adjacencies", kind="adjacencies", id="id", is_directed=False)
    parts = graph_parts(_without_last(document))
    if parts is None or not parts.nodes or not parts.edges:
        return None
    is_directed = not (isinstance(document, dict) and document.get("directed") is False)
    are_unnamed = all(map(_is_unnamed, parts.nodes))
    return _found(parts, is_directed=is_directed, by_place=are_unnamed)


def _without_last(document: object) -> object:
    """The same with the last item of each list in it, and in the objects in it, left out."""
    if isinstance(document, list):
        return document[:-1]
    if isinstance(document, dict):
        return {key: _without_last(value) for key, value in document.items()}
    return document


def is_jit_graph(document: object) -> bool:
    """Whether a list holds nodes with `adjacencies`.

    >>> is_jit_graph([{"id": "a", "adjacencies": []}]), is_jit_graph([{"id": "a", "children": []}])
    (True, False)
    """
    return isinstance(document, list) and any(
        isinstance(node, dict) and isinstance(node.get("adjacencies"), list) for node in document
    )


def read_jit_graph(document: list[Any], path: str = "$") -> Outline:
    """Lay the graph out from its first node, breadth first; an edge counts once, whichever end names it.

    An edge may be a plain id or an object with `nodeTo`. A missing or double id is a LogError that names it;
    an edge to nowhere makes an empty node, and edges outside the tree stay listed on their nodes, each with
    a notice.

    >>> outline = read_jit_graph([{"id": "a", "adjacencies": ["b"]}, {"id": "b", "adjacencies": ["a"]}])
    >>> [node["id"] for node in outline.nodes], outline.parents
    (['a', 'b'], [-1, 0])
    """
    links = Links(JIT_GRAPH, "adjacencies")
    for place, node in enumerate(document):
        step = f"{path}[{place}]"
        if not isinstance(node, dict):
            raise LogError(f"found {shown(node)}, expected a node with id, name and adjacencies", path=step)
        fields = {key: value for key, value in node.items() if key != "adjacencies"}
        links.add(_id_of(node, step), fields, step)
    for place, node in enumerate(document):
        adjacencies = node.get("adjacencies")
        if adjacencies is None:
            continue
        if not isinstance(adjacencies, list):
            raise LogError(
                f"found {shown(adjacencies)}, expected a list", path=f"{path}[{place}].adjacencies"
            )
        for index, entry in enumerate(adjacencies):
            _add_link(links, place, entry, f"{path}[{place}].adjacencies[{index}]")
    outline = links.lay_out(directed=False)
    outline.found = Found(JIT_GRAPH, "adjacencies", kind="adjacencies", id="id", is_directed=False)
    return outline


def _id_of(node: Mapping[str, Any], step: str) -> str:
    name = node.get("id")
    if name is None or name == "" or isinstance(name, list | dict):
        called = f" (its name is {shown(node['name'])})" if "name" in node else ""
        found = "no id" if name is None else f"{shown(name)} as id"
        raise LogError(
            f"found a node with {found}{called}, expected every node of a graph to have one", path=step
        )
    return str(name)


def _add_link(links: Links, place: int, entry: Any, step: str) -> None:
    source, fields = place, {}
    if isinstance(entry, dict):
        target = entry.get("nodeTo")
        if "nodeFrom" in entry:
            source = links.number_of(str(entry["nodeFrom"]), step)
        fields = {
            key: value for key, value in entry.items() if key not in ("nodeTo", "nodeFrom") and is_said(value)
        }
    else:
        target = entry
    if target is None or isinstance(target, bool | list | dict):
        raise LogError(f"found {shown(entry)}, expected an id or an object with nodeTo", path=step)
    links.links.append(Link(source, links.number_of(str(target), step), None, fields))
