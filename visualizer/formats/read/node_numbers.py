"""The arrival numbers of nodes by their written ids, for lines that come by the thousand."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.read.names import Names
from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers
from plyscope.visualizer.formats.tape.texts import Run, with_room

Array = npt.NDArray[Any]
Id = int | str

NOBODY: Final = -1
LEAST_SLOTS: Final = 4096
AT_ONCE: Final = 2**18


@dataclass
class NodeBatch:
    """Records in order: lines of JSON Lines, or records of a compact log. A node may have several.

    Ids are given as numbers in `names`.
    """

    buffers: FieldBuffers
    """The fields of all records, by the number of the record, or of the node where they are `is_by_node`."""
    names: Names
    ids: Array
    """The id of each record."""
    places: Array
    """The place of each record in the file: its line, from 1, or its byte."""
    children: Array
    """The records that name a parent, in order."""
    parents: Array
    """The id of each such parent."""
    is_by_node: bool = field(default=False, kw_only=True)


class NodeNumbers:
    """The arrival number of each id. Ids that count up, as those of most loggers, take no memory.

    An id is a number here, that of `names`.

    >>> numbers = NodeNumbers()
    >>> named = numbers.names.numbers_of
    >>> numbers.take(named([7, 8, 7])).tolist(), len(numbers)
    ([0, 1, 0], 2)
    >>> numbers.take(named(["x", 7])).tolist(), numbers.of(named([8, 9])).tolist()
    ([2, 0], [1, -1])
    >>> numbers.names.listed(numbers.ids())
    [7, 8, 'x']
    """

    def __init__(self, names: Names | None = None, run: Run = lambda kernel: kernel) -> None:
        self.run = run
        self.names = Names() if names is None else names
        self._base = 0
        self._count = 0
        self._ids: Array | None = None
        """By arrival number, once they are not counted up."""
        self._slots = np.empty(0, dtype=np.int32)
        self._seed = 2**29 + 2 * secrets.randbelow(2**28) + 1

    def __len__(self) -> int:
        """The number of distinct ids so far."""
        return self._count

    def take(self, ids: Array) -> Array:
        """The arrival numbers of the nodes with these ids; new ones get the next numbers."""
        if self._ids is None:
            numbers = self._counted_up(ids)
            if numbers is not None:
                return numbers
            self._ids = np.arange(self._base, self._base + self._count, dtype=np.int64)
        n_most = self._count + len(ids)
        self._ids = with_room(self._ids, n_most, self._count)
        if 2 * n_most > len(self._slots):
            n_slots = max(LEAST_SLOTS, 1 << (3 * n_most).bit_length())
            self._slots = np.full(n_slots, NOBODY, dtype=np.int32)
            known, self._count = self._ids[: self._count], 0
            self._enter(known)
        return self._enter(ids)

    def _enter(self, ids: Array) -> Array:
        """The arrival numbers of ids, entered in the hash table where they are new."""
        numbers = np.empty(len(ids), dtype=np.int32)
        self._count = int(self.run(number_ids)(ids, self._ids, self._count, self._slots, self._seed, numbers))
        return numbers

    def _counted_up(self, ids: Array) -> Array | None:
        """The arrival numbers if each new id is one above the one before; else None."""
        if not len(ids):
            return np.zeros(0, dtype=np.int32)
        base, highest = self._base if self._count else int(ids[0]), self._count - 1
        numbers = np.empty(len(ids), dtype=np.int32)
        for first in range(0, len(ids), AT_ONCE):
            some = ids[first : first + AT_ONCE] - base
            tops = np.maximum.accumulate(np.concatenate([[highest], some]))
            if some.min() < 0 or (some > tops[:-1] + 1).any():
                return None
            numbers[first : first + AT_ONCE], highest = some, int(tops[-1])
        self._base, self._count = base, highest + 1
        return numbers

    def of(self, ids: Array) -> Array:
        """The arrival numbers of the nodes with these ids, -1 for those that have not come."""
        numbers = np.full(len(ids), NOBODY, dtype=np.int32)
        if self._ids is None:
            is_there = (ids >= self._base) & (ids < self._base + self._count)
            np.subtract(ids, self._base, out=numbers, where=is_there, casting="unsafe")
        else:
            self.run(find_ids)(ids, self._ids, self._slots, self._seed, numbers)
        return numbers

    def number_of(self, name: Id) -> int:
        """The arrival number of the node with one id, -1 if it has not come."""
        return int(self.of(self.names.numbers_of([name]))[0])

    def ids(self, since: int = 0) -> Array:
        """The ids of the nodes from the arrival number `since` on."""
        if self._ids is None:
            return np.arange(self._base + since, self._base + self._count, dtype=np.int64)
        return self._ids[since : self._count].copy()


@kernel
def place_of(wanted: int, ids: Array, slots: Array, seed: int) -> int:
    """The slot of an id in the hash table, or the empty one for it."""
    mask = len(slots) - 1
    h = (wanted ^ (wanted >> 32)) & 0xFFFFFFFF
    h = (h * seed) & 0xFFFFFFFFFFFF
    place = (h ^ (h >> 17)) & mask
    while slots[place] >= 0 and ids[slots[place]] != wanted:
        place = (place + 1) & mask
    return int(place)


@kernel
def number_ids(new: Array, ids: Array, n_ids: int, slots: Array, seed: int, numbers: Array) -> int:
    """Find the number of each id, the next one where it is new; returns the number of ids.

    ids     by number, with room for all that may be new
    slots   the hash table of numbers, -1 where empty; a power of two, at least twice as long
    """
    for i in range(len(new)):
        place = place_of(new[i], ids, slots, seed)
        if slots[place] < 0:
            slots[place] = n_ids
            ids[n_ids] = new[i]
            n_ids += 1
        numbers[i] = slots[place]
    return n_ids


@kernel
def find_ids(wanted: Array, ids: Array, slots: Array, seed: int, numbers: Array) -> int:
    """Find the number of each id, -1 where there is none; returns the number of ids asked."""
    for i in range(len(wanted)):
        numbers[i] = slots[place_of(wanted[i], ids, slots, seed)]
    return len(wanted)
