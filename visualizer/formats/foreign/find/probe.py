"""The first nodes of a foreign tree laid flat, and how nodes hold their children: in lists, maps, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy.typing as npt

from plyscope.visualizer.formats.foreign.meaning.fields import number, plain
from plyscope.visualizer.formats.foreign.meaning.label_texts import lines_of
from plyscope.visualizer.formats.tape.paths import SHOWN_STEPS, step_to

Array = npt.NDArray[Any]

SURE_NAMES: Final = (
    *("children", "child", "childs", "kids", "childnodes", "replies", "responses", "subtrees", "subtree"),
    *("subnodes", "descendants", "successors", "moveinfos", "kinder", "nachfolger", "enfants", "hijos"),
)
"""Plain names under which people keep nothing but children, most telling first."""

NAMES: Final = (
    *SURE_NAMES,
    *("nextmove", "nextmoves", "next", "reply", "branches", "branch", "nodes", "moves", "variations"),
    *("legalmoves", "possiblemoves", "nextstates", "actions", "plies", "options", "sub"),
)
"""The same, and the names under which children may lie, and other things too."""

EVERY_OBJECT: Final = "*"
"""In the place of a field's name: every object inside a node is a child, and its key the ply."""

RECORDS: Final = frozenset(
    (
        *("data", "info", "stats", "attributes", "attrs", "props", "properties", "payload", "extra", "meta"),
        *("details", "state", "board", "position", "move", "action", "window", "parent", "value", "score"),
        *("eval", "evaluation", "factors", "features", "terms", "breakdown", "evalterms", "contributions"),
        *(
            "weights",
            "components",
            "best",
            "result",
            "options",
            "settings",
            "tt",
            "itemstyle",
            "label",
            "style",
        ),
    )
)
"""Plain names of objects that describe their node and are no child of it."""


NUMBERS_OF_NODES: Final = frozenset(
    (
        *("score", "minimax", "value", "eval", "evaluation", "utility", "reward", "alpha", "beta", "depth"),
        *("visits", "wins"),
    )
)
"""Plain names of numbers in maps in maps that say something of their node and are no reply."""


class Child(NamedTuple):
    """One child: the text that leads to it, the node (an object, a bare number, or None), its path."""

    label: str | None
    item: Any
    step: str


def ply_text(value: object) -> str | None:
    """A move as text, however a program wrote it; None where it is nothing that can be written in a line.

    Of a text of several lines, as labels of drawings are, it is the first.

    >>> ply_text("e4"), ply_text(3), ply_text([0, 2]), ply_text({"row": 1, "col": 2})
    ('e4', '3', '0,2', '1,2')
    >>> ply_text({"from": "e2", "to": "e4"}), ply_text("c6\\ncut: beta")
    ('e2e4', 'c6')
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        return lines[0] if len(lines := lines_of(value)) > 1 else value
    if isinstance(value, int | float):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if isinstance(value, dict):
        for name in ("san", "uci", "lan", "notation", "name", "move", "label"):
            if isinstance(value.get(name), str):
                return str(value[name])
        first, second = value.get("from"), value.get("to")
        if isinstance(first, str) and isinstance(second, str):
            return first + second
        value = list(value.values())
    if isinstance(value, list) and 0 < len(value) <= 8:
        parts = [ply_text(part) for part in value if not isinstance(part, dict)]
        if len(parts) == len(value) and all(parts):
            return ",".join(str(part) for part in parts)
    return None


@dataclass(frozen=True)
class Branching:
    """The field or form in which a document's nodes hold their children.

    `key` is the field's name, or EVERY_OBJECT. `labelled`: a child may be `{"its name": {the node}}`.
    `pure`: nodes are nothing but maps, and a number in them is a leaf. `within`: the fields, one in the
    other, in which what is listed as a child may hold the node, as an edge holds it, `{"move": "c6",
    "node": {the node}}`. `further`: other fields that hold children, and what `within` is for these.
    """

    key: str
    labelled: bool = False
    pure: bool = False
    within: tuple[str, ...] = ()
    further: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def keys(self) -> dict[str, tuple[str, ...]]:
        """The fields that hold children, and of each the names that lead from what is listed to the node."""
        return {self.key: self.within, **dict(self.further)}

    def split(self, node: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Child]]:
        """A node's own fields, and its children in order; a text in place of the children stays a field."""
        if self.key == EVERY_OBJECT:
            return self._split_inside(node)
        fields, children = dict(node), []
        for key in self.keys:
            held = {
                name: found
                for name in (key, f"_{key}")
                if name in node and (found := self.found(node, name)) is not None
            }
            name, of_key = next(((name, found) for name, found in held.items() if found), (None, []))
            fields = {
                other: value for other, value in fields.items() if other != name and held.get(other) != []
            }
            children += of_key
        return fields, children

    def _split_inside(self, node: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Child]]:
        fields: dict[str, Any] = {}
        children = []
        for key, value in node.items():
            is_number = self.pure and number(value) is not None and plain(key) not in NUMBERS_OF_NODES
            if is_number or (isinstance(value, dict) and (self.pure or plain(key) not in RECORDS)):
                children.append(Child(key, number(value) if is_number else value, step_to(key)))
            elif value is not None:
                fields[key] = value
        return fields, children

    def found(self, node: Mapping[str, Any], name: str) -> list[Child] | None:
        """The children that the field `name` of a node holds; None where it holds something else."""
        value = node.get(name)
        step = step_to(name)
        if value is None:
            return [] if name in node else None
        if isinstance(value, list):
            return self._in_list(value, step, name)
        if not isinstance(value, dict):
            return None
        if name in value or _is_like(value, node):
            return [Child(None, value, step)]
        return self._in_map(value, step, name)

    def _in_list(self, items: list[Any], step: str, key: str) -> list[Child] | None:
        children = []
        for place, item in enumerate(items):
            child = self._in_item(item, f"{step}[{place}]", key)
            if child is None:
                return None
            if child.item is not None or child.label is not None:
                children.append(child)
        return children

    def _in_item(self, item: Any, step: str, key: str) -> Child | None:
        if item is None or isinstance(item, str):
            return Child(item, None, step)
        if isinstance(item, dict):
            if self.labelled and len(item) == 1 and self.key not in item:
                ((label, inner),) = item.items()
                if isinstance(inner, dict):
                    return Child(label, inner, step + step_to(label))
            return self._unwrapped(Child(None, item, step), key)
        if isinstance(item, list) and len(item) == 2:
            (first, second) = item
            if isinstance(second, dict):
                return Child(ply_text(first), second, f"{step}[1]")
            if isinstance(first, dict):
                return Child(ply_text(second), first, f"{step}[0]")
            if isinstance(first, str) and number(second) is not None:
                return Child(first, number(second), f"{step}[1]")
        value = number(item)
        return None if value is None else Child(None, value, step)

    def _unwrapped(self, child: Child, key: str) -> Child:
        """A child with what lies around it in what is listed under a key."""
        label, item, step = child
        for name in self.keys.get(key.removeprefix("_"), self.within):
            if isinstance(inner := item.get(name), dict):
                item = {**{other: value for other, value in item.items() if other != name}, **inner}
                step += step_to(name)
        return Child(label, item, step)

    def _in_map(self, value: Mapping[str, Any], step: str, of: str) -> list[Child] | None:
        children = []
        for key, item in value.items():
            bare = number(item)
            if isinstance(item, dict):
                children.append(self._unwrapped(Child(key, item, step + step_to(key)), of))
            elif bare is not None:
                children.append(Child(key, bare, step + step_to(key)))
            elif item is not None:
                return None
        return children


