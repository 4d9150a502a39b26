"""Figures as text: as many digits as tell those of one sentence or table apart, and keys shortened."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

FEWEST_DIGITS: Final = 6
SHORT: Final = 3
MINUS: Final = "\u2212"
MOST_DIGITS: Final = 17
"""This many digits distinguish any two floats."""
LONGEST_WHOLE: Final = 1e15
"""Whole numbers below this are written out."""
LONGEST_KEY: Final = 48
"""Characters of a key that a sentence holds."""


def apart(*numbers: float, fewest: int = FEWEST_DIGITS) -> tuple[str, ...]:
    """Return the numbers as text, with `fewest` digits each, or more if different numbers would look equal.

    Minus signs are real ones: the texts are for sentences, not for engines.

    >>> apart(0.1, 0.25), apart(1234567.1, 1234567.4), apart(1.0, 1.0 + 2**-52)
    (('0.1', '0.25'), ('1234567.1', '1234567.4'), ('1', '1.0000000000000002'))
    >>> apart(-1_000_000.0, float("inf"), -0.0)
    ('−1000000', 'inf', '0')
    """
    n_different = len({number for number in numbers if number == number})
    texts: tuple[str, ...] = ()
    for digits in range(fewest, MOST_DIGITS + 1):
        texts = tuple(_text(float(number), digits) for number in numbers)
        told = {text for text, number in zip(texts, numbers, strict=True) if number == number}
        if len(told) == n_different:
            break
    return tuple(text.replace("-", MINUS) for text in texts)


def short(number: float) -> str:
    """Return a figure as tables of a terminal have it: three digits, whole parts whole, a real minus.

    >>> short(-20.8379), short(9.07788), short(-0.023012), short(2102.5), short(math.inf)
    ('−20.8', '9.08', '−0.023', '2102', 'inf')
    """
    return short_apart(number)[0]


def short_apart(*numbers: float) -> tuple[str, ...]:
    """Return figures as `short` has them, with more digits where different ones would look equal.

    >>> short_apart(4.0749, 4.0741), short_apart(1, 2)
    (('4.075', '4.074'), ('1', '2'))
    """
    return apart(*numbers, fewest=SHORT)


def exact(number: float) -> str:
    """Return the shortest text that reads back as exactly this number.

    >>> exact(0.1), exact(1e6), exact(0.1 + 0.2), exact(float("-inf"))
    ('0.1', '1000000', '0.30000000000000004', '-inf')
    """
    return _text(number, MOST_DIGITS) if number == int_or_nan(number) else repr(float(number))


def int_or_nan(number: float) -> float:
    """Return the number if it is whole and finite, else NaN."""
    return float(number) if math.isfinite(number) and number == math.floor(number) else math.nan


def _text(number: float, digits: int) -> str:
    if abs(number) < LONGEST_WHOLE and number == int_or_nan(number):
        return f"{int(number)}"
    if 1 <= abs(number) < LONGEST_WHOLE:
        digits = max(digits, len(str(int(abs(number)))))  # no exponent
    return f"{number:.{digits}g}"


def intervals(one: tuple[float, float], other: tuple[float, float]) -> tuple[str, str]:
    """Return two intervals as text.

    >>> intervals((1.0, float("inf")), (2.5, 2.5))
    ('[1, inf]', '[2.5, 2.5]')
    """
    low, high, other_low, other_high = apart(*one, *other)
    return f"[{low}, {high}]", f"[{other_low}, {other_high}]"


def windows(one: tuple[float, float], other: tuple[float, float]) -> tuple[str, str]:
    """Return two windows as text.

    >>> windows((float("-inf"), 4.0), (3.0, 4.0))
    ('(−inf, 4)', '(3, 4)')
    """
    low, high, other_low, other_high = apart(*one, *other)
    return f"({low}, {high})", f"({other_low}, {other_high})"


def shortened(key: str, other: str = "") -> str:
    """Return at most LONGEST_KEY characters of a key, including those in which it differs from the other.

    >>> shortened("0123456789abcdef")
    '0123456789abcdef'
    >>> shortened("a" * 60 + "b", "a" * 60 + "c")
    '…aaaaaaaaaaaaaaaaaaaaaaab'
    """
    if len(key) <= LONGEST_KEY:
        return key
    differs = next((i for i, (a, b) in enumerate(zip(key, other, strict=False)) if a != b), len(other))
    differs = min(differs, len(key)) if other and key != other else 0
    first = max(0, differs - LONGEST_KEY // 2 + 1)
    last = min(len(key), first + LONGEST_KEY - 2)
    return ("…" if first else "") + key[first:last] + ("…" if last < len(key) else "")


MOST_DECIMALS: Final = 6
USUAL_DECIMALS: Final = 2
LONGEST: Final = 1e9
"""From here on figures are written with an exponent."""


def fixed(value: float, decimals: int) -> str:
    """Return the figure with `decimals` decimals, rounded as the page does: halves go up, of twelve digits.

    >>> fixed(5.625, 2), fixed(5.6249999999999999, 2), fixed(0.285, 2), fixed(-2.5, 0)
    ('5.63', '5.63', '0.29', '-3')
    """
    if not abs(value) < LONGEST:
        return f"{value:.{decimals}f}"
    return str(Decimal(f"{value:.12g}").quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


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
        text = fixed(value, self.decimals)
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
