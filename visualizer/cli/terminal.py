"""What the verbs write to a terminal: a progress line that rewrites itself, numbers as people read them."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from visualizer.store.log import Log

MOST_PER_SECOND = 15


class StatusLine:
    """A line on standard error that each `show` replaces, gone at the end; silent without a terminal."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._shown = 0
        self._last = 0.0

    def show(self, text: str) -> None:
        """Replace the line, at most fifteen times a second."""
        now = time.monotonic()
        if not self._is_terminal or now - self._last < 1 / MOST_PER_SECOND:
            return
        self._last = now
        text = text[: shutil.get_terminal_size().columns - 1]
        click.echo("\r" + text.ljust(self._shown), nl=False, err=True)
        self._shown = len(text)

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            click.echo("\r" + " " * self._shown + "\r", nl=False, err=True)


def read_shown(path: Path, mapping: Mapping[str, str] | None) -> Log:
    """Read the log at `path` and show how far it is; raises ClickException that names the file."""
    from visualizer.formats.detect import read_log_file
    from visualizer.formats.errors import LogError

    with StatusLine() as status:
        status.show(f"reading {path.name} …")
        try:
            return read_log_file(
                path,
                mapping=mapping,
                on_progress=lambda part: status.show(f"reading {path.name}  {part:.0%}"),
            )
        except LogError as error:
            raise click.ClickException(f"{path}: {error}") from None


def logs_in(path: Path) -> list[Path]:
    """The logs of a folder by name, or `path` itself where it is none; raises ClickException for no log."""
    if not path.is_dir():
        return [path]
    from visualizer.shelf.shelf import LOG_ENDINGS

    inside = [each for each in sorted(path.iterdir()) if each.name.endswith(LOG_ENDINGS)]
    if not inside:
        raise click.ClickException(
            f"{path}: no logs in this folder, expected files in {', '.join(LOG_ENDINGS)}"
        )
    return inside


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(27_931, "node"), counted(20, "leaf")
    ('1 row', '27,931 nodes', '20 leaves')
    """
    plural = "leaves" if noun == "leaf" else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def signed(score: float) -> str:
    """A score with its sign, at most three digits after the point.

    >>> signed(12.5), signed(-3), signed(0.0)
    ('+12.5', '-3', '0')
    """
    text = f"{score:+.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text
