"""Figures as explanations say them: a sign, a real minus, as many decimals as tell the figures apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

MINUS: Final = "\u2212"
MOST_DECIMALS: Final = 6
USUAL_DECIMALS: Final = 2
LONGEST: Final = 1e9
"""From here on figures are written with an exponent."""


@dataclass(frozen=True)
class Digits:
    """The number of decimals for the figures of one explanation."""

    decimals: int

    def signed(self, value: float) -> str:
        """The figure with its sign; 0 has none.

        >>> Digits(1).signed(65.2), Digits(1).signed(-4.5), Digits(0).signed(0.0)
        ('+65.2', '−4.5', '0')
        """
        if value != value:
            return "unknown"
        sign = "+" if value > 0 else MINUS if value < 0 else ""
        return sign + self.plain(abs(value))

    def is_whole(self, value: float) -> bool:
        """Whether the figure shows all of the value.

        >>> Digits(2).is_whole(7.25), Digits(2).is_whole(7.2537), Digits(0).is_whole(3e14)
        (True, False, False)
        """
        return abs(value) < LONGEST and float(f"{value:.{self.decimals}f}") == value

    def plain(self, value: float) -> str:
        """The size of the figure, without a sign.

        >>> Digits(1).plain(12.8), Digits(1).plain(0.0), Digits(1).plain(3e-14), Digits(0).plain(1e12)
        ('12.8', '0', '3e−14', '1e+12')
        """
        value = abs(value)
        if value == math.inf:
            return "\u221e"
        if value == 0:
            return "0"
        text = f"{value:.{self.decimals}f}"
        if value >= LONGEST or float(text) == 0.0:
            return f"{value:.2g}".replace("-", MINUS)
        return text


def digits_for(values: Iterable[float], margin: float | None = None) -> Digits:
    """The digits that show `values`: none for whole numbers, else up to two, and more for a small margin.

    >>> digits_for([4.0, 2.0]), digits_for([65.2, 52.4], 12.8), digits_for([1.00051, 1.0], 0.00051)
    (Digits(decimals=0), Digits(decimals=1), Digits(decimals=4))
    """
    finite = [value for value in values if math.isfinite(value)]
    decimals = 0
    while decimals < USUAL_DECIMALS and any(_differs(value, decimals) for value in finite):
        decimals += 1
    if margin and math.isfinite(margin):
        enough = decimals
        while enough < MOST_DECIMALS and abs(round(margin, enough) - margin) > 0.05 * abs(margin):
            enough += 1
        decimals = enough
    return Digits(decimals)


def _differs(value: float, decimals: int) -> bool:
    return abs(value) < LONGEST and abs(round(value, decimals) - value) > 1e-9 * max(1.0, abs(value))


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.0175), percent(0.5), percent(0.0000012)
    ('1.8 %', '50 %', '0.00012 %')
    """
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.3g} %"


def by_the_largest(amounts: Sequence[float]) -> list[float]:
    """The amounts by the size of the largest, from -1 to 1: beside an infinite one all others are 0.

    >>> by_the_largest([3.0, -6.0]), by_the_largest([math.inf, 5.0]), by_the_largest([0.0])
    ([0.5, -1.0], [1.0, 0.0], [0.0])
    """
    most = max(map(abs, amounts), default=0.0)
    return [math.copysign(1.0, each) if abs(each) == most > 0 else each / (most or 1.0) for each in amounts]
