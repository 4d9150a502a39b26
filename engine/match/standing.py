"""The standing of a match: the points of each agent against each, ratings, faults and endings."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from plyscope.engine.match.elo import Game, Likely, Sequential, likely, sequential
from plyscope.engine.match.games import DRAW, Played
from plyscope.engine.match.score import Score, wilson


@dataclass(frozen=True)
class Standing:
    """The result of a match, by agents' numbers.

    names    of the agents
    against  points of each against each other
    likely   ratings, as `elo` has them
    rated    the games, as `elo` takes them
    n_different  the games without those that have sides and plies of another
    """

    names: tuple[str, ...]
    against: dict[tuple[int, int], Score]
    plies_of_wins: dict[int, float]
    """The mean length of the games that an agent won by the rules, in plies, the opening's included."""
    likely: Likely
    rated: tuple[Game, ...]
    n_different: int

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about ratings that the games leave open."""
        n_games = len(self.rated)
        if n_games <= 2 or 2 * self.n_different > n_games:
            return self.likely.warnings
        return (
            f"{n_games - self.n_different:,} of {n_games:,} games repeat another ply by ply; "
            "the intervals count each as a new game, so they are too narrow",
            *self.likely.warnings,
        )

    @cached_property
    def sequential(self) -> Sequential:
        """Ratings game by game, in many orders; their number and seed are fixed."""
        return sequential(self.rated, len(self.names))

    def total(self, agent: int) -> Score:
        """All games of an agent."""
        return sum((score for (one, _), score in self.against.items() if one == agent), Score())

    def order(self) -> list[int]:
        """The agents, the strongest first."""
        return sorted(range(len(self.names)), key=lambda agent: -self.likely.ratings[agent])

    def cycles(self) -> list[tuple[int, int, int]]:
        """Cycles of agents that beat the next one by more than chance: the 95 % interval is above a half."""
        found = []
        for three in itertools.combinations(range(len(self.names)), 3):
            for one, two, other in (three, three[::-1]):
                if self._beats(one, two) and self._beats(two, other) and self._beats(other, one):
                    found.append((one, two, other))
        return found

    def _beats(self, one: int, other: int) -> bool:
        score = self.against[one, other]
        return score.n_games > 0 and wilson(score.share, score.n_games)[0] > DRAW


def standing_of(names: Sequence[str], games: Sequence[Played]) -> Standing:
    """Count the games, and rate the agents."""
    numbers = range(len(names))
    against = {(one, other): Score() for one in numbers for other in numbers if one != other}
    lengths: dict[int, list[int]] = {number: [] for number in numbers}
    for game in games:
        score = _score_of(game)
        against[game.first, game.second] += score
        against[game.second, game.first] += score.reversed
        if game.points != DRAW and game.why == "over":
            lengths[game.first if game.points == 1 else game.second].append(len(game.plies))
    rated = tuple(Game(game.first, game.second, game.points) for game in games)
    return Standing(
        tuple(names),
        against,
        {number: sum(plies) / len(plies) for number, plies in lengths.items() if plies},
        likely(rated, names),
        rated,
        len({(game.first, game.second, game.plies) for game in games}),
    )


def faults_of(games: Sequence[Played]) -> list[tuple[int, str, int]]:
    """Faults by which agents lost: agent, fault and number of games, in order of first occurrence."""
    counts: dict[tuple[int, str], int] = {}
    for game in games:
        if game.fault is not None:
            found = (game.loser or 0, game.fault)
            counts[found] = counts.get(found, 0) + 1
    return [(agent, fault, n_games) for (agent, fault), n_games in counts.items()]


def endings_of(games: Sequence[Played]) -> dict[str, int]:
    """The number of games for each ending that occurred, by the names of `Played.why`."""
    return dict(Counter(game.why for game in games))


def score_of(games: Sequence[Played]) -> Score:
    """The score of the first of two agents."""
    scores = (_score_of(game) if game.first == 0 else _score_of(game).reversed for game in games)
    return sum(scores, Score())


def _score_of(game: Played) -> Score:
    won, lost = int(game.points == 1), int(game.points == 0)
    is_fault = game.why == "fault"
    return Score(won, 1 - won - lost, lost, won * is_fault, lost * is_fault)


def pairs_of(games: Sequence[Played], agent: int) -> list[float]:
    """The points of an agent in the two games of each opening that both were played of, in their order.

    Only for a match of two agents.
    """
    points: dict[int, list[float]] = {}
    for game in sorted(games, key=lambda each: each.number):
        points.setdefault(game.opening, []).append(game.points if game.first == agent else 1 - game.points)
    return [sum(both) for both in points.values() if len(both) == 2]
