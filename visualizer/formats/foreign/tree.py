"""A foreign tree as columns: what one pass over a document by a form gives, whatever its size."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.factors import FlatTerms
from plyscope.visualizer.formats.foreign.fields import (
    FIRST_OF_SAMPLE,
    number,
    number_for,
    sampled,
    stride_of,
)
from plyscope.visualizer.formats.foreign.found import Found
from plyscope.visualizer.formats.foreign.outline import ply_text
from plyscope.visualizer.formats.foreign.tree_form import TreeForm
from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.formats.tape.batch import Batch, PythonValues, Values
from plyscope.visualizer.formats.tape.extras import Extras
from plyscope.visualizer.formats.tape.form import NOT_KEPT, TOP, WITHIN
from plyscope.visualizer.formats.tape.kinds import ESCAPED, FALSE, NULL, NUMBER, TEXT, TRUE, WHOLE
from plyscope.visualizer.formats.tape.reading import Reading, TapeReading, WalkReading
from plyscope.visualizer.formats.tape.texts import Texts
from plyscope.visualizer.formats.tape.writing import Writer

Array = npt.NDArray[Any]


EXACT: Final = 2.0**53
ITERATION: Final = re.compile(r"(?:iteration|iter|depth|d)?[ _-]?(\d{1,9})", re.IGNORECASE)
"""What a key of several trees is where it counts them."""


class Column:
    """The values of one path that are no lists nor objects, by node; of a name written twice the last."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._pieces: list[tuple[Array, Array, Array, Array]] = []
        self.has_doubles = False
        self.exact: dict[int, int] = {}
        """By node the whole numbers that a float does not hold."""
        self.nodes = self.codes = np.zeros(0, np.int32)
        self.kinds, self.numbers = np.zeros(0, np.uint8), np.zeros(0)

    def put(self, values: Values) -> None:
        """Take values of some part of the document."""
        kinds = np.where(values.kinds == ESCAPED, TEXT, values.kinds).astype(np.uint8)
        large = np.flatnonzero((kinds == WHOLE) & (np.abs(values.numbers) > EXACT))
        for index in large.tolist():
            self.exact[int(values.nodes[index])] = values.whole(index)
        self._pieces.append((values.nodes, kinds, values.numbers, values.codes(self.texts)))

    def finish(self) -> None:
        """Put what was taken together, in the order of the nodes."""
        if not self._pieces:
            return
        if len(self.nodes):
            self._pieces.insert(0, (self.nodes, self.kinds, self.numbers, self.codes))
        self.nodes, self.kinds, self.numbers, self.codes = (
            np.concatenate([piece[at] for piece in self._pieces]) for at in range(4)
        )
        self._pieces.clear()
        if len(self.nodes) > 1 and (np.diff(self.nodes) <= 0).any():
            order = np.argsort(self.nodes, kind="stable")
            is_last = np.append(np.diff(self.nodes[order]) != 0, True)
            self.has_doubles = not is_last.all()
            order = order[is_last]
            self.nodes, self.kinds, self.numbers, self.codes = (
                each[order] for each in (self.nodes, self.kinds, self.numbers, self.codes)
            )

    def moved(self, row_of: Array) -> None:
        """Number the nodes anew; those that get -1 are left out."""
        rows = row_of[self.nodes]
        order = np.argsort(rows, kind="stable")
        order = order[rows[order] >= 0]
        self.exact = {int(row_of[node]): value for node, value in self.exact.items()}
        self.nodes, self.kinds, self.numbers, self.codes = (
            rows[order].astype(np.int32),
            self.kinds[order],
            self.numbers[order],
            self.codes[order],
        )

    def distinct(self) -> list[str]:
        """The texts by number."""
        return self.texts.all()


class Distinct:
    """The distinct values of a column, and which of them each value is."""

    def __init__(self, column: Column) -> None:
        is_number = (column.kinds == WHOLE) | (column.kinds == NUMBER)
        texts = column.distinct()
        self.values: list[Any] = [*texts, None, False, True]
        self.codes = column.codes.astype(np.int64)
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


class Deep:
    """Lists and objects of one path that are read as values, by node."""

    def __init__(self) -> None:
        self.nodes: list[int] = []
        self.keys: list[int] = []
        self.texts: list[bytes] = []
        self.given: list[Any] = []
        """The values themselves, where a library read them."""

    def values(self) -> list[Any]:
        """The values, each distinct text read once."""
        if self.given:
            return self.given
        read: dict[bytes, Any] = {}
        for text in self.texts:
            if text not in read:
                read[text] = json_value(text)
        return [read[text] for text in self.texts]


