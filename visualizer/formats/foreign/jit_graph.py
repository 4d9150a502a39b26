"""The JavaScript InfoVis Toolkit's graph: a list of nodes, each with the list of nodes next to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.foreign.links import Link, Links
from plyscope.visualizer.formats.foreign.outline import Outline


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
    links = Links("JavaScript InfoVis Toolkit graph", "adjacencies")
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
    return links.lay_out(directed=False)


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
        fields = {key: value for key, value in entry.items() if key not in ("nodeTo", "nodeFrom") and value}
    else:
        target = entry
    if target is None or isinstance(target, bool | list | dict):
        raise LogError(f"found {shown(entry)}, expected an id or an object with nodeTo", path=step)
    links.links.append(Link(source, links.number_of(str(target), step), None, fields))
