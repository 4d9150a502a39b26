"""Trees of nested lists, `["c6", 3, [...]]`: the label of a node, its score, and a list of its children."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from plyscope.visualizer.formats.foreign.collector import Collector
from plyscope.visualizer.formats.foreign.find.found import Found
from plyscope.visualizer.formats.foreign.find.places import Place
from plyscope.visualizer.formats.foreign.forms.tree_form import BOOLS, NUMBERS, TEXTS, TreeForm
from plyscope.visualizer.formats.foreign.meaning.fields import SAMPLE
from plyscope.visualizer.formats.foreign.tree import Tree
from plyscope.visualizer.formats.tape.batch import Values
from plyscope.visualizer.formats.tape.form import ITEM
from plyscope.visualizer.formats.tape.kinds import ABSENT, LIST, OBJECT

LISTS: Final = "nested lists"
LISTS_KIND: Final = "lists"
MORE: Final = "more"
"""The field for the other items of a list."""


def found_lists(place: Place) -> Found | None:
    """The tree or trees at a place: lists that begin with a text and hold such lists; None if there is none.

    >>> found_lists(Place(["root", 3, [["c6", 3, []], ["e2", -2, []]]])).form
    'nested lists'
    >>> found_lists(Place(["x", ["o", "x"]])), found_lists(Place([["a", 1], ["b", 2]]))
    (None, None)
    """
    if place.among is not None or not isinstance(place.value, list) or not place.value:
        return None
    waiting = [*place.value] if isinstance(place.value[0], list) else [place.value]
    n_roots, n_nodes, n_scored = len(waiting), 0, 0
    while waiting and n_nodes < SAMPLE:
        node = waiting.pop()
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            return None
        n_nodes += 1
        n_scored += any(type(item) in (int, float) for item in node)
        for item in node:
            if isinstance(item, list):
                is_node = item and not isinstance(item[0], list)
                waiting += [item] if is_node else [each for each in item if isinstance(each, list)]
    is_tree = n_nodes > n_roots and 2 * n_scored >= n_nodes
    return Found(LISTS, "", place.way, kind=LISTS_KIND) if is_tree else None


class ListsForm(TreeForm):
    """The form of a tree of nested lists."""

    def __init__(self, found: Found, taken: Mapping[str, str], *, flat: bool = True) -> None:
        super().__init__(found, taken, flat=flat)
        form = self.form
        self.node = form.role("node", makes_node=True)
        self.number = form.role("score", is_wanted=True)
        self.more = form.role("further value", is_wanted=True)
        self.no_node = form.role("what is no node", is_wanted=True)
        inner, children = form.role("what is told of a node"), form.role("children")
        self.add_fields(inner)
        behind = [self.node, form.role("node, second"), form.role("node, third")]
        form.peek(self.node, [ABSENT, LIST], children)
        for at, after in zip(behind, [*behind[1:], behind[-1]], strict=True):
            form.then(at, after)
            form.step(at, ITEM, self.more, (*BOOLS, *NUMBERS, *TEXTS))
            form.step(at, ITEM, inner, [OBJECT])
            form.step(at, ITEM, self.node, [LIST])
        form.step(self.node, ITEM, self.label, TEXTS)
        form.step(behind[1], ITEM, self.number, NUMBERS)
        form.step(children, ITEM, self.no_node, (*BOOLS, *NUMBERS, *TEXTS, OBJECT))
        form.step(children, ITEM, self.node, [LIST])
        self.lead(found.way, self.node, [LIST])


def tree_of_lists(form: ListsForm, collector: Collector, *, is_part: bool) -> Tree:
    """The tree of nested lists."""
    more: dict[int, list[Any]] = {}

    def put_more(values: Values) -> None:
        for index, node in enumerate(values.nodes.tolist()):
            more.setdefault(node, []).append(values.at(index))

    collector.add(form.label, collector.put_labels)
    collector.add(form.number, collector.put_bare)
    collector.add(form.no_node, collector.note_no_nodes)
    collector.add(form.more, put_more)
    tree = collector.take()
    if more:
        tree.put_fields(MORE, list(more), list(more.values()))
    return tree
