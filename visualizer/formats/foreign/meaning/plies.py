"""The field of a foreign tree that names the ply to a node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plyscope.visualizer.formats.foreign.meaning import names
from plyscope.visualizer.formats.foreign.meaning.chooser import Chooser, held
from plyscope.visualizer.formats.foreign.meaning.fields import Field, last_name, plain
from plyscope.visualizer.formats.foreign.meaning.layers import layer_words
from plyscope.visualizer.formats.foreign.tree import Tree

TWO_SIDES: Final = ("left", "right", "l", "r")
NAMES_OF_OTHERS: Final = frozenset(
    (
        *names.SCORES,
        *names.NAMES_OF_NODES,
        *names.POSITIONS,
        *names.BOARDS,
        *names.FACTORS,
        *names.WINDOWS,
        *names.LAYERS,
        *names.PLAYERS,
        *names.BOUNDS,
        *names.words("""
            uid uuid hash zobrist path parent parentid pv line comment note url best bestmove color
            colour style shape children time timestamp
        """),
    )
)
"""Plain names of texts that differ among siblings and are no plies."""


def guess_ply(tree: Tree, chooser: Chooser, score: str | None) -> str | None:
    """The field that names the ply; None where there is none, or plies are outside the nodes."""
    wanted = names.PLIES
    if is_jit(tree):
        wanted = ("name", *(name for name in wanted if name != "name"))

    def names_plies(values: Field) -> bool:
        is_score = values.path == score and len(values.numbers) == len(values.values)
        return chooser.names_plies(values) and layer_words(values) is None and not is_score

    found = chooser.best(wanted, names_plies)
    if tree.has_labels and (found is None or not _only_places(tree.distinct_labels)):
        return None
    if found is not None:
        return found
    if (weak := chooser.best(names.WEAK_PLIES, chooser.differs)) is not None:
        return weak
    texts = chooser.fields.get("value")
    if texts and texts.texts and not texts.numbers and score != "value":
        return "value"
    if len(others := [path for path in chooser.fields if _may_be_a_ply(path, chooser)]) == 1:
        return others[0]
    return chooser.best(names.NAMES_OF_NODES, lambda values: values.is_text() and not values.numbers)


def _may_be_a_ply(path: str, chooser: Chooser) -> bool:
    """Whether a field's short texts or lists differ among siblings, and its name has no other meaning."""
    values = chooser.fields[path]
    return (
        held(path)
        and last_name(path) not in NAMES_OF_OTHERS
        and not values.numbers
        and any(isinstance(value, str | list) for value in values.values.values())
        and chooser.differs(values)
    )


def _only_places(labels: Sequence[str]) -> bool:
    """Whether keys only number the children, or say left and right, so that a field may name the ply."""
    return all(label.isdigit() for label in labels) or all(plain(label) in TWO_SIDES for label in labels)


def is_jit(tree: Tree) -> bool:
    """Whether the nodes have the form of the JavaScript InfoVis Toolkit: id, name, data and children."""
    if "JavaScript InfoVis" in tree.form:
        return True
    root = tree.samples[0]
    return (
        tree.children == "children" and "id" in root and "name" in root and isinstance(root.get("data"), dict)
    )
