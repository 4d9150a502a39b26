"""Columns read piece by piece: no temporary array is as long as the log, and a search may end early."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

PIECE: Final = 1 << 17
"""Rows looked at in one go: few enough for the cache of the processor, enough to outweigh the calls."""
FIRST_PIECE: Final = 1 << 12
"""Rows in which a search for one row of some kind mostly ends."""


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
