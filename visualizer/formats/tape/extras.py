"""Fields that no column takes, kept as one JSON object a node.

They come as texts of members, of some nodes at a time; each run of one node's is written at once as a piece
of its object. In the end the pieces of each node are joined.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import copy_array, kernel
from plyscope.visualizer.formats.json_text import json_bytes, json_value
from plyscope.visualizer.formats.tape.tape import Run
from plyscope.visualizer.formats.tape.text_room import TextRoom
from plyscope.visualizer.store.unnamed_file import UnnamedFile

Array = npt.NDArray[Any]
Order = Callable[[dict[str, Any]], dict[str, Any]]


@kernel
def count_doubles(nodes: Array, members: Array, last: Array) -> int:
    """Count the members that an earlier one of the same run of one node is the same as.

    `last` has a place a member, all -1 before.
    """
    n_doubles, first = 0, 0
    for i in range(len(nodes)):
        if nodes[i] != nodes[first]:
            first = i
        n_doubles += last[members[i]] >= first
        last[members[i]] = i
    return int(n_doubles)


@kernel
def put_members(
    nodes: Array,
    members: Array,
    begins: Array,
    text: Array,
    outers: Array,
    pool: Array,
    name_at: Array,
    out: Array,
    of_objects: Array,
    lengths: Array,
) -> int:
    """Write each run of members of one node as an object; returns how many objects there are.

    begins         where the text of each member's value begins, one place more
    outers         by member, the one in whose object it stands, -1 for none
    pool, name_at  the names of members, each with quotes and colon
    lengths        of each object, the bytes between its brackets
    """
    at, n_objects, i = 0, 0, 0
    while i < len(nodes):
        node, begin, within = nodes[i], at, -1
        has_any = False
        out[at] = 123
        at += 1
        while i < len(nodes) and nodes[i] == node:
            member = members[i]
            if outers[member] != within:
                if within >= 0:
                    out[at] = 125
                    at += 1
                    has_any = True
                within = outers[member]
                if within >= 0:
                    if has_any:
                        out[at] = 44
                        at += 1
                    size = name_at[within + 1] - name_at[within]
                    copy_array(pool[name_at[within] : name_at[within + 1]], out[at : at + size])
                    out[at + size] = 123
                    at += size + 1
                    has_any = False
            if has_any:
                out[at] = 44
                at += 1
            has_any = True
            size = name_at[member + 1] - name_at[member]
            copy_array(pool[name_at[member] : name_at[member + 1]], out[at : at + size])
            at += size
            size = begins[i + 1] - begins[i]
            copy_array(text[begins[i] : begins[i + 1]], out[at : at + size])
            at += size
            i += 1
        if within >= 0:
            out[at] = 125
            at += 1
        out[at] = 125
        at += 1
        of_objects[n_objects] = node
        lengths[n_objects] = at - begin - 2
        n_objects += 1
    return n_objects


@kernel
def add_sizes(row_of: Array, nodes: Array, lengths: Array, sizes: Array, n_pieces: Array) -> int:
    """Add the bytes of each piece, and one behind it, to the row of its node; returns how many pieces."""
    for i in range(len(nodes)):
        row = row_of[nodes[i]]
        sizes[row] += lengths[i] + 1
        n_pieces[row] += 1
    return len(nodes)


@kernel
def join_pieces(row_of: Array, nodes: Array, lengths: Array, text: Array, ends: Array, objects: Array) -> int:
    """Add the members of each piece to the object of its row, whose bytes end so far at `ends`.

    Returns the bytes read.
    """
    begin = 0
    for i in range(len(nodes)):
        row = row_of[nodes[i]]
        at = ends[row]
        copy_array(text[begin + 1 : begin + 1 + lengths[i]], objects[at : at + lengths[i]])
        objects[at + lengths[i]] = 44
        ends[row] = at + lengths[i] + 1
        begin += lengths[i] + 2
    return int(begin)


class Objects(NamedTuple):
    """Pieces of objects: of each its node and the bytes between its brackets, and all of them end to end."""

    nodes: Array
    lengths: Array
    text: Array


class Members:
    """The names of members by number, with those of the fields in which they stand."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._tables: tuple[Array, Array, Array] | None = None

    def number(self, outer: str, name: str) -> int:
        """The number of the member of that name in the object under `outer`, which may be empty."""
        if (outer, name) not in self._numbers:
            if outer:
                self.number("", outer)
            self._numbers[outer, name] = len(self._numbers)
            self._tables = None
        return self._numbers[outer, name]

    def __len__(self) -> int:
        return len(self._numbers)

    def has(self, outer: str, name: str) -> bool:
        """Whether there is a member of that name in the object under `outer`."""
        return (outer, name) in self._numbers

    def tables(self) -> tuple[Array, Array, Array]:
        """By member the one it stands in; the names with quotes and colons, and where each begins."""
        if self._tables is None:
            spelled = [json_bytes(name) + b":" for _, name in self._numbers]
            name_at = np.zeros(len(spelled) + 1, np.int64)
            np.cumsum([len(each) for each in spelled], out=name_at[1:])
            outers = [self._numbers["", outer] if outer else -1 for outer, _ in self._numbers]
            pool = np.frombuffer(b"".join(spelled) or b"\0", np.uint8)
            self._tables = np.array(outers, np.int32), pool, name_at
        return self._tables


