"""Every field of a log that still grows, by arrival number of its node: arrays with room for more.

What is stated again replaces what was. `frozen` copies what came so far, and `of` what came of some nodes, in
the form that sealing takes.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.following.frozen_fields import FrozenFields
from plyscope.visualizer.formats.following.grown_arrays import GrownArray, GrownLists
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.seal.field_buffers import Contributions, FieldBuffers, are_hex_keys
from plyscope.visualizer.formats.seal.stated_twice import LEFT, first_and_last
from plyscope.visualizer.store.columns import COLUMNS, GIVEN
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.words import FIRST_STUB

Array = npt.NDArray[Any]
T = TypeVar("T")

TEXT_COLUMNS: Final = frozenset(
    field.column for field in FIELDS.values() if field.kind in ("text", "long text")
)
KEY_FORMS: Final = ("", "hex", "number", "text")


class GrownFields:
    """The fields of all nodes so far."""

    def __init__(self) -> None:
        self.n_stubs = 0
        """Rows that stand for siblings without rows."""
        self._columns: dict[str, GrownArray] = {}
        self._given = GrownArray(0, np.uint16)
        self._texts: dict[str, int] = {}
        self._listed_texts: list[str] = []
        self._players: dict[str | int, int] = {}
        self._keys = GrownArray(0, np.uint64)
        self._key_forms = GrownArray(0, np.uint8)
        self._forms_seen: set[str] = set()
        """Also those of keys that were replaced: a log that has several forms has texts."""
        self._has_plain_texts = False
        """Whether some key was a text of other than 16 hexadecimal digits: then all are texts."""
        self._matrices: dict[str, GrownArray] = {}
        self._contributions: dict[str, int] = {}
        self._plies = GrownLists(np.int32)
        self._pre_scores = GrownLists(np.float64)
        self._iterations: dict[int, Any] = {}
        self._unnumbered: set[int] = set()
        self._extras = GrownLists(np.uint8)
        """The unknown fields of nodes, as JSON objects."""

    def take(self, batch: FieldBuffers, numbers: Array) -> None:
        """Take the fields of a batch's records; `numbers[i]` is the arrival number of the i-th one's node."""
        texts = batch.texts
        text_of = self._codes(self._texts, texts)
        player_of = self._codes(self._players, list(batch.players))
        columns, given = batch.stated(len(numbers))
        for records, bit in given:
            self._given.mark(numbers[records], bit)
        for name, (records, values) in columns.items():
            nodes = numbers[records]
            where = _stated(name, values)
            if not where.all():
                nodes, values = nodes[where], values[where]
            if not len(nodes):
                continue
            if name in TEXT_COLUMNS:
                values = text_of[values]
            elif name == "player":
                values = player_of[values]
            column = self._column(name)
            if name == "outcome":
                self._count_stubs(column, nodes, values)
            if name in LEFT:
                nodes, values, last = first_and_last(nodes, values)
                self._put_first(column, name, nodes, values, last)
            else:
                column.put(nodes, values)
        self._take_keys(batch, numbers, text_of)
        self._take_tables(batch, numbers)
        self._take_lists(batch, numbers, text_of)
        self._iterations |= {int(numbers[record]): value for record, value in batch.iterations.items()}
        self._unnumbered |= {int(numbers[record]) for record in batch.unnumbered}
        records, starts, objects = batch.sealed_extras(np.arange(len(numbers)))
        self._keep(numbers[records], np.diff(starts), np.frombuffer(objects, dtype=np.uint8))

    def _column(self, name: str) -> GrownArray:
        column = self._columns.get(name)
        if column is None:
            kind = COLUMNS[name]
            column = self._columns[name] = GrownArray(kind.absent, kind.dtype)
        return column

    def _put_first(self, column: GrownArray, name: str, nodes: Array, first: Array, last: Array) -> None:
        """Put texts that tell a position where none were told before; note those that are others last."""
        before = column.first(int(nodes.max()) + 1)[nodes]
        first = np.where(before >= 0, before, first)
        column.put(nodes, first)
        self._note_left(name, nodes, np.where(last == first, -1, last))

    def _note_left(self, name: str, nodes: Array, codes: Array) -> None:
        """Note the texts that nodes state last, -1 for what is no other than the first."""
        if LEFT[name] in self._columns or (codes >= 0).any():
            self._column(LEFT[name]).put(nodes, codes)

    def _count_stubs(self, outcomes: GrownArray, nodes: Array, stated: Array) -> None:
        """Count the rows that stand for siblings without rows, before their outcomes are put."""
        if not self.n_stubs and not (stated >= FIRST_STUB).any():
            return
        last = len(nodes) - 1 - np.unique(nodes[::-1], return_index=True)[1]
        before = outcomes.first(int(nodes.max()) + 1)[nodes[last]]
        self.n_stubs += int((stated[last] >= FIRST_STUB).sum()) - int((before >= FIRST_STUB).sum())

    def keep_beside(self, name: str, values: list[Any], first: int) -> None:
        """Keep a field that the format does not know, of nodes from the number `first` on."""
        objects = [json_bytes({name: value}) for value in values]
        lengths = np.array([len(each) for each in objects], dtype=np.int64)
        nodes = np.arange(first, first + len(objects))
        self._keep(nodes, lengths, np.frombuffer(b"".join(objects), dtype=np.uint8))

    def _keep(self, nodes: Array, lengths: Array, objects: Array) -> None:
        """Keep JSON objects of unknown fields; those of a name that a node has replace its own."""
        if not len(nodes):
            return
        _, place, count = np.unique(nodes, return_inverse=True, return_counts=True)
        again = (count[place] > 1) | self._extras.has(nodes)
        if again.any():
            begins = np.cumsum(lengths) - lengths
            fields: dict[int, Any] = {}
            for at in np.flatnonzero(again).tolist():
                node = int(nodes[at])
                if node not in fields:
                    has_some = bool(self._extras.has(nodes[at : at + 1])[0])
                    fields[node] = orjson.loads(self._extras.of_one(node).tobytes()) if has_some else {}
                fields[node] |= orjson.loads(objects[begins[at] : begins[at] + lengths[at]].tobytes())
            written = [json_bytes(each) for each in fields.values()]
            objects = objects[np.repeat(~again, lengths)]
            objects = np.concatenate([objects, np.frombuffer(b"".join(written), dtype=np.uint8)])
            nodes = np.concatenate([nodes[~again], np.fromiter(fields, dtype=np.int64, count=len(fields))])
            lengths = np.concatenate([lengths[~again], [len(each) for each in written]])
        self._extras.put(nodes, lengths, objects)

    def _take_keys(self, batch: FieldBuffers, numbers: Array, text_of: Array) -> None:
        for records, form, values in batch.keys:
            nodes = numbers[records]
            keys = values
            if form == "text":
                self._has_plain_texts |= not are_hex_keys(values)
                keys = self._codes(self._texts, values)[:-1]
            self._forms_seen.add(form)
            nodes, first, last = first_and_last(nodes, np.asarray(keys).astype(np.uint64))
            code = KEY_FORMS.index(form)
            before = self._key_forms.first(int(nodes.max()) + 1)[nodes]
            is_new = before == 0
            self._keys.put(nodes[is_new], first[is_new])
            self._key_forms.put(nodes[is_new], np.full(np.count_nonzero(is_new), code, np.uint8))
            self._note_left_keys(nodes, last, code)

    def _note_left_keys(self, nodes: Array, last: Array, form: int) -> None:
        """Note the keys that nodes state last, where these are others than their first."""
        keys = self._keys.first(int(nodes.max()) + 1)[nodes]
        forms = self._key_forms.first(int(nodes.max()) + 1)[nodes]
        codes = np.full(len(nodes), -1, np.int64)
        for at in np.flatnonzero((keys != last) | (forms != form)).tolist():
            text = self._text_of_key(int(last[at]), form)
            if text != self._text_of_key(int(keys[at]), int(forms[at])):
                codes[at] = self._texts.setdefault(text, len(self._texts))
        self._note_left("key", nodes, codes)

    def _text_of_key(self, key: int, form: int) -> str:
        if KEY_FORMS[form] == "text":
            return self.texts[key]
        return f"{key:016x}" if KEY_FORMS[form] == "hex" else str(key)

    def _take_tables(self, batch: FieldBuffers, numbers: Array) -> None:
        for name, pieces in (("factors", batch.factors), ("scores", batch.scores)):
            for records, matrix in pieces:
                self._matrix(name, matrix.shape[1]).put_matrix(numbers[records], matrix)
        if not batch.contributions:
            return
        code_of = self._codes(self._contributions, list(batch.contribution_names))
        table = np.full((len(numbers), len(batch.contribution_names)), np.nan)
        states = np.zeros(len(numbers), np.bool_)
        for piece in batch.contributions:
            piece.put(table)
            states[piece.nodes] = True
        matrix = np.full((int(states.sum()), len(self._contributions)), np.nan)
        matrix[:, code_of[:-1]] = table[states]
        self._matrix("contributions", len(self._contributions)).put_matrix(numbers[states], matrix)

    def _matrix(self, name: str, width: int) -> GrownArray:
        if name not in self._matrices:
            self._matrices[name] = GrownArray(np.nan, np.float64, width)
        return self._matrices[name]

    def _take_lists(self, batch: FieldBuffers, numbers: Array, text_of: Array) -> None:
        of_record = np.arange(len(numbers))
        for ours, theirs, is_text in (
            (self._plies, batch.plies, True),
            (self._pre_scores, batch.pre_scores, False),
        ):
            records, starts, flat = theirs.sealed(of_record)
            if len(records):
                ours.put(numbers[records], np.diff(starts), text_of[flat] if is_text else flat)

    @staticmethod
    def _codes(codes: dict[Any, int], names: list[Any]) -> Array:
        """The code of each name; one more at the end stands for -1, the absent one."""
        return np.array([*(codes.setdefault(name, len(codes)) for name in names), -1], dtype=np.int64)

    @property
    def has_one_form_of_keys(self) -> bool:
        """Whether keys of some nodes have the form that those of all have."""
        return len(self._forms_seen) <= 1

    @property
    def texts(self) -> list[str]:
        """Every distinct text so far; none is ever taken out or moved."""
        n_more = len(self._texts) - len(self._listed_texts)
        if n_more:
            self._listed_texts = [*self._listed_texts, *reversed(list(islice(reversed(self._texts), n_more)))]
        return self._listed_texts

    def frozen(self, n_nodes: int, n_open: int = 0) -> FrozenFields:
        """A copy of what is known of the first nodes, and behind them `n_open` open ones that say nothing."""
        frozen = FrozenFields(n_nodes, n_open)
        frozen.have_texts(dict(self._texts), self.texts, is_copy=True)
        self._copy_to(frozen, slice(0, n_nodes), n_nodes)
        frozen.iterations, frozen.unnumbered = dict(self._iterations), set(self._unnumbered)
        frozen.keep_unknown(self._extras.of(slice(0, n_nodes), n_nodes))
        return frozen

    def of(self, nodes: Array, n_nodes: int) -> FrozenFields:
        """A copy of what is known of some of the first nodes, which ascend, by their place in `nodes`.

        Keys have to be of one form: so no text is added that the log does not have.
        """
        assert self.has_one_form_of_keys
        frozen = FrozenFields(len(nodes), 0)
        frozen.have_texts(self._texts, self.texts, is_copy=False)
        self._copy_to(frozen, nodes, n_nodes)
        frozen.iterations = _picked(self._iterations, nodes)
        frozen.unnumbered = set(_picked(dict.fromkeys(self._unnumbered), nodes))
        frozen.keep_unknown(self._extras.of(nodes, n_nodes))
        return frozen

    def _copy_to(self, frozen: FrozenFields, nodes: Array | slice, n_nodes: int) -> None:
        for name, column in self._columns.items():
            frozen.grown[name] = column.first(n_nodes)[nodes]
        frozen.grown["given"] = self._given.first(n_nodes)[nodes]
        n_frozen = len(frozen.grown["given"])
        frozen.take_copies()
        frozen.players = dict(self._players)
        self._copy_keys(frozen, nodes, n_nodes)
        every = np.arange(n_frozen)
        for name, matrix in self._matrices.items():
            values = matrix.first(n_nodes)[nodes].copy()
            if name == "contributions":
                names = np.arange(values.shape[1])
                frozen.contributions.append(Contributions(every, None, names, values.ravel()))
                frozen.contribution_names = dict(self._contributions)
            else:
                getattr(frozen, name).append((every, values))
        frozen.plies = self._plies.of(nodes, n_nodes)
        frozen.pre_scores = self._pre_scores.of(nodes, n_nodes)

    def _copy_keys(self, frozen: FrozenFields, nodes: Array | slice, n_nodes: int) -> None:
        if not self._forms_seen:
            return
        forms, keys = self._key_forms.first(n_nodes)[nodes], self._keys.first(n_nodes)[nodes]
        is_part = not isinstance(nodes, slice)
        for code in sorted(map(KEY_FORMS.index, self._forms_seen)):
            stated = np.flatnonzero(forms == code)
            if is_part and not len(stated):
                continue
            values: Any = keys[stated]
            if KEY_FORMS[code] == "text":
                texts = self.texts
                values = [texts[index] for index in values.tolist()]
            frozen.keys.append((stated, KEY_FORMS[code], values))
        if self._has_plain_texts:
            frozen.keys.append((np.zeros(0, dtype=np.int64), "text", []))


def _picked(by_node: dict[int, T], nodes: Array) -> dict[int, T]:
    """The entries of `by_node` for `nodes`, which ascend, by the places of these."""
    if len(by_node) > len(nodes):
        return {at: by_node[node] for at, node in enumerate(nodes.tolist()) if node in by_node}
    wanted = np.fromiter(by_node, dtype=np.int64, count=len(by_node))
    at = np.searchsorted(nodes, wanted)
    is_there = at < len(nodes)
    is_there[is_there] = nodes[at[is_there]] == wanted[is_there]
    values = zip(by_node.values(), at.tolist(), is_there.tolist(), strict=True)
    return dict(sorted((place, value) for value, place, is_here in values if is_here))


def _stated(name: str, values: Array) -> Array:
    """Which values say something: a written null of alpha, or a NaN of it, does too."""
    if name in GIVEN:
        return np.ones(len(values), dtype=np.bool_)
    absent = COLUMNS[name].absent
    return ~np.isnan(values) if values.dtype.kind == "f" else np.asarray(values != absent)
