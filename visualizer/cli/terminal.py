"""Pieces that commands share: options, logs read and written with progress, notices, answers for machines."""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from plyscope.engine.quoting import counted
from plyscope.status import StatusLine

if TYPE_CHECKING:
    from plyscope.log import Log as OpenLog
    from plyscope.visualizer.store.log import Log

Command = TypeVar("Command", bound=Callable[..., Any])

EXISTING_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
"""The type of an argument that names a file to read."""
ANY_FILE: Final = click.Path(dir_okay=False, path_type=Path)
"""That of one that names a file to write."""
PIPE: Final = Path("-")
"""The file that stands for standard output."""
LEAST_ROOM: Final = 24
"""Columns that the last cell of a row has where it wraps; with fewer it is cut."""
ANY_FOLDER: Final = click.Path(file_okay=False, path_type=Path)

json_option = click.option("--json", "as_json", is_flag=True, help="The same answer for machines.")
mapping_option = click.option(
    "--map",
    "mapping",
    metavar="OURS=THEIRS,…",
    callback=lambda context, option, text: _parsed_mapping(text),
    help="Which fields of a foreign tree are which: children=replies,score=value; "
    "'layer=max first' or 'layer=min first' says that the layers alternate.",
)
game_option = click.option(
    "--game",
    metavar="PLACE",
    multiple=True,
    expose_value=False,
    callback=lambda context, option, places: _bring(places),
    help="A game of your own that logs are of: FILE.py:Class, or one that an installed package names. "
    "Its code is run, for boards and to play plies again. May be given again.",
)


