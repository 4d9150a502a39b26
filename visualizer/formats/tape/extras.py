"""Fields that no column takes, kept as one JSON object a row.

The texts of members come for some nodes at a time, and are written as objects once the order of the rows is
known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import copy_array, kernel
from plyscope.visualizer.formats.json_text import json_bytes, json_texts
from plyscope.visualizer.formats.tape.tape import Run
from plyscope.visualizer.formats.tape.text_room import TextRoom
from plyscope.visualizer.formats.tape.texts import with_room
from plyscope.visualizer.store.mapped import UnnamedFile

Array = npt.NDArray[Any]

AT_ONCE: Final = 2**17
"""Members that are written together."""


@kernel
def count_doubles(nodes: Array, members: Array, last: Array) -> int:
    """Count the members that came before in the same run of one node.

    `last` has a place for each member, filled with -1.
    """
    n_doubles, first = 0, 0
    for i in range(len(nodes)):
        if nodes[i] != nodes[first]:
            first = i
        n_doubles += last[members[i]] >= first
        last[members[i]] = i
    return int(n_doubles)


@kernel
def sort_runs(rows: Array, edges: Array, order: Array) -> int:
    """Sort runs by row, those of one row as they came; returns how many there are.

    rows   -1 for runs that are left out
    edges  filled with 0, gets the places in `order` at which a row ends and the next begins
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
def put_members(
    rows: Array,
    members: Array,
    begins: Array,
    lengths: Array,
    text: Array,
    outers: Array,
    pool: Array,
    name_at: Array,
    out: Array,
    ends: Array,
) -> int:
    """Write the members of each row as an object; returns the number of objects.

    begins, lengths  of the value of each member in `text`
    outers           by member, the member whose object holds it, -1 for none
    pool, name_at    the names of members, each with quotes and colon, and their offsets
    ends             by object, its end in `out`
    """
    at, n_objects, i = 0, 0, 0
    while i < len(rows):
        row, within = rows[i], -1
        has_any = False
        out[at] = 123
        at += 1
        while i < len(rows) and rows[i] == row:
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
            size = lengths[i]
            copy_array(text[begins[i] : begins[i] + size], out[at : at + size])
            at += size
            i += 1
        if within >= 0:
            out[at] = 125
            at += 1
        out[at] = 125
        at += 1
        ends[n_objects] = at
        n_objects += 1
    return n_objects


class Members:
    """The numbers of members, each a name and the field whose object holds it."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._tables: tuple[Array, Array, Array] | None = None

    def number(self, outer: str, name: str) -> int:
        """The number of the member `name` of the field `outer`, which is empty for a field of the node."""
        if (outer, name) not in self._numbers:
            if outer:
                self.number("", outer)
            self._numbers[outer, name] = len(self._numbers)
            self._tables = None
        return self._numbers[outer, name]

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """The outer field and the name of each."""
        return iter(self._numbers)

    def has(self, outer: str, name: str) -> bool:
        """Whether the member `name` of the field `outer` has a number."""
        return (outer, name) in self._numbers

    def tables(self) -> tuple[Array, Array, Array]:
        """By member its outer member; the names with quotes and colons, and their offsets."""
        if self._tables is None:
            spelled = [json_bytes(name) + b":" for _, name in self._numbers]
            name_at = np.zeros(len(spelled) + 1, np.int64)
            np.cumsum([len(each) for each in spelled], out=name_at[1:])
            outers = [self._numbers["", outer] if outer else -1 for outer, _ in self._numbers]
            pool = np.frombuffer(b"".join(spelled) or b"\0", np.uint8)
            self._tables = np.array(outers, np.int32), pool, name_at
        return self._tables

    def ranks(self, paths: Iterable[str]) -> Array:
        """By member, its place in the order of these paths; others follow by number."""
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

        order = [self._numbers[member] for member in sorted(self._numbers, key=rank)]
        ranks = np.empty(len(order), np.int32)
        ranks[order] = np.arange(len(order))
        return ranks


class MemberTexts(NamedTuple):
    """Texts of members: the node, the member's number, and the place in `text` of each."""

    nodes: Array
    members: Array
    begins: Array
    lengths: Array
    text: Array

    def where(self, chosen: Array | slice) -> MemberTexts:
        """The texts at these indices, or where a mask is true."""
        nodes, members, begins, lengths, text = self
        return MemberTexts(nodes[chosen], members[chosen], begins[chosen], lengths[chosen], text)

    def at(self, index: int) -> bytes:
        """The text at an index."""
        begin = int(self.begins[index])
        return self.text[begin : begin + int(self.lengths[index])].tobytes()


