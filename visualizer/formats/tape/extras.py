"""Fields that no column takes, kept as one JSON object a row.

The texts of members come for some nodes at a time, and are written as objects once the order of the rows is
known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import copy_array, fetch, kernel
from plyscope.visualizer.formats.json_text import json_bytes, json_texts, json_value
from plyscope.visualizer.formats.seal.memory import give_back_memory
from plyscope.visualizer.formats.tape.tape import Run
from plyscope.visualizer.formats.tape.text_room import TextRoom
from plyscope.visualizer.formats.tape.texts import picked, with_room
from plyscope.visualizer.store.mapped import UnnamedFile

Array = npt.NDArray[Any]

AT_ONCE: Final = 2**17
"""Members that are taken together."""
BYTES_AT_ONCE: Final = 2**22
"""The bytes of objects that are written together, at least."""
BESIDE: Final = len(b"{,{}}")
"""The punctuation around a member's names and value, at most."""
AHEAD: Final = 8
"""The processor fetches the texts of this many runs ahead, their places twice as many."""
RUN, N_OBJECTS = range(2)
"""Places in `state`."""


@kernel
def sort_runs(rows: Array, edges: Array, order: Array) -> int:
    """Sort runs by row, those of one row as they came; returns how many there are.

    rows   -1 for runs that are left out
    edges  filled with 0, one more than there are rows
    """
    for i in range(len(rows)):
        edges[rows[i] + 1] += rows[i] >= 0
    for row in range(1, len(edges)):
        edges[row] += edges[row - 1]
    for i in range(len(rows)):
        if rows[i] >= 0:
            order[edges[rows[i]]] = i
            edges[rows[i]] += 1
    return int(edges[len(edges) - 1])


@kernel
def number_at(array: Array, width: int, place: int) -> int:
    """The number at a place of an array of whole numbers of `width` bytes; the array is given as bytes."""
    number = np.int64(array[width * place + width - 1])
    for at in range(width * place + width - 2, width * place - 1, -1):
        number = number * 256 + np.int64(array[at])
    return int(number)


@kernel
def sort_keys(keys: Array, n: int) -> None:
    """Sort the first `n` numbers (Shell, A high-speed sorting procedure, 1959)."""
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            key, j = keys[i], i
            while j >= gap and keys[j - gap] > key:
                keys[j] = keys[j - gap]
                j -= gap
            keys[j] = key
        gap //= 3


@kernel
def put_objects(
    nodes: Array,
    order: Array,
    firsts: Array,
    begins: Array,
    members: Array,
    of_member: int,
    lengths: Array,
    of_length: int,
    text: Array,
    ranks: Array,
    has_order: bool,
    outers: Array,
    pool: Array,
    name_at: Array,
    place_of: Array,
    keys: Array,
    found: Array,
    state: Array,
    out: Array,
    rows: Array,
    starts: Array,
) -> int:
    """Write the members of each row as an object, each once, as long as they fit; returns the bytes written.

    nodes, order      the rows of runs, and the runs by row
    firsts, begins    by run the number of its first text (n + 1), and the place of that in `text`
    members, lengths  by text, as bytes, `of_member` and `of_length` for each
    ranks, has_order  by member its rank, and whether that is its place in rows that came in several runs
    outers            by rank of a member, the rank of the one whose object holds it, -1 for none
    pool, name_at     by rank the names, each with quotes and colon, and their offsets
    place_of, keys    room for a number of each member
    found             the same for two numbers
    state             the next run, and the number of objects
    rows, starts      by object its row, and its begin in all that is written (n + 1)
    """
    at, i, n_objects = 0, state[RUN], state[N_OBJECTS]
    while i < len(order):
        row, n, n_runs, size = nodes[order[i]], 0, 0, 2
        while i + n_runs < len(order) and nodes[order[i + n_runs]] == row:
            if i + n_runs + 2 * AHEAD < len(order):
                run = order[i + n_runs + 2 * AHEAD]
                fetch(nodes, run)
                fetch(firsts, run)
                fetch(begins, run)
                run = order[i + n_runs + AHEAD]
                fetch(members, of_member * firsts[run])
                fetch(lengths, of_length * firsts[run])
                fetch(text, begins[run])
            run = order[i + n_runs]
            begin = begins[run]
            for j in range(firsts[run], firsts[run + 1]):
                key = ranks[number_at(members, of_member, j)]
                length = number_at(lengths, of_length, j)
                place = place_of[key]
                if place >= n or keys[place] != key:
                    place = n
                    keys[n], place_of[key] = key, n
                    n += 1
                    outer = outers[key]
                    size += BESIDE + name_at[key + 1] - name_at[key]
                    if outer >= 0:
                        size += name_at[outer + 1] - name_at[outer]
                found[place, 0], found[place, 1] = begin, length
                size += length
                begin += length
            n_runs += 1
        if size > len(out) - at:
            break
        if has_order and n_runs > 1:
            sort_keys(keys, n)
        within, has_any = np.int32(-1), False
        out[at] = 123
        at += 1
        for j in range(n):
            key = keys[j]
            outer = outers[key]
            if outer != within:
                if within >= 0:
                    out[at] = 125
                    at += 1
                    has_any = True
                within = outer
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
            size = name_at[key + 1] - name_at[key]
            copy_array(pool[name_at[key] : name_at[key + 1]], out[at : at + size])
            at += size
            begin, size = found[place_of[key], 0], found[place_of[key], 1]
            copy_array(text[begin : begin + size], out[at : at + size])
            at += size
        if within >= 0:
            out[at] = 125
            at += 1
        out[at] = 125
        at += 1
        rows[n_objects] = row
        n_objects += 1
        starts[n_objects] = starts[state[N_OBJECTS]] + at
        i += n_runs
    state[RUN], state[N_OBJECTS] = i, n_objects
    return at


