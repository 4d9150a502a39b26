"""The fields of a log that is being written; copies of them, for all nodes or for some, are sealed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.json_text import json_bytes, json_value
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers, Nodes, numbers_of
from plyscope.visualizer.formats.seal.grown import GrownLists
from plyscope.visualizer.formats.seal.node_fields import NodeFields, NodeOf
from plyscope.visualizer.store.log import KeyForm
from plyscope.visualizer.store.words import FIRST_STUB, OPEN

Array = npt.NDArray[Any]


class FrozenFields(NodeFields):
    """A copy of the fields at one moment, for sealing, which changes it while further nodes come."""

    def __init__(self, texts: list[str], key_form: KeyForm) -> None:
        super().__init__()
        self._listed, self._key_form = texts, key_form

    def listed_texts(self) -> list[str]:
        """The texts by number."""
        return self._listed

    def settle_keys(self) -> KeyForm:
        """Return the form that all keys have."""
        return self._key_form


class GrowingFields(NodeFields):
    """The fields of all nodes so far."""

    def __init__(self) -> None:
        super().__init__()
        self.n_stubs = 0
        """Rows that stand for siblings without rows."""
        self.plies, self.pre_scores = GrownLists(np.int32), GrownLists(np.float64)
        self._kept = GrownLists(np.uint8)
        """The unknown fields of nodes, as JSON objects."""
        self._listed: list[str] = []

    def listed_texts(self) -> list[str]:
        """The texts by number so far; numbers never change."""
        if self.texts.n_texts > len(self._listed):
            self._listed = [*self._listed, *self.texts.all(len(self._listed))]
        return self._listed

    def put(self, name: str, nodes: Nodes, values: Array) -> None:
        """Take the values of a column on some nodes; stubs are counted."""
        if name == "outcome":
            column = self._column(name)
            if isinstance(nodes, slice) and nodes.start >= len(column):
                self.n_stubs += int(np.count_nonzero(values >= FIRST_STUB))
            elif self.n_stubs or (values >= FIRST_STUB).any():
                distinct, last = np.unique(numbers_of(nodes)[::-1], return_index=True)
                before, now = column.first(self.n_nodes)[distinct], values[::-1][last]
                self.n_stubs += int((now >= FIRST_STUB).sum()) - int((before >= FIRST_STUB).sum())
        super().put(name, nodes, values)

    def take_extras(self, stated: FieldBuffers, node_of: NodeOf) -> None:
        """Take unknown fields."""
        if not stated.extras and not stated.unknown:
            return
        of_records = NodeFields()
        of_records.take_extras(stated, 0)
        n_most = self.n_nodes if isinstance(node_of, int) else len(node_of)
        records, starts, objects = of_records.sealed_extras(np.arange(n_most))
        nodes = records + node_of if isinstance(node_of, int) else node_of[records]
        self._keep(nodes, np.diff(starts), np.frombuffer(objects, dtype=np.uint8))

    def keep_of_all(self, name: str, values: list[Any], first: int) -> None:
        """Keep an unknown field of all nodes from the number `first` on."""
        objects = [json_bytes({name: value}) for value in values]
        lengths = np.array([len(each) for each in objects], dtype=np.int64)
        nodes = np.arange(first, first + len(objects))
        self._keep(nodes, lengths, np.frombuffer(b"".join(objects), dtype=np.uint8))

    def _keep(self, nodes: Array, lengths: Array, objects: Array) -> None:
        """Keep JSON objects of unknown fields; a later value of a name replaces the earlier one."""
        if not len(nodes):
            return
        _, place, count = np.unique(nodes, return_inverse=True, return_counts=True)
        again = (count[place] > 1) | self._kept.has(nodes)
        if again.any():
            begins = np.cumsum(lengths) - lengths
            fields: dict[int, Any] = {}
            for at in np.flatnonzero(again).tolist():
                node = int(nodes[at])
                if node not in fields:
                    has_some = bool(self._kept.has(nodes[at : at + 1])[0])
                    fields[node] = json_value(self._kept.of_one(node).tobytes()) if has_some else {}
                fields[node] |= json_value(objects[begins[at] : begins[at] + lengths[at]].tobytes())
            written = [json_bytes(each) for each in fields.values()]
            objects = objects[np.repeat(~again, lengths)]
            objects = np.concatenate([objects, np.frombuffer(b"".join(written), dtype=np.uint8)])
            nodes = np.concatenate([nodes[~again], np.fromiter(fields, dtype=np.int64, count=len(fields))])
            lengths = np.concatenate([lengths[~again], [len(each) for each in written]])
        self._kept.put(nodes, lengths, objects)

    def copied(self, n_open: int) -> FrozenFields:
        """A copy of the fields of all nodes, followed by `n_open` open nodes without fields."""
        n_nodes, key_form = self.n_nodes, self.settle_keys()
        copy = FrozenFields(self.listed_texts(), key_form)
        copy.objects = self._kept.so_far()
        copy.n_nodes = n_nodes + n_open
        copy.players = dict(self.players)
        copy.columns = {name: column.copied(n_nodes, n_open) for name, column in self.columns.items()}
        copy._given = self._given.copied(n_nodes, n_open)
        copy.tables = {name: table.copied(n_nodes, n_open) for name, table in self.tables.items()}
        copy.widths = {name: dict(each) for name, each in self.widths.items()}
        copy.contribution_names = dict(self.contribution_names)
        copy.plies, copy.pre_scores = self.plies.so_far(), self.pre_scores.so_far()
        if n_open:
            copy.put("outcome", slice(n_nodes, n_nodes + n_open), np.full(n_open, OPEN, np.uint8))
        copy.iterations, copy.unnumbered = dict(sorted(self.iterations.items())), self.unnumbered.copy()
        if copy.iterations:  # iterations of nodes that are no roots are kept as unknown fields
            stated = np.fromiter(copy.iterations, np.int64, len(copy.iterations))
            for node in stated[self._kept.has(stated)].tolist():
                copy.extras[node] = json_value(self._kept.of_one(node).tobytes())
        return copy
