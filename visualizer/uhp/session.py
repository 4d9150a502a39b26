"""One conversation in the Universal Hive Protocol: a line in, its answer out, always ended by `ok`.

It knows neither standard input nor the command line; the game and its rules are the engine's. Every line is
answered: with `invalidmove` for an illegal ply, with `err` for everything else that cannot be done.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from plyscope.engine.games.hive import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.perft import perft
from plyscope.engine.quoting import quoted
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import prepare
from plyscope.version import __version__
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.uhp import ply_choice
from plyscope.visualizer.uhp.inbox import LONGEST_LINE
from plyscope.visualizer.uhp.levels import OPTIONS, Settings
from plyscope.visualizer.uhp.log_writer import LogWriter
from plyscope.visualizer.uhp.match import CommandError, Match, PlyError, one_line

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

AT_ONCE: Final = frozenset({"info", "options", "help", "exit"})  # need neither rules nor search

log = logging.getLogger(__name__)


class Session:
    """A conversation: feed `answer` the lines that come in, until `is_over`; then finish the `logs`.

    `log_folder` is where searches are written while the option WriteLogs is on. `should_stop` is asked some
    thirty times a second while a `bestmove` or `perft` runs: once it answers True, the first is answered with
    the best ply so far. `report` is given the lines that a `bestmove` has to say before its answer, as they
    come; where it is None they begin the answer. Searches run by machine code as soon as there is any, with
    `compiled=False` always as plain Python, and counts too.

    >>> session = Session(Path("logs"), compiled=False)
    >>> list(session.answer("dance"))
    ["err unknown command 'dance'; help lists the commands", 'ok']
    """

    def __init__(
        self,
        log_folder: Path,
        *,
        writes_logs: bool = False,
        compiled: bool | None = None,
        should_stop: Callable[[], bool] | None = None,
        report: Callable[[str], None] | None = None,
    ) -> None:
        """Raises CommandError where logs are to be written and cannot be."""
        self.is_over = False
        self.is_thinking = False
        """Whether a command is being answered that `should_stop` can end."""
        self.logs = LogWriter(log_folder)
        self._game: Any = GAME
        self._compiled = compiled
        self._should_stop = should_stop
        self._report = report
        self._settings = Settings()
        self._match: Match | None = None
        self._name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        self._n_games = 0
        self._n_searches = 0
        self._unwritten: Recording | None = None
        self._begun = 0.0
        self._is_ready: dict[bool, Callable[[], bool]] = {}
        """Whether the search that records, or the one that does not, is loaded: it is when there is code."""
        self._commands: dict[str, Callable[[str], Iterator[str]]] = {
            name: getattr(self, f"_{name}") for name in USAGE
        }
        self._settings.set("WriteLogs", str(writes_logs))
        self._check_folder()

    def answer(self, line: str) -> Iterator[str]:
        """The lines that answer `line`, one by one; work after `ok` is done in the background.

        A blank line is no command and has no answer.
        """
        self._begun = time.perf_counter()
        words = line.removeprefix("\ufeff").split(maxsplit=1)
        if not words:
            return
        name, rest = words[0], words[1].strip() if len(words) > 1 else ""
        command = self._commands.get(name.lower())
        try:
            if len(line) > LONGEST_LINE:
                raise CommandError(f"a line of more than {LONGEST_LINE:,} characters: expected a command")
            if command is None:
                raise CommandError(f"unknown command {quoted(name)}; help lists the commands")
            if name.lower() not in AT_ONCE:
                self.get_ready()
            yield from command(rest)
        except PlyError as error:
            yield f"invalidmove {error}"
        except CommandError as error:
            yield f"err {error}"
        finally:
            self.is_thinking = False
        if not self.is_over:
            yield OK
        self._write_log()

    @property
    def writes_logs(self) -> bool:
        """Whether searches leave logs, as the options stand."""
        return bool(self._settings["WriteLogs"])

    def get_ready(self) -> bool:
        """Load the machine code of the search that the options need, or have it made; False meanwhile.

        A search that writes a log has machine code of its own.
        """
        records = self.writes_logs
        if records not in self._is_ready:
            asked = ply_choice.options_of_bestmove(self._settings, 0, depth=1)
            step = prepare(self._game, replace(asked, record=records), compiled=self._compiled)
            self._is_ready[records] = step
        return self._is_ready[records]()

    # The commands ---------------------------------------------------------------------------------------

    def _info(self, rest: str) -> Iterator[str]:
        _nothing("info", rest)
        yield f"id plyscope {__version__}"
        yield "Mosquito;Ladybug;Pillbug"

    def _newgame(self, rest: str) -> Iterator[str]:
        match = Match(self._game, rest or START, threefold=bool(self._settings["Threefold"]))
        if match.contradiction is not None:
            log.warning("newgame: %s", match.contradiction)
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
        how, much = (*rest.split(maxsplit=1), "", "")[:2]
        depth = seconds = None
        if how.lower() == "time":
            seconds = max(ply_choice.parse_time(much), ply_choice.LEAST_SECONDS)
        elif how.lower() == "depth":
            depth = ply_choice.parse_depth(much)
        else:
            raise CommandError(f"bestmove {quoted(rest)}: expected {USAGE['bestmove']}")
        ply = ply_choice.from_openings(match, self._settings)
        if ply is None:
            asked = ply_choice.options_of_bestmove(
                self._settings, match.n_played, depth=depth, seconds=seconds
            )
            if match.n_legal == 1:
                asked = replace(asked, depth=1, iterative=False, table=None)
            if asked.seconds is not None:
                left = ply_choice.seconds_of_search(asked.seconds, time.perf_counter() - self._begun)
                asked = replace(asked, seconds=left)
            reports: list[str] = []
            ply = self._thought(asked, self._report or reports.append)
            yield from reports
        yield ply

    def _thought(self, asked: SearchOptions, report: Callable[[str], None]) -> str:
        """The ply that a search finds, whose log is to be written once it was said."""
        reports = bool(self._settings["ReportIntermediateBestMoves"])
        self.is_thinking = True
        recording = ply_choice.best_ply(
            self._game,
            self._playing().position,
            asked,
            compiled=self._compiled,
            should_stop=self._should_stop,
            on_iteration=(lambda iteration: report(ply_choice.iteration_line(iteration)))
            if reports
            else None,
        )
        if asked.record:
            self._unwritten = recording
        return str(recording.ply)

    def _undo(self, rest: str) -> Iterator[str]:
        match = self._playing()
        if rest and re.fullmatch(r"\d{1,6}", rest, re.ASCII) is None:
            raise CommandError(f"undo {quoted(rest)}: expected a whole number from 1")
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
            raise CommandError(f"options {quoted(rest)}: expected {USAGE['options']}")

    def _perft(self, rest: str) -> Iterator[str]:
        match = self._playing()
        depth = rest or str(PERFT_WITHOUT_ASKING)
        if re.fullmatch(r"\d{1,3}", depth, re.ASCII) is None or int(depth) > MOST_PERFT:
            raise CommandError(f"perft {quoted(rest)}: expected a whole number from 0 to {MOST_PERFT}")
        self.is_thinking = True
        for plies in range(int(depth) + 1):
            begun = time.perf_counter()
            leaves = perft(
                self._game,
                match.state,
                plies,
                compiled=self._compiled is not False,
                progress=self._stop_counting,
            )
            yield f"perft({plies}) = {leaves} in {time.perf_counter() - begun:.3f} s"

    def _help(self, rest: str) -> Iterator[str]:
        if rest:
            if rest.lower() not in USAGE:
                raise CommandError(f"unknown command {quoted(rest)}; help lists the commands")
            yield USAGE[rest.lower()]
            return
        yield from USAGE.values()
        for option in OPTIONS:
            yield f"option {option.name}: {option.does}"
        yield f"folder of logs: {self.logs.folder.resolve()}"

    def _exit(self, rest: str) -> Iterator[str]:
        self.is_over = True
        yield from ()

    def _stop_counting(self, n_leaves: int) -> None:
        if self._should_stop is not None and self._should_stop():
            raise CommandError(f"perft: stopped after {n_leaves} leaves")

    # Behind them ----------------------------------------------------------------------------------------

    def _playing(self) -> Match:
        if self._match is None:
            raise CommandError("no game; newgame begins one")
        return self._match

    def _set(self, name: str, text: str) -> str:
        """Set an option; raises CommandError where its folder cannot be written to."""
        before = self._settings["WriteLogs"]
        line = self._settings.set(name, text)
        if self._settings["WriteLogs"] != before:
            self._check_folder()
        return line

    def _check_folder(self) -> None:
        """Raise CommandError, and turn logs off, where they are asked for and cannot be written."""
        if not self._settings["WriteLogs"]:
            return
        try:
            self.logs.check_folder()
        except (OSError, LogError) as error:
            self._settings.set("WriteLogs", "False")
            folder, why = self.logs.folder.resolve(), getattr(error, "strerror", None) or one_line(error)
            raise CommandError(
                f"WriteLogs: no logs can be written into {folder} ({why}); --log-folder names another"
            ) from None

    def _write_log(self) -> None:
        recording, self._unwritten = self._unwritten, None
        if recording is None or self._match is None:
            return
        self._n_searches += 1
        name = f"{self._name}-{self._n_searches:04}"
        self.logs.write(recording, self._n_games, self._match.n_played, name)


def _nothing(command: str, rest: str) -> None:
    """Raise CommandError where a command that takes nothing was given something."""
    if rest:
        raise CommandError(f"{command} {quoted(rest)}: expected {USAGE[command]}")
