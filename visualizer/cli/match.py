"""`plyscope match`: two players against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plyscope.visualizer.cli.game import position_option, read_position
from plyscope.visualizer.cli.options import json_option
from plyscope.visualizer.cli.standings import match_options, shown_while, tell_results


@click.command()
@click.argument("first")
@click.argument("second", required=False)
@click.option("--game", default="hive", show_default=True, help="A name, or file.py:Class.")
@position_option
@match_options
@click.option(
    "--better",
    type=click.FloatRange(0, min_open=True),
    metavar="ELO",
    help="Test whether the first is better by so much or not at all, and stop once that is known.",
)
@json_option
def match(
    first: str,
    second: str | None,
    game: str,
    position: str | None,
    better: float | None,
    output: Path | None,
    view: bool,
    no_browser: bool,
    as_json: bool,
    **asked: Any,
) -> None:
    """Play FIRST against SECOND: `random`, or a search such as `depth=3,limit=10` or `nodes=20000`.

    A file of games alone goes on with its match: `plyscope match games.jsonl --log losses` makes its logs.

    In Hive also an engine of the Universal Hive Protocol: `uhp=PROGRAM ARGUMENTS,seconds=0.1`.

    A name may stand before it: `deep: depth=4`. Each random opening is played from both sides. With `nodes`
    or `seconds` a search deepens until they are used up; nodes give the same games again, seconds do not.
    """
    from plyscope.playing import go_on, play_match
    from plyscope.status import StatusLine

    kept = (
        None
        if second is not None
        else _file_of_games(first, {**asked, "position": position, "output": output, "better": better})
    )
    with shown_while(kept or output, view=view, browser=not no_browser) as target:
        with StatusLine(tells_waits=True) as status:
            if second is None:
                results = go_on(Path(first), game, status, asked)
            else:
                results = play_match(
                    first,
                    second,
                    game,
                    read_position(position),
                    status,
                    {**asked, "output": target},
                    better=better,
                )
        tell_results(results, as_json=as_json)


def _file_of_games(first: str, asked: dict[str, Any]) -> Path:
    """The file that stands alone; what its match says cannot be asked beside it."""
    path = Path(first)
    if not path.is_file():
        raise click.UsageError(
            f"{first!r} plays alone: name a second player, or a file of games to go on with."
        )
    for name in ("position", "games", "opening", "plies", "adjudicate", "seed", "output", "better"):
        if asked.get(name) is not None:
            raise click.UsageError(f"--{name}: the match is the one that {first} states.")
    return path