class Extras:
    """The fields gathered so far, of each node in the order in which they came; the last of a name counts.

    >>> extras = Extras(lambda kernel: kernel)
    >>> extras.put_objects({1: {"note": "x"}, 0: {"cost": 3}})
    >>> rows, starts, objects = extras.sealed(np.array([0, 1]))
    >>> rows.tolist(), objects.tobytes()
    ([0, 1], b'{"cost":3}{"note":"x"}')
    """

    def __init__(self, run: Run, folder: Path | None = None, n_bytes: int = 0) -> None:
        """Texts of about so many bytes may be put in a file in `folder`, which is gone with the log."""
        self._run, self._folder = run, folder
        self._room = TextRoom(n_bytes, folder)
        self.members = Members()
        self._pieces: list[Objects] = []
        self._n_apart = 0
        """Of these the first ones hold names that no others of the same nodes have."""
        self.has_doubles = False
        """Whether some object had a name twice."""
        self.file: UnnamedFile | None = None
        self.order: Order = dict
        """What gives the fields of a node their order, where they come in several pieces."""

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def put(self, nodes: Array, members: Array, begins: Array, text: Array) -> None:
        """Take the texts of members of nodes, which lie end to end from `begins`, one place more."""
        if not len(nodes):
            return
        n_doubles = self._run(count_doubles)(nodes, members, np.full(len(self.members), -1, np.int32))
        outers, pool, name_at = self.members.tables()
        sizes = np.diff(name_at)
        n_bytes = len(text) + 8 * len(nodes) + int(sizes[members].sum())
        inner = outers[members]
        n_bytes += int(sizes[inner[inner >= 0]].sum())
        out = self._room.room(n_bytes)
        of_objects, lengths = np.empty(len(nodes), np.int32), np.empty(len(nodes), np.int32)
        n = int(
            self._run(put_members)(
                nodes, members, begins, text, outers, pool, name_at, out, of_objects, lengths
            )
        )
        self.has_doubles |= bool(n_doubles)
        nodes, lengths, out = of_objects[:n].copy(), lengths[:n].copy(), out[: int(lengths[:n].sum()) + 2 * n]
        if n_doubles:
            piece = _once(Objects(nodes, lengths, out.copy()))
        else:
            piece = Objects(nodes, lengths, self._room.keep(out))
        self._pieces.append(piece)

    def put_objects(self, objects: Mapping[int, Mapping[str, Any]], *, are_apart: bool = False) -> None:
        """Take further fields by node, which stand behind those that it has.

        Those that `are_apart` have names that the node has not otherwise, and stand before the rest.
        """
        if objects:
            texts = [json_bytes(fields) for fields in objects.values()]
            nodes = np.fromiter(objects, np.int32, len(objects))
            lengths = np.array([len(text) - 2 for text in texts], np.int32)
            piece = Objects(nodes, lengths, np.frombuffer(b"".join(texts), np.uint8))
            self._pieces.insert(self._n_apart if are_apart else len(self._pieces), piece)
            self._n_apart += are_apart

    def states(self, node: int) -> bool:
        """Whether a node has such fields."""
        return any((piece.nodes == node).any() for piece in self._pieces)

    def move(self, row_of: Array) -> None:
        """Number the nodes anew; those that get -1 are left out."""
        for at, (nodes, lengths, text) in enumerate(self._pieces):
            rows = row_of[nodes].astype(np.int32)
            if (rows < 0).any():
                ends = np.cumsum(lengths + 2)
                is_left = np.repeat(rows >= 0, lengths + 2)
                assert len(is_left) == (ends[-1] if len(ends) else 0)
                rows, lengths, text = rows[rows >= 0], lengths[rows >= 0], text[is_left]
            self._pieces[at] = Objects(rows, lengths, text)

    def objects_of(self, nodes: Array) -> dict[int, dict[str, Any]]:
        """The fields of some nodes, by node."""
        wanted = set(nodes.tolist())
        objects: dict[int, dict[str, Any]] = {}
        for of, lengths, text in self._pieces:
            ends = np.cumsum(lengths + 2).tolist()
            held = text.tobytes()
            for node, length, end in zip(of.tolist(), lengths.tolist(), ends, strict=True):
                if node in wanted:
                    objects.setdefault(node, {}).update(json_value(held[end - length - 2 : end]))
        return objects

    def sealed(self, row_of: Array) -> tuple[Array, Array, Array]:
        """Rows that have such fields, in order, the start of each object in the third, and all end to end.

        What was gathered is given up.
        """
        run = self._run
        if (in_order := self._in_order(row_of)) is not None:
            return in_order
        sizes = np.zeros(len(row_of), np.int64)
        n_pieces = np.zeros(len(row_of), np.int32)
        for at, (nodes, lengths, _) in enumerate(self._pieces):
            run(add_sizes)(row_of, nodes, lengths, sizes, n_pieces)
            if at < self._n_apart:
                n_pieces[:] = 0  # they are not to be compared with others
        rows = np.flatnonzero(sizes).astype(np.int32)
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(sizes[rows] + 1, out=starts[1:])
        objects = np.empty(int(starts[-1]), np.uint8)
        ends = sizes
        ends[rows] = starts[:-1] + 1
        objects[starts[:-1]] = 123
        self._pieces.reverse()
        while self._pieces:
            nodes, lengths, text = self._pieces.pop()
            run(join_pieces)(row_of, nodes, lengths, text, ends, objects)
        objects[starts[1:] - 1] = 125
        rows, starts, objects = _mended(rows, starts, objects, np.flatnonzero(n_pieces[rows] > 1), self.order)
        self.file = UnnamedFile.where_possible(self._folder, len(objects))
        if self.file is not None:
            self.file.write(objects.data, 0)
            objects = np.frombuffer(self.file.mapped(len(objects)), np.uint8)
        return rows, starts, objects

    def _in_order(self, row_of: Array) -> tuple[Array, Array, Array] | None:
        """The same, where the pieces lie end to end in the order of the rows, one a row; else None."""
        last, rows = -1, []
        for nodes, _, _ in self._pieces:
            of_piece = row_of[nodes]
            if not len(nodes) or of_piece[0] <= last or (of_piece[1:] <= of_piece[:-1]).any():
                return None
            last = int(of_piece[-1])
            rows.append(of_piece)
        found = self._room.all(len(self._pieces)) if rows else None
        if found is None:
            return None
        text, file = found
        if len(text) != sum(len(piece.text) for piece in self._pieces):
            return None  # some were left out meanwhile
        self.file = file
        starts = np.zeros(sum(map(len, rows)) + 1, np.int64)
        np.cumsum(np.concatenate([piece.lengths for piece in self._pieces]) + 2, out=starts[1:])
        self._pieces.clear()
        return np.concatenate(rows).astype(np.int32), starts, text


