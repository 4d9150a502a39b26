"""The fields of a growing log as they were at one moment, in the form that sealing takes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers
from plyscope.visualizer.formats.seal.ragged import Ragged
from plyscope.visualizer.store.columns import COLUMNS, CORE, PLACES, absent_column
from plyscope.visualizer.store.words import OPEN

Array = npt.NDArray[Any]


class FrozenFields(FieldBuffers):
    """The fields of a growing log at one moment, as sealing takes them: the columns are there already."""

    def __init__(self, n_nodes: int, n_open: int) -> None:
        super().__init__()
        self._n_nodes, self._n_open = n_nodes, n_open
        self.grown: dict[str, Array] = {}
        self._listed: list[str] = []
        self._has_copy = True
        self._objects = Ragged(np.uint8)
        """The unknown fields of nodes as JSON; what is in `extras` counts instead."""

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

    def keep_unknown(self, objects: Ragged) -> None:
        """Have these unknown fields, as JSON; those of roots may get another beside them."""
        self._objects = objects
        if self.iterations:
            nodes, starts, blob = objects.sealed(np.arange(self._n_nodes))
            places = dict(zip(nodes.tolist(), pairwise(starts.tolist()), strict=True))
            self.extras = {
                node: orjson.loads(blob[slice(*places[node])].tobytes())
                for node in self.iterations
                if node in places
            }

    def columns(self, n_nodes: int) -> dict[str, Array]:
        """The columns in order of arrival; given up, since sealing changes them."""
        columns, self.grown = self.grown, {}
        for each in CORE[len(PLACES) :]:
            columns.setdefault(each.name, absent_column(each.name, n_nodes))
        columns["outcome"][self._n_nodes :] = OPEN
        return columns

    def sealed_extras(self, row_of: Array) -> tuple[Array, Array, bytes]:
        """The unknown fields of each row that has some, as JSON objects end to end."""
        if self.extras:
            objects = [json_bytes(fields) for fields in self.extras.values()]
            lengths = np.fromiter(map(len, objects), dtype=np.int64, count=len(objects))
            targets = np.fromiter(self.extras, dtype=np.int64, count=len(objects))
            self._objects.put(targets, lengths, np.frombuffer(b"".join(objects), dtype=np.uint8))
        rows, starts, blob = self._objects.sealed(row_of)
        return rows, starts, blob.tobytes()
