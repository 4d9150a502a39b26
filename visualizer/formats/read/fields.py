"""The roles that the fields of a node of ours have in a form."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from plyscope.visualizer.formats.tape.form import ITEM, OTHER, SKIPPED, TOP, WITHIN, Form
from plyscope.visualizer.store.fields import OWN, entry_of


@dataclass
class Roles:
    """The roles of the fields of a node."""

    of_field: dict[int, str] = field(default_factory=dict)
    """By role the field in full, such as `tt.depth`."""
    of_items: dict[str, int] = field(default_factory=dict)
    """By field that is a list or an object of numbers, the role of what is in it."""

    def of(self, name: str) -> int:
        """The role of a field."""
        return next(role for role, each in self.of_field.items() if each == name)


def add_fields(form: Form, node: int, without: Collection[str] = ()) -> Roles:
    """Add the fields of nodes of the role `node` to a form, and what becomes of those that are not ours.

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
    """The role of what has no role of its own in a holder: its text is kept."""
    extra = form.role(label, extra=TOP, outer=outer)
    form.step(holder, OTHER, extra)
    form.step(extra, OTHER, within)
    return extra
