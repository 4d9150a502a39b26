"""The results of a match's games, in sentences that the command and the page share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plyscope.engine.match.games import Played
from plyscope.engine.match.sprt import LEAST_PAIRS, Verdict
from plyscope.engine.match.standing import Standing, faults_of

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
    """What part of a result rests on faults, and the faults: the most frequent ones, the rest counted."""
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
    """What the players at fault took in their other games."""
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
