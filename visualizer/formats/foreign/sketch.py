"""A copy of a large document with its tree cut short: all around the tree, and its first nodes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.find.halves import without_half
from plyscope.visualizer.formats.json_text import json_values
from plyscope.visualizer.formats.tape.batch import Batch
from plyscope.visualizer.formats.tape.form import NOT_KEPT, TOP, WITHIN
from plyscope.visualizer.formats.tape.kinds import LIST
from plyscope.visualizer.formats.tape.reading import TapeReading
from plyscope.visualizer.formats.tape.tape import Piece
from plyscope.visualizer.formats.tape.writing import Writer

Array = npt.NDArray[Any]

MOST_ITEMS: Final = 64
"""The most items of a list around a tree, or lines of nodes, that are copied from a piece of the document."""


class Sketcher:
    """Copies a document with its tree cut short: all around the tree, and its first nodes, if any."""

    def __init__(
        self, reading: TapeReading, n_nodes: int, *, most_items: int = MOST_ITEMS, deepest: int | None = None
    ) -> None:
        """`deepest`: leave out what more containers are around than so many."""
        self._tape, self._n_nodes, self._most_items = reading.tape, n_nodes, most_items
        self._deepest = deepest
        self._writer = Writer(reading.tape, to_be_read=True)

    def take(self, batch: Batch) -> None:
        """Take one batch."""
        assert batch.piece is not None
        is_shown = batch.node < self._n_nodes if self._n_nodes else batch.node < 0
        level = is_shown * np.uint8(WITHIN)
        tops = np.flatnonzero(batch.piece.up == -1)
        is_shown[tops[: self._most_items]] = True
        level[tops[is_shown[tops] | (batch.node[tops] < 0)]] = TOP
        level[_rows_beyond(batch.piece, np.flatnonzero(batch.node < 0), self._most_items)] = NOT_KEPT
        if self._deepest is not None:
            level[(_depths(batch.piece) > self._deepest) & (batch.piece.end > 0)] = NOT_KEPT
        self._writer.write(batch.piece, level)

    def value(self, *, in_lines: bool = False) -> Any:
        """The copy so far, with its containers closed, or a list of documents in lines. None if empty."""
        self._writer.finish()
        taken = self._writer.taken()
        if taken is None:
            return [] if in_lines else None
        _, begins, text = taken
        values = json_values(text.tobytes(), begins.tolist())
        document = values if in_lines else values[0]
        if self._tape.is_cut:
            document = without_half(document, self._tape.depth + in_lines)
        return document


def _rows_beyond(piece: Piece, rows: Array, most_items: int) -> Array:
    """The rows that belong to items in `rows` beyond the first `most_items` of their list."""
    items = rows[(piece.key[rows] == -1) & (piece.up[rows] != -1) & (piece.end[rows] > 0)]
    if len(items) <= most_items:
        return np.zeros(0, np.int64)
    items = items[np.argsort(piece.up[items], kind="stable")]
    is_first = np.append(True, np.diff(piece.up[items]) != 0)
    starts = np.flatnonzero(is_first)
    place = np.arange(len(items)) - starts[np.cumsum(is_first) - 1]
    return np.asarray(np.flatnonzero(_n_around(piece, items[place >= most_items])))


def _n_around(piece: Piece, rows: Array) -> Array:
    """By row of a piece, how many of the values in `rows` it is or lies in."""
    behind = np.searchsorted(piece.begin, piece.end[rows])
    behind[piece.end[rows] == 0] = len(piece)
    n_rows = len(piece) + 1
    return np.cumsum(np.bincount(rows, minlength=n_rows) - np.bincount(behind, minlength=n_rows))[:-1]


def _depths(piece: Piece) -> Array:
    """By row of a piece, how many containers are around it."""
    is_outermost, is_container = piece.up < 0, piece.kind >= LIST
    of_outermost = np.maximum(-1 - piece.up[is_outermost], 0)
    depths = of_outermost[np.cumsum(is_outermost) - 1]
    return np.asarray(depths + _n_around(piece, np.flatnonzero(is_container)) - is_container)
