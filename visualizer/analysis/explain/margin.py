"""The margin between two plies in parts that add up to it exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from plyscope.visualizer.analysis.columns.rounding import gap
from plyscope.visualizer.analysis.explain.ply_side import RESTS, Made

End = Literal["chosen", "rival"]


@dataclass(frozen=True)
class Part:
    """One part of the margin: the amount of a factor, or of a named rest."""

    name: str
    amount: float
    kind: Literal["factor", "rest"]
    end: End | None
    """The ply at the end of whose line it comes from: where it weighs more; None of the rounding of both."""


def split_of(margin: float, chosen: Made, rival: Made) -> tuple[Part, ...]:
    """The parts of `margin`, the factors by size and then the rests; `math.fsum` of them is the margin.

    >>> one = Made({"mobility": 3.0, "discs": 1.0}, {}, {})
    >>> two = Made({"mobility": 0.5, "discs": 1.0}, {"window edge": 1.0}, {})
    >>> [(part.name, part.amount) for part in split_of(1.5, one, two)]
    [('mobility', 2.5), ('discs', 0.0), ('window edge', -1.0)]
    """
    names = list(dict.fromkeys((*chosen.factors, *rival.factors)))
    factors = [_part(name, chosen.factors, rival.factors, "factor") for name in names]
    factors.sort(key=lambda part: -abs(part.amount))
    rests = [_part(name, chosen.rests, rival.rests, "rest") for name in RESTS if name != "rounding"]
    parts = [*factors, *(part for part in rests if part.amount)]
    if not all(math.isfinite(part.amount) for part in parts):  # a score on the way is infinite, or missing
        return (Part("not recorded", margin, "rest", None),)
    try:
        remainders = _remainders(margin, parts)
    except OverflowError:  # amounts near the largest number there is
        return (Part("not recorded", margin, "rest", None),)
    return (*parts, *(Part("rounding", amount, "rest", None) for amount in remainders))


def _part(
    name: str, chosen: Mapping[str, float], rival: Mapping[str, float], kind: Literal["factor", "rest"]
) -> Part:
    one, two = chosen.get(name, 0.0), rival.get(name, 0.0)
    return Part(name, gap(one, two), kind, "chosen" if abs(one) >= abs(two) else "rival")


def _remainders(margin: float, parts: Sequence[Part]) -> list[float]:
    """The amounts to be added so that the sum is `margin` to the last bit: one number, or none.

    More than one only where amounts of very different sizes leave a remainder longer than a double.
    """
    amounts = [part.amount for part in parts]
    found: list[float] = []
    while math.fsum([*amounts, *found]) != margin:
        found.append(math.fsum([margin, *(-amount for amount in (*amounts, *found))]))
    return found