class Terms:
    """The numbers of evaluations: of each the node, the number of its name, and whether it is of a list."""

    def __init__(self) -> None:
        self.nodes: list[Array] = []
        self.names: list[Array] = []
        self.numbers: list[Array] = []
        self.evaluated: list[Array] = []
        """Nodes that have an evaluation, one a value."""
        self.is_list: list[Array] = []
        self.last = -1, 0
        """The node of the last number of a list, and the place behind it."""


class Tree:
    """The nodes of a foreign document in pre-order, with what is taken of their fields.

    `parents` are rows, -1 at a root. `columns` are the values of the paths that a form takes, `extras` the
    rest of the fields. A bare node is nothing but its number.
    """

    def __init__(self, form: TreeForm, reading: Reading) -> None:
        self.form_of, self.reading = form, reading
        self.found: Found = form.found
        self.form, self.children = self.found.form, self.found.children
        self.around: Mapping[str, Any] = self.found.around
        self.notices = list(self.found.notices)
        self.of_links: list[str] = []
        """Notices about links."""
        self.parents = np.zeros(0, np.int64)
        self.levels = np.zeros(0, np.int64)
        self.ends = np.zeros(0, np.int32)
        self.columns = {path: Column(reading.texts()) for path in form.scalars}
        self.deep: dict[str, Deep] = {path: Deep() for path in form.deep}
        self.terms = {path: Terms() for path in form.evaluations}
        self.has_odd_terms = False
        self.label_codes = np.zeros(0, np.int32)
        self.labels: list[str | None] = []
        """The distinct texts that lead to nodes, by code; the code is -1 where none does."""
        self.bare_nodes, self.bare_numbers = np.zeros(0, np.int64), np.zeros(0)
        self.empty: dict[str, list[Array]] = {outer: [] for outer in (*form.opened, *form.evaluations)}
        """Nodes whose object or list under a name has nothing in it."""
        self.counts: Counter[str] = Counter()
        self.counts_of_first: Counter[str] = Counter()
        self.samples: dict[int, dict[str, Any]] = {}
        self.open_rows: list[int] = []
        self.held: list[Array] = []
        """Nodes with something else in the place of children."""
        self.where: Callable[[int], str] = lambda node: "$"
        """Tells the JSON path of a node."""
        self.has_doubles = False
        self.by_key = np.zeros(0, np.int64)
        """Nodes that stand under their names in one object."""
        self.n_nodes_taken = 0
        self._code_of: dict[str, int] = {}
        self._order: Array | None = None

    @property
    def extras(self) -> Extras:
        """The fields that nothing takes."""
        return self.reading.extras

    @property
    def n_nodes(self) -> int:
        """Nodes of the tree."""
        return len(self.parents)

    @property
    def has_labels(self) -> bool:
        """Whether something outside a node leads to it."""
        return bool((self.label_codes >= 0).any())

    def move(self, order: Array, n_nodes: int = 0) -> None:
        """Have the nodes in another order, given by their numbers; those that are not in it are left out.

        `n_nodes` is how many there were, with those that have no fields.
        """
        n_nodes = max(n_nodes, len(order))
        if len(order) == n_nodes and (order == np.arange(n_nodes)).all():
            self._lengthen(n_nodes)
            return
        row_of = np.full(n_nodes, -1, np.int64)
        row_of[order] = np.arange(len(order))
        self._order = order if self._order is None else self._order[order]
        for column in self.columns.values():
            column.moved(row_of)
        for deep in self.deep.values():
            moved = sorted((row, at) for at, row in enumerate(row_of[deep.nodes].tolist()) if row >= 0)
            deep.texts = [deep.texts[at] for _, at in moved]
            deep.given = [deep.given[at] for _, at in moved] if deep.given else []
            deep.nodes = [row for row, _ in moved]
        for terms in self.terms.values():
            for at, nodes in enumerate(terms.nodes):
                rows = row_of[nodes]
                terms.nodes[at] = rows[rows >= 0]
                terms.names[at], terms.numbers[at] = terms.names[at][rows >= 0], terms.numbers[at][rows >= 0]
        for pieces in self.empty.values():
            pieces[:] = [row_of[nodes] for nodes in pieces]
        self._lengthen(n_nodes)
        self.label_codes = self.label_codes[order]
        is_left = row_of[self.bare_nodes] >= 0
        self.bare_nodes, self.bare_numbers = row_of[self.bare_nodes][is_left], self.bare_numbers[is_left]
        self.extras.move(row_of)
        self.samples = {
            row: self.samples[node]
            for row, node in sorted((int(row_of[node]), node) for node in self.samples)
            if row >= 0
        }
        self.counts_of_first = Counter([*self.samples.get(0, {})])

    def _lengthen(self, n_nodes: int) -> None:
        """Have room for nodes that have no fields."""
        self.n_nodes_taken = n_nodes
        more = n_nodes - len(self.label_codes)
        if more > 0:
            self.label_codes = np.append(self.label_codes, np.full(more, -1, np.int32))

    def add_label(self, row: int, label: str) -> None:
        """Say what leads to a node."""
        code = self._code_of.get(label)
        if code is None:
            code = self._code_of[label] = len(self.labels)
            self.labels.append(label)
        self.label_codes[row] = code

    def put_fields(
        self, name: str, nodes: Sequence[int], values: Sequence[Any], *, is_first: bool = False
    ) -> None:
        """Give nodes a field that the document has elsewhere; in samples it may come first."""
        for node, value in zip(nodes, values, strict=True):
            if node in self.samples:
                fields = self.samples[node]
                self.samples[node] = {name: value, **fields} if is_first else {**fields, name: value}
                if node == 0:
                    self.counts_of_first[name] = 1
        self.counts[name] += len(nodes)
        column = self.columns.get(name)
        if column is not None:
            column.put(PythonValues(np.array(nodes, np.int32), list(values), np.full(len(nodes), -1)))
            column.finish()
        else:
            self.extras.put_objects({node: {name: value} for node, value in zip(nodes, values, strict=True)})

    def arrival_of(self, row: int) -> int:
        """The number that a node had in the document."""
        return row if self._order is None else int(self._order[row])

    def may_have_doubles(self) -> bool:
        """Whether some object may have a name twice."""
        if self.extras.has_doubles or any(column.has_doubles for column in self.columns.values()):
            return True
        if self.has_doubles or (isinstance(self.reading, TapeReading) and self.reading.placer.has_doubles):
            return True
        by_key = self.by_key
        pairs = self.parents[by_key] * (len(self.labels) + 1) + self.label_codes[by_key]
        return len(np.unique(pairs)) < len(pairs)

    def shape(self) -> tuple[Array, Array]:
        """The parent of every node, and its distance from its root."""
        return self.parents, self.levels

    def sample(self) -> dict[int, dict[str, Any]]:
        """The nodes to look at when guessing, by row."""
        return self.samples

    def has(self, path: str) -> bool:
        """Whether some node has a field of that path."""
        if path in self.counts:
            return True
        column = self.columns.get(path)
        return (column is not None and len(column.nodes) > 0) or (
            path in self.deep and bool(self.deep[path].nodes)
        )

    def numbers(self, path: str, role: str) -> tuple[Array, Array]:
        """The number of every node for a role, its own or one that its text gives, and whether it has one."""
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
            numbers[self.bare_nodes], known[self.bare_nodes] = self.bare_numbers, True
        return numbers, known

    def flat_terms(self, path: str, listed: Sequence[str]) -> FlatTerms | None:
        """The terms at a path in the order of the nodes; None where evaluations there are read as values."""
        terms = self.terms.get(path)
        if terms is None:
            return None
        if not terms.nodes:
            return FlatTerms(np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(0), [], False)
        nodes, keys, numbers = (np.concatenate(each) for each in (terms.nodes, terms.names, terms.numbers))
        least = int(keys.min())
        distinct = np.flatnonzero(np.bincount(keys - least)) + least
        code_of = np.zeros(int(distinct[-1]) - least + 1, np.int64)
        code_of[distinct - least] = np.arange(len(distinct))
        codes = code_of[keys - least]
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

    def stated(self, path: str) -> Iterator[tuple[int, Any]]:
        """Each node that has a list or an object at a path, and its value."""
        deep = self.deep.get(path)
        if deep is not None:
            yield from sorted(zip(deep.nodes, deep.values(), strict=True), key=lambda each: each[0])

    def held_beside(self) -> tuple[int, str]:
        """The number of nodes with something else in the place of children, and the path of the first."""
        n_held = sum(map(len, self.held))
        return n_held, self.where(int(min(nodes.min() for nodes in self.held))) if n_held else ""

    @property
    def bare(self) -> bool:
        """Whether some node is nothing but its number."""
        return len(self.bare_nodes) > 0

    def n_with(self) -> Mapping[str, int]:
        """By name, how many nodes below the first have such a field."""
        if self.n_nodes < 2:
            return self.counts
        return {name: n - self.counts_of_first[name] for name, n in self.counts.items()}


