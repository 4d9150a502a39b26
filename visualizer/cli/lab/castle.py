"""`plyscope castle`: a turn of the ranked one-ply AI, or a whole game of such players, as a log."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyscope.visualizer.cli.terminal import ANY_FILE, EXISTING_FILE

if TYPE_CHECKING:
    from plyscope.engine.ranked.chances import Replies, Sees

_SHOWN = 10


@click.command()
@click.option(
    "--turn", default=0, show_default=True, type=click.IntRange(0), help="The turn to rank, from 0."
)
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
@click.option("-o", "--output", type=ANY_FILE, help="Write the log of the turn.")
@click.option("--json", "as_json", is_flag=True, help="Write the best plays as JSON.")
def castle(
    turn: int,
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
    """Rank all plays of one turn of Castle; earlier turns are played by the same ranking.

    `plyscope view` opens the log that -o writes.
    """
    from plyscope.engine.games.castle.data import read_kinds, read_plan
    from plyscope.engine.games.castle.game import Rules, deal
    from plyscope.engine.ranked.document import log_of
    from plyscope.engine.ranked.ranking import rank_plays
    from plyscope.status import StatusLine
    from plyscope.visualizer.formats.detect import read_log
    from plyscope.visualizer.formats.write.files import check_target, write_log_file

    if output is not None:
        check_target(output)
    board = read_plan(plan)
    position = deal(Rules(board, read_kinds(board, tiles), gardens, last_play_penalty), players, seed)
    with StatusLine() as status:
        for played in range(turn + 1):
            if position.is_over:
                raise click.UsageError(f"--turn {turn}: the game ended after {played} turns.")
            start = time.perf_counter()
            ranked = rank_plays(
                position, sees, lambda done, of: status.show(f"{done:,} of {of:,} plays"), replies
            )
            seconds = time.perf_counter() - start
            if played < turn:
                position.lay(ranked.play(0) if len(ranked.ranks) else [])
    log = log_of(position, ranked, sees, seconds, keep, replies)
    if output is not None:
        write_log_file(read_log(json.dumps(log, allow_nan=False).encode()), output)
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
