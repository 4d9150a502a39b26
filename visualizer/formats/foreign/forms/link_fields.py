"""The fields of the links of a graph, apart from the nodes at their ends."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.find.graphs import LABELS
from plyscope.visualizer.formats.foreign.find.probe import ply_text
from plyscope.visualizer.formats.foreign.meaning.names import EDGE
from plyscope.visualizer.formats.foreign.tree import Tree
from plyscope.visualizer.formats.json_text import json_value, json_values
from plyscope.visualizer.formats.tape.batch import PythonValues
from plyscope.visualizer.formats.tape.extras import AT_ONCE
from plyscope.visualizer.formats.tape.texts import Texts

Array = npt.NDArray[Any]


class Said(NamedTuple):
    """What links say: the link or its row, and the numbers of the name and of the text, of each field."""

    links: Array
    members: Array
    codes: Array

    def where(self, chosen: Array) -> Said:
        """The fields at these indices, or where a mask is true."""
        return Said(*(each[chosen] for each in self))


class LinkFields:
    """The fields of links, gathered as texts, and sorted once they are complete."""

    def __init__(self, texts: Texts, left_out: Collection[str]) -> None:
        """`texts` takes the JSON of values; fields with the names `left_out` are dropped."""
        self._texts, self._left_out = texts, left_out
        self._names: list[str] = []
        none = np.zeros(0, np.int32)
        self._pieces = [Said(none, none, none)]
        self._said = self._pieces[0]
        self.labels: list[str] = []
        self.labelled, self.label_codes = np.zeros(0, np.int64), np.zeros(0, np.int64)
        """Links that say which ply they are, and which of the labels each has."""

    def take(self, links: Array, keys: Array, begins: Array, text: Array) -> None:
        """Take fields of links, each with the number of its name; the texts of values are concatenated."""
        lengths, first = np.diff(begins), text[begins[:-1]]
        is_unsaid = (lengths == len("null")) & (first == ord("n"))
        is_unsaid |= (lengths == len("[]")) & np.isin(first, np.frombuffer(b'"[{', np.uint8))
        said = np.flatnonzero(~is_unsaid)
        codes = np.full(len(links), -1, np.int32)
        codes[said] = self._texts.of_slices(text, begins[said], begins[said + 1])
        self._pieces.append(Said(links.astype(np.int32), keys.astype(np.int32), codes))

    def put(self, name: str, links: Array, begins: Array, text: Array) -> None:
        """Take one field, `name`, of some links."""
        if name in self._left_out:
            return
        self._names.append(name)
        self.take(links, np.full(len(links), -1 - len(self._names)), begins, text)

    def settle(self, name_of: Callable[[int], str], *, with_labels: bool) -> None:
        """Sort the fields by link, and leave out those without content; some fields become labels."""
        links, keys, codes = (np.concatenate(each) for each in zip(*self._pieces, strict=True))
        self._pieces.clear()
        if not len(links):
            return
        least = int(keys.min())
        keys -= least
        first = np.full(int(keys.max()) + 1, np.iinfo(np.int32).max, np.int32)
        np.minimum.at(first, keys, links)
        distinct = np.flatnonzero(first < np.iinfo(np.int32).max)
        of_put = ["", *self._names]  # an item has no name
        told = [name_of(key) if key >= 0 else of_put[-key - 1] for key in (distinct + least).tolist()]
        # By the first link that states it, then by name: numbers of names depend on the rest of the document.
        by_link = sorted(zip(first[distinct].tolist(), told, strict=True))
        self._names = list(dict.fromkeys(name for _, name in by_link))
        first[distinct] = [self._names.index(name) for name in told]
        is_kept = np.array([name not in self._left_out for name in self._names])
        said = Said(links, first[keys], codes)
        said = said.where((codes >= 0) & is_kept[said.members])
        places = said.links.astype(np.int64) * len(self._names) + said.members
        self._said = said.where(np.argsort(places, kind="stable")) if (np.diff(places) < 0).any() else said
        if with_labels:
            self._part_labels()

    def _part_labels(self) -> None:
        """Make the first field that names a ply the label, and leave out fields with the same value."""
        said = self._said
        ranks = np.array([LABELS.index(name) if name in LABELS else -1 for name in self._names], np.int64)
        chosen = np.flatnonzero(ranks[said.members] >= 0)
        if not len(chosen):
            return
        some = said.where(chosen)
        label_of: dict[str | None, int] = {None: -1}

        def label(value: object) -> int:
            return label_of.setdefault(ply_text(value), len(label_of) - 1)

        codes = self._by_text(some, label)
        told = np.flatnonzero(codes >= 0)
        order = told[np.lexsort((ranks[some.members[told]], some.links[told]))]
        is_first = np.append(True, np.diff(some.links[order]) != 0)[: len(order)]
        self.labelled, self.label_codes = some.links[order[is_first]], codes[order[is_first]]
        self.labels = [each for each in label_of if each is not None]
        is_whole = self._by_text(some, lambda value: not isinstance(value, str) or ply_text(value) == value)
        code_of_link = np.full(int(said.links.max()) + 1, -1)
        code_of_link[self.labelled] = self.label_codes
        is_left = np.ones(len(said.links), np.bool_)
        is_left[chosen] = (codes < 0) | (codes != code_of_link[some.links]) | (is_whole == 0)
        self._said = said.where(is_left)

    def _by_text(self, said: Said, value_of: Callable[[Any], Any]) -> Array:
        """Apply a function to the value of each text; equal texts are parsed once, in the order of fields."""
        distinct, first, of = np.unique(said.codes, return_index=True, return_inverse=True)
        found = np.zeros(len(distinct), np.int64)
        for at in np.argsort(first).tolist():
            found[at] = value_of(self._value(distinct[at]))
        return found[of]

    def _value(self, code: int) -> Any:
        return json_value(self._texts.text(int(code)))

    def of(self, links: Array) -> dict[int, dict[str, Any]]:
        """The fields of some links."""
        said = self._said
        firsts, ends = (np.searchsorted(said.links, links, side) for side in ("left", "right"))
        counts = ends - firsts
        chosen = said.where(np.repeat(ends - np.cumsum(counts), counts) + np.arange(counts.sum()))
        begins, text = self._texts.written(chosen.codes)
        values = json_values(text.tobytes(), begins.tolist())
        fields: dict[int, dict[str, Any]] = {}
        for link, member, value in zip(chosen.links.tolist(), chosen.members.tolist(), values, strict=True):
            fields.setdefault(link, {})[self._names[member]] = value
        return fields

    def tell(self, tree: Tree, row_of: Array) -> None:
        """Give the labels and fields of links to rows of a tree; `row_of` is -1 for links of no row.

        The fields of such links alone are left here.
        """
        rows = row_of[self.labelled]
        codes = tree.labels.texts.of_values(self.labels)[self.label_codes[rows >= 0]]
        tree.labels.put_codes(rows[rows >= 0].astype(np.int32), codes)
        tree.labels.finish()
        rows = row_of[self._said.links]
        if EDGE in tree.counts:
            rows[np.isin(rows, tree.extras.nodes_with(EDGE))] = -1
        said, self._said = self._said._replace(links=rows).where(rows >= 0), self._said.where(rows < 0)
        if not len(said.links):
            return
        sampled: dict[int, dict[str, Any]] = {}
        for at in np.flatnonzero(np.isin(said.links, list(tree.samples))).tolist():
            of_row = sampled.setdefault(int(said.links[at]), {})
            of_row[self._names[int(said.members[at])]] = self._value(said.codes[at])
        tree.note_field(EDGE, 1 + int(np.count_nonzero(np.diff(said.links))), sampled)
        rows, of, codes = self._into_columns(tree, said)
        members = np.array([tree.extras.members.number(EDGE, name) for name in self._names], np.int32)
        for first in range(0, len(rows), AT_ONCE):
            some = slice(first, first + AT_ONCE)
            written = self._texts.written(codes[some])
            tree.extras.put(rows[some], members[of[some]], *written, goes_on=first > 0)

    def _into_columns(self, tree: Tree, said: Said) -> Said:
        """Put fields that are taken for ours into their columns; returns the others."""
        is_left = np.ones(len(said.links), np.bool_)
        for member, name in enumerate(self._names):
            column = tree.columns.get(f"{EDGE}.{name}")
            if column is None:
                continue
            chosen = np.flatnonzero(said.members == member)
            of_name = said.where(chosen)
            values = [self._value(code) for code in of_name.codes.tolist()]
            is_scalar = np.array([not isinstance(value, dict | list) for value in values], np.bool_)
            scalars = [value for value in values if not isinstance(value, dict | list)]
            rows = of_name.links[is_scalar]
            column.put(PythonValues(rows, scalars, np.full(len(rows), -1)))
            column.finish()
            is_left[chosen[is_scalar]] = False
        return said.where(is_left)
