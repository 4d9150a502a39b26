"""Claims of scores: the interval in which a row says its score lies, and two such claims compared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from plyscope.visualizer.analysis.columns.rounding import is_same
from plyscope.visualizer.analysis.json_answer import Score
from plyscope.visualizer.analysis.nodes.digits import short, short_apart
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

Relation = Literal["equal", "overlap", "contradict"]
SIGNS = {"lower": "≥ ", "upper": "≤ "}


@dataclass(frozen=True)
class Claim:
    """A score with its bound: `exact`, `lower`, `upper`, or None where it is not stated."""

    score: Score
    bound: str | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of the score; None where the bound is not stated."""
        match self.bound:
            case "exact":
                return self.score, self.score
            case "lower":
                return self.score, math.inf
            case "upper":
                return -math.inf, self.score
        return None

    def __str__(self) -> str:
        """The score with its sign.

        >>> str(Claim(3.0, "lower")), str(Claim(-2.5, None)), str(Claim(0.0, "exact"))
        ('≥ +3', '−2.5', '0')
        """
        return self.words(short(self.score))

    def words(self, figure: str) -> str:
        """The claim in words, with the given text of its figure."""
        return SIGNS.get(self.bound or "", "") + (f"+{figure}" if self.score > 0 else figure)


def claims_words(*claims: Claim | None) -> list[str]:
    """Scores beside one another, with as many digits as tell them apart.

    >>> claims_words(Claim(4.07495, "lower"), Claim(-4.0751), None)
    ['≥ +4.07', '−4.08', 'no score']
    """
    figures = iter(short_apart(*(each.score for each in claims if each is not None)))
    return ["no score" if each is None else each.words(next(figures)) for each in claims]


def claim_at(log: Log, row: int) -> Claim | None:
    """Return the claim of the node at `row`; None for one without a score."""
    score = float(log.columns["score"][row])
    if math.isnan(score):
        return None
    return Claim(score, words.BOUNDS[int(log.columns["bound"][row])] or None)


def delta(old: Claim | None, new: Claim | None) -> float | None:
    """New score minus old score, where both are exact and finite.

    >>> delta(Claim(1.0, "exact"), Claim(3.0, "exact")), delta(Claim(1.0, "lower"), Claim(3.0, "exact"))
    (2.0, None)
    """
    if old is None or new is None or not old.bound == new.bound == "exact":
        return None
    difference = new.score - old.score
    return difference if math.isfinite(difference) else None


def relation(old: Claim | None, new: Claim | None) -> Relation | None:
    """`contradict` where no score satisfies both claims, else `equal` or `overlap`; None for an unknown one.

    >>> relation(Claim(1.0, "upper"), Claim(3.0, "exact")), relation(Claim(1.0, "lower"), Claim(3.0, "exact"))
    ('contradict', 'overlap')
    """
    one = None if old is None else old.interval
    other = None if new is None else new.interval
    if one is None or other is None:
        return None
    if all(is_same(a, b) for a, b in zip(one, other, strict=True)):
        return "equal"
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return "overlap" if low <= high or is_same(low, high) else "contradict"
