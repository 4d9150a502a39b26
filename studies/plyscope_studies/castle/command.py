"""`plyscope study castle`: turns of the ranked one-ply AI as logs, whole games, weights held together."""

from __future__ import annotations

import json
from itertools import islice
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
    from plyscope_studies.castle.document import log_of
    from plyscope_studies.castle.game import deal, read_rules
    from plyscope_studies.castle.playing import turns

    position = deal(read_rules(plan, tiles, gardens, last_play_penalty), players, seed)
    last = next((each for each in islice(turns(position, (), sees, replies), number, None)), None)
    if last is None:
        raise click.UsageError(f"turn {number}: the game ended before it.")
    log = log_of(position, last.ranked, sees, last.seconds, keep, replies)
    if output is not None:
        plyscope.convert(json.dumps(log, allow_nan=False), output)
    best = [each for each in log["root"]["children"] if "ply" in each][:_SHOWN]
    click.echo(json.dumps({"plays": len(last.ranked.ranks), "best": best}) if as_json else _table(log, best))


@castle.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--seed", default=1, show_default=True, type=int, help="Seed of the deal.")
@click.option(
    "--weights",
    multiple=True,
    metavar="PLAYER:NAME=W,…",
    help="Other weights of a player, from 1; several are given one by one.",
)
@click.option(
    "--keep", default=100, show_default=True, type=click.IntRange(1), help="Rows for the best N plays."
)
def play(folder: Path, seed: int, weights: tuple[str, ...], keep: int) -> None:
    """Play a game of four, and write the log of each turn into FOLDER.

    `plyscope what-if FOLDER/turn-05.json --weights heat=80` weighs the plays of a turn again.
    """
    import plyscope
    from plyscope_studies.castle.document import log_of
    from plyscope_studies.castle.game import deal, read_rules
    from plyscope_studies.castle.playing import SEATS, turns
    from plyscope_studies.castle.ranking import FACTORS

    of_players = [dict(FACTORS) for _ in range(SEATS)]
    for text in weights:
        player, colon, changed = text.partition(":")
        if not colon or player not in map(str, range(1, SEATS + 1)):
            raise click.UsageError(
                f"--weights {text}: expected a player from 1 to {SEATS}, such as 2:heat=80."
            )
        of_players[int(player) - 1] = _changed(changed)
    folder.mkdir(parents=True, exist_ok=True)
    position = deal(read_rules(), SEATS, seed)
    for number, turn in enumerate(turns(position, of_players)):
        log = log_of(position, turn.ranked, "all", turn.seconds, keep, weights=turn.weights)
        plyscope.convert(json.dumps(log, allow_nan=False), folder / f"turn-{number:02}.json", progress=False)
        click.echo(f"turn {number:2}  player {position.player + 1}  {log['result']['ply'] or 'passes'}")
    click.echo("points  " + "  ".join(f"player {at}: {each:g}" for at, each in enumerate(position.scores, 1)))


@castle.command()
@click.argument("weights", metavar="NAME=W,…")
@click.option("--against", metavar="NAME=W,…", default="", help="Other weights than the published ones.")
@click.option(
    "--pairs", default=20, show_default=True, type=click.IntRange(1), help="Deals, each played twice."
)
@click.option("--seed", default=1, show_default=True, type=int, help="Seed of the first deal.")
def tune(weights: str, against: str, pairs: int, seed: int) -> None:
    """Hold weights against others by pairs of games of four: two players have them, two have the others."""
    from statistics import mean

    from plyscope_studies.castle.game import read_rules
    from plyscope_studies.castle.playing import leads, of_95

    found = leads(_changed(weights), _changed(against), read_rules(), pairs, seed)
    low, high = of_95(found)
    click.echo(
        f"{mean(found):+.2f} points a player and game (95 % interval: {low:+.2f} to {high:+.2f}), "
        f"{pairs} deals, each played from both seats"
    )


def _changed(text: str) -> dict[str, float]:
    """The published weights, with those of `name=w,…` in their place; raises UsageError."""
    from plyscope_studies.castle.ranking import FACTORS

    weights = dict(FACTORS)
    for part in filter(None, text.split(",")):
        name, _, number = (piece.strip() for piece in part.partition("="))
        try:
            weights[name] = float(number)
        except ValueError:
            raise click.UsageError(f"{part}: expected name=number, such as heat=80.") from None
        if name not in FACTORS or not abs(weights[name]) < 1e9:
            raise click.UsageError(f"{part}: expected a finite weight of one of {', '.join(FACTORS)}.")
    return weights


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
