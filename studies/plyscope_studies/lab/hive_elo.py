"""Hive's players rated by a tournament, as a published study rated its own: Elo, with a random control."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.elo import MEAN
from plyscope.engine.match.games import Played, Terms
from plyscope.engine.match.match import Match
from plyscope.engine.match.score import wilson
from plyscope.engine.match.standing import Standing, standing_of
from plyscope_studies.lab.charts import intervals, mark_value
from plyscope_studies.lab.lab import Lab

MOST_PLIES: Final = 100
PLAYOUTS: Final = 300
FAR: Final = 200
"""Points of Elo: how far apart the study finds players whose win rates against random plies are alike."""
RANDOM: Final = "random"


@dataclass(frozen=True)
class Player:
    """A player of the tournament: its line, and what the study has in its place."""

    name: str
    options: str
    study: str


SHALLOW: Final = "minimax 500"
MIDDLE: Final = "minimax 5,000"
DEEP: Final = "minimax 50,000"
MINIMAX: Final = (SHALLOW, MIDDLE, DEEP)
TREES: Final = ("MCTS", "MCTS guided", "MCTS urgency")
FAMILIES: Final = (MINIMAX, TREES)
_MCTS: Final = f"algorithm=mcts,c=1,choose=mean,playouts={PLAYOUTS}"
PLAYERS: Final = (
    Player(SHALLOW, "nodes=500,table=16,evaluation=study-3", "minimax, 0.01 s a move"),
    Player(MIDDLE, "nodes=5000,table=16,evaluation=study-3", "minimax, 0.1 s a move"),
    Player(DEEP, "nodes=50000,table=16,evaluation=study-3", "minimax, 1 s a move"),
    Player(TREES[0], _MCTS, "MCTS, c = 1"),
    Player(TREES[1], f"{_MCTS},guide=ring", "MCTS, random-playout guidance"),
    Player(TREES[2], f"{_MCTS},fpu=1", "MCTS, first-move urgency"),
    Player(RANDOM, RANDOM, "random control"),
)


def match_of(lab: Lab) -> Match:
    """The tournament: all pairs, each opening from both sides."""
    agents = tuple(read_agent(f"{player.name}: {player.options}") for player in PLAYERS)
    terms = Terms(most_plies=lab.of(MOST_PLIES, 10), seed=lab.seed)
    return Match("hive", agents, lab.of(30, 2), terms)


def run(lab: Lab) -> None:
    """Play it, rate the players, and hold what the study found against it."""
    match = match_of(lab)
    games = lab.play(match, "hive-elo", "the tournament")
    standing = standing_of([player.name for player in PLAYERS], games)
    lab.report.say(
        f"{len(games)} games of Base: every pair {match.n_games}, openings of {match.terms.n_opening} random "
        f"plies from both sides, a draw after {match.terms.most_plies} plies. No table is shared between "
        "players or games. The study has seconds a move, each ten times the last; here minimax has nodes, "
        f"ten times as many each, and Monte Carlo {PLAYOUTS} play-outs, so that the games are the same "
        "whenever they are played."
    )
    lab.report.table(
        ["player", "options", "the study's"],
        [[each.name, f"`{each.options}`", each.study] for each in PLAYERS],
    )
    lab.report.say(
        "`examples/hive-elo.toml` is the same tournament: `plyscope tournament examples/hive-elo.toml -o "
        "hive-elo.jsonl --log losses` plays it and logs every search of whoever lost."
    )
    _say_ratings(lab, standing, games)
    _say_cross(lab, standing)
    _say_findings(lab, standing)


def _say_ratings(lab: Lab, standing: Standing, games: Sequence[Played]) -> None:
    report, likely = lab.report, standing.likely
    own = {number: _seconds(games, number) for number in range(len(PLAYERS))}
    report.head("Ratings")
    report.table(
        ["player", "Elo", "95 %", "game by game", "orders differ by", "won / drawn / lost", "a move"],
        [
            [
                standing.names[at],
                f"{likely.ratings[at]:.0f}",
                f"{_end(likely.low[at])} to {_end(likely.high[at])}",
                f"{standing.sequential.ratings[at]:.0f}",
                f"±{standing.sequential.spread[at]:.0f}",
                "{0.won} / {0.drawn} / {0.lost}".format(standing.total(at)),
                f"{1000 * own[at]:.1f} ms",
            ]
            for at in standing.order()
        ],
    )
    report.chart("ratings", "Ratings with an interval of 95 %, and the mean of all", _chart(standing))
    report.say(
        "Elo is the likeliest with draws (Davidson), its mean 1500. Game by game is Elo's own way with K = "
        "32, the mean of 100 orders of the same games; orders differ by their standard deviation."
    )
    for warning in standing.warnings:
        report.say(f"{warning}.")


def _chart(standing: Standing) -> dict[str, object]:
    likely, rows = standing.likely, []
    for at in standing.order():
        rating, low, high = (float(each[at]) for each in (likely.ratings, likely.low, likely.high))
        ends = {"low": low if math.isfinite(low) else rating, "high": high if math.isfinite(high) else rating}
        rows.append({"player": standing.names[at], "Elo": rating, **ends})
    return mark_value(intervals(rows, x="Elo", y="player", low="low", high="high"), MEAN)


def _end(value: float) -> str:
    return f"{value:.0f}" if math.isfinite(value) else "?"


def _seconds(games: Sequence[Played], player: int) -> float:
    """The mean time of a move of a player."""
    spent, moves = 0.0, 0
    for game in games:
        for side, agent in enumerate((game.first, game.second)):
            if agent == player:
                spent += game.seconds[side]
                moves += (len(game.plies) + 1 - side) // 2
    return spent / max(1, moves)


def _say_cross(lab: Lab, standing: Standing) -> None:
    order = standing.order()
    lab.report.head("Points of each against each")
    lab.report.table(
        ["", *(standing.names[at] for at in order)],
        [
            [standing.names[one], *("" if one == at else _points(standing, one, at) for at in order)]
            for one in order
        ],
    )
    for cycle in standing.cycles():
        ring = " beats ".join(standing.names[at] for at in (*cycle, cycle[0]))
        lab.report.say(f"{ring}, each by more than chance.")


def _points(standing: Standing, one: int, other: int) -> str:
    score = standing.against[one, other]
    return f"{score.points:g} of {score.n_games}"


def _say_findings(lab: Lab, standing: Standing) -> None:
    at = {name: number for number, name in enumerate(standing.names)}
    lab.report.head("What the study found, and what came here")
    last = standing.names[standing.order()[-1]]
    rows = [
        ["The random control comes last (it has to)", "yes" if last == RANDOM else f"**no**, {last} does"],
        ["Minimax stands above MCTS", _above(standing, *([at[name] for name in each] for each in FAMILIES))],
        [
            "0.1 s is rated above 1 s, which draws with random plies more often",
            f"{MIDDLE} {_apart(standing, at[MIDDLE], at[DEEP])} {DEEP}; draws with random plies: "
            + ", ".join(f"{name} {standing.against[at[name], at[RANDOM]].drawn}" for name in MINIMAX),
        ],
        ["Guidance weakens MCTS", f"{TREES[1]} {_apart(standing, at[TREES[1]], at[TREES[0]])} {TREES[0]}"],
        [
            f"Players alike against random plies are {FAR} points and more apart",
            _alike(standing, at[RANDOM]),
        ],
    ]
    lab.report.table(["the study", "here"], rows)
    lab.report.say(
        "The numbers of the study's figure are not public. Its first run was distorted by a table that its "
        "players shared. Above and below mean that the intervals of both ratings do not meet. Likely reasons "
        "where a finding did not come here: other budgets (nodes and play-outs instead of seconds), other "
        "games (from openings at random), and tables that nobody shares."
    )


def _apart(standing: Standing, one: int, other: int) -> str:
    """The words that compare one rating with another's, by their intervals."""
    likely = standing.likely
    if likely.low[one] > likely.high[other]:
        return "stands above"
    return "stands below" if likely.high[one] < likely.low[other] else "is not told apart from"


def _above(standing: Standing, ones: Sequence[int], others: Sequence[int]) -> str:
    said = {(a, b): _apart(standing, a, b) for a, b in itertools.product(ones, others)}
    if all(each == "stands above" for each in said.values()):
        return "each minimax stands above each MCTS"
    names = standing.names
    other = [f"{names[a]} {each} {names[b]}" for (a, b), each in said.items() if each != "stands above"]
    return "not each: " + "; ".join(other)


def _alike(standing: Standing, control: int) -> str:
    """Pairs whose win rates against random plies overlap, and whose ratings are far apart."""
    likely, found = standing.likely, []
    others = [each for each in range(len(standing.names)) if each != control]
    for one, other in itertools.combinations(others, 2):
        spans = [
            wilson(score.won / score.n_games, score.n_games)
            for score in (standing.against[one, control], standing.against[other, control])
        ]
        gap = abs(float(likely.ratings[one] - likely.ratings[other]))
        if spans[0][0] <= spans[1][1] and spans[1][0] <= spans[0][1] and gap >= FAR:
            found.append(f"{standing.names[one]} and {standing.names[other]} ({gap:.0f})")
    return ", ".join(found) or "none"
