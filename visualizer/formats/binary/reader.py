"""Reading compact logs, records of a declared layout, into a sealed log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.binary.chunk_reader import NO_END, NOBODY, ChunkReader
from plyscope.visualizer.formats.binary.chunks import chunks_of, fail, read_start
from plyscope.visualizer.formats.binary.name_columns import ROOT
from plyscope.visualizer.formats.errors import LogError, missing_lines, shown
from plyscope.visualizer.formats.header import with_result
from plyscope.visualizer.formats.literal.cut_path import with_open_path
from plyscope.visualizer.formats.read.names import FIRST_LARGE
from plyscope.visualizer.formats.read.node_numbers import NodeNumbers
from plyscope.visualizer.formats.read.records import mended
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers, rounded_in_words
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]
Progress = Callable[[float], None]

READ_PART: Final = 0.8
"""The share of the whole time that reading chunks takes."""
BATCH_BYTES: Final = 2**22
"""The bytes of records that are taken together."""
COMPILED_BYTES: Final = 2**22
"""From this size on, machine code finds the nodes of ids that do not count up."""


def read_binary(data: bytes, *, cut: bool = False, on_progress: Progress = lambda part: None) -> Log:
    """Read the compact log `data`. Raises LogError with the byte.

    `cut`: it is known to be cut short; `on_progress` gets the part that is done, from 0 to 1.
    """
    reading = _Reading(data, cut)
    reading.read(on_progress)
    return reading.finish()


class _Reading:
    """The nodes of a file that is read."""

    def __init__(self, data: bytes, cut: bool) -> None:
        self._data = data
        self._numbers = NodeNumbers()
        self._chunks = ChunkReader(read_start(data), self._numbers)
        self._chunks.is_cut = cut
        self._buffers, self._fields = FieldBuffers(), NodeFields()
        if len(data) >= COMPILED_BYTES:
            self._numbers.run = self._fields.extras.run = compiled
        self._children, self._parents = [NOBODY], [NOBODY]
        """The nodes that name a parent, and the id of each such parent, by batch."""

    def read(self, on_progress: Progress) -> None:
        """Read all chunks. Raises LogError."""
        chunks, data, taken = self._chunks, self._data, 0
        try:
            for chunk in chunks_of(data, chunks.start):
                with_lines = chunks.lines_come_before(chunk.kind)
                if with_lines or chunks.waits_for_other(chunk.kind) or chunk.end - taken > BATCH_BYTES:
                    self._take_waiting(with_lines=with_lines)
                    taken = chunk.begin
                chunks.take(data, chunk)
                on_progress(READ_PART * chunk.end / len(data))
        finally:
            self._take_waiting()  # an error in them comes first

    def _take_waiting(self, *, with_lines: bool = True) -> None:
        for batch in self._chunks.batches(with_lines=with_lines):
            n_before = len(self._numbers)
            numbers = self._numbers.take(batch.ids)
            self._children.append(n_before + batch.children)
            self._parents.append(batch.parents)
            if batch.is_by_node:
                self._buffers = batch.buffers
            else:
                self._take_fields()
                self._fields.take(batch.buffers, numbers, len(self._numbers))

    def _take_fields(self) -> None:
        """Take the fields that wait, since later values count."""
        self._fields.take(self._buffers, 0, len(self._numbers))

    def finish(self) -> Log:
        """The log of all chunks. Raises LogError."""
        chunks, n_nodes = self._chunks, len(self._numbers)
        is_unfinished = not chunks.has_ended
        if not n_nodes:
            at_end = f"; the file ends at byte {len(self._data):,}" if is_unfinished else ""
            raise LogError(f"the log has no node, expected a chunk NODE{at_end}")
        self._take_fields()
        if is_unfinished and not any("cut short" in notice for notice in chunks.notices):
            said = NO_END if not chunks.is_cut else "The packed file is cut short: what followed is missing."
            chunks.notices[said] = None
        children, named = np.concatenate(self._children), np.concatenate(self._parents)
        found = self._numbers.of(named)
        parents, ids, names = np.full(n_nodes, ROOT, np.int64), self._numbers.ids(), self._numbers.names
        parents[children] = found
        has_late_parents = bool((found > children).any())
        is_lost = found < 0
        if is_lost.any():
            parents[children[is_lost]] = ROOT
            parents, missing, ids = mended(parents, children[is_lost], named[is_lost], ids, names)
            lost = names.listed(missing)
            if not is_unfinished:
                at = self._byte_of(int(children[is_lost][0]))
                fail(at, f"the parent {shown(lost[0])} never comes, expected the id of a node")
            chunks.notices[f"The log ends before {missing_lines('record', lost)}."] = None
        n_rows = len(parents)
        self._fields.n_nodes = n_rows
        is_odd = bool((ids >= FIRST_LARGE).any())
        self._fields.ids.append((slice(0, n_rows), names.listed(ids) if is_odd else ids))
        self._fields.put("outcome", slice(n_nodes, n_rows), np.full(n_rows - n_nodes, words.OPEN, np.uint8))
        log = sealed_log(
            with_result(chunks.header, chunks.result),
            self._fields,
            parents,
            self._fail_at,
            chunks.notices | dict.fromkeys(rounded_in_words(self._fields.rounded)),
            roots_need_iterations=not is_unfinished,
        )
        if is_unfinished and not chunks.is_updated and not has_late_parents:
            return with_open_path(log)
        return log

    def _byte_of(self, number: int) -> int:
        """The byte at which the record of the node with the number `number` begins."""
        again = ChunkReader(self._chunks.start, NodeNumbers())
        for chunk in chunks_of(self._data, again.start):
            again.take(self._data, chunk)
        begins = [each for waiting in again.waiting if waiting.kind == b"NODE" for each in waiting.bytes]
        return int(np.concatenate(begins)[number])

    def _fail_at(self, number: int, message: str, field: str = "") -> NoReturn:
        if number >= len(self._numbers):
            raise LogError(message)
        where = f"$.{field} of node {number}" if field else f"node {number}"
        raise LogError(message, path=f"byte {self._byte_of(number)}, {where}")
