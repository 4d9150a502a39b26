"""Ratings on the Elo scale: game by game, and by maximum likelihood with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.match.score import Z_95

Array = npt.NDArray[Any]

MEAN: Final = 1500.0
SCALE: Final = 400 / math.log(10)
"""Points of a rating in one unit of the logarithm of the odds."""
K: Final = 32.0
DRAWN: Final = 0.5
MOST_STEPS: Final = 100
CLOSE: Final = 1e-10
VIRTUAL_WINS: Final = 0.5
"""Wins that are added to both of each pair that met, where ratings would have no end otherwise."""
NOTHING: Final = "No game is over, so there is nothing to rate"
SHOWN: Final = (
    "? stands where the games set no end; the Elo shown counts half a win more for both of each pair that met"
)


class Game(NamedTuple):
    """One game: two players by number, and the points of the first (1, 0.5 or 0)."""

    first: int
    second: int
    points: float


def expected(difference: float) -> float:
    """The expected points a game of a player who is rated higher by `difference`.

    >>> expected(0), round(expected(200), 3)
    (0.5, 0.76)
    """
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True)
class Sequential:
    """Ratings updated after each game, in many orders of the games.

    ratings  by player, the mean of all orders
    spread   the standard deviation between orders: the effect of the order alone
    """

    ratings: Array
    spread: Array


def sequential(
    games: Sequence[Game], n_players: int, *, k: float = K, n_orders: int = 100, seed: int = 0
) -> Sequential:
    """Elo's own method: after each game a player gains `k` times the points won minus those expected.

    Players begin at 1500. The result depends on the order of games, so it is made for `n_orders` shuffles.
    """
    draw = np.random.default_rng(seed)
    found = np.full((n_orders, n_players), MEAN)
    for ratings in found:
        for at in draw.permutation(len(games)).tolist():
            first, second, points = games[at]
            gained = k * (points - expected(ratings[first] - ratings[second]))
            ratings[first] += gained
            ratings[second] -= gained
    return Sequential(found.mean(axis=0), found.std(axis=0))


@dataclass(frozen=True)
class Likely:
    """Ratings under which the games are likeliest.

    ratings    a player each; their mean is 1500
    low, high  ends of the interval of 95 %; infinite where the games set no end
    draws      Davidson's parameter v: 0 where no game was drawn
    warnings   sentences about ratings that the games leave open
    """

    ratings: Array
    low: Array
    high: Array
    draws: float
    warnings: tuple[str, ...]


def likely(games: Sequence[Game], names: Sequence[str]) -> Likely:
    """The ratings of maximum likelihood, with draws as Davidson has them, and Wald's intervals of 95 %.

    Of two players with ratings apart by d units, a win, a draw and a loss are as likely as exp(d/2) to v to
    exp(-d/2); v is found with the ratings. Davidson, On extending the Bradley-Terry model to accommodate ties
    in paired comparison experiments, 1970. A unit counts so many points of Elo that players of nearly the
    same strength are expected to share points as Elo's curve says: the more draws, the fewer. Where somebody
    won or lost everything against all the others, or no pair has won games from each other, the likeliest
    ratings have no end: then half a win is added to both of each pair that met, and warnings say for whom.
    """
    if not games:
        every = np.ones(len(names))
        return Likely(every * MEAN, every * -math.inf, every * math.inf, 0.0, (NOTHING,))
    won, drawn = _counts(games, len(names))
    in_group = _groups(won, drawn)
    best, worst = _without_end(won, drawn, in_group)
    # A group that met nobody else is said by `_strangers`, not to have lost no point and taken none.
    warnings = [
        *_strangers(won + won.T + drawn, names),
        *(
            _no_end(group, "won all its games", "lost no point to the others", "upper")
            for group in _chosen_groups(names, best & ~worst, in_group)
        ),
        *(
            _no_end(group, "lost all its games", "took no point from the others", "lower")
            for group in _chosen_groups(names, worst & ~best, in_group)
        ),
    ]
    if _draws_set_no_end(won, drawn):
        unbeaten, winless = ~won.any(axis=0) & ~best, ~won.any(axis=1) & ~worst
        warnings += _of_draws(names, unbeaten, winless)
        best, worst = best | unbeaten, worst | winless
    if warnings:
        won = won + VIRTUAL_WINS * ((won + won.T + drawn) > 0)
        warnings.append(SHOWN)
    units, draws, covariance = _maximum(won, drawn)
    # Points of a unit, and how they change with log v, which is as uncertain as the units are.
    points, change = SCALE * 2 / (2 + draws), -SCALE * 2 * draws / (2 + draws) ** 2
    moves = np.hstack([points * np.eye(len(units)), change * units[:, None]])
    ratings = MEAN + points * units
    half = Z_95 * np.sqrt(np.maximum(np.diag(moves @ covariance @ moves.T), 0))
    low, high = np.where(worst, -math.inf, ratings - half), np.where(best, math.inf, ratings + half)
    return Likely(ratings, low, high, draws, tuple(warnings))


def _chosen_groups(names: Sequence[str], which: Array, in_group: Array) -> list[list[str]]:
    """The names where `which` is true, by group."""
    groups = dict.fromkeys(tuple(_chosen(names, row)) for row in in_group[which])
    return [list(group) for group in groups]


def _no_end(group: Sequence[str], one_did: str, several_did: str, which: str) -> str:
    """A warning about players whose rating has no end by these games, with the reason.

    >>> _no_end(["a"], "won all its games", "lost no point to the others", "upper")
    'a won all its games, so they set no upper end to its rating'
    >>> _no_end(["a", "b"], "won all its games", "lost no point to the others", "upper")
    'a and b lost no point to the others, so the games set no upper end to their ratings'
    """
    if len(group) == 1:
        return f"{group[0]} {one_did}, so they set no {which} end to its rating"
    who = f"{', '.join(group[:-1])} and {group[-1]}"
    return f"{who} {several_did}, so the games set no {which} end to their ratings"


def _of_draws(names: Sequence[str], unbeaten: Array, winless: Array) -> list[str]:
    """Warnings where draws are all that keeps players together."""
    if (unbeaten & winless).all():
        return ["Every game was drawn, so the games set no end to any rating"]
    kinds = (
        (unbeaten & ~winless, "lost no game", "upper end"),
        (winless & ~unbeaten, "won no game", "lower end"),
        (unbeaten & winless, "drew every game", "end"),
    )
    return [
        f"{name} {did}, so the games set no {which} to its rating"
        for chosen, did, which in kinds
        for name in _chosen(names, chosen)
    ]


def _chosen(names: Sequence[str], which: Array) -> list[str]:
    return [name for name, is_chosen in zip(names, which.tolist(), strict=True) if is_chosen]


def _counts(games: Sequence[Game], n_players: int) -> tuple[Array, Array]:
    """Games won by each against each, and games drawn, which count for both."""
    won, drawn = np.zeros((n_players, n_players)), np.zeros((n_players, n_players))
    for first, second, points in games:
        if points == DRAWN:
            drawn[first, second] += 1
            drawn[second, first] += 1
        elif points == 1:
            won[first, second] += 1
        else:
            won[second, first] += 1
    return won, drawn


def _reach(won: Array, drawn: Array) -> Array:
    """From whom each took points, directly or through others."""
    took = (won + drawn) > 0
    reach: Array = took | np.eye(len(took), dtype=bool)
    for _ in range(len(took).bit_length()):
        reach = reach @ reach
    return reach


def _groups(won: Array, drawn: Array) -> Array:
    """True for each two players in one group: each took points from the other, directly or through others."""
    reach = _reach(won, drawn)
    return reach & reach.T


def _without_end(won: Array, drawn: Array, in_group: Array) -> tuple[Array, Array]:
    """Masks of the players who lost no point to another group, and of those who took none from one.

    With one group only every rating has an end (Ford, Solution of a ranking problem, 1957).
    """
    reach = _reach(won, drawn)
    is_one = bool(in_group.all())
    lost_outside: Array = np.atleast_1d((reach & ~in_group).any(axis=0))
    took_outside: Array = np.atleast_1d((reach & ~in_group).any(axis=1))
    return ~lost_outside & (not is_one), ~took_outside & (not is_one)


def _draws_set_no_end(won: Array, drawn: Array) -> bool:
    """Whether the games grow likelier without end as strengths part and draws become the rule.

    Let log v grow by 1 and each unit by some number. The games of a pair lose nothing by it where those who
    only won gain at least 2 on the other, who won and drew exactly 2, and who only drew at most 2. Numbers
    that do so for all pairs exist unless the differences contradict each other round a circle (Bellman,
    Ford). A pair that won games from each other, or no draw at all, contradicts by itself.
    """
    if not drawn.any() or ((won > 0) & (won.T > 0)).any():
        return False
    n_players = len(won)
    most = np.full((n_players, n_players), math.inf)  # that the first may gain on the second
    most[drawn > 0] = 2.0
    most[won.T > 0] = -2.0
    np.fill_diagonal(most, 0.0)
    for between in range(n_players):
        most = np.minimum(most, most[:, between, None] + most[None, between, :])
    return bool((np.diag(most) >= 0).all())


def _strangers(n_games: Array, names: Sequence[str]) -> list[str]:
    """A sentence where some players met others neither directly nor through common opponents."""
    met = (n_games > 0) | np.eye(len(names), dtype=bool)
    for _ in range(len(names).bit_length()):
        met = met @ met
    others = _chosen(names, ~met[0])
    if not others:
        return []
    return [f"No chain of games joins {names[0]} and {others[0]}, so the games do not say how they compare"]


def _maximum(won: Array, drawn: Array) -> tuple[Array, float, Array]:
    """Units of the players, Davidson's v, and the covariance of units and log v, by Newton's method."""
    n_players = len(won)
    n_games = won + won.T + drawn
    n_drawn = float(np.triu(drawn).sum())
    units: Any = np.zeros(n_players)
    log_draws = 0.0 if n_drawn else -math.inf
    inverse: Any = np.zeros((n_players + 1, n_players + 1))
    for _ in range(MOST_STEPS):
        half = (units[:, None] - units[None, :]) / 2
        draws = math.exp(log_draws)
        cosh, sinh = np.cosh(half), np.sinh(half)
        below = 2 * cosh + draws
        slope = ((won - won.T) / 2 - n_games * sinh / below).sum(axis=1)
        # Each pair stands in the matrices twice, once from each side.
        slope_of_draws = n_drawn - float((n_games * draws / below).sum()) / 2
        bend = n_games * (1 + draws * cosh / 2) / below**2
        bend_of_draws = float((n_games * draws * 2 * cosh / below**2).sum()) / 2
        mixed = -(n_games * sinh * draws / below**2).sum(axis=1)
        information = np.zeros((n_players + 1, n_players + 1))
        information[:-1, :-1] = np.diag(bend.sum(axis=1)) - bend + 1  # + 1: the mean is fixed at 0
        information[:-1, -1] = information[-1, :-1] = mixed
        information[-1, -1] = bend_of_draws if n_drawn else 1.0
        inverse = np.linalg.pinv(information, hermitian=True)
        step = inverse @ np.append(slope, slope_of_draws if n_drawn else 0.0)
        step *= min(1.0, 2 / max(float(np.abs(step).max()), CLOSE))
        units = units + step[:-1] - step[:-1].mean()
        log_draws += float(step[-1]) if n_drawn else 0.0
        if float(np.abs(step).max()) < CLOSE:
            break
    inverse[:-1, :-1] -= 1 / n_players**2
    return units, math.exp(log_draws), inverse
