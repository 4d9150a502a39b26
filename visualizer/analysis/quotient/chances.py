"""The chances of ranks under a randomness quotient, and a test of drawn counts against them.

Knows no log: `analysis/statistics/quotient.py` sets these probabilities beside the plies of a root.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from plyscope.engine.quotient import rank_probability, tail_probability

OWN_PLIES: Final = 30
"""Plies of one player in a game, for which the expected number of each rank is told."""
LEAST_EXPECTED: Final = 5.0
"""Draws expected in each class of the χ² test; ranks with fewer are taken together."""


@dataclass(frozen=True)
class RankChance:
    """One rank, 0 for the best ply: how likely it is played, and how often in a game."""

    rank: int
    probability: float
    or_worse: float
    """Probability of this rank or a worse one."""
    per_game: float
    """Expected times in a game of 30 own plies."""


@dataclass(frozen=True)
class ChiSquare:
    """Pearson's χ² of drawn counts against their probabilities."""

    statistic: float
    degrees: int
    p: float
    """Probability of a χ² at least as great where the draws follow the formula."""
    pooled_from: int
    """The first of the last ranks that are taken together, as each class needs 5 expected draws."""


def rank_chances(quotient: int, n_plies: int) -> tuple[RankChance, ...]:
    """The chances of all ranks of `n_plies` plies.

    >>> [(each.probability, each.or_worse, each.per_game) for each in rank_chances(2, 3)]
    [(0.5, 1.0, 15.0), (0.25, 0.5, 7.5), (0.25, 0.25, 7.5)]
    """
    chances = []
    for rank in range(n_plies):
        probability = rank_probability(rank, quotient, n_plies)
        chances.append(
            RankChance(rank, probability, tail_probability(rank, quotient), OWN_PLIES * probability)
        )
    return tuple(chances)


def class_ends(n_draws: int, chances: Sequence[RankChance]) -> list[tuple[int, int]]:
    """The first and last rank of each class of ranks that expects 5 draws: single ranks, then all others.

    >>> class_ends(100, rank_chances(3, 6))
    [(0, 0), (1, 1), (2, 5)]
    """
    last = len(chances) - 1
    while last > 0 and n_draws * chances[last].or_worse < LEAST_EXPECTED:
        last -= 1
    # The class of the last ranks holds all from `last` on; the ones before each need enough draws too.
    while last > 0 and n_draws * chances[last - 1].probability < LEAST_EXPECTED:
        last -= 1
    return [*((rank, rank) for rank in range(last)), (last, len(chances) - 1)]


def chi_square(counts: Sequence[int], chances: Sequence[RankChance]) -> ChiSquare | None:
    """Compare drawn counts by rank with the chances; None where fewer than two classes expect 5 draws.

    >>> from plyscope.visualizer.analysis.quotient.chances import rank_chances
    >>> test = chi_square([48, 26, 26], rank_chances(2, 3))
    >>> round(test.statistic, 2), test.degrees, round(test.p, 4)
    (0.16, 2, 0.9231)
    """
    n_draws = sum(counts)
    last = class_ends(n_draws, chances)[-1][0]
    if last == 0:
        return None
    expected = [n_draws * each.probability for each in chances[:last]] + [n_draws * chances[last].or_worse]
    observed = [*counts[:last], sum(counts[last:])]
    statistic = math.fsum((seen - mean) ** 2 / mean for seen, mean in zip(observed, expected, strict=True))
    return ChiSquare(statistic, last, chi_square_tail(statistic, last), last)


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return P(χ² ≥ statistic), by the finite series for whole degrees (Abramowitz, Stegun 26.4.4-5).

    >>> round(chi_square_tail(3.841, 1), 3), round(chi_square_tail(5.991, 2), 3)
    (0.05, 0.05)
    """
    if statistic <= 0:
        return 1.0
    half = statistic / 2
    total = math.erfc(math.sqrt(half)) if degrees % 2 else 0.0
    exponent = 0.5 if degrees % 2 else 0.0
    while exponent < degrees / 2:
        total += math.exp(exponent * math.log(half) - half - math.lgamma(exponent + 1))
        exponent += 1
    return min(1.0, total)
