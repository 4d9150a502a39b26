"""What was found of a foreign tree: where in the document it lies, and how its nodes hold one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from plyscope.visualizer.formats.foreign.find.probe import Branching

Way = tuple[str | int, ...]
"""The names and the places in lists that lead to a value."""


@dataclass(frozen=True)
class Found:
    """Where a tree lies and how its nodes hold one another, found by looking at some of them."""

    form: str
    """The form in words: `nested objects`, `table of rows that name their parents`."""
    children: str
    """The field that holds the children or names the parent; `*` where every object inside is a child."""
    way: Way = ()
    """Leads to the tree, or to what holds all of it."""
    branching: Branching | None = None
    """How nodes hold their children, where they lie inside one another."""
    is_list: bool = False
    """Whether the roots are items of a list there."""
    wrapped: tuple[str, ...] = ()
    """The names that lead from an item to the root, one in the other."""
    trees: tuple[str, ...] = ()
    """The names of several trees in the object there, each a root."""
    is_named: bool = False
    """Whether the root stands under its name, as each node does."""
    has_single: bool = False
    """Whether what stands as an object in the place of children is a child, and no map of them."""
    has_pairs: bool = True
    """Whether a list of two in the place of a node is what leads to it and the node."""
    has_texts: bool = True
    """Whether a text in the place of a node in a map spells its number."""
    has_node_first: bool = False
    """Whether the node comes first in it."""
    kind: str = "nested"
    """How nodes are held: `nested`, or by links: `parents` or `listed` children of rows, a `map` of children,
    a `graph` of nodes and edges, or nodes with `adjacencies`."""
    id: str = ""
    """The field that holds the ids of rows or of nodes; empty where their keys or places are these."""
    is_map: bool = False
    """Whether rows lie in a map by their ids."""
    in_lines: bool = False
    """Whether each row is a document on a line of its own."""
    inside: tuple[str, ...] = ()
    """The names that lead from there to the nodes and edges of a graph."""
    nodes: str = ""
    edges: str = ""
    """The lists of a graph; none where its nodes and edges lie in one."""
    ends: tuple[str, str] = ("", "")
    """What edges call their ends; empty where these are the items of a list."""
    in_data: bool = False
    """Whether the fields of nodes and edges lie under `data`."""
    is_directed: bool = True
    n_subgraphs: int = 0
    """How many of the first nodes of a graph are none: Graphviz lists its subgraphs before them."""
    by_place: bool = False
    """Whether links name nodes by their places."""
    around: Mapping[str, Any] = field(default_factory=dict)
    """The fields of the objects around the tree."""
    notices: tuple[str, ...] = ()

    def is_like(self, other: Found) -> bool:
        """Whether the same tree is found, whatever stands around it, and whatever may stand for a node."""
        alike = {"around": {}, "notices": (), "has_pairs": True, "has_texts": True}
        return replace(self, **alike) == replace(other, **alike)  # type: ignore[arg-type]
