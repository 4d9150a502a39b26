"""`plyscope quotient`: how often each rank is played under a randomness quotient, as a table with bars."""

from __future__ import annotations

import json
from pathlib import Path

import click

from plyscope.visualizer.cli.terminal import ANY_FILE


@click.command()
@click.argument("q", type=click.IntRange(2), metavar="Q")
@click.option(
    "--plies", type=int, default=10, show_default=True, metavar="N", help="Plies to choose from, 1 to 1,000."
)
@click.option("--draws", type=int, metavar="N", help="Draw N ranks and hold them against the formula.")
@click.option("--seed", type=int, metavar="S", help="Seed of the draws. Default: one is chosen and told.")
@click.option("--svg", type=ANY_FILE, metavar="FILE", help="Write the chart to FILE as SVG too.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of the table.")
def quotient(
    q: int, plies: int, draws: int | None, seed: int | None, svg: Path | None, as_json: bool
) -> None:
    """Tell how often each rank is played with the randomness quotient Q.

    Plies are ranked best first. While a draw of 1 in Q comes up, the next ply is taken, never past the last.
    """
    from plyscope.counting import quotient as chances

    found = chances(q, plies=plies, draws=draws, seed=seed)
    if svg is not None:
        svg.write_text(found.svg, encoding="utf-8")
    click.echo(json.dumps(found.as_json(), indent=1) if as_json else str(found))
