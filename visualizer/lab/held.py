"""Published figures held against our intervals: which of them are excluded, and the likely reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Held:
    """A published figure and our interval of 95 %, both written with `digits` after the point."""

    name: str
    printed: float
    low: float
    high: float
    digits: int = 2

    @property
    def is_excluded(self) -> bool:
        """Whether the figure lies outside of our interval."""
        return not self.low <= self.printed <= self.high

    def __str__(self) -> str:
        places = self.digits
        return (
            f"{self.name}, {self.printed:.{places}f} (here {self.low:.{places}f} to {self.high:.{places}f})"
        )


def excluded(what: str, figures: Sequence[Held], likely: str) -> str:
    """Return a sentence on the figures that our intervals exclude; where there are any, on the likely reason.

    >>> figures = [Held("a", 0.7, 0.39, 0.59), Held("b", 0.5, 0.4, 0.6)]
    >>> excluded("win rate", figures, "more time")
    'Our intervals exclude the printed win rate of a, 0.70 (here 0.39 to 0.59). Likely reason: more time.'
    >>> excluded("win rate", figures[1:], "")
    'Our intervals hold every printed win rate.'
    """
    out = [str(each) for each in figures if each.is_excluded]
    if not out:
        return f"Our intervals hold every printed {what}."
    return f"Our intervals exclude the printed {what} of {'; '.join(out)}. Likely reason: {likely}."
