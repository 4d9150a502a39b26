"""Figures as textbook trees have them: a real minus, no plus, digits that tell siblings apart."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from plyscope.visualizer.analysis.nodes.signed_figures import LONGEST, MINUS, digits_for
from plyscope.visualizer.store import words

MOST_DIGITS: Final = 12
SIGNS: Final = {words.LOWER: "≥ ", words.UPPER: "≤ "}
MANTISSA: Final = 2
"""Least digits behind the point of a mantissa."""
SMALLEST: Final = 1e-3
"""Below it figures are written with an exponent."""


def figure(value: float, digits: int) -> str:
    """A figure with at most so many decimals, or digits behind the point of its mantissa.

    >>> figure(3.0, 2), figure(-2.75, 1), figure(-1204.5, 2), figure(1.25e12, 2), figure(-math.inf, 2)
    ('3', '−2.8', '−1,204.5', '1.25e12', '−∞')
    """
    if value != value:
        return "NaN"
    size = abs(value)
    if size == math.inf:
        text = "∞"
    elif size >= LONGEST or 0 < size < SMALLEST:
        mantissa, _, exponent = f"{size:.{max(digits, MANTISSA)}e}".partition("e")
        text = f"{_short(mantissa)}e{int(exponent)}".replace("-", MINUS)
    else:
        text = _short(f"{size:,.{digits}f}")
    return (MINUS if value < 0 and text != "0" else "") + text


def _short(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def usual_digits(values: Iterable[float]) -> int:
    """The digits that show the scores of a picture: none for whole numbers, else up to two."""
    return digits_for(values).decimals


def figures(values: Iterable[float], digits: int) -> list[str]:
    """The figures of siblings, with as many more digits as it takes that no two that differ read the same.

    >>> figures([1.0001, 1.0002, 3.0], 2), figures([0.1 + 0.2, 0.3], 2)
    (['1.0001', '1.0002', '3'], ['0.30000000000000004', '0.3'])
    """
    listed = list(values)
    n_distinct = len({value for value in listed if value == value})
    for enough in range(digits, MOST_DIGITS + 1):
        texts = [figure(value, enough) for value in listed]
        if len({text for text in texts if text != "NaN"}) == n_distinct:
            return texts
    return [repr(value).replace("-", MINUS).removesuffix(".0") for value in listed]
