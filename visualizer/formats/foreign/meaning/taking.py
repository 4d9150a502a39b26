"""The fields of a foreign tree put into our columns, and the rest of each kept as an extra.

Each distinct value is interpreted once, and numbers are taken as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.foreign.meaning import names
from plyscope.visualizer.formats.foreign.meaning.chess import AFTER, BEFORE, has_fens, when_of
from plyscope.visualizer.formats.foreign.meaning.factors import Factors, runs_of
from plyscope.visualizer.formats.foreign.meaning.fields import Field, last_name, number
from plyscope.visualizer.formats.foreign.meaning.label_texts import lines_of
from plyscope.visualizer.formats.foreign.meaning.layers import Layers, key_of
from plyscope.visualizer.formats.foreign.meaning.reading import LAYERS, Reading
from plyscope.visualizer.formats.foreign.meaning.told import told_for
from plyscope.visualizer.formats.foreign.tree import Column, Distinct, Tree, numbers_of
from plyscope.visualizer.formats.json_text import json_bytes, json_texts
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers, Terms, used_codes
from plyscope.visualizer.formats.seal.values import Bad
from plyscope.visualizer.formats.tape.extras import joined
from plyscope.visualizer.formats.tape.kinds import NULL, NUMBER, TEXT, TRUE, WHOLE
from plyscope.visualizer.formats.tape.texts import TextList
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.words import OUTCOMES

Array = npt.NDArray[Any]
FailAt = Callable[[int, str, str], NoReturn]

KEY: Final = "(key)"
"""The name of a node's label where another field is its ply."""
NUMBERS: Final = frozenset(names.words("score pre_score static depth visits mean prior alpha beta"))
OF_SCORES: Final = ("score", "static", "pre_score", "alpha", "beta")
OPEN_EDGES: Final = {"alpha": -np.inf, "beta": np.inf}


