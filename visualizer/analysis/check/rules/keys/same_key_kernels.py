"""Kernels that compare the rows of one key: dealt into parts, then compared."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.row import cut_by_of, is_quiescence, is_stub, moves_of, player_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.words import CUT_BY, CUTOFF, SEARCHED

Array = npt.NDArray[Any]

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
    """Whether the row generated all its plies, as `is_expanded` says, and says how many."""
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
    """Set in `flags` what differs in a row from the first row of its key that states it, part by part.

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
