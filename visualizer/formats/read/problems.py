"""Values that are not what their fields take: of all that were met, the first in the document is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.tape.batch import Values


class Problem(NamedTuple):
    """A value that its field does not take."""

    node: int
    field: str
    """In full, such as `tt.depth`."""
    inside: str
    """Which part of the value, such as `[3]`."""
    message: str
    place: int
    """The byte at which the value begins, -1 in a document that a library read."""
    value: Any


class Problems:
    """The problems so far, one of each field and batch."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(
        self, values: Values, index: int, field: str, expected: str, inside: str = "", node: int | None = None
    ) -> None:
        """Say that one of the values is not what is expected; its node may be known better."""
        node = int(values.nodes[index]) if node is None else node
        value = values.at(index)
        message = f"found {shown(value)}, {expected}"
        self._found.append(Problem(node, field, inside, message, values.place(index), value))

    def first(self, containers: Sequence[Any] = ()) -> Problem:
        """The problem of the first node that has any, and of its fields the first.

        `containers` are the nodes as a library read them, which does not tell the place of a value.
        """
        first = min(each.node for each in self._found)
        of_node = [each for each in self._found if each.node == first]
        if containers:
            return min(of_node, key=lambda problem: place_in(containers[first], problem))
        return min(of_node, key=lambda problem: problem.place)


def place_in(node: dict[str, Any], problem: Problem) -> tuple[int, int]:
    """The place of a value among the fields of its node, and of the entry that it is in."""
    outer, _, inner = problem.field.partition(".")
    entry = node.get(outer)
    place = list(entry).index(inner) if inner and isinstance(entry, dict) else 0
    return list(node).index(outer), place
