"""`plyscope convert` and `plyscope library`: logs in other forms, and the converted logs in the cache."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from plyscope.engine.quoting import counted
from plyscope.visualizer.cli import terminal

if TYPE_CHECKING:
    from plyscope.visualizer.shelf.library import Converted, Library

AGES: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


@click.command()
@click.argument("source", metavar="IN", type=terminal.EXISTING_FILE)
@click.argument("target", metavar="OUT", type=terminal.ANY_FILE)
@terminal.mapping_option
@terminal.game_option
def convert(source: Path, target: Path, mapping: dict[str, str] | None) -> None:
    """Write IN as OUT: `.json`, `.jsonl` or `.plyb` (compact), `.gz` or `.zst` of them, or `.parquet`.

    Notes that were put on its nodes in a viewer go into the header.

    OUT is - for JSON Lines on standard output.
    """
    from plyscope.visualizer.shelf.notes import with_kept_notes

    terminal.check_output(target)
    log = terminal.read_shown(source, mapping)
    terminal.tell_notices(log.notices)
    terminal.write_shown(with_kept_notes(log, source), target)


@click.group(invoke_without_command=True)
@terminal.json_option
@click.pass_context
def library(context: click.Context, as_json: bool) -> None:
    """List the converted logs in the cache: large logs are kept there as columns, and open at once again.

    The library keeps within a budget of disk: PLYSCOPE_LIBRARY (such as 20G), else 10 GB and at most half of
    what is free. Logs that were not used for longest go first.
    """
    if context.invoked_subcommand is not None:
        return
    here = _library()
    logs, budget = here.logs(), here.budget()
    n_bytes = sum(log.n_bytes for log in logs)
    if as_json:
        from plyscope.visualizer.analysis.json_answer import as_json as json_of

        told = {"folder": str(here.folder), "budget": budget, "n_bytes": n_bytes}
        terminal.print_json({**told, "logs": json_of(logs)})
        return
    for line in lines(logs, time.time()):
        click.echo(line)
    size = f"{terminal.size_words(n_bytes)} of {terminal.size_words(budget)}"
    click.echo(f"{counted(len(logs), 'converted log')}, {size}, in {here.folder}")


@library.command()
@click.argument("names", nargs=-1, metavar="[NAME…]")
@terminal.json_option
def clear(names: tuple[str, ...], as_json: bool) -> None:
    """Remove the converted logs of these NAMEs (as listed; an id, or its beginning), without any all of them.

    The logs themselves stay where they are: they are converted again when they are opened. What is open in
    a viewer stays too, and that is said; the exit code is then 1.
    """
    here = _library()
    here.remove_leftovers()
    chosen = called(here.logs(), names)
    removed: list[Converted] = []
    kept: list[Converted] = []
    for log in chosen:
        (removed if here.remove(log.id) else kept).append(log)
    here.forget_files()
    n_bytes = sum(log.n_bytes for log in removed)
    if as_json:
        from plyscope.visualizer.analysis.json_answer import as_json as json_of

        terminal.print_json({"freed": n_bytes, **json_of({"removed": removed, "kept": kept})})
    else:
        click.echo(
            f"removed {counted(len(removed), 'converted log')}, {terminal.size_words(n_bytes)} were freed"
        )
        for log in kept:
            terminal.remark(f"{log.name or log.id} is open in a viewer and stays")
    if kept:
        sys.exit(1)


def called(logs: list[Converted], names: tuple[str, ...]) -> list[Converted]:
    """The logs that these names name, all where there are no names; raises ClickException."""
    if not names:
        return logs
    chosen: dict[str, Converted] = {}
    for name in names:
        found = [log for log in logs if name in (log.name, log.source)]
        found = found or [log for log in logs if name and log.id.startswith(name)]
        if not found:
            raise click.ClickException(
                f"no converted log is called {name!r}; `plyscope library` lists those there are"
            )
        chosen |= {log.id: log for log in found}
    return list(chosen.values())


def lines(logs: list[Converted], now: float) -> list[str]:
    """A log a line: its id, nodes, size, when it was last used, and the file it came from."""
    rows = [
        (
            log.id[:8],
            "nodes unknown" if log.n_nodes is None else f"{log.n_nodes:,} nodes",
            terminal.size_words(log.n_bytes),
            f"used {_age(now - log.used)}" if log.used else "damaged",
            (log.source or "file unknown") + ("" if log.is_current else " (of another version)"),
        )
        for log in logs
    ]
    ids, nodes, sizes, ages = [max((len(row[at]) for row in rows), default=0) for at in range(4)]
    return [
        f"{row[0]:<{ids}}  {row[1]:>{nodes}}  {row[2]:>{sizes}}  {row[3]:<{ages}}  {row[4]}" for row in rows
    ]


def _age(seconds: float) -> str:
    """The age in its largest unit.

    >>> _age(30), _age(7300), _age(86_400)
    ('just now', '2 hours ago', '1 day ago')
    """
    for length, unit in AGES:
        if seconds >= length:
            return f"{counted(int(seconds // length), unit)} ago"
    return "just now"


def _library() -> Library:
    from plyscope.visualizer.shelf.folders import cache_folder
    from plyscope.visualizer.shelf.library import Library

    return Library(cache_folder())
