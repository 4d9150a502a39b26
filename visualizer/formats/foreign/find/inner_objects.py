"""Nested objects that are replies, in contrast to fields of a node: maps in maps, `left` and the like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from plyscope.visualizer.formats.foreign.find.probe import RECORDS
from plyscope.visualizer.formats.foreign.meaning.fields import last_name, number, plain
from plyscope.visualizer.formats.foreign.meaning.names import ALPHAS, BETAS, DEPTHS, SCORES, VISITS


def is_pure(root: Mapping[str, Any]) -> bool:
    """Whether an object is nothing but maps in maps, two levels or more, with numbers at their ends."""
    waiting: list[tuple[Mapping[str, Any], int]] = [(root, 0)]
    height = 0
    while waiting:
        node, level = waiting.pop()
        height = max(height, level + bool(node))
        for value in node.values():
            if isinstance(value, dict):
                waiting.append((value, level + 1))
            elif number(value) is None and value is not None:
                return False
    return height >= 2


def has_replies_beside(root: Mapping[str, Any], key: str) -> bool:
    """Return whether two entries of a root, apart from that under `key`, are maps that hold maps.

    Then all three are replies, and a field named `key` further down is the same ply, played later.

    >>> deep = {"b1": {"a1": {"b1": 3}}}
    >>> has_replies_beside({"a1": deep, "b1": deep, "c1": deep}, "b1")
    True
    >>> has_replies_beside({"a1": deep, "terms": {"mobility": 3}, "stones": {"b": 2}}, "a1")
    False
    """
    beside = [inner for name, inner in root.items() if name != key and isinstance(inner, dict)]
    return sum(any(isinstance(each, dict) for each in inner.values()) for inner in beside) >= 2


def shared_names(root: Mapping[str, Any]) -> list[str]:
    """The names shared by all objects of numbers in an object, if these are its rows or columns."""
    names = [list(inner) for inner in root.values() if isinstance(inner, dict)]
    flat = all(
        isinstance(inner, dict) and not any(isinstance(each, dict) for each in inner.values())
        for inner in root.values()
    )
    same = flat and len(names) >= 2 and len(names[0]) >= 2 and all(each == names[0] for each in names)
    return names[0] if same and set(names[0]) != set(root) else []


def are_columns(names: Sequence[str]) -> bool:
    """Whether these names number rows, or are usual fields of a node, and so are no replies."""
    told = {*SCORES, *ALPHAS[:2], *BETAS[:2], *DEPTHS[:2], *VISITS[:1]}
    return list(names) == [str(place) for place in range(len(names))] or any(plain(n) in told for n in names)


def share_a_score(root: Mapping[str, Any]) -> bool:
    """Whether an object holds objects with a score under the same name as its own."""
    return any(
        last_name(name) in SCORES and name in root
        for key, inner in root.items()
        if isinstance(inner, dict) and plain(key) not in RECORDS
        for name, value in inner.items()
        if not isinstance(value, dict)
    )


SIDES: Final = (("left", "right"), ("leftchild", "rightchild"), ("l", "r"), ("yes", "no"), ("true", "false"))
"""Plain names of the two children of a node."""


def both_sides(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The two children of a node under names such as `left` and `right`; none where it has not both.

    >>> both_sides({"op": "max", "left": {"score": 3}, "right": {"score": 5}})
    [{'score': 3}, {'score': 5}]
    >>> both_sides({"left": {"x": 3}, "right": 5})
    []
    """
    held = {plain(name): inner for name, inner in node.items() if isinstance(inner, dict) and inner}
    for pair in SIDES:
        if all(side in held for side in pair):
            return [held[side] for side in pair]
    return []


def have_sides(root: Mapping[str, Any]) -> bool:
    """Whether a root has two such children, one of which has two as well, or a score."""
    return any(
        both_sides(side)
        or any(plain(name) in SCORES and number(value) is not None for name, value in side.items())
        for side in both_sides(root)
    )


def repeat_a_side(root: Mapping[str, Any]) -> bool:
    """Whether an inner object holds another one under its own name: `left` in `left`."""
    return any(
        isinstance(inner, dict) and key in inner and (inner[key] is None or isinstance(inner[key], dict))
        for key, inner in root.items()
        if plain(key) not in RECORDS
    )
