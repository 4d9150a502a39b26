"""Reading compact logs, records of a declared layout, into a sealed log."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunk_reader import NO_END, ChunkReader, gathered_fields
from plyscope.visualizer.formats.binary.chunks import chunks_of, fail, read_start
from plyscope.visualizer.formats.binary.columns import ColumnReader, Records
from plyscope.visualizer.formats.binary.layout import Layout
from plyscope.visualizer.formats.binary.names import Names
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.literal.cut_path import with_open_path
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]
Progress = Callable[[float], None]

READ_PART: Final = 0.8
"""The share of the whole time that reading chunks takes."""
MOST_NODES: Final = 2**31 - 2


def read_binary(data: bytes, *, cut: bool = False, on_progress: Progress = lambda part: None) -> Log:
    """Read the compact log `data`. Raises LogError with the byte.

    `cut`: it is known to be cut short; `on_progress` gets the part that is done, from 0 to 1.
    """
    reading = _Reading(data, cut)
    try:
        for chunk in chunks_of(data, reading.start):
            reading.take(data, chunk)
            on_progress(READ_PART * chunk.end / len(data))
    except LogError:
        reading.take_lines()  # an error in them comes first
        raise
    return reading.finish()


class _Reading(ChunkReader):
    """The nodes of a file that is read."""

    def __init__(self, data: bytes, cut: bool) -> None:
        super().__init__(read_start(data))
        self.is_cut = cut
        self._n_bytes = len(data)
        self._buffers = FieldBuffers()
        self._columns = ColumnReader(self._buffers, self.pools)
        self._later: list[tuple[FieldBuffers, Array]] = []
        """What completes nodes, in turn, and their numbers."""
        self._lines: list[tuple[dict[str, Any], int, int]] = []
        """What lines of JSON say that wait, of which node, and where they begin."""
        self._names = Names(self.pools)
        self._n_nodes = 0
        self._records: list[Records] = []
        """Of new nodes."""

    def put_nodes(self, layout: Layout, values: Array, byte: int) -> None:
        """Take records of new nodes."""
        n_nodes = self._n_nodes + len(values)
        if n_nodes > MOST_NODES:
            fail(byte, f"found more than {MOST_NODES:,} nodes, expected at most that")
        records = Records(layout, values, np.arange(self._n_nodes, n_nodes), byte)
        roots = self._names.put(records)
        if layout.named("iteration") is not None:
            self._buffers.unnumbered.update(roots.tolist())
        self._n_nodes = n_nodes
        self._records.append(records)
        self._columns.put(records)

    def put_updates(self, layout: Layout, values: Array, byte: int) -> None:
        """Take records that complete nodes."""
        columns = self._columns
        self.take_lines()
        if self._later:  # later values count
            self._later.append((buffers := FieldBuffers(self._buffers.texts), np.arange(self._n_nodes)))
            columns = ColumnReader(buffers, self.pools)
        columns.put(Records(layout, values, self._names.nodes_of(layout, values, byte), byte))

    def put_objects(self, found: list[dict[str, Any]], bytes_of: list[int]) -> None:
        """Take fields that complete nodes."""
        for fields, byte in zip(found, bytes_of, strict=True):
            self._lines.append((fields, self._names.node_of(fields.pop("id"), byte), byte))

    def take_lines(self) -> None:
        """Take the waiting lines of JSON. Raises LogError for the first wrong one."""
        if self._lines:
            found, nodes, bytes_of = zip(*self._lines, strict=True)
            self._lines.clear()
            self._later.append((gathered_fields(found, bytes_of), np.array(nodes)))

    def finish(self) -> Log:
        """The log of all chunks. Raises LogError."""
        self.take_lines()
        if not self._n_nodes:
            at_end = f"; the file ends at byte {self._n_bytes:,}" if not self.has_ended else ""
            raise LogError(f"the log has no node, expected a chunk NODE{at_end}")
        header = dict(self.header or {})
        if self.result is not None:
            header["result"] = self.result
        if not self.has_ended and not any("cut short" in notice for notice in self.notices):
            said = NO_END if not self.is_cut else "The packed file is cut short: what followed is missing."
            self.notices[said] = None
        is_unfinished = not self.has_ended
        parents, has_late_parents = self._names.parents()
        if len(self._names.orphans):
            if not is_unfinished:
                record, name = self._names.first_orphan()
                fail(
                    self._byte_of(record), f"the parent {shown(name)} never comes, expected the id of a node"
                )
            parents, notice = self._names.mended(parents)
            self.notices[notice] = None
            added = np.arange(self._n_nodes, len(parents))
            self._buffers.put_numbers("outcome", np.full(len(added), words.OPEN, np.uint8), added)
        self._names.put_ids(self._buffers)
        fields = NodeFields.of(self._buffers, len(parents))
        for buffers, nodes in self._later:
            fields.take(buffers, nodes, len(parents))
        log = sealed_log(
            header,
            fields,
            parents,
            self._fail_at,
            self.notices,
            roots_need_iterations=not is_unfinished,
        )
        if is_unfinished and not self.is_updated and not has_late_parents:
            return with_open_path(log)
        return log

    def _byte_of(self, number: int) -> int:
        """The byte at which the record of the node with the number `number` begins."""
        chunk = bisect_right(self._records, number, key=lambda records: int(records.nodes[0])) - 1
        records = self._records[chunk]
        return records.byte_of(number - int(records.nodes[0]))

    def _fail_at(self, number: int, message: str, field: str = "") -> NoReturn:
        if number >= self._n_nodes:
            raise LogError(message)
        where = f"$.{field} of node {number}" if field else f"node {number}"
        raise LogError(message, path=f"byte {self._byte_of(number)}, {where}")
