"""The kinds of trees, each with its form and the function that makes a tree of a pass by it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, Protocol

from plyscope.visualizer.formats.foreign.collector import Collector
from plyscope.visualizer.formats.foreign.forms.linked_form import LinkedForm
from plyscope.visualizer.formats.foreign.forms.linked_tree import linked_tree
from plyscope.visualizer.formats.foreign.forms.lists import LISTS_KIND, ListsForm, tree_of_lists
from plyscope.visualizer.formats.foreign.forms.nested import NestedForm, nested_tree
from plyscope.visualizer.formats.foreign.tree import Tree


class MakeTree(Protocol):
    """Makes the tree of a document, or of a part of it."""

    def __call__(self, form: Any, collector: Collector, *, is_part: bool) -> Tree:
        """The tree that the form finds."""
        ...


class Kind(NamedTuple):
    """The form and the maker of a kind of trees."""

    form: Any
    tree: MakeTree


KINDS: Final = {"nested": Kind(NestedForm, nested_tree), LISTS_KIND: Kind(ListsForm, tree_of_lists)}
LINKED: Final = Kind(LinkedForm, linked_tree)
"""All other kinds."""
