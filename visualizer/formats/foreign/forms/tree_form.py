"""The form of a foreign tree: the steps to its nodes, and to the fields that are taken from them.

The fields of a node are the same in all kinds of documents; each kind adds the steps to the nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from plyscope.visualizer.formats.foreign.find.found import Found
from plyscope.visualizer.formats.foreign.find.probe import EVERY_OBJECT, NUMBERS_OF_NODES, RECORDS
from plyscope.visualizer.formats.foreign.meaning.fields import plain
from plyscope.visualizer.formats.foreign.meaning.names import WINDOWS
from plyscope.visualizer.formats.tape.form import (
    CONTAINERS,
    DOCUMENT,
    ITEM,
    NOT_KEPT,
    OTHER,
    SCALARS,
    TOP,
    WITHIN,
    Form,
)
from plyscope.visualizer.formats.tape.kinds import (
    ESCAPED,
    FALSE,
    LIST,
    LONG,
    NUMBER,
    OBJECT,
    TEXT,
    TRUE,
    WHOLE,
)

NUMBERS: Final = (WHOLE, NUMBER, LONG)
TEXTS: Final = (TEXT, ESCAPED)
BOOLS: Final = (FALSE, TRUE)
DEEP_ROLES: Final = ("ply", "board")
"""The roles that lists and objects may be taken for."""

RECORD: Final = "\0record"
COUNTED: Final = "\0number of its node"
"""Names that no document has, for groups of names that are read alike."""


class TreeForm:
    """A form with the roles of the fields that are taken, by path.

    `taken` is the path by our field; `flat`: evaluations are nothing but names and numbers, or lists of
    numbers, so that each term is a value.
    """

    is_in_order = True
    """Whether the document has the nodes in the order of the tree."""
    nodes: int
    """Where they are not, the role of the container that holds them all."""

    def __init__(self, found: Found, taken: Mapping[str, str], *, flat: bool = True) -> None:
        self.found, self.flat = found, flat
        self.form = Form(self._like if found.children == EVERY_OBJECT else None)
        self.taken_for: dict[str, list[str]] = {}
        """By path, our fields that it is taken for."""
        for role, path in taken.items():
            for part in path.split("|"):
                self.taken_for.setdefault(part, []).append(role)
        role_of = self.form.role
        self.rest = role_of("field", extra=TOP, member=TOP)
        self.within = role_of("in a field", extra=WITHIN, member=WITHIN)
        self.member_only = role_of("in an evaluation", member=WITHIN)
        self._inside([self.rest, self.within], self.within)
        self._inside([self.member_only], self.member_only)
        self.scalars: dict[str, int] = {}
        """The roles of values that are no lists nor objects, by path."""
        self.deep: dict[str, int] = {}
        """The roles of lists and objects that are read as values, by path."""
        self.opened: dict[str, int] = {}
        """The roles of objects in which fields stand that are taken, by name."""
        self.terms: dict[int, int] = {}
        """Of evaluations the role, and that of the numbers in them."""
        self.odd_term = role_of("term that is no number", is_wanted=True, member=WITHIN)
        self._inside([self.odd_term], self.member_only)
        self.evaluations: dict[str, int] = {}
        self.windows: dict[str, int] = {}
        """The roles of lists in which the two edges of windows stand, by name."""
        self.edges: dict[int, str] = {}
        """By role of an edge in such a list, its path."""
        self.label = role_of("label", is_wanted=True)
        self.deep_label = role_of("label that is a list or an object", extra=TOP)
        self.in_label = role_of("in a label", extra=WITHIN)
        self._inside([self.deep_label, self.in_label], self.in_label)
        self._taken_roles()

    def of_nodes(self) -> Form:
        """The form of documents that each are one node, where none lies in another."""
        return self.form.of_items(self.nodes, OTHER if self.found.is_map else ITEM)

    def _inside(self, holders: Iterable[int], inside: int) -> None:
        for holder in holders:
            self.form.step(holder, OTHER, inside)

    def _taken_roles(self) -> None:
        role = self.form.role
        for path, fields in self.taken_for.items():
            if {*DEEP_ROLES, "factors"} & {*fields} and not ("factors" in fields and self.flat):
                outer, dot, _ = path.rpartition(".")
                level = WITHIN if dot else TOP
                self.deep[path] = role(path, extra=TOP, member=level, outer=outer)
                self._inside([self.deep[path]], self.within)
        for path, fields in self.taken_for.items():
            outer, dot, inner = path.partition(".")
            level = WITHIN if dot else TOP
            extra = WITHIN if outer in self.deep and dot else NOT_KEPT
            self.scalars[path] = role(
                path, is_wanted=True, extra=extra, member=level, outer=outer if dot else ""
            )
            if dot and inner in ("0", "1") and plain(outer) in WINDOWS and outer not in self.windows:
                self.windows[outer] = role(outer, extra=TOP, member=TOP)
            if dot and outer not in self.opened and outer not in self.deep:
                self.opened[outer] = role(outer, is_wanted=True, member=TOP)
            if "factors" in fields and self.flat:
                evaluation = self.evaluations[path] = role(path, is_wanted=True, member=level)
                term = self.terms[evaluation] = role(f"{path}.*", is_wanted=True, member=WITHIN)
                self.form.step(evaluation, OTHER, self.odd_term)
                self.form.step(evaluation, OTHER, term, NUMBERS)
        for outer, opened in self.opened.items():
            rest = role(f"{outer}.*", extra=TOP, member=WITHIN, outer=outer)
            self._inside([rest], self.within)
            self.form.step(opened, OTHER, rest)
        for outer, window in self.windows.items():
            self._window(outer, window)

    def _window(self, outer: str, window: int) -> None:
        """Add the steps to a window that is a list of its two edges."""
        form = self.form
        second, third = (
            form.role(f"{outer}, {place}", extra=TOP, member=TOP) for place in ("second", "third")
        )
        self._inside([window, second, third], self.within)
        for path, holder, after in ((f"{outer}.0", window, second), (f"{outer}.1", second, third)):
            form.then(holder, after)
            if path in self.scalars:
                edge = form.role(path, is_wanted=True, extra=WITHIN, member=WITHIN)
                self.edges[edge] = path
                form.step(holder, ITEM, edge, SCALARS)

    def add_fields(self, holder: int) -> None:
        """Add the steps to the fields of a node, or of an object around it."""
        form = self.form
        form.step(holder, OTHER, self.rest)
        for outer, opened in self.opened.items():
            form.step(holder, outer, opened, [OBJECT])
        for outer, window in self.windows.items():
            form.step(holder, outer, window, [LIST])
        for path, scalar in self.scalars.items():
            outer, dot, inner = path.partition(".")
            within = self.opened[outer] if outer in self.opened else self.deep.get(outer)
            places = [(holder, path)] if not dot or within is None else [(holder, path), (within, inner)]
            for place, name in places:
                form.step(place, name, scalar, SCALARS)
                if path in self.deep:
                    form.step(place, name, self.deep[path], CONTAINERS)
                if path in self.evaluations:
                    form.step(place, name, self.evaluations[path], CONTAINERS)

    def lead(
        self, way: Sequence[str | int], last: int | None = None, kinds: Iterable[int] = CONTAINERS
    ) -> int:
        """Add the steps from the document to a place; returns its role, which is `last` if that is given."""
        form = self.form
        holder = DOCUMENT
        steps: list[str | int | None] = [*way] if self.found.in_lines else [ITEM, *way]
        for place, step in enumerate(steps):
            is_last = place == len(steps) - 1
            at = last if is_last and last is not None else form.role(f"way to {step}")
            if isinstance(step, int):
                for _ in range(step):
                    behind = form.role("items before")
                    form.then(holder, behind)
                    holder = behind
                form.then(holder, form.role("items behind"))
            form.step(holder, ITEM if isinstance(step, int) else step, at, kinds if is_last else CONTAINERS)
            holder = at
        return holder

    def _like(self, name: str) -> str:
        """The name that stands for a group of names, where every object in a node may be a child."""
        said = plain(name)
        branching = self.found.branching
        if branching is not None and branching.pure:
            return COUNTED if said in NUMBERS_OF_NODES else name
        return RECORD if said in RECORDS else name
