"""`plyscope worst`: the plies of a game that lost the most."""

from __future__ import annotations

from pathlib import Path

import click

from plyscope.visualizer.cli import terminal


@click.command()
@click.argument("logs", nargs=-1, required=True, metavar="LOGS", type=click.Path(exists=True, path_type=Path))
@click.option("--number", type=click.IntRange(0), help="Of the logs of many games those of this one.")
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="Plies to list.")
@terminal.json_option
def worst(logs: tuple[Path, ...], number: int | None, limit: int, as_json: bool) -> None:
    """List the plies of a game that lost the most, by what their player's next search found.

    LOGS is a folder of logs, such as `match --log all` writes, a file of games that has logs, or the logs of
    one game in their order. Scores are seen by the player of the ply.
    """
    from plyscope.playing import worst_plies
    from plyscope.visualizer.analysis.json_answer import as_json as json_of
    from plyscope.visualizer.analysis.results.worst_plies import lines

    found = worst_plies(logs[0] if len(logs) == 1 else logs, number=number)
    if as_json:
        terminal.print_json({"total": len(found), "plies": json_of(found[:limit])})
    else:
        terminal.say(lines(found, limit))
