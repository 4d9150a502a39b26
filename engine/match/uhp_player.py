"""Players that are programs of their own: any engine that speaks the Universal Hive Protocol.

An engine is started without a shell when its game begins and ended with it, so it carries nothing over. What
it does wrong loses its game, and is said.
"""

from __future__ import annotations

import math
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from plyscope.engine.game import GameError, State
from plyscope.engine.games.hive.notation import THREEFOLD
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import REFUSED_FIRST, MatchError, PlayerError, RefusedError
from plyscope.engine.quoting import quoted
from plyscope.engine.record.recording import Recording

KEYS: Final = ("uhp", "seconds", "depth", "timeout")
GRACE: Final = 5.0
"""Seconds that an engine may take beyond those of its search."""
TIMEOUT: Final = 60.0
"""Seconds for an answer that is bound by no time: a search by depth, a start."""
LONGEST_LINE: Final = 1 << 16
LONGEST_SHOWN: Final = 200
"""Characters of a line of the protocol that a message quotes."""
MOST_LINES: Final = 10_000
"""Lines of one answer."""
END: Final = None
"""What the reading thread tells when the engine's output is over."""


def check_options(name: str, options: Mapping[str, Any]) -> None:
    """Raise MatchError where these are no options of an engine."""
    for key in options:
        if key not in KEYS:
            raise MatchError(f"agent: {name!r} has an unknown option {key!r}, expected {', '.join(KEYS)}")
    command = options["uhp"]
    if not isinstance(command, list | tuple) or not command or not all(isinstance(x, str) for x in command):
        raise MatchError(f"agent: {name!r}: uhp is {command!r}, expected a program and its arguments")
    if ("seconds" in options) == ("depth" in options):
        raise MatchError(f"agent: {name!r}: an engine takes either seconds or depth, such as seconds=0.1")
    for key in ("seconds", "timeout"):
        number = options.get(key, 1)
        if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number < 86_400:
            raise MatchError(f"agent: {name!r}: {key} is {number!r}, expected seconds of less than a day")
    depth = options.get("depth", 1)
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise MatchError(f"agent: {name!r}: depth is {depth!r}, expected a whole number of at least 1")


def check_engine(name: str, options: Mapping[str, Any], game: Any) -> None:
    """Raise MatchError where the game is not Hive, or the program is not there."""
    if game.name != "hive":
        raise MatchError(f"agent: {name!r} speaks the Universal Hive Protocol, which is not for {game.name}")
    if shutil.which(options["uhp"][0]) is None:
        raise MatchError(f"agent: {name!r}: there is no program {options['uhp'][0]!r}")


def whole_seconds(options: Mapping[str, Any]) -> int | None:
    """The seconds that an engine is given a ply: the protocol's clock has whole ones, so they are rounded up.

    None for a search by depth.
    """
    return math.ceil(options["seconds"]) if "seconds" in options else None


def rounding(name: str, options: Mapping[str, Any]) -> str | None:
    """A sentence that says how the seconds of an engine were rounded; None where they were not.

    >>> rounding("n", {"seconds": 0.1}), rounding("n", {"seconds": 2.0})
    ("n is given 1 s a ply, not 0.1: the protocol's clock has whole seconds.", None)
    """
    seconds = whole_seconds(options)
    if seconds is None or seconds == options["seconds"]:
        return None
    asked = f"{options['seconds']:g}"
    return f"{name} is given {seconds} s a ply, not {asked}: the protocol's clock has whole seconds."


def questions(options: Mapping[str, Any]) -> tuple[str, ...]:
    """How an engine may be asked for a ply: as the protocol says, then in words that some engines have.

    >>> questions({"seconds": 64.5})
    ('bestmove time 00:01:05', 'bestmove seconds 65')
    """
    seconds = whole_seconds(options)
    if seconds is None:
        return (f"bestmove depth {options['depth']}",)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"bestmove time {clock}", f"bestmove seconds {seconds}"


_taken: Final[dict[tuple[str, ...], int]] = {}
"""By program and arguments which of the questions the engine took, so that others are not tried again."""


