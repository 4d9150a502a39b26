"""A foreign tree as columns, the result of one pass over a document by a form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.find.found import Found
from plyscope.visualizer.formats.foreign.forms.tree_form import TreeForm
from plyscope.visualizer.formats.foreign.meaning.factors import FlatTerms, terms_of_values
from plyscope.visualizer.formats.foreign.meaning.label_texts import number_for
from plyscope.visualizer.formats.foreign.scalars import Scalars
from plyscope.visualizer.formats.json_text import json_texts
from plyscope.visualizer.formats.seal.field_buffers import used_codes
from plyscope.visualizer.formats.seal.memory import give_back_memory
from plyscope.visualizer.formats.tape.batch import PythonValues, Values
from plyscope.visualizer.formats.tape.extras import AT_ONCE, Extras
from plyscope.visualizer.formats.tape.kinds import ESCAPED, FALSE, NULL, NUMBER, TEXT, TRUE, WHOLE
from plyscope.visualizer.formats.tape.reading import Deep, Reading, TapeReading, WalkReading
from plyscope.visualizer.formats.tape.texts import TextList, Texts
from plyscope.visualizer.store.seal import Sealed

Array = npt.NDArray[Any]


EXACT: Final = 2.0**53
BYTES_A_NODE: Final = 50
"""The bytes of small arrays that are free after each step, a node: pieces that were joined, places, masks."""


class Column(Scalars):
    """The scalars of one path, by node; of a name that comes twice, the last."""

    def __init__(self, texts: Texts) -> None:
        super().__init__(texts)
        self.exact: dict[int, int] = {}
        """By node the whole numbers that a float does not hold."""

    def put(self, values: Values) -> None:
        """Take values of some part of the document."""
        kinds = np.where(values.kinds == ESCAPED, TEXT, values.kinds).astype(np.uint8)
        large = np.flatnonzero((kinds == WHOLE) & (np.abs(values.numbers) >= EXACT))
        for index in large.tolist():
            self.exact[int(values.nodes[index])] = values.whole(index)
        self.add(values.nodes, kinds, values.numbers, values.codes(self.texts))

    def finish(self) -> None:
        """Join the values, in the order of the nodes."""
        self.join()
        if (self.nodes[1:] <= self.nodes[:-1]).any():
            order = np.argsort(self.nodes, kind="stable")
            is_last = np.append(np.diff(self.nodes[order]) != 0, True)
            self.take(order[is_last])

    def put_codes(self, nodes: Array, codes: Array) -> None:
        """Take texts by their numbers in `texts`."""
        self.add(nodes, np.full(len(nodes), TEXT, np.uint8), np.zeros(len(nodes)), codes)

    def moved(self, order: Array, row_of: Array) -> None:
        """Put the nodes into another order, given by their numbers; `row_of` has the place of each, or -1."""
        if not len(self.nodes):
            return
        place_of = np.full(len(row_of), -1, np.int32)
        place_of[self.nodes] = np.arange(len(self.nodes))
        places = place_of[order]
        self.exact = {int(row_of[node]): value for node, value in self.exact.items()}
        nodes = np.flatnonzero(places >= 0).astype(np.int32)
        self.take(places[nodes])
        self.nodes = nodes

    def distinct(self) -> list[str]:
        """The texts by number."""
        return self.texts.all()


class Distinct:
    """The distinct values of a column, and by value its index among them."""

    def __init__(self, column: Column) -> None:
        is_number = (column.kinds == WHOLE) | (column.kinds == NUMBER)
        texts = column.distinct()
        self.values: list[Any] = [*texts, None, False, True]
        self.codes = column.codes.copy()
        for place, kind in enumerate((NULL, FALSE, TRUE)):
            self.codes[column.kinds == kind] = len(texts) + place
        if is_number.any():
            for kind in (WHOLE, NUMBER):
                chosen = np.flatnonzero(column.kinds == kind)
                found, codes = np.unique(column.numbers[chosen], return_inverse=True)
                self.codes[chosen] = len(self.values) + codes
                as_python = found.tolist()
                if kind == WHOLE:
                    as_python = [int(value) if np.isfinite(value) else value for value in as_python]
                self.values += as_python
        for at in np.flatnonzero(np.isin(column.nodes, list(column.exact))).tolist() if column.exact else ():
            self.codes[at] = len(self.values)
            self.values.append(column.exact[int(column.nodes[at])])


class Terms:
    """The numbers of evaluations: the node of each, and the number of its name, negative in a list."""

    def __init__(self) -> None:
        self.nodes: list[Array] = []
        self.names: list[Array] = []
        self.numbers: list[Array] = []
        self.last = -1, 0
        """The node of the last number of a list, and the place behind it."""


class Tree:
    """The nodes of a foreign document in pre-order, with their fields.

    `parents` are rows, -1 at a root. `columns` are the values of the paths that a form takes, `extras` the
    other fields. A bare node is nothing but its number.
    """

    def __init__(self, form: TreeForm, reading: Reading) -> None:
        self.form_of, self.reading = form, reading
        self.found: Found = form.found
        self.form, self.children = self.found.form, self.found.children
        self.around: Mapping[str, Any] = {}
        self.notices: list[str] = []
        self.own_notices: list[str] = []
        """What is to be said of how the nodes were found."""
        self.parents = np.zeros(0, np.int32)
        self.levels = np.zeros(0, np.int32)
        self.ends = np.zeros(0, np.int32)
        self.columns = {path: Column(reading.texts()) for path in form.scalars}
        self.deep: dict[str, Deep] = {path: Deep() for path in form.deep}
        self.terms = {path: Terms() for path in form.evaluations}
        self.has_odd_terms = False
        self.labels = Column(reading.texts(with_names=form.is_in_order))
        """The texts that lead to nodes."""
        self.bare = Column(Texts())
        """The numbers of bare nodes."""
        self.n_outside = 0
        """Objects, and lists in lists, that lie around all nodes and are not read."""
        self.counts: Counter[str] = Counter()
        self.samples: dict[int, dict[str, Any]] = {}
        self.open_rows: list[int] = []
        self.held: list[Array] = []
        """Nodes with something else in the place of children."""
        self.no_nodes: list[tuple[int, str]] = []
        """What is no node among the children of nodes: of each the node, and the value as it is shown."""
        self.has_odd_pairs = self.has_odd_texts = False
        """Whether most of what was taken for pairs, or for numbers that texts spell, is none."""
        self.where: Callable[[int], str]
        """Tells the JSON path of a node."""
        self.forget_places()
        self.n_nodes_taken = 0
        self._order: Array | None = None

    def hang(self, sealed: Sealed) -> None:
        """Set the shape of the tree; nodes are in that order, or will be moved to it next."""
        self.parents, self.levels, self.ends = sealed.parent, sealed.level, sealed.end

    @property
    def extras(self) -> Extras:
        """The fields that no column takes."""
        return self.reading.extras

    @property
    def is_cut(self) -> bool:
        """Whether the document was cut short."""
        reading = self.reading
        if isinstance(reading, WalkReading):
            return bool(reading.walk.open_ids)
        return isinstance(reading, TapeReading) and reading.tape.is_cut

    @property
    def run(self) -> Callable[[Any], Any]:
        """Compiles a kernel, or returns it unchanged where a library parsed the document."""
        reading = self.reading
        return reading.tape.run if isinstance(reading, TapeReading) else lambda kernel: kernel

    @property
    def n_nodes(self) -> int:
        """The number of nodes of the tree."""
        return len(self.parents)

    @property
    def has_labels(self) -> bool:
        """Whether some node has a label, a text outside it that leads to it."""
        return len(self.labels.nodes) > 0

    @property
    def distinct_labels(self) -> TextList:
        """The distinct labels."""
        return TextList(self.labels.texts, np.flatnonzero(np.bincount(self.labels.codes)))

    def move(self, order: Array, n_nodes: int = 0) -> None:
        """Put the nodes into another order, given by their numbers; those that are not in it are left out.

        `n_nodes` is the number of nodes before, with those that have no fields.
        """
        n_nodes = max(n_nodes, len(order))
        if self._order is not None:
            self._order = np.append(self._order, np.full(n_nodes - len(self._order), -1))
        if len(order) == n_nodes and (order == np.arange(n_nodes)).all():
            self.n_nodes_taken = n_nodes
            return
        row_of = np.full(n_nodes, -1, np.int32)
        row_of[order] = np.arange(len(order))
        self._order = order if self._order is None else self._order[order]
        for column in (*self.columns.values(), self.labels, self.bare):
            column.moved(order, row_of)
        for deep in self.deep.values():
            moved = sorted((row, at) for at, row in enumerate(row_of[deep.nodes].tolist()) if row >= 0)
            deep.texts = [deep.texts[at] for _, at in moved]
            deep.nodes = [row for row, _ in moved]
        for terms in self.terms.values():
            for at, nodes in enumerate(terms.nodes):
                rows = row_of[nodes]
                terms.nodes[at] = rows[rows >= 0]
                terms.names[at], terms.numbers[at] = terms.names[at][rows >= 0], terms.numbers[at][rows >= 0]
        self.held = [rows[rows >= 0] for rows in (row_of[nodes] for nodes in self.held)]
        kept = np.append(row_of, -1)  # -1 is around all nodes
        self.no_nodes = [(int(kept[at]), said) for at, said in self.no_nodes if at < 0 or kept[at] >= 0]
        self.n_nodes_taken = n_nodes
        self.extras.move(row_of)
        self.open_rows = [row for row in row_of[self.open_rows].tolist() if row >= 0]
        self.samples = {
            row: self.samples[node]
            for row, node in sorted((int(row_of[node]), node) for node in self.samples)
            if row >= 0
        }

    def states(self, node: int) -> bool:
        """Whether a node has any field, apart from its label and its children."""
        if node < self.n_nodes - 1 or self.extras.states(node):
            return True
        in_terms = any((nodes == node).any() for terms in self.terms.values() for nodes in terms.nodes)
        in_columns = any((column.nodes == node).any() for column in (*self.columns.values(), self.bare))
        return in_terms or in_columns or any(node in deep.nodes for deep in self.deep.values())

    def keep(self, nodes: Array) -> Array:
        """Leave out all nodes but these, in their order; returns by node its new number, -1 for none."""
        number_of = np.full(self.n_nodes + 1, -1, np.int32)  # -1 is the parent of a root
        number_of[nodes] = np.arange(len(nodes))
        self.parents = number_of[self.parents[nodes]]
        self.move(nodes, self.n_nodes_taken)
        self.n_nodes_taken = len(nodes)
        return number_of[:-1]

    def leave_out_last(self) -> None:
        """Leave out the last node, if the document was cut within it."""
        if self.n_nodes > 1 and self.open_rows and self.open_rows[-1] == self.n_nodes - 1:
            self.keep(np.arange(self.n_nodes - 1))

    def forget_fields(self) -> None:
        """Free the fields once they were taken: they are as large as the log."""
        self.columns.clear()
        self.deep.clear()
        self.terms.clear()
        self.labels = Column(Texts())

    def give_back_memory(self) -> None:
        """Return the memory of small arrays that are free, after a step that made many."""
        give_back_memory(BYTES_A_NODE * self.n_nodes)

    def forget_places(self) -> None:
        """Drop the function that gives paths of nodes, which holds the bytes of the document."""
        self.where = lambda node: "$"

    def put_fields(
        self,
        name: str,
        nodes: Sequence[int] | Array,
        values: Sequence[Any],
        *,
        is_first: bool = False,
    ) -> None:
        """Give nodes a field that the document has elsewhere; it may come first among their fields."""
        if not len(nodes):
            return
        said = {
            int(nodes[at]): values[at] for at in np.flatnonzero(np.isin(nodes, list(self.samples))).tolist()
        }
        self.note_field(name, len(nodes), said, is_first=is_first)
        column = self.columns.get(name)
        if column is not None:
            column.put(PythonValues(np.array(nodes, np.int32), list(values), np.full(len(nodes), -1)))
            column.finish()
        else:
            member = self.extras.members.number("", name)
            for first in range(0, len(nodes), AT_ONCE):
                some = values[first : first + AT_ONCE]
                texts = some.texts.json(some.codes) if isinstance(some, TextList) else json_texts(some)
                self.extras.put_texts(nodes[first : first + AT_ONCE], member, *texts)

    def note_field(self, name: str, n_nodes: int, said: Mapping[int, Any], *, is_first: bool = False) -> None:
        """Count a field that was given to `n_nodes` nodes, and put the values in `said` into the samples."""
        for node, value in said.items():
            fields = self.samples[node]
            self.samples[node] = {name: value, **fields} if is_first else {**fields, name: value}
        self.counts[name] += n_nodes

    def arrival_of(self, row: int) -> int:
        """The number of a node in the order of the document."""
        return row if self._order is None else int(self._order[row])

    def has(self, path: str) -> bool:
        """Whether some node has a field at that path."""
        if path in self.counts:
            return True
        column = self.columns.get(path)
        return (column is not None and len(column.nodes) > 0) or (
            path in self.deep and bool(self.deep[path].nodes)
        )

    def numbers(self, path: str, role: str) -> tuple[Array, Array]:
        """By node, the number for a role, be it a value or within a text, and whether there is one."""
        numbers, known = np.zeros(self.n_nodes), np.zeros(self.n_nodes, np.bool_)
        taken = np.zeros(self.n_nodes, np.bool_)
        for part in path.split("|") if path else ():
            column = self.columns.get(part)
            if column is None:
                continue
            read, is_read = numbers_of(column, role)
            is_first = ~taken[column.nodes]
            nodes = column.nodes[is_first & is_read]
            numbers[nodes], known[nodes] = read[is_first & is_read], True
            taken[column.nodes[column.kinds != NULL]] = True
        if role == "score":
            numbers[self.bare.nodes], known[self.bare.nodes] = self.bare.numbers, True
        return numbers, known

    def names_of_terms(self) -> set[int]:
        """The numbers of the names in evaluations."""
        pieces = [names for terms in self.terms.values() for names in terms.names]
        return {key for names in pieces for key in np.unique(names).tolist() if key >= 0}

    def flat_terms(self, path: str, listed: Sequence[str]) -> FlatTerms:
        """The terms at a path in the order of the nodes; `listed` names those of bare lists."""
        terms = self.terms.get(path)
        if terms is None:
            deep = self.deep.get(path)
            values = () if deep is None else zip(deep.nodes, deep.values(), strict=True)
            return terms_of_values(sorted(values, key=itemgetter(0)), listed)
        if not any(map(len, terms.nodes)):
            return FlatTerms(np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0), [], False)
        for pieces in (terms.nodes, terms.names, terms.numbers):
            pieces[:] = [np.concatenate(pieces)]
        self.give_back_memory()
        nodes, keys, numbers = terms.nodes[0], terms.names[0], terms.numbers[0]
        least = int(keys.min())
        distinct, codes = used_codes(np.subtract(keys, least, dtype=np.int32))
        distinct += least
        named = {
            key: self.reading.name(key)
            if key >= 0
            else listed[-1 - key]
            if -1 - key < len(listed)
            else f"factor {-key}"
            for key in distinct.tolist()
        }
        names = list(dict.fromkeys(named.values()))
        if len(names) < len(named):
            codes = np.array([names.index(named[key]) for key in distinct.tolist()])[codes]
        else:
            names = list(named.values())
        if (np.diff(nodes) < 0).any():
            order = np.argsort(nodes, kind="stable")
            nodes, codes, numbers = nodes[order], codes[order], numbers[order]
        return FlatTerms(nodes, codes, numbers, names, bool((distinct < 0).any()))

    def held_beside(self) -> tuple[int, str]:
        """The number of nodes with something else in the place of children, and the path of the first."""
        n_held = sum(map(len, self.held))
        return n_held, self.where(int(np.concatenate(self.held).min())) if n_held else ""

    def n_with(self) -> Mapping[str, int]:
        """By name, the number of nodes below the first that have such a field."""
        if self.n_nodes < 2:
            return self.counts
        return {name: n - (name in self.samples[0]) for name, n in self.counts.items()}


def numbers_of(column: Column, role: str) -> tuple[Array, Array]:
    """By value of a column, the number that it is, spells or holds for a role, and whether there is one."""
    is_number = (column.kinds == WHOLE) | (column.kinds == NUMBER)
    numbers, known = np.where(is_number, column.numbers, 0.0), is_number.copy()
    if (column.kinds == TEXT).any():
        of_texts = [number_for(text, role) for text in column.distinct()]
        read = np.array([np.nan if each is None else each for each in of_texts])
        is_read = np.array([each is not None for each in of_texts])
        chosen = np.flatnonzero(column.codes >= 0)
        codes = column.codes[chosen]
        chosen, codes = chosen[is_read[codes]], codes[is_read[codes]]
        numbers[chosen], known[chosen] = read[codes], True
    return numbers, known