class FieldTaker:
    """Puts the fields of a tree into buffers, by the roles of a reading."""

    def __init__(self, reading: Reading, tree: Tree, fail_at: FailAt) -> None:
        self._reading, self._tree, self._fail_at = reading, tree, fail_at
        self.buffers = FieldBuffers(tree.reading.texts(), tree.extras)
        tree.extras.order = list(reading.fields)
        self._roles: dict[str, list[str]] = {}
        self._taken_within: dict[str, dict[str, set[int]]] = {}
        """By field and name in it, the nodes of which that is taken whole."""
        for role, path in reading.taken.items():
            if role not in ("iteration", "total"):
                for part in path.split("|"):
                    self._roles.setdefault(part, []).append(role)
        if reading.layers.path:
            self._roles.setdefault(reading.layers.path, []).append("layer")
        self._cleared = reading.cut_off.copy()
        """Siblings that were never searched: of them only the ply is taken."""

    def take(self) -> FieldBuffers:
        """Take all fields of all nodes. Raises LogError where a field does not take a value."""
        reading, tree = self._reading, self._tree
        if outcome := reading.taken.get("outcome"):
            self._clear(outcome)
        self._take_pruned(np.flatnonzero(reading.cut_off))
        for path in tree.columns:
            self._take_scalars(path, self._roles.get(path, ()))
        for path, deep in tree.deep.items():
            if deep.nodes:
                self._take_deep(path, self._roles.get(path, ()), deep.nodes, deep.texts, deep.values())
        if reading.factors is not None:
            self._take_terms(reading.factors)
        self.buffers.note_rounded("score", [*tree.bare.exact.values()])
        for role, numbers, is_known in (
            ("score", reading.scores, reading.known),
            ("mean", reading.means, reading.are_means),
        ):
            nodes = np.flatnonzero(is_known)
            self._put_numbers(role, numbers[nodes], nodes)
        nodes = np.flatnonzero(reading.layer_of >= 0)
        self._put_told("layer", list(LAYERS), reading.layer_of[nodes], nodes)
        self.buffers.iterations |= {n: at for n, at in reading.iterations.items() if not self._cleared[n]}
        self._take_labels()
        return self.buffers

    def _take_scalars(self, path: str, roles: Sequence[str]) -> None:
        """Take the values at a path for its roles; a value that none of them takes fully is also an extra."""
        tree = self._tree
        if (column := tree.columns.get(path)) is not None and len(column.nodes):
            is_whole = np.zeros(len(column.nodes), np.bool_)
            for role in roles:
                is_whole |= self._take_role(role, path, column)
            outer, _, inner = path.partition(".")
            if outer in tree.deep and inner:
                self._taken_within.setdefault(outer, {})[inner] = set(column.nodes[is_whole].tolist())
            elif not is_whole.all():
                left = np.flatnonzero(~is_whole)
                distinct = Distinct(column)
                used, codes = used_codes(distinct.codes[left])
                texts = json_texts([distinct.values[code] for code in used.tolist()])
                self._leave(path, texts, codes, column.nodes[left])

    def _take_role(self, role: str, path: str, column: Column) -> Array:
        if role in NUMBERS:
            if role in OF_SCORES:
                self.buffers.note_rounded(role, column.exact.values())
            if role != "score":
                numbers, is_known = numbers_of(column, role)
                self._put_numbers(role, numbers[is_known], column.nodes[is_known])
            if role in OPEN_EDGES:
                nodes = column.nodes[column.kinds == NULL]
                self._put_numbers(role, np.full(len(nodes), OPEN_EDGES[role]), nodes)
            whole = (column.kinds == NULL) | (column.kinds == WHOLE) | (column.kinds == NUMBER)
            if (column.kinds == TEXT).any():
                spelled = np.array([number(text) is not None for text in column.distinct()])
                whole |= (column.codes >= 0) & spelled[column.codes]
            return np.asarray(whole)
        distinct = Distinct(column)
        if role == "layer":
            layers = self._reading.layers
            is_all = [
                not layers.is_player and (value is None or is_word(value, layers))
                for value in distinct.values
            ]
            return np.array(is_all)[distinct.codes]
        if role == "outcome":
            return self._take_outcomes(path, distinct, column.nodes)
        if role == "factors":
            return np.asarray(column.kinds == NULL)
        told, is_whole = told_for(role, distinct.values)
        nodes, chosen = column.nodes, slice(None)
        if role == "position" and (field := self._reading.fields.get(path)) is not None:
            nodes, chosen = self._whose_positions(field, nodes)
        self._put_told(role, told, distinct.codes[chosen], nodes)
        return np.asarray(is_whole[distinct.codes] & (nodes is column.nodes))

    def _whose_positions(self, field: Field, nodes: Array) -> tuple[Array, Any]:
        """The nodes that have the positions of `field` at `nodes`, and the indices of these positions."""
        when = when_of(field, self._tree.parents)
        if when == AFTER or not has_fens(field):
            return nodes, slice(None)
        roots = np.flatnonzero(self._tree.parents < 0)
        above: Array = roots[np.searchsorted(roots, nodes, side="right") - 1]
        if when == BEFORE:
            above = self._tree.parents[nodes]
        stand, places = np.unique(above, return_index=True)
        return stand[stand >= 0], places[stand >= 0]

    def _put_told(self, role: str, told: list[Any], codes: Array, nodes: Array) -> None:
        """Take the interpretations of distinct values for a role; None is no value."""
        if role == "ply":
            self._put_cleared(told, codes, nodes)
        is_left = ~self._cleared[nodes]
        codes, nodes = codes[is_left], nodes[is_left]
        try:
            self.buffers.put_repeated(role, told, codes, nodes)
        except Bad as bad:
            at = next(at for at, code in enumerate(codes.tolist()) if told[code] is not None)
            self._fail_at(int(nodes[at]), f"found {shown(told[codes[at]])}, {bad}", role)

    def _put_numbers(self, role: str, numbers: Array, nodes: Array) -> None:
        is_left = ~self._cleared[nodes]
        numbers, nodes = numbers[is_left], nodes[is_left]
        if not len(nodes):
            return
        if FIELDS[role].kind == "whole":
            highest = FIELDS[role].highest
            bad = ~((numbers % 1 == 0) & (numbers >= 0) & (numbers <= float(highest)))
            if bad.any():
                at = int(np.argmax(bad))
                found = float(numbers[at])
                value = int(found) if found.is_integer() else found
                message = f"found {shown(value)}, expected a whole number from 0 to {highest}"
                self._fail_at(int(nodes[at]), message, role)
            numbers = numbers.astype(np.int64)
        self.buffers.put_numbers(role, numbers, nodes)

    def _clear(self, path: str) -> None:
        """Find the siblings that were never searched: leaves that have the flag and no score."""
        reading, column = self._reading, self._tree.columns.get(path)
        if column is None or last_name(path) in names.ENDED:
            return
        nodes = column.nodes[column.kinds == TRUE]
        is_cleared = ~reading.has_children[nodes] & ~reading.known[nodes] & (self._tree.parents[nodes] >= 0)
        self._cleared[nodes[is_cleared]] = True

    def _put_cleared(self, plies: Sequence[str | None], codes: Array, nodes: Array) -> None:
        """Take the plies of siblings that were never searched as those of stubs."""
        if not self._cleared.any():
            return
        is_cleared = self._cleared[nodes] & np.array([ply is not None for ply in plies])[codes]
        if is_cleared.any():
            texts = self.buffers.texts.of_values([plies[code] or "" for code in codes[is_cleared].tolist()])
            self.buffers.plies.put(nodes[is_cleared], np.ones(len(texts), np.int64), texts)

    def _take_pruned(self, nodes: Array) -> None:
        """Make these nodes stubs of pruned siblings."""
        if len(nodes):
            self.buffers.put_repeated("outcome", ["pruned"], np.zeros(len(nodes), np.int64), nodes)
            self.buffers.put_numbers("count", np.ones(len(nodes), np.int64), nodes)

    def _take_outcomes(self, path: str, distinct: Distinct, nodes: Array) -> Array:
        """Take outcomes from a field that states them: game over, a cutoff, a sibling never searched."""
        words = [
            OUTCOMES.index(value) if isinstance(value, str) and value in OUTCOMES[1:] else 0
            for value in distinct.values
        ]
        outcomes = np.array(words)[distinct.codes]
        is_true = np.array([value is True for value in distinct.values])[distinct.codes]
        if last_name(path) in names.ENDED:
            outcomes[is_true] = OUTCOMES.index("terminal")
        else:
            outcomes[is_true & self._reading.has_children[nodes]] = OUTCOMES.index("cutoff")
            self._take_pruned(nodes[is_true & self._cleared[nodes]])
        is_told = outcomes > 0
        if is_told.any():
            words_told = [None, *OUTCOMES[1:]]
            self.buffers.put_repeated("outcome", words_told, outcomes[is_told], nodes[is_told])
        is_false = np.array([value is False for value in distinct.values])[distinct.codes]
        return np.asarray(is_told | is_false | (is_true & self._cleared[nodes]))

    def _take_labels(self) -> None:
        """Take the label of each node for its ply, or keep it as an extra where a field is the ply."""
        tree = self._tree
        nodes, codes, texts = tree.labels.nodes, tree.labels.codes, tree.labels.texts
        if not len(nodes):
            return
        if "ply" in self._reading.taken:
            tree.put_fields(KEY, nodes, TextList(texts, codes))
            return
        plies = self.buffers.texts.of_texts(texts, codes)
        if (is_cleared := self._cleared[nodes]).any():
            of_stubs = plies[is_cleared]
            self.buffers.plies.put(nodes[is_cleared], np.ones(len(of_stubs), np.int64), of_stubs)
            plies, nodes = plies[~is_cleared], nodes[~is_cleared]
        self.buffers.put_numbers("ply", plies, nodes)

    def _take_deep(
        self, path: str, roles: Sequence[str], nodes: list[int], texts: list[bytes], values: list[Any]
    ) -> None:
        of_nodes = np.array(nodes, np.int64)
        is_whole = np.zeros(len(nodes), np.bool_)
        for role in roles:
            if role in ("ply", "board"):
                told, are_whole = told_for(role, values)
                self._put_told(role, told, np.arange(len(values)), of_nodes)
                is_whole |= are_whole
            elif role == "factors":
                is_whole |= np.isin(of_nodes, self._reading.terms.whole)
        left = np.flatnonzero(~is_whole)
        written = [self._without_told(path, nodes[at], values[at], texts[at]) for at in left.tolist()]
        self._leave(path, joined(written), np.arange(len(left)), of_nodes[left])

    def _without_told(self, path: str, node: int, value: Any, text: bytes) -> bytes:
        """The text of a value without those of its fields that have roles."""
        told = {name for name, nodes in self._taken_within.get(path, {}).items() if node in nodes}
        if not told or not isinstance(value, dict):
            return text
        return json_bytes({name: inner for name, inner in value.items() if name not in told})

    def _take_terms(self, factors: Factors) -> None:
        """Take the terms of evaluations as raw values, or as contributions."""
        terms = self._reading.terms
        if not len(terms.nodes):
            return
        nodes, codes, numbers = terms.nodes, terms.codes, terms.numbers
        if not (is_left := ~self._cleared[nodes]).all():
            nodes, codes, numbers = nodes[is_left], codes[is_left], numbers[is_left]
        of_nodes, objects = runs_of(nodes)
        if not factors.are_raw:
            self.buffers.put_contributions(of_nodes, Terms(objects, codes, numbers), terms.names)
            return
        places = {name: at for at, name in enumerate(factors.names)}
        of_code = np.array([places[name] for name in terms.names])
        matrix = np.full((len(of_nodes), len(places)), np.nan)
        matrix[objects, of_code[codes]] = numbers
        self.buffers.put_factors(matrix, of_nodes)

    def _leave(self, path: str, texts: tuple[Array, Array], codes: Array, nodes: Array) -> None:
        """Keep values unchanged, as extras: of each node the text of its code."""
        outer, dot, inner = path.partition(".")
        if not dot or is_pair_of(inner):
            outer, inner = "", path
        member = self._tree.extras.members.number(outer, inner)
        self._tree.extras.put_chosen(nodes, member, *texts, codes)


def is_word(value: Any, layers: Layers) -> bool:
    """Whether a value is a layer's word and nothing else."""
    return key_of(value) in layers.of and (not isinstance(value, str) or len(lines_of(value)) == 1)


def is_pair_of(inner: str) -> bool:
    """Whether the inner name is an index in a list of two."""
    return inner in ("0", "1")
