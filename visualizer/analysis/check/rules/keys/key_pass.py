"""The pass over the rows by their keys, for the rules `key-side`, `key-moves` and `key-static`.

Rows of one key must be compared. A hash table for all of them is larger than the cache of the processor,
and then every row waits for memory. So a pass first deals the rows' fields into parts by a hash, in order,
and then looks for equal keys part by part, in a table that fits the cache. The result is one byte a row,
of which each rule reads one bit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.kernel_call import Way, Work
from plyscope.visualizer.analysis.columns.row import cut_by_of, is_quiescence, is_stub, moves_of, player_of
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store.columns import GIVEN, pieces
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.words import CUT_BY, CUTOFF, FIRST_STUB, MAX, MIN, SEARCHED

ROWS_A_PART: Final = 1 << 15
"""The records that fit, with their table, into a cache of a megabyte."""
MOST_PARTS: Final = 1 << 10
CHUNK: Final = 1 << 18
"""Rows dealt, or compared, between two reports of progress."""

OTHER_PLAYER: Final = 1
OTHER_MOVES: Final = 2
OTHER_STATIC: Final = 4
MET_PLAYER: Final = 8
MET_MOVES: Final = 16
MET_STATIC: Final = 32
"""An earlier row of the key says the same kind of thing, alike or not."""

KEYED: Final = np.dtype(
    [
        ("key", np.uint64),
        ("static", np.float64),
        ("row", np.int32),
        ("moves", np.int32),
        ("player", np.int16),
    ]
)

_KEY_GIVEN: Final = GIVEN["key"]
_CUT_BY_CHILD: Final = CUT_BY.index("child")
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_BITS: Final = 63
_HALF_MASK: Final = (1 << 32) - 1
_SPREAD_LOW: Final = 0x7FEB352D
_SPREAD_HIGH: Final = 0x7C62272F


def part_bits(n_rows: int) -> int:
    """Return the number of parts for so many rows, as a power of two.

    >>> part_bits(1000), part_bits(1_000_000), part_bits(10**9)
    (0, 5, 10)
    """
    return min((n_rows // ROWS_A_PART).bit_length(), MOST_PARTS.bit_length() - 1)


def key_flags(sight: Sight, work: Work) -> Array:
    """One byte a row: OTHER_PLAYER, OTHER_MOVES, OTHER_STATIC."""
    return kept(sight, work, flags_by_key)


def first_of_key(sight: Sight, row: int, says: Callable[[slice], Array]) -> int:
    """Return the first row of the key of `row` at which `says` is true, which it is at `row`."""
    for rows in pieces(row + 1):
        is_same = sight.key[rows] == sight.key[row]
        if is_same.any():
            is_same &= (
                (sight.given[rows] & GIVEN["key"] > 0) & (sight.outcome[rows] < FIRST_STUB) & says(rows)
            )
            if is_same.any():
                return int(rows.start) + int(np.argmax(is_same))
    return row


Pass = Callable[[Sight, Work], Array]
_flags: defaultdict[tuple[Pass, Way], WeakKeyDictionary[Log, Array]] = defaultdict(WeakKeyDictionary)


def kept(sight: Sight, work: Work, derive: Pass) -> Array:
    """Return the result of a pass over this log, made once, so that rules of one check share it."""
    of_pass = _flags[derive, work.compiled]
    flags = of_pass.get(sight.log)
    if flags is None:
        flags = derive(sight, work)
        of_pass[sight.log] = flags
    return flags


def side_to_move(sight: Sight) -> Array:
    """Return the player to move of each row; without players the layer, where all roots are one position.

    -1 where neither says it. Roots of several positions may each have another player as `max`.
    """
    if len(sight.player) or len(np.unique(sight.key[sight.roots])) > 1:
        return sight.player
    is_side = (sight.layer == MAX) | (sight.layer == MIN)
    sides = np.where(is_side, sight.layer.astype(np.int16), np.int16(-1))
    sides.flags.writeable = False
    return sides


def flags_by_key(sight: Sight, work: Work) -> Array:
    """Compute the flags of `key_flags`."""
    flags = np.zeros(sight.n_rows, np.uint8)
    if len(sight.key) == 0:
        return flags
    sight = sight._replace(player=side_to_move(sight))
    bits = part_bits(sight.n_rows)
    ends = np.zeros((1 << bits) + 1, np.int64)
    count, deal = work.run(count_keys), work.run(deal_keys)
    for first, last in _chunks(sight.n_rows, work, 0.0, 0.2):
        count(sight, first, last, bits, ends)
    ends = np.cumsum(ends)
    (records,) = work.scratch.take((int(ends[-1]), KEYED))
    for first, last in _chunks(sight.n_rows, work, 0.2, 0.5):
        deal(sight, first, last, bits, records, ends)
    _compare(records, ends[:-1], flags, work, sight.tolerance)
    return flags


def _chunks(n_rows: int, work: Work, begin: float, end: float) -> Iterator[tuple[int, int]]:
    """Yield the rows in pieces, and report before each the share done of a pass from `begin` to `end`."""
    for first in range(0, n_rows, CHUNK):
        work.go_on(begin + (end - begin) * first / n_rows)
        yield first, min(first + CHUNK, n_rows)


def _compare(records: Array, ends: Array, flags: Array, work: Work, tolerance: float) -> None:
    """Compare the records of each part; part i ends at `ends[i]`."""
    starts = np.append(0, ends[:-1])
    largest = int((ends - starts).max(initial=0))
    slots = np.empty(n_slots(largest), np.int32)
    groups = np.empty(largest, records.dtype)
    compare = work.run(compare_keys)
    n_parts = len(ends)
    step = max(1, n_parts * CHUNK // max(1, len(records)))
    for part in range(0, n_parts, step):
        work.go_on(0.5 + 0.5 * part / n_parts)
        piece = slice(part, part + step)
        compare(records, starts[piece], ends[piece], slots, groups, flags, tolerance)
    work.go_on(1.0)


def n_slots(n_entries: int) -> int:
    """Return the slots of a table for `n_entries`: a power of two, at most two thirds of it used.

    >>> n_slots(2), n_slots(1000)
    (4, 2048)
    """
    return 1 << max(2, (3 * n_entries // 2).bit_length())


@kernel
def spread(number: int) -> int:
    """Return a hash below 2**63 that depends on every bit of a number; no product exceeds 63 bits."""
    mixed = (number & _HALF_MASK) * _SPREAD_LOW ^ (number >> 32) * _SPREAD_HIGH
    mixed ^= mixed >> 29
    return (mixed & _HALF_MASK) * _SPREAD_HIGH ^ (mixed >> 32) * _SPREAD_LOW


@kernel
def spread_key(key: Any) -> int:
    """Return such a hash of a key of 64 bits."""
    low, high = int(np.int64(key & _LOW)), int(np.int64(key >> _HALF))
    mixed = low * _SPREAD_LOW ^ high * _SPREAD_HIGH
    mixed ^= mixed >> 29
    return (mixed & _HALF_MASK) * _SPREAD_HIGH ^ (mixed >> 32) * _SPREAD_LOW


@kernel
def has_key(sight: Sight, row: int) -> bool:
    """Whether the row is a node that states its key."""
    return bool(sight.given[row] & _KEY_GIVEN and not is_stub(sight, row))


@kernel
def has_all_moves(sight: Sight, row: int) -> bool:
    """Whether the row generated all its plies, by `is_expanded`, and states their number."""
    if sight.outcome[row] not in (SEARCHED, CUTOFF) or moves_of(sight, row) < 0:
        return False
    return cut_by_of(sight, row) <= _CUT_BY_CHILD and not is_quiescence(sight, row)


@kernel
def count_keys(sight: Sight, first: int, last: int, bits: int, counts: Array) -> None:
    """Count the keys of the rows in [first, last) by part, each in the entry after its part's."""
    for row in range(first, last):
        if has_key(sight, row):
            counts[(spread_key(sight.key[row]) >> (_BITS - bits)) + 1] += 1


