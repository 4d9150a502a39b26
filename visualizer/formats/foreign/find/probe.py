"""The first nodes of a foreign tree, flattened, and the ways nodes hold children: in lists, maps, pairs."""

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
"""Plain names of fields that hold nothing but children, the surest first."""

NAMES: Final = (
    *SURE_NAMES,
    *("nextmove", "nextmoves", "next", "reply", "branches", "branch", "nodes", "moves", "variations"),
    *("legalmoves", "possiblemoves", "nextstates", "actions", "plies", "options", "sub"),
)
"""The same, and names of fields that may hold children or something else."""

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
"""Plain names of objects that describe their node and are no children."""


NUMBERS_OF_NODES: Final = frozenset(
    (
        *("score", "minimax", "value", "eval", "evaluation", "utility", "reward", "alpha", "beta", "depth"),
        *("visits", "wins"),
    )
)
"""Plain names of numbers that, in maps in maps, are fields of their node and no replies."""


class Child(NamedTuple):
    """One child: its label, the node (an object, a bare number, or None), and the step to it."""

    label: str | None
    item: Any
    step: str


def ply_text(value: object) -> str | None:
    """A move as text, however a program wrote it; None where it does not fit into a line.

    Of a text of several lines, such as a label of a drawing, the first line.

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
    """The field or form in which the nodes of a document hold their children.

    `key` is the field's name, or EVERY_OBJECT. `labelled`: a child may be `{"its name": {the node}}`.
    `pure`: nodes are nothing but maps, and a number in them is a leaf. `within`: the nested fields by which a
    listed child may hold its node, as an edge does: `{"move": "c6", "node": {the node}}`. `further`: other
    fields that hold children, each with its own `within`.
    """

    key: str
    labelled: bool = False
    pure: bool = False
    within: tuple[str, ...] = ()
    further: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def keys(self) -> dict[str, tuple[str, ...]]:
        """The fields that hold children, each with the names that lead from a listed child to its node."""
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
        """The children in the field `name` of a node; None where it holds something else."""
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
        """The node within a listed child of the field `key`, with the fields around it."""
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
    """Whether an object shares a field, which is no container, with the node that holds it."""
    return any(key in outer and not isinstance(value, dict | list) for key, value in inner.items())


NESTED: Final = "nested objects"
"""The form of a document with nested nodes."""


@dataclass
class Probe:
    """The nodes of a foreign document in pre-order, each without its children.

    `parents[i]` is the number of node i's parent, -1 at a root; `labels[i]` its label, the text that leads to
    it from outside (the key of a map, the first of a pair, the name of an edge); `steps[i]` the last step of
    its path, or the whole path from `$` on; `bare[i]` its number where the node is nothing else.
    """

    form: str
    """The form in words: `nested objects`, `a table of rows with parents`."""
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
    """The description of the tree, a `Found`."""

    def add(self, node: Mapping[str, Any], parent: int, label: str | None, step: str) -> int:
        """Append a node and return its number."""
        self.nodes.append(node)
        self.parents.append(parent)
        self.labels.append(label)
        self.steps.append(step)
        return len(self.nodes) - 1

    def path(self, node: int) -> str:
        """The JSON path of a node; the middle of a long path is left out."""
        steps: list[str] = []
        while node >= 0:
            steps.append(self.steps[node])
            node = -1 if self.steps[node].startswith("$") else self.parents[node]
        steps.reverse()
        if len(steps) > 2 * SHOWN_STEPS:
            steps[SHOWN_STEPS:-SHOWN_STEPS] = ["…"]
        return "".join(steps)

    def n_levels(self) -> int:
        """The number of levels below the roots."""
        levels: list[int] = []
        for parent in self.parents:
            levels.append(levels[parent] + 1 if parent >= 0 else 0)
        return max(levels)


def grow(form: str, roots: Iterable[Child], branching: Branching, limit: int | None = None) -> Probe:
    """Flatten the trees of `roots` in pre-order; with a `limit`, stop after that many nodes.

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
