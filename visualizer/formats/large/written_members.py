"""Objects of JSON, written from records that are sorted by name: each value is judged, and copied, once.

What is judged are the values that a JSON library, having read them, would write with the same bytes
(`settled_values`); the others are read and written by the library.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.large.json_places import CLOSE_OBJECT, COMMA, OPEN_OBJECT
from plyscope.visualizer.formats.large.member_names import MOST_NAMES
from plyscope.visualizer.formats.large.scan import Bytes
from plyscope.visualizer.formats.large.settled_values import MOST_LEVELS, is_settled
from plyscope.visualizer.formats.large.sorted_records import SortedRecords
from plyscope.visualizer.formats.tape.text_room import TextRoom as Texts

Array = npt.NDArray[Any]


@kernel
def lay_out(
    columns: Array, edges: Array, stays: Array, prefix_sizes: Array, order: Array, names: Array
) -> int:
    """Put the records in the order of the file; returns how many bytes those that stay may take.

    order, names    by place in the file, the number of each record among `columns`, and its name
    """
    n_bytes = 1
    for name in range(len(edges) - 1):
        for at in range(edges[name], edges[name + 1]):
            place = columns[3, at]
            order[place] = at
            names[place] = name
            if stays[at]:
                n_bytes += prefix_sizes[name] + columns[2, at] + 3
    return n_bytes


@kernel
def write_objects(
    data: Array,
    elsewhere: Array,
    columns: Array,
    nodes: Array,
    order: Array,
    names: Array,
    stays: Array,
    begins: Array,
    sizes: Array,
    prefixes: Array,
    prefix_sizes: Array,
    open_objects: Array,
    text: Array,
    of_pieces: Array,
    lengths: Array,
    odd: Array,
) -> int:
    """Write the members that stay, those of one node as an object; returns how many objects there are.

    nodes          the node of each record
    begins, sizes  of each record the place of its text `elsewhere`, -1 where it is copied from the file
    of_pieces, lengths    the node of each object, and the bytes of its members
    odd            rows of record, place in `text` and object of the values that are not settled, and so were
                   left out; there is room for all records, and the last row begins with how many they are
    """
    n_pieces, end, n_odd, place, outer_end = 0, 0, 0, 0, 0
    while place < len(order):
        at, behind = order[place], place + 1
        n_left, n_gone = 0, 0
        while behind < len(order) and names[behind] >= MOST_NAMES:
            if stays[order[behind]]:
                n_left += 1
            else:
                n_gone += 1
            behind += 1
        if not stays[at] or (n_gone > 0 and n_left == 0):
            place = behind
            continue
        node, name = nodes[at], names[place]
        if n_pieces > 0 and of_pieces[n_pieces - 1] == node:
            text[end - 1] = COMMA
        else:
            of_pieces[n_pieces] = node
            lengths[n_pieces] = 0
            n_pieces += 1
            text[end] = OPEN_OBJECT
            end += 1
            outer_end = end
        inner = place
        if n_gone > 0:
            for j in range(prefix_sizes[name]):
                text[end + j] = prefixes[name, j]
            end += prefix_sizes[name]
            text[end] = OPEN_OBJECT
            end += 1
            inner += 1
        while True:
            at, name = order[inner], names[inner]
            if stays[at]:
                for j in range(prefix_sizes[name]):
                    text[end + j] = prefixes[name, j]
                end += prefix_sizes[name]
                if begins[at] >= 0:
                    begin, size = begins[at], sizes[at]
                    for j in range(size):
                        text[end + j] = elsewhere[begin + j]
                    end += size
                else:
                    begin, size = int(columns[1, at]), int(columns[2, at])
                    if is_settled(data, begin, begin + size, open_objects):
                        for j in range(size):
                            text[end + j] = data[begin + j]
                        end += size
                    else:
                        odd[n_odd, 0] = at
                        odd[n_odd, 1] = end
                        odd[n_odd, 2] = n_pieces - 1
                        n_odd += 1
                n_left -= 1
                if n_gone > 0 and n_left > 0:
                    text[end] = COMMA
                    end += 1
            inner += 1
            if n_gone == 0 or inner == behind:
                break
        if n_gone > 0:
            text[end] = CLOSE_OBJECT
            end += 1
        text[end] = CLOSE_OBJECT
        end += 1
        lengths[n_pieces - 1] = end - 1 - outer_end
        place = behind
    odd[len(odd) - 1, 0] = n_odd
    return n_pieces


class Pieces(NamedTuple):
    """Objects of JSON: the node of each, the bytes of its members, and all end to end."""

    nodes: Array
    lengths: Array
    text: Array


class Rewritten(NamedTuple):
    """Texts of values that are not those of the file: of each record the place, -1 for none, and the size."""

    begins: Array
    sizes: Array
    text: Array


def written_members(
    data: Bytes,
    piece: SortedRecords,
    stays: Array,
    names: Mapping[int, str],
    rewritten: Rewritten | None = None,
    texts: Texts | None = None,
) -> Pieces:
    """The objects that those records make that stay, for each run of records of one node.

    Of an object that was looked into, some of whose members do not stay, the others. Raises what reading
    values raises. The text is written into `texts`.
    """
    n_records, run = len(stays), data.run
    begins, sizes, text = rewritten or Rewritten(
        np.full(n_records, -1, dtype=np.int64),
        np.zeros(n_records, dtype=np.int64),
        np.zeros(0, dtype=np.uint8),
    )
    prefixes, prefix_sizes = prefixes_of(names, len(piece.edges))
    order, by_place = np.empty((2, n_records), dtype=np.int32)
    n_bytes = run(lay_out)(piece.columns, piece.edges, stays, prefix_sizes, order, by_place)
    nodes, lengths = np.empty((2, n_records), dtype=np.int32)
    odd = np.zeros((n_records + 1, 3), dtype=np.int32)
    texts = texts or Texts(0)
    written = texts.room(n_bytes + int(sizes.sum()))
    n_pieces = run(write_objects)(
        data.array, text, piece.columns, piece.nodes(), order, by_place, stays, begins, sizes,
        prefixes, prefix_sizes, np.zeros(MOST_LEVELS, dtype=np.int64), written, nodes, lengths, odd,
    )  # fmt: skip
    nodes, lengths = nodes[:n_pieces].copy(), lengths[:n_pieces].copy()
    n_bytes = int(lengths.sum(dtype=np.int64)) + 2 * n_pieces
    odd = odd[: odd[-1, 0]]
    if not len(odd):
        return Pieces(nodes, lengths, texts.keep(written[:n_bytes]))
    values = [
        np.frombuffer(json_bytes(value), dtype=np.uint8)
        for value in data.values(*piece.columns[1:3, odd[:, 0]].astype(np.int64))
    ]
    np.add.at(lengths, odd[:, 2], [len(value) for value in values])
    edges = [0, *odd[:, 1].tolist(), n_bytes]
    between = (written[begin:end] for begin, end in pairwise(edges))
    whole = np.concatenate(
        [part for pair in zip_longest(between, values) for part in pair if part is not None]
    )
    written = texts.room(len(whole))
    written[:] = whole
    return Pieces(nodes, lengths, texts.keep(written))


def prefixes_of(names: Mapping[int, str], n_names: int = 0) -> tuple[Array, Array]:
    """Each name as it stands before its value, and its bytes, by number; at least so many rows."""
    quoted = {number: json_bytes(name) + b":" for number, name in names.items()}
    width = max(map(len, quoted.values()), default=0)
    prefixes = np.zeros((max(n_names, max(quoted, default=0) + 1), width), dtype=np.uint8)
    sizes = np.zeros(len(prefixes), dtype=np.int64)
    for number, text in quoted.items():
        prefixes[number, : len(text)] = np.frombuffer(text, dtype=np.uint8)
        sizes[number] = len(text)
    return prefixes, sizes
