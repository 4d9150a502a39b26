"""The collector of a tree, which gets the batches of a pass over a document."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.foreign.find.probe import ply_text
from plyscope.visualizer.formats.foreign.forms.tree_form import TreeForm
from plyscope.visualizer.formats.foreign.meaning.fields import number
from plyscope.visualizer.formats.foreign.sample import Sampler
from plyscope.visualizer.formats.foreign.sketch import Sketcher
from plyscope.visualizer.formats.foreign.tree import Terms, Tree
from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.formats.tape.batch import Batch, PythonValues, Values
from plyscope.visualizer.formats.tape.extras import joined
from plyscope.visualizer.formats.tape.form import SKIPPED
from plyscope.visualizer.formats.tape.kinds import ESCAPED, LIST, NUMBER, OBJECT, TEXT, WHOLE
from plyscope.visualizer.formats.tape.reading import Deep, Reading, TapeReading, WalkReading
from plyscope.visualizer.formats.tape.twice import Twice

Array = npt.NDArray[Any]
ITERATION: Final = re.compile(r"(?:iteration|iter|depth|d)?[ _-]?(\d{1,9})", re.IGNORECASE)
"""The keys of several trees where these are numbered iterations."""


class NotPlain(Exception):  # noqa: N818
    """The reader of literals must read this document: a name comes twice in an object, whose place it tells.

    Or a number is beyond the largest float, or it is a document of ours, which says so late or by an escape.
    """


class Collector:
    """Builds a tree from the batches of a pass."""

    def __init__(
        self,
        form: TreeForm,
        reading: Reading,
        *,
        sample: bool,
        sketcher: Sketcher | None = None,
    ) -> None:
        self.tree = Tree(form, reading)
        self._form, self.reading = form, reading
        self._parents: list[Array] = []
        self.n_texts = self.n_odd_texts = 0
        """Texts in the place of nodes in maps, and those that spell no number."""
        self._by_role: dict[int, list[Callable[[Values], None]]] = {}
        for role, path in (*((role, path) for path, role in form.scalars.items()), *form.edges.items()):
            self.add(role, self.tree.columns[path].put)
        for outer, role in form.opened.items():
            self.add(role, self._keep_empty(outer))
        for path, role in form.evaluations.items():
            self.add(role, self._keep_empty(path))
            self.add(form.terms[role], self._terms_of(path))
        self.add(form.odd_term, self._odd)
        self._sampler = Sampler(reading, self.tree) if sample else None
        self._sketcher = sketcher
        self._twice = Twice(self.tree.run)
        self._roots: list[Array] | None = [] if form.found.wrapped else None
        self._diverted: dict[int, Any] = {role: self.tree.deep[path] for path, role in form.deep.items()}
        self._deep_labels = Deep()
        self._diverted[form.deep_label] = self._deep_labels
        for outer, role in form.windows.items():
            n_taken = sum(path.startswith(f"{outer}.") for path in form.edges.values())
            self._diverted[role] = OddWindows(self.tree, outer, is_taken=n_taken == 2)
        reading.divert(self._diverted)

    def divert(self, roles: Mapping[int, Any]) -> None:
        """Send the texts of values of these roles to the sinks in `roles`."""
        self._diverted.update(roles)
        self.reading.divert(self._diverted)

    def add(self, role: int, take: Callable[[Values], None]) -> None:
        """Call `take`, too, with the values of a role."""
        self._by_role.setdefault(role, []).append(take)

    def take(self) -> Tree:
        """Read the whole document; returns its tree."""
        for batch in self.reading.batches():
            self.take_batch(batch)
        return self.finish()

    def take_batch(self, batch: Batch) -> None:
        """Take one batch. Raises NotPlain."""
        if (piece := batch.piece) is not None:
            assert isinstance(self.reading, TapeReading)
            tape = self.reading.tape
            if self._twice.is_in(piece, tape.n_names) or tape.is_beyond:
                raise NotPlain
        self._parents.append(batch.parents)
        for role, values in batch.values.items():
            for take in self._by_role.get(role, ()):
                take(values)
        if piece is not None:
            outside = np.flatnonzero((batch.node < 0) & (batch.role == SKIPPED))
            kind, is_item = piece.kind[outside], (piece.key[outside] == -1) & (piece.up[outside] != -1)
            self.tree.n_outside += int(np.count_nonzero((kind == OBJECT) | ((kind == LIST) & is_item)))
        if self._sampler is not None:
            self._sampler.take(batch)
        if self._sketcher is not None:
            self._sketcher.take(batch)

    def finish(self) -> Tree:
        """The tree of all batches."""
        tree = self.tree
        if tree.no_nodes and self._by_role.get(self.reading.innermost) == [self.note_no_nodes]:
            tree.no_nodes.pop()  # of a list that was cut, nobody knows what it is
        del self._twice  # as large as the names
        if isinstance(self.reading, WalkReading):
            tree.n_outside = self.reading.walk.n_records_outside()
        elif isinstance(self.reading, TapeReading):
            self.reading.tape.end()
        tree.parents = np.concatenate([np.zeros(0, np.int32), *self._parents], dtype=np.int32)
        self._put_odd_labels(self._deep_labels.nodes, self._deep_labels.values())
        for column in (*tree.columns.values(), tree.labels, tree.bare):
            column.finish()
        tree.n_nodes_taken = len(tree.parents)
        if self._form.is_in_order:
            tree.labels.texts.end()
        if self._sampler is not None:
            self._sampler.finish()
        tree.open_rows = sorted(set(self.reading.open_nodes))
        if self._roots is not None:
            is_root = np.zeros(tree.n_nodes, np.bool_)
            is_root[np.concatenate([np.zeros(0, np.int32), *self._roots])] = True
            tree.keep(np.flatnonzero(is_root | (tree.parents >= 0)))  # other items wrap no root
        if self._form.found.trees:
            self._name_trees()
        self._by_role.clear()  # a cycle of references would keep the bytes of the document
        if self._form.is_in_order and not tree.states(tree.open_rows[-1] if tree.open_rows else 0):
            tree.leave_out_last()
        tree.give_back_memory()
        return tree

    def sample(self, order: Array) -> None:
        """Take the samples of nodes that did not come in the order of the tree, which `order` has."""
        if self._sampler is not None:
            self._sampler.sample(order)

    def note_no_nodes(self, values: Values) -> None:
        """Note values among the children of nodes that are no nodes."""
        self.tree.no_nodes += [
            (int(node), "a list" if kind == LIST else shown(values.at(index)))
            for index, (node, kind) in enumerate(zip(values.nodes, values.kinds, strict=True))
        ]

    def note_root(self, values: Values) -> None:
        """Take roots that lie inside wrappings."""
        assert self._roots is not None
        self._roots.append(values.nodes)

    def _name_trees(self) -> None:
        """Label each root with the key of its tree; numbered keys are iterations. A part may lack some."""
        keys = self._form.found.trees
        roots = np.flatnonzero(self.tree.parents < 0).tolist()
        counts = [ITERATION.fullmatch(key) for key in keys]
        counted = [int(match[1]) for match in counts if match]
        if len(counted) == len(keys):
            self.tree.put_fields("iteration", roots, counted[: len(roots)], is_first=True)
        else:
            self.tree.put_fields("tree", roots, keys[: len(roots)], is_first=True)

    def put_labels_of_keys(self, values: Values) -> None:
        """Label nodes with the names that lead to these values."""
        labels = self.tree.labels
        labels.put_codes(values.nodes, self.reading.codes_of_names(values.keys(), labels.texts))

    def put_labels(self, values: Values) -> None:
        """Label nodes with these values."""
        is_text = (values.kinds == TEXT) | (values.kinds == ESCAPED)
        self.tree.labels.put(values.where(is_text))
        odd = np.flatnonzero(~is_text).tolist()
        self._put_odd_labels(values.nodes[odd].tolist(), [values.at(index) for index in odd])

    def _put_odd_labels(self, nodes: Sequence[int], values: Sequence[Any]) -> None:
        plies = zip(nodes, map(ply_text, values), strict=True)
        said = {node: text for node, text in plies if text is not None}
        labels = self.tree.labels
        labels.put_codes(np.array([*said], np.int32), labels.texts.of_values([*said.values()]))

    def put_bare(self, values: Values) -> None:
        """Take numbers that stand for nodes; a text is the label of its node."""
        if len(others := self._put_bare_numbers(values)):
            self.put_labels(values.where(others))

    def put_bare_by_key(self, values: Values) -> None:
        """Take numbers that stand for nodes, or texts that spell one; their names lead to them."""
        self.put_labels_of_keys(values)
        for index in self._put_bare_numbers(values).tolist():
            self.n_texts += 1
            if (read := number(text := values.at(index))) is not None:
                self.tree.bare.put(PythonValues(values.nodes[index : index + 1], [read], np.array([-1])))
            else:
                self.tree.no_nodes.append((int(values.nodes[index]), shown(text)))
                self.n_odd_texts += 1

    def _put_bare_numbers(self, values: Values) -> Array:
        """Take the numbers among values that stand for nodes; returns the indices of the others."""
        is_number = (values.kinds == WHOLE) | (values.kinds == NUMBER)
        self.tree.bare.put(values.where(is_number))
        return np.flatnonzero(~is_number)

    def _keep_empty(self, path: str) -> Callable[[Values], None]:
        """Keep objects and lists with nothing in them, which no column takes."""
        outer, _, inner = path.rpartition(".")
        member = self.tree.extras.members.number(outer, inner)

        def take(values: Values) -> None:
            is_empty = values.are_empty()
            for kind, text in ((LIST, b"[]"), (OBJECT, b"{}")):
                nodes = values.nodes[is_empty & (values.kinds == kind)]
                self.tree.extras.put_texts(nodes, member, *joined([text] * len(nodes)))

        return take

    def _terms_of(self, path: str) -> Callable[[Values], None]:
        terms = self.tree.terms[path]

        def take(values: Values) -> None:
            keys = values.keys()
            if len(keys) and (keys < 0).any():
                keys = np.where(keys < 0, -1 - self._places(terms, values.nodes), keys)
            terms.nodes.append(values.nodes)
            lowest, highest = int(keys.min(initial=0)), int(keys.max(initial=0))
            dtype = np.result_type(np.min_scalar_type(lowest), np.min_scalar_type(highest))
            terms.names.append(keys.astype(dtype))
            terms.numbers.append(values.numbers)

        return take

    def _places(self, terms: Terms, nodes: Array) -> Array:
        """The index of each item in its list."""
        is_first = np.append(True, np.diff(nodes) != 0)
        starts = np.flatnonzero(is_first)
        places = np.arange(len(nodes)) - np.repeat(starts, np.diff(np.append(starts, len(nodes))))
        node, behind = terms.last
        if nodes[0] == node:
            n_of_first = int(starts[1]) if len(starts) > 1 else len(nodes)
            places[:n_of_first] += behind
        terms.last = int(nodes[-1]), int(places[-1]) + 1
        return places

    def _odd(self, values: Values) -> None:
        self.tree.has_odd_terms = True


class OddWindows:
    """Keeps the lists under the name of a window of which not all is taken: they are no two scalars."""

    def __init__(self, tree: Tree, name: str, *, is_taken: bool) -> None:
        """`is_taken`: columns take both edges."""
        self._tree, self._name, self._is_taken = tree, name, is_taken

    def take(self, nodes: Array, keys: Array, begins: Array, text: Array) -> None:
        """Take lists, whose texts are concatenated."""
        n_commas = np.add.reduceat(text == ord(","), begins[:-1], dtype=np.int32)
        n_inside = np.add.reduceat((text == ord("[")) | (text == ord("{")), begins[:-1], dtype=np.int32)
        odd = np.flatnonzero((n_commas != 1) | (n_inside != 1) | (not self._is_taken))
        texts = [text[begins[at] : begins[at + 1]].tobytes() for at in odd.tolist()]
        kept = [at for at, each in enumerate(texts) if not (self._is_taken and _are_two(json_value(each)))]
        member = self._tree.extras.members.number("", self._name)
        self._tree.extras.put_texts(nodes[odd[kept]], member, *joined([texts[at] for at in kept]))


def _are_two(items: list[Any]) -> bool:
    return len(items) == 2 and not any(isinstance(item, list | dict) for item in items)
