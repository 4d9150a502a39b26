"""`plyscope games`: what can be searched, with its factors, their default weights and what they count."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from typing import Any

import click

from plyscope.visualizer.cli.play.game import blame_game, find_game
from plyscope.visualizer.cli.terminal import json_option, print_json

LEAST_WIDTH = 40


@click.command()
@click.argument("game", required=False)
@json_option
def games(game: str | None, as_json: bool) -> None:
    """List the games that can be searched, or GAME alone (a name, or file.py:Class).

    Each with its factors, their default weights, and what they count.
    """
    from plyscope.engine.games import GAMES

    told = [facts(name) for name in (GAMES if game is None else (game,))]
    if as_json:
        print_json({"games": told})
        return
    width = max(LEAST_WIDTH, shutil.get_terminal_size().columns - 1)
    for each in told:
        click.echo(f"{each['name']}  ({' against '.join(each['players'])})")
        for line in lines(each["factors"], each["meanings"], width):
            click.echo(line)
        for name, other in each.get("evaluations", {}).items():
            click.echo(f"  with --evaluation {name}")
            for line in lines(other["factors"], other["meanings"], width):
                click.echo(line)
    click.echo("\nA value is the first player's count less the second's.")
    if game is None:
        click.echo("Your own game: plyscope search file.py:Class (docs/adding-a-game.md)")


def facts(name: str) -> dict[str, Any]:
    """The facts that a game states of itself; raises GameError."""
    from plyscope.engine.game import meanings_of
    from plyscope.engine.games.plain import PlainKernels

    with blame_game(name):
        game = find_game(name)
        told: dict[str, Any] = {"meanings": meanings_of(game)}
        game = PlainKernels(game) if hasattr(game, "plies") else game
        if hasattr(game, "start"):
            told["start"] = game.start
        if hasattr(game, "evaluations"):
            told["evaluations"] = {
                each: {"factors": weights_of(other), "meanings": meanings_of(other)}
                for each, other in game.evaluations.items()
            }
        return {"name": game.name, "players": [*game.players], "factors": weights_of(game), **told}


def weights_of(game: Any) -> dict[str, float]:
    """The default weights of a game's factors."""
    return {factor: float(weight) for factor, weight in game.factors.items()}


def lines(weights: dict[str, float], meanings: dict[str, str], width: int) -> Iterator[str]:
    """A factor a line, in columns; what it counts goes on below itself.

    >>> for line in lines({"hand": -8, "ring": 18.5}, {"hand": "Pieces still in hand."}, 34):
    ...     print(line)
        hand    -8  Pieces still in
                    hand.
        ring  18.5
    """
    figures = {name: f"{weight:g}" for name, weight in weights.items()}
    names_width = max(map(len, figures), default=0)
    figures_width = max(map(len, figures.values()), default=0)
    for name, figure in figures.items():
        head = f"    {name:<{names_width}}  {figure:>{figures_width}}"
        indent = " " * (len(head) + 2)
        words = " ".join(meanings.get(name, "").split())
        yield (
            textwrap.fill(words, width, initial_indent=f"{head}  ", subsequent_indent=indent)
            if words
            else head
        )
