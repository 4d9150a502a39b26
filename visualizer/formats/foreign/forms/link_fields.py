"""The fields of the links of a graph, apart from the nodes at their ends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.find.graphs import LABELS
from plyscope.visualizer.formats.foreign.find.probe import ply_text
from plyscope.visualizer.formats.foreign.meaning.names import EDGE
from plyscope.visualizer.formats.foreign.tree import Tree
from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.formats.tape.batch import PythonValues
from plyscope.visualizer.formats.tape.extras import MemberTexts
from plyscope.visualizer.formats.tape.tape import Run
from plyscope.visualizer.formats.tape.texts import picked

Array = npt.NDArray[Any]


class LinkFields:
    """The fields of links, gathered as texts, and sorted once they are complete."""

    def __init__(self, run: Run, left_out: Collection[str]) -> None:
        """Fields with the names `left_out` are dropped."""
        self._run, self._left_out = run, left_out
        self._names: list[str] = []
        self._pieces: list[tuple[Array, ...]] = []
        self._texts: MemberTexts
        self.labels: list[str] = []
        self.labelled, self.label_codes = np.zeros(0, np.int64), np.zeros(0, np.int64)
        """Links that say which ply they are, and which of the labels each has."""

    def take(self, links: Array, keys: Array, begins: Array, text: Array) -> None:
        """Take fields of links, each with the number of its name; the texts of values are concatenated."""
        narrow = (each.astype(np.int32) for each in (links, keys, np.diff(begins)))
        self._pieces.append((*narrow, text))

    def put(self, name: str, links: Array, begins: Array, text: Array) -> None:
        """Take one field, `name`, of some links."""
        self._names.append(name)
        self.take(links, np.full(len(links), -1 - len(self._names)), begins, text)

    def settle(self, name_of: Callable[[int], str], *, with_labels: bool) -> None:
        """Sort the fields by link, and leave out those without content; some fields become labels."""
        if not self._pieces:
            none = np.zeros(0, np.int64)
            self._texts = MemberTexts(none, none, none, none, np.zeros(0, np.uint8))
            return
        links, keys, lengths, text = (
            np.concatenate([piece[at] for piece in self._pieces]) for at in range(4)
        )
        self._pieces.clear()
        distinct, of = np.unique(keys, return_inverse=True)
        first = np.full(len(distinct), np.iinfo(np.int64).max)
        np.minimum.at(first, of, links)
        of_put = ["", *self._names]  # an item has no name
        told = [name_of(key) if key >= 0 else of_put[-key - 1] for key in distinct.tolist()]
        # By the first link that states it, then by name: numbers of names depend on the rest of the document.
        self._names = list(dict.fromkeys(name for _, name in sorted(zip(first.tolist(), told, strict=True))))
        codes = np.array([self._names.index(name) for name in told], np.int32)[of]
        del keys, of
        texts = MemberTexts(links, codes, np.cumsum(lengths, dtype=np.int64) - lengths, lengths, text)
        first = text[texts.begins]
        is_unsaid = (lengths == len("null")) & (first == ord("n"))
        is_unsaid |= (lengths == len("[]")) & np.isin(first, np.frombuffer(b'"[{', np.uint8))
        left_out = [code for code, name in enumerate(self._names) if name in self._left_out]
        texts = texts.where(~is_unsaid & ~np.isin(codes, left_out))
        self._texts = texts.where(np.lexsort((texts.members, texts.nodes)))
        if with_labels:
            self._part_labels()

    def _part_labels(self) -> None:
        """Make the first field that names a ply the label, and leave out fields with the same value."""
        texts = self._texts
        ranks = np.array([LABELS.index(name) if name in LABELS else -1 for name in self._names], np.int64)
        chosen = np.flatnonzero(ranks[texts.members] >= 0)
        some = texts.where(chosen)
        label_of: dict[str | None, int] = {None: -1}

        def label(value: object) -> int:
            return label_of.setdefault(ply_text(value), len(label_of) - 1)

        codes = self._by_text(some, label)
        told = np.flatnonzero(codes >= 0)
        order = told[np.lexsort((ranks[some.members[told]], some.nodes[told]))]
        is_first = np.append(True, np.diff(some.nodes[order]) != 0)[: len(order)]
        self.labelled, self.label_codes = some.nodes[order[is_first]], codes[order[is_first]]
        self.labels = [each for each in label_of if each is not None]
        is_whole = self._by_text(some, lambda value: not isinstance(value, str) or ply_text(value) == value)
        code_of_link = np.full(int(texts.nodes.max(initial=0)) + 1, -1)
        code_of_link[self.labelled] = self.label_codes
        is_left = np.ones(len(texts.nodes), np.bool_)
        is_left[chosen] = (codes < 0) | (codes != code_of_link[some.nodes]) | (is_whole == 0)
        self._texts = texts.where(is_left)

    def _by_text(self, texts: MemberTexts, value_of: Callable[[Any], Any]) -> Array:
        """Apply a function to the value of each text; equal texts are parsed once."""
        read: dict[bytes, Any] = {}
        found = []
        for at in range(len(texts.nodes)):
            text = texts.at(at)
            if text not in read:
                read[text] = value_of(json_value(text))
            found.append(read[text])
        return np.array(found, np.int64)

    def of(self, links: Sequence[int]) -> dict[int, dict[str, Any]]:
        """The fields of some links."""
        texts = self._texts.where(np.isin(self._texts.nodes, np.array(links, np.int64)))
        said: dict[int, dict[str, Any]] = {}
        for at, (link, name) in enumerate(zip(texts.nodes.tolist(), texts.members.tolist(), strict=True)):
            said.setdefault(link, {})[self._names[name]] = json_value(texts.at(at))
        return said

    def tell(self, tree: Tree, row_of: Array) -> None:
        """Give the labels and fields of links to rows of a tree; `row_of` is -1 for links of no row."""
        rows = row_of[self.labelled]
        tree.put_labels(rows[rows >= 0], self.labels, self.label_codes[rows >= 0])
        rows = row_of[self._texts.nodes]
        if EDGE in tree.counts:
            rows[np.isin(rows, tree.extras.nodes_with(EDGE))] = -1
        texts = self._texts._replace(nodes=rows).where(rows >= 0)
        if not len(texts.nodes):
            return
        texts = texts.where(np.lexsort((texts.members, texts.nodes)))
        sampled: dict[int, dict[str, Any]] = {}
        for at in np.flatnonzero(np.isin(texts.nodes, list(tree.samples))).tolist():
            of_row = sampled.setdefault(int(texts.nodes[at]), {})
            of_row[self._names[int(texts.members[at])]] = json_value(texts.at(at))
        tree.note_field(EDGE, len(np.unique(texts.nodes)), sampled)
        texts = self._into_columns(tree, texts)
        if not len(texts.nodes):
            return
        members = np.array([tree.extras.members.number(EDGE, name) for name in self._names], np.int32)
        begins, text = picked(self._run, texts.text, texts.begins, texts.lengths, np.arange(len(texts.nodes)))
        tree.extras.put(texts.nodes, members[texts.members], begins, text)

    def _into_columns(self, tree: Tree, texts: MemberTexts) -> MemberTexts:
        """Put fields that are taken for ours into their columns; returns the others."""
        is_left = np.ones(len(texts.nodes), np.bool_)
        for code, name in enumerate(self._names):
            column = tree.columns.get(f"{EDGE}.{name}")
            if column is None:
                continue
            of_name = texts.where(np.flatnonzero(texts.members == code))
            values = [json_value(of_name.at(at)) for at in range(len(of_name.nodes))]
            is_scalar = np.array([not isinstance(value, dict | list) for value in values], np.bool_)
            scalars = [value for value in values if not isinstance(value, dict | list)]
            rows = of_name.nodes[is_scalar].astype(np.int32)
            column.put(PythonValues(rows, scalars, np.full(len(rows), -1)))
            column.finish()
            is_left[np.flatnonzero(texts.members == code)[is_scalar]] = False
        return texts.where(is_left)
