"""The first nodes of a foreign tree, flattened, and the ways nodes hold children: in lists, maps, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy.typing as npt

from plyscope.visualizer.formats.foreign.meaning.fields import SAMPLE, number, plain
from plyscope.visualizer.formats.foreign.meaning.label_texts import lines_of
from plyscope.visualizer.formats.tape.paths import step_to

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
        return _first_line(value)
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


@lru_cache(2 * SAMPLE)
def _first_line(text: str) -> str:
    return lines[0] if len(lines := lines_of(text)) > 1 else text


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

    @cached_property
    def keys(self) -> dict[str, tuple[str, ...]]:
        """The fields that hold children, each with the names that lead from a listed child to its node."""
        return {self.key: self.within, **dict(self.further)}

    def split(self, node: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Child]]:
        """A node's own fields, and its children in order; a text in place of the children stays a field."""
        if self.key == EVERY_OBJECT:
            return self._split_inside(node)
        fields, children = dict(node), []
        for key in self.keys:
            is_taken = False
            for name in (key, f"_{key}"):
                found = self.found(node, name) if name in fields else None
                if found is None or (found and is_taken):
                    continue
                children += found
                is_taken = bool(found)
                del fields[name]
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
        if value is None:
            return [] if name in node else None
        if value == []:
            return []
        step = step_to(name)
        if isinstance(value, list):
            return self._in_list(value, step, name)
        if not isinstance(value, dict):
            return None
        if name in value or _is_like(value, node):
            return [Child(None, value, step)]
        return self._in_map(value, step, name)

    def _in_list(self, items: list[Any], step: str, key: str) -> list[Child] | None:
        children = []
        is_bare = not self.labelled and not self._within(key)
        for place, item in enumerate(items):
            if is_bare and isinstance(item, dict):
                children.append(Child(None, item, f"{step}[{place}]"))
                continue
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

    def _within(self, key: str) -> tuple[str, ...]:
        """The names that lead from a listed child of the field `key` to its node."""
        return self.keys.get(key.removeprefix("_"), self.within)

    def _unwrapped(self, child: Child, key: str) -> Child:
        """The node within a listed child of the field `key`, with the fields around it."""
        label, item, step = child
        for name in self._within(key):
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


class Grown(NamedTuple):
    """The first nodes of nested trees in pre-order, each without its children.

    `parents[i]` is the number of node i's parent, -1 at a root; `steps[i]` is the last step of its path.
    """

    nodes: list[Mapping[str, Any]]
    parents: list[int]
    steps: list[str]

    def n_levels(self) -> int:
        """The number of levels below the roots."""
        levels: list[int] = []
        for parent in self.parents:
            levels.append(levels[parent] + 1 if parent >= 0 else 0)
        return max(levels)


def grow(roots: Iterable[Mapping[str, Any]], branching: Branching, limit: int) -> Grown:
    """Flatten the trees of `roots` in pre-order, and stop after `limit` nodes.

    >>> tree = {"name": "root", "children": [{"name": "a"}, {"name": "b", "children": []}]}
    >>> grown = grow([tree], Branching("children"), 3)
    >>> grown.parents, [node["name"] for node in grown.nodes], grown.steps[2]
    ([-1, 0, 0], ['root', 'a', 'b'], '.children[1]')
    """
    grown = Grown([], [], [])
    waiting = [(Child(None, root, "$"), -1) for root in roots]
    waiting.reverse()
    while waiting and len(grown.nodes) < limit:
        child, parent = waiting.pop()
        number = len(grown.nodes)
        fields, children = branching.split(child.item) if isinstance(child.item, dict) else ({}, [])
        grown.nodes.append(fields)
        grown.parents.append(parent)
        grown.steps.append(child.step)
        waiting += [(below, number) for below in reversed(children)]
    return grown