def _is_like(inner: Mapping[str, Any], outer: Mapping[str, Any]) -> bool:
    """Whether an object is a node like the one that holds it: they share a field that is no object."""
    return any(key in outer and not isinstance(value, dict | list) for key, value in inner.items())


NESTED: Final = "nested objects"
"""The form of a document whose nodes lie inside one another."""


@dataclass
class Probe:
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
    found: Any = None
    """Where the tree lies, and how its nodes hold one another."""

    def add(self, node: Mapping[str, Any], parent: int, label: str | None, step: str) -> int:
        """Append a node and return its number."""
        self.nodes.append(node)
        self.parents.append(parent)
        self.labels.append(label)
        self.steps.append(step)
        return len(self.nodes) - 1

    def path(self, node: int) -> str:
        """The JSON path of a node in the document; the middle of a long path is left out."""
        steps: list[str] = []
        while node >= 0:
            steps.append(self.steps[node])
            node = -1 if self.steps[node].startswith("$") else self.parents[node]
        steps.reverse()
        if len(steps) > 2 * SHOWN_STEPS:
            steps[SHOWN_STEPS:-SHOWN_STEPS] = ["…"]
        return "".join(steps)

    def n_levels(self) -> int:
        """How many nodes lie one in the other, below the outermost."""
        levels: list[int] = []
        for parent in self.parents:
            levels.append(levels[parent] + 1 if parent >= 0 else 0)
        return max(levels)


def grow(form: str, roots: Iterable[Child], branching: Branching, limit: int | None = None) -> Probe:
    """Lay the trees of `roots` flat, in pre-order; with a `limit`, stop after that many nodes.

    >>> tree = {"name": "root", "children": [{"name": "a"}, {"name": "b", "children": []}]}
    >>> probe = grow("nested objects", [Child(None, tree, "$")], Branching("children"))
    >>> probe.parents, [node["name"] for node in probe.nodes], probe.steps[2]
    ([-1, 0, 0], ['root', 'a', 'b'], '.children[1]')
    """
    probe = Probe(form, branching.key)
    waiting = [(child, -1) for child in roots]
    waiting.reverse()
    while waiting:
        if limit is not None and len(probe.nodes) >= limit:
            break
        (label, item, step), parent = waiting.pop()
        if not isinstance(item, dict):
            number = probe.add({}, parent, label, step)
            if item is not None:
                probe.bare[number] = float(item)
            continue
        fields, children = branching.split(item)
        number = probe.add(fields, parent, label, step)
        children.reverse()
        waiting += [(child, number) for child in children]
    return probe
