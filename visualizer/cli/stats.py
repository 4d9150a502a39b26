"""`plyscope stats`: what a whole search amounts to."""

from __future__ import annotations

from pathlib import Path

import click

from visualizer.cli.options import existing_file, json_option, mapping_option, parsed_mapping


@click.command()
@click.argument("log", type=existing_file())
@json_option
@mapping_option
def stats(log: Path, as_json: bool, mapping: str | None) -> None:
    """Totals of LOG and nodes per level."""
    from visualizer.analysis.totals import totals
    from visualizer.formats.detect import read_log_file
    from visualizer.store.tree import Tree

    read = read_log_file(log, mapping=parsed_mapping(mapping))
    counted = totals(Tree(read))
    if as_json:
        import orjson

        click.echo(orjson.dumps(counted.as_json()).decode())
        return
    for notice in read.notices:
        click.echo(f"plyscope: {notice}", err=True)
    everything = counted.all
    click.echo(
        f"{log.name}: {everything.nodes:,} nodes, {everything.leaves:,} leaves in {len(read.roots):,} tree(s)"
    )
    click.echo(
        f"{everything.prune_events:,} prune events dropped {everything.pruned:,} plies; "
        f"the branching limit dropped {everything.limited:,}"
    )
    click.echo(f"\n{'level':>5} {'nodes':>12} {'leaves':>12} {'cuts':>10} {'pruned':>10} {'limited':>10}")
    for level, at in enumerate(counted.levels):
        click.echo(
            f"{level:>5} {at.nodes:>12,} {at.leaves:>12,} {at.cuts:>10,} {at.pruned:>10,} {at.limited:>10,}"
        )
