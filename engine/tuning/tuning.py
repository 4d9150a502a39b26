"""A tuning: the weights of an evaluation, their ranges, and the games that judge them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

import numpy as np

from plyscope.engine.games import load_game
from plyscope.engine.match.agents import Agent, agent_of
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games import Terms
from plyscope.engine.match.match import Match, version_of
from plyscope.engine.match.score import Score
from plyscope.engine.options import SearchOptions, weights_of

MOST: Final = 10.0
"""The greatest weight of an evaluation that is not the game's own: only ratios matter."""
TIMES_OWN: Final = 3.0
"""The greatest weight of the game's own evaluation, as a multiple of its default."""
FRESH: Final = 2**31
"""Added to the seed for games that no trial has played."""
TUNED: Final = "tuned"


class TuningError(MatchError):
    """A tuning that cannot be; the message says why, in one line."""


@dataclass(frozen=True)
class Tuning:
    """The search for weights of a game's evaluation, and how a trial of them is judged.

    game      a name that `plyscope games` lists, or `file.py:Class`
    search    options of the searches of the tuned player: depth, nodes or seconds, limit, evaluation, …
    against   who plays the games of every trial
    n_games   games of a trial, an even number: each opening is played from both sides
    most      the greatest weight of each; None: 10, of a game's own evaluation three times its own weight
    """

    game: str
    search: Mapping[str, Any]
    against: Agent
    n_games: int
    terms: Terms = field(default_factory=Terms)
    most: float | None = None
    position: str | None = None

    def ranges(self) -> dict[str, tuple[float, float]]:
        """The least and the greatest weight of each factor; one end is 0, the other has the sign it has now.

        >>> from plyscope.engine.match.agents import read_agent
        >>> Tuning("reversi", {"depth": 1}, read_agent("random"), 2).ranges()["mobility"]
        (0.0, 12.0)
        """
        options = {name: value for name, value in self.search.items() if name != "weights"}
        found = {}
        for name, weight in weights_of(load_game(self.game), SearchOptions(**options)).items():
            is_own = "evaluation" not in self.search
            most = self.most or (TIMES_OWN * abs(weight) if is_own and weight else MOST)
            found[name] = (-most, 0.0) if weight < 0 else (0.0, most)
        if not found:
            raise TuningError(f"{self.game} has no factors, so no weights to tune")
        return found

    def player(self, weights: Mapping[str, float], name: str = TUNED) -> Agent:
        """The player with these weights."""
        return agent_of(name, {**self.search, "weights": dict(weights)})

    def seed_of(self, trial: int, *, fresh: bool = False) -> int:
        """The seed of a trial's games; with `fresh`, that of games that no trial has played."""
        first = self.terms.seed + (FRESH if fresh else 0)
        return int(np.random.SeedSequence([first, trial]).generate_state(1)[0])

    def match(self, weights: Mapping[str, float], trial: int, n_games: int | None = None) -> Match:
        """The match of a trial; with `n_games`, that of so many fresh games."""
        terms = replace(self.terms, seed=self.seed_of(trial, fresh=n_games is not None))
        agents = self.player(weights), self.against
        return Match(self.game, agents, n_games or self.n_games, terms, self.position)

    def as_json(self) -> dict[str, Any]:
        """All that its trials depend on."""
        return {
            "game": self.game,
            "position": self.position,
            "search": dict(self.search),
            "against": asdict(self.against),
            "games": self.n_games,
            "ranges": {name: list(ends) for name, ends in self.ranges().items()},
            **asdict(self.terms),
            **version_of(load_game(self.game)),
        }


@dataclass(frozen=True)
class Trial:
    """One set of weights and the result of its games; `value` is the share of the points."""

    number: int
    weights: dict[str, float]
    score: Score
    seed: int

    @property
    def value(self) -> float:
        """The share of the points that it took."""
        return self.score.share

    def as_json(self) -> dict[str, Any]:
        """As a row of the history."""
        score = self.score
        return {
            "trial": self.number,
            "params": self.weights,
            "value": self.value,
            "games": score.n_games,
            "won": score.won,
            "drawn": score.drawn,
            "lost": score.lost,
            "by_fault": score.by_fault,
            "seed": self.seed,
        }


def best_of(trials: Sequence[Trial]) -> Trial:
    """The trial that took the most; of several the first."""
    return max(trials, key=lambda trial: (trial.value, -trial.number))
