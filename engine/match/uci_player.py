"""Players that speak the Universal Chess Interface (UCI), for a game whose positions are FENs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any, Final, Self

from plyscope.engine.game import GameError, State
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.engine_process import GRACE, TIMEOUT, EngineProcess, check_program, shown
from plyscope.engine.match.errors import MatchError, PlayerError
from plyscope.engine.quoting import quoted
from plyscope.engine.record.recording import Recording

BOUNDS: Final = ("seconds", "depth", "nodes")
"""The possible limits of a search."""
ANY_TIME: Final = 86_400.0
"""The seconds for an answer without a time limit."""
_OPTION: Final = re.compile(r"option name (.+?) type \S+")


def check_engine(name: str, options: Mapping[str, Any], game: Any) -> None:
    """Raise MatchError where the game is not chess, or the program is not there."""
    if game.name != "chess":
        raise MatchError(f"agent: {name!r} speaks UCI, which is not for {game.name}")
    check_program(name, options["uci"])


def go_words(options: Mapping[str, Any]) -> str:
    """The `go` of a search that is bound by options.

    >>> go_words({"seconds": 0.25}), go_words({"depth": 3})
    ('go movetime 250', 'go depth 3')
    """
    if "seconds" in options:
        return f"go movetime {max(1, round(1000 * options['seconds']))}"
    return next(f"go {bound} {options[bound]}" for bound in ("depth", "nodes") if bound in options)


class UciEngine(EngineProcess):
    """An engine that said `uciok` and took its options. Raises PlayerError for whatever it does wrong."""

    def __init__(self, command: list[str], options: Mapping[str, str], timeout: float = TIMEOUT) -> None:
        super().__init__(command)
        try:
            try:
                self.tell("uci")
                lines = self.answer("'uci'", timeout, "uciok")
            except PlayerError as error:
                raise PlayerError(f"{error}; does it speak UCI?") from None
            known = [found[1] for line in lines if (found := _OPTION.match(line))]
            self.name = next((line[8:] for line in lines if line.startswith("id name ")), command[0])
            self.options = {_named(name, known): value for name, value in options.items()}
            for name, value in self.options.items():
                self.tell(f"setoption name {name} value {value}")
            self.is_ready(timeout)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def is_ready(self, timeout: float) -> None:
        """Wait until the engine has processed all lines."""
        self.tell("isready")
        self.answer("'isready'", timeout, "readyok")

    def search(
        self,
        position: str,
        go: str,
        timeout: float,
        on_line: Callable[[str], None] = lambda line: None,
    ) -> list[str]:
        """Return its lines about a search; the last one has its ply. Ctrl+C stops the search early."""
        self.tell(f"position {position if position.startswith('startpos') else f'fen {position}'}")
        self.tell(go)
        lines: list[str] = []

        def take(line: str) -> None:
            lines.append(line)
            on_line(line)

        try:
            self.answer(shown(go), timeout, "bestmove", take)
        except KeyboardInterrupt:
            self.tell("stop")
            self.answer("'stop'", GRACE, "bestmove", take)
        return lines

    def perft(self, position: str, depth: int) -> list[str]:
        """The leaves below each ply as the engine prints them, up to `Nodes searched`."""
        self.tell(f"position fen {position}")
        self.tell(f"go perft {depth}")
        return self.answer(f"'go perft {depth}'", ANY_TIME, "Nodes", _refuse_search)


def _refuse_search(line: str) -> None:
    """Raise PlayerError for a line of a search: an engine without perft takes `go perft` for `go`."""
    if line.startswith(("info depth", "info currmove", "bestmove")):
        raise PlayerError(f"does not know 'go perft' and searches: it wrote {shown(line)}")


def _named(name: str, known: list[str]) -> str:
    """An option as the engine writes it. Raises PlayerError where it has none of this name."""
    if (same := next((each for each in known if each.lower() == name.lower()), None)) is not None:
        return same
    close = get_close_matches(name, known, 1)
    raise PlayerError(f"has no option {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""))


class UciPlayer:
    """Takes the `bestmove` of an engine. Every error of the engine is a PlayerError."""

    recording: Recording | None = None
    """None: the tree that an engine searched is not known."""

    def __init__(self, arbiter: Arbiter, options: Mapping[str, Any]) -> None:
        self._arbiter, self._command = arbiter, list(options["uci"])
        self._options = options.get("options", {})
        self._go = go_words(options)
        own = options["seconds"] + GRACE if "seconds" in options else TIMEOUT
        self._timeout = float(options.get("timeout", own))
        self._engine: UciEngine | None = None

    def choose(self, state: State) -> int:
        """Have the engine search the position, and read its ply."""
        if self._engine is None:
            self._engine = UciEngine(self._command, self._options, max(TIMEOUT, self._timeout))
            self._engine.tell("ucinewgame")
            self._engine.is_ready(self._timeout)
        last = self._engine.search(self._arbiter.write(state), self._go, self._timeout)[-1]
        words = last.split()
        if len(words) < 2:
            raise PlayerError(f"answered {quoted(self._go)} with no ply")
        try:
            ply = int(self._arbiter.game.read_ply(state, words[1]))
        except GameError:
            ply = -1
        if ply not in self._arbiter.legal(state):
            raise PlayerError(f"answered {quoted(self._go)} with {quoted(words[1])}, which is no legal ply")
        return ply

    def close(self) -> None:
        """End the engine."""
        if self._engine is not None:
            self._engine.close()


def player_of(arbiter: Arbiter, options: Mapping[str, Any]) -> UciPlayer:
    """The player of an agent with these options."""
    return UciPlayer(arbiter, options)