class Members:
    """The numbers of members, each a name and the field whose object holds it."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}

    def number(self, outer: str, name: str) -> int:
        """The number of the member `name` of the field `outer`, which is empty for a field of the node."""
        if (outer, name) not in self._numbers:
            if outer:
                self.number("", outer)
            self._numbers[outer, name] = len(self._numbers)
        return self._numbers[outer, name]

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """The outer field and the name of each."""
        return iter(self._numbers)

    def copied(self) -> Members:
        """A copy, to which later members are not added."""
        copy = Members()
        copy._numbers = dict(self._numbers)
        return copy

    def tables(self, paths: Iterable[str]) -> tuple[Array, Array, Array, Array]:
        """By member its rank, its place in the order of these paths; others follow by number.

        By rank, that of the outer member, -1 for none; the names with quotes and colons, and their offsets.
        """
        of_paths: dict[str, int] = {}
        for place, path in enumerate(paths):
            of_paths.setdefault(path.partition(".")[0], place)
            of_paths.setdefault(path, place)
        last = len(of_paths)

        def rank(member: tuple[str, str]) -> tuple[int, int, int, int]:
            outer, name = member
            top = outer or name
            inner = of_paths.get(f"{outer}.{name}", last) if outer else -1
            number = self._numbers.get(("", top), 0)
            return of_paths.get(top, last), number, inner, self._numbers[member]

        ranked = sorted(self._numbers, key=rank)
        ranks = np.empty(len(ranked), np.int32)
        ranks[[self._numbers[member] for member in ranked]] = np.arange(len(ranked))
        outers = [int(ranks[self._numbers["", outer]]) if outer else -1 for outer, _ in ranked]
        spelled = [json_bytes(name) + b":" for _, name in ranked]
        name_at = np.zeros(len(spelled) + 1, np.int64)
        np.cumsum([len(each) for each in spelled], out=name_at[1:])
        pool = np.frombuffer(b"".join(spelled) or b"\0", np.uint8)
        return ranks, np.array(outers, np.int32), pool, name_at


class MemberTexts(NamedTuple):
    """Texts of members: the node, the member's number, and the place in `text` of each."""

    nodes: Array
    members: Array
    begins: Array
    lengths: Array
    text: Array

    def where(self, chosen: Array) -> MemberTexts:
        """The texts at these indices."""
        nodes, members, begins, lengths, text = self
        return MemberTexts(nodes[chosen], members[chosen], begins[chosen], lengths[chosen], text)


