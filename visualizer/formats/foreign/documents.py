"""A document in which a tree is to be found: its first part as values, and passes over all of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.foreign.find.halves import without_half
from plyscope.visualizer.formats.foreign.sketch import Sketcher
from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.formats.read.lines import whole_lines
from plyscope.visualizer.formats.tape.form import Form
from plyscope.visualizer.formats.tape.reading import TapeReading, WalkReading
from plyscope.visualizer.formats.tape.tape import MANY, ONE, Run

ITEMS_OF_SKELETON: Final = 8
DEPTH_OF_SKELETON: Final = 12
HEAD: Final = 2**17
"""The size, in bytes, of the head in which a tree is searched first."""


class ValueDocument:
    """A document that a library parsed."""

    is_whole = True
    """Whether its head is the whole document."""
    in_lines = False
    """Whether each line is a document."""

    def __init__(self, document: Any, n_open: int = 0) -> None:
        """`n_open`: the number of containers that a cut left open, each the last value in the one before."""
        self._document, self._n_open = document, n_open
        self.is_cut = n_open > 0
        """Whether the end of the head is missing."""
        self.head = without_half(document, n_open)

    def reading(self, form: Form, *, is_first: bool = False) -> WalkReading:
        """A pass over the whole document."""
        return WalkReading(form, [self._document], n_open=self._n_open)

    def values(self) -> list[Any]:
        """The document, in a list."""
        return [self._document]


class TapeDocument:
    """A document as bytes, or as a mapped file that may still be arriving."""

    def __init__(
        self,
        data: Any,
        *,
        arrived: Arrived = all_there,
        on_progress: Callable[[float], None] = lambda part: None,
        run: Run = compiled,
        head: int = HEAD,
        in_lines: bool = False,
        folder: Path | None = None,
    ) -> None:
        self.said: list[str] = []
        """Notices about the document as a text."""
        if in_lines and arrived is all_there:
            end, self.said = whole_lines(data)
            data = memoryview(data)[:end]
        self._data, self._arrived, self._run, self._folder = data, arrived, run, folder
        self._on_progress = on_progress
        self.in_lines = in_lines
        """Whether each line is a document."""
        self._mode = MANY if in_lines else ONE
        self.n_bytes_of_head = min(len(data), head)
        self.head: Any = None
        self.is_cut = False
        """Whether the end of the head is missing."""

    @property
    def is_whole(self) -> bool:
        """Whether its head is all of it."""
        return self.n_bytes_of_head >= len(self._data)

    def read_head(self) -> None:
        """Make the head the value of the first bytes. Raises TapeError."""
        self._arrived(self.n_bytes_of_head)
        self.is_cut = self._copy(self.n_bytes_of_head, is_first=True) or not self.is_whole

    def skeleton(self) -> None:
        """Make the head a copy of the document with only a few items of each list, and nothing deep within.

        They are the first ones in each piece of the tape: in one list, edges may follow all nodes.
        """
        self._copy(ITEMS_OF_SKELETON, DEPTH_OF_SKELETON)

    def _copy(self, most_items: int, deepest: int | None = None, *, is_first: bool = False) -> bool:
        """Make the head a copy, of the document or of its first part; returns whether it was cut there."""
        reading = self.reading(Form(), is_first=is_first)
        sketcher = Sketcher(reading, 0, most_items=most_items, deepest=deepest)
        for batch in reading.bare_batches():
            sketcher.take(batch)
        self.head = sketcher.value(in_lines=self.in_lines)
        return reading.tape.is_cut

    def reading(self, form: Form, *, is_first: bool = False) -> TapeReading:
        """A pass over the whole document, or over its head if it `is_first`."""
        if is_first:
            return TapeReading(form, self._data[: self.n_bytes_of_head], run=self._run, mode=self._mode)
        n_bytes = max(len(self._data), 1)
        return TapeReading(
            form,
            self._data,
            run=self._run,
            mode=self._mode,
            arrived=self._arrived,
            on_byte=lambda n_read: self._on_progress(n_read / n_bytes),
            folder=self._folder,
        )

    def whole(self) -> bytes:
        """All bytes, once they are there."""
        self._arrived(len(self._data))
        return bytes(self._data)

    def values(self) -> list[Any]:
        """The values of the whole document, parsed at once: for errors only."""
        data = self.whole()
        return (
            [json_value(line) for line in data.splitlines() if line.strip()]
            if self.in_lines
            else [json_value(data)]
        )


Document = ValueDocument | TapeDocument
