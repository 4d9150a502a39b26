"""The margin between two plies in parts that add up to it exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from plyscope.visualizer.analysis.explain.side import RESTS, Made


@dataclass(frozen=True)
class Part:
    """One part of the margin: what a factor, or a rest by its name, adds to it."""

    name: str
    amount: float
    kind: Literal["factor", "rest"] = "factor"

    def as_json(self) -> dict[str, Any]:
        """For machines."""
        return {"name": self.name, "amount": self.amount, "kind": self.kind}


def split_of(margin: float, chosen: Made, rival: Made) -> tuple[Part, ...]:
    """The parts of `margin`, the factors by size and then the rests; `math.fsum` of them is the margin.

    >>> one = Made({"mobility": 3.0, "discs": 1.0}, {}, {})
    >>> two = Made({"mobility": 0.5, "discs": 1.0}, {"window edge": 1.0}, {})
    >>> [(part.name, part.amount) for part in split_of(1.5, one, two)]
    [('mobility', 2.5), ('discs', 0.0), ('window edge', -1.0)]
    """
    names = list(dict.fromkeys((*chosen.factors, *rival.factors)))
    factors = [Part(name, chosen.factors.get(name, 0.0) - rival.factors.get(name, 0.0)) for name in names]
    factors.sort(key=lambda part: -abs(part.amount))
    amounts = {name: chosen.rests.get(name, 0.0) - rival.rests.get(name, 0.0) for name in RESTS}
    rests = [Part(name, amount, "rest") for name, amount in amounts.items() if amount and name != "rounding"]
    parts = [*factors, *rests]
    if not all(math.isfinite(part.amount) for part in parts):  # a score on the way is infinite, or missing
        return (Part("not recorded", margin, "rest"),)
    try:
        remainders = _remainders(margin, parts)
    except OverflowError:  # amounts near the largest number there is
        return (Part("not recorded", margin, "rest"),)
    return (*parts, *(Part("rounding", amount, "rest") for amount in remainders))


def _remainders(margin: float, parts: Sequence[Part]) -> list[float]:
    """What is to be added so that the sum is `margin` to the last bit: one number, or none.

    More than one only where amounts of very different sizes leave a remainder longer than a double.
    """
    amounts = [part.amount for part in parts]
    found: list[float] = []
    while math.fsum([*amounts, *found]) != margin:
        found.append(math.fsum([margin, *(-amount for amount in (*amounts, *found))]))
    return found
