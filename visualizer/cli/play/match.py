"""`plyscope match` and `plyscope tournament`: players against each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.visualizer.cli import terminal
from plyscope.visualizer.cli.play.game import position_option

if TYPE_CHECKING:
    from plyscope.playing import MatchResults

match_options: Final = terminal.options(
    click.option("--games", type=click.IntRange(2), help="Games of each pair; an even number."),
    click.option(
        "--opening", type=click.IntRange(0), help="Plies drawn at random before the players choose."
    ),
    click.option("--plies", type=click.IntRange(1), help="A game of so many plies is a draw."),
    click.option("--adjudicate", metavar="WAY", help="Decide such a game instead; in Hive by `ring`."),
    click.option("--seed", type=click.IntRange(0), help="All that is drawn follows from it."),
    click.option("--workers", type=click.IntRange(1), help="Processes that play; by default all cores."),
    click.option(
        "--scheduler", metavar="ADDRESS", help="Have the workers of Dask's scheduler there play instead."
    ),
    click.option(
        "-o",
        "--output",
        type=terminal.ANY_FILE,
        help="Write each game as it ends, and go on there after a kill.",
    ),
    click.option(
        "--log",
        metavar="losses|all|NAME",
        help="Log the searches of whoever lost, of all, or of one player; of games played before too.",
    ),
    click.option(
        "--logs",
        type=terminal.ANY_FOLDER,
        metavar="FOLDER",
        help="Where logs go; by default beside the games, GAMES-logs.",
    ),
    click.option("--view", is_flag=True, help="Show the results in a browser while games are played."),
    click.option("--no-browser", is_flag=True, help="With --view: only print the address."),
)


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
@terminal.json_option
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

    In Hive also an engine of the Universal Hive Protocol: `uhp=PROGRAM ARGUMENTS,seconds=0.1`. In chess one
    of UCI: `uci=PROGRAM ARGUMENTS,depth=8`.

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
                    position,
                    status,
                    {**asked, "output": target},
                    better=better,
                )
        tell_results(results, as_json=as_json)


@click.command()
@click.argument("file", type=terminal.EXISTING_FILE)
@match_options
@terminal.json_option
def tournament(
    file: Path, output: Path | None, view: bool, no_browser: bool, as_json: bool, **asked: Any
) -> None:
    """Play all pairs of the agents in FILE, a TOML file; options go before what it states.

    \b
    game = "reversi"
    games = 10
    [agents]
    deep = {depth = 4, limit = 10}
    fast = "nodes=2000,algorithm=pvs"
    random = "random"
    """
    from plyscope.playing import play_tournament
    from plyscope.status import StatusLine

    with shown_while(output, view=view, browser=not no_browser) as target:
        with StatusLine(tells_waits=True) as status:
            results = play_tournament(file, status, {**asked, "output": target})
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


@contextmanager
def shown_while(output: Path | None, *, view: bool, browser: bool) -> Iterator[Path | None]:
    """Yield the file to write games to; with `view`, a page shows them from now on until Ctrl+C."""
    if not view:
        yield output
        return
    from plyscope.viewing import show
    from plyscope.visualizer.cli.look.view import own_viewer

    with own_viewer(output, "games.jsonl") as (viewer, target):
        entry = viewer.shelf.add_file(target, may_come=True)
        viewer.start()
        address = f"{viewer.address}match/{entry.id}"
        terminal.remark(f"playing; watch it at {address}")
        if browser:
            show(address)
        yield target
        with suppress(KeyboardInterrupt):
            terminal.remark(f"showing the results at {address} (press Ctrl+C to stop)")
            viewer.wait()


def tell_results(results: MatchResults, *, as_json: bool) -> None:
    """Print what a match came to, and on standard error what is to be said of logs."""
    terminal.tell_notices(results.notices)
    if as_json:
        terminal.print_json(results.as_json())
    else:
        click.echo(str(results))
