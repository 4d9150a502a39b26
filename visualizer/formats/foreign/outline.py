"""A foreign tree laid flat: what every reader of somebody's own tree makes, and guessing starts from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from plyscope.visualizer.formats.foreign.children import Branching, Child

NESTED: Final = "nested objects"
"""The form of a document whose nodes lie inside one another."""

SHOWN_STEPS: Final = 12
"""Steps of a path that a message shows at either end; a tree may be 100,000 levels deep."""


@dataclass
class Outline:
    """The nodes of a foreign document in pre-order, each without its children.

    `parents[i]` is the number of node i's parent, -1 at a root; `labels[i]` the text that leads to it where
    the document keeps it outside the node (the key of a map, the first of a pair, the name of an edge);
    `steps[i]` the piece of its path in the document, or all of it, from `$` on; `bare[i]` its number where
    the node is nothing else.
    """

    form: str
    """What the document is, in words: `nested objects`, `a table of rows with parents`."""
    children: str = ""
    """The field that holds the children, `*` where every object inside a node is a child, empty for links."""
    nodes: list[Mapping[str, Any]] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    bare: dict[int, float] = field(default_factory=dict)
    around: Mapping[str, Any] = field(default_factory=dict)
    """The fields of the objects around the tree."""
    notices: list[str] = field(default_factory=list)

    def add(self, node: Mapping[str, Any], parent: int, label: str | None, step: str) -> int:
        """Append a node and return its number."""
        self.nodes.append(node)
        self.parents.append(parent)
        self.labels.append(label)
        self.steps.append(step)
        return len(self.nodes) - 1

    def path(self, node: int) -> str:
        """Where a node stands in the document; the middle of a long path is left out."""
        steps: list[str] = []
        while node >= 0:
            steps.append(self.steps[node])
            node = -1 if self.steps[node].startswith("$") else self.parents[node]
        steps.reverse()
        if len(steps) > 2 * SHOWN_STEPS:
            steps[SHOWN_STEPS:-SHOWN_STEPS] = ["…"]
        return "".join(steps)

    def levels(self) -> list[int]:
        """The distance of every node from its root."""
        levels: list[int] = []
        for parent in self.parents:
            levels.append(levels[parent] + 1 if parent >= 0 else 0)
        return levels

    def children_lists(self) -> list[list[int]]:
        """The children of every node, in order."""
        lists: list[list[int]] = [[] for _ in self.nodes]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                lists[parent].append(node)
        return lists


def grow(form: str, roots: Iterable[Child], branching: Branching, limit: int | None = None) -> Outline:
    """Lay the trees of `roots` flat, in pre-order; with a `limit`, stop after that many nodes.

    >>> tree = {"name": "root", "children": [{"name": "a"}, {"name": "b", "children": []}]}
    >>> outline = grow("nested objects", [Child(None, tree, "$")], Branching("children"))
    >>> outline.parents, [node["name"] for node in outline.nodes], outline.path(2)
    ([-1, 0, 0], ['root', 'a', 'b'], '$.children[1]')
    """
    outline = Outline(form, branching.key)
    waiting = [(child, -1) for child in roots]
    waiting.reverse()
    while waiting:
        if limit is not None and len(outline.nodes) >= limit:
            break
        (label, item, step), parent = waiting.pop()
        if not isinstance(item, dict):
            number = outline.add({}, parent, label, step)
            if item is not None:
                outline.bare[number] = float(item)
            continue
        fields, children = branching.split(item)
        number = outline.add(fields, parent, label, step)
        children.reverse()
        waiting += [(child, number) for child in children]
    return outline
