"""`plyscope what-if`: what other weights would make of a recorded search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli.options import existing_file, json_option, mapping_option, parsed_mapping
from plyscope.visualizer.cli.search import parse_weights
from plyscope.visualizer.cli.terminal import read_shown, write_shown

if TYPE_CHECKING:
    from plyscope.log import Log
    from plyscope.reweighing import WhatIf

CHANGES = 20
"""Changes between the two searches that the JSON lists; `plyscope diff` lists them all."""


@click.command("what-if")
@click.argument("log", type=existing_file())
@click.option("--weights", metavar="NAME=W,…", help="Weights instead of those of the log.")
@click.option(
    "--not-dropped",
    is_flag=True,
    help="Count plies over the branching limit, or skipped, as unsearched.",
)
@click.option(
    "--search",
    "searches",
    is_flag=True,
    help="Then search the position again with these weights, and compare. For logs of `plyscope search`.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --search: write the new log: .json, .jsonl, .gz or .zst of them, or .parquet.",
)
@json_option
@mapping_option
def what_if(
    log: Path,
    weights: str | None,
    not_dropped: bool,
    searches: bool,
    output: Path | None,
    as_json: bool,
    mapping: str | None,
) -> None:
    """Weigh the recorded leaves of LOG anew and fold them up again, without searching.

    Without --weights: how far each weight may go before the choice falls, the closest first.
    """
    if output is not None:
        if not searches:
            raise click.UsageError("-o is for the log of a new search: give --search as well.")
        from plyscope.visualizer.formats.write.files import check_target

        check_target(output)
    asked = parse_weights(weights)
    read = read_shown(log, parsed_mapping(mapping))
    for notice in read.notices:
        click.echo(f"plyscope: {notice}", err=True)
    from plyscope.log import Log
    from plyscope.reweighing import reweighted
    from plyscope.visualizer.store.tree import Tree

    old = Log(Tree(read), str(log))
    says_one = bool(asked) or searches
    with StatusLine(tells_waits=True) as status:
        found = reweighted(str(log), old._tree, asked, status, assume_dropped=not not_dropped)
        answer = lines = None
        if as_json:
            answer = found.as_json() if says_one else found.ranges_as_json()
        else:
            lines = found.lines() if says_one else found.range_lines()
    new = _searched(found) if searches else None
    if new is not None and output is not None:
        write_shown(new._log, output)
    if new is not None:
        from plyscope.diffing import diff

        compared = diff(old, new)
        if answer is not None:
            answer |= {"search": new.header["result"], "diff": compared.as_json(0, CHANGES)}
        elif lines is not None:
            lines += ["", "Searched again with these weights:", *compared.sentences]
    if answer is not None:
        import orjson

        click.echo(orjson.dumps(answer).decode())
    elif lines is not None:
        click.echo("\n".join(lines))


def _searched(found: WhatIf) -> Log:
    """The log of the new search; stopped by Ctrl+C it is what was recorded until then. Tells its notices."""
    from plyscope.searching import Interrupted

    try:
        new = found.search()
    except Interrupted as stopped:
        click.echo("plyscope: stopped; what was recorded until then is compared", err=True)
        new = stopped.log
    for notice in new.notices:
        click.echo(f"plyscope: {notice}", err=True)
    return new
