"""Hive's players against random plies: the first table of a published study of Hive agents.

The study has 1 s a move and prints win rates and average turns of its wins, which are plies of both sides.
Its public result lists have other win rates than the table, and standard errors of about 4 plies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median, stdev
from typing import Any, Final

from plyscope.engine.match.agents import Agent, read_agent
from plyscope.engine.match.games import Played, Terms
from plyscope.engine.match.match import Match
from plyscope.engine.match.score import Z_95, Score, wilson
from plyscope.engine.match.standing import score_of
from plyscope_studies.lab.charts import intervals
from plyscope_studies.lab.lab import Lab
from plyscope_studies.lab.report import Held, excluded

MOST_PLIES: Final = 100
PLAYOUTS: Final = 300
NODES: Final = 20_000
RANDOM: Final = Agent("random", "random")
WHY_RATES: Final = (
    "other budgets, play-outs and nodes instead of 1 s a move; and the study's lists have other rates than "
    "its table"
)
WHY_TURNS: Final = "the same other budgets"


@dataclass(frozen=True)
class Row:
    """A player of the table: its line but for its budget, and the win rate and turns that are published."""

    name: str
    options: str
    rate: float
    plies: float


ROWS: Final = (
    Row("True MCTS", "algorithm=mcts,select=plain,choose=mean,playouts={playouts}", 0.70, 60.26),
    Row("UCB1, c = 1.4", "algorithm=mcts,c=1.4,choose=mean,playouts={playouts}", 0.80, 57.5),
    Row("UCB1, c = 100", "algorithm=mcts,c=100,choose=mean,playouts={playouts}", 0.66, 53.17),
    Row("Minimax", "nodes={nodes},table=16,evaluation=study-3", 0.66, 47.0),
)


@dataclass(frozen=True)
class Outcome:
    """The results of the games of a player."""

    row: Row
    score: Score
    lengths: tuple[int, ...]
    seconds_a_move: float

    @property
    def rate(self) -> float:
        """Wins of all games."""
        return self.score.won / self.score.n_games

    @property
    def of_95(self) -> tuple[float, float]:
        """The interval of 95 % of that."""
        return wilson(self.rate, self.score.n_games)


def run(lab: Lab) -> None:
    """Play each against random plies, from both sides, and set the tables side by side."""
    n_games = lab.of(100, 2)
    budget = {"playouts": lab.of(PLAYOUTS, 20), "nodes": lab.of(NODES, 500)}
    lab.report.say(
        f"{n_games} games each against random plies, Base, half as White, from the start; after "
        f"{MOST_PLIES} plies a game is a draw. The study has 1 s a move; here Monte Carlo has "
        f"{budget['playouts']} play-outs a move and minimax {budget['nodes']:,} nodes, so that the games are "
        "the same whenever they are played. Minimax judges by the study's three terms and first weights, "
        "deepens, and has a table of its own. A win rate is wins of all games; turns are plies of both sides "
        "in the games that were won, ± their standard error; the time of a move is the median of the games."
    )
    found = [_played(lab, row, n_games, budget) for row in ROWS]
    _say_table(lab, found)
    _say_what_holds(lab, found)


def _played(lab: Lab, row: Row, n_games: int, budget: Mapping[str, int]) -> Outcome:
    agent = read_agent(f"{row.name}: {row.options.format(**budget)}")
    match = Match("hive", (agent, RANDOM), n_games, Terms(n_opening=0, most_plies=MOST_PLIES, seed=lab.seed))
    games = lab.play(match, f"hive-table-1-{ROWS.index(row) + 1}", row.name)
    return outcome_of(row, games)


def outcome_of(row: Row, games: Sequence[Played]) -> Outcome:
    """Count the games of the first agent."""
    points = [game.points if game.first == 0 else 1 - game.points for game in games]
    own = [(len(game.plies) + (game.first == 0)) // 2 for game in games]
    spent = [game.seconds[game.first != 0] for game in games]
    return Outcome(
        row,
        score_of(games),
        tuple(len(game.plies) for game, each in zip(games, points, strict=True) if each == 1.0),
        median(seconds / max(1, moves) for seconds, moves in zip(spent, own, strict=True)),
    )


def _say_table(lab: Lab, found: Sequence[Outcome]) -> None:
    rows = []
    for each in found:
        low, high = each.of_95
        rates = [f"{each.row.rate:.2f}", f"{each.rate:.2f}", f"{low:.2f} to {high:.2f}"]
        games = f"{each.score.won} / {each.score.drawn} / {each.score.lost}"
        turns = [f"{each.row.plies:.1f}", _turns(each.lengths)]
        rows.append([each.row.name, *rates, games, *turns, f"{1000 * each.seconds_a_move:.1f} ms"])
    report = lab.report
    report.head("Win rate and turns")
    report.table(
        ["player", "published", "here", "95 %", "won / drawn / lost", "turns, published", "here", "a move"],
        rows,
    )
    bars = [bar for each in found for bar in _bars(each)]
    report.chart(
        "turns",
        "Turns of the games that were won, with an interval of 95 %",
        intervals(bars, x="plies", y="player", low="low", high="high"),
    )
    report.say(
        "The lists of results in the study's public repository have 35 wins of 60 games for true MCTS, 40 of "
        "71 for c = 1.4 and 23 of 49 for c = 100 (.58, .56 and .47, not the printed rates), the rest without "
        "decision; the standard errors of their turns are 4.0, 3.9 and 4.4. So its three Monte Carlo rows "
        "cannot be told apart."
    )
    _say_excluded(lab, found)


def _say_excluded(lab: Lab, found: Sequence[Outcome]) -> None:
    """Say which printed figures our intervals exclude, and what is likely to make the difference."""
    rates = [Held(each.row.name, each.row.rate, *each.of_95) for each in found]
    turns = [
        Held(each.row.name, each.row.plies, *_of_turns(each.lengths), digits=1)
        for each in found
        if len(each.lengths) > 1
    ]
    lab.report.say(excluded("win rate", rates, WHY_RATES))
    lab.report.say(excluded("turns", turns, WHY_TURNS))


def _of_turns(lengths: Sequence[int]) -> tuple[float, float]:
    """The interval of 95 % of a mean number of turns."""
    reach = Z_95 * stdev(lengths) / math.sqrt(len(lengths))
    return mean(lengths) - reach, mean(lengths) + reach


def _turns(lengths: Sequence[int]) -> str:
    if len(lengths) < 2:
        return "too few wins"
    return f"{mean(lengths):.1f} ± {stdev(lengths) / math.sqrt(len(lengths)):.1f}"


def _bars(outcome: Outcome) -> list[dict[str, Any]]:
    row, lengths = outcome.row, outcome.lengths
    ends = dict.fromkeys(("plies", "low", "high"), row.plies)
    published = {"player": f"{row.name}, published", **ends}
    if len(lengths) < 2:
        return [published]
    low, high = _of_turns(lengths)
    return [{"player": row.name, "plies": mean(lengths), "low": low, "high": high}, published]


def _say_what_holds(lab: Lab, found: Sequence[Outcome]) -> None:
    lab.report.head("What has to hold")
    ahead = all(each.score.won > each.score.lost for each in found)
    lab.report.say("Every player wins more games than it loses: " + ("yes." if ahead else "**no**."))
    turns = {each.row.name: mean(each.lengths) for each in found if each.lengths}
    if len(turns) == len(found):
        fewest = min(turns, key=lambda name: turns[name])
        says = "yes." if fewest == "Minimax" else f"**no**, {fewest} does."
        lab.report.say(f"Minimax needs the fewest turns: {says}")
