"""`plyscope uhp`: Hive over standard input and output, for any viewer that speaks the protocol."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from visualizer.cli.terminal import StatusLine

LOG_FOLDER: Final = Path("plyscope-logs")


@click.command()
@click.option(
    "--log-folder",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Write the search of every bestmove here.  [default: {LOG_FOLDER}, once WriteLogs is on]",
)
def uhp(log_folder: Path | None) -> None:
    """Speak the Universal Hive Protocol on standard input and output, until `exit` or the end of input.

    A viewer is given this command as its engine. `help` lists what it understands, `options` what can be set:
    level, randomness, time, openings, logs.
    """
    from visualizer.uhp.errors import CommandError
    from visualizer.uhp.session import Session

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    try:
        session = Session(log_folder or LOG_FOLDER, writes_logs=log_folder is not None)
    except CommandError as error:
        raise click.ClickException(str(error)) from None
    try:
        say(session.answer("info"))
        with StatusLine() as status:
            session.get_ready(lambda at: status.show(f"compiling the search for {at.game} (once) …"))
        for line in sys.stdin:
            say(session.answer(line))
            if session.is_over:
                return
    except KeyboardInterrupt:
        return


def say(answer: Iterable[str]) -> None:
    """Write each line as soon as it is known."""
    for line in answer:
        click.echo(line)
        sys.stdout.flush()
