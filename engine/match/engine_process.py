"""A program with a line protocol over pipes: starting it, waiting for answers, ending it.

It is started without a shell. It may answer late, die, or write without end, each of which is an error. It
need not read while it thinks, so a guard process ends it if this process ends first in any way.
"""

from __future__ import annotations

import queue
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any, Final

from plyscope.engine.match.errors import MatchError, PlayerError
from plyscope.engine.quoting import quoted

GRACE: Final = 5.0
"""Seconds that an engine may take beyond those of its search."""
TIMEOUT: Final = 60.0
"""Seconds for an answer that is bound by no time: a search by depth, a start."""
LONGEST_LINE: Final = 1 << 16
LONGEST_SHOWN: Final = 200
"""Characters of a line of the protocol that a message quotes."""
MOST_LINES: Final = 10_000
"""Lines of one answer."""
GUARD: Final = "import os, sys; sys.stdin.read(); os.kill(int(sys.argv[1]), 9)"
END: Final = None
"""The end of the engine's output, among its lines."""


def check_options(name: str, options: Mapping[str, Any], protocol: str, bounds: Sequence[str]) -> None:
    """Raise MatchError where these are no options of an engine of a protocol.

    `bounds` are those by which a search may be bound: one of them is.
    """
    known = (protocol, *bounds, "timeout", *(("options",) if protocol == "uci" else ()))
    for key in options:
        if key not in known:
            raise MatchError(f"agent: {name!r} has an unknown option {key!r}, expected {', '.join(known)}")
    command = options[protocol]
    if not isinstance(command, list | tuple) or not command or not all(isinstance(x, str) for x in command):
        raise MatchError(f"agent: {name!r}: {protocol} is {command!r}, expected a program and its arguments")
    if sum(bound in options for bound in bounds) != 1:
        either = " or ".join(bounds)
        raise MatchError(f"agent: {name!r}: an engine takes either {either}, such as seconds=0.1")
    for key in ("seconds", "timeout"):
        number = options.get(key, 1)
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number < 86_400:
            raise MatchError(f"agent: {name!r}: {key} is {number!r}, expected seconds of less than a day")
    for key in ("depth", "nodes"):
        number = options.get(key, 1)
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise MatchError(f"agent: {name!r}: {key} is {number!r}, expected a whole number of at least 1")


def words_of(command: str, whose: str = "") -> list[str]:
    """Return a program and its arguments, quoted as a shell has them; no shell reads them.

    Raises MatchError, whose message begins with `whose` command it is.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise MatchError(f"{whose}{command!r} is no command: {error}") from None
    if not words:
        raise MatchError(f"{whose}{command!r} is no command: expected a program and its arguments")
    return words


def check_program(name: str, command: Sequence[str]) -> None:
    """Raise MatchError where the program is not there."""
    if shutil.which(command[0]) is None:
        raise MatchError(f"agent: {name!r}: there is no program {command[0]!r}")


def shown(line: str) -> str:
    """A line of the protocol as messages quote it; the longest is a `newgame` with its plies."""
    return quoted(line, LONGEST_SHOWN) + (" …" if len(line) > LONGEST_SHOWN else "")


class EngineProcess:
    """A process that takes lines, and answers some of them by lines with a known last one."""

    def __init__(self, command: list[str]) -> None:
        with ExitStack() as begun:
            try:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,  # Ctrl+C is for the match
                )
                begun.enter_context(self._process)
                begun.callback(self._process.kill)
                self._guard = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", GUARD, str(self._process.pid)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            except OSError as error:
                raise PlayerError(f"could not be started: {error.strerror}") from None
            begun.pop_all()
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_LINES)
        self._is_closed = False
        self._complaint = ""
        self._complaints = threading.Thread(target=self._hear, daemon=True)
        self._complaints.start()
        threading.Thread(target=self._listen, daemon=True).start()

    def tell(self, line: str) -> None:
        """Write a line. Raises PlayerError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise PlayerError(f"{self._ended()} before it was asked {shown(line)}") from None

    def answer(
        self, to: str, timeout: float, end: str, on_line: Callable[[str], None] = lambda line: None
    ) -> list[str]:
        """The lines up to one that begins with the word `end`, within `timeout`. Raises PlayerError."""
        lines: list[str] = []
        until = time.monotonic() + timeout
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                wrote = f": it wrote {quoted(lines[-1])} and no {end!r}" if lines else ""
                raise PlayerError(f"did not answer {to} within {timeout:g} s{wrote}") from None
            if line is END:
                raise PlayerError(f"{self._ended()} and did not answer {to}")
            if len(line) > LONGEST_LINE or len(lines) == MOST_LINES:
                raise PlayerError(f"answered {to} with more than the protocol has")
            text = line.decode("utf-8", "replace").strip()
            if text:
                lines.append(text)
                on_line(text)
            if text.split(" ", 1)[0] == end:
                return lines

    def close(self) -> None:
        """End the process at once."""
        self._is_closed = True
        self._guard.kill()  # first: the id of an ended process may be reused
        self._guard.communicate()
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(OSError):  # unread output is dropped
                self._process.stdin.close()

    def _ended(self) -> str:
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._complaints.join(1)
        return f"ended with code {code}" + (f" ({shown(self._complaint)})" if self._complaint else "")

    def _hear(self) -> None:
        """Keep the last line that the engine wrote on its standard error."""
        assert self._process.stderr is not None
        with self._process.stderr as errors:
            while line := errors.readline(LONGEST_LINE):
                self._complaint = line.decode("utf-8", "replace").strip() or self._complaint

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output:
            while not self._is_closed:
                line = output.readline(LONGEST_LINE + 1)
                self._tell(line or END)
                if not line:
                    return

    def _tell(self, line: bytes | None) -> None:
        while not self._is_closed:
            try:
                self._lines.put(line, timeout=0.1)
            except queue.Full:
                continue
            return
