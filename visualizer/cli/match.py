"""`plyscope match`: two players against each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.visualizer.cli.game import position_option, read_position
from plyscope.visualizer.cli.options import json_option
from plyscope.visualizer.cli.standings import as_json as standing_json
from plyscope.visualizer.cli.standings import lines, match_options, play_shown, terms_of

if TYPE_CHECKING:
    from plyscope.engine.match.games import Played
    from plyscope.engine.match.sprt import Verdict

GAMES: Final = 100


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("--game", default="hive", show_default=True, help="A name, or file.py:Class.")
@position_option
@match_options
@click.option(
    "--better",
    type=click.FloatRange(0, min_open=True),
    metavar="ELO",
    help="Test whether the first is better by so much or not at all, and stop once that is known.",
)
@json_option
def match(
    first: str,
    second: str,
    game: str,
    position: str | None,
    better: float | None,
    output: Path | None,
    as_json: bool,
    **asked: Any,
) -> None:
    """Play FIRST against SECOND: `random`, or a search such as `depth=3,limit=10` or `nodes=20000`.

    In Hive also an engine of the Universal Hive Protocol: `uhp=PROGRAM ARGUMENTS,seconds=0.1`.

    A name may stand before it: `deep: depth=4`. Each random opening is played from both sides. With `nodes`
    or `seconds` a search deepens until they are used up; nodes give the same games again, seconds do not.
    """
    from plyscope.engine.match.agents import read_agent
    from plyscope.engine.match.runner import Match
    from plyscope.engine.match.standing import standing_of

    agents = read_agent(first), read_agent(second)
    asked_match = Match(game, agents, asked["games"] or GAMES, terms_of(asked), read_position(position))

    def is_decided(played: Sequence[Played]) -> bool:
        verdict = test(played, better)
        return verdict is not None and verdict.says != "go on"

    played = play_shown(asked_match, output, asked, is_decided)
    standing = standing_of([agent.name for agent in agents], played)
    verdict = test(played, better)
    if as_json:
        import orjson

        answer = standing_json(asked_match, standing, played)
        if verdict is not None:
            answer["test"] = {"better": better, **vars(verdict)}
        click.echo(orjson.dumps(answer).decode())
        return
    for line in lines(asked_match, standing, played):
        click.echo(line)
    if verdict is not None:
        click.echo(f"\n{said(verdict, agents[0].name, agents[1].name, better)}")


def test(played: Sequence[Played], better: float | None) -> Verdict | None:
    """The sequential test of the first player, where it was asked for."""
    from plyscope.engine.match.sprt import sprt
    from plyscope.engine.match.standing import pairs_of

    return None if better is None else sprt(pairs_of(played, 0), better=better)


def said(verdict: Verdict, first: str, second: str, better: float | None) -> str:
    """The verdict in a sentence."""
    ratio = f"log-likelihood ratio {verdict.ratio:.2f} of {verdict.low:.2f} to {verdict.high:.2f}"
    if verdict.says == "better":
        return f"{first} is better than {second}: {better:g} points of Elo are likelier than none ({ratio})."
    if verdict.says == "not better":
        return (
            f"{first} is not better than {second}: none are likelier than {better:g} points of Elo ({ratio})."
        )
    return f"Whether {first} is better than {second} is not known yet ({ratio}); play more games."
