"""Nested trees: children in lists, maps or pairs, a single child, or every object a child."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.collector import Collector
from plyscope.visualizer.formats.foreign.find.found import Found
from plyscope.visualizer.formats.foreign.find.probe import EVERY_OBJECT
from plyscope.visualizer.formats.foreign.forms.tree_form import (
    BOOLS,
    COUNTED,
    NUMBERS,
    RECORD,
    TEXTS,
    TreeForm,
)
from plyscope.visualizer.formats.foreign.tree import Tree
from plyscope.visualizer.formats.tape.batch import Values
from plyscope.visualizer.formats.tape.form import CONTAINERS, ITEM, OTHER, SCALARS, SKIPPED, TOP
from plyscope.visualizer.formats.tape.kinds import FALSE, LIST, NULL, OBJECT, TRUE

Array = npt.NDArray[Any]


class NestedForm(TreeForm):
    """The form of a nested tree."""

    bare: int
    """The role of a node that is a number or a text."""

    def __init__(self, found: Found, taken: Mapping[str, str], *, flat: bool = True) -> None:
        super().__init__(found, taken, flat=flat)
        form, branching = self.form, self.found.branching
        assert branching is not None
        self.node = form.role("node", makes_node=True)
        self.node_by_key = form.role("node under its name", makes_node=True, is_wanted=True)
        self.inner = form.role("what is told of a node")
        self.bare = form.role("bare node", makes_node=True, is_wanted=True)
        self.bare_by_key = form.role("bare node under its name", makes_node=True, is_wanted=True)
        self.named = form.role("node in its name", is_wanted=True)
        self.wrapping = form.role("name of a node", makes_node=True)
        self.wrapped_roots: list[int] = []
        self.pair = form.role("pair", makes_node=True, is_wanted=True)
        self.node_of_pair = form.role("node in a pair", is_wanted=True)
        self.number_of_pair = form.role("number of a pair", is_wanted=True)
        self.label_of_pair = form.role("label of a pair that is no text", is_wanted=True)
        self.no_pair = form.role("what a pair does not hold", is_wanted=True)
        self.no_node = form.role("what is no node", is_wanted=True)
        self.held = form.role("other than nodes", is_wanted=True, extra=TOP, member=TOP)
        holders = (self.node, self.node_by_key, self.inner, self.named, self.wrapping, self.node_of_pair)
        for holder in holders:
            self.add_fields(holder)
            if branching.key == EVERY_OBJECT:
                self._every_object(holder, pure=branching.pure)
            else:
                self._children(holder)
            for within in branching.keys.values():
                for wrapping in within:
                    form.step(holder, wrapping, self.inner, [OBJECT])
        if branching.labelled:
            past = form.role("node with a field")
            self.add_fields(past)
            self._children(past)
            form.then(self.wrapping, past)
            for name in (OTHER, *self.opened):
                form.step(self.wrapping, name, self.named, [OBJECT])
        self._roots()

    def _children(self, holder: int) -> None:
        form, branching = self.form, self.found.branching
        assert branching is not None
        if not hasattr(self, "_list"):
            self._list = form.role("children")
            self._map = form.role("children by name")
            # A container whose first value is no node stays a field.
            others = (FALSE, TRUE) if self.found.has_pairs else (FALSE, TRUE, LIST)
            form.peek(self._list, others, self.held)
            texts = TEXTS if self.found.has_texts else ()
            form.peek(self._map, (FALSE, TRUE, LIST, *(() if texts else TEXTS)), self.held)
            form.step(self.held, OTHER, self.within)
            item = self.wrapping if branching.labelled else self.node
            form.step(self._list, ITEM, self.no_node, (*BOOLS, LIST))
            form.step(self._list, ITEM, item, [OBJECT])
            form.step(self._list, ITEM, self.bare, (*NUMBERS, *TEXTS))
            form.step(self._map, OTHER, self.no_node, (*BOOLS, LIST, *TEXTS))
            form.step(self._map, OTHER, self.node_by_key, [OBJECT])
            form.step(self._map, OTHER, self.bare_by_key, (*NUMBERS, *texts))
            if self.found.has_pairs:
                self._pairs()
        for name in (each for key in branching.keys for each in (key, f"_{key}")):
            form.step(holder, name, self._list, [LIST])
            form.step(holder, name, self.node if self.found.has_single else self._map, [OBJECT])
            form.step(holder, name, SKIPPED, [NULL])

    def _pairs(self) -> None:
        """Add the steps to pairs of a label and a node or its number."""
        form = self.form
        second, third = form.role("pair, second"), form.role("pair, third")
        form.step(self._list, ITEM, self.pair, [LIST])
        form.then(self.pair, second)
        form.then(second, third)
        for holder in (self.pair, second, third):
            form.step(holder, ITEM, self.no_pair)
        label, node = (second, self.pair) if self.found.has_node_first else (self.pair, second)
        form.step(label, ITEM, self.label_of_pair, SCALARS)
        form.step(label, ITEM, self.label, TEXTS)
        form.step(label, ITEM, self.deep_label, CONTAINERS)
        form.step(node, ITEM, self.node_of_pair, [OBJECT])
        if not self.found.has_node_first:
            form.step(node, ITEM, self.number_of_pair, NUMBERS)

    def _every_object(self, holder: int, *, pure: bool) -> None:
        form = self.form
        for name in (OTHER, *self.scalars):
            form.step(holder, name, SKIPPED, [NULL])
        form.step(holder, OTHER, self.node_by_key, [OBJECT])
        if pure:
            form.step(holder, OTHER, self.bare_by_key, (*NUMBERS, *(TEXTS if self.found.has_texts else ())))
            form.step(holder, COUNTED, self.rest, SCALARS)
            form.step(holder, COUNTED, SKIPPED, [NULL])
            form.step(holder, COUNTED, self.node_by_key, [OBJECT])
        else:
            form.step(holder, RECORD, self.rest)
            form.step(holder, RECORD, SKIPPED, [NULL])

    def _roots(self) -> None:
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
        """The role of a value that holds a root under these nested names; it becomes the node."""
        form = self.form
        role = outer = form.role("wrapped root", makes_node=True)
        self.add_fields(outer)
        for name in names:
            inner = form.role("in a wrapped root", is_wanted=name == names[-1])
            self.add_fields(inner)
            form.step(role, name, inner, [OBJECT])
            role = inner
        self._children(role)
        self.wrapped_roots.append(role)
        return outer


def nested_tree(form: NestedForm, collector: Collector, *, is_part: bool) -> Tree:
    """The nested tree."""
    collector.add(form.bare, collector.put_bare)
    collector.add(form.bare_by_key, collector.put_bare_by_key)
    collector.add(form.node_by_key, collector.put_labels_of_keys)
    collector.add(form.no_node, collector.note_no_nodes)
    collector.add(form.named, collector.put_labels_of_keys)
    collector.add(form.held, _noting(collector.tree.held))
    for role in form.wrapped_roots if form.found.wrapped else ():
        collector.add(role, collector.note_root)
    roles = (form.pair, form.no_pair, form.node_of_pair, form.number_of_pair, form.label)
    nodes: list[list[Array]] = [[] for _ in roles]
    for role, of_role in zip(roles, nodes, strict=True):
        collector.add(role, _noting(of_role))
    collector.add(form.no_pair, collector.note_no_nodes)
    collector.add(form.number_of_pair, collector.put_bare)
    collector.add(form.label, collector.put_labels)
    collector.add(form.label_of_pair, collector.put_labels)
    tree = collector.take()
    tree.has_odd_pairs = not _are_most_pairs(*(np.concatenate([np.zeros(0, np.int32), *x]) for x in nodes))
    tree.has_odd_texts = 2 * collector.n_odd_texts > collector.n_texts
    return tree


def _noting(nodes: list[Array]) -> Callable[[Values], None]:
    return lambda values: nodes.append(values.nodes)


def _are_most_pairs(lists: Array, odd: Array, with_node: Array, numbered: Array, labelled: Array) -> bool:
    """Whether at least half of the lists among children are pairs: of label and number, or with a node."""
    has_number = np.isin(lists, numbered) & np.isin(lists, labelled)
    is_pair = (np.isin(lists, with_node) | has_number) & ~np.isin(lists, odd)
    return 2 * int(np.count_nonzero(is_pair)) >= len(lists)
