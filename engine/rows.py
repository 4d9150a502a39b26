"""What a search writes down: one record a node, and the memory it is written to.

A record is one cache line. It holds what cannot be told from the rest of the log: the pre-score, the layer,
the level, the stand of a stub and the value of standing pat are derived when a recording is read. The codes
are those of the log's vocabularies.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

# Outcomes.
SEARCHED: Final = 1
CUTOFF: Final = 2
LEAF: Final = 3
TERMINAL: Final = 4
TT: Final = 5
STOPPED: Final = 6
OPEN: Final = 7
PRUNED: Final = 8
LIMITED: Final = 9
FIRST_STUB: Final = PRUNED

# Bounds, as bits: exact = upper | lower.
UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3

# Purposes.
FULL: Final = 1
SCOUT: Final = 2
RESEARCH: Final = 3
NULL: Final = 4
PROBE: Final = 5

CUT_BY_CHILD: Final = 1
CUT_BY_STAND_PAT: Final = 2
CUT_BY_NULL: Final = 3
CUT_BY_ESTIMATE: Final = 4

# Uses of a table entry.
USED_TO_CUT: Final = 1
USED_TO_NARROW: Final = 2
USED_TO_ORDER: Final = 3

# Flags of a row, as bits.
QUIESCENCE: Final = 1
IN_CHECK: Final = 2

NULL_PLY: Final = -2
"""The `ply` of a row that was reached by handing over the move."""

# Endings, seen from the root player.
WIN: Final = 1
LOSS: Final = 2
DRAW: Final = 3

ROW: Final = np.dtype(
    [
        ("parent", np.int32),  # row of the parent, -1 at a root
        ("end", np.int32),  # the subtree of row i is rows [i, end)
        ("ply", np.int32),  # the ply that led here, -1 at a root and in a stub
        ("depth", np.int16),
        ("moves", np.uint16),  # plies generated (not at a leaf); in a stub, how many siblings it stands for
        ("player", np.uint8),
        ("outcome", np.uint8),
        ("bound", np.uint8),
        ("cut_by", np.uint8),
        ("ending", np.uint8),
        ("purpose", np.uint8),
        ("reduction", np.uint8),  # plies by which the visit was reduced
        ("flags", np.uint8),
        ("alpha", np.float64),
        ("beta", np.float64),
        ("score", np.float64),
        ("static", np.float64),  # not at a terminal
        ("key", np.uint64),  # in a stub, where its plies begin in the arena
    ]
)

MOST_MOVES: Final = 65_535
"""More plies than a record can count are refused."""

STUB_PLY: Final = np.dtype([("ply", np.int32), ("pre_score", np.float64)])

HIT: Final = np.dtype(
    [
        ("score", np.float64),  # as the node of `row` would return it, seen from the root player
        ("row", np.int32),
        ("source", np.int32),  # the row that stored the entry, -2 where it is not in this recording
        ("ply", np.int32),  # -1: none
        ("depth", np.int16),
        ("bound", np.uint8),
        ("use", np.uint8),
    ]
)
"""An entry of the transposition table that was found on entering the node of `row`; rows ascend."""

ROWS_A_VISIT: Final = 3
"""What one visit may write: its own row, and on leaving a stub of pruned and one of limited siblings."""


class Memory(NamedTuple):
    """Where a search writes; a compiled search takes it, or None and writes nothing.

    `rows` are `ROW`s; `factors[i]` are the raw values of row i in the game's own type, seen from player 0,
    not written in stubs and finished games; `stub_plies` are the `STUB_PLY`s of all stubs, one after the
    other; `values` is scratch space: the factors of the children of the node at each level; `hits` are the
    `HIT`s of a search with a table, at most one a row.
    """

    rows: npt.NDArray[Any]
    factors: npt.NDArray[Any]
    stub_plies: npt.NDArray[Any]
    values: npt.NDArray[Any]
    hits: npt.NDArray[Any]

    def widened(self, n_moves: int) -> Memory:
        """The same memory, its scratch space with room for `n_moves` children a node."""
        n_levels, n_before, n_factors = self.values.shape
        wider = np.empty((n_levels, n_moves, n_factors), self.values.dtype)
        wider[:, :n_before] = self.values
        return self._replace(values=wider)


def reserve(
    n_rows: int,
    n_factors: int,
    factor_dtype: npt.DTypeLike,
    n_levels: int,
    n_moves: int,
    *,
    has_table: bool = False,
) -> Memory:
    """Memory for `n_rows` rows and twice as many plies in stubs; only what is written is ever touched.

    Raises MemoryError where the system does not lend so much.
    """
    return Memory(
        rows=np.empty(n_rows, ROW),
        factors=np.empty((n_rows, n_factors), factor_dtype),
        stub_plies=np.empty(2 * n_rows + 2 * n_moves, STUB_PLY),
        values=np.empty((n_levels, n_moves, n_factors), factor_dtype),
        hits=np.empty(n_rows if has_table else 0, HIT),
    )


def enlarged(
    memory: Memory, n_rows: int, n_stub_plies: int, most_rows: int, n_hits: int = 0
) -> Memory | None:
    """Twice the memory with what was written copied over; None when it may not grow past `most_rows`."""
    capacity = min(2 * len(memory.rows), most_rows)
    if capacity < len(memory.rows) + ROWS_A_VISIT:
        return None
    _, n_moves, n_factors = memory.values.shape
    larger = reserve(
        capacity, n_factors, memory.factors.dtype, 0, n_moves, has_table=len(memory.hits) > 0
    )._replace(values=memory.values)
    larger.rows[:n_rows] = memory.rows[:n_rows]
    larger.factors[:n_rows] = memory.factors[:n_rows]
    larger.stub_plies[:n_stub_plies] = memory.stub_plies[:n_stub_plies]
    larger.hits[:n_hits] = memory.hits[:n_hits]
    return larger


def machine_rows(n_factors: int, factor_dtype: npt.DTypeLike, *, has_table: bool = False) -> int:
    """How many rows this machine has memory for, in three quarters of what is free."""
    per_row = ROW.itemsize + 2 * STUB_PLY.itemsize + n_factors * np.dtype(factor_dtype).itemsize
    per_row += HIT.itemsize if has_table else 0
    return max(1_000, min(free_bytes() * 3 // 4 // per_row, 2**31 - 1 - ROWS_A_VISIT))


def levels_of(ends: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """The level of each row, from the ends of the subtrees: so many of them were entered and not yet left.

    >>> levels_of(np.array([3, 2, 3, 5, 5])).tolist()
    [0, 1, 1, 0, 1]
    """
    left = np.cumsum(np.bincount(ends, minlength=len(ends) + 1)[: len(ends)])
    return (np.arange(len(ends)) - left).astype(np.int32)


def free_bytes() -> int:
    """Bytes of memory that can be used without swapping, as far as the system says; else 2 GiB."""
    try:
        free = _available_to_linux()
    except (OSError, ValueError, StopIteration):
        try:
            free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        except (OSError, ValueError, AttributeError):
            free = 2 << 30
    return free


def _available_to_linux() -> int:
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    free = 1024 * int(next(line for line in lines if line.startswith("MemAvailable")).split()[1])
    group = Path("/sys/fs/cgroup")
    if (group / "memory.max").exists():
        allowed = (group / "memory.max").read_text(encoding="ascii").strip()
        if allowed != "max":
            used = int((group / "memory.current").read_text(encoding="ascii"))
            free = min(free, int(allowed) - used)
    return free
