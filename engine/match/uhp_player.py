"""Players that are programs of their own: any engine that speaks the Universal Hive Protocol.

An engine is started without a shell when its game begins and ended with it, so it carries nothing over. A
fault loses its game, and is reported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from plyscope.engine.game import GameError, State
from plyscope.engine.games.hive.notation import THREEFOLD
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.engine_process import GRACE, TIMEOUT, EngineProcess, check_program, shown
from plyscope.engine.match.errors import REFUSED_FIRST, MatchError, PlayerError, RefusedError
from plyscope.engine.quoting import quoted
from plyscope.engine.record.recording import Recording

BOUNDS: Final = ("seconds", "depth")
"""The possible limits of a search."""


def check_engine(name: str, options: Mapping[str, Any], game: Any) -> None:
    """Raise MatchError where the game is not Hive, or the program is not there."""
    if game.name != "hive":
        raise MatchError(f"agent: {name!r} speaks the Universal Hive Protocol, which is not for {game.name}")
    check_program(name, options["uhp"])


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
    """The commands that ask an engine for a ply: the protocol's, then one that only some engines know.

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
    """A player that takes an engine's answer to `bestmove`. Every fault of the engine is a PlayerError."""

    recording: Recording | None = None
    """None: an engine's search is not known."""

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
                self._engine.answered("its start", self._start_timeout)
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
        """Send the new plies; a position that does not follow from the last one begins a new game."""
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


def is_refusal(line: str) -> bool:
    """Whether a line of an answer is a refusal."""
    return line.split(" ")[0] in ("err", "invalidmove")


class Engine(EngineProcess):
    """An engine that answers each line with lines up to `ok`."""

    def ask(self, line: str, timeout: float) -> list[str]:
        """The lines of the answer to one line, without `ok`. Raises PlayerError, RefusedError."""
        self.tell(line)
        return self.answered(shown(line), timeout)

    def answered(self, to: str, timeout: float) -> list[str]:
        """The same where it was asked before, or answers unasked."""
        *lines, _ = self.answer(to, timeout, "ok")
        if refusal := next(filter(is_refusal, lines), None):
            raise RefusedError(f"{to} with {shown(refusal)}")
        return lines


def player_of(arbiter: Arbiter, options: Mapping[str, Any]) -> UhpPlayer:
    """The player of an agent with these options."""
    return UhpPlayer(arbiter, options)
