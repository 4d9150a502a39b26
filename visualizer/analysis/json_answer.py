"""Answers as JSON, for `--json` and HTTP: a dataclass is an object of its fields and figures.

An answer is a tree of frozen dataclasses, and each of its figures is declared there and nowhere else: this
module makes JSON of it, `answer_files.py` the types of the page and tables of `docs/api.md`.

* A field with a default is left out while it holds the default; one without is written whatever it holds.
* A property that is marked as a `figure` comes after the fields.
* `HIDDEN` fields are for Python alone; a `SPREAD` value is replaced by its keys; `called` names a key.
* A `LONG` list is cut to the number of entries asked for; `more_…` is the number left out.
* A node is its id.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Final, TypeVar

import numpy as np

from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.formats.json_text import with_number_words

Get = TypeVar("Get", bound=Callable[..., Any])

Id = Annotated[int, "Id"]
"""The number by which a log knows a node."""
Score = Annotated[float, "Score"]
"""A number that may be infinite or NaN, which JSON has as a word."""

HIDDEN: Final[Mapping[str, str]] = {"json": ""}
SPREAD: Final[Mapping[str, str]] = {"json": "*"}
LONG: Final[Mapping[str, str]] = {"most": "asked"}


def called(name: str) -> Mapping[str, str]:
    """The metadata of a field that JSON knows by another name."""
    return {"json": name}


def figure(get: Get) -> Get:
    """Mark the function below `property` or `cached_property` as a figure of the answer."""
    get.is_figure = True  # type: ignore[attr-defined]
    return get


def as_json(value: Any, most: int | None = None) -> Any:
    """The JSON of a value; of long lists the first `most`.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Ply:
    ...     ply: str
    ...     score: float
    ...     proof: str | None = None
    ...     @property
    ...     @figure
    ...     def won(self) -> bool: return self.score > 0
    >>> as_json(Ply("c6", math.inf))
    {'ply': 'c6', 'score': 'inf', 'won': True}
    """
    match value:
        case str() | int() | None:
            return value
        case float():
            return float(value) if math.isfinite(value) else with_number_words(value)
        case np.generic():
            return as_json(value.item())
        case Mapping():
            return {str(key): as_json(each, most) for key, each in value.items()}
    if is_dataclass(value):
        return _object(value, most)
    if isinstance(value, Node):
        return value.id
    return [as_json(each, most) for each in value]


def _object(value: Any, most: int | None) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    kind: Any = type(value)
    for name, key, default, is_long in _members(kind):
        held = getattr(value, name)
        if default is not MISSING and held == default:
            continue
        if key == SPREAD["json"]:
            answer |= as_json(held, most)
        elif is_long and most is not None and len(held) > most:
            answer |= {key: as_json(held[:most], most), f"more_{key}": len(held) - most}
        else:
            answer[key] = as_json(held, most)
    return answer


@cache
def _members(kind: type) -> tuple[tuple[str, str, Any, bool], ...]:
    """The members of a class in JSON: attribute, key, default at which it is left out, whether it is long."""
    stated = [(each.name, key_of(each), each.default, is_long(each)) for each in fields(kind) if key_of(each)]
    return (*stated, *((name, name, MISSING, False) for name in figures_of(kind)))


def key_of(field: Field[Any]) -> str:
    """The key of a field in JSON; empty where it is hidden, `*` where its own keys replace it."""
    return str(field.metadata.get("json", field.name))


def is_long(field: Field[Any]) -> bool:
    """Whether it is a list that an answer may cut."""
    return "most" in field.metadata


def figures_of(kind: type) -> dict[str, Callable[..., Any]]:
    """The figures of a class that are computed, by name, those of the classes below it first."""
    found: dict[str, Callable[..., Any]] = {}
    for each in reversed(kind.__mro__):
        for name, member in vars(each).items():
            get: Any = getattr(member, "fget", getattr(member, "func", None))
            if getattr(get, "is_figure", False):
                found[name] = get
    return found
