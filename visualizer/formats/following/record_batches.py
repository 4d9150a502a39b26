"""Records of a compact log that is being written, in batches: their ids and fields.

Records of consecutive chunks of one kind and layout are one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunk_reader import ChunkReader, gathered_fields
from plyscope.visualizer.formats.binary.chunks import Start, WrongByte, fail
from plyscope.visualizer.formats.binary.columns import ColumnReader, Records
from plyscope.visualizer.formats.binary.layout import Layout
from plyscope.visualizer.formats.binary.name_columns import NameColumns
from plyscope.visualizer.formats.binary.reader import MOST_NODES
from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.following.node_numbers import NodeBatch, NodeNumbers
from plyscope.visualizer.formats.read.names import NOTHING
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers

Array = npt.NDArray[Any]

NOBODY: Final = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class _Waiting:
    """The contents of consecutive chunks of one kind and layout; JSON objects have no layout."""

    kind: bytes
    layout: Layout | None
    pieces: list[Any]
    """Records of each chunk, or objects."""
    bytes: list[Array]
    """By chunk, the byte at which each of them begins."""

    def chunks(self) -> Iterator[_Waiting]:
        """The same, one chunk at a time."""
        for piece, each in zip(self.pieces, self.bytes, strict=True):
            yield replace(self, pieces=[piece], bytes=[each])


class BatchReader(ChunkReader):
    """Takes chunks and makes batches of their nodes. Bytes count from the begin of the data of `take`."""

    def __init__(self, start: Start, numbers: NodeNumbers) -> None:
        """`numbers` are those of the nodes in earlier batches."""
        super().__init__(start)
        self._numbers = numbers
        self._names = NameColumns(self.pools)
        self._waiting: list[_Waiting] = []

    def waits_for_other(self, kind: bytes) -> bool:
        """Whether the waiting records came in chunks of another kind; they must be taken before this one."""
        return bool(self._waiting) and self._waiting[-1].kind != kind

    def put_nodes(self, layout: Layout, values: Array, byte: int) -> None:
        """Add records of new nodes."""
        self._put(b"NODE", layout, values, byte + layout.dtype.itemsize * np.arange(len(values)))

    def put_updates(self, layout: Layout, values: Array, byte: int) -> None:
        """Add records that complete nodes."""
        self._put(b"LATE", layout, values, byte + layout.dtype.itemsize * np.arange(len(values)))

    def put_objects(self, found: list[dict[str, Any]], bytes_of: list[int]) -> None:
        """Add JSON objects that complete nodes."""
        self._put(b"JSON", None, found, np.array(bytes_of))

    def _put(self, kind: bytes, layout: Layout | None, piece: Any, bytes_of: Array) -> None:
        last = self._waiting[-1] if self._waiting else None
        if last is None or (last.kind, last.layout) != (kind, layout):
            last = _Waiting(kind, layout, [], [])
            self._waiting.append(last)
        last.pieces.append(piece)
        last.bytes.append(bytes_of)

    def batches(self) -> Iterator[NodeBatch]:
        """The waiting batches, each to be taken before the next. Raises LogError after the correct ones."""
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            taken = dict(self.pools.taken)
            try:
                batch = self._batch(each)
            except WrongByte:
                self.pools.taken = taken
                yield from map(self._batch, each.chunks())
            else:
                yield batch

    def _batch(self, waiting: _Waiting) -> NodeBatch:
        bytes_of = np.concatenate(waiting.bytes)
        if waiting.layout is None:
            return self._of_objects([dict(each) for piece in waiting.pieces for each in piece], bytes_of)
        buffers = FieldBuffers()
        self.pools.begin_buffers()
        self._names.begin_anew()
        values = np.concatenate(waiting.pieces) if len(waiting.pieces) > 1 else waiting.pieces[0]
        records = Records(waiting.layout, values, np.arange(len(values)), int(bytes_of[0]), bytes_of)
        make = self._of_new_nodes if waiting.kind == b"NODE" else self._of_updates
        return make(records, bytes_of, buffers)

    def _of_new_nodes(self, records: Records, bytes_of: Array, buffers: FieldBuffers) -> NodeBatch:
        n_before, n_records = len(self._numbers), len(records.nodes)
        if n_before + n_records > MOST_NODES:
            fail(records.byte, f"found more than {MOST_NODES:,} nodes, expected at most that")
        numbers = n_before + records.nodes
        records = replace(records, numbers=numbers)
        names, parents = self._names.of_new_nodes(records)
        ids = numbers if names is None else self._numbers.of_others(self._names.names, names)
        if names is not None:
            self._check_new(ids, records)
        children = np.flatnonzero(parents != NOTHING)
        if records.layout.named("iteration") is not None:
            buffers.unnumbered.update(records.nodes[parents == NOTHING].tolist())
        ColumnReader(buffers, self.pools).put(records)
        above = self._numbers.of_others(self._names.names, parents[children])
        return NodeBatch(buffers, ids, bytes_of, children, above)

    def _check_new(self, ids: Array, records: Records) -> None:
        """Raise LogError where an id was seen before."""
        was_seen = self._numbers.of(ids) >= 0
        if not (ids[1:] > ids[:-1]).all():
            is_first = np.zeros(len(ids), dtype=np.bool_)
            is_first[np.unique(ids, return_index=True)[1]] = True
            was_seen |= ~is_first
        if was_seen.any():
            at = int(np.argmax(was_seen))
            (name,) = self._numbers.listed(ids[at : at + 1])
            field = f"id of node {records.number_of(at)}"
            fail(records.byte_of(at), f"the id {shown(name)} was seen before, expected each once", field)

    def _of_updates(self, records: Records, bytes_of: Array, buffers: FieldBuffers) -> NodeBatch:
        names = self._names.of_updates(records)
        ids = self._numbers.of_others(self._names.names, names)
        numbers = self._numbers.of(ids)
        self._names.fail_unknown(records, names, numbers)
        ColumnReader(buffers, self.pools).put(replace(records, numbers=numbers))
        return NodeBatch(buffers, ids, bytes_of, NOBODY, NOBODY)

    def _of_objects(self, found: list[dict[str, Any]], bytes_of: Array) -> NodeBatch:
        written = [fields.pop("id") for fields in found]
        names = np.array([self._names.number_of(name) for name in written])
        ids = self._numbers.of_others(self._names.names, names)
        is_known = self._numbers.of(ids) >= 0
        if not is_known.all():
            first = int(np.argmin(is_known))
            expected = "expected that of a node before this chunk"
            fail(int(bytes_of[first]), f"found the id {shown(written[first])}, {expected}")
        buffers = gathered_fields(found, bytes_of.tolist())
        return NodeBatch(buffers, ids, bytes_of, NOBODY, NOBODY)
