"""Chunks of a compact log, taken one after another, and their records in batches: ids and fields.

Records of consecutive chunks of one kind and layout are one batch. It does not know whether the file is
complete or still being written.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.binary.chunks import Chunk, Start, WrongByte, fail
from plyscope.visualizer.formats.binary.columns import ColumnReader, Records
from plyscope.visualizer.formats.binary.layout import Layout, read_layout
from plyscope.visualizer.formats.binary.name_columns import NameColumns
from plyscope.visualizer.formats.binary.pools import Pools
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.header import check_result, read_header
from plyscope.visualizer.formats.json_text import strict_value
from plyscope.visualizer.formats.literal.reader import TOO_LARGE
from plyscope.visualizer.formats.read.column_values import ColumnReading
from plyscope.visualizer.formats.read.forms import lines_form, named
from plyscope.visualizer.formats.read.gather import Gatherer
from plyscope.visualizer.formats.read.line_records import LineRecords, may_be_twice, odd_line
from plyscope.visualizer.formats.read.names import NOTHING
from plyscope.visualizer.formats.read.node_numbers import NodeBatch, NodeNumbers
from plyscope.visualizer.formats.read.parsed_lines import gathered
from plyscope.visualizer.formats.read.places import NEWLINE
from plyscope.visualizer.formats.tape.reading import TapeReading
from plyscope.visualizer.formats.tape.tape import LINES

Array = npt.NDArray[Any]

MOST_NODES: Final = 2**31 - 2
NOBODY: Final = np.zeros(0, dtype=np.int64)
TAPE_BYTES: Final = 2**13
"""The bytes of lines that take a library as long as it takes to make a tape."""
NO_END: Final = "There is no chunk DONE: the search did not end, or its program was ended."


@dataclass(frozen=True)
class Waiting:
    """The contents of consecutive chunks of one kind and layout."""

    kind: bytes
    layout: Layout
    pieces: list[Any]
    """Records of each chunk."""
    bytes: list[Array]
    """By chunk, the byte at which each of them begins."""

    def chunks(self) -> Iterator[Waiting]:
        """The same, one chunk at a time."""
        for piece, each in zip(self.pieces, self.bytes, strict=True):
            yield replace(self, pieces=[piece], bytes=[each])


class ChunkReader:
    """Takes chunks and makes batches of their nodes. Bytes count from the begin of the data of `take`."""

    def __init__(self, start: Start, numbers: NodeNumbers) -> None:
        """`numbers` are those of the nodes in earlier batches."""
        self.start = start
        self.pools = Pools(start.order)
        self._numbers = numbers
        self._gatherer = Gatherer(lines_form().fields, ColumnReading(), lambda kernel: kernel)
        """Its buffers are by node; whoever takes batches empties them, now or once all have come."""
        self._names = NameColumns(self.pools, numbers.names)
        self.header: dict[str, Any] | None = None
        self.result: dict[str, Any] | None = None
        self.has_ended = False
        self.is_updated = start.has_updates
        """Whether some records are completed later, or may be."""
        self.is_cut = False
        self.notices: dict[str, None] = {}
        self.waiting: list[Waiting] = []
        """Records that nobody has taken."""
        self._lines: list[tuple[bytes, int, int]] = []
        """Lines that nobody has taken: by chunk the bytes, the byte at which they begin, the nodes before."""
        self._do_lines_name = False
        """Whether they may name players or contributions."""
        self._n_nodes = 0
        self._layouts: list[Layout] = []

    def waits_for_other(self, kind: bytes) -> bool:
        """Whether the waiting records came in chunks of another kind; they must be taken before this one."""
        return kind != b"JSON" and bool(self.waiting) and self.waiting[-1].kind != kind

    def lines_come_before(self, kind: bytes) -> bool:
        """Whether waiting lines must be taken before a chunk of that kind.

        So it is before further records that complete nodes, and before those of new nodes where the lines
        name players or contributions, which are in the order in which they come.
        """
        return bool(self._lines) and (kind == b"LATE" or (kind == b"NODE" and self._do_lines_name))

    def _put(self, kind: bytes, layout: Layout, piece: Any, bytes_of: Array) -> None:
        last = self.waiting[-1] if self.waiting else None
        if last is None or (last.kind, last.layout) != (kind, layout):
            last = Waiting(kind, layout, [], [])
            self.waiting.append(last)
        last.pieces.append(piece)
        last.bytes.append(bytes_of)

    def take(self, data: bytes, chunk: Chunk) -> None:
        """Take a chunk of `data`. Raises LogError."""
        if self.has_ended:
            left = len(data) - chunk.place
            fail(chunk.place, f"{left:,} bytes follow the chunk DONE, expected the end of the file")
        if self.header is None and chunk.kind not in (b"HEAD", b"") and chunk.kind.isupper():
            fail(chunk.place, f"found the chunk {chunk.kind.decode()}, expected HEAD before it")
        if chunk.is_cut:
            self._cut_in(chunk)
        match chunk.kind:
            case b"HEAD":
                self._take_header(data, chunk)
            case b"LAYO":
                if not chunk.is_cut:
                    self._layouts.append(read_layout(self._json(data, chunk), self.start.order, chunk.begin))
            case b"TEXT":
                self.pools.put_texts(data, chunk)
            case b"REFS":
                self.pools.put_refs(data, chunk)
            case b"NUMS":
                self.pools.put_numbers(data, chunk)
            case b"NODE" | b"LATE":
                self.is_updated |= chunk.kind == b"LATE"
                layout, values, byte = self._records_of(data, chunk)
                self._n_nodes += len(values) * (chunk.kind == b"NODE")
                if len(values):
                    self._put(
                        chunk.kind, layout, values, byte + layout.dtype.itemsize * np.arange(len(values))
                    )
            case b"JSON":
                self.is_updated = True
                end = data.rfind(b"\n", chunk.begin, chunk.end) + 1 if chunk.is_cut else chunk.end
                text = data[chunk.begin : end]
                if text.strip():
                    self._lines.append((text, chunk.begin, self._n_nodes))
                    self._do_lines_name |= b'"player"' in text or b'"contributions"' in text
            case b"DONE":
                self._take_result(data, chunk)
            case b"":
                pass
            case _:
                said = f"Chunks {chunk.kind.decode()}, a kind of the writer's own, are not read."
                self.notices[said] = None

    def _cut_in(self, chunk: Chunk) -> None:
        self.is_cut = True
        where = f"in the chunk {chunk.kind.decode()} " if chunk.kind else ""
        self.notices[
            f"The log is cut short {where}at byte {chunk.end:,}: what was not whole there is left out."
        ] = None

    def _take_header(self, data: bytes, chunk: Chunk) -> None:
        if self.header is not None:
            fail(chunk.place, "found a second header, expected one")
        if chunk.is_cut:
            return
        header = self._json(data, chunk)
        if not isinstance(header, dict):
            fail(chunk.begin, f"found {shown(header)}, expected an object")
        if "root" in header or "roots" in header:
            fail(chunk.begin, "found a tree in the header, expected nodes in chunks NODE")
        try:
            read_header(header)
        except LogError as error:
            fail(chunk.begin, error.message, (error.path or "").removeprefix("$."))
        self.header = header

    def _take_result(self, data: bytes, chunk: Chunk) -> None:
        if chunk.is_cut:
            return
        result = self._json(data, chunk)
        if result is not None and not isinstance(result, dict):
            fail(chunk.begin, f"found {shown(result)}, expected an object or null")
        try:
            check_result(result or {})
        except LogError as error:
            fail(chunk.begin, error.message, (error.path or "").removeprefix("$."))
        self.result, self.has_ended = result, True

    def _json(self, data: bytes, chunk: Chunk) -> Any:
        """The one value of a chunk of JSON, or of a line of one."""
        return self._value(data[chunk.begin : chunk.end], chunk.begin)

    def _value(self, text: bytes, byte: int) -> Any:
        with suppress(orjson.JSONDecodeError):
            value = strict_value(text)
            if not may_be_twice(text, value):
                return value
        try:
            value, said = odd_line(text, 1)
        except LogError as error:
            fail(byte, f"the JSON that begins here cannot be read: {error}")
        self.notices |= dict.fromkeys(notice for _, notice in said)
        return value

    def _records_of(self, data: bytes, chunk: Chunk) -> tuple[Layout, Array, int]:
        """The layout of a chunk, its complete records, and the byte at which the first begins."""
        first = chunk.begin + 4
        if first > chunk.end:
            if not chunk.is_cut:
                fail(chunk.begin, "found a chunk of records without the number of their layout")
            return _NOTHING, np.empty(0, _NOTHING.dtype), first
        (number,) = struct.unpack_from(f"{self.start.order}I", data, chunk.begin)
        if number >= len(self._layouts):
            expected = f"expected one of the {len(self._layouts)} before this chunk"
            fail(chunk.begin, f"found the layout {number}, {expected}")
        layout = self._layouts[number]
        size = layout.dtype.itemsize
        n_records, rest = divmod(chunk.end - first, size)
        if rest and not chunk.is_cut:
            found = f"found {chunk.end - first:,} bytes of records of {size} bytes each"
            fail(chunk.begin, f"{found}: {rest} bytes are left over")
        return layout, np.frombuffer(data, layout.dtype, n_records, first), first

    # Batches out -------------------------------------------------------------------------------------
    def batches(self, *, with_lines: bool = True) -> Iterator[NodeBatch]:
        """The waiting batches, each to be taken before the next. Raises LogError after the correct ones.

        Lines come behind the records, or wait for further ones.
        """
        waiting, self.waiting = self.waiting, []
        lines, self._lines = self._lines, []
        for each in waiting:
            taken = dict(self.pools.taken)
            try:
                batch = self._batch(each)
            except WrongByte:
                self.pools.taken = taken
                self._gatherer.forget()
                try:
                    yield from map(self._batch, each.chunks())
                except WrongByte as error:
                    yield from self._batches_of_lines([some for some in lines if some[1] < error.byte])
                    raise
            else:
                yield batch
        if with_lines:
            self._do_lines_name = False
            yield from self._batches_of_lines(lines)
        else:
            self._lines = lines

    def _batches_of_lines(self, lines: list[tuple[bytes, int, int]]) -> Iterator[NodeBatch]:
        if not lines:
            return
        try:
            batch = self._of_lines(lines)
        except WrongByte:
            for some in lines:
                yield self._of_lines([some])
        else:
            yield batch

    def _batch(self, waiting: Waiting) -> NodeBatch:
        bytes_of = np.concatenate(waiting.bytes)
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
            self._gatherer.buffers.unnumbered.update(numbers[parents == NOTHING].tolist())
        ColumnReader(self._gatherer, self.pools).put(records)
        ids, parents = numbers if ids is None else ids, parents[children]
        return NodeBatch(
            self._gatherer.buffers, self._numbers.names, ids, bytes_of, children, parents, is_by_node=True
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
        ColumnReader(self._gatherer, self.pools).put(replace(records, nodes=numbers))
        return NodeBatch(
            self._gatherer.buffers, self._numbers.names, ids, bytes_of, NOBODY, NOBODY, is_by_node=True
        )

    def _of_lines(self, lines: list[tuple[bytes, int, int]]) -> NodeBatch:
        read = self._by_tape(lines) or self._by_library(lines)
        records, bytes_of = read
        ids = self._numbers.names.numbers_from(records.names, records.ids)
        n_before = np.array([n for _, _, n in lines])
        chunk_of = np.searchsorted([begin for _, begin, _ in lines], bytes_of, side="right") - 1
        numbers = self._numbers.of(ids)
        is_known = (numbers >= 0) & (numbers < n_before[chunk_of])
        if not is_known.all():
            first = int(np.argmin(is_known))
            text, begin, _ = lines[chunk_of[first]]
            line = text[int(bytes_of[first]) - begin :].partition(b"\n")[0]
            found = f"found the id {shown(self._value(line, int(bytes_of[first]))['id'])}"
            fail(int(bytes_of[first]), f"{found}, expected that of a node before this chunk")
        if records.gatherer.problems:
            problem = records.gatherer.problems.first()
            fail(int(bytes_of[problem.node]), problem.message, problem.field + problem.inside)
        return NodeBatch(records.gatherer.buffers, self._numbers.names, ids, bytes_of, NOBODY, NOBODY)

    def _by_tape(self, lines: list[tuple[bytes, int, int]]) -> tuple[LineRecords, Array] | None:
        """The records of lines, each with its byte; None where a library has to read them."""
        run = self._numbers.run
        if run is not compiled or sum(len(text) for text, _, _ in lines) < TAPE_BYTES:
            return None
        texts = [text.rstrip() for text, _, _ in lines]
        reading = TapeReading(lines_form().form, b"\n".join(texts), mode=LINES, named=named, run=run)
        records = LineRecords(reading, run)
        begins = [
            begin + np.append(0, np.flatnonzero(np.frombuffer(text, np.uint8) == NEWLINE) + 1)
            for text, (_, begin, _) in zip(texts, lines, strict=True)
        ]
        bytes_of = np.concatenate(begins)
        if not records.take_tape() or records.gatherer.problems or len(records.ids) != len(bytes_of):
            return None
        if (records.ids == NOTHING).any() or (records.parents != NOTHING).any():
            return None
        if reading.tape.is_beyond:
            self.notices[TOO_LARGE] = None
        return records, bytes_of

    def _by_library(self, lines: list[tuple[bytes, int, int]]) -> tuple[LineRecords, Array]:
        found: list[dict[str, Any]] = []
        bytes_of: list[int] = []
        for text, at, _ in lines:
            for line in text.split(b"\n"):
                begin, at = at, at + len(line) + 1
                if not line.strip():
                    continue
                fields = self._value(line, begin)
                if not isinstance(fields, dict) or "id" not in fields:
                    fail(begin, f"found {shown(fields)}, expected an object with the `id` of a node")
                for name in ("parent", "children"):
                    if name in fields:
                        fail(begin, f"found `{name}`, expected it in records of new nodes only")
                found.append(fields)
                bytes_of.append(begin)
        return gathered(found), np.array(bytes_of)


_NOTHING: Final = Layout((), np.dtype([("0", "u1")]))
"""The layout of a chunk that is cut before it names one."""
