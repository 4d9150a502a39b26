"""The description of a foreign tree that was found: its place, and how its nodes hold one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from plyscope.visualizer.formats.foreign.find.probe import Branching

Way = tuple[str | int, ...]
"""The names and the indices that lead to a value."""


@dataclass(frozen=True)
class Found:
    """The place of a tree and the way its nodes hold one another, found by looking at some of them."""

    form: str
    """The form in words: `nested objects`, `table of rows that name their parents`."""
    children: str
    """The field that holds the children or names the parent; `*` where every object inside is a child."""
    way: Way = ()
    """The way to the tree, or to the value that holds all of it."""
    branching: Branching | None = None
    """The form in which nodes hold their children, if they are nested."""
    is_list: bool = False
    """Whether the roots are items of a list there."""
    wrapped: tuple[str, ...] = ()
    """The nested names that lead from an item to the root."""
    trees: tuple[str, ...] = ()
    """The names of several trees in the object there, each a root."""
    is_named: bool = False
    """Whether the root, like each node, is `{"its name": {the node}}`."""
    has_single: bool = False
    """Whether an object in the place of children is one child, and no map of children."""
    has_pairs: bool = True
    """Whether a list of two in the place of a node is a pair of its label and the node."""
    has_texts: bool = True
    """Whether a text in the place of a node in a map spells the node's number."""
    has_node_first: bool = False
    """Whether the node comes first in such a pair."""
    kind: str = "nested"
    """The kind: `nested`, or linked: `parents` or `listed` children of rows, a `map` of children, a `graph`
    of nodes and edges, or nodes with `adjacencies`."""
    id: str = ""
    """The field with the ids of rows or nodes; empty where their keys or indices are the ids."""
    is_map: bool = False
    """Whether rows are in a map by their ids."""
    in_lines: bool = False
    """Whether each row is a document on a line of its own."""
    inside: tuple[str, ...] = ()
    """The names that lead from `way` to the nodes and edges of a graph."""
    nodes: str = ""
    edges: str = ""
    """The names of a graph's lists; empty where nodes and edges share one list."""
    ends: tuple[str, str] = ("", "")
    """The fields for the ends of edges; empty where an edge is a list of its ends."""
    is_begun: bool = False
    """Whether only nodes of a graph were met, so that names of edges and of their ends are missing here."""
    in_data: bool = False
    """Whether the fields of nodes and edges lie under `data`."""
    is_directed: bool = True

    def is_like(self, other: Found) -> bool:
        """Whether `other` is the same tree, apart from `has_pairs` and `has_texts`."""
        alike = {"has_pairs": True, "has_texts": True}
        return replace(self, **alike) == replace(other, **alike)  # type: ignore[arg-type]


@dataclass
class Probe:
    """A tree that was found in a part of a document."""

    found: Found
    around: Mapping[str, Any] = field(default_factory=dict)
    """The fields of the objects around the tree."""
    notices: list[str] = field(default_factory=list)
    is_flat: bool = False
    """Whether nodes are nested, and only roots were seen to have children."""
