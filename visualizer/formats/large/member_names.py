"""Kernels that tell names of fields apart, as they are spelled, and find the members of objects by name."""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.large.json_places import (
    BACKSLASH,
    CLOSE_OBJECT,
    COLON,
    COMMA,
    OPEN_OBJECT,
    QUOTE,
    SPACE,
    after_space,
    after_value,
)

Array = npt.NDArray[Any]

MOST_NAMES: Final = 480
"""Distinct names of fields in one file."""
LONGEST_NAME: Final = 200
"""Bytes of a name as it is spelled."""
MOST_INNER: Final = 62
"""Distinct names inside one field: a bit each in a word."""
MOST_OPENED: Final = 4
"""Fields of nodes whose objects are looked into while the nodes are scanned."""


@kernel
def name_at(data: Array, begin: int, guess: int, n_names: int, names: Array, sizes: Array) -> int:
    """The number of the name that begins at `begin`; `n_names` for a new one, which is added; -1 for none.

    `guess` is the name that followed the last one before. Escapes are part of a name.
    """
    size = sizes[guess]
    if guess < n_names and begin + size < len(data) and data[begin + size] == QUOTE:
        i = 0
        while i < size and data[begin + i] == names[guess, i]:
            i += 1
        if i == size:
            return guess
    size = 0
    while begin + size < len(data) and data[begin + size] != QUOTE:
        byte = data[begin + size]
        size += 2 if byte == BACKSLASH else 1
        if byte < SPACE or size > LONGEST_NAME:
            return -1
    if begin + size >= len(data):
        return -1
    for name in range(n_names):
        if sizes[name] == size and (size == 0 or names[name, 0] == data[begin]):
            i = 0
            while i < size and data[begin + i] == names[name, i]:
                i += 1
            if i == size:
                return name
    if n_names == MOST_NAMES:
        return -1
    for i in range(size):
        names[n_names, i] = data[begin + i]
    sizes[n_names] = size
    return n_names


@kernel
def is_named(data: Array, begin: int, end: int, names: Array, sizes: Array, name: int) -> bool:
    """Return whether the name of that number is spelled from `begin` to `end`."""
    i = 0
    while i < sizes[name] and begin + i < end and data[begin + i] == names[name, i]:
        i += 1
    return bool(i == sizes[name] and i == end - begin)


@kernel
def scan_object(
    data: Array,
    pos: int,
    node: int,
    n_records: int,
    opened: int,
    names: Array,
    sizes: Array,
    following: Array,
    counts: Array,
    records: Array,
) -> int:
    """Find the members of the object at `pos`, the value of an opened field; the place behind it.

    names, sizes, following    the names met inside each opened field, and which came last after each
    counts    how many names those are, and behind them how many records there are now

    Returns -1 where the object is not plainly regular; then records from `n_records` on mean nothing.
    """
    first = MOST_NAMES + opened * MOST_INNER
    n_names, last, seen = counts[opened], 0, 0
    inner, inner_sizes, after_last = names[opened], sizes[opened], following[opened]
    pos = after_space(data, pos + 1, False)
    if pos < len(data) and data[pos] == CLOSE_OBJECT:
        counts[MOST_OPENED] = n_records
        return pos + 1
    while pos < len(data) and data[pos] == QUOTE:
        name = name_at(data, pos + 1, after_last[last], n_names, inner, inner_sizes)
        if name < 0 or name == MOST_INNER or (seen >> name) & 1:
            return -1
        n_names = max(n_names, name + 1)
        counts[opened] = n_names
        seen |= 1 << name
        after_last[last] = name
        last = name
        pos = after_space(data, pos + inner_sizes[name] + 2, False)
        if pos >= len(data) or data[pos] != COLON:
            return -1
        pos = after_space(data, pos + 1, False)
        after = after_value(data, pos, False)
        if after < 0:
            return -1
        records[n_records, 0] = node
        records[n_records, 1] = first + name
        records[n_records, 2] = pos
        records[n_records, 3] = after - pos
        n_records += 1
        pos = after_space(data, after, False)
        if pos >= len(data):
            return -1
        if data[pos] == CLOSE_OBJECT:
            counts[MOST_OPENED] = n_records
            return pos + 1
        if data[pos] != COMMA:
            return -1
        pos = after_space(data, pos + 1, False)
    return -1


@kernel
def scan_members(
    data: Array,
    begins: Array,
    sizes: Array,
    n_names: int,
    names: Array,
    name_sizes: Array,
    following: Array,
    seen: Array,
    records: Array,
) -> int:
    """Find the members of objects, whose slices are given; other slices have none.

    records    room for all: rows of slice, name, begin and size of each value
    following  the names that came last after each; its last place is for how many names there are now
    seen       room for a number a name

    Returns how many records there are, -1 where an object is not plainly regular.
    """
    n_records, last = 0, 0
    seen[:] = -1
    for i in range(len(begins)):
        pos, end = begins[i], begins[i] + sizes[i]
        if data[pos] != OPEN_OBJECT:
            continue
        pos = after_space(data, pos + 1, False)
        if pos < end and data[pos] == CLOSE_OBJECT:
            continue
        first = n_records
        while pos < end and data[pos] == QUOTE:
            name = name_at(data, pos + 1, following[last], n_names, names, name_sizes)
            if name < 0:
                return -1
            n_names = max(n_names, name + 1)
            if seen[name] == i:
                return -1
            seen[name] = i
            following[last] = name
            last = name
            pos = after_space(data, pos + name_sizes[name] + 2, False)
            if pos >= end or data[pos] != COLON:
                return -1
            pos = after_space(data, pos + 1, False)
            after = after_value(data, pos, False)
            if after < 0 or after > end:
                return -1
            records[n_records, 0] = i
            records[n_records, 1] = name
            records[n_records, 2] = pos
            records[n_records, 3] = after - pos
            n_records += 1
            pos = after_space(data, after, False)
            if pos >= end or data[pos] != COMMA:
                break
            pos = after_space(data, pos + 1, False)
        if pos + 1 != end or data[pos] != CLOSE_OBJECT or n_records == first:
            return -1
    following[len(following) - 1] = n_names
    return n_records
