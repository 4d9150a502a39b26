"""`plyscope explain`: why this ply and not that one; `plyscope replay`: the search event by event."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from plyscope.visualizer.cli.terminal import (
    EXISTING_FILE,
    game_option,
    json_option,
    mapping_option,
    open_log,
    print_json,
    say,
    tell_game,
)


@click.command()
@click.argument("log", type=EXISTING_FILE)
@click.option(
    "--node",
    metavar="PATH",
    help="The ply to explain: plies joined by ' > ' from the root, or #5 for an id. "
    "Default: the ply that was chosen.",
)
@click.option("--versus", metavar="PLY", help="The ply beside it to compare with. Default: the best other.")
@click.option(
    "--exact",
    is_flag=True,
    help="Search now a ply that has only a bound, or was not searched: with the settings of LOG, where "
    "Plyscope's engine wrote it.",
)
@click.option("--board", is_flag=True, help="Print the position after the ply too.")
@json_option
@mapping_option
@game_option
def explain(
    log: Path,
    node: str | None,
    versus: str | None,
    exact: bool,
    board: bool,
    as_json: bool,
    mapping: dict[str, str] | None,
) -> None:
    """Explain why one ply of LOG and not another: the margin by factor, and the line that decided each."""
    from plyscope.explaining import explain as explained
    from plyscope.log import tree_of

    read = open_log(log, mapping)
    if exact:
        tell_game(tree_of(read).log)
    try:
        found = explained(read, node, versus, exact=exact)
    except LookupError as error:
        raise click.ClickException(f"{log}: {error}") from None
    told = found.as_json()
    if board and found.chosen is not None:
        from plyscope.visualizer.board_text import board_text
        from plyscope.visualizer.boards import Boards

        told["board"] = Boards(tree_of(read).log).drawing(found.chosen.row)
    if as_json:
        print_json(told)
        return
    say(str(found).splitlines())
    if "board" in told:
        drawing, players = told["board"], tree_of(read).log.players
        click.echo(f"\nafter {found.chosen.ply}" if found.chosen and found.chosen.ply else "")
        click.echo(board_text(drawing, players) if "kind" in drawing else f"no board: {drawing['reason']}")


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
