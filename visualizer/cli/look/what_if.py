"""`plyscope what-if`: what other weights would make of a recorded search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli import terminal
from plyscope.visualizer.cli.play.search import parse_weights

if TYPE_CHECKING:
    from plyscope.log import Log
    from plyscope.reweighing import WhatIf

CHANGES = 20
"""Changes between the two searches that the JSON lists; `plyscope diff` lists them all."""


@click.command("what-if")
@click.argument("log", type=terminal.EXISTING_FILE)
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
    type=terminal.ANY_FILE,
    help="With --search: write the new log: .json, .jsonl, .gz or .zst of them, or .parquet.",
)
@terminal.json_option
@terminal.mapping_option
@terminal.game_option
def what_if(
    log: Path,
    weights: str | None,
    not_dropped: bool,
    searches: bool,
    output: Path | None,
    as_json: bool,
    mapping: dict[str, str] | None,
) -> None:
    """Weigh the recorded leaves of LOG anew and fold them up again, without searching.

    Without --weights: how far each weight may go before the choice falls, the closest first.
    """
    if output is not None:
        if not searches:
            raise click.UsageError("-o is for the log of a new search: give --search as well.")
        terminal.check_output(output)
    asked = parse_weights(weights)
    old = terminal.open_log(log, mapping, str(log))
    from plyscope.log import tree_of

    if searches:
        terminal.tell_game(tree_of(old).log)
    from plyscope.reweighing import reweighted

    says_one = bool(asked) or searches
    with StatusLine(tells_waits=True) as status:
        found = reweighted(str(log), tree_of(old), asked, status, assume_dropped=not not_dropped)
        answer = lines = None
        if as_json:
            answer = found.as_json() if says_one else found.ranges_as_json()
        else:
            lines = found.lines() if says_one else found.range_lines()
    new = _searched(found) if searches else None
    if new is not None and output is not None:
        terminal.write_shown(tree_of(new).log, output)
    if new is not None:
        from plyscope.diffing import diff

        compared = diff(old, new)
        if answer is not None:
            answer |= {"search": new.header["result"], "diff": compared.as_json(0, CHANGES)}
        elif lines is not None:
            lines += ["", "Searched again with these weights:", *compared.sentences]
    if answer is not None:
        terminal.print_json(answer)
    elif lines is not None:
        terminal.say(lines)


def _searched(found: WhatIf) -> Log:
    """The log of the new search; stopped by Ctrl+C it is what was recorded until then. Tells its notices."""
    from plyscope.searching import Interrupted

    try:
        new = found.search()
    except Interrupted as stopped:
        terminal.remark("stopped; what was recorded until then is compared")
        new = stopped.log
    terminal.tell_notices(new.notices)
    return new
