"""Whole games of ranking players, each by weights of its own, and two sets of weights against each other."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import NormalDist, mean, stdev
from typing import Final, NamedTuple

from plyscope_studies.castle.chances import Replies, Sees
from plyscope_studies.castle.game import Position, Rules, deal
from plyscope_studies.castle.ranking import FACTORS, Ranked, rank_plays

Weights = Mapping[str, float]
SEATS: Final = 4
TOWARDS_95: Final = NormalDist().inv_cdf(0.975)
"""How many standard errors an interval of 95 % reaches to each side."""


class Turn(NamedTuple):
    """The plays of a turn, the weights that ranked them, and the seconds of the processor."""

    ranked: Ranked
    weights: Weights
    seconds: float


def turns(
    position: Position, weights: Sequence[Weights] = (), sees: Sees = "all", replies: Replies = "single"
) -> Iterator[Turn]:
    """Yield each turn before the best play of it is laid, up to the end of the game.

    `weights` are those of each player, the published ones where there are none.
    """
    while not position.is_over:
        own = weights[position.player] if weights else FACTORS
        begun = time.process_time()
        ranked = rank_plays(position, sees, replies, own)
        yield Turn(ranked, own, time.process_time() - begun)
        position.lay(ranked.play(0) if len(ranked.ranks) else [])


def of_95(leads: Sequence[float]) -> tuple[float, float]:
    """The interval of 95 % of the mean of some leads, from their spread; of one all numbers.

    >>> low, high = of_95((1.0, 3.0, 2.0))
    >>> round(low, 2), round(high, 2)
    (0.87, 3.13)
    """
    if len(leads) < 2:
        return float("-inf"), float("inf")
    reach = TOWARDS_95 * stdev(leads) / sqrt(len(leads))
    return mean(leads) - reach, mean(leads) + reach


def leads(one: Weights, other: Weights, rules: Rules, n_pairs: int, seed: int) -> list[float]:
    """The lead in points of a player of the one weights over one of the other, a number a pair of games.

    Each deal is played twice, the weights in turn around the table, and then with seats changed.
    """
    found: list[float] = []
    for number in range(n_pairs):
        points = []
        for pair in ((one, other), (other, one)):
            position = deal(rules, SEATS, seed + number)
            for _ in turns(position, pair * (SEATS // 2)):
                pass
            points.append(sum(position.scores[0::2]) - sum(position.scores[1::2]))
        found.append((points[0] - points[1]) / SEATS)
    return found
