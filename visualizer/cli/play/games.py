"""`plyscope games`: what can be searched, with its factors, their default weights and what they count."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator
from typing import Any, Final

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli.play.game import blame_game, find_game
from plyscope.visualizer.cli.terminal import json_option, print_json

LEAST_WIDTH = 40


GIVES: Final = {
    "board": ("boards are drawn", "positions are shown as their text"),
    "ply_cells": ("plies say which cells they touch", "boards before and after tell what a ply touched"),
    "read_position": (
        "searched and replayed from any position",
        "searched and replayed from its start alone",
    ),
    "key": (
        "keys of its own, the same in every search",
        "equal values of Python are one position, within a search",
    ),
    "noisy": ("--quiescence", "no --quiescence"),
    "pass_turn": ("--null-move", "no --null-move"),
    "in_check": ("nothing is pruned in check", "no position is a check"),
    "ring": ("--guide ring", "no --guide ring"),
    "undo": ("played in place, for large states", "states are copied"),
    "chances": ("chance moves too: --algorithm expectimax or mcts", "chance never moves"),
}
"""What a game may give beside its rules, with what that means, and what follows where it is missing."""
OF_ONE_KIND: Final = {"undo": "kernel", "chances": "plain"}


@click.command()
@click.argument("game", required=False)
@click.option("--check", is_flag=True, help="Play GAME at random and say which promises of a game it breaks.")
@json_option
def games(game: str | None, check: bool, as_json: bool) -> None:
    """List the games that can be searched, or GAME alone: a name, file.py:Class, a folder, an installed game.

    Each with its factors, their default weights, and what they count; GAME also with what it gives and what
    is missing. With --check exit 1 if it breaks a promise.
    """
    from plyscope.engine.games import GAMES
    from plyscope.engine.games.outside import installed

    if check and game is None:
        raise click.UsageError("--check needs a GAME")
    told = [facts(name) for name in (GAMES if game is None else (game,))]
    if game is not None:
        told[0] |= given(game) | (kept(game) if check else {})
    packages = {name: point.dist.name if point.dist else "" for name, point in installed().items()}
    if as_json:
        print_json({"games": told} | ({"installed": packages} if game is None else {}))
    else:
        write(told)
    if game is None and not as_json:
        for name, package in packages.items():
            click.echo(f"Installed: {name}, {name}:… (of {package})")
        click.echo("Your own game: plyscope search file.py:Class (docs/adding-a-game.md)")
    if any(each.get("breaks") for each in told):
        sys.exit(1)


def write(told: list[dict[str, Any]]) -> None:
    """Print what games state."""
    width = max(LEAST_WIDTH, shutil.get_terminal_size().columns - 1)
    for each in told:
        click.echo(f"{each['name']}  ({' against '.join(each['players'])})")
        for line in lines(each["factors"], each["meanings"], width):
            click.echo(line)
        for name, other in each.get("evaluations", {}).items():
            click.echo(f"  with --evaluation {name}")
            for line in lines(other["factors"], other["meanings"], width):
                click.echo(line)
        for name, has in each.get("gives", {}).items():
            head = f"    {'has  ' if has else 'lacks'}  {name:<13}  "
            words = textwrap.fill(
                GIVES[name][not has], width, initial_indent=head, subsequent_indent=" " * 26
            )
            click.echo(f"\n{words}" if name == next(iter(each["gives"])) else words)
        if "breaks" in each:
            asked = f"up to {each['asked']:,} positions of random games"
            words = "breaks what every game promises" if each["breaks"] else "keeps what every game promises"
            click.echo("\n  ".join([f"\n  {words}, asked at {asked}", *each["breaks"]]))
    click.echo("\nA value is the first player's count less the second's.")


def given(place: str) -> dict[str, Any]:
    """The JSON of a game: the parts of `GIVES` that it has, its kind, and the digest of its sources."""
    from plyscope.engine.games.outside import digest
    from plyscope.engine.games.promises import has

    game = find_game(place)
    kind = "plain" if hasattr(game, "plies") else "kernel"
    gives = {name: has(game, name) for name in GIVES if OF_ONE_KIND.get(name, kind) == kind}
    return {"kind": kind, "gives": gives, "digest": digest(game)}


def kept(place: str) -> dict[str, Any]:
    """The promises that a game breaks, and the number of positions at which it was tested."""
    from plyscope.engine.games.outside import digest
    from plyscope.engine.games.plain import PlainKernels
    from plyscope.engine.games.promises import faults

    with blame_game(place), StatusLine(tells_waits=True) as status:
        game = find_game(place)
        is_plain = hasattr(game, "plies")
        if not is_plain:
            status.wait(f"compiling the rules of {place}, once on a machine: up to a minute …")
        asked, breaks = faults(PlainKernels(game) if is_plain else game, digest(game) or "")
    return {"asked": asked, "breaks": breaks}


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
