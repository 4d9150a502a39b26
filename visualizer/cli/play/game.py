"""Games and positions, as the verbs that play name them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from plyscope.visualizer.cli.terminal import remark

position_option = click.option(
    "--position",
    metavar="TEXT",
    callback=lambda context, option, text: _read_position(text),
    help="The position, or @FILE that holds it.  [default: the start]",
)


board_option = click.option("--board", is_flag=True, help="Print the position as a board first.")


def tell_board(game: Any, position: str | None = None) -> None:
    """Print a position as a board, by default the start; raises GameError."""
    from plyscope.engine.game import state_of
    from plyscope.engine.games.plain import PlainKernels
    from plyscope.visualizer.board_text import board_text
    from plyscope.visualizer.boards import drawing_of

    kernels = PlainKernels(game) if hasattr(game, "plies") else game
    drawing = drawing_of(kernels.board(state_of(kernels, position)))
    click.echo(board_text(drawing, kernels.players))


def find_game(name: str) -> Any:
    """The game of ours with this name, or the one from outside at this place; raises GameError."""
    from plyscope.searching import find_game

    return find_game(name)


def _read_position(text: str | None) -> str | None:
    """The position as given, or what the file after an `@` holds."""
    if text is None or not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).read_text("utf-8").strip()
    except UnicodeDecodeError:
        raise click.ClickException(f"{text[1:]}: the file holds no text in UTF-8, so no position") from None


def tell_contradiction(game: Any, position: str | None) -> None:
    """Say on standard error what a position states against itself, where the game looks; raises GameError."""
    from plyscope.searching import contradiction

    if (found := contradiction(game, position)) is not None:
        remark(found)


@contextmanager
def blame_game(name: str) -> Iterator[None]:
    """Say in one line what a game from outside did wrong, and where; others are passed on.

    Whatever its code raises, and whatever trips over what it returned, ends as a ClickException.
    """
    from plyscope.engine.game import GameError
    from plyscope.engine.games import is_outside
    from plyscope.engine.games.guard import fault_of
    from plyscope.engine.games.outside import folder_of
    from plyscope.engine.match.errors import MatchError
    from plyscope.engine.option import OptionError
    from plyscope.visualizer.formats.errors import LogError

    try:
        yield
    except (GameError, MatchError, OptionError, LogError, click.ClickException, click.exceptions.Exit):
        raise
    except (Exception, SystemExit) as error:
        if not is_outside(name):
            raise
        raise click.ClickException(fault_of(name, folder_of(name), error)) from error
