"""`plyscope uhp`: Hive over standard input and output, for any viewer that speaks the protocol.

What a session cannot know stands here: pipes that close, signals, warnings on standard error.
"""

from __future__ import annotations

import io
import logging
import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn

import click

from plyscope.visualizer.cli.terminal import ANY_FOLDER, remark

if TYPE_CHECKING:
    from plyscope.visualizer.uhp.inbox import Inbox
    from plyscope.visualizer.uhp.session import Session

LOG_FOLDER: Final = Path("plyscope-logs")

PLAIN: Final = (
    "searches run as plain Python until their machine code is made, once on a machine: up to a minute"
)

INTERRUPTED: Final = 128 + signal.SIGINT
TERMINATED: Final = 128 + signal.SIGTERM


@click.command()
@click.option(
    "--log-folder",
    type=ANY_FOLDER,
    help=f"Write the search of every bestmove here.  [default: {LOG_FOLDER}, once WriteLogs is on]",
)
def uhp(log_folder: Path | None) -> None:
    """Speak the Universal Hive Protocol on standard input and output, until `exit` or the end of input.

    A viewer is given this command as its engine. `help` lists what it understands, `options` what can be set:
    level, randomness, time, openings, logs. Ctrl+C ends a search that runs with the best ply so far, else the
    session.
    """
    from plyscope.visualizer.uhp.match import CommandError
    from plyscope.visualizer.uhp.session import Session

    with warnings_told():
        stops = Stops()
        try:
            session = Session(
                log_folder or LOG_FOLDER,
                writes_logs=log_folder is not None,
                should_stop=stops.should_stop,
                report=say,
            )
        except CommandError as error:
            raise click.ClickException(str(error)) from None
        try:
            with stops.listening(session, lambda code: leave(session, code)):
                converse(session, stops)
                session.logs.finish()
        except BrokenPipeError:
            let_go_of_output()
            session.logs.finish()


def converse(session: Session, stops: Stops) -> None:
    """Answer what comes in on standard input until `exit` or the end; a closed one is at its end."""
    from plyscope.visualizer.uhp.inbox import Inbox
    from plyscope.visualizer.uhp.session import OK

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    for words in session.answer("info"):
        say(words)
    if sys.stdin is None:
        return
    if sys.stderr.isatty() and not session.get_ready():
        remark(PLAIN)
    stops.inbox = inbox = Inbox(sys.stdin.fileno())
    inbox.start()
    while not session.is_over and (line := inbox.next()) is not None:
        for words in session.answer(line):
            say(words)
            if words == OK:
                stops.is_asked = False


class Stops:
    """The events that end a search early: Ctrl+C, an `exit` that comes in behind it, a viewer that is gone.

    An `exit` that stood in line when the search began waits for it, as all lines of a script do.
    """

    def __init__(self) -> None:
        self.is_asked = False
        """Whether Ctrl+C was pressed, for the command that is being answered or waits to be."""
        self.inbox: Inbox | None = None

    def should_stop(self) -> bool:
        """Whether the search that runs is to end now."""
        if self.is_asked or self.inbox is None:
            return self.is_asked
        behind = self.inbox.came_after()
        is_left = behind is not None and behind.lower().split()[:1] == ["exit"]
        return is_left or (self.inbox.is_at_end and nobody_listens())

    @contextmanager
    def listening(self, session: Session, leave: Callable[[int], object]) -> Iterator[None]:
        """While this lasts, Ctrl+C stops a search; where none runs or waits it leaves, as SIGTERM does.

        `leave` is given the exit code.
        """

        def on_interrupt(number: int, frame: FrameType | None) -> None:
            waits = self.inbox is not None and self.inbox.has_lines
            if self.is_asked or not (session.is_thinking or waits):
                leave(INTERRUPTED)
            self.is_asked = True

        def on_terminate(number: int, frame: FrameType | None) -> None:
            leave(TERMINATED)

        before = {
            signal.SIGINT: signal.signal(signal.SIGINT, on_interrupt),
            signal.SIGTERM: signal.signal(signal.SIGTERM, on_terminate),
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def say(line: str) -> None:
    """Write a line at once; raises BrokenPipeError where nobody listens."""
    if sys.stdout is None:
        raise BrokenPipeError
    print(line, flush=True)


def leave(session: Session, code: int) -> NoReturn:
    """End the process here and now, whatever it is doing.

    An exception would not do: where a signal comes in while machine code is made, it is told and forgotten.
    """
    session.logs.abandon()
    os._exit(code)


def nobody_listens() -> bool:
    """Whether the other end of standard output was closed, as far as the system tells without writing."""
    if not hasattr(select, "poll") or sys.stdout is None:
        return sys.stdout is None
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def let_go_of_output() -> None:
    """Have what may still be written to a closed standard output go nowhere."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextmanager
def warnings_told() -> Iterator[None]:
    """While this lasts, warnings of the session are lines on standard error, as the other verbs' are."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("plyscope: %(message)s"))
    logger = logging.getLogger("plyscope.visualizer.uhp")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
