"""The reading and writing of logs by the verbs, with progress and messages on a terminal."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plyscope.engine.quoting import counted
from plyscope.status import StatusLine

if TYPE_CHECKING:
    from plyscope.visualizer.store.log import Log


def read_shown(path: Path, mapping: Mapping[str, str] | None) -> Log:
    """Read the log at `path` and show how far it is; raises ClickException that names the file."""
    from plyscope.files import read
    from plyscope.visualizer.formats.errors import LogError

    with StatusLine() as status:
        try:
            return read(path, mapping, status)
        except LogError as error:
            raise click.ClickException(str(error)) from None


def write_shown(log: Log, path: Path, *, tell: bool = True) -> None:
    """Write the log to `path`, show how far it is and, with `tell`, say what was written; raises LogError.

    Ctrl+C leaves what was there before, and that is said.
    """
    from plyscope.files import write

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
        click.echo(f"plyscope: {path} {now}: {done:.0%} of {rows} were done", err=True)
        raise
    if tell:
        seconds, size = time.monotonic() - start, path.stat().st_size
        click.echo(f"plyscope: wrote {rows} to {path}: {size_words(size)} in {seconds:.1f} s", err=True)


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
        click.echo(f"plyscope: {path}: {says}", err=True)
    return inside


def left_out(folder: Path, before: str = "") -> str:
    """That the folders inside `folder` are not looked into, after `before`; nothing where there are none."""
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
