"""The first nodes of a foreign tree, flattened, and the ways nodes hold children: in lists, maps, pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from plyscope.visualizer.formats.foreign.meaning.fields import SAMPLE, number
from plyscope.visualizer.formats.foreign.meaning.label_texts import lines_of

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

    def children(self, node: Mapping[str, Any]) -> list[Any]:
        """The children of a node in order: objects, and bare nodes, which are numbers or texts."""
        children = []
        for key in self.keys:
            children += self.found(node, key) or self.found(node, f"_{key}") or []
        return children

    def found(self, node: Mapping[str, Any], name: str) -> list[Any] | None:
        """The children in the field `name` of a node; None where it holds something else."""
        value = node.get(name)
        if not isinstance(value, list | dict):
            return [] if value is None and name in node else None
        if isinstance(value, dict) and (name in value or _is_like(value, node)):
            return [value]
        within = self.keys.get(name.removeprefix("_"), self.within)
        if isinstance(value, dict):
            items = [
                _unwrapped(item, within) if isinstance(item, dict) else number(item)
                for item in value.values()
                if item is not None
            ]
        else:
            items = [self.child(item, within) for item in value if item is not None]
        return None if None in items else items

    def child(self, item: Any, within: tuple[str, ...] = ()) -> Any:
        """The node that an item of a list is or holds; None where it is no child."""
        if isinstance(item, dict):
            return _unwrapped((self.labelled and named_node(item, self.key)) or item, within)
        if isinstance(item, list) and len(item) == 2:
            first, second = item
            if isinstance(second, dict) or isinstance(first, dict):
                return second if isinstance(second, dict) else first
            return number(second) if isinstance(first, str) else None
        return item if isinstance(item, str) else number(item)


def named_node(value: object, key: str = "") -> Mapping[str, Any] | None:
    """The node in `{"its name": {the node}}`, where that name is not `key`; None where a value is no such."""
    if not isinstance(value, dict) or len(value) != 1 or key in value:
        return None
    (inner,) = value.values()
    return inner if isinstance(inner, dict) else None


def _unwrapped(item: Mapping[str, Any], within: tuple[str, ...]) -> Mapping[str, Any]:
    """The node within a listed child, with the fields around it."""
    for name in within:
        if isinstance(inner := item.get(name), dict):
            item = {**{other: value for other, value in item.items() if other != name}, **inner}
    return item


def _is_like(inner: Mapping[str, Any], outer: Mapping[str, Any]) -> bool:
    """Whether an object shares a field, which is no container, with the node that holds it."""
    return any(key in outer and not isinstance(value, dict | list) for key, value in inner.items())


NESTED: Final = "nested objects"
"""The form of a document with nested nodes."""


class Grown:
    """The first nodes of nested trees in pre-order; of a bare one, an object without fields.

    >>> tree = {"name": "root", "children": [{"name": "a"}, {"name": "b", "children": []}]}
    >>> grown = Grown([tree], Branching("children"))
    >>> grown.levels, [node["name"] for node in grown.nodes], grown.in_containers
    ([0, 1, 1], ['root', 'a', 'b'], True)
    """

    def __init__(self, roots: Iterable[Mapping[str, Any]], branching: Branching, limit: int = SAMPLE) -> None:
        self.nodes: list[Mapping[str, Any]] = []
        self.levels: list[int] = []
        self.in_containers = False
        """Whether some children are in a list or a map; a field that always holds one node may be `left`."""
        self.has_single: bool | None = None
        """Whether the first object in the place of children is one child, and no map of children."""
        self.has_node_first: bool | None = None
        """Whether the first pair in the place of a child has the node first, and its label second."""
        waiting: list[tuple[Any, int]] = [(root, 0) for root in roots]
        waiting.reverse()
        while waiting and len(self.nodes) < limit:
            node, level = waiting.pop()
            self.levels.append(level)
            if not isinstance(node, dict):
                self.nodes.append({})
                continue
            self.nodes.append(node)
            children = branching.children(node)
            held = node.get(branching.key)
            if children:
                is_single = any(children[0] is value for value in node.values())
                self.in_containers |= not is_single
                if self.has_single is None and isinstance(held, dict):
                    self.has_single = is_single
            if self.has_node_first is None and isinstance(held, list):
                for first, second in (item for item in held if isinstance(item, list) and len(item) == 2):
                    self.has_node_first = isinstance(first, dict) and not isinstance(second, dict)
                    break
            waiting += [(child, level + 1) for child in reversed(children)]

    def below(self) -> list[Mapping[str, Any]]:
        """The nodes below the roots."""
        return [node for node, level in zip(self.nodes, self.levels, strict=True) if level]
