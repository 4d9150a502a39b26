"""The sequential probability ratio test: when enough games were played to know whether a player is better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from plyscope.engine.match.elo import expected

LEAST_PAIRS: Final = 8
PRIOR_PAIRS: Final = 10
PRIOR_SPREAD: Final = 0.125
"""The spread of the first few pairs says little: so many are counted in that spread as tossed coins do."""


@dataclass(frozen=True)
class Verdict:
    """The verdict of a test; `ratio` is the log-likelihood ratio of `better` to `not better`."""

    says: Literal["better", "not better", "go on"]
    ratio: float
    low: float
    high: float


def sprt(
    pairs: Sequence[float],
    *,
    worse: float = 0.0,
    better: float = 10.0,
    alpha: float = 0.05,
    beta: float = 0.05,
) -> Verdict:
    """Test whether a player is `better` by so many points of Elo, or only `worse`, by pairs of games.

    `pairs` are the points of the player in two games from one opening, once from each side: 0 to 2. Pairs,
    not games, since the two share the opening. `alpha` is the chance of saying `better` of one who is only
    `worse`, `beta` that of the other mistake. Wald, Sequential tests of statistical hypotheses, 1945; the
    spread of the points is estimated from the pairs, as in Van den Bergh, A practical introduction to the
    GSPRT, 2017.

    >>> sprt([2, 1.5, 2, 2, 1, 2, 1.5, 2, 2, 1.5] * 2, better=200).says
    'better'
    """
    low, high = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    n_pairs = len(pairs)
    if n_pairs < LEAST_PAIRS:
        return Verdict("go on", 0.0, low, high)
    mean = sum(pairs) / n_pairs / 2
    squares = sum((each / 2 - mean) ** 2 for each in pairs)
    spread = (squares + PRIOR_PAIRS * PRIOR_SPREAD) / (n_pairs + PRIOR_PAIRS)
    first, second = expected(worse), expected(better)
    ratio = n_pairs * (second - first) * (2 * mean - first - second) / (2 * spread)
    says: Literal["better", "not better", "go on"] = "go on"
    if ratio >= high:
        says = "better"
    elif ratio <= low:
        says = "not better"
    return Verdict(says, ratio, low, high)
