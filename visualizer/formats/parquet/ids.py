"""Ids mapped to rows: of nodes, of their parents, of the nodes that stored table entries.

Where several files are one table, an id refers to a row of its own file.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.parquet.cell_values import Dictionary, any_whole_numbers, fail, said
from plyscope.visualizer.formats.parquet.opened_file import TEXTS, Cell, OpenedFile
from plyscope.visualizer.formats.parquet.schema import PARENT
from plyscope.visualizer.formats.read.records import NO_PARENT
from plyscope.visualizer.formats.write.written_ids import LARGEST_ID

Array = npt.NDArray[Any]

NONE: Final = -1
"""Stands for an id that is not stated."""
NOWHERE: Final = -2
"""Stands for an id that no node has."""


class Ids:
    """The ids of a file: whole numbers, or texts, which are mapped to their codes. Raises LogError."""

    def __init__(self, file: OpenedFile) -> None:
        self._file = file
        cell = file.cells["id"]
        self._texts = Dictionary(file, "ids", [cell]) if cell.kind in TEXTS else None
        self._ids, stated = self._numbers(cell)
        if not stated.all():
            raise fail(int(np.argmin(stated)), cell, "found no value, expected an id on each row")
        self._orders: list[Array | None] = []
        for first, last in pairwise(file.starts.tolist()):
            ids = self._ids[first:last]
            order = None if np.array_equal(ids, np.arange(len(ids))) else np.argsort(ids, kind="stable")
            self._orders.append(order)
            if order is not None:
                in_order = ids[order]
                same = np.flatnonzero(in_order[1:] == in_order[:-1])
                if len(same):
                    second = first + int(order[same + 1].min())
                    message = f"the id {said(file, cell, second)} was seen before, expected each once"
                    raise fail(second, cell, message)
        self.are_ours = self._texts is None and self._ids.min() >= 0 and self._ids.max() <= LARGEST_ID
        """Whether they can be the ids of a log; others are kept as they are written."""

    @property
    def column(self) -> Array:
        """The ids of the log: those of the file, or row numbers."""
        return self._ids if self.are_ours else np.arange(self._file.n_rows, dtype=np.int64)

    def parents(self) -> Array:
        """By row, the row of its parent, -1 at roots; raises LogError for a missing parent."""
        cell = self._file.cells[PARENT]
        rows = self.rows_of(cell)
        if (rows == NOWHERE).any():
            rows[(rows == NOWHERE) & self._names_none(cell)] = NONE
        if (rows == NOWHERE).any():
            row = int(np.argmax(rows == NOWHERE))
            parent = said(self._file, cell, row)
            message = f"the parent {parent} never comes, expected the id of a node, or null at a root"
            raise fail(row, cell, message)
        return rows

    def _names_none(self, cell: Cell) -> Array:
        """True where the parent is the value that writers without a null give a root."""
        if self._texts is None:
            wanted, _ = self._numbers(cell)
            return np.asarray(wanted == NO_PARENT[0])
        sentinels = ", ".join(f"'{each}'" for each in NO_PARENT)
        return np.asarray(
            self._file.column(f"COALESCE(CAST({cell.sql} AS VARCHAR) IN ({sentinels}), false)"),
            dtype=np.bool_,
        )

    def rows_of(self, cell: Cell) -> Array:
        """By row, the row that it refers to, `NONE` where it states none, `NOWHERE` where that is no node."""
        wanted, stated = self._numbers(cell)
        rows = np.full(self._file.n_rows, NOWHERE, dtype=np.int64)
        for (first, last), order in zip(pairwise(self._file.starts.tolist()), self._orders, strict=True):
            named = wanted[first:last]
            if order is None:
                is_there, places = (named >= 0) & (named < last - first), named
            elif len(order):
                in_order = self._ids[first:last][order]
                at = np.minimum(np.searchsorted(in_order, named), len(order) - 1)
                is_there, places = in_order[at] == named, order[at]
            else:
                continue
            rows[first:last] = np.where(is_there, places + first, NOWHERE)
        return np.where(stated, rows, NONE)

    def _numbers(self, cell: Cell) -> tuple[Array, Array]:
        """The ids in a column as numbers, and a mask of the stated ones."""
        if self._texts is None:
            return any_whole_numbers(self._file, cell)
        is_stated = self._file.column(f"{cell.sql} IS NOT NULL")
        return self._texts.codes(cell).astype(np.int64), np.asarray(is_stated, dtype=np.bool_)
