"""What the verbs write to a terminal: a progress line that rewrites itself, numbers as people read them."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from plyscope.visualizer.store.log import Log

MOST_PER_SECOND = 15


class StatusLine:
    """A line on standard error that each `show` replaces, gone at the end; silent without a terminal.

    With `tells_waits` what is waited for is a line of its own where there is no terminal, so that nobody
    takes long work for a program that hangs. Any thread may show something.
    """

    def __init__(self, *, tells_waits: bool = False) -> None:
        self._tells_waits = tells_waits
        self._is_terminal = sys.stderr.isatty()
        self._shown = 0
        self._last = 0.0
        self._lock = threading.Lock()
        self._clock: threading.Thread | None = None
        self._has_come = threading.Event()

    def show(self, text: str) -> None:
        """Replace the line, at most fifteen times a second."""
        with self._lock:
            self._end_waiting()
            now = time.monotonic()
            if self._is_terminal and now - self._last >= 1 / MOST_PER_SECOND:
                self._last = now
                self._write(text)

    def wait(self, text: str) -> None:
        """Replace the line for work that cannot say how far it is: seconds pass behind `text`."""
        with self._lock:
            if not self._is_terminal and self._tells_waits:
                click.echo(f"plyscope: {text}", err=True)
            if not self._is_terminal or self._clock is not None:
                return
            self._has_come.clear()
            self._write(text)
            self._clock = threading.Thread(target=self._count_seconds, args=(text,), daemon=True)
            self._clock.start()

    def _count_seconds(self, text: str) -> None:
        begun = time.monotonic()
        while not self._has_come.wait(1 - (time.monotonic() - begun) % 1):
            self._write(f"{text} {time.monotonic() - begun:.0f} s")

    def _end_waiting(self) -> None:
        self._has_come.set()
        if self._clock is not None:
            self._clock.join()
            self._clock = None

    def _write(self, text: str) -> None:
        text = text[: shutil.get_terminal_size().columns - 1]
        click.echo("\r" + text.ljust(self._shown), nl=False, err=True)
        self._shown = len(text)

    def __enter__(self) -> StatusLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_waiting()
        if self._shown:
            click.echo("\r" + " " * self._shown + "\r", nl=False, err=True)


def read_shown(path: Path, mapping: Mapping[str, str] | None) -> Log:
    """Read the log at `path` and show how far it is; raises ClickException that names the file."""
    from plyscope.visualizer.formats.detect import read_log_file
    from plyscope.visualizer.formats.errors import LogError

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


def write_shown(log: Log, path: Path, *, tell: bool = True) -> None:
    """Write the log to `path`, show how far it is and, with `tell`, say what was written; raises LogError.

    Ctrl+C leaves what was there before, and that is said.
    """
    from plyscope.visualizer.formats.write import write_log_file

    start = time.monotonic()
    done = 0.0

    def show(part: float) -> None:
        nonlocal done
        done = part
        rate = part * log.n_rows / max(time.monotonic() - start, 1e-9)
        status.show(f"writing {rows} to {path.name}  {part:.0%}  {rate / 1e6:.2f} M rows/s")

    rows = counted(log.n_rows, "row")
    try:
        with StatusLine() as status:
            status.show(f"writing {rows} to {path.name} …")
            write_log_file(log, path, show)
    except KeyboardInterrupt:
        now = "is as it was" if path.exists() else "was not written"
        click.echo(f"plyscope: {path} {now}: {done:.0%} of {rows} were done", err=True)
        raise
    if tell:
        seconds, size = time.monotonic() - start, path.stat().st_size
        click.echo(f"plyscope: wrote {rows} to {path}: {sized(size)} in {seconds:.1f} s", err=True)


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


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(27_931, "node"), counted(20, "leaf")
    ('1 row', '27,931 nodes', '20 leaves')
    """
    plural = "leaves" if noun == "leaf" else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def sized(n_bytes: int) -> str:
    """A size in decimal units, as disks state them.

    >>> sized(512), sized(27_931), sized(1_300_000_000)
    ('512 bytes', '27.9 kB', '1.3 GB')
    """
    if n_bytes < 1000:
        return counted(n_bytes, "byte")
    power = min(4, (len(str(n_bytes)) - 1) // 3)
    return f"{n_bytes / 1000**power:.1f} {' kMGT'[power]}B"


def signed(score: float) -> str:
    """A score with its sign, at most three digits after the point.

    >>> signed(12.5), signed(-3), signed(0.0)
    ('+12.5', '-3', '0')
    """
    text = f"{score:+.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("+0", "-0") else text
