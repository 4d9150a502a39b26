"""The fields that a foreign tree's nodes carry: their names, their values, and what kind of values these are.

A field is named by its path: `score`, or `data.score` for one that lies inside an object. Paths go two deep,
because what lies deeper describes something else than the node. Knows nothing of what a field may mean.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Final

ABSENT: Final = object()
"""What `dig` gives where a node has no such field; None is a value that a file may hold."""

SAMPLE: Final = 20_000
"""Nodes looked at when guessing; more would not change the guess, only the time."""

MAX_FIELDS: Final = 500

NUMBER: Final = re.compile(
    r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?|[+-]?∞|nan", re.IGNORECASE
)


@lru_cache(maxsize=10_000)
def plain(name: str) -> str:
    """A field's name as it is compared: letters and digits only, in lower case.

    >>> plain("best_Score"), plain("nextMove"), plain("_children")
    ('bestscore', 'nextmove', 'children')
    """
    return "".join(letter for letter in name.lower() if letter.isalnum())


def last_name(path: str) -> str:
    """The plain name of the last part of a path.

    >>> last_name("data.preScore")
    'prescore'
    """
    return plain(path.rsplit(".", 1)[-1])


def number(value: object) -> float | None:
    """The number that a value is or spells; None for truth values and for text that is no number.

    >>> number("-3.5"), number("−∞"), number(True), number("e4")
    (-3.5, -inf, None, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf
    if isinstance(value, str) and len(value) <= 60:
        text = value.strip().replace("−", "-")
        if NUMBER.fullmatch(text):
            return float(text.replace("∞", "inf"))
    return None


def dig(node: Mapping[str, Any], path: str) -> Any:
    """The value at `path` in a node, ABSENT where there is none; `a|b` is the first of the two that is there.

    >>> dig({"data": {"score": 3}}, "data.score"), dig({"window": [0, 9]}, "window.1"), dig({"b": 2}, "a|b")
    (3, 9, 2)
    """
    if path in node:
        return node[path]
    if "|" in path:
        for alternative in path.split("|"):
            value = dig(node, alternative)
            if value is not ABSENT and value is not None:
                return value
        return ABSENT
    outer, dot, inner = path.partition(".")
    if not dot or outer not in node:
        return ABSENT
    inside = node[outer]
    if isinstance(inside, dict):
        return inside.get(inner, ABSENT)
    if is_pair(inside) and inner in ("0", "1"):
        return inside[int(inner)]
    return ABSENT


def is_pair(value: object) -> bool:
    """Whether a value is a list of two that are each a number or open: what a window looks like."""
    return (
        isinstance(value, list) and len(value) == 2 and all(x is None or number(x) is not None for x in value)
    )


@dataclass
class Field:
    """One field and its values on the sampled nodes, by node number; nulls and empty texts are left out."""

    path: str
    values: dict[int, Any] = field(default_factory=dict)

    @cached_property
    def numbers(self) -> dict[int, float]:
        """The values that are numbers or spell one."""
        read = ((node, number(value)) for node, value in self.values.items())
        return {node: value for node, value in read if value is not None}

    @cached_property
    def texts(self) -> dict[int, str]:
        """The values that are text, digits included."""
        return {node: value for node, value in self.values.items() if isinstance(value, str)}

    @property
    def is_numeric(self) -> bool:
        """Whether at least half of the values are numbers."""
        return 0 < len(self.values) <= 2 * len(self.numbers)

    @cached_property
    def distinct(self) -> list[Any]:
        """The distinct scalar values in order of appearance, at most 50."""
        seen: dict[tuple[type, Any], Any] = {}
        for value in self.values.values():
            if isinstance(value, str | int | float | bool):
                seen.setdefault((type(value), value), value)
                if len(seen) == 50:
                    break
        return list(seen.values())


def sampled(n_nodes: int) -> Sequence[int]:
    """The numbers of the nodes to look at: all, or a tenth of the sample at the start and every so many."""
    if n_nodes <= SAMPLE:
        return range(n_nodes)
    first = SAMPLE // 10
    return [*range(first), *range(first, n_nodes, 1 + n_nodes // (SAMPLE - first))]


def collect(nodes: Sequence[Mapping[str, Any]]) -> dict[str, Field]:
    """The fields of the sampled nodes by path, in order of appearance.

    >>> fields = collect([{"name": "c6", "data": {"score": 3}}, {"name": "d6", "data": None}])
    >>> {path: field.values for path, field in fields.items()}
    {'name': {0: 'c6', 1: 'd6'}, 'data': {0: {'score': 3}}, 'data.score': {0: 3}}
    """
    fields: dict[str, Field] = {}

    def note(path: str, node: int, value: object) -> None:
        if path not in fields:
            if len(fields) >= MAX_FIELDS:
                return
            fields[path] = Field(path)
        if value is not None and value != "":
            fields[path].values[node] = value

    for number_ in sampled(len(nodes)):
        for name, value in nodes[number_].items():
            note(name, number_, value)
            if isinstance(value, dict):
                for inner, deeper in value.items():
                    note(f"{name}.{inner}", number_, deeper)
            elif plain(name) in ("window", "bounds", "alphabeta", "ab") and is_pair(value):
                note(f"{name}.0", number_, value[0])
                note(f"{name}.1", number_, value[1])
    return fields
