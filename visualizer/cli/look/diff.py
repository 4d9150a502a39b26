"""`plyscope diff`: two searches of one position compared; `plyscope what-if`: one under other weights."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli import terminal

if TYPE_CHECKING:
    from plyscope.log import Log
    from plyscope.reweighing import WhatIf


@click.command()
@click.argument("old", type=terminal.EXISTING_FILE)
@click.argument("new", type=terminal.EXISTING_FILE, required=False)
@click.option(
    "--iterations",
    type=int,
    nargs=2,
    metavar="N M",
    help="Compare iteration N of OLD with iteration M of NEW, or of OLD where there is no NEW.",
)
@click.option("--order", is_flag=True, help="Say only where two runs first did something different.")
@click.option(
    "--fail-on",
    type=click.Choice(["choice", "score", "nodes", "any"]),
    help="End with 1 where this differs: the ply chosen, the root's score, the number of nodes, anything.",
)
@click.option(
    "--kind", "kinds", multiple=True, metavar="KIND", help="List changes of this kind; may be repeated."
)
@click.option("--limit", type=click.IntRange(min=0), default=20, show_default=True, help="Changes to list.")
@terminal.json_option
@terminal.mapping_option
@terminal.game_option
def diff(
    old: Path,
    new: Path | None,
    iterations: tuple[int, int] | None,
    order: bool,
    fail_on: str | None,
    kinds: tuple[str, ...],
    limit: int,
    as_json: bool,
    mapping: dict[str, str] | None,
) -> None:
    """Compare the searches OLD and NEW of one position, or two iterations of OLD.

    Exit 0, or 1 where --fail-on says so, 2 where a log cannot be read or compared.
    """
    if new is None and iterations is None:
        raise click.UsageError(
            "Compare with what? `plyscope diff OLD NEW`, or `--iterations N M` of one log."
        )
    if order and iterations is not None:
        raise click.UsageError(
            "--order compares whole runs, --iterations two of their trees: give one of them."
        )
    if order and fail_on not in (None, "any"):
        raise click.UsageError(
            "With --order only `--fail-on any` has a meaning: the runs part, or they do not."
        )
    from plyscope.diffing import diff as compared
    from plyscope.log import Log
    from plyscope.visualizer.store.tree import Tree

    logs = [
        Log(Tree(terminal.read_shown(path, mapping)), str(path)) for path in (old, new) if path is not None
    ]
    for log in logs:
        terminal.tell_notices(log.notices, f"{log.name}: ")
    found = compared(logs[0], logs[-1], *(iterations or (None, None)))
    if as_json:
        terminal.print_json(found.order_json() if order else found.as_json(0, limit, kinds))
    else:
        terminal.say(found.order_lines() if order else found.lines(limit, kinds))
    if order:
        sys.exit(int(fail_on is not None and found.order is not None))
    sys.exit(int(fail_on is not None and found.differs(fail_on)))


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
    asked = terminal.parse_weights(weights)
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
