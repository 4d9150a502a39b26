"""Reading compact logs: records of a declared layout, whole chunks at a time, into a sealed log."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.binary.chunks import Chunk, chunks_of, fail, read_start
from plyscope.visualizer.formats.binary.columns import ColumnReader, Records
from plyscope.visualizer.formats.binary.layout import Layout, read_layout
from plyscope.visualizer.formats.binary.names import Names
from plyscope.visualizer.formats.binary.pools import Pools
from plyscope.visualizer.formats.cut_path import with_open_path
from plyscope.visualizer.formats.duplicate_keys import may_have_duplicate_keys, notices_of_duplicates
from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.field_buffers import FieldBuffers, values_by_field
from plyscope.visualizer.formats.header import check_result, read_header
from plyscope.visualizer.formats.large.tree_order import sealed_order
from plyscope.visualizer.formats.literal import read_literal
from plyscope.visualizer.formats.sealing import sealed_log
from plyscope.visualizer.formats.values import Bad
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.seal import Cycle, Sealed

Array = npt.NDArray[Any]
Progress = Callable[[float], None]

NO_END: Final = "There is no chunk DONE: the search did not end, or its program was ended."
READ_PART: Final = 0.8
"""What reading chunks takes of the whole time."""
MOST_NODES: Final = 2**31 - 2


def read_binary(data: bytes, *, cut: bool = False, on_progress: Progress = lambda part: None) -> Log:
    """Read the compact log `data`. Raises LogError with the byte.

    `cut` says that it is known to be cut short, `on_progress` is told the part that is done, from 0 to 1.
    """
    reading = _Reading(data, cut)
    for chunk in chunks_of(data, reading.start):
        reading.take(chunk)
        on_progress(READ_PART * chunk.end / len(data))
    return reading.finish()


class _Reading:
    """A file as far as it has been read."""

    def __init__(self, data: bytes, cut: bool) -> None:
        self.start = read_start(data)
        self._data = data
        self._cut = cut
        self._buffers = FieldBuffers()
        self._pools = Pools(self.start.order)
        self._columns = ColumnReader(self._buffers, self._pools)
        self._layouts: list[Layout] = []
        self._names = Names(self._pools)
        self._header: dict[str, Any] | None = None
        self._result: dict[str, Any] | None = None
        self._has_ended = False
        self._is_updated = self.start.has_updates
        self._n_nodes = 0
        self._records: list[Records] = []
        """Of new nodes."""
        self._notices: dict[str, None] = {}
        self._passed_over: set[str] = set()

    def take(self, chunk: Chunk) -> None:
        """Take what a chunk holds. Raises LogError."""
        if self._has_ended:
            left = len(self._data) - chunk.place
            fail(chunk.place, f"{left:,} bytes follow the chunk DONE, expected the end of the file")
        if self._header is None and chunk.kind not in (b"HEAD", b"") and chunk.kind.isupper():
            fail(chunk.place, f"found the chunk {chunk.kind.decode()}, expected HEAD before it")
        if chunk.is_cut:
            self._cut_in(chunk)
        match chunk.kind:
            case b"HEAD":
                self._take_header(chunk)
            case b"LAYO":
                if not chunk.is_cut:
                    self._layouts.append(read_layout(self._json(chunk), self.start.order, chunk.begin))
            case b"TEXT":
                self._pools.put_texts(self._data, chunk)
            case b"REFS":
                self._pools.put_refs(self._data, chunk)
            case b"NUMS":
                self._pools.put_numbers(self._data, chunk)
            case b"NODE":
                self._take_nodes(chunk)
            case b"LATE":
                self._take_updates(chunk)
            case b"JSON":
                self._take_json_lines(chunk)
            case b"DONE":
                self._take_result(chunk)
            case b"":
                pass
            case _:
                self._pass_over(chunk)

    def _cut_in(self, chunk: Chunk) -> None:
        self._cut = True
        where = f"in the chunk {chunk.kind.decode()} " if chunk.kind else ""
        self._notices[
            f"The file is cut short {where}at byte {chunk.end:,}: what was not whole there is left out."
        ] = None

    def _pass_over(self, chunk: Chunk) -> None:
        kind = chunk.kind.decode()
        if kind not in self._passed_over:
            self._passed_over.add(kind)
            self._notices[f"Chunks {kind}, a kind of the writer's own, are not read."] = None

    def _take_header(self, chunk: Chunk) -> None:
        if self._header is not None:
            fail(chunk.place, "found a second header, expected one")
        if chunk.is_cut:
            return
        header = self._json(chunk)
        if not isinstance(header, dict):
            fail(chunk.begin, f"found {shown(header)}, expected an object")
        if "root" in header or "roots" in header:
            fail(chunk.begin, "found a tree in the header, expected nodes in chunks NODE")
        try:
            read_header(header)
        except LogError as error:
            fail(chunk.begin, error.message, (error.path or "").removeprefix("$."))
        self._header = header

    def _take_result(self, chunk: Chunk) -> None:
        if chunk.is_cut:
            return
        result = self._json(chunk)
        if result is not None and not isinstance(result, dict):
            fail(chunk.begin, f"found {shown(result)}, expected an object or null")
        try:
            check_result(result or {})
        except LogError as error:
            fail(chunk.begin, error.message, (error.path or "").removeprefix("$."))
        self._result, self._has_ended = result, True

    def _json(self, chunk: Chunk) -> Any:
        """The one value of a chunk of JSON, or of a line of one."""
        return self._value(self._data[chunk.begin : chunk.end], chunk.begin)

    def _value(self, text: bytes, byte: int) -> Any:
        try:
            value = orjson.loads(text)
            if not may_have_duplicate_keys(text, value):
                return value
        except orjson.JSONDecodeError:
            pass
        try:
            literal = read_literal(decoded(text))
            twice = notices_of_duplicates(literal, ("id", "parent"))
        except LogError as error:
            fail(byte, f"the JSON that begins here cannot be read: {error}")
        for notice in (*literal.notices, *twice.values()):
            self._notices[notice] = None
        return literal.value

    def _records_of(self, chunk: Chunk) -> tuple[Layout, Array, int]:
        """The layout of a chunk of records, its whole records, and the byte at which the first begins."""
        first = chunk.begin + 4
        if first > chunk.end:
            if not chunk.is_cut:
                fail(chunk.begin, "found a chunk of records without the number of their layout")
            return _NOTHING, np.empty(0, _NOTHING.dtype), first
        (number,) = struct.unpack_from(f"{self.start.order}I", self._data, chunk.begin)
        if number >= len(self._layouts):
            expected = f"expected one of the {len(self._layouts)} before this chunk"
            fail(chunk.begin, f"found the layout {number}, {expected}")
        layout = self._layouts[number]
        size = layout.dtype.itemsize
        n_records, rest = divmod(chunk.end - first, size)
        if rest and not chunk.is_cut:
            found = f"found {chunk.end - first:,} bytes of records of {size} bytes each"
            fail(chunk.begin, f"{found}: {rest} bytes are left over")
        return layout, np.frombuffer(self._data, layout.dtype, n_records, first), first

    def _take_nodes(self, chunk: Chunk) -> None:
        layout, values, byte = self._records_of(chunk)
        if not len(values):
            return
        if self._n_nodes + len(values) > MOST_NODES:
            fail(chunk.place, f"found more than {MOST_NODES:,} nodes, expected at most that")
        nodes = np.arange(self._n_nodes, self._n_nodes + len(values))
        records = Records(layout, values, nodes, byte)
        roots = self._names.put(records)
        if layout.named("iteration") is not None:
            self._buffers.unnumbered.update(roots.tolist())
        self._n_nodes += len(values)
        self._records.append(records)
        self._columns.put(records)

    def _take_updates(self, chunk: Chunk) -> None:
        self._is_updated = True
        layout, values, byte = self._records_of(chunk)
        if len(values):
            self._columns.put(Records(layout, values, self._names.nodes_of(layout, values, byte), byte))

    def _take_json_lines(self, chunk: Chunk) -> None:
        self._is_updated = True
        found: list[dict[str, Any]] = []
        nodes: list[int] = []
        bytes_of: list[int] = []
        at = chunk.begin
        for line in self._data[chunk.begin : chunk.end].split(b"\n"):
            begin, at = at, at + len(line) + 1
            is_last = at > chunk.end
            if not line.strip() or (is_last and chunk.is_cut):
                continue
            fields = self._value(line, begin)
            if not isinstance(fields, dict) or "id" not in fields:
                fail(begin, f"found {shown(fields)}, expected an object with the `id` of a node")
            for name in ("parent", "children"):
                if name in fields:
                    fail(begin, f"found `{name}`, expected it in records of new nodes only")
            nodes.append(self._names.node_of(fields.pop("id"), begin))
            found.append(fields)
            bytes_of.append(begin)
        if found:
            self._put_objects(found, np.array(nodes), bytes_of)

    def _put_objects(self, found: list[dict[str, Any]], nodes: Array, bytes_of: list[int]) -> None:
        """Take fields of nodes that are written as JSON."""
        values, places = values_by_field(found, repeated=True)
        try:
            for name in values:
                self._buffers.put(name, values[name], places[name], nodes)
        except Bad:
            for fields, byte in zip(found, bytes_of, strict=True):
                for name, value in fields.items():
                    try:
                        self._buffers.probe().put(name, [value], np.zeros(1, np.int64), nodes[:1])
                    except Bad as bad:
                        told = value if bad.value is ... else bad.value
                        fail(byte, f"found {shown(told)}, {bad.expected}", name + bad.inside)
            fail(bytes_of[0], "the fields of these lines are refused together: expected fewer players")

    def finish(self) -> Log:
        """The log of all chunks. Raises LogError."""
        if not self._n_nodes:
            at_end = f"; the file ends at byte {len(self._data):,}" if not self._has_ended else ""
            raise LogError(f"the log has no node, expected a chunk NODE{at_end}")
        header = dict(self._header or {})
        if self._result is not None:
            header["result"] = self._result
        if not self._has_ended and not any("cut short" in notice for notice in self._notices):
            said = NO_END if not self._cut else "The packed file is cut short: what followed is missing."
            self._notices[said] = None
        is_unfinished = not self._has_ended
        parents, has_late_parents = self._names.parents()
        if len(self._names.orphans):
            if not is_unfinished:
                record, name = self._names.first_orphan()
                fail(
                    self._byte_of(record), f"the parent {shown(name)} never comes, expected the id of a node"
                )
            parents, notice = self._names.mended(parents)
            self._notices[notice] = None
            added = np.arange(self._n_nodes, len(parents))
            self._buffers.put_numbers("outcome", np.full(len(added), words.OPEN, np.uint8), added)
        self._names.put_ids(self._buffers)
        log = sealed_log(
            header,
            self._buffers,
            parents,
            self._fail_at,
            self._notices,
            roots_need_iterations=not is_unfinished,
            sealed=self._sealed(parents),
            foreign=({}, "", ()),
        )
        if is_unfinished and not self._is_updated and not has_late_parents:
            return with_open_path(log)
        return log

    def _sealed(self, parents: Array) -> Sealed:
        try:
            return sealed_order(parents)
        except Cycle as cycle:
            self._fail_at(cycle.number, "this node is its own ancestor, expected a tree")

    def _byte_of(self, number: int) -> int:
        """The byte of the file at which the record of the node that came as `number` begins."""
        chunk = bisect_right(self._records, number, key=lambda records: int(records.nodes[0])) - 1
        records = self._records[chunk]
        return records.byte_of(number - int(records.nodes[0]))

    def _fail_at(self, number: int, message: str, field: str = "") -> NoReturn:
        if number >= self._n_nodes:
            raise LogError(message)
        where = f"$.{field} of node {number}" if field else f"node {number}"
        raise LogError(message, path=f"byte {self._byte_of(number)}, {where}")


_NOTHING: Final = Layout((), np.dtype([("0", "u1")]))
"""The layout of a chunk that is cut before it names one."""