@kernel
def deal_keys(sight: Sight, first: int, last: int, bits: int, records: Array, places: Array) -> None:
    """Write the rows' fields into their parts; `places` holds each part's next place, in the end its end."""
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
def emptied(slots: Array, n_entries: int) -> int:
    """Empty the first `n_slots(n_entries)` slots; return the mask that maps a hash to one of them."""
    n = 4
    while 2 * n < 3 * n_entries:
        n *= 2
    for i in range(n):
        slots[i] = -1
    return n - 1


@kernel
def compare_keys(
    records: Array, starts: Array, ends: Array, slots: Array, groups: Array, flags: Array, tolerance: float
) -> None:
    """Set in `flags` the fields in which a row differs from the first row of its key that states them.

    A group holds the fields of one key's first rows. `slots` and `groups` have room for the largest part.
    """
    for part in range(len(starts)):
        mask = emptied(slots, ends[part] - starts[part])
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
            told = 0
            if record["player"] >= 0:
                if group["player"] < 0:
                    group["player"] = record["player"]
                else:
                    told |= MET_PLAYER
                    if group["player"] != record["player"]:
                        told |= OTHER_PLAYER
            static = record["static"]
            if static == static:
                before = group["static"]
                if before != before:
                    group["static"] = static
                else:
                    told |= MET_STATIC
                    if before != static and not abs(before - static) <= tolerance * abs(before):
                        told |= OTHER_STATIC
            if record["moves"] >= 0:
                if group["moves"] < 0:
                    group["moves"] = record["moves"]
                else:
                    told |= MET_MOVES
                    if group["moves"] != record["moves"]:
                        told |= OTHER_MOVES
            flags[record["row"]] = told
