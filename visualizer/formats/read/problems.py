"""Values that their fields do not take, of which the first in the document is reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.tape.batch import Values

BEFORE_ALL: Final = -10
"""The place before those of all values."""


class Problem(NamedTuple):
    """A value that its field does not take."""

    node: int
    field: str
    """The full name, such as `tt.depth`."""
    inside: str
    """The part of the value, such as `[3]`."""
    message: str
    place: int
    """The byte at which the value begins, -1 in a document that a library parsed; less for the first ones."""


class Problems:
    """The problems so far, at most one a field and batch."""

    def __init__(self, containers: Sequence[Any]) -> None:
        """`containers` are the nodes if a library parsed them, which show the order of their fields."""
        self._found: list[Problem] = []
        self._containers = containers

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, values: Values, index: int, field: str, expected: str, inside: str = "") -> None:
        """Add a value that is not as expected."""
        message = f"found {shown(values.at(index))}, {expected}"
        node, place = int(values.nodes[index]), values.place(index)
        self._found.append(Problem(node, field, inside, message, place))

    def add_first(self, node: int, order: int, message: str, field: str = "") -> None:
        """Add what is reported before all values of fields of its node, in this order."""
        self._found.append(Problem(node, field, "", message, BEFORE_ALL + order))

    def first(self) -> Problem:
        """The first problem of the first node that has any, in the order of its fields."""
        first = min(each.node for each in self._found)
        of_node = [each for each in self._found if each.node == first]
        return min(of_node, key=self._place)

    def _place(self, problem: Problem) -> tuple[int, int]:
        """The byte of a value, or its indices among the fields of its node and of its entry, such as `tt`."""
        if problem.place < -1 or not self._containers:
            return problem.place, 0
        node = self._containers[problem.node]
        outer, _, inner = problem.field.partition(".")
        entry = node.get(outer)
        place = list(entry).index(inner) if inner and isinstance(entry, dict) else 0
        return list(node).index(outer), place
