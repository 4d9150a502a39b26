"""Trees that a document gives as nodes and links between them, laid out breadth first."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.outline import Outline

LISTED: Final = 3
"""Names that a notice lists before it only counts."""


@dataclass(frozen=True)
class Link:
    """One edge between two nodes, by their numbers; `entry` is what stays listed if it is not in the tree."""

    source: int
    target: int
    label: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Links:
    """Nodes by name, and the edges between them, as a document states them."""

    form: str
    listed_as: str
    """The field under which a node lists its edges outside the tree."""
    names: list[str] = field(default_factory=list)
    nodes: list[Mapping[str, Any]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    nowhere: list[str] = field(default_factory=list)
    """Names that only edges know."""

    def add(self, name: str, node: Mapping[str, Any], step: str) -> int:
        """Add a node; a name that is taken is an error that says so."""
        if name in self.numbers:
            raise LogError(
                f'id "{name}" is already the id of {self.steps[self.numbers[name]]}, expected every id once',
                path=step,
            )
        self.numbers[name] = len(self.nodes)
        self.names.append(name)
        self.nodes.append(node)
        self.steps.append(step)
        return len(self.nodes) - 1

    def number_of(self, name: str, step: str) -> int:
        """The number of the node of that name, an empty node made for it where there is none."""
        if name not in self.numbers:
            self.add(name, {"id": name}, step)
            self.nowhere.append(name)
        return self.numbers[name]

    def lay_out(self, *, directed: bool) -> Outline:
        """The tree that a walk breadth first finds, in pre-order, siblings in the order of their edges.

        Directed links lead from parent to child, and start from the nodes that no link leads to; undirected
        ones start from the first node. Edges outside the tree stay listed on both their nodes. LogError where
        directed links run in a circle.
        """
        if self.nowhere:
            named = listed(self.nowhere)
            self.notices.append(
                f"Edges lead to {named}, no node of the graph: an empty node stands for each."
            )
        n_nodes = len(self.nodes)
        links = self._distinct(directed)
        at: list[list[int]] = [[] for _ in range(n_nodes)]
        entered = [False] * n_nodes
        for place, link in enumerate(links):
            at[link.source].append(place)
            if directed:
                entered[link.target] = True
            elif link.source != link.target:
                at[link.target].append(place)
        roots = [node for node in range(n_nodes) if not entered[node]] if directed else [0]
        came_by: dict[int, int] = dict.fromkeys(roots, -1)
        children: list[list[int]] = [[] for _ in range(n_nodes)]
        waiting = deque(roots)
        while waiting:
            node = waiting.popleft()
            for place in at[node]:
                link = links[place]
                other = link.target if link.source == node else link.source
                if other not in came_by:
                    came_by[other] = place
                    children[node].append(other)
                    waiting.append(other)
        self._missed(came_by, directed)
        return self._outline(roots, children, came_by, links)

    def _distinct(self, directed: bool) -> list[Link]:
        """The links, each counted once, whichever end names it."""
        seen = set()
        distinct = []
        for link in self.links:
            ends = (link.source, link.target)
            pair = ends if directed or ends[0] <= ends[1] else (ends[1], ends[0])
            if pair not in seen:
                seen.add(pair)
                distinct.append(link)
        return distinct

    def _missed(self, reached: Mapping[int, int], directed: bool) -> None:
        missed = [self.names[node] for node in range(len(self.nodes)) if node not in reached]
        if not missed:
            return
        named = listed(missed)
        if directed:
            raise LogError(
                f"the links between {named} run in a circle, expected a tree: one node has no parent",
                path=self.steps[self.numbers[missed[0]]],
            )
        n_missed = count(len(missed), "node")
        self.notices.append(f'{n_missed} not connected with the first, "{self.names[0]}", left out: {named}.')

    def _outline(
        self,
        roots: Sequence[int],
        children: Sequence[list[int]],
        came_by: Mapping[int, int],
        links: list[Link],
    ) -> Outline:
        in_tree = set(came_by.values())
        outside: dict[int, list[Any]] = {}
        n_outside = 0
        for place, link in enumerate(links):
            if place in in_tree or link.source not in came_by:
                continue
            n_outside += 1
            for node, other in {(link.source, link.target), (link.target, link.source)}:
                rest = {**link.fields} if node == link.source else {}
                name = self.names[other]
                outside.setdefault(node, []).append({"to": name, **rest} if rest else name)
        outline = Outline(self.form, self.listed_as, notices=self.notices)
        if n_outside:
            self.notices.append(
                f"{count(n_outside, 'edge')} outside the tree (a node is reached twice): "
                f'listed on their nodes under "{self.listed_as}".'
            )
        waiting = [(root, -1) for root in reversed(roots)]
        while waiting:
            node, parent = waiting.pop()
            fields = dict(self.nodes[node])
            label = None
            if came_by[node] >= 0:
                link = links[came_by[node]]
                label = link.label
                if link.fields:
                    fields.setdefault("edge", dict(link.fields))
            if node in outside:
                fields[self.listed_as] = outside[node]
            number = outline.add(fields, parent, label, self.steps[node])
            waiting += [(child, number) for child in reversed(children[node])]
        return outline


def count(n: int, noun: str) -> str:
    """A number and its noun.

    >>> count(1, "node"), count(2000, "edge")
    ('1 node', '2,000 edges')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def listed(names: Sequence[str]) -> str:
    """The first few names in quotes, and how many more.

    >>> listed(["a", "b", "c", "d", "e"])
    '"a", "b", "c" and 2 more'
    """
    shown = ", ".join(f'"{name}"' for name in names[:LISTED])
    return shown if len(names) <= LISTED else f"{shown} and {len(names) - LISTED} more"
