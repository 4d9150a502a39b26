"""Values that their fields do not take, of which the first in the document is reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.tape.batch import Values


class Problem(NamedTuple):
    """A value that its field does not take."""

    node: int
    field: str
    """The full name, such as `tt.depth`."""
    inside: str
    """The part of the value, such as `[3]`."""
    message: str
    place: int
    """The byte at which the value begins, -1 in a document that a library parsed."""


class Problems:
    """The problems so far, at most one a field and batch."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, values: Values, index: int, field: str, expected: str, inside: str = "") -> None:
        """Add a value that is not as expected."""
        message = f"found {shown(values.at(index))}, {expected}"
        node, place = int(values.nodes[index]), values.place(index)
        self._found.append(Problem(node, field, inside, message, place))

    def first(self, containers: Sequence[Any] = ()) -> Problem:
        """The first problem of the first node that has any, in the order of its fields.

        `containers` are the nodes that a library parsed, which show that order where no value has a place.
        """
        first = min(each.node for each in self._found)
        of_node = [each for each in self._found if each.node == first]
        if containers:
            return min(of_node, key=lambda problem: place_in(containers[first], problem))
        return min(of_node, key=lambda problem: problem.place)


def place_in(node: dict[str, Any], problem: Problem) -> tuple[int, int]:
    """The indices of a value among the fields of its node and of its entry, such as `tt`."""
    outer, _, inner = problem.field.partition(".")
    entry = node.get(outer)
    place = list(entry).index(inner) if inner and isinstance(entry, dict) else 0
    return list(node).index(outer), place
