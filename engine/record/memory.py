"""The memory that a search writes to: as much as requested or as this machine has. It grows by doubling."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.record.rows import HIT, ROW, ROWS_A_VISIT, STUB_PLY

CACHE_LINE: Final = 64
LEAST_ROWS: Final = 1_000
"""The fewest rows for which there must be memory to search."""


class Memory(NamedTuple):
    """The arrays that a search writes to; a search that gets None in their place writes nothing.

    `rows` are `ROW`s. `factors["values"][i]` are the raw values of row i in the game's own type, seen from
    player 0: a field of a record, so that their number is part of its type. They are not written in stubs and
    finished games. `stub_plies` are the `STUB_PLY`s of all stubs, one after the other. `hits` are the `HIT`s
    of a search with a table, at most one a row.
    """

    rows: npt.NDArray[Any]
    factors: npt.NDArray[Any]
    stub_plies: npt.NDArray[Any]
    hits: npt.NDArray[Any]

    def filled(self, n_rows: int, n_stub_plies: int, n_hits: int) -> tuple[tuple[Any, int], ...]:
        """The arrays filled from their beginning, each with its number of written elements."""
        return (
            (self.rows, n_rows),
            (self.factors, n_rows),
            (self.stub_plies, n_stub_plies),
            (self.hits, n_hits),
        )


def reserve(
    n_rows: int,
    n_factors: int,
    factor_dtype: npt.DTypeLike,
    n_moves: int,
    *,
    has_table: bool = False,
) -> Memory:
    """Return memory for `n_rows` rows and twice as many plies in stubs; pages are used once written.

    Raises MemoryError if the system does not give that much.
    """
    return Memory(
        rows=at_cache_line(np.empty(n_rows * ROW.itemsize + CACHE_LINE, np.uint8), ROW),
        factors=np.empty(n_rows, [("values", factor_dtype, (n_factors,))]),
        stub_plies=np.empty(2 * n_rows + 2 * n_moves, STUB_PLY),
        hits=np.empty(n_rows if has_table else 0, HIT),
    )


def at_cache_line(raw: npt.NDArray[np.uint8], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return the items in `raw` from where its first cache line begins, a cache line less than it has.

    >>> items = at_cache_line(np.zeros(3 * ROW.itemsize + CACHE_LINE, np.uint8), ROW)
    >>> len(items), items.ctypes.data % CACHE_LINE
    (3, 0)
    """
    begin = -raw.ctypes.data % CACHE_LINE
    return raw[begin : begin + len(raw) - CACHE_LINE].view(dtype)


def enlarged(
    memory: Memory, n_moves: int, n_rows: int, n_stub_plies: int, most_rows: int, n_hits: int = 0
) -> Memory | None:
    """Return twice the memory with the written part copied; None if it may not grow past `most_rows`."""
    capacity = min(2 * len(memory.rows), most_rows)
    if capacity < len(memory.rows) + ROWS_A_VISIT:
        return None
    _, n_factors = memory.factors["values"].shape
    dtype = memory.factors["values"].dtype
    larger = reserve(capacity, n_factors, dtype, n_moves, has_table=len(memory.hits) > 0)
    larger.rows[:n_rows] = memory.rows[:n_rows]
    larger.factors[:n_rows] = memory.factors[:n_rows]
    larger.stub_plies[:n_stub_plies] = memory.stub_plies[:n_stub_plies]
    larger.hits[:n_hits] = memory.hits[:n_hits]
    return larger


def machine_rows(n_factors: int, factor_dtype: npt.DTypeLike, *, has_table: bool = False) -> int:
    """Return the number of rows that three quarters of this machine's free memory can hold."""
    per_row = ROW.itemsize + 2 * STUB_PLY.itemsize + n_factors * np.dtype(factor_dtype).itemsize
    per_row += HIT.itemsize if has_table else 0
    return max(1_000, min(free_bytes() * 3 // 4 // per_row, 2**31 - 1 - ROWS_A_VISIT))


def reserve_most(
    n_rows: int,
    n_factors: int,
    factor_dtype: npt.DTypeLike,
    n_moves: int,
    *,
    has_table: bool = False,
) -> Memory:
    """Call `reserve`, with `n_rows` halved until the system gives it; MemoryError below `LEAST_ROWS`."""
    while True:
        try:
            return reserve(n_rows, n_factors, factor_dtype, n_moves, has_table=has_table)
        except MemoryError:
            if n_rows <= LEAST_ROWS:
                raise
            n_rows //= 2


def free_bytes() -> int:
    """Return the bytes of memory that can be used without swapping; 2 GiB if the system does not say."""
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
