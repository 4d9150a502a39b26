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

from plyscope.visualizer.formats.field_buffers import Contributions, FieldBuffers, are_hex_keys
from plyscope.visualizer.formats.following.open_path import with_room
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.ragged import Ragged
from plyscope.visualizer.store.columns import COLUMNS, CORE, GIVEN, PLACES, absent_column
from plyscope.visualizer.store.fields import FIELDS
from plyscope.visualizer.store.words import FIRST_STUB, OPEN

Array = npt.NDArray[Any]
T = TypeVar("T")

LEAST_ROOM: Final = 4096
TEXT_COLUMNS: Final = frozenset(
    field.column for field in FIELDS.values() if field.kind in ("text", "long text")
)
KEY_FORMS: Final = ("", "hex", "number", "text")


class GrownArray:
    """An array that grows at its end; its first axis is nodes."""

    def __init__(self, absent: float, dtype: Any, width: int | None = None) -> None:
        self._absent = absent
        self._values = np.full((0,) if width is None else (0, width), absent, dtype=dtype)

    def __len__(self) -> int:
        """Nodes that there is room for."""
        return len(self._values)

    @property
    def width(self) -> int:
        """Columns of a matrix."""
        return int(self._values.shape[1])

    def put(self, nodes: Array, values: Array) -> None:
        """Write the values of some nodes; of several of one node the last counts."""
        if not len(nodes):
            return
        self.make_room(int(nodes.max()) + 1)
        self._values[nodes] = values

    def put_matrix(self, nodes: Array, values: Array) -> None:
        """Write rows of a matrix, which becomes as wide as the widest; what a row lacks is absent."""
        if values.shape[1] > self.width:
            wider = np.full((len(self._values), values.shape[1]), self._absent, self._values.dtype)
            wider[:, : self.width] = self._values
            self._values = wider
        self.make_room(int(nodes.max()) + 1)
        self._values[nodes] = self._absent
        self._values[nodes[:, None], np.arange(values.shape[1])] = values

    def make_room(self, n_nodes: int) -> None:
        """Have room for so many nodes."""
        if n_nodes > len(self._values):
            room = max(LEAST_ROOM, n_nodes, 2 * len(self._values))
            grown = np.full((room, *self._values.shape[1:]), self._absent, dtype=self._values.dtype)
            grown[: len(self._values)] = self._values
            self._values = grown

    def first(self, n_nodes: int) -> Array:
        """The values of the first nodes, to be read at once: they may be written again."""
        self.make_room(n_nodes)
        return self._values[:n_nodes]


