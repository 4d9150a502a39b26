"""The forms of our documents and lines: the roles of all values in them, above all of the fields of nodes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.seal.values import read_name
from plyscope.visualizer.formats.tape.form import DOCUMENT, EVERY, ITEM, OTHER, SKIPPED, TOP, WITHIN, Form
from plyscope.visualizer.formats.tape.kinds import LIST, NULL, OBJECT
from plyscope.visualizer.store.fields import OWN, entry_of

Array = npt.NDArray[Any]


@dataclass
class Roles:
    """The roles of the fields of a node."""

    of_field: dict[int, str] = field(default_factory=dict)
    """By role, the full name of the field, such as `tt.depth`."""
    of_items: dict[str, int] = field(default_factory=dict)
    """By field that is a list or an object of numbers, the role of its items."""

    def of(self, name: str) -> int:
        """The role of a field."""
        return next(role for role, each in self.of_field.items() if each == name)


def add_fields(form: Form, node: int, without: Collection[str] = ()) -> Roles:
    """Add our fields of nodes of the role `node` to a form, and steps that keep all others as extras.

    >>> form = Form()
    >>> roles = add_fields(form, node := form.role("node", makes_node=True))
    >>> roles.of_field[form.to(roles.of("tt"), "depth", 4)]
    'tt.depth'
    """
    roles = Roles()

    def add(name: str, holder: int, inner_name: str) -> int:
        role = form.role(name, is_wanted=True)
        roles.of_field[role] = name
        form.step(holder, inner_name, role)
        return role

    within = form.role("within an extra", extra=WITHIN)
    form.step(within, OTHER, within)
    for each in OWN:
        if each.name in without:
            continue
        role = add(each.name, node, each.name)
        if each.kind in ("numbers", "texts"):
            roles.of_items[each.name] = form.role(f"{each.name}[]", is_wanted=True)
            form.step(role, ITEM, roles.of_items[each.name])
        elif each.kind == "named numbers":
            roles.of_items[each.name] = form.role(f"{each.name}.*", is_wanted=True)
            form.step(role, OTHER, roles.of_items[each.name])
            form.step(role, ITEM, SKIPPED)
        elif each.kind == "entry":
            for inner in entry_of(each.name):
                add(inner.name, role, inner.inner_name)
            add_extra(form, role, within, f"other of {each.name}", each.name)
            form.step(role, ITEM, SKIPPED)
    add_extra(form, node, within, "extra")
    return roles


def add_extra(form: Form, holder: int, within: int, label: str, outer: str = "") -> int:
    """Add a role for values of `holder` that have no role of their own: their text is kept."""
    extra = form.role(label, extra=TOP, outer=outer)
    form.step(holder, OTHER, extra)
    form.step(extra, OTHER, within)
    return extra


@dataclass(frozen=True)
class OwnForm:
    """The form of our documents, and the roles that readers ask for."""

    form: Form
    fields: Roles
    node: int
    roots: int
    no_root: int
    """A value of `root` that is no object."""
    no_node: int
    """A value in a list of nodes that is no object."""
    no_children: int
    """A value of `children` that is no list."""
    header: Array
    """By role, whether the text of its values is kept as part of the header."""


@cache
def own_form() -> OwnForm:
    """The form of our documents."""
    form = Form()
    document = form.role("the document")
    form.step(DOCUMENT, ITEM, document, [OBJECT])
    node = form.role("node", makes_node=True)
    roots, no_root, no_node, no_children = (
        form.role(label, is_wanted=True) for label in ("roots", "no root", "no node", "no children")
    )
    others = [kind for kind in EVERY if kind != OBJECT]
    form.step(document, "root", node, [OBJECT])
    form.step(document, "root", no_root, others)
    form.step(document, "roots", roots)
    children = form.role("children")
    form.step(node, "children", children, [LIST])
    form.step(node, "children", SKIPPED, [NULL])
    form.step(node, "children", no_children, [kind for kind in EVERY if kind not in (LIST, NULL)])
    for holder in (roots, children):
        form.step(holder, ITEM, node, [OBJECT])
        form.step(holder, ITEM, no_node, others)
    fields = add_fields(form, node)
    n_of_nodes = len(form.labels)
    within = form.role("within the header")
    form.is_wanted[add_extra(form, document, within, "header")] = True
    form.step(within, OTHER, within)
    header = np.zeros(len(form.labels), np.uint8)
    for role in range(n_of_nodes, len(form.labels)):
        header[role] = WITHIN if role == within else TOP
        form.extra[role] = 0
    return OwnForm(form, fields, node, roots, no_root, no_node, no_children, header)


def named(outer: str, name: str) -> tuple[str, str]:
    """The outer field and the name of an extra, by those in the document."""
    return "", read_name(f"{outer}.{name}" if outer else name)


@dataclass(frozen=True)
class LinesForm:
    """The form of lines of ours, and the roles that readers ask for."""

    form: Form
    fields: Roles
    record: int
    no_object: int
    id: int
    parent: int
    children: int


@cache
def lines_form() -> LinesForm:
    """The form of lines of ours."""
    form = Form()
    record = form.role("record", makes_node=True)
    no_object, ids, parent, children = (
        form.role(label, is_wanted=True) for label in ("no object", "id", "parent", "children")
    )
    form.step(DOCUMENT, ITEM, record, [OBJECT])
    form.step(DOCUMENT, ITEM, no_object, [kind for kind in EVERY if kind != OBJECT])
    for name, role in (("id", ids), ("parent", parent), ("children", children)):
        form.step(record, name, role)
    fields = add_fields(form, record, without=("id",))
    return LinesForm(form, fields, record, no_object, ids, parent, children)