class Extras:
    """The extra fields gathered so far, in order of arrival; of two with one name in a node the last counts.

    >>> extras = Extras()
    >>> extras.put_objects({1: {"note": "x"}, 0: {"cost": 3}})
    >>> rows, starts, objects = extras.sealed(np.array([0, 1]))
    >>> rows.tolist(), objects.tobytes()
    ([0, 1], b'{"cost":3}{"note":"x"}')
    """

    def __init__(self, run: Run | None = None, folder: Path | None = None, n_bytes: int = 0) -> None:
        """Expect about `n_bytes` of texts; objects may lie in a file in `folder`, gone with the log.

        `run` calls kernels; without it objects are written by plain Python, which suits some thousand.
        """
        self.run, self._folder = run, folder
        self._room = TextRoom(n_bytes, folder)
        self.members = Members()
        self._nodes: Array = np.empty(0, np.int32)
        self._counts: Array = np.empty(0, np.uint8)
        self._sizes: Array = np.empty(0, np.uint8)
        self._members: Array = np.empty(0, np.uint8)
        self._lengths: Array = np.empty(0, np.uint8)
        self._n_runs = self._n = 0
        """A run are texts of one node that came together: it has a node, a count and a size in bytes.

        These arrays have room for more, and are as narrow as may be.
        """
        self.file: UnnamedFile | None = None
        self.order: Sequence[str] | None = None
        """The paths in whose order fields are written; None for the order of arrival."""

    def __bool__(self) -> bool:
        return self._n > 0

    def put(self, nodes: Array, members: Array, begins: Array, text: Array, *, goes_on: bool = False) -> None:
        """Take the texts of members of nodes, concatenated in `text`, with their offsets (n + 1) in `begins`.

        Where it `goes_on`, the first node may be the last one of the call before, with more of its fields.
        """
        if not len(nodes):
            return
        nodes, members = nodes.astype(np.int32, copy=False), members.astype(np.int32, copy=False)
        firsts = np.flatnonzero(np.append(True, nodes[1:] != nodes[:-1]))
        counts, sizes = np.diff(firsts, append=len(nodes)), np.diff(begins[firsts], append=begins[-1])
        if goes_on and self._n_runs and self._nodes[self._n_runs - 1] == nodes[0]:
            self._n_runs -= 1
            counts[0] += self._counts[self._n_runs]
            sizes[0] += self._sizes[self._n_runs]
        self._put_runs(nodes[firsts], counts, sizes, members, np.diff(begins), text)

    def _put_runs(
        self, nodes: Array, counts: Array, sizes: Array, members: Array, lengths: Array, text: Array
    ) -> None:
        """Take runs by their nodes, counts and sizes, and their texts by member and length."""
        self._room.room(len(text))[:] = text
        self._room.keep(len(text))
        first, self._n_runs = self._n_runs, self._n_runs + len(counts)
        self._nodes = with_room(self._nodes, self._n_runs)
        self._counts = with_room(holding(int(counts.max()), self._counts), self._n_runs)
        self._sizes = with_room(holding(int(sizes.max()), self._sizes), self._n_runs)
        self._nodes[first : self._n_runs], self._counts[first : self._n_runs] = nodes, counts
        self._sizes[first : self._n_runs] = sizes
        first, self._n = self._n, self._n + len(members)
        self._members = with_room(holding(len(self.members), self._members), self._n)
        self._lengths = with_room(holding(int(lengths.max()), self._lengths), self._n)
        self._members[first : self._n], self._lengths[first : self._n] = members, lengths

    def put_texts(self, nodes: Sequence[int] | Array, member: int, begins: Array, text: Array) -> None:
        """Take the texts of one member of many nodes."""
        self.put(np.asarray(nodes, np.int32), np.full(len(nodes), member, np.int32), begins, text)

    def put_chosen(self, nodes: Array, member: int, begins: Array, text: Array, chosen: Array) -> None:
        """Take the texts of one member of many nodes, each chosen by its index."""
        for first in range(0, len(nodes), AT_ONCE):
            some = slice(first, first + AT_ONCE)
            self.put_texts(
                nodes[some], member, *picked(self.run, text, begins, np.diff(begins), chosen[some])
            )

    def nodes_with(self, name: str) -> Array:
        """The nodes that have a field of that name."""
        numbers = [at for at, (outer, own) in enumerate(self.members) if name == (outer or own)]
        nodes = np.repeat(self._nodes[: self._n_runs], self._counts[: self._n_runs])
        return nodes[np.isin(self._members[: self._n], numbers)]

    def put_objects(self, objects: Mapping[int, Mapping[str, Any]]) -> None:
        """Take further fields by node, behind those that it has."""
        nodes = [node for node, fields in objects.items() for _ in fields]
        names = [name for fields in objects.values() for name in fields]
        values = [value for fields in objects.values() for value in fields.values()]
        members = [self.members.number("", name) for name in names]
        self.put(np.array(nodes, np.int32), np.array(members, np.int32), *json_texts(values))

    def append(self, others: Extras, node_of: Array | int) -> None:
        """Take all of `others`, whose nodes are numbered by `node_of`, or from that number on."""
        if not others:
            return
        n_runs, n = others._n_runs, others._n
        nodes = others._nodes[:n_runs]
        nodes = nodes + node_of if isinstance(node_of, int) else node_of[nodes]
        numbers = np.array([self.members.number(*member) for member in others.members])
        members, text = numbers[others._members[:n]], others._room.all()[0]
        counts, sizes = others._counts[:n_runs], others._sizes[:n_runs]
        self._put_runs(nodes, counts, sizes, members, others._lengths[:n], text)

    def copied(self) -> Extras:
        """A copy of what has come so far; it shares the texts, which never change."""
        copy = Extras(self.run)
        copy._room, copy.members = self._room.copied(), self.members.copied()
        copy._nodes, copy._n_runs, copy._n = self._nodes[: self._n_runs].copy(), self._n_runs, self._n
        copy._counts, copy._sizes = self._counts[: self._n_runs], self._sizes[: self._n_runs]
        copy._members, copy._lengths = self._members[: self._n], self._lengths[: self._n]
        return copy

    def states(self, node: int) -> bool:
        """Whether a node has such fields."""
        return bool((self._nodes[: self._n_runs] == node).any())

    def move(self, row_of: Array) -> None:
        """Renumber the nodes by `row_of`; those that get -1 are left out."""
        nodes = self._nodes[: self._n_runs]
        np.append(row_of, -1).astype(np.int32).take(nodes, out=nodes, mode="wrap")

    def taken_from(self, nodes: Array) -> MemberTexts:
        """Remove the texts of some nodes and return them."""
        runs = np.flatnonzero(np.isin(self._nodes[: self._n_runs], nodes))
        taken = self._of_runs(runs)
        self._nodes[runs] = -1
        return taken

    def taken_objects(self, nodes: Array) -> dict[int, dict[str, Any]]:
        """Remove the fields of some nodes and return them by node."""
        taken = self.taken_from(nodes)
        objects: dict[int, dict[str, Any]] = {}
        members, written = [*self.members], taken.text.tobytes()
        places = zip(taken.begins.tolist(), taken.lengths.tolist(), strict=True)
        for node, member, (begin, size) in zip(
            taken.nodes.tolist(), taken.members.tolist(), places, strict=True
        ):
            outer, name = members[member]
            fields = objects.setdefault(node, {})
            fields = fields.setdefault(outer, {}) if outer else fields
            fields[name] = json_value(written[begin : begin + size])
        return objects

    def sealed(self, row_of: Array) -> tuple[Array, Array, Array]:
        """The rows that have extra fields, in order, the offsets of their objects, and the objects' JSON.

        Nothing that was gathered is left here.
        """
        self.move(row_of)
        nodes, text = self._nodes[: self._n_runs], self._room.all()[0]
        if self.run is None:
            written = dict(self._objects())
            return np.fromiter(written, np.int32, len(written)), *joined([*written.values()])
        edges, order = np.zeros(int(nodes.max(initial=-1)) + 2, np.int32), np.empty(len(nodes), np.int32)
        order = order[: self.run(sort_runs)(nodes, edges, order)]
        del edges  # much memory is in use here
        tables = ranks, outers, _, name_at = self.members.tables(self.order or ())
        sizes = np.diff(name_at) + BESIDE
        sizes += np.append(np.diff(name_at), 0)[outers]
        parts = range(0, self._n, AT_ONCE)
        left = 2 * len(order) + len(text)
        left += sum(int(sizes[ranks[self._members[at : min(self._n, at + AT_ONCE)]]].sum()) for at in parts)
        room, n_bytes = TextRoom(left, self._folder), BYTES_AT_ONCE
        rows, starts = np.empty(len(order), np.int32), np.zeros(len(order) + 1, np.int64)
        place_of, keys = np.zeros((2, len(ranks)), np.int32)
        state = np.zeros(2, np.int64)
        arguments = (
            *(nodes, order, *self._places()),
            *(self._members.view(np.uint8), self._members.itemsize),
            *(self._lengths.view(np.uint8), self._lengths.itemsize),
            *(text, ranks, self.order is not None, *tables[1:]),
            *(place_of, keys, np.empty((len(ranks), 2), np.int64), state),
        )
        give_back_memory(len(text))
        while state[RUN] < len(order):
            out = room.room(min(n_bytes, left))
            size = self.run(put_objects)(*arguments, out, rows, starts)
            room.keep(size)
            left -= size
            if not size:
                n_bytes *= 2
        self._nodes, self._counts, self._sizes, self._members, self._lengths = np.empty((5, 0), np.int32)
        self._n_runs = self._n = 0
        self._room = TextRoom(0)
        objects, self.file = room.all()
        n_objects = int(state[N_OBJECTS])
        return rows[:n_objects], starts[: n_objects + 1], objects

    def _objects(self) -> Iterator[tuple[int, bytes]]:
        """The rows that have fields, in order, and these as JSON objects, as `put_objects` writes them."""
        names, (ranks, outers, _, _) = [*self.members], self.members.tables(self.order or ())
        spelled = [json_bytes(name) + b":" for _, name in names]
        outer_of = {member: outers[ranks[member]] for member in range(len(names))}
        of_rank = np.argsort(ranks).tolist()
        firsts, begins = (each.tolist() for each in self._places())
        members, ends = self._members[: self._n].tolist(), self._lengths[: self._n].tolist()
        text, rows = self._room.all()[0].tobytes(), self._nodes[: self._n_runs]
        order = np.argsort(rows, kind="stable")
        for row, runs in groupby(order[rows[order] >= 0].tolist(), key=rows.tolist().__getitem__):
            said: dict[int, bytes] = {}
            of_row = [*runs]
            for run in of_row:
                begin = begins[run]
                for at in range(firsts[run], firsts[run + 1]):
                    said[members[at]] = text[begin : begin + ends[at]]
                    begin += ends[at]
            in_order: Iterable[int] = said
            if self.order is not None and len(of_row) > 1:
                in_order = sorted(said, key=ranks.__getitem__)
            written = []
            for outer, inner in groupby(in_order, key=outer_of.__getitem__):
                fields = b",".join([spelled[member] + said[member] for member in inner])
                written.append(fields if outer < 0 else spelled[of_rank[outer]] + b"{%b}" % fields)
            yield row, b"{%b}" % b",".join(written)

    def _places(self) -> tuple[Array, Array]:
        """By run its place among all texts (n + 1), and that of its first byte."""
        counts, sizes = self._counts[: self._n_runs], self._sizes[: self._n_runs]
        firsts = np.zeros(len(counts) + 1, np.int32)
        np.cumsum(counts, out=firsts[1:])
        begins = np.cumsum(sizes, dtype=np.int64)
        np.subtract(begins, sizes, out=begins, casting="unsafe")  # of whatever width
        return firsts, begins

    def _of_runs(self, runs: Array) -> MemberTexts:
        """The texts of some runs."""
        firsts, begins = self._places()
        counts = self._counts[runs].astype(np.int64)
        before = np.cumsum(counts) - counts
        texts = np.repeat(firsts[runs] - before, counts) + np.arange(int(counts.sum()))
        lengths, members = self._lengths[texts].astype(np.int64), self._members[texts].astype(np.int32)
        del firsts, texts  # as large as what is returned
        places = np.cumsum(lengths) - lengths
        places += np.repeat(begins[runs] - places[before], counts)
        return MemberTexts(
            np.repeat(self._nodes[runs], counts), members, places, lengths, self._room.all()[0]
        )


def holding(most: int, array: Array) -> Array:
    """The array of whole numbers, in a wider type where its own does not hold `most`."""
    return array if most <= np.iinfo(array.dtype).max else array.astype(np.min_scalar_type(most))


def joined(texts: Sequence[bytes]) -> tuple[Array, Array]:
    """The offsets (n + 1) of the texts, and their concatenation."""
    begins = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=begins[1:])
    return begins, np.frombuffer(b"".join(texts), np.uint8)