class GrownLists:
    """Lists of numbers on some nodes; the last list put on a node counts."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._begins = GrownArray(0, np.int64)
        self._lengths = GrownArray(-1, np.int64)
        self._flat = np.empty(0, dtype=dtype)
        self._n_items = 0

    def put(self, nodes: Array, lengths: Array, flat: Array) -> None:
        """Node `nodes[i]` has the next `lengths[i]` entries of `flat`."""
        n_items = self._n_items + len(flat)
        self._flat = with_room(self._flat, self._n_items, n_items)
        self._flat[self._n_items : n_items] = flat
        self._begins.put(nodes, self._n_items + np.cumsum(lengths) - lengths)
        self._lengths.put(nodes, lengths)
        self._n_items = n_items

    def of(self, nodes: Array | slice, n_nodes: int) -> Ragged:
        """A copy of the lists of some of the first nodes, by their place in `nodes`."""
        lists = Ragged(self._flat.dtype.type)
        if self._n_items or len(self._lengths):
            lengths, begins = self._lengths.first(n_nodes)[nodes], self._begins.first(n_nodes)[nodes]
            targets = np.flatnonzero(lengths >= 0)
            lengths, begins = lengths[targets], begins[targets]
            places = np.cumsum(lengths) - lengths
            picks = np.arange(lengths.sum()) + np.repeat(begins - places, lengths)
            lists.put(targets, lengths, self._flat[picks])
        return lists


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
        self._extras: dict[int, bytes] = {}

    def take(self, batch: FieldBuffers, numbers: Array) -> None:
        """Take the fields of a batch's records; `numbers[i]` is the arrival number of the i-th one's node."""
        texts = batch.texts
        text_of = self._codes(self._texts, texts)
        player_of = self._codes(self._players, list(batch.players))
        columns = batch.columns(len(numbers))
        given = columns.pop("given")
        stated = given != 0
        if stated.any():
            self._given.make_room(int(numbers.max()) + 1)
            np.bitwise_or.at(self._given.first(int(numbers.max()) + 1), numbers[stated], given[stated])
        for name, values in columns.items():
            where = _stated(name, values, given)
            if not where.any():
                continue
            chosen = values[where]
            if name in TEXT_COLUMNS:
                chosen = text_of[chosen]
            elif name == "player":
                chosen = player_of[chosen]
            column = self._columns.get(name)
            if column is None:
                kind = COLUMNS[name]
                column = self._columns[name] = GrownArray(kind.absent, kind.dtype)
            if name == "outcome":
                self._count_stubs(column, numbers[where], chosen)
            column.put(numbers[where], chosen)
        self._take_keys(batch, numbers, text_of)
        self._take_tables(batch, numbers)
        self._take_lists(batch, numbers, text_of)
        self._iterations |= {int(numbers[record]): value for record, value in batch.iterations.items()}
        self._unnumbered |= {int(numbers[record]) for record in batch.unnumbered}
        records, starts, objects = batch.sealed_extras(np.arange(len(numbers)))
        for at, number in enumerate(numbers[records].tolist()):
            self._keep(number, bytes(objects[int(starts[at]) : int(starts[at + 1])]))

    def _count_stubs(self, outcomes: GrownArray, nodes: Array, stated: Array) -> None:
        """Count the rows that stand for siblings without rows, before their outcomes are put."""
        last = len(nodes) - 1 - np.unique(nodes[::-1], return_index=True)[1]
        before = outcomes.first(int(nodes.max()) + 1)[nodes[last]]
        self.n_stubs += int((stated[last] >= FIRST_STUB).sum()) - int((before >= FIRST_STUB).sum())

    def keep_beside(self, number: int, name: str, value: Any) -> None:
        """Keep a field that the format does not know."""
        self._keep(number, json_bytes({name: value}))

    def _keep(self, number: int, extras: bytes) -> None:
        """Keep a JSON object of unknown fields; those of a name that the node has replace its own."""
        before = self._extras.get(number)
        if before is not None and before != extras:
            extras = json_bytes(orjson.loads(before) | orjson.loads(extras))
        self._extras[number] = extras

    def _take_keys(self, batch: FieldBuffers, numbers: Array, text_of: Array) -> None:
        for records, form, values in batch.keys:
            nodes = numbers[records]
            keys = values
            if form == "text":
                self._has_plain_texts |= not are_hex_keys(values)
                keys = self._codes(self._texts, values)[:-1]
            self._forms_seen.add(form)
            self._keys.put(nodes, np.asarray(keys).astype(np.uint64))
            self._key_forms.put(nodes, np.full(len(nodes), KEY_FORMS.index(form), np.uint8))

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
        frozen.keep_unknown(dict(self._extras))
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
        frozen.keep_unknown(_picked(self._extras, nodes))
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


class FrozenFields(FieldBuffers):
    """What a log that grows had so far, as sealing takes it: the columns are there already."""

    def __init__(self, n_nodes: int, n_open: int) -> None:
        super().__init__()
        self._n_nodes, self._n_open = n_nodes, n_open
        self.grown: dict[str, Array] = {}
        self._listed: list[str] = []
        self._has_copy = True
        self.blobs: dict[int, bytes] = {}
        """The unknown fields of nodes as JSON, but of those in `extras`."""

    def take_copies(self) -> None:
        """Copy the columns, which go on changing, with room for the open nodes behind."""
        n_rows = self._n_nodes + self._n_open
        for name, values in self.grown.items():
            absent = 0 if name == "given" else COLUMNS[name].absent
            column = np.empty(n_rows, dtype=values.dtype)
            column[: self._n_nodes] = values
            column[self._n_nodes :] = absent
            self.grown[name] = column

    def have_texts(self, texts: dict[str, int], listed: list[str], *, is_copy: bool) -> None:
        """Have these texts, by their numbers; `listed` are the same in order.

        Where it `is_copy`, texts may be added, as keys of several forms are.
        """
        self._texts, self._listed, self._has_copy = texts, listed, is_copy

    @property
    def texts(self) -> list[str]:
        """Every distinct text."""
        has_more = self._has_copy and len(self._texts) > len(self._listed)
        return list(self._texts) if has_more else self._listed

    def keep_unknown(self, blobs: dict[int, bytes]) -> None:
        """Have these unknown fields, as JSON; those of roots may get another beside them."""
        self.extras = {node: orjson.loads(blobs.pop(node)) for node in self.iterations if node in blobs}
        self.blobs = blobs

    def columns(self, n_nodes: int) -> dict[str, Array]:
        """The columns in order of arrival; given up, since sealing changes them."""
        columns, self.grown = self.grown, {}
        for each in CORE[len(PLACES) :]:
            columns.setdefault(each.name, absent_column(each.name, n_nodes))
        columns["outcome"][self._n_nodes :] = OPEN
        return columns

    def sealed_extras(self, row_of: Array) -> tuple[Array, Array, bytes]:
        """The unknown fields of each row that has some, as JSON objects end to end."""
        blobs = self.blobs | {node: json_bytes(extras) for node, extras in self.extras.items()}
        ragged = Ragged(np.uint8)
        if blobs:
            lengths = np.fromiter(map(len, blobs.values()), dtype=np.int64, count=len(blobs))
            targets = np.fromiter(blobs, dtype=np.int64, count=len(blobs))
            ragged.put(targets, lengths, np.frombuffer(b"".join(blobs.values()), dtype=np.uint8))
        rows, starts, blob = ragged.sealed(row_of)
        return rows, starts, blob.tobytes()


def _picked(by_node: dict[int, T], nodes: Array) -> dict[int, T]:
    """What `nodes`, which ascend, have of `by_node`, by their places."""
    if len(by_node) > len(nodes):
        return {at: by_node[node] for at, node in enumerate(nodes.tolist()) if node in by_node}
    wanted = np.fromiter(by_node, dtype=np.int64, count=len(by_node))
    at = np.searchsorted(nodes, wanted)
    is_there = at < len(nodes)
    is_there[is_there] = nodes[at[is_there]] == wanted[is_there]
    values = zip(by_node.values(), at.tolist(), is_there.tolist(), strict=True)
    return dict(sorted((place, value) for value, place, is_here in values if is_here))


def _stated(name: str, values: Array, given: Array) -> Array:
    """The records that state a column: a written null of alpha, or a NaN, is stated too."""
    absent = COLUMNS[name].absent
    there = ~np.isnan(values) if values.dtype.kind == "f" else values != absent
    return there | (given & GIVEN[name] > 0) if name in GIVEN and name != "key" else there
