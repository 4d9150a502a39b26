"""Fields that the format does not know, between a large file and the log without an object a node.

A log keeps them as one JSON object a node. The values stand in the file as JSON already, so most are copied
as they are: those that a JSON library, having read them, would write with the same bytes. The kernel
`find_settled` knows which; the others are read and written by the library.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.large.json_places import CLOSE_OBJECT, COMMA, OPEN_OBJECT
from plyscope.visualizer.formats.large.scan import Bytes
from plyscope.visualizer.formats.large.settled_values import MOST_LEVELS, find_settled
from plyscope.visualizer.formats.large.sorted_records import SortedRecords
from plyscope.visualizer.formats.large.written_members import Pieces, Rewritten, prefixes_of, written_members
from plyscope.visualizer.formats.tape.text_room import TextRoom as Texts
from plyscope.visualizer.store.unnamed_file import UnnamedFile

Array = npt.NDArray[Any]

MOST_IN_WORK: Final = 3
"""Pieces that the thread beside may have before it; each holds the records of some thousand nodes."""


@kernel
def put_together(
    data: Array,
    written: Array,
    records: Array,
    is_written: Array,
    prefixes: Array,
    prefix_sizes: Array,
    text: Array,
    nodes: Array,
    lengths: Array,
) -> int:
    """Write names and values of records of one node as an object; returns how many objects there are.

    records       rows of node, name, begin and size of each value, in `written` where `is_written`
    prefixes      each name in quotes, with a colon
    text          room for all; nodes, lengths: the node of each object, and the bytes of its members
    """
    n_pieces, at = 0, 0
    for i in range(len(records)):
        node, name, begin, size = records[i, 0], records[i, 1], records[i, 2], records[i, 3]
        if n_pieces > 0 and nodes[n_pieces - 1] == node:
            text[at - 1] = COMMA
            lengths[n_pieces - 1] += 1
        else:
            nodes[n_pieces] = node
            lengths[n_pieces] = 0
            n_pieces += 1
            text[at] = OPEN_OBJECT
            at += 1
        for j in range(prefix_sizes[name]):
            text[at + j] = prefixes[name, j]
        at += prefix_sizes[name]
        if is_written[i]:
            for j in range(size):
                text[at + j] = written[begin + j]
        else:
            for j in range(size):
                text[at + j] = data[begin + j]
        text[at + size] = CLOSE_OBJECT
        at += size + 1
        lengths[n_pieces - 1] += prefix_sizes[name] + size
    return n_pieces


@kernel
def join_pieces(row_of: Array, nodes: Array, lengths: Array, text: Array, ends: Array, objects: Array) -> int:
    """Add the members of each piece to the object of its row, whose bytes end so far at `ends`.

    Returns the bytes read.
    """
    begin = 0
    for i in range(len(nodes)):
        row = row_of[nodes[i]]
        at = ends[row]
        for j in range(lengths[i]):
            objects[at + j] = text[begin + 1 + j]
        objects[at + lengths[i]] = COMMA
        ends[row] = at + lengths[i] + 1
        begin += lengths[i] + 2
    return begin


@kernel
def find_sizes(row_of: Array, nodes: Array, lengths: Array, sizes: Array) -> int:
    """Add the bytes of each piece, and one behind it, to the row of its node; returns how many pieces."""
    for i in range(len(nodes)):
        sizes[row_of[nodes[i]]] += lengths[i] + 1
    return len(nodes)


@kernel
def find_starts(sizes: Array, rows: Array, starts: Array, ends: Array, objects: Array) -> int:
    """Lay out the objects of the rows that have any bytes, and open each; returns how many rows.

    `starts` has one place more. `ends`, a place a row, is where the next piece of it goes.
    """
    at, n_rows = 0, 0
    for row in range(len(sizes)):
        if sizes[row] > 0:
            rows[n_rows] = row
            starts[n_rows] = at
            objects[at] = OPEN_OBJECT
            ends[row] = at + 1
            at += sizes[row] + 1
            n_rows += 1
    starts[n_rows] = at
    return n_rows


class Written(NamedTuple):
    """Texts of values that are not those of the file: which records have one, and where they all lie."""

    is_written: Array
    text: Array


class UnknownFields:
    """The unknown fields gathered so far: pieces of JSON objects; a node's are in the order of the file."""

    def __init__(self, data: Bytes, *, are_in_order: bool = False) -> None:
        """`are_in_order` where nodes mostly come in order: then objects are written where they stay."""
        self._data = data
        self._texts = Texts(len(data.array), data.scratch) if are_in_order else Texts(0)
        self.file: UnnamedFile | None = None
        """Once all is sealed, the file without a name that holds the objects and nothing else."""
        self._pieces: list[Pieces] = []
        self._in_work: deque[Future[Pieces]] = deque()

    def put(self, records: Array, names: Mapping[int, str], written: Written | None = None) -> None:
        """Take records, rows of node, name, begin and size of a value; `names` are their names by number.

        Where a value is `written`, begin and size are of the text there. All of it is the taker's, in whose
        own time it is read: what is raised there is raised by a later call.
        """
        if len(records):
            self._finish(MOST_IN_WORK - 1)
            self._in_work.append(self._data.beside(self.pieces, records, names, written))

    def pieces(self, records: Array, names: Mapping[int, str], written: Written | None = None) -> Pieces:
        """The objects that records of a node make, for each run of records of one node."""
        run, data = self._data.run, self._data.array
        is_written, side = written or (np.zeros(len(records), dtype=np.bool_), np.zeros(1, dtype=np.uint8))
        begins, sizes = np.ascontiguousarray(records[:, 2]), np.ascontiguousarray(records[:, 3])
        settled = is_written.copy()
        ours = np.flatnonzero(~is_written)
        are_settled = np.zeros(len(ours), dtype=np.bool_)
        open_objects = np.zeros(MOST_LEVELS, dtype=np.int64)
        run(find_settled)(data, begins[ours], sizes[ours], open_objects, are_settled)
        settled[ours] = are_settled
        if not settled.all():
            texts = [json_bytes(value) for value in self._data.values(begins[~settled], sizes[~settled])]
            lengths = np.array([len(text) for text in texts], dtype=np.int64)
            records = records.copy()
            records[~settled, 2] = len(side) + np.cumsum(lengths) - lengths
            records[~settled, 3] = lengths
            is_written = is_written | ~settled
            side = np.concatenate([side, np.frombuffer(b"".join(texts), dtype=np.uint8)])
        prefixes, prefix_sizes = prefixes_of(names)
        n_bytes = int(records[:, 3].sum() + prefix_sizes[records[:, 1]].sum()) + 2 * len(records)
        text = self._texts.room(n_bytes)
        nodes, lengths = np.empty((2, len(records)), dtype=np.int64)
        n_pieces = run(put_together)(
            data, side, records, is_written, prefixes, prefix_sizes, text, nodes, lengths
        )
        lengths = lengths[:n_pieces].astype(np.int32)
        text = self._texts.keep(text[: int(lengths.sum()) + 2 * n_pieces])
        return Pieces(nodes[:n_pieces].astype(np.int32), lengths, text)

    def put_sorted(
        self, piece: SortedRecords, stays: Array, names: Mapping[int, str], rewritten: Rewritten | None = None
    ) -> None:
        """Take those of a piece's records that stay, as `put` does.

        Of an object of which some members stay and some do not, those that stay.
        """
        self._finish(MOST_IN_WORK - 1)
        self._in_work.append(
            self._data.beside(written_members, self._data, piece, stays, names, rewritten, self._texts)
        )

    def finish(self) -> None:
        """Wait for all that was taken; raises what reading it raised."""
        self._finish(0)

    def put_objects(self, objects: Mapping[int, Mapping[str, Any]]) -> None:
        """Take further fields by node, which stand behind those that it has."""
        self._finish(0)
        if objects:
            texts = [json_bytes(fields) for fields in objects.values()]
            lengths = np.array([len(text) - 2 for text in texts], dtype=np.int32)
            nodes = np.fromiter(objects, dtype=np.int32, count=len(objects))
            text = np.frombuffer(b"".join(texts), dtype=np.uint8)
            self._pieces.append(Pieces(nodes, lengths, text))

    def __bool__(self) -> bool:
        return bool(self._pieces) or bool(self._in_work)

    def sealed(self, row_of: Array) -> tuple[Array, Array, Array]:
        """Rows that have unknown fields, in order, the start of each object in the third, and all end to end.

        What was gathered is given up.
        """
        self._finish(0)
        if (written := self._in_place(row_of)) is not None:
            return written
        run = self._data.run
        sizes = np.zeros(len(row_of), dtype=np.int64)
        for nodes, lengths, _ in self._pieces:
            run(find_sizes)(row_of, nodes, lengths, sizes)
        n_rows = int(np.count_nonzero(sizes))
        rows, starts = np.empty(n_rows, dtype=np.int32), np.empty(n_rows + 1, dtype=np.int64)
        objects = np.empty(int(sizes.sum()) + n_rows, dtype=np.uint8)
        ends = np.zeros_like(sizes)
        run(find_starts)(sizes, rows, starts, ends, objects)
        while self._pieces:
            nodes, lengths, text = self._pieces.pop(0)
            run(join_pieces)(row_of, nodes, lengths, text, ends, objects)
        objects[starts[1:] - 1] = CLOSE_OBJECT
        return rows, starts, objects

    def _in_place(self, row_of: Array) -> tuple[Array, Array, Array] | None:
        """What `sealed` returns where the objects lie as they are to stay, an object a row; else None."""
        written = self._texts.all(len(self._pieces))
        if written is None or not self._pieces or (row_of != np.arange(len(row_of))).any():
            return None
        rows = np.concatenate([nodes for nodes, _, _ in self._pieces])
        if (rows[1:] <= rows[:-1]).any():
            return None
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(np.concatenate([lengths for _, lengths, _ in self._pieces]) + 2, out=starts[1:])
        self._pieces.clear()
        objects, self.file = written
        return rows, starts, objects

    def _finish(self, most_left: int) -> None:
        """Gather what was taken, up to so many records' worth of pieces that are still in work."""
        while len(self._in_work) > most_left:
            self._pieces.append(self._in_work.popleft().result())
