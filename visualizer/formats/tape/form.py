"""A form: the role of each value of a document, by its place.

The role follows from the role of the container, the value's name there and its kind: a form is a table of
such steps. It also says what a role does, for documents of any size: make a node, have its values wanted,
have their text kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.tape.kinds import LIST, N_KINDS, NULL, OBJECT

Array = npt.NDArray[Any]

ITEM: Final = None
"""In the place of a name: an item of a list."""
OTHER: Final = ...
"""In the place of a name: any that no other step of the role has, and items where no step is for ITEM."""

EVERY: Final = range(NULL, N_KINDS)
SCALARS: Final = range(NULL, LIST)
CONTAINERS: Final = (LIST, OBJECT)

DOCUMENT: Final = 0
"""The role of the container of all documents."""
SKIPPED: Final = 1
"""The role of values that nobody uses, and of all inside them."""

NOTHING, NODE, LINK = range(3)
NOT_KEPT: Final = 0
TOP: Final = 1
"""The value's text is kept."""
WITHIN: Final = 2
"""The value is kept as part of its container's text."""


class Form:
    """Roles and the steps between them.

    >>> form = Form()
    >>> node, children = form.role("node", makes_node=True), form.role("children")
    >>> form.step(DOCUMENT, ITEM, node, [OBJECT])
    >>> form.step(node, "children", children, [LIST])
    >>> form.step(children, ITEM, node, [OBJECT])
    >>> form.to(node, "children", LIST) == children, form.to(node, "children", OBJECT) == SKIPPED
    (True, True)
    """

    def __init__(self, like: Callable[[str], str] | None = None) -> None:
        """`like` maps a name that no step has to the name that it is read as, such as `Score` to `score`."""
        self.like = like
        self.labels: list[str] = []
        self.makes: list[int] = []
        """By role, what each value makes: NOTHING, a NODE or a LINK; nodes and links are numbered apart."""
        self.is_wanted: list[bool] = []
        self.extra: list[int] = []
        """By role, whether its values are kept as extras, which no column takes: NOT_KEPT, TOP or WITHIN."""
        self.member: list[int] = []
        """The same for samples of nodes, which show all fields, taken or not."""
        self.outer: list[str] = []
        """By role, the field whose object holds its values, empty for fields of the node itself."""
        self.names: dict[str, int] = {}
        """The names in steps, with their numbers."""
        self._steps: dict[tuple[int, Any], dict[int, int]] = {}
        self._after: dict[int, int] = {}
        self._peeks: dict[int, tuple[list[int], int]] = {}
        self.role("document")
        self.role("skipped")

    def role(
        self,
        label: str,
        *,
        makes_node: bool = False,
        makes_link: bool = False,
        is_wanted: bool = False,
        extra: int = NOT_KEPT,
        member: int = NOT_KEPT,
        outer: str = "",
    ) -> int:
        """Add a role; returns its number."""
        self.labels.append(label)
        self.makes.append(NODE if makes_node else LINK if makes_link else NOTHING)
        self.is_wanted.append(is_wanted)
        self.extra.append(extra)
        self.member.append(member)
        self.outer.append(outer)
        return len(self.labels) - 1

    def step(self, role: int, name: Any, to: int, kinds: Iterable[int] = EVERY) -> None:
        """Give values of these kinds with this name in a container of `role` the role `to`."""
        if isinstance(name, str):
            self.names.setdefault(name, len(self.names))
        steps = self._steps.setdefault((role, name), {})
        for kind in kinds:
            steps[kind] = to

    def then(self, role: int, after: int) -> None:
        """Give a container of this role the role `after` once it has a value."""
        self._after[role] = after

    def peek(self, role: int, kinds: Iterable[int], other: int) -> None:
        """Give a container the role `other` in place of `role` where its first value is of these kinds.

        An empty container's first value has the kind ABSENT.
        """
        self._peeks[role] = [*kinds], other

    def to(self, role: int, name: Any, kind: int) -> int:
        """The role of a value, by the role of its container, its name and its kind."""
        for each in (name, OTHER):
            if (role, each) in self._steps and kind in self._steps[role, each]:
                return self._steps[role, each][kind]
        return SKIPPED

    def of_items(self, holder: int, name: Any) -> Form:
        """The form of documents that each were a value with this name in a container of the role `holder`."""
        form = copy(self)
        form._steps = {**self._steps, (DOCUMENT, ITEM): self._steps.get((holder, name), {})}
        form._after = {role: after for role, after in self._after.items() if role != DOCUMENT}
        return form

    def in_links(self) -> set[int]:
        """The roles of links, and of all in them but nodes."""
        roles = {role for role, makes in enumerate(self.makes) if makes == LINK}
        while more := self._led_to(roles) - roles:
            roles |= more
        return roles

    def _led_to(self, roles: set[int]) -> set[int]:
        led = {to for (role, _), steps in self._steps.items() if role in roles for to in steps.values()}
        led |= {after for role, after in self._after.items() if role in roles}
        return {to for to in led if self.makes[to] != NODE} - {SKIPPED}

    def column(self, name: str) -> int:
        """The column of a name in the table."""
        return self.names.get(self.known(name), len(self.names)) + 1

    def known(self, name: str) -> Any:
        """The name in a step that this one is read as, or OTHER."""
        if name not in self.names and self.like is not None:
            name = self.like(name)
        return name if name in self.names else OTHER

    def steps(self) -> list[dict[Any, list[int]]]:
        """The roles by kind, by role of the container and by name."""
        found: list[dict[Any, list[int]]] = [{OTHER: [SKIPPED] * N_KINDS} for _ in self.labels]
        for is_other in (True, False):
            for (role, name), steps in self._steps.items():
                if (name is OTHER) is is_other:
                    kinds = found[role].setdefault(name, [*found[role][OTHER]])
                    for kind, to in steps.items():
                        kinds[kind] = to
        return found

    @property
    def after(self) -> list[int]:
        """By role, the role of its containers once they have a value."""
        return [self._after.get(role, role) for role in range(len(self.labels))]

    @property
    def by_first(self) -> Array:
        """The role of a container, by its role so far and the kind of its first value."""
        table = np.repeat(np.arange(len(self.labels), dtype=np.int16)[:, None], N_KINDS, axis=1)
        for role, (kinds, other) in self._peeks.items():
            table[role, kinds] = other
        return table

    def table(self) -> Array:
        """The roles, by role of the container, number of the name plus 1, and kind.

        Column 0 is for items of lists, the last one for names that no step has.
        """
        table = np.empty((len(self.labels), len(self.names) + 2, N_KINDS), np.int16)
        for role, steps in enumerate(self.steps()):
            table[role] = steps[OTHER]
            for name, kinds in steps.items():
                if name is not OTHER:
                    table[role, 0 if name is ITEM else self.names[name] + 1] = kinds
        return table
