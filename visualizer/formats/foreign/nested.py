"""Trees whose nodes lie inside one another: in lists, maps, pairs, alone, or every object a child."""

from __future__ import annotations

from plyscope.visualizer.formats.foreign.outline import EVERY_OBJECT
from plyscope.visualizer.formats.foreign.tree_form import COUNTED, NUMBERS, RECORD, TEXTS, TreeForm
from plyscope.visualizer.formats.tape.form import ITEM, OTHER, SCALARS, SKIPPED, TOP
from plyscope.visualizer.formats.tape.kinds import FALSE, LIST, NULL, OBJECT, TRUE


class NestedForm(TreeForm):
    """The form of such a tree."""

    bare: int
    """Role of a node that is a number or a text."""

    def build(self) -> NestedForm:
        """Add the steps to the nodes."""
        form, branching = self.form, self.found.branching
        assert branching is not None
        self.node = form.role("node", makes_node=True)
        self.node_by_key = form.role("node under its name", makes_node=True)
        self.inner = form.role("what is told of a node")
        self.bare = form.role("bare node", makes_node=True, is_wanted=True)
        self.bare_by_key = form.role("bare node under its name", makes_node=True, is_wanted=True)
        self.named = form.role("node in its name", is_wanted=True)
        self.wrapping = form.role("name of a node", makes_node=True)
        self.wrapped_roots: list[int] = []
        self.holders: list[int] = []
        """Roles of what holds the children of a node."""
        self.labelled = {self.node_by_key, self.bare_by_key}
        self.number_of_pair = form.role("number of a pair", is_wanted=True)
        self.held = form.role("other than nodes", is_wanted=True, extra=TOP, member=TOP)
        for holder in (self.node, self.node_by_key, self.inner, self.named, self.wrapping):
            self.add_fields(holder)
            if branching.key == EVERY_OBJECT:
                self._every_object(holder, pure=branching.pure)
            else:
                self._children(holder, branching.key)
            if branching.within:
                form.step(holder, branching.within, self.inner, [OBJECT])
        if branching.labelled:
            past = form.role("node with a field")
            self.add_fields(past)
            self._children(past, branching.key)
            form.then(self.wrapping, past)
            for name in (OTHER, *self.opened):
                form.step(self.wrapping, name, self.named, [OBJECT])
        self._roots()
        return self

    def _children(self, holder: int, key: str) -> None:
        form = self.form
        if not hasattr(self, "_list"):
            self._list = form.role("children", is_wanted=True)
            self._map = form.role("children by name", is_wanted=True)
            self.holders = [self._list, self._map]
            pair = form.role("pair", makes_node=True)
            second = form.role("pair, second")
            form.then(pair, second)
            branching = self.found.branching
            assert branching is not None
            # What holds other things than nodes stays a field, as its first value says.
            form.peek(self._list, (FALSE, TRUE), self.held)
            form.peek(self._map, (FALSE, TRUE, LIST), self.held)
            form.step(self.held, OTHER, self.within)
            item = self.wrapping if branching.labelled else self.node
            form.step(self._list, ITEM, item, [OBJECT])
            form.step(self._list, ITEM, self.bare, (*NUMBERS, *TEXTS))
            form.step(self._list, ITEM, pair, [LIST])
            form.step(self._map, OTHER, self.node_by_key, [OBJECT])
            form.step(self._map, OTHER, self.bare_by_key, (*NUMBERS, *TEXTS))
            for holder_of_pair in (pair, second):
                form.step(holder_of_pair, ITEM, self.inner, [OBJECT])
                form.step(holder_of_pair, ITEM, self.label, SCALARS)
                form.step(holder_of_pair, ITEM, self.deep_label, [LIST])
            form.step(second, ITEM, self.number_of_pair, NUMBERS)
        for name in (key, f"_{key}"):
            form.step(holder, name, self._list, [LIST])
            form.step(holder, name, self.node if self.found.has_single else self._map, [OBJECT])
            form.step(holder, name, SKIPPED, [NULL])

    def _every_object(self, holder: int, *, pure: bool) -> None:
        form = self.form
        for name in (OTHER, *self.scalars):
            form.step(holder, name, SKIPPED, [NULL])
        form.step(holder, OTHER, self.node_by_key, [OBJECT])
        if pure:
            form.step(holder, OTHER, self.bare_by_key, (*NUMBERS, *TEXTS))
            form.step(holder, COUNTED, self.rest, SCALARS)
            form.step(holder, COUNTED, SKIPPED, [NULL])
            form.step(holder, COUNTED, self.node_by_key, [OBJECT])
        else:
            form.step(holder, RECORD, self.rest)
            form.step(holder, RECORD, SKIPPED, [NULL])

    def _roots(self) -> None:
        """Add the steps from the document to the roots."""
        form, found = self.form, self.found
        root = self.wrapping if found.is_named and found.children != EVERY_OBJECT else self.node
        if found.is_named and found.children == EVERY_OBJECT:
            root = self.node_by_key
        if found.trees:
            holder = self.lead(found.way, kinds=[OBJECT])
            for key in found.trees:
                form.step(holder, key, self._wrapped(found.wrapped), [OBJECT])
        elif found.is_list:
            item = self._wrapped(found.wrapped) if found.wrapped else root
            form.step(self.lead(found.way, kinds=[LIST]), ITEM, item, [OBJECT])
        elif found.is_named and found.children == EVERY_OBJECT:
            form.step(self.lead(found.way, kinds=[OBJECT]), OTHER, root, [OBJECT])
        else:
            self.lead(found.way, root, [OBJECT])

    def _wrapped(self, names: tuple[str, ...]) -> int:
        """The role of what holds a root under these names, one in the other; it is the node."""
        form = self.form
        role = outer = form.role("wrapped root", makes_node=True)
        self.add_fields(outer)
        for name in names:
            inner = form.role("in a wrapped root", is_wanted=name == names[-1])
            self.add_fields(inner)
            form.step(role, name, inner, [OBJECT])
            role = inner
        branching = self.found.branching
        assert branching is not None
        self._children(role, branching.key)
        self.wrapped_roots.append(role)
        return outer
