"""The transposition table: results of earlier visits of a position, found again by its key.

An entry is 32 bytes, a bucket two of them: one cache line. The whole 64-bit key is compared, so two positions
are taken for one only where their keys are equal. Scores are stored as the first player sees them, and wins
and losses by their distance from the node, so that an entry is valid at any level and for either side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from plyscope.engine.jit import kernel, word
from plyscope.engine.record.memory import CACHE_LINE, at_cache_line
from plyscope.engine.record.rows import EXACT, LOWER, UPPER

ENTRY: Final = np.dtype(
    {
        "names": ["key", "score", "row", "ply", "depth", "bound", "age", "proven"],
        "formats": [np.uint64, np.float64, np.int32, np.int32, np.int16, np.uint8, np.uint8, np.bool_],
        "itemsize": 32,
    }
)
"""A `bound` of 0 marks an empty entry; `row` is -2 where the storing node is not in this recording; `proven`
marks wins and losses with all replies searched."""

NOT_IN_LOG: Final = -2
AGES: Final = 256

_SPREAD: Final = 0x9E3779B97F4A7C15


@dataclass
class Table:
    """A table between searches: its entries, the requested size, and the meaning of its scores.

    `meaning` has all that decides a score besides position and depth (game, weights, limit, techniques); a
    search with another meaning must not use these entries. `full` are the sorted keys of the positions that
    were kept at full width. With `names_rows` entries may name rows of the recording that stored them; a
    search that does not record stores no rows.
    """

    entries: np.ndarray[Any, Any]
    megabytes: float
    meaning: tuple[Any, ...]
    age: int = 0
    full: np.ndarray[Any, Any] = field(default_factory=lambda: np.zeros(0, np.uint64))
    names_rows: bool = False

    def clear(self) -> None:
        """Forget every entry."""
        self.entries[:] = np.zeros(1, ENTRY)

    def renew(self, full: np.ndarray[Any, Any]) -> None:
        """Allocate fresh entries, for searches that keep the positions of `full` at full width.

        Memory that is not touched yet costs less than clearing what was touched.
        """
        self.entries, self.full = entries_for(len(self.entries) // 2), full

    def leave_recording(self) -> None:
        """Forget the rows of entries, because another recording begins."""
        if self.names_rows:
            self.entries["row"] = NOT_IN_LOG
            self.names_rows = False


def table_for(megabytes: float, meaning: tuple[Any, ...]) -> Table:
    """An empty table of at most `megabytes` (of 2**20 bytes): a power of two of buckets, at least one.

    Raises MemoryError where the system refuses that much.
    """
    n_buckets = max(1, int(megabytes * 2**20) // CACHE_LINE)
    return Table(entries_for(1 << (n_buckets.bit_length() - 1)), megabytes, meaning)


def entries_for(n_buckets: int) -> np.ndarray[Any, Any]:
    """Empty entries for `n_buckets` buckets, a power of two, which begin at a cache line."""
    return at_cache_line(np.zeros((n_buckets + 1) * CACHE_LINE, np.uint8), ENTRY)


@kernel
def bucket_of(entries: Any, key: int) -> int:
    """Return the place where the bucket of `key` begins; keys need not be spread over their bits."""
    spread = word(word(key) * _SPREAD)
    bucket: int = np.int64(spread >> word(20)) & (len(entries) // 2 - 1)  # type: ignore[assignment]
    return 2 * bucket


@kernel
def find(entries: Any, key: int) -> int:
    """The place of the entry of `key`, -1 where there is none."""
    first = bucket_of(entries, key)
    for place in range(first, first + 2):
        if entries[place]["bound"] != 0 and entries[place]["key"] == key:
            return place
    return -1


@kernel
def place_for(entries: Any, key: int, depth: int, age: int) -> int:
    """Return the place to store a visit of `key` at `depth`; -1 where the entry there is worth more.

    A position has one entry, of this age's deepest visit. Otherwise an entry of an earlier age gives way
    first, then the shallower one.
    """
    first = bucket_of(entries, key)
    for place in range(first, first + 2):
        entry = entries[place]
        if entry["bound"] != 0 and entry["key"] == key:
            return -1 if entry["age"] == age and entry["depth"] > depth else place
    one = entries[first]
    other = entries[first + 1]
    if one["bound"] == 0:
        return first
    if other["bound"] == 0:
        return first + 1
    if (one["age"] == age) != (other["age"] == age):
        return first if one["age"] != age else first + 1
    return first if one["depth"] <= other["depth"] else first + 1


@kernel
def store(
    entries: Any,
    option: Any,
    key: int,
    level: int,
    depth: int,
    score: float,
    bound: int,
    ply: int,
    row: int,
    proven: bool,
) -> None:
    """Store the result of the visit in `row`, seen from the root player; without a ply, a known one stays.

    `proven`: the score is a win or loss with all replies searched.
    """
    place = place_for(entries, key, depth, option["age"])
    if place < 0:
        return
    entry = entries[place]
    if ply >= 0 or entry["bound"] == 0 or entry["key"] != key:
        entry["ply"] = ply
    entry["key"] = key
    entry["score"] = turned(shifted(score, level, option), option)
    entry["row"] = row
    entry["depth"] = depth
    entry["bound"] = turned_bound(bound, option)
    entry["age"] = option["age"]
    entry["proven"] = proven


@kernel
def score_at(entry: Any, level: int, option: Any) -> float:
    """The entry's score as a node at `level` would return it, seen from the root player."""
    return shifted(turned(entry["score"], option), -level, option)


@kernel
def shifted(score: float, levels: int, option: Any) -> float:
    """A win or loss made nearer by `levels`; any other score unchanged."""
    distance: float = option["mate_step"] * levels
    if score >= option["mate_threshold"]:
        return score + distance
    if score <= -option["mate_threshold"]:
        return score - distance
    return score


@kernel
def turned(score: float, option: Any) -> float:
    """From the root player's view to the first player's, or back."""
    return score if option["root_player"] == 0 else -score


@kernel
def turned_bound(bound: int, option: Any) -> int:
    """A bound from the root player's view to the first player's, or back."""
    if option["root_player"] == 0 or bound == EXACT:
        return bound
    return UPPER if bound == LOWER else LOWER
