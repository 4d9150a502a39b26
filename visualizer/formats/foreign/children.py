"""Where a foreign node keeps its children, and how: in lists, maps from ply to node, pairs, or alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from plyscope.visualizer.formats.foreign.fields import number, plain

SURE_NAMES: Final = (
    *("children", "child", "childs", "kids", "childnodes", "replies", "responses", "subtrees", "subtree"),
    *("subnodes", "descendants", "successors"),
)
"""Plain names under which people keep nothing but children, most telling first."""

NAMES: Final = (
    *SURE_NAMES,
    *("nextmove", "nextmoves", "next", "reply", "branches", "branch", "nodes", "moves", "variations"),
    *("legalmoves", "possiblemoves", "nextstates", "actions"),
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


class Child(NamedTuple):
    """One child: the text that leads to it, the node (an object, a bare number, or None), its path."""

    label: str | None
    item: Any
    step: str


def step_to(key: str) -> str:
    """The piece of a JSON path that leads to a key.

    >>> step_to("children"), step_to("a1 b2")
    ('.children', '["a1 b2"]')
    """
    if key.isidentifier():
        return f".{key}"
    text = key if len(key) <= 40 else f"{key[:37]}…"
    return f'["{text}"]'


def ply_text(value: object) -> str | None:
    """A move as text, however a program wrote it; None where it is nothing that can be written in a line.

    >>> ply_text("e4"), ply_text(3), ply_text([0, 2]), ply_text({"row": 1, "col": 2})
    ('e4', '3', '0,2', '1,2')
    >>> ply_text({"from": "e2", "to": "e4"})
    'e2e4'
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        return value
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
    """How a document's nodes hold their children.

    `key` is the field's name, or EVERY_OBJECT. `labelled`: a child may be `{"its name": {the node}}`.
    `pure`: nodes are nothing but maps, and a number in them is a leaf.
    """

    key: str
    labelled: bool = False
    pure: bool = False

    def split(self, node: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Child]]:
        """A node's own fields, and its children in order; a text in place of the children stays a field."""
        if self.key == EVERY_OBJECT:
            return self._split_inside(node)
        held = {
            name: found
            for name in (self.key, f"_{self.key}")
            if name in node and (found := self.found(node, name)) is not None
        }
        name, children = next(((name, found) for name, found in held.items() if found), ("", []))
        return {key: value for key, value in node.items() if key != name and held.get(key) != []}, children

    def _split_inside(self, node: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Child]]:
        fields: dict[str, Any] = {}
        children = []
        for key, value in node.items():
            is_number = self.pure and number(value) is not None
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
            return self._in_list(value, step)
        if not isinstance(value, dict):
            return None
        if name in value or _is_like(value, node):
            return [Child(None, value, step)]
        return self._in_map(value, step)

    def _in_list(self, items: list[Any], step: str) -> list[Child] | None:
        children = []
        for place, item in enumerate(items):
            child = self._in_item(item, f"{step}[{place}]")
            if child is None:
                return None
            if child.item is not None or child.label is not None:
                children.append(child)
        return children

    def _in_item(self, item: Any, step: str) -> Child | None:
        if item is None or isinstance(item, str):
            return Child(item, None, step)
        if isinstance(item, dict):
            if self.labelled and len(item) == 1 and self.key not in item:
                ((key, inner),) = item.items()
                if isinstance(inner, dict):
                    return Child(key, inner, step + step_to(key))
            return Child(None, item, step)
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

    def _in_map(self, value: Mapping[str, Any], step: str) -> list[Child] | None:
        children = []
        for key, item in value.items():
            bare = number(item)
            if isinstance(item, dict) or bare is not None:
                children.append(Child(key, item if bare is None else bare, step + step_to(key)))
            elif item is not None:
                return None
        return children


def _is_like(inner: Mapping[str, Any], outer: Mapping[str, Any]) -> bool:
    """Whether an object is a node like the one that holds it: they share a field that is no object."""
    return any(key in outer and not isinstance(value, dict | list) for key, value in inner.items())
