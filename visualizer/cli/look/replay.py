"""`plyscope replay`: the search of a log as it ran, event by event."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from plyscope.visualizer.cli.terminal import (
    EXISTING_FILE,
    game_option,
    json_option,
    mapping_option,
    print_json,
)

MOST_EVENTS: Final = 20


@click.command()
@click.argument("log", type=EXISTING_FILE)
@click.option(
    "--from", "start", metavar="NODE", help="Begin as this node is entered: #ID, or a path of plies."
)
@click.option("--event", type=click.IntRange(min=0), help="Begin at this event.")
@click.option(
    "--stop",
    metavar="cut|best|EXPR",
    help="Tell only cuts, changes of a node's best, or nodes for which an expression is true.",
)
@click.option("--count", type=click.IntRange(min=1), default=MOST_EVENTS, show_default=True, help="How many.")
@json_option
@mapping_option
@game_option
def replay(
    log: Path,
    start: str | None,
    event: int | None,
    stop: str | None,
    count: int,
    as_json: bool,
    mapping: dict[str, str] | None,
) -> None:
    """Tell what the search of LOG did: each node it entered or left, the window there, the best so far."""
    import plyscope

    if start is not None and event is not None:
        raise click.UsageError("--from and --event both say where to begin; give one of them.")
    this = plyscope.open(log, map=mapping)
    events = plyscope.replay(this)
    at: int | None = event or 0
    if start is not None:
        try:
            at = events.entering(this.node(start))
        except LookupError as error:
            raise click.ClickException(f"{log}: {error.args[0]}") from None
    if at is not None and at >= len(events):
        raise click.ClickException(f"{log} has {len(events):,} events, the first is 0; found {at}")
    if stop is not None and at is not None:
        at = events.next_stop(at - 1, stop)
    told: list[plyscope.Moment] = []
    while at is not None and at < len(events) and len(told) < count:
        told.append(events[at])
        at = at + 1 if stop is None else events.next_stop(at, stop)
    if at is not None and at >= len(events):
        at = None
    if as_json:
        print_json({"events": len(events), "next": at, "moments": [each.as_json() for each in told]})
        return
    for each in told:
        click.echo(str(each))
    if at is not None:
        click.echo(f"next: --event {at} of {len(events):,}")
    elif not told:
        what = {"cut": "cut", "best": "change of a best"}.get(stop or "", "such node")
        click.echo(f"no {what} from there on")
