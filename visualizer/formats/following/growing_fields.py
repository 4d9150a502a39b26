"""The fields of a log that is being written; copies of them, for all nodes or for some, are sealed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.json_text import json_texts
from plyscope.visualizer.formats.seal.field_buffers import Nodes, numbers_of
from plyscope.visualizer.formats.seal.node_fields import NodeFields
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
        self._listed: list[str] = []

    def texts_so_far(self) -> list[str]:
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

    def keep_of_all(self, name: str, values: list[Any], first: int) -> None:
        """Keep an unknown field of all nodes from the number `first` on."""
        nodes = np.arange(first, first + len(values))
        self.extras.put_texts(nodes, self.extras.members.number("", name), *json_texts(values))

    def copied(self, n_open: int) -> FrozenFields:
        """A copy of the fields of all nodes, followed by `n_open` open nodes without fields."""
        n_nodes, key_form = self.n_nodes, self.settle_keys()
        copy = FrozenFields(self.texts_so_far(), key_form)
        copy.extras = self.extras.copied()
        copy.n_nodes = n_nodes + n_open
        copy.players = dict(self.players)
        copy.columns = {name: column.copied(n_nodes, n_open) for name, column in self.columns.items()}
        copy._given = self._given.copied(n_nodes, n_open)
        copy.tables = {name: table.copied(n_nodes, n_open) for name, table in self.tables.items()}
        copy.widths = {name: dict(each) for name, each in self.widths.items()}
        copy.contribution_names = dict(self.contribution_names)
        copy.plies, copy.pre_scores = self.plies.copied(), self.pre_scores.copied()
        if n_open:
            copy.put("outcome", slice(n_nodes, n_nodes + n_open), np.full(n_open, OPEN, np.uint8))
        copy.iterations, copy.unnumbered = dict(sorted(self.iterations.items())), self.unnumbered.copy()
        return copy
