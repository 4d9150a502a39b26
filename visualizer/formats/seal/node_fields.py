"""The fields of nodes as growing columns, by arrival number: readers fill them, sealing takes them.

A field stated again replaces the earlier value, except for the fields of the position: there the first value
counts, and a different last one is noted in a column of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.json_text import json_texts
from plyscope.visualizer.formats.seal.field_buffers import (
    LENGTH_OF_KEY,
    FieldBuffers,
    Nodes,
    are_hex_keys,
    numbers_of,
)
from plyscope.visualizer.formats.seal.grown import GrownArray
from plyscope.visualizer.formats.seal.memory import WORTH_IT, give_back_memory
from plyscope.visualizer.formats.seal.ragged import ListsOfNodes, Ragged
from plyscope.visualizer.formats.seal.tables import check_table
from plyscope.visualizer.formats.seal.values import TEXTS, written_name
from plyscope.visualizer.formats.tape.extras import Extras
from plyscope.visualizer.formats.tape.texts import Run, Texts
from plyscope.visualizer.store.columns import COLUMNS, CORE, GIVEN, PLACES, absent_column
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.log import KeyForm

Array = npt.NDArray[Any]
NodeOf = Array | int

LEFT: Final = {"key": "left_key", "position": "left_position"}
"""The columns of the position, each with the column for a different last value."""
TEXT_COLUMNS: Final = frozenset(FIELDS[name].column for name in TEXTS)
KEY_FORMS: Final[tuple[KeyForm, ...]] = ("", "hex", "number", "text")
HEX, NUMBER, TEXT = 1, 2, 3
"""Indices in KEY_FORMS."""


class NodeFields:
    """The fields of all nodes so far.

    >>> stated = FieldBuffers()
    >>> stated.put_numbers("score", np.array([3.0, 5.0]), np.array([0, 1]))
    >>> NodeFields.of(stated, 2, np.array([1, 1])).taken_columns(2)["score"].tolist()
    [nan, 5.0]
    """

    def __init__(self, run: Run | None = None) -> None:
        """`run` calls kernels, for fields of a tape."""
        self.n_nodes = 0
        self.texts = Texts(run)
        """Every distinct text."""
        self.players: dict[str | int, int] = {}
        self.columns: dict[str, GrownArray] = {}
        self._given = GrownArray(0, np.uint16)
        self._noted: dict[str, set[int]] = {}
        """By column that tells a position the nodes that were found to state another last."""
        self._key_forms = GrownArray(0, np.uint8)
        self.forms_seen: set[int] = set()
        """Places of the forms of keys, also of those that are not the first that a node states."""
        self._are_hex = True
        """Whether all keys, written as texts, have 16 hexadecimal digits."""
        self.tables: dict[str, GrownArray] = {}
        """Factors, contributions and scores, a row a node."""
        self.widths: dict[str, dict[int, int]] = {}
        """By table the lengths of the lists that were stated, and the first node with each."""
        self._n_stated: dict[str, int] = {}
        self.contribution_names: dict[str, int] = {}
        self.iterations: dict[int, Any] = {}
        self.rounded: dict[str, tuple[int, int]] = {}
        """By field how many whole numbers were rounded, and the first."""
        self.unnumbered: set[int] = set()
        """Nodes whose iteration is null: known to be unknown, as those of roots in a cut file may be."""
        self.ids: list[tuple[Nodes, list[Any] | Array]] = []
        """Nodes and their ids: whole numbers as an array, or any as they were written."""
        self.sources: list[tuple[Array, list[Any]]] = []
        """What `tt.from` says, as written."""
        self.plies: Any = Ragged(np.int32)
        self.pre_scores: Any = Ragged(np.float64)
        self.extras = Extras(run)
        """The fields that the format does not know."""

    @classmethod
    def of(cls, stated: FieldBuffers, n_nodes: int, node_of: NodeOf = 0) -> Self:
        """The fields of records, which are nodes unless `node_of` maps them."""
        fields = cls()
        fields.extras, stated.extras = stated.extras, fields.extras
        if isinstance(node_of, np.ndarray):
            fields.extras.move(node_of)
        fields.take(stated, node_of, n_nodes)
        return fields

    # Fields in ---------------------------------------------------------------------------------------
    def take(self, stated: FieldBuffers, node_of: NodeOf, n_nodes: int) -> None:
        """Take the fields of records out of `stated`; afterwards there are `n_nodes` nodes.

        `node_of` is the node of each record, -1 for none; or the node of the first, if records are
        consecutive nodes.
        """
        self.n_nodes = n_nodes
        text_of = self._codes_of_texts(stated.texts)
        player_of = _codes(self.players, list(stated.players))
        for name in sorted(stated.pieces, key=lambda name: name not in LEFT.values()):
            column = self._column(name)
            column.reserve(n_nodes)
            codes = text_of if name in TEXT_COLUMNS else player_of if name == "player" else None
            n_bytes, pieces = 0, stated.pieces.pop(name)[::-1]
            while pieces:
                nodes, values = _placed(node_of, *pieces.pop())
                n_bytes += values.nbytes
                self.put(name, nodes, values if codes is None else codes[values])
            del nodes, values
            give_back_memory(n_bytes)
        self._take_keys(stated, node_of, text_of)
        self._take_tables(stated, node_of)
        self._take_lists(stated, node_of, text_of)
        self.extras.append(stated.extras, node_of)
        stated.extras = Extras()
        for records, names in stated.ids:
            self.ids.append(_placed(node_of, records, names))
        for records, names in stated.sources:
            nodes, names = _placed(node_of, records, names)
            self.sources.append((numbers_of(nodes), names))
        iterations = np.fromiter(stated.iterations, np.int64, len(stated.iterations))
        nodes, values = _placed(node_of, iterations, list(stated.iterations.values()))
        self.iterations |= dict(zip(nodes.tolist(), values, strict=True))
        unnumbered = np.fromiter(stated.unnumbered, np.int64, len(stated.unnumbered))
        self.unnumbered |= set(_placed(node_of, unnumbered)[0].tolist())
        for name, (n_rounded, first_rounded) in stated.rounded.items():
            n_before, first_rounded = self.rounded.get(name, (0, first_rounded))
            self.rounded[name] = n_before + n_rounded, first_rounded
        for each in (stated.ids, stated.sources, stated.iterations, stated.unnumbered, stated.rounded):
            each.clear()

    def put(self, name: str, nodes: Nodes, values: Array) -> None:
        """Take the values of a column on some nodes."""
        column = self._column(name)
        if name in GIVEN:
            self._given.mark(nodes, GIVEN[name])
        if name not in LEFT:
            column.put(nodes, values)
            return
        numbers = numbers_of(nodes)
        n_nodes = int(numbers.max(initial=-1)) + 1
        is_new = column.first(n_nodes)[numbers] == COLUMNS[name].absent
        if is_new.all() and (numbers[1:] > numbers[:-1]).all():
            column.put(nodes, values)
            return
        numbers, first, last = first_and_last(numbers, values)
        before = column.first(n_nodes)[numbers]
        first = np.where(before == COLUMNS[name].absent, first, before)
        column.put(numbers, first)
        self._note_left(name, numbers, np.where(last == first, -1, last))

    def _column(self, name: str) -> GrownArray:
        if name not in self.columns:
            self.columns[name] = GrownArray(COLUMNS[name].absent, COLUMNS[name].dtype)
        return self.columns[name]

    def _note_left(self, name: str, nodes: Array, codes: Array) -> None:
        """Note the last texts of nodes, -1 where it equals the first again."""
        noted = self._noted.setdefault(name, set())
        chosen = codes >= 0
        if noted:
            chosen |= np.isin(nodes, list(noted))
        if chosen.any():
            self._column(LEFT[name]).put(nodes[chosen], codes[chosen])
            noted.update(nodes[codes >= 0].tolist())

    def _codes_of_texts(self, texts: Texts) -> Array | None:
        """By number in `texts`, the number here; None where they are the same."""
        if texts.n_texts and not self.texts.n_texts and (texts.run or not self.texts.run):
            self.texts = texts
        if texts is self.texts:
            return None
        return np.append(self.texts.of_texts(texts, np.arange(texts.n_texts)), np.int32(-1))

    def _take_keys(self, stated: FieldBuffers, node_of: NodeOf, text_of: Array | None) -> None:
        for records, form, values in stated.keys:
            nodes, values = _placed(node_of, numbers_of(records), values)
            place = KEY_FORMS.index(form)
            self.forms_seen.add(place)
            if place == TEXT:
                self._are_hex &= are_hex_keys(values)
                values = self.texts.of_values(values)
            elif place == NUMBER and len(values):
                self._are_hex &= len(str(values.min())) == len(str(values.max())) == LENGTH_OF_KEY
            self._put_keys(nodes, values.astype(np.uint64), place)
        stated.keys.clear()

    def _put_keys(self, nodes: Array, keys: Array, form: int) -> None:
        column, n_nodes = self._column("key"), int(nodes.max(initial=-1)) + 1
        self._given.mark(nodes, GIVEN["key"])
        is_new = self._key_forms.first(n_nodes)[nodes] == 0
        if is_new.all() and (nodes[1:] > nodes[:-1]).all():
            column.put(nodes, keys)
            self._key_forms.put(nodes, form)
            return
        nodes, first, last = first_and_last(nodes, keys)
        is_new = self._key_forms.first(n_nodes)[nodes] == 0
        column.put(nodes[is_new], first[is_new])
        self._key_forms.put(nodes[is_new], form)
        known, forms = column.first(n_nodes)[nodes], self._key_forms.first(n_nodes)[nodes]
        codes = np.full(len(nodes), -1, np.int64)
        for at in np.flatnonzero((known != last) | (forms != form)).tolist():
            text = self._text_of_key(int(last[at]), form)
            if text != self._text_of_key(int(known[at]), int(forms[at])):
                codes[at] = self.texts.of_values([text])[0]
        self._note_left("key", nodes, codes)

    def _text_of_key(self, key: int, form: int) -> str:
        return self.texts.text(key) if form == TEXT else f"{key:016x}" if form == HEX else str(key)

    def settle_keys(self) -> KeyForm:
        """Give all keys one form, and return it; keys of several forms become texts.

        If all these texts are 16 hexadecimal digits, the form is that of such keys, as for a reader of texts.
        """
        if self.forms_seen <= {HEX} or self.forms_seen == {NUMBER}:
            return KEY_FORMS[max(self.forms_seen, default=0)]
        form = HEX if self._are_hex else TEXT
        keys, forms = self.columns["key"].first(self.n_nodes), self._key_forms.first(self.n_nodes)
        others = np.flatnonzero((forms != 0) & (forms != form))
        said = zip(keys[others].tolist(), forms[others].tolist(), strict=True)
        texts = [self._text_of_key(key, before) for key, before in said]
        keys[others] = [int(text, 16) for text in texts] if form == HEX else self.texts.of_values(texts)
        forms[others] = form
        return KEY_FORMS[form]

    def _take_tables(self, stated: FieldBuffers, node_of: NodeOf) -> None:
        for name, pieces in (("factors", stated.factors), ("scores", stated.scores)):
            if pieces:
                table = self._table(name, max(m.shape[1] for _, m in pieces), sum(m.size for _, m in pieces))
            n_bytes = 0
            pieces.reverse()
            while pieces:
                nodes, matrix = _placed(node_of, *pieces.pop())
                n_bytes += matrix.nbytes
                table.put(nodes, matrix)
                if len(matrix):
                    first = nodes.start if isinstance(nodes, slice) else int(nodes[0])
                    self.widths.setdefault(name, {}).setdefault(matrix.shape[1], first)
                del matrix
                if n_bytes >= WORTH_IT or not pieces:
                    give_back_memory(n_bytes)
                    n_bytes = 0
        if stated.contributions:
            self._take_contributions(stated, node_of)

    def _take_contributions(self, stated: FieldBuffers, node_of: NodeOf) -> None:
        code_of = _codes(self.contribution_names, list(stated.contribution_names))
        n_numbers = sum(piece.floats.size for piece in stated.contributions)
        table = self._table("contributions", len(self.contribution_names), n_numbers)
        for piece in stated.contributions:
            piece = piece._replace(codes=code_of[piece.codes])
            if isinstance(node_of, np.ndarray):
                piece = piece.placed(node_of)
            elif node_of:
                of_floats = None if piece.of_floats is None else piece.of_floats + node_of
                piece = piece._replace(nodes=piece.nodes + node_of, of_floats=of_floats)
            table.make_room(int(piece.nodes.max(initial=-1)) + 1)
            piece.put(table.first(len(table)))
        stated.contributions.clear()

    def _table(self, name: str, width: int, n_stated: int) -> GrownArray:
        """The table `name` with room for all nodes. Raises LogError where it would be too large."""
        n_stated += self._n_stated.get(name, 0)
        self._n_stated[name] = n_stated
        if name not in self.tables:
            self.tables[name] = GrownArray(np.nan, np.float64, 0)
        table = self.tables[name]
        check_table(name, self.n_nodes, max(width, table.width), n_stated)
        table.widen(width)
        table.reserve(self.n_nodes)
        return table

    def _take_lists(self, stated: FieldBuffers, node_of: NodeOf, text_of: Array | None) -> None:
        for ours, theirs in ((self.plies, stated.plies), (self.pre_scores, stated.pre_scores)):
            for nodes, lengths, flat, _ in theirs.pieces:
                if theirs is stated.plies and text_of is not None:
                    flat = text_of[flat.astype(np.int64)]
                nodes = nodes + node_of if isinstance(node_of, int) else node_of[nodes]
                if not (kept := nodes >= 0).all():
                    nodes, lengths, flat = nodes[kept], lengths[kept], flat[np.repeat(kept, lengths)]
                ours.put(nodes, lengths, flat)
            theirs.pieces.clear()

    def leave_out(self, node: int) -> None:
        """Leave out a node, the last one that came."""
        self.n_nodes = node
        self.iterations.pop(node, None)
        self.unnumbered.discard(node)
        row_of = np.arange(node + 1)
        row_of[node] = -1
        self.extras.move(row_of)
        for lists in (self.plies, self.pre_scores):
            for at, (nodes, lengths, flat, begins) in enumerate(lists.pieces):
                kept = nodes < node
                lists.pieces[at] = ListsOfNodes(nodes[kept], lengths[kept], flat, begins[kept])
        for name, widths in self.widths.items():
            self.widths[name] = {width: first for width, first in widths.items() if first < node}

    def keep_beside(self, name: str, nodes: Array, values: Sequence[Any]) -> None:
        """Keep a field of ours as an unknown field; an unknown one of that name is renamed as in files."""
        if not len(nodes):
            return
        clashes = np.isin(nodes, self.extras.nodes_with(name))
        objects = self.extras.taken_objects(nodes[clashes]) if clashes.any() else {}
        for at in np.flatnonzero(clashes).tolist():
            kept, under, fields = values[at], name, objects[int(nodes[at])]
            while under in fields:
                fields[under], kept = kept, fields[under]
                under = written_name(under)
            fields[under] = kept
        self.extras.put_objects(objects)
        if objects:
            nodes, values = nodes[~clashes], [values[at] for at in np.flatnonzero(~clashes).tolist()]
        self.extras.put_texts(nodes, self.extras.members.number("", name), *json_texts(values))

    # Fields out --------------------------------------------------------------------------------------
    def listed_texts(self) -> Sequence[str]:
        """The texts by number."""
        return self.texts.listed()

    def taken_columns(self, n_rows: int) -> dict[str, Array]:
        """Take the columns of `n_rows` rows in order of arrival, for sealing, which changes them."""
        taken = {name: self.columns.pop(name).first(n_rows) for name in list(self.columns)}
        taken["given"] = self._given.first(n_rows)
        for each in CORE[len(PLACES) :]:
            taken.setdefault(each.name, absent_column(each.name, n_rows))
        return taken

    def sealed_extras(self, row_of: Array) -> tuple[Array, Array, bytes | memoryview]:
        """The rows with unknown fields, and these as JSON objects: their offsets and bytes."""
        rows, starts, objects = self.extras.sealed(row_of)
        return rows, starts, objects.data


def first_and_last(nodes: Array, values: Array) -> tuple[Array, Array, Array]:
    """Return the distinct nodes, and the first and the last value of each.

    >>> first_and_last(np.array([4, 2, 4]), np.array([7, 8, 9]))
    (array([2, 4]), array([8, 7]), array([8, 9]))
    """
    distinct, first = np.unique(nodes, return_index=True)
    last = len(nodes) - 1 - np.unique(nodes[::-1], return_index=True)[1]
    return distinct, values[first], values[last]


def _placed(node_of: NodeOf, records: Nodes, values: Any = ()) -> tuple[Any, Any]:
    """The nodes of records and their values, without records of no node."""
    if isinstance(node_of, int):
        if isinstance(records, slice):
            return slice(records.start + node_of, records.stop + node_of), values
        return records + node_of if node_of else records, values
    nodes = node_of[records]
    if (kept := nodes >= 0).all():
        return nodes, values
    chosen = np.flatnonzero(kept)
    return nodes[kept], values[chosen] if isinstance(values, np.ndarray) else [values[at] for at in chosen]


def _codes(codes: dict[Any, int], names: list[Any]) -> Array:
    """The code of each name, followed by -1 for the absent one."""
    return np.array([*(codes.setdefault(name, len(codes)) for name in names), -1], dtype=np.int32)