def options(*several: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """A decorator that gives a command several options, in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(several):
            command = option(command)
        return command

    return decorate


def parse_weights(text: str | None) -> dict[str, float]:
    """The weights of `name=w,…`.

    >>> parse_weights("mobility=5, corners=25.5")
    {'mobility': 5.0, 'corners': 25.5}
    """
    weights = {}
    for part in (text or "").split(","):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        if not part.strip():
            continue
        try:
            weights[name] = float(number)
        except ValueError:
            found = f"{number!r} for {name}" if equals else repr(part.strip())
            raise click.UsageError(f"--weights wants name=number,…, not {found}.") from None
    return weights


def _parsed_mapping(text: str | None) -> dict[str, str] | None:
    """The mapping of `--map`; raises LogError for what is none."""
    if text is None:
        return None
    from plyscope.visualizer.formats.foreign.meaning.mapping import parse_mapping

    return dict(parse_mapping(text))


def _bring(places: Iterable[str]) -> None:
    """Load games, so that they are known by their names; raises GameError, also for what their code does."""
    for place in places:
        from plyscope.engine.games.outside import Brought, bring

        with Brought(place).blamed():
            bring(place)


def say(lines: Iterable[str], style: Callable[[str], str] = str) -> None:
    """Print lines, which fit a terminal where one shows them."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in lines:
        click.echo("\n".join(map(style, fitted(line, width))))


def fitted(line: str, width: int | None) -> list[str]:
    """A line in as many as a width of columns takes: sentences wrap, and so does the last cell of a row.

    >>> fitted("One sentence goes on.", 12), fitted("rival   d6 > c6 > f8 > c7", 20), fitted("a" * 9, None)
    (['One sentence', 'goes on.'], ['rival   d6 > c6 > f8', '        > c7'], ['aaaaaaaaa'])
    """
    if width is None or len(line) <= width:
        return [line]
    begin = line.rfind("  ") + 2 if "  " in line.strip() else len(line) - len(line.lstrip())
    if begin > width - min(LEAST_ROOM, width // 2):
        return [f"{line[: width - 1]}…"]
    return textwrap.wrap(
        line[begin:],
        width,
        initial_indent=line[:begin],
        subsequent_indent=" " * begin,
        break_on_hyphens=False,
    )


def remark(text: str) -> None:
    """Say something on standard error."""
    click.echo(f"plyscope: {text}", err=True)


def tell_notices(notices: Iterable[object], before: str = "") -> None:
    """Say on standard error what the reader has to tell of a log, after `before`."""
    for notice in notices:
        remark(f"{before}{notice}")


def tell_game(log: Log, before: str = "") -> None:
    """Say on standard error what is to be said of the log's game, and the command that brings it."""
    from plyscope.engine.record.logged_game import game_notice

    given = click.get_current_context().obj or [click.get_current_context().info_name or ""]
    said = game_notice(log.header, shlex.join(["plyscope", *given]))
    tell_notices([] if said is None else [said], before)


def print_json(answer: Any) -> None:
    """Print an answer for machines."""
    import orjson

    click.echo(orjson.dumps(answer).decode())


def open_log(path: Path, mapping: Mapping[str, str] | None, name: str | None = None) -> OpenLog:
    """The log at `path` as scripts have it, its notices told; raises ClickException that names the file."""
    from plyscope.log import Log
    from plyscope.visualizer.store.tree import Tree

    read = read_shown(path, mapping)
    tell_notices(read.notices)
    return Log(Tree(read), name or path.name)


def read_shown(path: Path, mapping: Mapping[str, str] | None) -> Log:
    """Read the log at `path` and show how far it is; raises ClickException that names the file."""
    from plyscope.files import read
    from plyscope.visualizer.formats.errors import LogError

    with StatusLine() as status:
        try:
            return read(path, mapping, status)
        except LogError as error:
            raise click.ClickException(str(error)) from None


def check_output(path: Path) -> None:
    """Raise LogError where no log can be written to `path`; `-` is a pipe, which takes JSON Lines."""
    from plyscope.visualizer.formats.write.files import check_target

    if path != PIPE:
        check_target(path)
    elif sys.stdout.isatty():
        raise click.UsageError("-o - writes the log to a pipe, and this is a terminal: add | or > FILE.")


def write_shown(log: Log, path: Path, *, says: bool = True) -> None:
    """Write the log to `path`, show how far it is and, with `says`, tell what was written; raises LogError.

    Ctrl+C leaves what was there before, and that is said.
    """
    from plyscope.files import write

    if path == PIPE:
        with tempfile.TemporaryDirectory() as folder, StatusLine() as status:
            write(log, beside := Path(folder) / "log.jsonl", status)
            with beside.open("rb") as file:
                sys.stdout.flush()
                shutil.copyfileobj(file, sys.stdout.buffer)
        return
    start = time.monotonic()
    done = 0.0

    def note(part: float) -> None:
        nonlocal done
        done = part

    rows = counted(log.n_rows, "row")
    try:
        with StatusLine() as status:
            write(log, path, status, note)
    except KeyboardInterrupt:
        now = "is as it was" if path.exists() else "was not written"
        remark(f"{path} {now}: {done:.0%} of {rows} were done")
        raise
    if says:
        seconds, size = time.monotonic() - start, path.stat().st_size
        remark(f"wrote {rows} to {path}: {size_words(size)} in {seconds:.1f} s")


def logs_in(path: Path) -> list[Path]:
    """The logs of a folder by name, or `path` itself where it is none; raises ClickException for no log.

    Folders inside are left out, which is said.
    """
    if not path.is_dir():
        return [path]
    from plyscope.visualizer.shelf.shelf import LOG_ENDINGS

    inside = [each for each in sorted(path.iterdir()) if each.name.endswith(LOG_ENDINGS) and each.is_file()]
    if not inside:
        expected = f"expected files in {', '.join(LOG_ENDINGS)}"
        raise click.ClickException(f"{path}: no logs in this folder, {expected}{left_out(path, '; ')}")
    if says := left_out(path):
        remark(f"{path}: {says}")
    return inside


def left_out(folder: Path, before: str = "") -> str:
    """Say, after `before`, that folders inside `folder` are not looked into; empty where there are none."""
    n_inside = sum(each.is_dir() and not each.name.startswith(".") for each in folder.iterdir())
    if n_inside == 0:
        return ""
    verb, name = ("is", "it") if n_inside == 1 else ("are", "them")
    return f"{before}{counted(n_inside, 'folder')} inside {verb} not looked into; name {name} as well"


def size_words(n_bytes: int) -> str:
    """A size in decimal units, as disks state them.

    >>> size_words(512), size_words(27_931), size_words(1_300_000_000)
    ('512 bytes', '27.9 kB', '1.3 GB')
    """
    if n_bytes < 1000:
        return counted(n_bytes, "byte")
    power = min(4, (len(str(n_bytes)) - 1) // 3)
    return f"{n_bytes / 1000**power:.1f} {' kMGT'[power]}B"
