"""The fields of the links of a graph, apart from the nodes at their ends."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.find.graphs import LABELS
from plyscope.visualizer.formats.foreign.find.probe import ply_text
from plyscope.visualizer.formats.foreign.meaning.names import EDGE
from plyscope.visualizer.formats.foreign.tree import Column, Tree
from plyscope.visualizer.formats.json_text import json_value, json_values
from plyscope.visualizer.formats.tape.batch import PythonValues
from plyscope.visualizer.formats.tape.extras import AT_ONCE, Extras, MemberTexts
from plyscope.visualizer.formats.tape.texts import picked

Array = npt.NDArray[Any]


class LinkFields:
    """The fields of links, gathered as those of nodes are; those that name a ply may become labels."""

    def __init__(self, tree: Tree, left_out: Collection[str], *, with_labels: bool) -> None:
        """Fields with the names `left_out` are dropped."""
        self._tree, self._left_out, self._with_labels = tree, left_out, with_labels
        self._extras = Extras(tree.run)
        self._plies: dict[str, Column] = {}
        """By name, the JSON of fields that may be labels."""
        self._first_links: dict[str, int] = {}
        self._left: MemberTexts

    def take(self, links: Array, keys: Array, begins: Array, text: Array) -> None:
        """Take fields of links, each with the number of its name; the texts of values are concatenated."""
        for key in (np.flatnonzero(np.bincount(keys + 1)) - 1).tolist():
            chosen = np.flatnonzero(keys == key)
            texts = picked(self._tree.run, text, begins, np.diff(begins), chosen)
            self.put(self._tree.reading.name(key) if key >= 0 else "", links[chosen], *texts)

    def put(self, name: str, links: Array, begins: Array, text: Array) -> None:
        """Take one field of some links, but where it has no content; items of lists have no name."""
        if name in self._left_out or not len(links):
            return
        self._first_links.setdefault(name, int(links.min()))
        lengths, first = np.diff(begins), text[begins[:-1]]
        is_unsaid = (lengths == len("null")) & (first == ord("n"))
        is_unsaid |= (lengths == len("[]")) & np.isin(first, np.frombuffer(b'"[{', np.uint8))
        said = np.flatnonzero(~is_unsaid)
        if self._with_labels and name in LABELS:
            column = self._plies.setdefault(name, Column(self._tree.reading.texts()))
            codes = column.texts.of_slices(text, begins[said], begins[said + 1])
            column.put_codes(links[said].astype(np.int32), codes)
        else:
            self._extras.put_chosen(links[said], self._member(name), begins, text, said)

    def _member(self, name: str) -> int:
        return self._extras.members.number("", name)

    def settle(self, row_of: Array) -> None:
        """Give the labels and fields of links to rows of the tree; `row_of` is -1 for links of no row.

        The fields of such links alone are left here.
        """
        self._choose_labels(row_of)
        tree, names = self._tree, [name for _, name in self._extras.members]
        # By the first link that states it, then by name: numbers of names depend on the rest of the document.
        ranked = sorted(names, key=lambda name: (self._first_links[name], name))
        rank_of = {name: rank for rank, name in enumerate(ranked)}
        self._ranks = np.array([rank_of[name] for name in names], np.int64)
        if EDGE in tree.counts:
            row_of[np.isin(row_of, tree.extras.nodes_with(EDGE))] = -1
        left = self._extras.taken_from(np.flatnonzero(row_of < 0))
        left = left.where(np.argsort(left.nodes, kind="stable"))
        begins, text = picked(tree.run, left.text, left.begins, left.lengths, np.arange(len(left.nodes)))
        self._left = left._replace(begins=begins[:-1], text=text)
        said = self._extras.taken_from(np.flatnonzero(row_of >= 0))
        self._names = names
        self._extras = Extras(tree.run)  # as large as the links
        if not len(said.nodes):
            return
        said = said._replace(nodes=row_of[said.nodes])
        sampled = self._values(said, np.flatnonzero(np.isin(said.nodes, list(tree.samples))))
        tree.note_field(EDGE, int(np.count_nonzero(np.bincount(said.nodes))), sampled)
        said = self._into_columns(said)
        numbers = {name: tree.extras.members.number(EDGE, name) for name in ranked}
        members = np.array([numbers[name] for name in names], np.int32)[said.members]
        tree.give_back_memory()
        for first in range(0, len(said.nodes), AT_ONCE):
            chosen = np.arange(first, min(first + AT_ONCE, len(said.nodes)))
            texts = picked(tree.run, said.text, said.begins, said.lengths, chosen)
            tree.extras.put(said.nodes[chosen], members[chosen], *texts, goes_on=first > 0)

    def _choose_labels(self, row_of: Array) -> None:
        """Label rows with the first field of their links that names a ply, and keep what says more."""
        labels = self._tree.labels
        label_of = np.full(len(row_of), -1, np.int32)
        for name, column in sorted(self._plies.items(), key=lambda each: LABELS.index(each[0])):
            column.finish()
            values = [json_value(text) for text in column.distinct()]
            plies = [ply_text(value) for value in values]
            is_ply = np.array([ply is not None for ply in plies], np.bool_)
            is_more = np.array(
                [isinstance(each, str) and ply_text(each) != each for each in values], np.bool_
            )
            codes = np.where(is_ply, labels.texts.of_values([ply or "" for ply in plies]), -1)[column.codes]
            is_new = (codes >= 0) & (label_of[column.nodes] < 0)
            label_of[column.nodes[is_new]] = codes[is_new]
            left = (codes < 0) | (codes != label_of[column.nodes]) | is_more[column.codes]
            texts = column.texts.written(column.codes[left])
            self._extras.put_texts(column.nodes[left], self._member(name), *texts)
        labelled = np.flatnonzero((label_of >= 0) & (row_of >= 0))
        labels.put_codes(row_of[labelled], label_of[labelled])
        labels.finish()

    def _into_columns(self, said: MemberTexts) -> MemberTexts:
        """Put fields that are taken for ours into their columns; returns the others."""
        is_left = np.ones(len(said.nodes), np.bool_)
        for member, name in enumerate(self._names):
            column = self._tree.columns.get(f"{EDGE}.{name}")
            if column is None:
                continue
            chosen = np.flatnonzero(said.members == member)
            values = self._parsed(said, chosen)
            is_scalar = np.array([not isinstance(value, dict | list) for value in values], np.bool_)
            scalars = [value for value in values if not isinstance(value, dict | list)]
            rows = said.nodes[chosen[is_scalar]]
            column.put(PythonValues(rows, scalars, np.full(len(rows), -1)))
            column.finish()
            is_left[chosen[is_scalar]] = False
        return said if is_left.all() else said.where(np.flatnonzero(is_left))

    def of(self, links: Array) -> dict[int, dict[str, Any]]:
        """The fields of some links of no row."""
        firsts, ends = (np.searchsorted(self._left.nodes, links, side) for side in ("left", "right"))
        counts = ends - firsts
        chosen = np.repeat(ends - np.cumsum(counts), counts) + np.arange(counts.sum())
        return self._values(self._left, chosen)

    def _values(self, said: MemberTexts, chosen: Array) -> dict[int, dict[str, Any]]:
        """By link or row the values of the fields at these indices, by name."""
        chosen = chosen[np.argsort(self._ranks[said.members[chosen]], kind="stable")]
        fields: dict[int, dict[str, Any]] = {}
        for at, value in zip(chosen.tolist(), self._parsed(said, chosen), strict=True):
            fields.setdefault(int(said.nodes[at]), {})[self._names[said.members[at]]] = value
        return fields

    def _parsed(self, said: MemberTexts, chosen: Array) -> list[Any]:
        begins, text = picked(self._tree.run, said.text, said.begins, said.lengths, chosen)
        return json_values(text.tobytes(), begins.tolist())
