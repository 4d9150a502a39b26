"""Fields that the format does not know, between a large file and the log without an object a node.

A log keeps them as one JSON object a node. The values stand in the file as JSON already, so most are copied
as they are: those that a JSON library, having read them, would write with the same bytes. The kernel
`find_settled` knows which; the others are read and written by the library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.large.scan import Bytes
from plyscope.visualizer.formats.large.scan_kernel import (
    CLOSE_OBJECT,
    COMMA,
    OPEN_OBJECT,
)
from plyscope.visualizer.formats.large.settled_values import MOST_LEVELS, find_settled

Array = npt.NDArray[Any]


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
def join_pieces(places: Array, lengths: Array, text: Array, ends: Array, objects: Array) -> int:
    """Add each piece to the object at its place, whose bytes end so far at `ends`; returns the bytes read."""
    begin = 0
    for i in range(len(places)):
        at = ends[places[i]]
        for j in range(lengths[i]):
            objects[at + j] = text[begin + j]
        objects[at + lengths[i]] = COMMA
        ends[places[i]] = at + lengths[i] + 1
        begin += lengths[i]
    return begin


class Pieces(NamedTuple):
    """Pieces of JSON objects, members without braces: the node of each, its bytes, and all end to end."""

    nodes: Array
    lengths: Array
    text: Array


class Written(NamedTuple):
    """What stands in the place of some values: which records those are, where in `text`, and its bytes."""

    is_written: Array
    text: Array


class UnknownFields:
    """The unknown fields gathered so far: pieces of JSON objects; a node's are in the order of the file."""

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._open_objects = np.zeros(MOST_LEVELS, dtype=np.int64)
        self._pieces: list[Pieces] = []

    def put(self, records: Array, names: Mapping[int, str], written: Written | None = None) -> None:
        """Take records, rows of node, name, begin and size of a value; `names` are their names by number.

        Where a value is `written`, begin and size are of the text there.
        """
        if len(records):
            self._pieces.append(self.pieces(records, names, written))

    def pieces(self, records: Array, names: Mapping[int, str], written: Written | None = None) -> Pieces:
        """The members that records of a node make, for each run of records of one node."""
        run, data = self._data.run, self._data.array
        is_written, side = written or (np.zeros(len(records), dtype=np.bool_), np.zeros(1, dtype=np.uint8))
        begins, sizes = np.ascontiguousarray(records[:, 2]), np.ascontiguousarray(records[:, 3])
        settled = is_written.copy()
        ours = np.flatnonzero(~is_written)
        are_settled = np.zeros(len(ours), dtype=np.bool_)
        run(find_settled)(data, begins[ours], sizes[ours], self._open_objects, are_settled)
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

    def put_objects(self, objects: Mapping[int, Mapping[str, Any]]) -> None:
        """Take further fields by node, which stand behind those that it has."""
        if objects:
            texts = [json_bytes(fields)[1:-1] for fields in objects.values()]
            lengths = np.array([len(text) for text in texts], dtype=np.int32)
            nodes = np.fromiter(objects, dtype=np.int32, count=len(objects))
            text = np.frombuffer(b"".join(texts), dtype=np.uint8)
            self._pieces.append(Pieces(nodes, lengths, text))

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def sealed(self, row_of: Array) -> tuple[Array, Array, Array]:
        """Rows that have unknown fields, in order, the start of each object in the third, and all end to end.

        What was gathered is given up.
        """
        sizes = np.zeros(len(row_of), dtype=np.int64)
        for nodes, lengths, _ in self._pieces:
            np.add.at(sizes, row_of[nodes], lengths + 1)
        rows = np.flatnonzero(sizes)
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(sizes[rows] + 1, out=starts[1:])
        objects = np.empty(int(starts[-1]), dtype=np.uint8)
        objects[starts[:-1]] = OPEN_OBJECT
        place_of = sizes
        place_of[rows] = np.arange(len(rows))
        ends = starts[:-1] + 1
        for nodes, lengths, text in self._taken():
            self._data.run(join_pieces)(place_of[row_of[nodes]], lengths, text, ends, objects)
        objects[ends - 1] = CLOSE_OBJECT
        return rows.astype(np.int32), starts, objects

    def _taken(self) -> Iterator[Pieces]:
        while self._pieces:
            yield self._pieces.pop(0)


def _prefixes(names: Mapping[int, str]) -> tuple[Array, Array]:
    """Each name as it stands before its value, in the row of its number, and its bytes."""
    quoted = {number: json_bytes(name) + b":" for number, name in names.items()}
    prefixes = np.zeros((max(quoted) + 1, max(map(len, quoted.values()))), dtype=np.uint8)
    sizes = np.zeros(len(prefixes), dtype=np.int64)
    for number, text in quoted.items():
        prefixes[number, : len(text)] = np.frombuffer(text, dtype=np.uint8)
        sizes[number] = len(text)
    return prefixes, sizes
