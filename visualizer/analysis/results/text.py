"""The standing of a match as a table in a terminal, and sentences that the command and the page share."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from plyscope.engine.match.game_logs import WantedLogs
from plyscope.engine.match.games import Played
from plyscope.engine.match.match import Match
from plyscope.engine.match.score import wilson
from plyscope.engine.match.sprt import LEAST_PAIRS, Verdict
from plyscope.engine.match.standing import Standing, faults_of
from plyscope.engine.quoting import counted

MOST_FAULTS: Final = 8
"""Faults that are said in words; the file of games and `--json` have all."""


def said(verdict: Verdict, first: str, second: str, better: float) -> str:
    """The verdict of a test in sequence in a sentence."""
    ends = f"the test ends at {verdict.low:.2f} or {verdict.high:.2f}"
    ratio = f"log-likelihood ratio {verdict.ratio:.2f}; {ends}"
    if verdict.says == "better":
        return f"{first} is better than {second}: {better:g} points of Elo are likelier than none ({ratio})."
    if verdict.says == "not better":
        return f"{first} is not {better:g} points of Elo better than {second}: none are likelier ({ratio})."
    asked = f"Whether {first} is {better:g} points of Elo better than {second} or not at all is not known yet"
    if not verdict.ratio:
        return f"{asked}: the test begins with {LEAST_PAIRS} pairs of games."
    return f"{asked} ({ratio}); play more games."


def faults_said(standing: Standing, games: Sequence[Played]) -> list[str]:
    """Sentences on the games lost by faults: their share, the most frequent faults, a count of the rest."""
    found = sorted(faults_of(games), key=lambda fault: -fault[2])
    if not found:
        return []
    shown = [
        f"{standing.names[agent]} lost {_games(n_games)} by a fault: it {fault}."
        for agent, fault, n_games in found[:MOST_FAULTS]
    ]
    left = sum(n_games for _, _, n_games in found[MOST_FAULTS:])
    more = (
        [f"{left:,} more {'game was' if left == 1 else 'games were'} lost by other faults."] if left else []
    )
    part = part_by_fault(sum(n_games for _, _, n_games in found), len(games))
    return [*part, *shown, *more, *_without_faults(standing)]


def part_by_fault(n_faults: int, n_games: int) -> list[str]:
    """A sentence on the part of the games that ended by a fault; none where none did.

    >>> part_by_fault(3, 20), part_by_fault(0, 20)
    (['3 of 20 games ended by a fault, which all figures count as a loss.'], [])
    """
    if not n_faults:
        return []
    if n_faults == n_games:
        return ["The figures rest on faults alone: no game was played to its end."]
    return [f"{n_faults:,} of {_games(n_games)} ended by a fault, which all figures count as a loss."]


def _without_faults(standing: Standing) -> list[str]:
    """The points that the players at fault took in their other games, a sentence each."""
    said = []
    for agent in standing.order():
        score = standing.total(agent)
        left = score.without_faults
        if score.lost_by_fault and left.n_games:
            said.append(
                f"Without games that ended by a fault {standing.names[agent]} took {100 * left.share:.1f} % "
                f"of the points of {_games(left.n_games)}."
            )
    return said


def _games(number: int) -> str:
    return f"{number:,} {'game' if number == 1 else 'games'}"


INTERVAL: Final = "95 % interval"
MOST_CROSSED: Final = 12
"""Players up to which everybody's points against everybody are a table."""


