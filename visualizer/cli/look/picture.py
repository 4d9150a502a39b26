"""`plyscope picture` and `plyscope share`: a tree as textbooks draw it, and a log as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from plyscope.visualizer.cli.terminal import (
    ANY_FILE,
    EXISTING_FILE,
    game_option,
    mapping_option,
    open_log,
    size_words,
)
from plyscope.visualizer.web.share import MOST_NODES, USUAL_NODES


@click.command()
@click.argument("log", type=EXISTING_FILE)
@click.option(
    "-o",
    "--output",
    type=ANY_FILE,
    metavar="FILE",
    help="Write to FILE, a .svg, .png or .pdf. Default: SVG on standard output.",
)
@click.option(
    "--node", metavar="PATH", help="Draw the tree below this node: plies joined by ' > ', or #5 for an id."
)
@click.option(
    "--levels",
    type=click.IntRange(0),
    metavar="N",
    help="Levels below the node. Default: as many as keep the picture within 40 nodes.",
)
@click.option(
    "--children",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    metavar="N",
    help="Children of a node: the best of them, and how many more there are.",
)
@click.option("--windows", is_flag=True, help="Write alpha and beta into the nodes.")
@click.option("--factors", is_flag=True, help="Write the largest contributions into leaves.")
@click.option(
    "--highlight", metavar="PATH", multiple=True, help="Mark the way to this node; may be given again."
)
@click.option("--board", is_flag=True, help="Draw the position at the node above the tree.")
@click.option("--light/--dark", default=True, help="On light or dark paper.")
@click.option(
    "--scale",
    type=click.FloatRange(0.1, 10),
    default=2.0,
    show_default=True,
    metavar="N",
    help="Pixels of a PNG for each of the SVG.",
)
@mapping_option
@game_option
def picture(
    log: Path,
    output: Path | None,
    node: str | None,
    levels: int | None,
    children: int,
    windows: bool,
    factors: bool,
    highlight: tuple[str, ...],
    board: bool,
    light: bool,
    scale: float,
    mapping: dict[str, str] | None,
) -> None:
    """Draw the tree of LOG as textbooks do, without a browser.

    A max node points up, a min node down. Cuts are crossed, the principal variation is heavy, and the caption
    says what is left out.
    """
    from plyscope.picturing import picture as drawn
    from plyscope.visualizer.analysis.picture.selection import PictureError
    from plyscope.visualizer.analysis.picture.tree_picture import refuse_ending

    try:
        if output is not None:
            refuse_ending(output)
        read = open_log(log, mapping)
        found = drawn(
            read,
            node,
            levels=levels,
            children=children,
            windows=windows,
            factors=factors,
            highlight=[read.node(each) for each in highlight],
            dark=not light,
            board=board,
        )
        if output is None:
            click.echo(found.svg, nl=False)
        else:
            found.write(output, scale=scale)
    except (LookupError, PictureError) as error:
        raise click.ClickException(f"{log}: {error.args[0] if error.args else error}") from None


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
