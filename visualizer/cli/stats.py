"""`plyscope stats`: what a whole search amounts to."""

from __future__ import annotations

from pathlib import Path

import click

from visualizer.cli.options import existing_file, json_option, mapping_option, parsed_mapping
from visualizer.cli.terminal import counted, read_shown


@click.command()
@click.argument("log", type=existing_file())
@json_option
@mapping_option
def stats(log: Path, as_json: bool, mapping: str | None) -> None:
    """Totals of LOG and nodes per level."""
    from visualizer.analysis.totals import totals
    from visualizer.store.tree import Tree

    read = read_shown(log, parsed_mapping(mapping))
    counts = totals(Tree(read))
    if as_json:
        import orjson

        click.echo(orjson.dumps(counts.as_json()).decode())
        return
    for notice in read.notices:
        click.echo(f"plyscope: {notice}", err=True)
    everything = counts.all
    trees = counted(len(read.roots), "tree")
    click.echo(
        f"{log.name}: {counted(everything.nodes, 'node')}, {counted(everything.leaves, 'leaf')} in {trees}"
    )
    click.echo(
        f"{counted(everything.prune_events, 'prune event')} dropped {counted(everything.pruned, 'sibling')}; "
        f"the branching limit dropped {everything.limited:,}"
    )
    click.echo(f"\n{'level':>5} {'nodes':>12} {'leaves':>12} {'cuts':>10} {'pruned':>10} {'limited':>10}")
    for level, at in enumerate(counts.levels):
        click.echo(
            f"{level:>5} {at.nodes:>12,} {at.leaves:>12,} {at.cuts:>10,} {at.pruned:>10,} {at.limited:>10,}"
        )
