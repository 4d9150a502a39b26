"""`plyscope stats`: what a search did, in figures; of two logs beside one another; totals of a folder's.

`plyscope worst`: the plies of a game that lost the most.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyscope.engine.quoting import counted
from plyscope.status import StatusLine
from plyscope.visualizer.cli import terminal

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.statistics.figures import Statistics
    from plyscope.visualizer.analysis.statistics.totals import Counts, Totals
    from plyscope.visualizer.store.log import Log


@click.command()
@click.argument("log", type=click.Path(exists=True, path_type=Path))
@click.argument("other", required=False, type=terminal.EXISTING_FILE)
@terminal.json_option
@terminal.mapping_option
@terminal.game_option
def stats(log: Path, other: Path | None, as_json: bool, mapping: dict[str, str] | None) -> None:
    """Statistics of LOG: levels, order of plies, smaller limits, iterations, where the nodes went.

    With OTHER, another log, the main figures beside one another. Of a folder's logs a line each, and their
    sum. Exit 2 if a log cannot be read; the others of a folder are counted.
    """
    if log.is_dir():
        if other is not None:
            raise click.UsageError(f"{log} is a folder; name two logs to see them beside one another.")
        _folder(log, mapping, as_json)
        return
    logs = [_statistics(path, mapping) for path in ([log] if other is None else [log, other])]
    if as_json:
        answers = [{"log": str(each.path), **each.figures.as_json()} for each in logs]
        terminal.print_json(logs[0].figures.as_json() if other is None else {"logs": answers})
        return
    for each in logs:
        terminal.tell_notices(each.counted.notices, "" if other is None else f"{each.path}: ")
        _head(each.counted)
    from plyscope.visualizer.analysis.statistics import text

    if other is None:
        terminal.say(text.lines(logs[0].figures))
    else:
        click.echo()
        for line in text.side_by_side(logs[0].figures, logs[1].figures):
            click.echo(line)


def _head(counted_log: Counted) -> None:
    everything = counted_log.totals
    trees = counted(counted_log.n_trees, "tree")
    if counted_log.is_best_first:
        click.echo(
            f"{counted_log.name}: {counted(everything.nodes, 'node')} of a best-first search in {trees}"
        )
        return
    leaves = counted(everything.leaves, "leaf")
    if everything.returned:
        leaves += f" ({everything.returned:,} where quiescence or pruning returned at once)"
    click.echo(f"{counted_log.name}: {counted(everything.nodes, 'node')}, {leaves} in {trees}")
    if (searched := counted_log.totals.searched_text()) is not None:
        click.echo(f"searched: {searched} nodes, {everything.nodes:,} of them with a row of their own")
    pruned, limited = everything.dropped()
    siblings = "sibling" if pruned == "1" else "siblings"
    click.echo(
        f"{counted(everything.prune_events, 'prune event')} dropped {pruned} {siblings}; "
        f"the branching limit dropped {limited}"
    )
    if "?" in pruned + limited or "≥" in pruned + limited:
        click.echo("(? and ≥: not every row says how many plies it stands for)")


@dataclass(frozen=True)
class Counted:
    """One log after counting; the log itself is not kept."""

    name: str
    totals: Totals
    n_trees: int
    notices: Sequence[str]
    is_best_first: bool = False


@dataclass(frozen=True)
class Told:
    """One log with all its figures."""

    path: Path
    counted: Counted
    figures: Statistics


def _statistics(path: Path, mapping: Mapping[str, str] | None) -> Told:
    from plyscope.counting import shown
    from plyscope.visualizer.store.tree import Tree

    read = terminal.read_shown(path, mapping)
    with StatusLine(tells_waits=True) as status:
        figures = shown(path.name, Tree(read), status)
    return Told(path, _counted(path, figures, read), figures)


def _count(path: Path, mapping: Mapping[str, str] | None) -> Counted:
    from plyscope.visualizer.analysis.statistics.totals import totals
    from plyscope.visualizer.store.tree import Tree

    read = terminal.read_shown(path, mapping)
    return _counted(path, totals(Tree(read)), read)


def _counted(path: Path, counts: Totals, log: Log) -> Counted:
    from plyscope.visualizer.analysis.nodes.best_first import is_best_first

    notices = tuple(map(str, log.notices))
    return Counted(path.name, counts, len(log.roots), notices, is_best_first(log))


def _folder(folder: Path, mapping: Mapping[str, str] | None, is_json: bool) -> None:
    """A line a log and the sum, or for machines the totals of each; ends with 2 where one cannot be read."""
    from plyscope.visualizer.analysis.json_answer import as_json

    done: list[Counted] = []
    answers: list[dict[str, Any]] = []
    paths = terminal.logs_in(folder)
    for path in paths:
        try:
            each = _count(path, mapping)
        except click.ClickException as error:
            terminal.remark(" ".join(error.message.split()))
            answers.append({"log": str(path), "error": error.message})
            continue
        terminal.tell_notices(each.notices, f"{path}: ")
        done.append(each)
        answers.append({"log": str(path), **as_json(each.totals)})
    if is_json:
        terminal.print_json({"logs": answers})
    else:
        from plyscope.visualizer.analysis.statistics.totals import summed

        click.echo(f"{'nodes':>12} {'leaves':>12} {'cuts':>10} {'pruned':>10} {'limited':>10}  log")
        for each in done:
            click.echo(_line(each.totals, each.name))
        click.echo(_line(summed(each.totals for each in done), f"in all: {counted(len(done), 'log')}"))
    if len(done) < len(paths):
        sys.exit(2)


def _line(at: Counts, name: str = "") -> str:
    pruned, limited = at.dropped()
    return f"{at.nodes:>12,} {at.leaves:>12,} {at.cuts:>10,} {pruned:>10} {limited:>10}  {name}"


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
