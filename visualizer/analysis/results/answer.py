"""The results of a match's games as JSON, the same for the command, Python and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plyscope.engine.match.games import Played
from plyscope.engine.match.score import Score, wilson
from plyscope.engine.match.sprt import Verdict
from plyscope.engine.match.standing import Standing, endings_of, faults_of
from plyscope.visualizer.analysis.nodes.node_json import number
from plyscope.visualizer.analysis.results.words import faults_said


def as_json(
    match: Mapping[str, Any],
    standing: Standing,
    games: Sequence[Played],
    verdict: Verdict | None = None,
    better: float | None = None,
) -> dict[str, Any]:
    """The standing of a match, which `match` states as `Match.as_json` does, in plain JSON values.

    Ends of intervals that the games do not set are `inf` or `-inf`.
    """
    answer = {
        "match": dict(match),
        "games": len(games),
        "agents": [_agent(standing, agent) for agent in range(len(standing.names))],
        "order": [standing.names[agent] for agent in standing.order()],
        "cycles": [[standing.names[at] for at in cycle] for cycle in standing.cycles()],
        "endings": endings_of(games),
        "faults": [
            {"agent": standing.names[agent], "fault": fault, "games": n_games}
            for agent, fault, n_games in faults_of(games)
        ],
        "faults_in_words": faults_said(standing, games),
        "warnings": list(standing.warnings),
    }
    if verdict is not None:
        answer["test"] = {"better": better, **vars(verdict)}
    return answer


def _agent(standing: Standing, agent: int) -> dict[str, Any]:
    return {
        "name": standing.names[agent],
        **_score(standing.total(agent)),
        "elo": float(standing.likely.ratings[agent]),
        "elo_of_95": [
            number(float(standing.likely.low[agent])),
            number(float(standing.likely.high[agent])),
        ],
        "elo_in_sequence": float(standing.sequential.ratings[agent]),
        "spread_of_sequences": float(standing.sequential.spread[agent]),
        "plies_of_a_win": standing.plies_of_wins.get(agent),
        "against": {
            standing.names[other]: _score(met)
            for (one, other), met in standing.against.items()
            if one == agent
        },
    }


def _score(score: Score) -> dict[str, Any]:
    return {
        "won": score.won,
        "drawn": score.drawn,
        "lost": score.lost,
        "share": number(score.share),
        "share_of_95": list(wilson(score.share, score.n_games)),
    }
