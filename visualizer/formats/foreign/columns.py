"""The columns of a large foreign tree: each field's values, taken where they stand in the bytes.

What it makes of a node is what `nodes.NodeTeller` tells of it, field by field instead of node by node.

It is longer than 300 lines because what each role is told from stands in one place, as it does there.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.field_buffers import FieldBuffers
from plyscope.visualizer.formats.foreign import names
from plyscope.visualizer.formats.foreign.factors import Factors, terms_of
from plyscope.visualizer.formats.foreign.fields import is_pair, last_name, number, plain
from plyscope.visualizer.formats.foreign.layers import key_of
from plyscope.visualizer.formats.foreign.nodes import NUMBERS, told_for
from plyscope.visualizer.formats.foreign.reading import Reading
from plyscope.visualizer.formats.foreign.sliced_factors import read_sliced_terms
from plyscope.visualizer.formats.foreign.sliced_outline import SlicedOutline
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.large import scan_kernel, slices
from plyscope.visualizer.formats.large.scan import IrregularError
from plyscope.visualizer.formats.large.sorted_records import SortedRecords, Values, sort_records
from plyscope.visualizer.formats.large.unknown_fields import UnknownFields, Written
from plyscope.visualizer.formats.large.written_members import Rewritten, written_members
from plyscope.visualizer.store.columns import COLUMNS
from plyscope.visualizer.store.words import OUTCOMES

Array = npt.NDArray[Any]

WINDOWS: Final = ("window", "bounds", "alphabeta", "ab")
"""Plain names of fields whose values may be lists of two."""
LAYERS: Final = ("max", "min", "chance")
CLEARED: Final = "pruned"
KEY: Final = "(key)"
"""What leads to a node is called so where another field is its ply."""
MOST_PLAYERS: Final = 100
"""Players that are numbered here; a log of more is left to the patient reader."""
LARGEST: Final = {2: 2**15 - 1, 4: 2**31 - 1, 8: 2**63 - 1}
"""The largest whole number of so many bytes."""


class ColumnTeller:
    """Tells the fields of all nodes of a reading to buffers, piece by piece."""

    def __init__(self, reading: Reading, outline: SlicedOutline) -> None:
        self._reading, self._outline, self._data = reading, outline, outline.data
        self.buffers = FieldBuffers()
        self.buffers.unknown = UnknownFields(self._data, are_in_order=outline.are_in_order)
        self._roles: dict[str, list[str]] = {}
        """What is taken from each path."""
        for role, path in reading.taken.items():
            if role not in ("score", "iteration", "total"):
                self._roles.setdefault(path, []).append(role)
        layers = reading.layers
        if layers.path:
            self._roles.setdefault(layers.path, []).append("layer")
        for path in reading.taken["score"].split("|") if "score" in reading.taken else ():
            self._roles.setdefault(path, []).append("score")
        if any("|" in path for path in self._roles):
            raise IrregularError
        levels = reading.levels
        by_level = [LAYERS.index(word) for word in layers.by_level or ()]
        self._layers = np.array(by_level)[levels % 2] if by_level else np.full(len(levels), -1)
        self._cleared = np.zeros(len(levels), dtype=np.bool_)
        """Siblings that were never searched: of them only the ply is told."""
        if reading.factors is not None and not reading.factors.are_raw:
            for name in reading.factors.names:
                self.buffers.contribution_names.setdefault(name, len(self.buffers.contribution_names))

    def tell(self) -> FieldBuffers:
        """Take all that the nodes say. Raises IrregularError, and `Bad` for a value that no field takes."""
        if outcome := self._reading.taken.get("outcome"):
            for values in self._outline.slices(outcome):
                self._clear(outcome, values)
        if player := self._reading.taken.get("player"):
            self._number_players(player)
        for records in self._outline.pieces():
            self._take(records)
        known = np.flatnonzero(self._reading.known & ~self._cleared)
        self.buffers.put_numbers("score", self._reading.scores[known], known)
        nodes = np.flatnonzero(self._reading.are_means & ~self._cleared)
        if len(nodes):
            self.buffers.put_numbers("mean", self._reading.means[nodes], nodes)
        nodes = np.flatnonzero((self._layers >= 0) & ~self._cleared)
        self.buffers.put_repeated("layer", list(LAYERS), self._layers[nodes], nodes)
        iterations = {n: at for n, at in self._reading.iterations.items() if not self._cleared[n]}
        if iterations:
            nodes = np.fromiter(iterations, dtype=np.int64)
            self.buffers.put("iteration", list(iterations.values()), np.arange(len(nodes)), nodes)
        if self._outline.has_labels:
            self._tell_labels()
        assert self.buffers.unknown is not None
        self.buffers.unknown.finish()
        return self.buffers

    def _tell_labels(self) -> None:
        """Take what leads to each node for its ply, or keep it beside the fields where one is the ply."""
        texts, codes = list(self._outline.labels), self._outline.label_codes
        nodes = np.flatnonzero(codes >= 0)
        codes = codes[nodes]
        if "ply" not in self._reading.taken:
            self._put_cleared([[text] for text in texts], codes, nodes)
            is_told = ~self._cleared[nodes]
            if is_told.any():
                self.buffers.put_repeated("ply", texts, codes[is_told], nodes[is_told])
            return
        written = [json_bytes(text) for text in texts]
        sizes = np.array([len(text) for text in written])
        begins = np.cumsum(sizes) - sizes
        records = np.stack([nodes, np.zeros_like(nodes), begins[codes], sizes[codes]], axis=1)
        text = np.frombuffer(b"".join(written), dtype=np.uint8)
        assert self.buffers.unknown is not None
        every = np.ones(len(nodes), dtype=np.bool_)
        self.buffers.unknown.put(records, {0: KEY}, Written(every, text))

    def _clear(self, path: str, values: Values) -> None:
        """Find the siblings that were never searched: leaves with the flag and without a score."""
        reading = self._reading
        if last_name(path) in names.ENDED:
            return
        distinct, codes = self._data.distinct(values.begins, values.sizes)
        nodes = values.nodes[np.array([value is True for value in distinct], dtype=np.bool_)[codes]]
        is_cleared = ~reading.has_children[nodes] & ~reading.known[nodes] & (reading.parents[nodes] >= 0)
        self._cleared[nodes[is_cleared]] = True

    def _take(self, piece: SortedRecords) -> None:
        """Take the records of some nodes; what no field takes whole stays as it was."""
        stays = np.ones(piece.columns.shape[1], dtype=np.bool_)
        for name in (scan_kernel.CHILDREN, piece.left_out):
            stays[piece.part(name)] = False
        rewritten: Rewritten | None = None
        for name, label in enumerate(self._outline.labels_seen):
            inner = [path for path in self._roles if path.startswith(f"{label}.")]
            if label not in self._roles and not inner:
                continue
            values, part = piece.of(name), piece.part(name)
            if not len(values.nodes):
                continue
            if label in self._roles:
                stays[part] = ~self._told(label, values)
            if plain(label) in WINDOWS:
                stays[part] &= ~self._told_pairs(label, values)
            if inner and name in self._outline.inner:
                for path in inner:
                    number = self._outline.inner[name].get(path.partition(".")[2], -1)
                    if number >= 0 and len((inside := piece.of(number)).nodes):
                        stays[piece.part(number)] = ~self._told(path, inside)
            elif inner:
                rest = self._open(label, values)
                stays[part][rest.sizes == 0] = False
                rewritten = _with_rest(rewritten, len(stays), part, rest)
        if stays.any():
            assert self.buffers.unknown is not None
            self.buffers.unknown.put_sorted(piece, stays, self._names, rewritten)

    @cached_property
    def _names(self) -> dict[int, str]:
        """The names of all records by number."""
        names = dict(enumerate(self._outline.labels_seen))
        for inner in self._outline.inner.values():
            names |= {number: label for label, number in inner.items()}
        return names

    def _open(self, label: str, values: Values) -> Rewritten:
        """Take what is inside the objects that are values of `label`; returns what is left of each.

        The place is -1 and the size 1 where nothing was taken, the size 0 where nothing is left.
        """
        members = self._outline.members(label)
        found = members.of(values.begins, values.sizes)
        piece = sort_records(self._data, found, np.int64)
        stays = np.ones(len(found), dtype=np.bool_)
        for name, inner in enumerate(members.labels):
            if f"{label}.{inner}" in self._roles:
                of, begins, sizes = piece.of(name)
                inside = Values(values.nodes[of], begins, sizes)
                stays[piece.part(name)] = ~self._told(f"{label}.{inner}", inside)
        of_objects = piece.columns[0]
        is_touched = np.zeros(len(values.nodes), dtype=np.bool_)
        is_touched[of_objects[~stays]] = True
        stays &= is_touched[of_objects]
        begins, sizes = np.full(len(values.nodes), -1, dtype=np.int64), np.where(is_touched, 0, 1)
        left = written_members(self._data, piece, stays, dict(enumerate(members.labels)))
        lengths = left.lengths.astype(np.int64) + 2
        begins[left.nodes], sizes[left.nodes] = np.cumsum(lengths) - lengths, lengths
        return Rewritten(begins, sizes, left.text)

    def _told_pairs(self, label: str, values: Values) -> Array:
        """Take lists of two, which are a window; which of the values are such."""
        roles = [self._roles.get(f"{label}.{at}", []) for at in (0, 1)]
        pairs = np.empty((len(values.nodes), 2))
        if self._data.run(slices.read_lists)(
            self._data.array, values.begins, values.sizes, 2, pairs.reshape(-1)
        ):
            is_pair_of = np.ones(len(pairs), dtype=np.bool_)
        else:
            distinct, codes = self._data.distinct(values.begins, values.sizes)
            if any(isinstance(value, dict) and {"0", "1"} & set(value) for value in distinct):
                raise IrregularError
            is_pair_of = np.array([is_pair(value) for value in distinct])[codes]
            told = [value if is_pair(value) else (None, None) for value in distinct]
            pairs = np.array([[np.nan if x is None else number(x) for x in pair] for pair in told])[codes]
            if any(np.isnan(number(x) or 0.0) for pair in told for x in pair if x is not None):
                raise IrregularError
        for at, of_place in enumerate(roles):
            for role in of_place:
                if role not in ("alpha", "beta"):
                    raise IrregularError
                numbers = pairs[is_pair_of, at]
                numbers[np.isnan(numbers)] = -np.inf if role == "alpha" else np.inf
                self._put_numbers(role, numbers, values.nodes[is_pair_of])
        return is_pair_of if any(roles) else np.zeros(len(pairs), dtype=np.bool_)

    def _told(self, path: str, values: Values) -> Array:
        """Take the values at `path` for its roles; which of them are told whole."""
        whole = np.zeros(len(values.nodes), dtype=np.bool_)
        for role in self._roles[path]:
            whole |= self._told_as(role, path, values)
        return whole

    def _told_as(self, role: str, path: str, values: Values) -> Array:
        n_values = len(values.nodes)
        whole = np.ones(n_values, dtype=np.bool_)
        score = self._reading.taken.get("score", "")
        if role == "score" and "|" in score:
            return np.asarray(self._outline.is_whole[score][values.nodes])
        if role == "factors" and (is_whole := self._told_terms(path, values)) is not None:
            return is_whole
        if role in NUMBERS:
            read, is_read = np.empty(n_values), np.zeros(n_values, dtype=np.bool_)
            self._data.run(slices.read_numbers)(self._data.array, values.begins, values.sizes, read, is_read)
            if role != "score":
                self._put_numbers(role, read[is_read], values.nodes[is_read])
            whole[~is_read] = self._told_by_value(role, path, values.where(~is_read))
            return whole
        return self._told_by_value(role, path, values)

    def _put_numbers(self, role: str, numbers: Array, nodes: Array) -> None:
        numbers, nodes = numbers[~self._cleared[nodes]], nodes[~self._cleared[nodes]]
        dtype = COLUMNS[role].dtype
        if not np.issubdtype(dtype, np.floating):
            if not (
                (numbers % 1 == 0) & (numbers >= 0) & (numbers <= LARGEST[np.dtype(dtype).itemsize])
            ).all():
                raise IrregularError
            numbers = numbers.astype(np.int64)
        self.buffers.put_numbers(role, numbers, nodes)

    def _told_by_value(self, role: str, path: str, values: Values) -> Array:
        """Take values by what each distinct one tells."""
        if not len(values.nodes):
            return np.zeros(0, dtype=np.bool_)
        distinct, codes = self._data.distinct(values.begins, values.sizes)
        if role == "layer":
            return self._told_layers(distinct, codes, values.nodes)
        if role == "outcome":
            return self._told_outcomes(path, distinct, codes, values.nodes)
        if role == "factors":
            assert self._reading.factors is not None
            return self._told_factors(self._reading.factors, distinct, codes, values.nodes)
        told = [told_for(role, value) for value in distinct]
        whole = np.array([is_all or value is None for value, (_, is_all) in zip(distinct, told, strict=True)])
        if role == "score":
            return whole[codes]
        texts = [said for said, _ in told]
        keeps = np.array([said is not None for said in texts])
        if role in ("alpha", "beta"):
            keeps |= np.array([value is None for value in distinct])
        is_told = keeps[codes]
        if role == "ply":
            self._put_cleared([None if said is None else [said] for said in texts], codes, values.nodes)
        is_told &= ~self._cleared[values.nodes]
        if is_told.any():
            if is_told.all():  # then each of the distinct values is used
                self.buffers.put_repeated(role, texts, codes, values.nodes)
            else:
                used, chosen = np.unique(codes[is_told], return_inverse=True)
                self.buffers.put_repeated(role, [texts[code] for code in used], chosen, values.nodes[is_told])
        return whole[codes]

    def _number_players(self, path: str) -> None:
        """Number the players in the order of the nodes that first name them, as `NodeTeller` does."""
        first: dict[str, int] = {}
        for values in self._outline.slices(path):
            distinct, codes = self._data.distinct(values.begins, values.sizes)
            for code, value in enumerate(distinct):
                name, _ = told_for("player", value)
                nodes = values.nodes[codes == code] if name is not None else values.nodes[:0]
                nodes = nodes[~self._cleared[nodes]]
                if len(nodes):
                    first[name] = min(first.get(name, len(self._cleared)), int(nodes.min()))
            if len(first) > MOST_PLAYERS:
                raise IrregularError
        for name in sorted(first, key=first.__getitem__):
            self.buffers.players[name] = len(self.buffers.players)

    def _put_cleared(self, plies: list[list[str] | None], codes: Array, nodes: Array) -> None:
        """Tell the plies of siblings that were never searched as a stub does."""
        is_cleared = self._cleared[nodes] & np.array([each is not None for each in plies])[codes]
        if is_cleared.any():
            told = [plies[code] for code in codes[is_cleared].tolist()]
            self.buffers.put("plies", told, np.arange(len(told)), nodes[is_cleared])

    def _told_layers(self, distinct: list[Any], codes: Array, nodes: Array) -> Array:
        layers = self._reading.layers
        words = [layers.of.get(key_of(value)) for value in distinct]
        numbers = np.array([-1 if word is None else LAYERS.index(word) for word in words])[codes]
        self._layers[nodes[numbers >= 0]] = numbers[numbers >= 0]
        if layers.is_player:
            return np.zeros(len(nodes), dtype=np.bool_)
        return np.asarray(self._layers[nodes] >= 0)

    def _told_outcomes(self, path: str, distinct: list[Any], codes: Array, nodes: Array) -> Array:
        """Say how visits ended, as `NodeTeller` does node by node."""
        values = [distinct[code] for code in codes.tolist()]
        has_children = self._reading.has_children[nodes].tolist()
        cleared = self._cleared[nodes].tolist()
        has_ended = last_name(path) in names.ENDED
        outcomes = [
            value
            if isinstance(value, str) and value in OUTCOMES[1:]
            else "terminal"
            if value is True and has_ended
            else "cutoff"
            if value is True and inner
            else CLEARED
            if is_cleared
            else None
            for value, inner, is_cleared in zip(values, has_children, cleared, strict=True)
        ]
        is_told = np.array([outcome is not None for outcome in outcomes])
        if is_told.any():
            told = [outcome for outcome in outcomes if outcome is not None]
            self.buffers.put("outcome", told, np.arange(len(told)), nodes[is_told])
        if any(cleared):
            of_one = nodes[np.array(cleared)]
            self.buffers.put("count", [1] * len(of_one), np.arange(len(of_one)), of_one)
        return np.asarray(is_told | np.array([value is False for value in values]))

    def _told_terms(self, path: str, values: Values) -> Array | None:
        """Take the terms of evaluations; None where these are read value by value."""
        factors = self._reading.factors
        assert factors is not None
        read = read_sliced_terms(self._data, self._outline.members(path), values, factors.listed)
        if read is None:
            return None
        nodes = values.nodes[read.is_told]
        if not len(nodes):
            return read.is_whole
        if not factors.are_raw:
            self.buffers.put_contributions(nodes, read.terms, read.names)
            return read.is_whole
        places = {name: at for at, name in enumerate(factors.names)}
        of_code = np.array([places.get(name, 0) for name in read.names])
        matrix = np.full((len(nodes), len(places)), np.nan)
        matrix[read.terms.objects, of_code[read.terms.codes]] = read.terms.numbers
        self.buffers.put_factors(matrix, nodes)
        return read.is_whole

    def _told_factors(self, factors: Factors, distinct: list[Any], codes: Array, nodes: Array) -> Array:
        terms = [terms_of(value, factors.listed) for value in distinct]
        whole = np.array(
            [of is not None and len(value) == len(of) for value, of in zip(distinct, terms, strict=True)]
        )
        is_told = np.array([bool(of) for of in terms])[codes]
        if is_told.any():
            field = "factors" if factors.are_raw else "contributions"
            told = [factors.fields(of)[field] if of else None for of in terms]
            self.buffers.put(
                field,
                [told[code] for code in codes[is_told].tolist()],
                np.arange(is_told.sum()),
                nodes[is_told],
            )
        return whole[codes]


def _with_rest(rewritten: Rewritten | None, n_records: int, part: slice, rest: Rewritten) -> Rewritten:
    """Add what is left of the objects that are the records of a part."""
    if rewritten is None:
        begins, sizes = np.full(n_records, -1, dtype=np.int64), np.zeros(n_records, dtype=np.int64)
        rewritten = Rewritten(begins, sizes, np.zeros(0, dtype=np.uint8))
    is_there = rest.begins >= 0
    rewritten.begins[part][is_there] = len(rewritten.text) + rest.begins[is_there]
    rewritten.sizes[part][is_there] = rest.sizes[is_there]
    return rewritten._replace(text=np.concatenate([rewritten.text, rest.text]))
