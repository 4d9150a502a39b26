"""A form: what a value of a document is, by where it stands.

That follows from the role of its container, its name there and its kind, so a form is a table of steps
from these to its own role. What a role does is said once, for documents of any size: it may make a node, its
values may be wanted, and their text may be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.tape.kinds import LIST, N_KINDS, NULL, OBJECT

Array = npt.NDArray[Any]

ITEM: Final = None
"""In the place of a name: an item of a list."""
OTHER: Final = ...
"""In the place of a name: any that no other step of the role names, and items where none is for these."""

EVERY: Final = range(NULL, N_KINDS)
SCALARS: Final = range(NULL, LIST)
CONTAINERS: Final = (LIST, OBJECT)

DOCUMENT: Final = 0
"""The role of what holds the documents."""
SKIPPED: Final = 1
"""The role of what is of no use, and of all in it."""

NOTHING, NODE, LINK = range(3)
NOT_KEPT: Final = 0
TOP: Final = 1
"""A text of its own is kept of the value."""
WITHIN: Final = 2
"""The value belongs to the text of what it stands in."""


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
        """`like` says which name one that no step names is read as, such as `Score` as `score`."""
        self.like = like
        self.labels: list[str] = []
        """What each role is called."""
        self.makes: list[int] = []
        """What each value of the role makes: NOTHING, a NODE or a LINK, which are numbered apart."""
        self.is_wanted: list[bool] = []
        self.extra: list[int] = []
        """Whether text is kept of its values as of fields that nothing takes: NOT_KEPT, TOP or WITHIN."""
        self.member: list[int] = []
        """The same for all fields of a node, taken or not, as samples of nodes show them."""
        self.outer: list[str] = []
        """The field in which its values stand, empty where they are the node's own."""
        self.names: dict[str, int] = {}
        """The names that steps name, by number."""
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
        """A new role."""
        self.labels.append(label)
        self.makes.append(NODE if makes_node else LINK if makes_link else NOTHING)
        self.is_wanted.append(is_wanted)
        self.extra.append(extra)
        self.member.append(member)
        self.outer.append(outer)
        return len(self.labels) - 1

    def step(self, role: int, name: Any, to: int, kinds: Iterable[int] = EVERY) -> None:
        """Say that what has this name in a container of this role has the role `to`, if of these kinds."""
        if isinstance(name, str):
            self.names.setdefault(name, len(self.names))
        steps = self._steps.setdefault((role, name), {})
        for kind in kinds:
            steps[kind] = to

    def then(self, role: int, after: int) -> None:
        """Say that a container of this role has the role `after` once a value in it was met."""
        self._after[role] = after

    def peek(self, role: int, kinds: Iterable[int], other: int) -> None:
        """Say that a container has the role `other` in place of `role` by the kind of the first value in it.

        Where it is empty, that kind is ABSENT.
        """
        self._peeks[role] = [*kinds], other

    def to(self, role: int, name: Any, kind: int) -> int:
        """The role of a value by that of its container, its name and its kind."""
        for each in (name, OTHER):
            if (role, each) in self._steps and kind in self._steps[role, each]:
                return self._steps[role, each][kind]
        return SKIPPED

    def column(self, name: str) -> int:
        """The column of the table that a name stands in."""
        if name not in self.names and self.like is not None:
            name = self.like(name)
        return self.names.get(name, len(self.names)) + 1

    def known(self, name: str) -> Any:
        """The name of a step that a name is read as, or OTHER."""
        if name not in self.names and self.like is not None:
            name = self.like(name)
        return name if name in self.names else OTHER

    def steps(self) -> list[dict[Any, list[int]]]:
        """By role of the container and by name, as steps name them, the roles by kind."""
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
        """By role, the role of its containers once a value in them was met."""
        return [self._after.get(role, role) for role in range(len(self.labels))]

    @property
    def by_first(self) -> Array:
        """By role and kind of the first value in a container of it, the role that the container has then."""
        table = np.repeat(np.arange(len(self.labels), dtype=np.int16)[:, None], N_KINDS, axis=1)
        for role, (kinds, other) in self._peeks.items():
            table[role, kinds] = other
        return table

    def table(self) -> Array:
        """The roles by role of the container, number of the name plus 1, and kind.

        Column 0 is for items of lists, the last for names that no step names.
        """
        n_roles = len(self.labels)
        table = np.zeros((n_roles, len(self.names) + 2, N_KINDS), np.int16)
        table[:] = SKIPPED
        numbers: dict[Any, int] = {**self.names, ITEM: -1}
        for (role, name), steps in self._steps.items():
            if name is OTHER:
                for kind, to in steps.items():
                    table[role, :, kind] = to
        for (role, name), steps in self._steps.items():
            if name is not OTHER:
                for kind, to in steps.items():
                    table[role, numbers[name] + 1, kind] = to
        return table