def _with_each_once(text: bytes) -> bytes:
    """The object with each name once: the last counts, and of objects under one name all members."""

    def joined(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for name, value in pairs:
            before = fields.get(name)
            is_joined = isinstance(before, dict) and isinstance(value, dict)
            fields[name] = {**(before or {}), **value} if is_joined else value
        return fields

    return json_bytes(json.loads(text, object_pairs_hook=joined))


def _once(piece: Objects) -> Objects:
    """The same objects with each name once, of which the last counts."""
    ends = np.cumsum(piece.lengths + 2)
    held = piece.text.tobytes()
    begins = (ends - piece.lengths - 2).tolist()
    texts = [_with_each_once(held[begin:end]) for begin, end in zip(begins, ends.tolist(), strict=True)]
    lengths = np.array([len(text) - 2 for text in texts], np.int32)
    return Objects(piece.nodes, lengths, np.frombuffer(b"".join(texts), np.uint8))


def _mended(
    rows: Array, starts: Array, objects: Array, joined: Array, order: Order
) -> tuple[Array, Array, Array]:
    """The objects, with each name once and in order in those of several pieces, which are at `joined`."""
    lengths = np.diff(starts)
    mended: dict[int, bytes] = {}
    for place in joined.tolist():
        held = text = objects[starts[place] : starts[place + 1]].tobytes()
        fields = json_value(held)
        if held.count(b'":') > len(fields):
            text = _with_each_once(held)
            fields = json_value(text)
        ordered = order(fields)
        if str(ordered) != str(fields):
            text = json_bytes(ordered)
        if text != held:
            mended[place] = text
            lengths[place] = len(text)
    if not mended:
        return rows, starts, objects
    parts, done = [], 0
    for place, text in mended.items():
        parts += [objects[done : starts[place]].tobytes(), text]
        done = int(starts[place + 1])
    parts.append(objects[done:].tobytes())
    again = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(lengths, out=again[1:])
    return rows, again, np.frombuffer(b"".join(parts), np.uint8)