class Extras:
    """The extra fields gathered so far, in order of arrival; of two with one name in a node the last counts.

    >>> extras = Extras(lambda kernel: kernel)
    >>> extras.put_objects({1: {"note": "x"}, 0: {"cost": 3}})
    >>> rows, starts, objects = extras.sealed(np.array([0, 1]))
    >>> rows.tolist(), objects.tobytes()
    ([0, 1], b'{"cost":3}{"note":"x"}')
    """

    def __init__(self, run: Run, folder: Path | None = None, n_bytes: int = 0) -> None:
        """Expect about `n_bytes` of texts; objects may lie in a file in `folder`, gone with the log."""
        self._run, self._folder = run, folder
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
        self._texts: list[Array] = []
        self.has_doubles = False
        """Whether some object had a name twice."""
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
        n_doubles = self._run(count_doubles)(nodes, members, np.full(len(self.members), -1, np.int32))
        self.has_doubles |= bool(n_doubles)
        room = self._room.room(len(text))
        room[:] = text
        self._texts.append(self._room.keep(room))
        firsts = np.flatnonzero(np.append(True, nodes[1:] != nodes[:-1]))
        counts, sizes = np.diff(firsts, append=len(nodes)), np.diff(begins[firsts], append=begins[-1])
        if goes_on and self._n_runs and self._nodes[self._n_runs - 1] == nodes[0]:
            self._n_runs -= 1
            counts[0] += self._counts[self._n_runs]
            sizes[0] += self._sizes[self._n_runs]
        first, self._n_runs = self._n_runs, self._n_runs + len(counts)
        self._nodes = with_room(self._nodes, self._n_runs)
        self._counts = with_room(holding(int(counts.max()), self._counts), self._n_runs)
        self._sizes = with_room(holding(int(sizes.max()), self._sizes), self._n_runs)
        self._nodes[first : self._n_runs], self._counts[first : self._n_runs] = nodes[firsts], counts
        self._sizes[first : self._n_runs] = sizes
        first, self._n = self._n, self._n + len(nodes)
        lengths = np.diff(begins)
        self._members = with_room(holding(len(self.members), self._members), self._n)
        self._lengths = with_room(holding(int(lengths.max()), self._lengths), self._n)
        self._members[first : self._n], self._lengths[first : self._n] = members, lengths

    def put_texts(self, nodes: Sequence[int] | Array, member: int, begins: Array, text: Array) -> None:
        """Take the texts of one member of many nodes."""
        self.put(np.asarray(nodes, np.int32), np.full(len(nodes), member, np.int32), begins, text)

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
        taken = self._of_runs(runs, *self._places(), self._text())
        self._nodes[runs] = -1
        return taken

    def sealed(self, row_of: Array) -> tuple[Array, Array, Array]:
        """The rows that have extra fields, in order, the offsets of their objects, and the objects' JSON.

        Nothing that was gathered is left here.
        """
        self.move(row_of)
        nodes = self._nodes[: self._n_runs]
        edges, order = np.zeros(int(nodes.max(initial=-1)) + 2, np.int32), np.empty(len(nodes), np.int32)
        n_left = self._run(sort_runs)(nodes, edges, order)
        at_once = max(1, AT_ONCE * len(nodes) // max(1, self._n))
        inner = edges[np.searchsorted(edges, np.arange(at_once, n_left, at_once, dtype=np.int32))]
        text, places = self._text(), self._places()
        tables = outers, _, name_at = self.members.tables()
        of_names = np.diff(name_at)
        of_names = np.append(of_names, 0)[outers] + of_names + len(BESIDE)
        parts = range(0, self._n, AT_ONCE)
        most = sum(int(of_names[self._members[at : min(self._n, at + AT_ONCE)]].sum()) for at in parts)
        room = TextRoom(len(text) + most, self._folder)
        kept: list[Array] = []
        rows, starts = [np.zeros(0, np.int32)], [np.zeros(1, np.int64)]
        for begin, end in pairwise(dict.fromkeys([0, *inner.tolist(), n_left])):
            texts = self._of_runs(runs := order[begin:end], *places, text)
            is_again = np.append(False, nodes[runs[1:]] == nodes[runs[:-1]])
            if self.has_doubles or is_again.any():
                is_odd = np.repeat(is_again | self.has_doubles, self._counts[runs])
                texts = texts.where(self._each_once(texts.nodes, texts.members, is_odd))
            out = room.room(int((texts.lengths + of_names[texts.members]).sum()))
            ends = np.empty(len(texts.nodes), np.int64)
            n_objects = self._run(put_members)(*texts, *tables, out, ends)
            kept.append(room.keep(out[: int(ends[n_objects - 1])]))
            rows.append(nodes[runs[~is_again]])
            starts.append(starts[-1][-1] + ends[:n_objects])
        self._nodes, self._counts, self._sizes, self._members, self._lengths = np.empty((5, 0), np.int32)
        self._n_runs = self._n = 0
        self._texts.clear()
        objects, self.file = room.all(len(kept)) or (np.concatenate(kept), None)
        return np.concatenate(rows), np.concatenate(starts), objects

    def _text(self) -> Array:
        """All texts, one behind the other."""
        in_room = self._room.all(len(self._texts))
        return in_room[0] if in_room else np.concatenate(self._texts)

    def _places(self) -> tuple[Array, Array]:
        """By run its place among all texts, and that of its first byte."""
        counts, sizes = self._counts[: self._n_runs], self._sizes[: self._n_runs]
        ends = np.cumsum(counts, dtype=np.int32)
        ends_of_bytes = np.cumsum(sizes, dtype=np.min_scalar_type(~sum(map(len, self._texts))))
        return ends - counts, ends_of_bytes - sizes

    def _of_runs(self, runs: Array, firsts: Array, begins: Array, text: Array) -> MemberTexts:
        """The texts of some runs; `firsts` and `begins` are the places of all."""
        counts = self._counts[runs].astype(np.int64)
        before = np.cumsum(counts) - counts
        texts = np.repeat(firsts[runs] - before, counts) + np.arange(int(counts.sum()))
        lengths = self._lengths[texts].astype(np.int64)
        places = np.cumsum(lengths) - lengths
        places += np.repeat(begins[runs] - places[before], counts)
        members = self._members[texts].astype(np.int32)
        return MemberTexts(np.repeat(self._nodes[runs], counts), members, places, lengths, text)

    def _each_once(self, rows: Array, members: Array, is_odd: Array) -> Array:
        """The indices that leave each name once a row; rows that came in several runs are put in order."""
        if self.order is not None:
            keys = self.members.ranks(self.order)[members]
        else:
            keys = np.arange(len(rows), dtype=np.int64)
        is_of_odd = np.isin(rows, rows[is_odd])
        chosen = np.flatnonzero(is_of_odd)
        by_name = chosen[np.lexsort((members[chosen], rows[chosen]))]
        is_new = np.append(
            True, (rows[by_name[1:]] != rows[by_name[:-1]]) | (members[by_name[1:]] != members[by_name[:-1]])
        )
        keys[by_name] = keys[by_name[np.flatnonzero(is_new)]][np.cumsum(is_new) - 1]
        last = by_name[np.append(is_new[1:], True)]
        order = last[np.lexsort((keys[last], rows[last]))]
        if len(chosen) == len(rows):
            return np.asarray(order)
        every = np.concatenate([np.flatnonzero(~is_of_odd), order])
        return np.asarray(every[np.argsort(rows[every], kind="stable")])


def holding(most: int, array: Array) -> Array:
    """The array of whole numbers, in a wider type where its own does not hold `most`."""
    return array if most <= np.iinfo(array.dtype).max else array.astype(np.min_scalar_type(most))


BESIDE: Final = b"{,{}}"
"""The punctuation around a member's names and value, at most."""


def joined(texts: Sequence[bytes], chosen: Array | None = None) -> tuple[Array, Array]:
    """The offsets (n + 1) of the texts, or of those `chosen` by index, and their concatenation."""
    sizes = np.array([len(text) for text in texts], np.int64)
    every = texts if chosen is None else [texts[at] for at in chosen.tolist()]
    begins = np.zeros(len(every) + 1, np.int64)
    np.cumsum(sizes if chosen is None else sizes[chosen], out=begins[1:])
    return begins, np.frombuffer(b"".join(every), np.uint8)
