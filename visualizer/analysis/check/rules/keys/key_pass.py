"""The passes of the rules about position keys: one over the rows by key, and one by path (see `path_pass`).

Rows of one key must be compared. A hash table for all of them is larger than the cache of the processor,
and then every row waits for memory. So a pass first deals the rows' fields into parts by a hash, in order,
and then looks for equal keys part by part, in a table that fits the cache. The result is one byte a row,
of which each rule reads one bit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.rules.keys.paths import flags_by_path
from plyscope.visualizer.analysis.check.rules.keys.same_key_kernels import (
    KEYED,
    compare_keys,
    count_keys,
    deal_keys,
    n_slots,
)
from plyscope.visualizer.analysis.columns.kernel_call import Way, Work
from plyscope.visualizer.analysis.columns.pieces import pieces
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.words import FIRST_STUB, MAX, MIN

Array = npt.NDArray[Any]

ROWS_A_PART: Final = 1 << 15
"""So many of the records and their table lie in a cache of a megabyte."""
MOST_PARTS: Final = 1 << 10
CHUNK: Final = 1 << 18
"""Rows dealt, or compared, between two reports of progress."""


def part_bits(n_rows: int) -> int:
    """Return into how many parts this many rows are dealt, as a power of two.

    >>> part_bits(1000), part_bits(1_000_000), part_bits(10**9)
    (0, 5, 10)
    """
    return min((n_rows // ROWS_A_PART).bit_length(), MOST_PARTS.bit_length() - 1)


BY_KEY: Final = {"key-side": "player", "key-moves": "moves", "key-static": "static"}
BY_PATH: Final = {"path-key": "ply"}
"""The rules that read the flags of each pass, and the column that each needs beside the key."""


def meet(sight: Sight, work: Work, rules: Set[str]) -> None:
    """Compute the flags that `rules` read. They need no derived arrays, so a sweep may run meanwhile."""
    if _is_read(BY_KEY, sight, rules):
        key_flags(sight, work)
    if _is_read(BY_PATH, sight, rules):
        path_flags(sight, work)


def _is_read(by: Mapping[str, str], sight: Sight, rules: Set[str]) -> bool:
    """Whether one of the rules can be asked, so that a pass is not for nothing."""
    return len(sight.key) > 0 and any(rule in rules and len(getattr(sight, by[rule])) > 0 for rule in by)


def key_flags(sight: Sight, work: Work) -> Array:
    """One byte a row: OTHER_PLAYER, OTHER_MOVES, OTHER_STATIC."""
    return _kept(sight, work, flags_by_key)


def path_flags(sight: Sight, work: Work) -> Array:
    """One byte a row: OTHER_KEY."""
    return _kept(sight, work, flags_by_path)


def position_flags(sight: Sight, work: Work) -> Array:
    """The same of positions that are written as texts."""
    return _kept(sight, work, flags_by_position)


def flags_by_position(sight: Sight, work: Work) -> Array:
    """Compute the flags of `position_flags`: a position is compared as keys are."""
    if len(sight.position) == 0:
        return np.zeros(sight.n_rows, np.uint8)
    is_stated = sight.position >= 0
    given = np.where(is_stated, np.uint16(GIVEN["key"]), np.uint16(0))
    key = np.where(is_stated, sight.position, 0).astype(np.uint64)
    for each in (given, key):
        each.flags.writeable = False  # as compiled kernels meet a log's own
    return flags_by_path(sight._replace(key=key, given=given), work)


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


def _kept(sight: Sight, work: Work, derive: Pass) -> Array:
    """Return the result of `derive` for this log, computed once, so that rules of one check share a pass."""
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
    _compare(compare_keys, records, ends[:-1], flags, work, sight.tolerance)
    return flags


def _chunks(n_rows: int, work: Work, begin: float, end: float) -> Iterator[tuple[int, int]]:
    """Yield the rows in pieces, and report before each the share done of a pass from `begin` to `end`."""
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
