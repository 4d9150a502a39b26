"""One conversation in the Universal Hive Protocol: a line in, its answer out, always ended by `ok`.

It knows neither standard input nor the command line; the game and its rules are the engine's. Whatever comes
in is answered: `invalidmove` for a ply that is not legal, `err` for everything else that cannot be done.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from engine.games.hive import GAME
from engine.perft import perft
from engine.recording import Recording
from engine.run import Progress, search
from visualizer.formats.errors import LogError
from visualizer.uhp import options, thinking
from visualizer.uhp.errors import CommandError, PlyError, one_line
from visualizer.uhp.match import Match
from visualizer.version import __version__

OK: Final = "ok"
START: Final = "Base"
MOST_PERFT: Final = 20
PERFT_WITHOUT_ASKING: Final = 3

USAGE: Final = {
    "info": "info: the engine's name, and the expansions that it plays",
    "newgame": "newgame [GameTypeString | GameString]: begin, or play a game through",
    "play": "play MoveString: play a ply",
    "pass": "pass: play a pass, where nothing else is legal",
    "validmoves": "validmoves: every legal ply",
    "bestmove": "bestmove time hh:mm:ss | bestmove depth N: the ply that the engine would play",
    "undo": "undo [N]: take plies back",
    "options": "options [get Name | set Name Value]: list, show or set options",
    "perft": "perft [N]: count the ways to play on for up to N plies",
    "help": "help [command]: these lines, and what the options do",
    "exit": "exit: leave",
}

log = logging.getLogger(__name__)


class Session:
    """A conversation: feed `answer` the lines that come in, until `is_over`.

    `log_folder` is where searches are written while the option WriteLogs is on. With `compiled=False`
    everything runs as plain Python.

    >>> session = Session(Path("logs"), compiled=False)
    >>> list(session.answer("dance"))
    ["err unknown command 'dance'; help lists the commands", 'ok']
    """

    def __init__(self, log_folder: Path, *, writes_logs: bool = False, compiled: bool = True) -> None:
        """Raises CommandError where logs are to be written and cannot be."""
        self.is_over = False
        self._game: Any = GAME
        self._compiled = compiled
        self._log_folder = log_folder
        self._settings = options.Settings()
        self._match: Match | None = None
        self._name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        self._n_games = 0
        self._n_searches = 0
        self._unwritten: Recording | None = None
        self._commands: dict[str, Callable[[str], Iterator[str]]] = {
            name: getattr(self, f"_{name}") for name in USAGE
        }
        if writes_logs:
            self._set("WriteLogs", "True")

    def answer(self, line: str) -> Iterator[str]:
        """The lines that answer `line`, one by one; what follows `ok` is done behind the viewer's back."""
        name, _, rest = line.strip().removeprefix("\ufeff").partition(" ")
        command = self._commands.get(name.lower())
        try:
            if command is None:
                raise CommandError(f"unknown command {name[:40]!r}; help lists the commands")
            yield from command(rest.strip())
        except PlyError as error:
            yield f"invalidmove {error}"
        except CommandError as error:
            yield f"err {error}"
        if not self.is_over:
            yield OK
        self._write_log()

    def get_ready(self, on_progress: Callable[[Progress], None] | None = None) -> None:
        """Have the machine code of the search at hand before somebody waits for it: seconds, once."""
        if self._compiled:
            asked = thinking.asked_of_search(self._settings, 0, depth=1)
            search(self._game, START, asked, on_progress)

    # The commands ---------------------------------------------------------------------------------------

    def _info(self, rest: str) -> Iterator[str]:
        _nothing("info", rest)
        yield f"id plyscope {__version__}"
        yield "Mosquito;Ladybug;Pillbug"

    def _newgame(self, rest: str) -> Iterator[str]:
        match = Match(self._game, rest or START, threefold=bool(self._settings["Threefold"]))
        self._match = match
        self._n_games += 1
        yield match.game_string

    def _play(self, rest: str) -> Iterator[str]:
        match = self._playing()
        match.play(rest)
        yield match.game_string

    def _pass(self, rest: str) -> Iterator[str]:
        _nothing("pass", rest)
        yield from self._play("pass")

    def _validmoves(self, rest: str) -> Iterator[str]:
        _nothing("validmoves", rest)
        match = self._playing()
        match.must_go_on()
        yield ";".join(match.legal())

    def _bestmove(self, rest: str) -> Iterator[str]:
        match = self._playing()
        match.must_go_on()
        how, _, much = rest.partition(" ")
        if how.lower() == "time":
            seconds = max(thinking.parse_time(much), thinking.LEAST_SECONDS)
            asked = thinking.asked_of_search(self._settings, match.n_played, seconds=seconds)
        elif how.lower() == "depth":
            depth = thinking.parse_depth(much)
            asked = thinking.asked_of_search(self._settings, match.n_played, depth=depth)
        else:
            raise CommandError(f"bestmove {rest[:40]!r}: expected {USAGE['bestmove']}")
        ply = thinking.from_openings(match, self._settings)
        if ply is None:
            recording = thinking.best_ply(self._game, match.position, asked, compiled=self._compiled)
            if asked.record:
                self._unwritten = recording
            ply = recording.ply
        yield str(ply)

    def _undo(self, rest: str) -> Iterator[str]:
        match = self._playing()
        if rest and re.fullmatch(r"\d{1,6}", rest, re.ASCII) is None:
            raise CommandError(f"undo {rest[:40]!r}: expected a whole number from 1")
        match.undo(int(rest or 1))
        yield match.game_string

    def _options(self, rest: str) -> Iterator[str]:
        words = rest.split(maxsplit=2)
        if not words:
            yield from self._settings.lines()
        elif words[0].lower() == "get" and len(words) == 2:
            yield self._settings.get(words[1])
        elif words[0].lower() == "set" and len(words) == 3:
            yield self._set(words[1], words[2])
        else:
            raise CommandError(f"options {rest[:40]!r}: expected {USAGE['options']}")

    def _perft(self, rest: str) -> Iterator[str]:
        match = self._playing()
        depth = rest or str(PERFT_WITHOUT_ASKING)
        if re.fullmatch(r"\d{1,3}", depth, re.ASCII) is None or int(depth) > MOST_PERFT:
            raise CommandError(f"perft {rest[:40]!r}: expected a whole number from 0 to {MOST_PERFT}")
        for plies in range(int(depth) + 1):
            begun = time.perf_counter()
            leaves = perft(self._game, match.state, plies, compiled=self._compiled)
            yield f"perft({plies}) = {leaves} in {time.perf_counter() - begun:.3f} s"

    def _help(self, rest: str) -> Iterator[str]:
        if rest:
            if rest.lower() not in USAGE:
                raise CommandError(f"unknown command {rest[:40]!r}; help lists the commands")
            yield USAGE[rest.lower()]
            return
        yield from USAGE.values()
        for option in options.OPTIONS:
            yield f"option {option.name}: {option.does}"

    def _exit(self, rest: str) -> Iterator[str]:
        self.is_over = True
        yield from ()

    # Behind them ----------------------------------------------------------------------------------------

    def _playing(self) -> Match:
        if self._match is None:
            raise CommandError("no game; newgame begins one")
        return self._match

    def _set(self, name: str, text: str) -> str:
        """Set an option; raises CommandError where its folder cannot be written to."""
        before = bool(self._settings["WriteLogs"])
        line = self._settings.set(name, text)
        if self._settings["WriteLogs"] and not before:
            try:
                thinking.check_folder(self._log_folder)
            except (OSError, LogError) as error:
                self._settings.set("WriteLogs", "False")
                raise CommandError(f"WriteLogs: {one_line(error)}") from None
            self.get_ready()
        return line

    def _write_log(self) -> None:
        recording, self._unwritten = self._unwritten, None
        if recording is None or self._match is None:
            return
        self._n_searches += 1
        place = thinking.log_path(
            self._log_folder, self._name, self._n_games, self._match.n_played, self._n_searches
        )
        try:
            thinking.write_log(recording, place)
        except LogError as error:
            log.warning("%s", error)


def _nothing(command: str, rest: str) -> None:
    """Raise CommandError where a command that takes nothing was given something."""
    if rest:
        raise CommandError(f"{command} {rest[:40]!r}: expected {USAGE[command]}")
