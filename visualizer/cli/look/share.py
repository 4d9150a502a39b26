"""`plyscope share`: a log as one HTML file, which opens without a server."""

from __future__ import annotations

from pathlib import Path

import click

from plyscope.visualizer.cli.terminal import (
    ANY_FILE,
    EXISTING_FILE,
    game_option,
    mapping_option,
    size_words,
)
from plyscope.visualizer.web.share import MOST_NODES, USUAL_NODES


@click.command()
@click.argument("log", type=EXISTING_FILE)
@click.option("-o", "--output", type=ANY_FILE, metavar="FILE", required=True, help="Write to FILE, a .html.")
@click.option(
    "--nodes",
    type=click.IntRange(1, MOST_NODES),
    default=USUAL_NODES,
    show_default=True,
    metavar="N",
    help="Nodes of the tree, the most important first.",
)
@click.option(
    "--node", metavar="PATH", help="Share the tree below this node: plies joined by ' > ', or #5 for an id."
)
@mapping_option
@game_option
def share(log: Path, output: Path, nodes: int, node: str | None, mapping: dict[str, str] | None) -> None:
    """Write LOG as one HTML file below 5 MB, which anybody opens in a browser, without a server or a network.

    It has the most important nodes (the lines that decided, those with findings and notes, then the largest
    subtrees), boards and factors of 1,500 of them, why the root chose its ply, the findings of the check,
    notes and statistics. What others will read of you is told first: names, the machine, notes.
    """
    import plyscope

    try:
        page = plyscope.share(log, nodes=nodes, node=node, map=mapping)
    except LookupError as error:
        raise click.ClickException(f"{log}: {error.args[0]}") from None
    click.echo(f"{output} will have, for whoever opens it:")
    for sentence in page.says:
        click.echo(f"  {sentence}")
    page.write(output)
    click.echo(f"{output}: {size_words(len(page.html))}")
