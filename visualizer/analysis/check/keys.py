"""What the rules about position keys share: one pass over the rows by key, one by the path of plies.

Rows of one key must meet to be compared. A table for all of them is larger than the cache of the processor,
and then every row waits for memory. So a pass deals what rows say into parts by a hash, in order, and only
then looks for equals, part by part, in a table that fits the cache. The answer is one byte a row, from which
each rule reads its bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final
from weakref import ref

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from visualizer.analysis.check.machine import Work
from visualizer.analysis.check.row import cut_by_of, is_quiescence, is_stub, moves_of, player_of
from visualizer.analysis.check.sight import Sight
from visualizer.store.columns import GIVEN
from visualizer.store.log import Log
from visualizer.store.words import CUT_BY, CUTOFF, FIRST_STUB, SEARCHED

Array = npt.NDArray[Any]

OTHER_PLAYER: Final = 1
OTHER_MOVES: Final = 2
OTHER_STATIC: Final = 4
OTHER_KEY: Final = 1
"""Of a path: its earlier visits had another key."""

ROWS_A_PART: Final = 1 << 15
"""So many of the records below and their table lie in a cache of a megabyte."""
MOST_PARTS: Final = 1 << 10
CHUNK: Final = 1 << 18
"""Rows dealt, or compared, between two looks at whether to stop."""

KEYED: Final = np.dtype(
    [
        ("key", np.uint64),
        ("static", np.float64),
        ("row", np.int32),
        ("moves", np.int32),
        ("player", np.int32),
    ],
    align=True,
)
PATH: Final = np.dtype([("by", np.int64), ("key", np.uint64), ("row", np.int32), ("other", np.int32)])
"""`by` and `other` are hashes of the path, independent of one another: 94 bits together."""

_KEY_GIVEN: Final = GIVEN["key"]
_CUT_BY_CHILD: Final = CUT_BY.index("child")
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_BITS: Final = 63
_HALF_MASK: Final = (1 << 32) - 1
_OTHER_MASK: Final = (1 << 31) - 1
_SPREAD_LOW: Final = 0x7FEB352D
_SPREAD_HIGH: Final = 0x7C62272F


def n_slots(n_entries: int) -> int:
    """Slots of a table for `n_entries`: a power of two, at most two thirds of it taken.

    >>> n_slots(2), n_slots(1000)
    (4, 2048)
    """
    return 1 << max(2, (3 * n_entries // 2).bit_length())


def part_bits(n_rows: int) -> int:
    """Into how many parts so many rows are dealt, as a power of two.

    >>> part_bits(1000), part_bits(1_000_000), part_bits(10**9)
    (0, 5, 10)
    """
    return min((n_rows // ROWS_A_PART).bit_length(), MOST_PARTS.bit_length() - 1)


def key_flags(sight: Sight, work: Work) -> Array:
    """One byte a row: OTHER_PLAYER, OTHER_MOVES, OTHER_STATIC."""
    return _kept(sight, work, flags_by_key)


def path_flags(sight: Sight, work: Work) -> Array:
    """One byte a row: OTHER_KEY."""
    return _kept(sight, work, flags_by_path)


def text_of_key(sight: Sight, row: int) -> str:
    """The key of a row as the log writes it."""
    key = int(sight.key[row])
    if sight.log.key_form == "text":
        return sight.log.text(key) or ""
    return f"{key:016x}" if sight.log.key_form == "hex" else str(key)


def first_of_key(sight: Sight, row: int, says: Array) -> int:
    """The first row of the same key at which `says` is true."""
    is_same = (sight.key == sight.key[row]) & ((sight.given & _KEY_GIVEN) > 0)
    return int(np.argmax(is_same & (sight.outcome < FIRST_STUB) & says))


def is_expanded(sight: Sight) -> Array:
    """Where a node generated all its plies: searched, and not in quiescence or cut before its first ply."""
    where = (sight.outcome == SEARCHED) | (sight.outcome == CUTOFF)
    if len(sight.cut_by):
        where &= sight.cut_by <= CUT_BY.index("child")
    if len(sight.quiescence):
        where &= sight.quiescence != 1
    return np.asarray(where)


Pass = Callable[[Sight, Work], Array]
_last: dict[tuple[Pass, bool], tuple[ref[Log], Array]] = {}


def _kept(sight: Sight, work: Work, derive: Pass) -> Array:
    """What `derive` gave for this log the last time, so that rules of one check share a pass."""
    found = _last.get((derive, work.compiled))
    if found is not None and found[0]() is sight.log:
        return found[1]
    flags = derive(sight, work)
    _last[derive, work.compiled] = ref(sight.log), flags
    return flags


def flags_by_key(sight: Sight, work: Work) -> Array:
    """The flags of `key_flags` anew. Raises `StoppedError` where the work is to stop."""
    flags = np.zeros(sight.n_rows, np.uint8)
    if len(sight.key) == 0:
        return flags
    bits = part_bits(sight.n_rows)
    ends = np.zeros((1 << bits) + 1, np.int64)
    count, deal = work.run(count_keys), work.run(deal_keys)
    for first, last in _chunks(sight.n_rows, work, 0.0, 0.2):
        count(sight, first, last, bits, ends)
    ends = np.cumsum(ends)
    records = np.empty(int(ends[-1]), KEYED)
    for first, last in _chunks(sight.n_rows, work, 0.2, 0.5):
        deal(sight, first, last, bits, records, ends)
    _compare(compare_keys, records, ends[:-1], flags, work, sight.tolerance)
    return flags


def flags_by_path(sight: Sight, work: Work) -> Array:
    """The flags of `path_flags` anew. Raises `StoppedError` where the work is to stop."""
    flags = np.zeros(sight.n_rows, np.uint8)
    if len(sight.key) == 0:
        return flags
    bits = part_bits(sight.n_rows)
    ends = np.zeros((1 << bits) + 1, np.int64)
    hashes = np.empty((int(sight.level.max()) + 1, 2), np.int64)
    count, deal = work.run(count_paths), work.run(deal_paths)
    by = np.empty(sight.n_rows, np.int64)
    other = np.empty(sight.n_rows, np.int32)
    for first, last in _chunks(sight.n_rows, work, 0.0, 0.2):
        count(sight, first, last, bits, hashes, by, other, ends)
    ends = np.cumsum(ends)
    records = np.empty(int(ends[-1]), PATH)
    for first, last in _chunks(sight.n_rows, work, 0.2, 0.5):
        deal(sight, first, last, bits, by, other, records, ends)
    _compare(compare_paths, records, ends[:-1], flags, work)
    return flags


def _chunks(n_rows: int, work: Work, begin: float, end: float) -> Iterator[tuple[int, int]]:
    """The rows in pieces, saying before each which share of a pass from `begin` to `end` is done."""
    for first in range(0, n_rows, CHUNK):
        work.go_on(begin + (end - begin) * first / n_rows)
        yield first, min(first + CHUNK, n_rows)


def _compare(
    compare: Callable[..., None], records: Array, ends: Array, flags: Array, work: Work, *more: Any
) -> None:
    """Compare the records of each part; part i ends at `ends[i]`."""
    starts = np.append(0, ends[:-1])
    largest = int((ends - starts).max(initial=0))
    slots = np.empty(n_slots(largest), np.int32)
    groups = np.empty(largest, records.dtype)
    run = work.run(compare)
    n_parts = len(ends)
    step = max(1, n_parts * CHUNK // max(1, len(records)))
    for part in range(0, n_parts, step):
        work.go_on(0.5 + 0.5 * part / n_parts)
        piece = slice(part, part + step)
        run(records, starts[piece], ends[piece], slots, groups, flags, *more)
    work.go_on(1.0)


@kernel
def spread(number: int) -> int:
    """A number below 2**63 in which every bit of another one takes part; no product passes 63 bits."""
    mixed = (number & _HALF_MASK) * _SPREAD_LOW ^ (number >> 32) * _SPREAD_HIGH
    mixed ^= mixed >> 29
    return (mixed & _HALF_MASK) * _SPREAD_HIGH ^ (mixed >> 32) * _SPREAD_LOW


@kernel
def spread_key(key: Any) -> int:
    """The same of a key of 64 bits."""
    low, high = int(np.int64(key & _LOW)), int(np.int64(key >> _HALF))
    return spread(low ^ spread(high))


@kernel
def has_key(sight: Sight, row: int) -> bool:
    """Whether the row is a node that states its key."""
    return bool(sight.given[row] & _KEY_GIVEN and not is_stub(sight, row))


@kernel
def has_all_moves(sight: Sight, row: int) -> bool:
    """Whether the row generated all its plies, as `is_expanded` says, and says how many."""
    if sight.outcome[row] not in (SEARCHED, CUTOFF) or moves_of(sight, row) < 0:
        return False
    return cut_by_of(sight, row) <= _CUT_BY_CHILD and not is_quiescence(sight, row)


@kernel
def count_keys(sight: Sight, first: int, last: int, bits: int, counts: Array) -> None:
    """Count the keys of the rows from `first` to before `last` into the part after theirs."""
    for row in range(first, last):
        if has_key(sight, row):
            counts[(spread_key(sight.key[row]) >> (_BITS - bits)) + 1] += 1


@kernel
def deal_keys(sight: Sight, first: int, last: int, bits: int, records: Array, places: Array) -> None:
    """Write what rows say into their parts; `places` holds where each goes on, in the end where it ends."""
    for row in range(first, last):
        if not has_key(sight, row):
            continue
        part = spread_key(sight.key[row]) >> (_BITS - bits)
        record = records[places[part]]
        places[part] += 1
        record["key"] = sight.key[row]
        record["static"] = sight.static[row] if len(sight.static) > 0 else np.nan
        record["row"] = row
        record["moves"] = moves_of(sight, row) if has_all_moves(sight, row) else -1
        record["player"] = player_of(sight, row)


@kernel
def compare_keys(
    records: Array, starts: Array, ends: Array, slots: Array, groups: Array, flags: Array, tolerance: float
) -> None:
    """Set in `flags` what a row says otherwise than the first row of its key that says it, part by part.

    A group is one key: what its first rows say. `slots` and `groups` have room for the largest part.
    """
    for part in range(len(starts)):
        mask = 4
        while 2 * mask < 3 * (ends[part] - starts[part]):
            mask *= 2
        mask -= 1
        slots[: mask + 1] = -1
        n_groups = 0
        for i in range(starts[part], ends[part]):
            record = records[i]
            slot = spread_key(record["key"]) & mask
            while slots[slot] >= 0 and groups[slots[slot]]["key"] != record["key"]:
                slot = (slot + 1) & mask
            number = slots[slot]
            if number < 0:
                slots[slot] = n_groups
                groups[n_groups] = record
                n_groups += 1
                continue
            group = groups[number]
            row = record["row"]
            if record["player"] >= 0:
                if group["player"] < 0:
                    group["player"] = record["player"]
                elif group["player"] != record["player"]:
                    flags[row] |= OTHER_PLAYER
            static = record["static"]
            if static == static:
                before = group["static"]
                if before != before:
                    group["static"] = static
                elif before != static and not abs(before - static) <= tolerance * abs(before):
                    flags[row] |= OTHER_STATIC
            if record["moves"] >= 0:
                if group["moves"] < 0:
                    group["moves"] = record["moves"]
                elif group["moves"] != record["moves"]:
                    flags[row] |= OTHER_MOVES


@kernel
def count_paths(
    sight: Sight, first: int, last: int, bits: int, hashes: Array, by: Array, other: Array, counts: Array
) -> None:
    """Hash the path of plies of each row, -1 where a ply of it is not stated, and count as `count_keys` does.

    A path is hashed from that of its parent and its last ply, so visits of all iterations share it; `hashes`
    holds those of the path we are on.
    """
    for row in range(first, last):
        by[row] = -1
        if is_stub(sight, row):
            continue
        level = sight.level[row]
        above, above_other = 1, 1
        if level > 0:
            above, above_other = hashes[level - 1, 0], hashes[level - 1, 1]
        hashes[level, 0] = -1
        ply = int(sight.ply[row])
        if above < 0 or (level > 0 and ply < 0):
            continue
        by[row] = spread(int(above) ^ spread(ply + 2))
        other[row] = (int(above_other) * _SPREAD_LOW + ply + 2) & _OTHER_MASK
        hashes[level, 0] = by[row]
        hashes[level, 1] = other[row]
        if has_key(sight, row):
            counts[(by[row] >> (_BITS - bits)) + 1] += 1


@kernel
def deal_paths(
    sight: Sight, first: int, last: int, bits: int, by: Array, other: Array, records: Array, places: Array
) -> None:
    """Write path and key of the rows into their parts, as `deal_keys` does."""
    for row in range(first, last):
        if by[row] < 0 or not has_key(sight, row):
            continue
        part = by[row] >> (_BITS - bits)
        record = records[places[part]]
        places[part] += 1
        record["by"] = by[row]
        record["key"] = sight.key[row]
        record["row"] = row
        record["other"] = other[row]


@kernel
def compare_paths(
    records: Array, starts: Array, ends: Array, slots: Array, groups: Array, flags: Array
) -> None:
    """Set in `flags` where a row has another key than an earlier row of its path, part by part."""
    for part in range(len(starts)):
        mask = 4
        while 2 * mask < 3 * (ends[part] - starts[part]):
            mask *= 2
        mask -= 1
        slots[: mask + 1] = -1
        n_groups = 0
        for i in range(starts[part], ends[part]):
            record = records[i]
            slot = record["by"] & mask
            while slots[slot] >= 0:
                group = groups[slots[slot]]
                if group["by"] == record["by"] and group["other"] == record["other"]:
                    break
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = n_groups
                groups[n_groups] = record
                n_groups += 1
            elif groups[slots[slot]]["key"] != record["key"]:
                flags[record["row"]] |= OTHER_KEY