def numbers_of(column: Column, role: str) -> tuple[Array, Array]:
    """The number that each value of a column is, spells, or gives for a role, and whether it does."""
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


class Collector:
    """What takes the batches of a pass into a tree."""

    def __init__(
        self,
        form: TreeForm,
        reading: Reading,
        *,
        sample: bool,
        sketcher: Sketcher | None = None,
        chosen: Array | None = None,
    ) -> None:
        self.tree = Tree(form, reading)
        self._form, self._reading = form, reading
        self._parents: list[Array] = []
        self._label_pieces: list[tuple[Array, Array]] = []
        self._labels = reading.texts(joined=True)
        self._key_code = np.zeros(0, np.int32)
        self._bare: list[tuple[Array, Array]] = []
        self._by_role: dict[int, Callable[[Values], None]] = {
            role: self.tree.columns[path].put for path, role in form.scalars.items()
        }
        for outer, role in form.opened.items():
            self._by_role[role] = self._note_empty(outer)
        for path, role in form.evaluations.items():
            self._by_role[role] = self._evaluations_of(path)
            self._by_role[form.terms[role]] = self._terms_of(path)
        self._by_role[form.odd_term] = self._odd
        self._by_role[form.label] = self._put_labels
        self._sampler = Sampler(reading, self.tree, chosen) if sample else None
        self._sketcher = sketcher
        self._holders: list[Array] = []
        self._by_key: list[Array] = []
        self._roots: list[Array] | None = [] if form.found.wrapped else None
        self._diverted: dict[int, Any] = {role: self.tree.deep[path] for path, role in form.deep.items()}
        self._deep_labels = Deep()
        self._diverted[form.deep_label] = self._deep_labels
        reading.divert(self._diverted)

    def divert(self, roles: Mapping[int, Deep]) -> None:
        """Have the texts of values of these roles go there."""
        self._diverted.update(roles)
        self._reading.divert(self._diverted)

    def add(self, role: int, take: Callable[[Values], None]) -> None:
        """Have values of a role taken so."""
        self._by_role[role] = take

    def take(self) -> Tree:
        """Go over the document."""
        for batch in self._reading.batches():
            self.take_batch(batch)
        return self.finish()

    def take_batch(self, batch: Batch) -> None:
        """Take one batch."""
        self._parents.append(batch.parents)
        self._put_keys(batch)
        for role, values in batch.values.items():
            take = self._by_role.get(role)
            if take is not None:
                take(values)
        if self._sampler is not None:
            self._sampler.take(batch)
        if self._sketcher is not None:
            self._sketcher.take(batch)

    def finish(self) -> Tree:
        """The tree of all that was taken."""
        tree = self.tree
        tree.parents = (
            np.concatenate(self._parents).astype(np.int64) if self._parents else np.zeros(0, np.int64)
        )
        for column in tree.columns.values():
            column.finish()
        for node, value in zip(self._deep_labels.nodes, self._deep_labels.values(), strict=True):
            if (text := ply_text(value)) is not None:
                nodes = np.array([node], np.int32)
                self._label_pieces.append((nodes, self._labels.of_values([text])))
        tree.n_nodes_taken = len(tree.parents)
        tree.label_codes = np.full(len(tree.parents), -1, np.int32)
        for nodes, codes in self._label_pieces:
            tree.label_codes[nodes] = codes
        tree.labels = list(self._labels.all())
        if self._bare:
            tree.bare_nodes = np.concatenate([nodes for nodes, _ in self._bare]).astype(np.int64)
            tree.bare_numbers = np.concatenate([numbers for _, numbers in self._bare])
        if self._sampler is not None:
            self._sampler.finish()
        if self._roots is not None:
            self._leave_out_others(np.concatenate([np.zeros(0, np.int32), *self._roots]))
        if self._form.found.trees:
            self._name_trees()
        if self._by_key:
            tree.by_key = np.concatenate(self._by_key)
        if self._holders and not self._form.found.wrapped:
            held = np.bincount(np.concatenate(self._holders), minlength=1)
            tree.has_doubles = bool((held > 1).any())
        tree.open_rows = sorted(set(self._reading.open_nodes))
        return tree

    def note_holder(self, values: Values) -> None:
        """Take what holds the children of nodes."""
        self._holders.append(values.nodes)

    def note_root(self, values: Values) -> None:
        """Take a root in what wraps it."""
        assert self._roots is not None
        self._roots.append(values.nodes)

    def _leave_out_others(self, roots: Array) -> None:
        """Leave out what wraps no root."""
        tree = self.tree
        is_root = np.zeros(tree.n_nodes, np.bool_)
        is_root[roots] = True
        kept = np.flatnonzero(is_root | (tree.parents >= 0))
        row_of = np.full(tree.n_nodes + 1, -1, np.int64)
        row_of[kept] = np.arange(len(kept))
        tree.parents = row_of[tree.parents[kept]]
        tree.move(kept, tree.n_nodes_taken)

    def _name_trees(self) -> None:
        """Say of each root which of several trees it is; keys that count are iterations."""
        keys = self._form.found.trees
        roots = np.flatnonzero(self.tree.parents < 0).tolist()
        counts = [ITERATION.fullmatch(key) for key in keys]
        counted = [int(match[1]) for match in counts if match]
        if len(counted) == len(keys):
            self.tree.put_fields("iteration", roots, counted, is_first=True)
        else:
            self.tree.put_fields("tree", roots, keys, is_first=True)

    def _put_keys(self, batch: Batch) -> None:
        """Take the names that lead to nodes."""
        labelled = self._form.labelled
        if not labelled or not len(batch.roles):
            return
        chosen = np.flatnonzero(np.isin(batch.roles, list(labelled)) & (batch.keys >= 0))
        self._by_key.append(batch.first + chosen)
        self.put_labels_of_keys(batch.first + chosen.astype(np.int32), batch.keys[chosen])

    def put_labels_of_keys(self, nodes: Array, keys: Array) -> None:
        """Take names, given by number, as what leads to nodes."""
        if not len(nodes):
            return
        most = int(keys.max()) + 1
        if most > len(self._key_code):
            self._key_code = np.concatenate(
                [
                    self._key_code,
                    np.full(max(most, 2 * len(self._key_code)) - len(self._key_code), -1, np.int32),
                ]
            )
        missing = np.unique(keys[self._key_code[keys] < 0])
        if len(missing):
            self._key_code[missing] = self._labels.of_values(
                [self._reading.name(key) for key in missing.tolist()]
            )
        self._label_pieces.append((nodes, self._key_code[keys]))

    def _put_labels(self, values: Values) -> None:
        is_text = (values.kinds == TEXT) | (values.kinds == ESCAPED)
        if is_text.any():
            texts = values.where(is_text)
            self._label_pieces.append((texts.nodes, texts.codes(self._labels)))
        for index in np.flatnonzero(~is_text).tolist():
            if (text := ply_text(values.at(index))) is not None:
                codes = self._labels.of_values([text])
                self._label_pieces.append((values.nodes[index : index + 1], codes))

    def put_bare(self, values: Values) -> None:
        """Take numbers that stand for nodes; a text is what leads to its node."""
        is_number = (values.kinds == WHOLE) | (values.kinds == NUMBER)
        self._bare.append((values.nodes[is_number], values.numbers[is_number]))
        if not is_number.all():
            self._put_labels(values.where(~is_number))

    def put_bare_by_key(self, values: Values) -> None:
        """Take numbers that stand for nodes, or texts that spell one."""
        is_number = (values.kinds == WHOLE) | (values.kinds == NUMBER)
        self._bare.append((values.nodes[is_number], values.numbers[is_number]))
        for index in np.flatnonzero(~is_number).tolist():
            if (read := number(values.at(index))) is not None:
                self._bare.append((values.nodes[index : index + 1], np.array([read])))

    def _note_empty(self, name: str) -> Callable[[Values], None]:
        return lambda values: self.tree.empty[name].append(values.nodes[values.are_empty()])

    def _evaluations_of(self, path: str) -> Callable[[Values], None]:
        terms, note = self.tree.terms[path], self._note_empty(path)

        def take(values: Values) -> None:
            note(values)
            terms.evaluated.append(values.nodes)

        return take

    def _terms_of(self, path: str) -> Callable[[Values], None]:
        terms = self.tree.terms[path]

        def take(values: Values) -> None:
            keys = values.keys()
            if len(keys) and (keys < 0).any():
                keys = np.where(keys < 0, -1 - self._places(terms, values.nodes), keys)
            terms.nodes.append(values.nodes)
            terms.names.append(keys)
            terms.numbers.append(values.numbers)

        return take

    def _places(self, terms: Terms, nodes: Array) -> Array:
        """The place of each item in its list."""
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


