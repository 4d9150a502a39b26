"""Decimal numbers as floats, where that is exact.

Digits that make a whole number up to 2**53 are divided by a power of ten up to 10**22: both are floats, and
their quotient is rounded once, to the nearest (Clinger, How to read floating point numbers accurately, 1990).
More digits, up to 18, are multiplied with a power of ten that is the sum of two floats, and the product is
known with twice as many bits as a float has (Dekker, A floating-point technique for extending the available
precision, 1971): where those say which float is nearest, it is that one. All others are left to a library.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import numpy as np

from plyscope.engine.jit import kernel

MOST_DIGITS: Final = 18
MOST_EXACT_POWER: Final = 22
MOST_POWER: Final = 60
TENS: Final = np.array([10.0**power for power in range(MOST_EXACT_POWER + 1)])
POWERS: Final = np.array(
    [
        (1 / 10**power, float(Fraction(1, 10**power) - Fraction(1 / 10**power)))
        for power in range(MOST_POWER + 1)
    ]
)
"""Of each power of ten from 0 down, the float nearest to it, and what is missing there."""
SPLITTER: Final = 2.0**27 + 1
"""A float times this, less what it exceeds the float by, is its upper half."""
DOUBT: Final = 2.0**-98
"""More than a product's part that is neither in its upper nor in its lower float."""


@kernel
def rounded_off(digits: int, power: int, nearby: float) -> float:
    """What `digits` times ten to the `power` are above a float that is not much more or less.

    `digits` are below 10**18, and the power is not below -`MOST_POWER` nor above 0.
    """
    high = float(digits)
    low = float(digits - int(high))
    tens, rest = POWERS[-power, 0], POWERS[-power, 1]
    split = SPLITTER * high
    high_1 = split - (split - high)
    high_2 = high - high_1
    split = SPLITTER * tens
    tens_1 = split - (split - tens)
    tens_2 = tens - tens_1
    product = high * tens
    error = ((high_1 * tens_1 - product) + high_1 * tens_2 + high_2 * tens_1) + high_2 * tens_2
    return float((product - nearby) + (error + (high * rest + low * tens)))


@kernel
def decimal(digits: int, power: int) -> float:
    """The float nearest to `digits` times ten to the `power`, NaN where that is not certain.

    `digits` are below 10**18, and the power is not below -`MOST_POWER` nor above 0.
    """
    product = float(digits) * POWERS[-power, 0]
    error = rounded_off(digits, power, product)
    nearest = product + error
    beyond = error - (nearest - product)
    doubt = nearest * DOUBT
    if nearest + (beyond + doubt) != nearest or nearest + (beyond - doubt) != nearest:
        return np.nan
    return float(nearest)
