"""The columns of a log as the kernels of statistics see them: an empty array where the log has no column."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.tablebase import tablebase_leaves
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

UNKNOWN: Final = float("nan")


class Seen(NamedTuple):
    """Arrays with an entry a row, or empty."""

    parent: Array
    end: Array
    level: Array
    ply: Array
    layer: Array
    outcome: Array
    bound: Array
    score: Array
    purpose: Array
    cut_by: Array
    quiescence: Array
    in_check: Array
    depth: Array
    reduction: Array
    alpha: Array
    beta: Array
    static: Array
    pre_score: Array
    stand_pat: Array
    estimate: Array
    counted_as: Array
    moves: Array
    count: Array  # type: ignore[assignment]
    tt_use: Array
    tt_from: Array
    seconds: Array
    visits: Array
    tablebase: Array
    stub_rows: Array
    """Rows of stubs that list their plies; the i-th has `stub_numbers` from `stub_starts[i]` on."""
    stub_starts: Array
    stub_numbers: Array
    known: Array
    """What each score is by all that is known of it, as a code of `bound`; 0 where it is not known."""


def seen(log: Log, known: Array) -> Seen:
    """The columns of `log` as kernels see them."""
    stubs = log.stub_plies
    none = np.zeros(0, np.int64)
    columns = {
        name: _view(log.columns.get(name), COLUMNS[name].dtype) for name in Seen._fields if name in COLUMNS
    }
    return Seen(
        **columns,
        tablebase=_view(tablebase_leaves(log), np.bool_),
        stub_rows=_view(none if stubs is None else stubs.rows, np.int32),
        stub_starts=_view(none if stubs is None else stubs.starts, np.int64),
        stub_numbers=_view(none if stubs is None else stubs.numbers, np.float64),
        known=_view(known, np.uint8),
    )


def is_threaded(log: Log) -> bool:
    """Whether several threads searched, so that rows are not in the order of time."""
    search: Any = log.header.get("search")
    threads = search.get("threads") if isinstance(search, dict) else None
    return isinstance(threads, int | float) and not isinstance(threads, bool) and threads > 1


def _view(values: Any, dtype: Any) -> Array:
    """A read-only contiguous view: compiled kernels meet one type, wherever the log lies."""
    values = np.zeros(0, dtype) if values is None else values
    array = np.ascontiguousarray(np.asarray(values), dtype=dtype).view(np.ndarray)[:]
    array.flags.writeable = False
    return array


@kernel
def number(column: Array, row: int) -> float:
    """A number of a row, NaN where the log has no such column."""
    return float(column[row]) if len(column) > 0 else UNKNOWN


@kernel
def code(column: Array, row: int) -> int:
    """The code of a word, 0 where unstated."""
    return int(column[row]) if len(column) > 0 else 0


@kernel
def whole(column: Array, row: int) -> int:
    """A whole number, -1 where unstated."""
    return int(column[row]) if len(column) > 0 else -1


@kernel
def is_stub(seen: Seen, row: int) -> bool:
    """Whether the row stands for plies without rows."""
    return bool(seen.outcome[row] >= words.FIRST_STUB)


@kernel
def is_aside(seen: Seen, row: int) -> bool:
    """Whether the row is a null move or a probe, which never counts in its parent."""
    purpose = code(seen.purpose, row)
    return purpose == words.NULL or purpose == words.PROBE


@kernel
def is_finished(seen: Seen, row: int) -> bool:
    """Whether the row is a node that was left with a result."""
    outcome = seen.outcome[row]
    return bool(outcome < words.FIRST_STUB and outcome != words.STOPPED and outcome != words.OPEN)


@kernel
def taken(seen: Seen, row: int) -> float:
    """The score that the parent took for a visit: `counted_as` if stated, else the visit's own."""
    counted = number(seen.counted_as, row)
    return counted if counted == counted else float(seen.score[row])


@kernel
def searched_depth(seen: Seen, row: int) -> float:
    """By which visits of one ply are compared: the depth, else the plies reduced, negated."""
    depth = number(seen.depth, row)
    if depth == depth:
        return depth
    reduction = number(seen.reduction, row)
    return -reduction if reduction == reduction else 0.0


@kernel
def is_exact(seen: Seen, row: int) -> bool:
    """Whether the score is exact: stated so, by its window, or since nothing below it is open."""
    return bool(seen.known[row] == words.EXACT)