class Sketcher:
    """What writes a document with its tree cut short: all around it, and its first nodes, if any."""

    def __init__(self, reading: TapeReading, n_nodes: int) -> None:
        self._writer, self._n_nodes = Writer(reading.tape), n_nodes

    def take(self, batch: Batch) -> None:
        """Take one batch."""
        assert batch.piece is not None
        is_shown = batch.node < self._n_nodes if self._n_nodes else batch.node < 0
        level = np.where(is_shown, WITHIN, NOT_KEPT).astype(np.uint8)
        level[batch.piece.up == -1] = TOP
        self._writer.write(batch.piece, level)

    def value(self, *, in_lines: bool = False) -> Any:
        """The document so far, closed, or a list of documents in lines. None if there is none."""
        self._writer.finish()
        taken = self._writer.taken()
        if taken is None:
            return [] if in_lines else None
        _, begins, text = taken
        held = text.tobytes()
        values = [json_value(held[begin:end]) for begin, end in pairwise(begins.tolist())]
        return values if in_lines else values[0]


class Sampler:
    """The fields of the nodes to look at, as they are, and how many nodes have a field of each name."""

    def __init__(self, reading: Reading, tree: Tree, chosen: Array | None = None) -> None:
        """Of a tape take the nodes `chosen`, by default some at the beginning and then every so many."""
        self._reading, self._tree, self._chosen = reading, tree, chosen
        form = tree.form_of.form
        self._member = np.array(form.member, np.uint8)
        self._writer = Writer(reading.tape) if isinstance(reading, TapeReading) else None
        self._counts = np.zeros(0, np.int64)
        self._n_nodes = 0

    def take(self, batch: Batch) -> None:
        """Take one batch."""
        self._n_nodes = batch.first + len(batch.parents)
        if self._writer is None or batch.piece is None:
            return
        level = self._member[batch.role]
        is_top = level == TOP
        keys, nodes = batch.piece.key, batch.node
        found = np.bincount(keys[is_top & (keys >= 0)], minlength=len(self._counts))
        found[: len(self._counts)] += self._counts
        self._counts = found
        for key in keys[is_top & (nodes == 0) & (keys >= 0)].tolist():
            self._tree.counts_of_first[self._reading.name(key)] = 1
        stride = stride_of(max(self._n_nodes, 1))
        if self._chosen is None:
            level[~((nodes < FIRST_OF_SAMPLE) | (nodes % stride == 0))] = 0
        else:
            level[~np.isin(nodes, self._chosen)] = 0
        self._writer.write(batch.piece, level, nodes, keys)

    def finish(self) -> None:
        """Give the tree its sample and its counts."""
        tree, reading = self._tree, self._reading
        chosen: Iterable[int] = sampled(self._n_nodes) if self._chosen is None else self._chosen.tolist()
        if isinstance(reading, WalkReading):
            chosen = range(self._n_nodes)  # some are chosen once they are in their order
        samples: dict[int, dict[str, Any]] = {node: {} for node in chosen}
        if isinstance(reading, WalkReading):
            member = tree.form_of.form.member
            names: Counter[int] = Counter()
            for node, role, key, value in reading.kept:
                if member[role] == TOP:
                    names[key] += 1
                    if node in samples:
                        samples[node][reading.name(key)] = value
                    if node == 0:
                        tree.counts_of_first[reading.name(key)] = 1
            tree.counts = Counter({reading.name(key): n for key, n in names.items()})
        else:
            assert self._writer is not None
            self._writer.finish()
            if taken := self._writer.taken():
                (nodes, keys), begins, text = taken
                held, ends = text.tobytes(), begins.tolist()
                for at, (node, key) in enumerate(zip(nodes.tolist(), keys.tolist(), strict=True)):
                    if node in samples:
                        samples[node][reading.name(key)] = json_value(held[ends[at] : ends[at + 1]])
            used = np.flatnonzero(self._counts).tolist()
            tree.counts = Counter({reading.name(key): int(self._counts[key]) for key in used})
        tree.samples = samples
