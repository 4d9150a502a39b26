"""Records of a compact log in batches: their ids and fields.

Records of consecutive chunks of one kind and layout are one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunk_reader import ChunkReader, Waiting, gathered_fields
from plyscope.visualizer.formats.binary.chunks import Start, WrongByte, fail
from plyscope.visualizer.formats.binary.columns import ColumnReader, Records
from plyscope.visualizer.formats.binary.name_columns import NameColumns
from plyscope.visualizer.formats.errors import shown
from plyscope.visualizer.formats.following.node_numbers import NodeBatch, NodeNumbers
from plyscope.visualizer.formats.read.names import NOTHING
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers

Array = npt.NDArray[Any]

MOST_NODES: Final = 2**31 - 2
NOBODY: Final = np.zeros(0, dtype=np.int64)


class BatchReader(ChunkReader):
    """Takes chunks and makes batches of their nodes. Bytes count from the begin of the data of `take`."""

    def __init__(self, start: Start, numbers: NodeNumbers) -> None:
        """`numbers` are those of the nodes in earlier batches."""
        super().__init__(start)
        self._numbers = numbers
        self._buffers = FieldBuffers()
        """By node; whoever takes batches empties it, now or once all have come."""
        self._names = NameColumns(self.pools, numbers.names)

    def batches(self) -> Iterator[NodeBatch]:
        """The waiting batches, each to be taken before the next. Raises LogError after the correct ones."""
        waiting, self.waiting = self.waiting, []
        for each in waiting:
            taken = dict(self.pools.taken)
            try:
                batch = self._batch(each)
            except WrongByte:
                self.pools.taken = taken
                self._buffers = FieldBuffers(self._buffers.texts)
                yield from map(self._batch, each.chunks())
            else:
                yield batch

    def _batch(self, waiting: Waiting) -> NodeBatch:
        bytes_of = np.concatenate(waiting.bytes)
        if waiting.layout is None:
            return self._of_objects([dict(each) for piece in waiting.pieces for each in piece], bytes_of)
        values = waiting.pieces[0]
        if len(waiting.pieces) > 1:
            values = np.frombuffer(b"".join(piece.data for piece in waiting.pieces), values.dtype)
        records = Records(waiting.layout, values, np.arange(len(values)), bytes_of)
        make = self._of_new_nodes if waiting.kind == b"NODE" else self._of_updates
        return make(records, bytes_of)

    def _of_new_nodes(self, records: Records, bytes_of: Array) -> NodeBatch:
        n_before, n_records = len(self._numbers), len(records.nodes)
        if n_before + n_records > MOST_NODES:
            fail(records.byte_of(0), f"found more than {MOST_NODES:,} nodes, expected at most that")
        numbers = n_before + records.nodes
        records = replace(records, nodes=numbers)
        ids, parents = self._names.of_new_nodes(records)
        if ids is not None:
            self._check_new(ids, records)
        children = np.flatnonzero(parents != NOTHING)
        if records.layout.named("iteration") is not None:
            self._buffers.unnumbered.update(numbers[parents == NOTHING].tolist())
        ColumnReader(self._buffers, self.pools).put(records)
        ids, parents = numbers if ids is None else ids, parents[children]
        return NodeBatch(
            self._buffers, self._numbers.names, ids, bytes_of, children, parents, is_by_node=True
        )

    def _check_new(self, ids: Array, records: Records) -> None:
        """Raise LogError where an id was seen before."""
        was_seen = self._numbers.of(ids) >= 0
        if not (ids[1:] > ids[:-1]).all():
            is_first = np.zeros(len(ids), dtype=np.bool_)
            is_first[np.unique(ids, return_index=True)[1]] = True
            was_seen |= ~is_first
        if was_seen.any():
            at = int(np.argmax(was_seen))
            (name,) = self._numbers.names.listed(ids[at : at + 1])
            field = f"id of node {records.nodes[at]}"
            fail(records.byte_of(at), f"the id {shown(name)} was seen before, expected each once", field)

    def _of_updates(self, records: Records, bytes_of: Array) -> NodeBatch:
        ids = self._names.of_updates(records)
        numbers = self._numbers.of(ids)
        self._names.fail_unknown(records, ids, numbers)
        ColumnReader(self._buffers, self.pools).put(replace(records, nodes=numbers))
        return NodeBatch(self._buffers, self._numbers.names, ids, bytes_of, NOBODY, NOBODY, is_by_node=True)

    def _of_objects(self, found: list[dict[str, Any]], bytes_of: Array) -> NodeBatch:
        written = [fields.pop("id") for fields in found]
        ids = np.array([self._names.number_of(name) for name in written])
        is_known = self._numbers.of(ids) >= 0
        if not is_known.all():
            first = int(np.argmin(is_known))
            expected = "expected that of a node before this chunk"
            fail(int(bytes_of[first]), f"found the id {shown(written[first])}, {expected}")
        buffers = gathered_fields(found, bytes_of.tolist())
        return NodeBatch(buffers, self._numbers.names, ids, bytes_of, NOBODY, NOBODY)
