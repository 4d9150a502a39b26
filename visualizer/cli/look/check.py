"""`plyscope check`: does what a log claims hold, rule by rule."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.engine.quoting import counted
from plyscope.status import StatusLine
from plyscope.visualizer.cli import terminal

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.check.answer import Known, Report
    from plyscope.visualizer.store.log import Log

SEVERITIES: Final = ("wrong", "waste", "odd")
COLOURS: Final = {"wrong": "red", "waste": "yellow", "odd": "cyan"}
COUNTED: Final = {None: ("wrong",), "waste": ("wrong", "waste"), "odd": ("wrong", "waste", "odd")}
"""Which severities end the command with 1, by `--fail-on`."""


@click.command()
@click.argument("logs", metavar="LOG…", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    metavar="LOG",
    help="Compare with another search of the same position, say, one without a table.",
)
@click.option("--fail-on", type=click.Choice(["waste", "odd"]), help="End with 1 on these as well.")
@click.option(
    "--ignore",
    multiple=True,
    metavar="RULE,…",
    callback=lambda context, option, given: _named(given),
    help="Leave rules out; may be given again.",
)
@click.option(
    "--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Known findings: not counted again."
)
@click.option(
    "--write-baseline",
    "new_baseline",
    type=terminal.ANY_FILE,
    metavar="FILE",
    help="Write what is found to FILE, to be known from now on, and end with 0.",
)
@click.option("--list", "list_rules", is_flag=True, help="List the rules: reason, severity, needed fields.")
@click.option(
    "--all",
    "show_all",
    is_flag=True,
    help="Show every finding, not the first of each rule, and why rules were not asked.",
)
@terminal.json_option
@terminal.mapping_option
@terminal.game_option
def check(
    logs: tuple[Path, ...],
    against: Path | None,
    fail_on: str | None,
    ignore: tuple[str, ...],
    baseline: Path | None,
    new_baseline: Path | None,
    list_rules: bool,
    show_all: bool,
    as_json: bool,
    mapping: dict[str, str] | None,
) -> None:
    """Check what each LOG (a file, or a folder of logs) claims.

    Exit 0 if nothing is wrong, 1 if something is, 2 if a log cannot be read.
    """
    if list_rules:
        _list_rules(as_json)
        return
    if not logs:
        raise click.UsageError("Which log? `plyscope check LOG`, or `--list` for the rules.")
    from plyscope.visualizer.analysis.check.answer import known_in, refuse_unknown

    refuse_unknown(ignore)

    known: Known = frozenset() if baseline is None else known_in(baseline)
    other = None if against is None else terminal.read_shown(against, mapping)
    answers: list[dict[str, Any]] = []
    checked: list[Report] = []
    games: set[str] = set()
    unreadable = False
    paths = [path for each in logs for path in terminal.logs_in(each)]
    for path in paths:
        try:
            log = terminal.read_shown(path, mapping)
            before = f"{path}: " if len(paths) > 1 else ""
            terminal.tell_notices(log.notices, before)
            if (game := str(log.header.get("game"))) not in games:
                games.add(game)
                terminal.tell_game(log, before)
            done = _check_one(path, log, other, ignore, known)
        except click.ClickException as error:
            unreadable = True
            terminal.remark(" ".join(error.message.split()))
            answers.append({"log": str(path), "error": error.message})
            continue
        if as_json:
            answers.append(done.as_json())
        else:
            if checked:
                click.echo()
            _print(done, show_all)
        checked.append(done)
    if as_json:
        terminal.print_json({"logs": answers})
    elif len(paths) > 1:
        click.echo(f"\n{_total(checked, len(paths))}")
    if new_baseline is not None and unreadable:
        terminal.remark(f"{new_baseline} was not written, since a log was not checked")
    elif new_baseline is not None:
        from plyscope.visualizer.analysis.check.answer import write_baseline

        count = write_baseline(new_baseline, ((done.name, done.everything()) for done in checked))
        terminal.remark(f"wrote {counted(count, 'finding')} to {new_baseline}")
    is_failed = new_baseline is None and any(
        done.counts[each] for done in checked for each in COUNTED[fail_on]
    )
    sys.exit(2 if unreadable else 1 if is_failed else 0)


def _total(checked: Sequence[Report], n_logs: int) -> str:
    """A line that counts the logs without findings, and the findings of the others together."""
    n_clean = sum(not any(each.counts.values()) for each in checked)
    sums = [(sum(each.counts[name] for each in checked), name) for name in SEVERITIES]
    found = ", ".join(f"{n:,} {name}" for n, name in sums if n)
    parts = [f"{n_clean:,} without findings", *([found] if found else [])]
    if n_logs > len(checked):
        parts.append(f"{n_logs - len(checked):,} not read")
    return f"{counted(n_logs, 'log')}: {', '.join(parts)}"


def _check_one(path: Path, log: Log, other: Log | None, ignore: tuple[str, ...], known: Known) -> Report:
    """Check one log, showing how far it is; raises ClickException where it cannot be compared."""
    from plyscope.checking import checked
    from plyscope.visualizer.formats.errors import LogError
    from plyscope.visualizer.store.tree import Tree

    try:
        with StatusLine(tells_waits=True) as status:
            return checked(
                str(path), Tree(log), status, other=other, ignore=ignore, known=known, shown=path.name
            )
    except LogError as error:
        raise click.ClickException(f"{path}: {error}") from None


def _print(done: Report, show_all: bool) -> None:
    from plyscope.visualizer.analysis.check.text import FEW

    for line in done.lines(None if show_all else FEW):
        severity = line.partition("  ")[0]
        is_head = severity in COLOURS
        terminal.say([line], style=partial(click.style, fg=COLOURS[severity], bold=True) if is_head else str)


def _list_rules(as_json: bool) -> None:
    from plyscope.visualizer.analysis.check.rules import RULES

    if as_json:
        rules = [
            {
                "rule": rule.name,
                "severity": rule.severity,
                "reason": rule.text.reason,
                "needs": list(rule.needs),
            }
            for rule in RULES.values()
        ]
        terminal.print_json({"rules": rules})
        return
    width = max(len(name) for name in RULES)
    for rule in RULES.values():
        click.echo(f"{rule.severity:<6} {rule.name:<{width}}  {rule.text.reason}")
        click.echo(f"{'':<6} {'':<{width}}  needs {', '.join(rule.needs)}")


def _named(given: Iterable[str]) -> tuple[str, ...]:
    """The names in lists that commas separate.

    >>> _named(["window,cut", " value "])
    ('window', 'cut', 'value')
    """
    return tuple(name for each in given for part in each.split(",") if (name := part.strip()))
