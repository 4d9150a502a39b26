"""Games and positions, as the verbs that play name them."""

from __future__ import annotations

import re
import sysconfig
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from plyscope.visualizer.cli.terminal import remark

HOME: Final = Path(__file__).resolve().parents[3]
OURS: Final = ("plyscope", "engine", "visualizer")
"""Our own code, as folders of `HOME`: a checkout's root, or the package of a wheel."""

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
    from plyscope.engine.compile.fingerprint import KernelError
    from plyscope.engine.game import GameError
    from plyscope.engine.games import is_outside
    from plyscope.engine.games.outside import folder_of
    from plyscope.engine.options import OptionError
    from plyscope.visualizer.formats.errors import LogError

    try:
        yield
    except (GameError, OptionError, LogError, click.ClickException, click.exceptions.Exit):
        raise
    except (Exception, SystemExit) as error:
        if not is_outside(name):
            raise
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        if isinstance(error, KernelError):
            what = str(error)
        elif type(error).__module__.startswith("numba."):
            what = f"numba cannot compile it: {_refused(str(error), folder_of(name).resolve())}"
        else:
            what = f"{what} ({_where(error, folder_of(name))})"
        raise click.ClickException(f"{name}: {what}") from error


def _refused(text: str, folder: Path) -> str:
    """Numba's innermost reason why it does not compile a kernel, and the line of the game if it has one."""
    inmost = text.rpartition("(step: nopython frontend)\n")[2].strip()
    places = re.findall(r"During: typing of .* at (.+) \((\d+)\)", inmost)
    own = [f" (line {line} of {file})" for file, line in places if _is_own(Path(file).resolve(), folder)]
    return inmost.partition("\n")[0] + "".join(own[:1])


def _where(error: BaseException, given: Path) -> str:
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"line {error.lineno} of {error.filename}"
    frames = traceback.extract_tb(error.__traceback__)
    folder = given.resolve()
    own = [frame for frame in frames if _is_own(Path(frame.filename).resolve(), folder)]
    if own:
        file = given / Path(own[-1].filename).resolve().relative_to(folder)
        return f"line {own[-1].lineno} of {file}, in {own[-1].name}"
    asked = [frame.name for frame in frames if not frame.name.startswith("_")][-1]
    return f"in what its methods gave to {asked}; docs/adding-a-game.md says what they give"


def _is_own(file: Path, folder: Path) -> bool:
    """Whether a file is the game's own: in its folder, and neither ours nor of a library that lies there."""
    theirs = (Path(sysconfig.get_path("stdlib")), *(HOME / name for name in OURS))
    if not file.is_file() or not file.is_relative_to(folder):
        return False
    around = [place for place in theirs if not folder.is_relative_to(place)]
    is_library = "site-packages" in file.relative_to(folder).parts
    return not is_library and not any(file.is_relative_to(place) for place in around)
