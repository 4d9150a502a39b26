"""`plyscope games`: what can be searched, with its factors and default weights."""

from __future__ import annotations

import click

from visualizer.cli.options import json_option


@click.command()
@json_option
def games(as_json: bool) -> None:
    """List the games that can be searched, with their factors and default weights."""
    from engine.games import GAMES, find

    found = [find(name) for name in GAMES]
    if as_json:
        import orjson

        facts = ("name", "players", "factors", "start")
        listed = [{fact: getattr(game, fact) for fact in facts} for game in found]
        click.echo(orjson.dumps({"games": listed}).decode())
        return
    for game in found:
        click.echo(f"{game.name}  ({' against '.join(game.players)})")
        for name, weight in game.factors.items():
            click.echo(f"    {name:<24} {weight:>10g}")
    click.echo("\nYour own game: plyscope search file.py:Class (docs/adding-a-game.md)")
