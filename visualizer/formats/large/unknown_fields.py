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
    """Write names and values of records of one node after one another, a comma between; returns the pieces.

    records       rows of node, name, begin and size of each value, in `written` where `is_written`
    prefixes      each name in quotes, with a colon
    text          room for all; nodes, lengths: the node of each piece, and its bytes
    """
    n_pieces, at = 0, 0
    for i in range(len(records)):
        node, name, begin, size = records[i, 0], records[i, 1], records[i, 2], records[i, 3]
        if n_pieces > 0 and nodes[n_pieces - 1] == node:
            text[at] = COMMA
            at += 1
            lengths[n_pieces - 1] += 1
        else:
            nodes[n_pieces] = node
            lengths[n_pieces] = 0
            n_pieces += 1
        for j in range(prefix_sizes[name]):
            text[at + j] = prefixes[name, j]
        at += prefix_sizes[name]
        if is_written[i]:
            for j in range(size):
                text[at + j] = written[begin + j]
        else:
            for j in range(size):
                text[at + j] = data[begin + j]
        at += size
        lengths[n_pieces - 1] += prefix_sizes[name] + size
    return n_pieces


@kernel
def enclose(lengths: Array, text: Array, objects: Array) -> int:
    """Put braces around each piece of `text`; returns the bytes written."""
    begin, at = 0, 0
    for i in range(len(lengths)):
        objects[at] = OPEN_OBJECT
        for j in range(lengths[i]):
            objects[at + 1 + j] = text[begin + j]
        objects[at + 1 + lengths[i]] = CLOSE_OBJECT
        begin += lengths[i]
        at += lengths[i] + 2
    return at


@kernel
def join_pieces(row_of: Array, nodes: Array, lengths: Array, text: Array, ends: Array, objects: Array) -> int:
    """Add each piece to the object of its row, whose bytes end so far at `ends`; returns the bytes read."""
    begin = 0
    for i in range(len(nodes)):
        row = row_of[nodes[i]]
        at = ends[row]
        for j in range(lengths[i]):
            objects[at + j] = text[begin + j]
        objects[at + lengths[i]] = COMMA
        ends[row] = at + lengths[i] + 1
        begin += lengths[i]
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


class Pieces(NamedTuple):
    """Pieces of JSON objects, members without braces: the node of each, its bytes, and all end to end."""

    nodes: Array
    lengths: Array
    text: Array


class Written(NamedTuple):
    """The rewritten values: which records have one, and the bytes in which their texts lie."""

    is_written: Array
    text: Array


class UnknownFields:
    """The unknown fields gathered so far: pieces of JSON objects; a node's are in the order of the file."""

    def __init__(self, data: Bytes) -> None:
        self._data = data
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
        """The members that records of a node make, for each run of records of one node."""
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
        prefixes, prefix_sizes = _prefixes(names)
        n_bytes = int(records[:, 3].sum() + prefix_sizes[records[:, 1]].sum()) + len(records)
        text = np.empty(n_bytes, dtype=np.uint8)
        nodes, lengths = np.empty((2, len(records)), dtype=np.int64)
        n_pieces = run(put_together)(
            data, side, records, is_written, prefixes, prefix_sizes, text, nodes, lengths
        )
        lengths = lengths[:n_pieces].astype(np.int32)
        return Pieces(nodes[:n_pieces].astype(np.int32), lengths, text[: int(lengths.sum())])

    def finish(self) -> None:
        """Wait for all that was taken; raises what reading it raised."""
        self._finish(0)

    def put_objects(self, objects: Mapping[int, Mapping[str, Any]]) -> None:
        """Take further fields by node, which stand behind those that it has."""
        self._finish(0)
        if objects:
            texts = [json_bytes(fields)[1:-1] for fields in objects.values()]
            lengths = np.array([len(text) for text in texts], dtype=np.int32)
            nodes = np.fromiter(objects, dtype=np.int32, count=len(objects))
            text = np.frombuffer(b"".join(texts), dtype=np.uint8)
            self._pieces.append(Pieces(nodes, lengths, text))

    def __bool__(self) -> bool:
        return bool(self._pieces) or bool(self._in_work)

    def sealed(self, row_of: Array) -> tuple[Array, Array, Array]:
        """Rows that have unknown fields, in order, the start of each object in the third, and all end to end.

        What was gathered is given up.
        """
        run = self._data.run
        sizes = np.zeros(len(row_of), dtype=np.int64)
        self._finish(0)
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

    def _finish(self, most_left: int) -> None:
        """Gather what was taken, up to so many records' worth of pieces that are still in work."""
        while len(self._in_work) > most_left:
            self._pieces.append(self._in_work.popleft().result())


def _prefixes(names: Mapping[int, str]) -> tuple[Array, Array]:
    """Each name as it stands before its value, in the row of its number, and its bytes."""
    quoted = {number: json_bytes(name) + b":" for number, name in names.items()}
    prefixes = np.zeros((max(quoted) + 1, max(map(len, quoted.values()))), dtype=np.uint8)
    sizes = np.zeros(len(prefixes), dtype=np.int64)
    for number, text in quoted.items():
        prefixes[number, : len(text)] = np.frombuffer(text, dtype=np.uint8)
        sizes[number] = len(text)
    return prefixes, sizes
