"""The decimals with which numbers of a log were written, and where numbers are equal but for rounding."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.log import Log

MOST_DECIMALS: Final = 9
"""Numbers with more decimals were not rounded."""
TOLERANCE: Final = 1e-9
SAMPLE: Final = 4096
"""The most numbers that are looked at."""


def rounding(log: Log, *columns: str, whole: float = 0.0) -> float:
    """Return half a unit of the last decimal of the numbers in some columns, 0 if they were not rounded.

    `whole` is returned if none has decimals: counts are exact then, percentages may not be.
    """
    found = [log.columns[name] for name in columns if name in log.columns]
    decimals = max((decimals_of(each) for each in found), default=MOST_DECIMALS + 1)
    if decimals > MOST_DECIMALS:
        return 0.0
    return 0.5 * 10.0**-decimals if decimals else whole


def decimals_of(numbers: npt.NDArray[Any]) -> int:
    """Return the number of decimals of written numbers, NaN left out; MOST_DECIMALS + 1 for more.

    Three in four numbers need no more, without those that need one or none: a mean of two visits is always
    short, and small numbers have more decimals than others where significant digits are counted.

    >>> decimals_of(np.array([0.5, 0.25, np.nan])), decimals_of(np.array([3.0])), decimals_of(np.ones(1) / 3)
    (2, 0, 10)
    >>> decimals_of(np.array([0.0123, 0.562, 0.713, 0.294, 0.851]))
    3
    """
    known = numbers[np.isfinite(numbers)]
    sample = known[:: max(len(known) // SAMPLE, 1)]
    needed = np.full(len(sample), MOST_DECIMALS + 1)
    for decimals in range(MOST_DECIMALS, -1, -1):
        scaled = sample * 10.0**decimals
        needed[np.abs(scaled - np.rint(scaled)) <= 1e-6 + 4e-16 * np.abs(scaled)] = decimals
    telling = needed[needed > 1]
    if len(telling) == 0:
        return int(needed.max(initial=0))
    return int(np.quantile(telling, 0.75, method="lower"))


def is_same(one: float, other: float) -> bool:
    """Whether two numbers are equal but for rounding; infinity equals itself.

    >>> is_same(0.1 + 0.2, 0.3), is_same(math.inf, math.inf), is_same(math.nan, math.nan)
    (True, True, False)
    """
    return one == other or math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def gap(one: float, other: float) -> float:
    """Return one number less the other: 0 where they are equal but for rounding, NaN between infinities.

    >>> gap(3.5, 3.0), gap(0.1 + 0.2, 0.3), gap(math.inf, math.inf)
    (0.5, 0.0, nan)
    """
    return 0.0 if math.isfinite(one) and is_same(one, other) else one - other


def are_close(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """True where two numbers are equal but for rounding, or neither is stated; infinity equals itself.

    >>> are_close(np.array([1.0, np.nan, np.inf]), np.array([1.0 + 1e-12, np.nan, 1.0])).tolist()
    [True, True, False]
    """
    difference = np.abs(one - other)
    allowed = TOLERANCE * np.maximum(1.0, np.maximum(np.abs(one), np.abs(other)))
    is_near = np.isfinite(difference) & (difference <= allowed)
    return np.asarray((one == other) | is_near | (np.isnan(one) & np.isnan(other)))
