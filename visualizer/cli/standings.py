"""Options of the commands that have games played, and how they tell what came out."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from plyscope.playing import MatchResults

Option = Callable[[Any], Any]


def match_options(command: Any) -> Any:
    """Options of every command that has games played."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS: Final[tuple[Option, ...]] = (
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
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write each game as it ends, and go on there after a kill.",
    ),
    click.option(
        "--log",
        metavar="losses|all|NAME",
        help="Log the searches of whoever lost, of all, or of one player; of games played before too.",
    ),
    click.option(
        "--logs",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Where logs go; by default beside the games, GAMES-logs.",
    ),
    click.option("--view", is_flag=True, help="Show the results in a browser while games are played."),
    click.option("--no-browser", is_flag=True, help="With --view: only print the address."),
)


@contextmanager
def shown_while(output: Path | None, *, view: bool, browser: bool) -> Iterator[Path | None]:
    """Yield the file to write games to; with `view`, a page shows them from now on until Ctrl+C."""
    if not view:
        yield output
        return
    from plyscope.viewing import Viewer, listen, show
    from plyscope.visualizer.cli.view import DEFAULT_PORT, LOOPBACK

    with tempfile.TemporaryDirectory(prefix="plyscope-") as folder:
        target = (output or Path(folder) / "games.jsonl").resolve()
        with Viewer((), listen(LOOPBACK, (DEFAULT_PORT, 0)), shows_examples=False) as viewer:
            entry = viewer.shelf.add_file(target, may_come=True)
            viewer.start()
            address = f"{viewer.address}match/{entry.id}"
            click.echo(f"plyscope: playing; watch it at {address}", err=True)
            if browser:
                show(address)
            yield target
            with suppress(KeyboardInterrupt):
                click.echo(f"plyscope: showing the results at {address} (press Ctrl+C to stop)", err=True)
                viewer.wait()


def tell_results(results: MatchResults, *, as_json: bool) -> None:
    """Print what a match came to, and on standard error what is to be said of logs."""
    for notice in results.notices:
        click.echo(f"plyscope: {notice}", err=True)
    if as_json:
        import orjson

        click.echo(orjson.dumps(results.as_json()).decode())
        return
    click.echo(str(results))
