"""The columns of a sealed log: name, type, absent value. All rooms share this list.

They come from the table of fields, except for those of a row's place. A column without a value in a log is
not stored. Floats are absent where they are NaN, integers where they are -1, codes of `words` where they are
0. Fields in which these may also be values (a written NaN is a finding, 0 is a key) have a bit in the column
`given`. Columns are read piece by piece: no temporary array is as long as the log, and a search may end
early.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.fields import FIELDS, Field, Kind

LAYOUT: Final = 7
"""Number of this layout, header and kept lines included; logs that were converted with another are again."""


@dataclass(frozen=True)
class Column:
    """One column of the table: `name`, numpy `dtype`, the value that means absent, and its meaning."""

    name: str
    dtype: type[np.generic]
    absent: float
    meaning: str


INTEGERS: Final[dict[int, type[np.generic]]] = {2: np.int16, 4: np.int32, 8: np.int64}
TYPES: Final[dict[Kind, tuple[type[np.generic], float]]] = {
    "score": (np.float64, np.nan),
    "low edge": (np.float64, np.nan),
    "high edge": (np.float64, np.nan),
    "amount": (np.float64, np.nan),
    "flag": (np.int8, -1),
    "word": (np.uint8, 0),
    "text": (np.int32, -1),
    "long text": (np.int32, -1),
    "player": (np.int16, -1),
    "key": (np.uint64, 0),
    "id": (np.int32, -1),
}
"""Type and absent value of the columns whose fields are of these kinds; texts and players are indices."""

NO_COLUMNS: Final = ("id", "iteration", "plies", "pre_scores")
"""Fields that are no columns of their own: they are kept beside the table, or in one of the columns below."""

PLACES: Final = (
    Column("id", np.int64, -1, "order of arrival; what links and the API use"),
    Column("parent", np.int32, -1, "row of the parent, -1 at a root"),
    Column("end", np.int32, -1, "the subtree of row i is rows [i, end[i])"),
    Column("level", np.int32, -1, "distance from the root"),
    Column("given", np.uint16, 0, "bits of GIVEN: fields this row states"),
)
"""Where a row stands; every log has these."""


def _column(field: Field) -> Column:
    dtype, absent = (INTEGERS[field.bytes], -1.0) if field.kind == "whole" else TYPES[field.kind]
    return Column(field.column, dtype, absent, field.meaning)


_STATED: Final = {
    field.name: _column(field)
    for field in FIELDS.values()
    if field.name not in NO_COLUMNS and field.kind not in ("numbers", "named numbers", "entry")
}

CORE: Final = (*PLACES, *(_STATED[name] for name in _STATED if FIELDS[name].in_every_log))
"""Every log has these."""

OPTIONAL: Final = tuple(_STATED[name] for name in _STATED if not FIELDS[name].in_every_log)
"""A log has those of these that at least one row states."""

COLUMNS: Final = {column.name: column for column in (*CORE, *OPTIONAL)}

GIVEN: Final = {field.name: field.bit for field in FIELDS.values() if field.bit}

MATRICES: Final = tuple(
    field.name
    for field in FIELDS.values()
    if field.kind in ("numbers", "named numbers") and field.name not in NO_COLUMNS
)
"""Two-dimensional, beside the above: one row a node, one column an entry of the header, NaN where unknown."""

PIECE: Final = 1 << 17
"""Rows looked at in one go: few enough for the cache of the processor, enough to outweigh the calls."""
FIRST_PIECE: Final = 1 << 12
"""Rows in which a search for one row of some kind mostly ends."""


def absent_column(name: str, n_rows: int) -> npt.NDArray[np.generic]:
    """A column of `n_rows` absent values.

    >>> absent_column("moves", 2)
    array([-1, -1], dtype=int32)
    """
    column = COLUMNS[name]
    return np.full(n_rows, column.absent, dtype=column.dtype)


def stated(name: str, values: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """True where a column, or the table of a field, states a value other than the absent one.

    >>> stated("moves", np.array([3, -1])).tolist(), stated("scores", np.array([[0.5, np.nan]])).tolist()
    ([True, False], [[True, False]])
    """
    return ~np.isnan(values) if values.dtype.kind == "f" else np.asarray(values != COLUMNS[name].absent)


def pieces(n_rows: int) -> Iterator[slice]:
    """Yield the rows in pieces, the first one short.

    >>> list(pieces(200_000))
    [slice(0, 4096, None), slice(4096, 135168, None), slice(135168, 200000, None)]
    """
    first = 0
    while first < n_rows:
        last = min(first + (PIECE if first else FIRST_PIECE), n_rows)
        yield slice(first, last)
        first = last


def has_bit(codes: npt.NDArray[Any], bits: int) -> bool:
    """Whether any row of a column has one of these bits."""
    return any(bool((codes[rows] & bits).any()) for rows in pieces(len(codes)))


def has_number(numbers: npt.NDArray[Any]) -> bool:
    """Whether any row of a column states a number; not if the column is empty, which the log lacks then."""
    return any(not np.isnan(numbers[rows]).all() for rows in pieces(len(numbers)))


def largest_size(numbers: npt.NDArray[np.float64]) -> float:
    """Return the largest size of the finite numbers of a column, 0 if there are none.

    >>> largest_size(np.array([1.0, -3.0, np.nan, -np.inf]))
    3.0
    """
    most = 0.0
    for rows in pieces(len(numbers)):
        piece = numbers[rows]
        largest = max(float(np.fmax.reduce(piece)), -float(np.fmin.reduce(piece)))
        if largest == np.inf:
            largest = float(np.max(np.abs(piece), initial=0.0, where=np.isfinite(piece)))
        most = max(most, largest)  # the latter is NaN where the piece states nothing, and not chosen then
    return most