def lines(match: Match, standing: Standing, games: Sequence[Played]) -> list[str]:
    """The standing as a table, the strongest first."""
    terms = match.terms
    ending = "drawn" if terms.adjudicate is None else f"adjudicated by {terms.adjudicate}"
    head = (
        f"{match.game}: {counted(len(games), 'game')}, {_opening(match)}, "
        f"{ending} after {counted(terms.most_plies, 'ply')}, seed {terms.seed}"
    )
    width = max(len(name) for name in standing.names)
    table = [
        f"{'':{width}}   won drawn  lost  points  {INTERVAL:>16}    Elo  {INTERVAL:>14}  {'a win takes':>12}"
    ]
    for agent in standing.order():
        score = standing.total(agent)
        low, high = wilson(score.share, score.n_games)
        rating, ends = standing.likely.ratings[agent], _ends(standing, agent)
        takes = f"{standing.plies_of_wins[agent]:.1f} plies" if agent in standing.plies_of_wins else "-"
        counts = f"{score.won:5} {score.drawn:5} {score.lost:5}"
        table.append(
            f"{standing.names[agent]:{width}} {counts}  {_percent(score.share)}  {_percent(low)} to "
            f"{_percent(high)}  {rating:5.0f}  {ends[0]:>5} to {ends[1]:<5}  {takes:>12}"
        )
    crossed = _crossed(standing, width) if 2 < len(standing.names) <= MOST_CROSSED else []
    ring = [
        " beats ".join(standing.names[at] for at in (*cycle, cycle[0])) + ", each by more than chance."
        for cycle in standing.cycles()
    ]
    parts = (
        crossed,
        ["", *ring] if ring else [],
        ["", *(f"{warning}." for warning in standing.warnings)] if standing.warnings else [],
    )
    return [head, *faults_said(standing, games), "", *table, *itertools.chain(*parts)]


def roundings(match: Match) -> list[str]:
    """Sentences that say whose seconds were rounded."""
    return [said for agent in match.agents if (said := agent.rounding) is not None]


def games_left(match: Match, games: Sequence[Played]) -> list[str]:
    """A sentence on games that a program has still to play, which no file of games starts."""
    played = {game.number for game in games}
    n_left = sum(task.number not in played for task in match.tasks_of_programs())
    if not n_left:
        return []
    return [
        f"{counted(n_left, 'game')} of external engines {'is' if n_left == 1 else 'are'} not played yet: "
        "a file of games starts no program, so name all players again to go on, with -o and the file."
    ]


def said_of_logs(match: Match, logs: WantedLogs, games: Sequence[Played]) -> list[str]:
    """Sentences that say where the logs are, and why some are missing."""
    n_logs = sum(logs.writer.has(path) for game in games for paths in game.logs.values() for path in paths)
    told = [f"{counted(n_logs, 'log')} in {logs.writer.place}: `plyscope view {logs.writer.place}`"]
    told += logs.without(match.agents)
    for agent, n_games in logs.too_late(match.agents, games).items():
        told.append(
            f"{counted(n_games, 'game')} of {agent} had been played by seconds and not recorded, "
            "and cannot be logged any more."
        )
    missing = [(game, agent, why) for game in games for agent, why in game.no_logs.items()]
    told += [f"game {game.number}: {agent} has no logs: {why}." for game, agent, why in missing[:MOST_FAULTS]]
    if len(missing) > MOST_FAULTS:
        told.append(f"{len(missing) - MOST_FAULTS:,} more games have no logs; the file of games says why.")
    return told


def _opening(match: Match) -> str:
    if (n_plies := match.terms.n_opening) == 0:
        return f"all from {'the start' if match.position is None else 'one position'}"
    return f"the first {n_plies} plies at random" if n_plies > 1 else "the first ply at random"


def _percent(share: float) -> str:
    return "   -  " if share != share else f"{100 * share:5.1f}%"


def _ends(standing: Standing, agent: int) -> tuple[str, str]:
    found = standing.likely.low[agent], standing.likely.high[agent]
    low, high = (f"{end:.0f}" if abs(end) < float("inf") else "?" for end in found)
    return low, high


def _crossed(standing: Standing, width: int) -> list[str]:
    """Points of each against each, in the order of strength."""
    order = standing.order()
    head = f"{'':{width}}  " + " ".join(f"{standing.names[other][:9]:>9}" for other in order)
    rows = []
    for one in order:
        cells = [f"{'-':>9}" if one == other else f"{_points(standing, one, other):>9}" for other in order]
        rows.append(f"{standing.names[one]:{width}}  " + " ".join(cells))
    return ["", head, *rows]


def _points(standing: Standing, one: int, other: int) -> str:
    score = standing.against[one, other]
    return f"{score.points:g}/{score.n_games}"
