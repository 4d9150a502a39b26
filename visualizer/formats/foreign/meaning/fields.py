"""The fields of a foreign tree's nodes: their names, their values, and the kinds of these values.

A field is named by its path: `score`, or `data.score` for one inside an object. Paths have two steps at most,
because deeper fields describe something else than the node. A text may hold a number too: `c6 12.5`.
Knows nothing of the meanings of fields.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.meaning.names import WINDOWS

Array = npt.NDArray[Any]
Value = TypeVar("Value")

SAMPLE: Final = 5_000
"""The nodes looked at when guessing, or up to twice as many; more would cost time and change no guess."""
FIRST_OF_SAMPLE: Final = SAMPLE // 10

MAX_FIELDS: Final = 500

NUMBER: Final = re.compile(
    r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?|[+-]?∞|nan", re.IGNORECASE
)


@lru_cache(maxsize=10_000)
def plain(name: str) -> str:
    """A name in the form in which names are compared: letters and digits only, in lower case.

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


def parts_of(paths: Iterable[str]) -> set[str]:
    """The paths of all fields in these paths, of which some join two.

    >>> sorted(parts_of(["move", "score|value"]))
    ['move', 'score', 'value']
    """
    return {part for path in paths for part in path.split("|")}


def number(value: object) -> float | None:
    """The number that a value is or spells; None for truth values and for text that is no number.

    >>> number("-3.5"), number("−∞"), number(True), number("e4")
    (-3.5, -inf, None, None)
    """
    if type(value) is float:
        return value
    if isinstance(value, bool | list | dict):
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


def is_pair(value: object) -> bool:
    """Whether a value looks like a window: a list of two, each a number or null."""
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

    def is_numeric(self) -> bool:
        """Whether at least half of the values are numbers."""
        return 0 < len(self.values) <= 2 * len(self.numbers)

    def is_probability(self) -> bool:
        """Whether the values are numbers from 0 to 1."""
        return self.is_numeric() and all(0 <= value <= 1 for value in self.numbers.values())

    def is_text(self) -> bool:
        """Whether all values are texts, digits included."""
        return 0 < len(self.values) == len(self.texts)

    @cached_property
    def counts(self) -> Counter[tuple[type, Any]]:
        """By type and value, the number of nodes with each scalar, in order of appearance."""
        scalars = (value for value in self.values.values() if isinstance(value, str | int | float))
        return Counter((type(value), value) for value in scalars)

    @property
    def distinct(self) -> list[Any]:
        """The distinct scalar values in order of appearance, at most 50."""
        return [value for _, value in islice(self.counts, 50)]


def by_parent(values: Mapping[int, Value], parents: Array) -> dict[int, list[Value]]:
    """The values of siblings, by the number of their parent; those of roots are left out.

    >>> by_parent({0: "a1", 1: "b1", 2: "c1"}, np.array([-1, 0, 0]))
    {0: ['b1', 'c1']}
    """
    groups: dict[int, list[Value]] = {}
    for node, value in values.items():
        if parents[node] >= 0:
            groups.setdefault(int(parents[node]), []).append(value)
    return groups


def sampled(n_nodes: int) -> list[int]:
    """The numbers of the sampled nodes: a tenth of the sample at the start, then nodes at equal distances."""
    return np.flatnonzero(are_sampled(np.arange(n_nodes), n_nodes)).tolist()


def are_sampled(nodes: Array, n_nodes: int) -> Array:
    """Mask of the nodes that are in the sample of so many.

    After the first ones it has a stride, a power of two, so that the sample of a larger tree has fewer of the
    same nodes.

    >>> np.flatnonzero(are_sampled(np.arange(1_000), 1_000_000)).tolist()[498:]
    [498, 499, 512, 768]
    """
    stride = 1
    while n_nodes > SAMPLE * stride:
        stride *= 2
    return np.asarray((nodes < FIRST_OF_SAMPLE) | (nodes & (stride - 1) == 0))


def collect(nodes: Mapping[int, Mapping[str, Any]]) -> dict[str, Field]:
    """The fields of the nodes, by path, in order of appearance.

    >>> fields = collect({0: {"name": "c6", "data": {"score": 3}}, 1: {"name": "d6", "data": None}})
    >>> {path: field.values for path, field in fields.items()}
    {'name': {0: 'c6', 1: 'd6'}, 'data': {0: {'score': 3}}, 'data.score': {0: 3}}
    """
    fields: dict[str, Field] = {}
    at_top: dict[str, dict[int, Any]] = {}
    within: dict[str, dict[str, dict[int, Any]]] = {}

    def values_at(path: str) -> dict[int, Any]:
        if path not in fields and len(fields) >= MAX_FIELDS:
            return {}
        return fields.setdefault(path, Field(path)).values

    for node, held in nodes.items():
        for name, value in held.items():
            if name not in at_top:
                at_top[name], within[name] = values_at(name), {}
            if value is None or value == "":
                continue
            at_top[name][node] = value
            inside: Any = ()
            if isinstance(value, dict):
                inside = value.items()
            elif isinstance(value, list) and plain(name) in WINDOWS and is_pair(value):
                inside = (("0", value[0]), ("1", value[1]))
            values_in = within[name]
            for inner, deeper in inside:
                if inner not in values_in:
                    values_in[inner] = values_at(f"{name}.{inner}")
                if deeper is not None and deeper != "":
                    values_in[inner][node] = deeper
    return fields
