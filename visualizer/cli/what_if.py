"""`plyscope what-if`: what other weights would make of a recorded search."""

from __future__ import annotations

from pathlib import Path

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli.options import existing_file, json_option, mapping_option, parsed_mapping
from plyscope.visualizer.cli.search import parse_weights
from plyscope.visualizer.cli.terminal import read_shown


@click.command("what-if")
@click.argument("log", type=existing_file())
@click.option("--weights", metavar="NAME=W,…", help="Weights instead of those of the log.")
@click.option(
    "--not-dropped",
    is_flag=True,
    help="Count plies over the branching limit, or skipped, as unsearched.",
)
@json_option
@mapping_option
def what_if(log: Path, weights: str | None, not_dropped: bool, as_json: bool, mapping: str | None) -> None:
    """Weigh the recorded leaves of LOG anew and fold them up again, without searching.

    Without --weights: how far each weight may go before the choice falls, the closest first.
    """
    asked = parse_weights(weights)
    read = read_shown(log, parsed_mapping(mapping))
    for notice in read.notices:
        click.echo(f"plyscope: {notice}", err=True)
    from plyscope.reweighing import reweighted
    from plyscope.visualizer.store.tree import Tree

    with StatusLine(tells_waits=True) as status:
        found = reweighted(str(log), Tree(read), asked, status, assume_dropped=not not_dropped)
        if as_json:
            import orjson

            answer = found.as_json() if asked else found.ranges_as_json()
            text = orjson.dumps(answer).decode()
        else:
            text = "\n".join(found.lines() if asked else found.range_lines())
    click.echo(text)
