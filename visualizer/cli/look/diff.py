"""`plyscope diff`: two searches of one position compared."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from plyscope.visualizer.cli import terminal


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
