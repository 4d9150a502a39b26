"""`plyscope stats`: what a whole search amounts to, or each of a folder."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyscope.status import counted
from plyscope.visualizer.cli.options import json_option, mapping_option, parsed_mapping
from plyscope.visualizer.cli.terminal import logs_in, read_shown

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.totals import Totals


@click.command()
@click.argument("log", type=click.Path(exists=True, path_type=Path))
@json_option
@mapping_option
def stats(log: Path, as_json: bool, mapping: str | None) -> None:
    """Totals of LOG and nodes per level; of a folder's logs a line each, and their sum.

    Exit 2 if a log cannot be read; the others of a folder are counted.
    """
    fields = parsed_mapping(mapping)
    if log.is_dir():
        _folder(log, fields, as_json)
        return
    counted_log = _count(log, fields)
    counts = counted_log.totals
    if as_json:
        import orjson

        click.echo(orjson.dumps(counts.as_json()).decode())
        return
    counted_log.tell_notices()
    everything = counts.all
    trees = counted(counted_log.n_trees, "tree")
    leaves = counted(everything.leaves, "leaf")
    if everything.returned:
        leaves += f" ({everything.returned:,} where quiescence or pruning returned at once)"
    click.echo(f"{log.name}: {counted(everything.nodes, 'node')}, {leaves} in {trees}")
    click.echo(
        f"{counted(everything.prune_events, 'prune event')} dropped {counted(everything.pruned, 'sibling')}; "
        f"the branching limit dropped {everything.limited:,}"
    )
    click.echo(f"\n{'level':>5} {'nodes':>12} {'leaves':>12} {'cuts':>10} {'pruned':>10} {'limited':>10}")
    for level, at in enumerate(counts.levels):
        click.echo(
            f"{level:>5} {at.nodes:>12,} {at.leaves:>12,} {at.cuts:>10,} {at.pruned:>10,} {at.limited:>10,}"
        )


@dataclass(frozen=True)
class Counted:
    """One log after counting; the log itself is not kept."""

    name: str
    totals: Totals
    n_trees: int
    notices: Sequence[str]

    def tell_notices(self, before: str = "") -> None:
        """What the reader has to tell, on standard error."""
        for notice in self.notices:
            click.echo(f"plyscope: {before}{notice}", err=True)


def _count(path: Path, fields: Mapping[str, str] | None) -> Counted:
    from plyscope.visualizer.analysis.totals import totals
    from plyscope.visualizer.store.tree import Tree

    read = read_shown(path, fields)
    return Counted(path.name, totals(Tree(read)), len(read.roots), tuple(map(str, read.notices)))


def _folder(folder: Path, fields: Mapping[str, str] | None, as_json: bool) -> None:
    """A line a log and the sum, or for machines the totals of each; ends with 2 where one cannot be read."""
    done: list[Counted] = []
    answers: list[dict[str, Any]] = []
    paths = logs_in(folder)
    for path in paths:
        try:
            each = _count(path, fields)
        except click.ClickException as error:
            click.echo(f"plyscope: {' '.join(error.message.split())}", err=True)
            answers.append({"log": str(path), "error": error.message})
            continue
        each.tell_notices(f"{path}: ")
        done.append(each)
        answers.append({"log": str(path), **each.totals.as_json()})
    if as_json:
        import orjson

        click.echo(orjson.dumps({"logs": answers}).decode())
    else:
        click.echo(f"{'nodes':>12} {'leaves':>12} {'cuts':>10} {'pruned':>10} {'limited':>10}  log")
        sums = [0] * 5
        for each in done:
            at = each.totals.all
            figures = [at.nodes, at.leaves, at.cuts, at.pruned, at.limited]
            sums = [a + b for a, b in zip(sums, figures, strict=True)]
            click.echo(_line(figures, each.name))
        click.echo(_line(sums, f"in all: {counted(len(done), 'log')}"))
    if len(done) < len(paths):
        sys.exit(2)


def _line(figures: Sequence[int], name: str) -> str:
    nodes, leaves, *others = figures
    return f"{nodes:>12,} {leaves:>12,} {' '.join(f'{each:>10,}' for each in others)}  {name}"
