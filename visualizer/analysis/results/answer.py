"""The results of a match's games, the same for the command, Python and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from plyscope.engine.match.games import Played
from plyscope.engine.match.score import Score as Counts
from plyscope.engine.match.score import wilson
from plyscope.engine.match.sprt import Verdict
from plyscope.engine.match.standing import Standing, endings_of, faults_of
from plyscope.visualizer.analysis.json_answer import Score
from plyscope.visualizer.analysis.nodes.notebook import Displayed
from plyscope.visualizer.analysis.results.text import faults_said


@dataclass(frozen=True)
class Points(Displayed):
    """Games won, drawn and lost."""

    won: int
    drawn: int
    lost: int
    share: Score
    """Points of each game, a win 1 and a draw 0.5; NaN where none was played."""
    share_of_95: tuple[float, float]
    """Wilson's interval of 95 %."""


@dataclass(frozen=True)
class _Named:
    name: str


@dataclass(frozen=True)
class MatchPlayer(Points, _Named):
    """A player's result in a match: its games, its share of the points, and its rating."""

    elo: float
    """The likeliest rating; the mean of all players is 1500."""
    elo_of_95: tuple[Score, Score]
    """Wald's interval of 95 %, with an infinite end where the games set none."""
    elo_in_sequence: float
    spread_of_sequences: float
    plies_of_a_win: float | None
    """The mean length of the games that it won by the rules; None where there are none."""
    against: Mapping[str, Points] = field(repr=False)
    """By the name of another player."""


@dataclass(frozen=True)
class Fault:
    """A fault by which an agent lost games."""

    agent: str
    fault: str
    games: int


@dataclass(frozen=True)
class SequentialTest:
    """A test in sequence of whether the first player is better; `ratio` is the log-likelihood ratio."""

    better: float | None
    says: Literal["better", "not better", "go on"]
    ratio: float
    low: float
    high: float


@dataclass(frozen=True)
class Standings:
    """The figures of a match, its players in the order in which they were named."""

    match: Mapping[str, Any]
    games: int
    agents: tuple[MatchPlayer, ...]
    order: tuple[str, ...]
    """The strongest first."""
    cycles: tuple[tuple[str, ...], ...]
    """Players of whom each beats the next by more than chance, and the last the first."""
    endings: Mapping[str, int]
    """The number of games that ended each way: over, length, adjudicated, resigned, fault."""
    faults: tuple[Fault, ...]
    faults_in_words: tuple[str, ...]
    """The part of the result that rests on them, then the most frequent."""
    warnings: tuple[str, ...]
    test: SequentialTest | None = None


def standings_of(
    match: Mapping[str, Any],
    standing: Standing,
    games: Sequence[Played],
    verdict: Verdict | None = None,
    better: float | None = None,
) -> Standings:
    """The figures of a match, which `match` states as `Match.as_json` does."""
    names = standing.names
    return Standings(
        match=match,
        games=len(games),
        agents=tuple(_player(standing, agent) for agent in range(len(names))),
        order=tuple(names[agent] for agent in standing.order()),
        cycles=tuple(tuple(names[at] for at in cycle) for cycle in standing.cycles()),
        endings=endings_of(games),
        faults=tuple(Fault(names[agent], fault, n_games) for agent, fault, n_games in faults_of(games)),
        faults_in_words=tuple(faults_said(standing, games)),
        warnings=tuple(standing.warnings),
        test=None if verdict is None else SequentialTest(better, **vars(verdict)),
    )


def _player(standing: Standing, agent: int) -> MatchPlayer:
    likely, in_sequence = standing.likely, standing.sequential
    return MatchPlayer(
        name=standing.names[agent],
        **vars(_points(standing.total(agent))),
        elo=float(likely.ratings[agent]),
        elo_of_95=(float(likely.low[agent]), float(likely.high[agent])),
        elo_in_sequence=float(in_sequence.ratings[agent]),
        spread_of_sequences=float(in_sequence.spread[agent]),
        plies_of_a_win=standing.plies_of_wins.get(agent),
        against={
            standing.names[other]: _points(met)
            for (one, other), met in standing.against.items()
            if one == agent
        },
    )


def _points(score: Counts) -> Points:
    return Points(score.won, score.drawn, score.lost, score.share, wilson(score.share, score.n_games))