class UhpPlayer:
    """Takes what an engine answers to `bestmove`. Every error of the engine is a PlayerError."""

    recording: Recording | None = None
    """What an engine searched is not known."""

    def __init__(self, arbiter: Arbiter, options: Mapping[str, Any]) -> None:
        self._arbiter, self._command = arbiter, list(options["uhp"])
        self._questions = questions(options)
        seconds = whole_seconds(options)
        own = TIMEOUT if seconds is None else seconds + GRACE
        self._timeout = float(options.get("timeout", own))
        self._start_timeout = max(TIMEOUT, self._timeout)
        self._engine: Engine | None = None
        self._known: list[str] = []
        self._has_chosen = False

    def choose(self, state: State) -> int:
        """Tell the engine what was played, and read its ply."""
        try:
            if self._engine is None:
                self._engine = Engine(self._command)
                self._engine.answer("its start", self._start_timeout)
            fields = self._arbiter.write(state).removeprefix(THREEFOLD).split(";")
            self._tell(self._engine, fields)
            asked, lines = self._ask(self._engine)
        except RefusedError as error:
            if self._has_chosen:
                raise
            raise PlayerError(f"{REFUSED_FIRST}: {error.said}") from None
        if not lines:
            raise PlayerError(f"answered {quoted(asked)} with no ply")
        ply = self._read(state, asked, lines[-1])  # some say before it what they searched
        self._has_chosen = True
        return ply

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            self._engine.close()

    def _tell(self, engine: Engine, fields: list[str]) -> None:
        """Play what is new; a position that does not follow from the last one is a game of its own."""
        plies = fields[3:]
        if self._known and plies[: len(self._known)] == self._known:
            for ply in plies[len(self._known) :]:
                engine.ask("pass" if ply == "pass" else f"play {ply}", self._timeout)
        else:
            engine.ask(f"newgame {';'.join(fields) if plies else fields[0]}", self._timeout)
        self._known = plies

    def _ask(self, engine: Engine) -> tuple[str, list[str]]:
        """Ask for a ply: the question that the engine took, and its lines. Raises PlayerError."""
        program = tuple(self._command)
        refused = []
        for number, question in enumerate(self._questions):
            if _taken.get(program, number) != number:
                continue
            try:
                lines = engine.ask(question, self._timeout)
            except RefusedError as error:
                refused.append(error.said)
                continue
            _taken[program] = number
            return question, lines
        raise RefusedError(", ".join(refused))

    def _read(self, state: State, asked: str, text: str) -> int:
        game: Any = self._arbiter.game
        try:
            ply = int(game.read_ply(state, text))
        except GameError:
            ply = -1
        if ply not in self._arbiter.legal(state):
            raise PlayerError(f"answered {quoted(asked)} with {quoted(text)}, which is no legal ply")
        return ply


def shown(line: str) -> str:
    """A line of the protocol as messages quote it; the longest is a `newgame` with its plies."""
    return quoted(line, LONGEST_SHOWN) + (" …" if len(line) > LONGEST_SHOWN else "")


def is_refusal(line: str) -> bool:
    """Whether a line of an answer says that the engine does not do what it was asked."""
    return line.split(" ")[0] in ("err", "invalidmove")


class Engine:
    """A process that is asked a line at a time, and answers with lines up to `ok`."""

    def __init__(self, command: list[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl+C is for the match
            )
        except OSError as error:
            raise PlayerError(f"could not be started: {error.strerror}") from None
        self._lines: queue.Queue[bytes | None] = queue.Queue(MOST_LINES)
        self._is_closed = False
        threading.Thread(target=self._listen, daemon=True).start()

    def ask(self, line: str, timeout: float) -> list[str]:
        """The lines of the answer to one line, without `ok`. Raises PlayerError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise PlayerError(f"{self._ended()} before it was asked {shown(line)}") from None
        return self.answer(shown(line), timeout)

    def answer(self, to: str, timeout: float) -> list[str]:
        """The lines up to `ok`, within so many seconds. Raises PlayerError, RefusedError."""
        lines: list[str] = []
        until = time.monotonic() + timeout
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                wrote = f": it wrote {quoted(lines[-1])} and no 'ok'" if lines else ""
                raise PlayerError(f"did not answer {to} within {timeout:g} s{wrote}") from None
            if line is END:
                raise PlayerError(f"{self._ended()} and did not answer {to}")
            text = line.decode("utf-8", "replace").strip()
            if text == "ok":
                if refusal := next(filter(is_refusal, lines), None):
                    raise RefusedError(f"{to} with {shown(refusal)}")
                return lines
            if len(line) > LONGEST_LINE or len(lines) == MOST_LINES:
                raise PlayerError(f"answered {to} with more than the protocol has")
            if text:
                lines.append(text)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._is_closed = True
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with suppress(OSError):  # what was not read is nobody's loss
                self._process.stdin.close()

    def _ended(self) -> str:
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"ended with code {code}"

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
