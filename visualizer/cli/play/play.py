"""`plyscope play`: a person against an agent, in a browser or by lines of text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyscope.visualizer.cli import terminal
from plyscope.visualizer.cli.play.game import blame_game, find_game, position_option

if TYPE_CHECKING:
    from plyscope.visualizer.shelf.play.play import Play


@click.command()
@click.argument("game")
@click.argument("agent", required=False)
@click.option("--text", is_flag=True, help="Plies on standard input, position and reply on standard output.")
@click.option("--side", help="Yours: the name of a player, first or second.  [default: who is to move]")
@position_option
@click.option(
    "-o",
    "--output",
    type=terminal.ANY_FOLDER,
    metavar="FOLDER",
    help="Keep the game here, and go on with it.",
)
@click.option("--rows", type=click.IntRange(1000), help="Rows of the log of a ply.  [default: 500000]")
@click.option(
    "--port", default=0, type=click.IntRange(0, 65535), help="Port of the page; by default a free one."
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def play(
    game: str,
    agent: str | None,
    text: bool,
    side: str | None,
    position: str | None,
    output: Path | None,
    rows: int | None,
    port: int,
    no_browser: bool,
) -> None:
    """Play GAME (a name, or file.py:Class) against AGENT, and see why it played so.

    AGENT is a line as matches have them (`depth=3`, `seconds=1,quotient=8`, `uci=PROGRAM,depth=8`), or
    FILE.py:Class, a class with a method choose(game, state, log). By default it is nodes=20000.
    """
    from plyscope.visualizer.shelf.folders import data_folder
    from plyscope.visualizer.shelf.play.agent_lines import read_line, usual_agent
    from plyscope.visualizer.shelf.play.play import MOST_ROWS, Play
    from plyscope.visualizer.shelf.play.played_game import FILE, PlayedGame, new_folder

    rules = find_game(game)
    name = getattr(rules, "name", type(rules).__name__)
    folder = new_folder(data_folder(), name) if output is None else output
    is_new = not (folder / FILE).exists()
    with blame_game(game):
        agent_named = read_line(agent) if agent else usual_agent(rules) if is_new else None
        played = PlayedGame(folder, name, agent_named, _side(side, rules.players), position)
        found = Play(played, rows=rows or MOST_ROWS)
        try:
            if text:
                from plyscope.visualizer.cli.play.play_text import play_by_text

                play_by_text(found)
            else:
                _show(found, port=port, browser=not no_browser)
        finally:
            found.end()
            again = f"{played.command} --port {port}" if port and not text else played.command
            terminal.remark(f"the game and its logs are in {folder}; `{again}` goes on with it")


def _show(found: Play, *, port: int, browser: bool) -> None:
    """Serve the page of a game until Ctrl+C."""
    from plyscope.viewing import Viewer, listen, show
    from plyscope.visualizer.cli.look.view import DEFAULT_PORT, LOOPBACK

    listener = listen(LOOPBACK, (port,) if port else (DEFAULT_PORT, 0))
    with Viewer((), listener, shows_examples=False) as viewer:
        address = f"{viewer.address}play/{viewer.play(found)}"
        viewer.start()
        click.echo(f"plyscope: play at {address} (press Ctrl+C to stop)")
        if browser:
            show(address)
        viewer.wait()


def _side(text: str | None, players: Any) -> int | None:
    """The side that is meant; None for the usual one."""
    if text is None:
        return None
    for side, names in enumerate(zip(("first", "second"), players, strict=True)):
        if text in names:
            return side
    raise click.UsageError(f"--side: {text!r}, expected first, second, {' or '.join(players)}.")
