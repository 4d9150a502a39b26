"""`plyscope study castle`: a turn of the ranked one-ply AI, as a log."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from plyscope_studies.castle.chances import Replies, Sees

_SHOWN: Final = 10
EXISTING_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def castle() -> None:
    """Rank the plays of Castle by eight factors, for up to four players."""


@castle.command()
@click.argument("number", metavar="[TURN]", default=0, type=click.IntRange(0))
@click.option("--seed", default=1, show_default=True, type=int, help="Seed of the deal.")
@click.option("--players", default=4, show_default=True, type=click.IntRange(2, 4))
@click.option(
    "--sees",
    type=click.Choice(["all", "open"]),
    default="all",
    show_default=True,
    help="Whole hands of the others, or the tiles that lie open.",
)
@click.option(
    "--replies",
    type=click.Choice(["single", "full"]),
    default="single",
    show_default=True,
    help="What the next players score from a play: by their best tile, or by their best play of up to three.",
)
@click.option("--keep", type=click.IntRange(1), metavar="N", help="Rows for the best N plays. Default: all.")
@click.option("--plan", type=EXISTING_FILE, help="Another plan, TOML or JSON.")
@click.option("--tiles", type=EXISTING_FILE, help="Other tiles, TOML or JSON.")
@click.option("--gardens", is_flag=True, help="Scoring passes on through gardens.")
@click.option("--last-play-penalty/--no-last-play-penalty", default=True, show_default=True)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the log of the turn."
)
@click.option("--json", "as_json", is_flag=True, help="Write the best plays as JSON.")
def turn(
    number: int,
    seed: int,
    players: int,
    sees: Sees,
    replies: Replies,
    keep: int | None,
    plan: Path | None,
    tiles: Path | None,
    gardens: bool,
    last_play_penalty: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Rank all plays of one TURN, counted from 0; earlier turns are played by the same ranking.

    `plyscope view` opens the log that -o writes.
    """
    import plyscope
    from plyscope_studies.castle.data import read_kinds, read_plan
    from plyscope_studies.castle.document import log_of
    from plyscope_studies.castle.game import Rules, deal
    from plyscope_studies.castle.ranking import rank_plays

    board = read_plan(plan)
    position = deal(Rules(board, read_kinds(board, tiles), gardens, last_play_penalty), players, seed)
    for played in range(number + 1):
        if position.is_over:
            raise click.UsageError(f"turn {number}: the game ended after {played} turns.")
        begun = time.perf_counter()
        ranked = rank_plays(position, sees, replies)
        seconds = time.perf_counter() - begun
        if played < number:
            position.lay(ranked.play(0) if len(ranked.ranks) else [])
    log = log_of(position, ranked, sees, seconds, keep, replies)
    if output is not None:
        plyscope.convert(json.dumps(log, allow_nan=False), output)
    best = [each for each in log["root"]["children"] if "ply" in each][:_SHOWN]
    click.echo(json.dumps({"plays": len(ranked.ranks), "best": best}) if as_json else _table(log, best))


def _table(log: dict[str, Any], best: list[dict[str, Any]]) -> str:
    """The best plays with the contributions of the factors, and what was left out."""
    names = [factor["name"] for factor in log["factors"]]
    weights = [factor["weight"] for factor in log["factors"]]
    options = log["search"]["options"]
    lines = [f"{log['root']['player']}, {options['left']:g} % left, scope {options['scope']}"]
    lines.append(f"{'rank':>10} " + " ".join(f"{name:>14}" for name in names) + "  play")
    for each in best:
        parts = (value * weight + 0.0 for value, weight in zip(each["factors"], weights, strict=True))
        lines.append(
            f"{each['score']:>10g} " + " ".join(f"{part:>14g}" for part in parts) + f"  {each['ply']}"
        )
    lines += [
        f"{each['count']:,} {each['outcome']}: {each['why']}"
        for each in log["root"]["children"]
        if "count" in each
    ]
    return "\n".join(lines if best else [*lines, "no play fits: the player passes"])
