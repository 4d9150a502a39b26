"""Fields of a foreign tree by name, tested by their values at parents, siblings and levels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.find.probe import ply_text
from plyscope.visualizer.formats.foreign.meaning import names
from plyscope.visualizer.formats.foreign.meaning.fields import Field, by_parent, last_name, parts_of, plain
from plyscope.visualizer.formats.foreign.meaning.label_texts import IN_TEXT, number_in_text, text_with_number

Array = npt.NDArray[Any]
Test = Callable[[Field], bool]

SURE_VISITS: Final = ("visits", "visitcount", "nvisits", "numvisits", "nodevisits")
"""Plain names of visits that need no values below the root to be believed."""
LONGEST_PLY: Final = 32
SHARES_OFF: Final = 0.01
"""The most by which each of several shares of 1 may be rounded."""


@dataclass
class Chooser:
    """Finds fields by name and tests their values against parents, siblings and levels."""

    fields: Mapping[str, Field]
    parents: Array
    levels: Array

    def named(self, wanted: Sequence[str]) -> list[Field]:
        """The fields with these names, best name first, fields of the node before those of its objects."""

        def rank(values: Field) -> tuple[bool, int, int]:
            return _is_of_edge(values.path), wanted.index(last_name(values.path)), values.path.count(".")

        found = [values for path, values in self.fields.items() if last_name(path) in wanted and held(path)]
        return sorted(found, key=rank)

    def best(self, wanted: Sequence[str], test: Test) -> str | None:
        """The field with the best of these names that passes the test."""
        return next((values.path for values in self.named(wanted) if test(values)), None)

    def found(self, role: str, wanted: Sequence[str], test: Test, without: Iterable[str]) -> str | None:
        """The field of a role: one with these names, or a text that holds its number among others."""
        if path := self.first(wanted, test, without):
            return path
        path = text_with_number(self.fields, role) if role in IN_TEXT else None
        if path is None:
            return None
        read = {node: number_in_text(text, role) for node, text in self.fields[path].texts.items()}
        told = Field(path, {node: value for node, value in read.items() if value is not None})
        return path if test(told) else None

    def first(self, wanted: Sequence[str], test: Test, without: Iterable[str] = ()) -> str | None:
        """The first field with these names that passes the test; one on far more nodes goes before it."""
        taken = parts_of(without)
        passed = [values for values in self.named(wanted) if values.path not in taken and test(values)]
        if not passed:
            return None
        if not _is_of_edge(passed[0].path):
            passed = [values for values in passed if not _is_of_edge(values.path)]
        most = max(len(values.values) for values in passed)
        known = passed[0].values.keys()
        for values in passed:
            if len(values.values) == most > 1.5 * len(known) and known <= values.values.keys():
                return values.path
        return passed[0].path

    def adds_up(self, values: Field) -> bool:
        """Whether the values of siblings add up to 1, rounding aside, and no sibling of one lacks a value."""
        if not values.is_probability():
            return False
        n_children = np.bincount(self.parents + 1)[1:]
        shares = by_parent(values.numbers, self.parents)
        return bool(shares) and all(
            len(each) == n_children[parent] and abs(sum(each) - 1.0) <= SHARES_OFF * len(each)
            for parent, each in shares.items()
        )

    def is_level(self, values: Field) -> bool:
        """Whether the values number the levels from the root on, from any start."""
        numbers = values.numbers
        if len(numbers) < 2 or len({self.levels[node] for node in numbers}) < 2:
            return False
        return len({value - self.levels[node] for node, value in numbers.items()}) == 1

    def _steps(self, values: Field) -> tuple[int, int, int]:
        """The pairs of parent and child in which the number falls, in which it rises, and all pairs."""
        numbers = values.numbers
        pairs = [
            (value, numbers[self.parents[node]])
            for node, value in numbers.items()
            if self.parents[node] in numbers
        ]
        return sum(a < b for a, b in pairs), sum(a > b for a, b in pairs), len(pairs)

    def falls(self, values: Field) -> bool:
        """Whether the values are plies left: they fall from parent to child."""
        if not values.is_numeric():
            return False
        n_falls, n_rises, n_pairs = self._steps(values)
        return n_falls > 0 and n_falls >= 0.8 * n_pairs and n_falls > n_rises

    def rises(self, values: Field) -> bool:
        """Whether the values are levels: they rise from parent to child."""
        n_falls, n_rises, n_pairs = self._steps(values)
        return n_rises > n_falls and n_rises >= 0.8 * n_pairs

    def counts_visits(self, values: Field) -> bool:
        """Whether the values are counts that are nowhere larger at a child than at its parent."""
        if not values.is_numeric() or any(value < 0 for value in values.numbers.values()):
            return False
        n_rises, n_pairs = self._steps(values)[1:]
        return n_rises == 0 and (n_pairs > 0 or last_name(values.path) in SURE_VISITS)

    def names_plies(self, values: Field) -> bool:
        """Whether the values can be plies, and do not just number levels."""
        if not any(ply_text(value) is not None for value in values.values.values()):
            return False
        if last_name(values.path) in ("name", "label", "text", "title", "tag"):
            return True
        return not self.is_level(values) and not (
            last_name(values.path) == "ply" and values.is_numeric() and self.rises(values)
        )

    def are_scores(self, values: Field, *, has_labels: bool) -> bool:
        """Whether labels that are only numbers are scores, and do not name nodes.

        They are, if some have a sign or a fraction, if they follow from those below, if all leaves and no
        other nodes have them, or if something else leads to each node and neither its name nor its id is the
        same.
        """
        numbers = {node: value for node, value in values.numbers.items() if node in values.texts}
        if len(numbers) < 2 and not has_labels:
            return False
        inner = {int(parent) for parent in self.parents.tolist() if parent >= 0}
        is_leaf = {node: node not in inner for node in values.values}
        of_leaves = last_name(values.path) != "name" and all(
            is_leaf[node] == (node in numbers) for node in values.values
        )
        if 2 * len(numbers) < len(values.values) and not of_leaves:
            return False
        if any(value < 0 or value % 1 for value in numbers.values()) or (
            of_leaves and not all(is_leaf.values())
        ):
            return True
        below = by_parent(numbers, self.parents)
        compared = [node for node in numbers if node in below]
        n_backed = sum(numbers[node] in (max(below[node]), min(below[node])) for node in compared)
        if compared and 2 * n_backed > len(compared):
            return True
        others = [field for path, field in self.fields.items() if path != values.path and "." not in path]
        are_names = any(
            all(str(field.values.get(node)) == values.texts[node] for node in numbers) for field in others
        )
        return has_labels and last_name(values.path) != "name" and not are_names

    def differs(self, values: Field) -> bool:
        """Whether siblings have distinct short texts, numbers or lists of these, and there are siblings."""
        told = [list(map(_short, group)) for group in by_parent(values.values, self.parents).values()]
        if any(None in group for group in told):
            return False
        is_known = 5 * sum(map(len, told)) >= 4 * int(np.count_nonzero(self.parents >= 0))
        return is_known and any(len(g) > 1 for g in told) and all(len(set(g)) == len(g) for g in told)

    def rising_notes(self, wanted: Sequence[str]) -> list[str]:
        """A sentence for each field that has the name of a depth and is a level."""
        return [
            f'"{values.path}" rises from the root: it is the level, not the plies left.'
            for values in self.named(wanted)
            if values.is_numeric() and self.rises(values)
        ]


def _short(value: object) -> str | None:
    """A value as the text of a ply, None where it cannot be a single ply."""
    if isinstance(value, list) and (len(value) > 4 or not all(isinstance(x, str | int) for x in value)):
        return None
    text = None if isinstance(value, dict | float) else ply_text(value)
    return text if text is not None and len(text) <= LONGEST_PLY else None


def _is_of_edge(path: str) -> bool:
    """Whether a field belongs to the edge that leads to the node."""
    return path.startswith(f"{names.EDGE}.")


def held(path: str) -> bool:
    """Whether a path leads to a field of the node, or of an object that holds fields of the node."""
    outer, dot, _ = path.rpartition(".")
    return not dot or plain(outer) in names.HOLDERS
