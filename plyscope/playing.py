"""`plyscope.match`, `plyscope.tournament` and `plyscope.worst_plies`: players against each other."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypedDict, Unpack

from plyscope.engine.match.agents import Agent, agent_of, read_agent
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.game_logs import WantedLogs
from plyscope.engine.match.games import DRAW, Played, Terms, Why
from plyscope.engine.match.match import Match, match_of, read_file
from plyscope.engine.match.runner import run, verdict_of
from plyscope.engine.match.standing import standing_of
from plyscope.engine.match.workers import workers_of_machine
from plyscope.engine.quoting import counted
from plyscope.searching import find_game, interrupts
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.nodes.notebook import Block, Displayed, Figure, Table
from plyscope.visualizer.analysis.results import worst_plies as found
from plyscope.visualizer.analysis.results.answer import MatchPlayer, standings_of
from plyscope.visualizer.analysis.results.match_logs import MatchLogs
from plyscope.visualizer.analysis.results.text import games_left, lines, roundings, said, said_of_logs
from plyscope.visualizer.analysis.results.worst_plies import WorstPly
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.marks import LONGEST_START, is_games_file
from plyscope.visualizer.shelf.catalogue import LOG_ENDINGS

GAMES_OF_A_MATCH: Final = 100
GAMES_OF_A_PAIR: Final = 10
LEAST_GAP: Final = 0.5
"""Points of Elo from which on a player is said to be ahead of another."""
TEXTS: Final = ("game", "position", "adjudicate", "log", "logs")
NUMBERS: Final = ("games", "opening", "plies", "seed")
KEYS: Final = (*TEXTS[:2], *NUMBERS, *TEXTS[2:], "agents")

AgentLine = str | Mapping[str, Any]
Place = str | os.PathLike[str]


class GameTerms(TypedDict, total=False):
    """The terms of all games, named as on the command line; `plyscope match --help` explains them."""

    games: int | None
    opening: int | None
    plies: int | None
    adjudicate: str | None
    seed: int | None
    workers: int | None
    scheduler: str | None
    output: Place | None
    log: str | None
    logs: Place | None


@dataclass(frozen=True)
class MatchGame(Displayed):
    """A game of a match.

    players  by name, who moved first stands first
    winner   None: it was a draw
    why      `over` by the rules, `length`, `adjudicated`, `resigned`, `going` while a person plays it, or
             `fault`: then `fault` says what the loser did
    plies    all, those of the opening too
    seconds  that both players took, in the order of `players`
    logs     the logs of its searches by player, a path a ply
    no_logs  by player why it has none, though they were asked for
    """

    number: int
    players: tuple[str, str]
    winner: str | None
    why: Why
    plies: tuple[str, ...]
    seconds: tuple[float, float]
    fault: str | None
    logs: Mapping[str, tuple[Path, ...]]
    no_logs: Mapping[str, str]


class MatchResults(Displayed):
    """The results of a match or a tournament; printed they are the table of the command.

    games     in the order of their numbers; fewer than were asked for where a test in sequence was decided,
              or Ctrl+C was pressed
    faults    sentences on games that ended by a fault: what part of the result they are, and the faults
    warnings  sentences on what the games cannot say
    notices   sentences on seconds that were rounded, on games that are missing and on logs
    """

    def __init__(self, match: Match, games: Sequence[Played], better: float | None, asked: _Asked) -> None:
        self._match, self._played, self._better = match, list(games), better
        self._standing = standing_of([agent.name for agent in match.agents], games)
        self._home = None if asked.output is None else asked.output.parent
        self._verdict = verdict_of(games, better)
        self._figures = standings_of(match.as_json(), self._standing, games, self._verdict, better)
        self.faults = self._figures.faults_in_words
        told = () if asked.logs is None else said_of_logs(match, asked.logs, games)
        left = [] if asked.starts_engines or self.verdict not in (None, "go on") else games_left(match, games)
        self.notices = (*roundings(match), *left, *told)
        self.warnings = self._figures.warnings

    @property
    def players(self) -> tuple[MatchPlayer, ...]:
        """All players, the strongest first."""
        by_name = {each.name: each for each in self._figures.agents}
        return tuple(by_name[name] for name in self._figures.order)

    @property
    def games(self) -> tuple[MatchGame, ...]:
        """The games that were played."""
        return tuple(map(self._game, self._played))

    @property
    def verdict(self) -> Literal["better", "not better", "go on"] | None:
        """The verdict of the sequential test on the first player; None where no test was asked for."""
        return None if self._verdict is None else self._verdict.says

    def against(self, one: str, other: str) -> tuple[int, int, int]:
        """The games that `one` won, drew and lost against `other`. Raises KeyError for an unknown name."""
        score = {each.name: each for each in self._figures.agents}[one].against[other]
        return score.won, score.drawn, score.lost

    def as_json(self) -> dict[str, Any]:
        """All figures in plain JSON values, as `--json` prints them."""
        found: dict[str, Any] = as_json(self._figures)
        return found

    def __str__(self) -> str:
        told = lines(self._match, self._standing, self._played)
        if self._verdict is not None and self._better is not None:
            first, second = self._standing.names
            told += ["", said(self._verdict, first, second, self._better)]
        return "\n".join(told)

    def _blocks(self) -> Iterable[Block]:
        yield f"{self._match.game}: {counted(len(self._played), 'game')}"
        rows = [
            (one.name, one.won, one.drawn, one.lost, Figure(f"{one.share:.1%}"), Figure(f"{one.elo:.0f}"))
            for one in self.players
        ]
        yield Table(("player", "won", "drawn", "lost", "points", "Elo"), rows)
        yield from (*self.faults, *self.warnings, *self.notices)

    def __repr__(self) -> str:
        first, second = self._standing.order()[:2]
        ratings, names = self._standing.likely.ratings, self._standing.names
        ahead = names[first] if ratings[first] - ratings[second] >= LEAST_GAP else "nobody"
        n_games = counted(len(self._played), "game")
        return f"<MatchResults of {self._match.game}: {n_games}, {ahead} is ahead>"

    def _game(self, played: Played) -> MatchGame:
        names = self._standing.names
        won = None if played.points == DRAW else played.first if played.points == 1 else played.second
        return MatchGame(
            played.number,
            (names[played.first], names[played.second]),
            None if won is None else names[won],
            played.why,
            played.plies,
            played.seconds,
            played.fault,
            {
                name: tuple((self._home or Path()) / path for path in paths)
                for name, paths in played.logs.items()
            },
            played.no_logs,
        )


def match(
    first: AgentLine,
    second: AgentLine,
    *,
    game: str = "hive",
    position: str | None = None,
    better: float | None = None,
    progress: bool | None = None,
    **terms: Unpack[GameTerms],
) -> MatchResults:
    """Play two players against each other, each opening from both sides.

    A player is a line as the command takes it (`"random"`, `"deep: depth=4,limit=10"`), or a mapping of the
    options of a search. `game` is a name that `plyscope games` lists, or `file.py:Class`. The terms are those
    of the command: `games=100`, `opening=6`, `plies=200`, `seed=0`, `adjudicate`, `workers`, `scheduler`,
    `output` (the file of games), `log` and `logs`; with `better` a test in sequence stops the match once it
    knows. A script that has several workers play keeps its calls behind `if __name__ == "__main__":`, as
    processes demand.

    `progress` shows how far it is on standard error; by default it does in a terminal.
    Ctrl+C ends the match with the games that are over. Raises MatchError, GameError, OSError.
    """
    with StatusLine.of_call(progress) as status:
        return play_match(first, second, game, position, status, terms, better=better)


def play_match(
    first: AgentLine,
    second: AgentLine,
    game: str,
    position: str | None,
    status: StatusLine,
    terms: Mapping[str, Any],
    *,
    better: float | None = None,
) -> MatchResults:
    """Play two players against each other, and show how far that is."""
    agents = tuple(map(_agent, (first, second)))
    asked_match = Match(game, agents, _n_games(terms, GAMES_OF_A_MATCH), terms_of(terms), position)
    return _play(asked_match, terms, status, better=better)


def go_on(file: Path, game: str | None, status: StatusLine, terms: Mapping[str, Any]) -> MatchResults:
    """Go on with the match of a file of games: play those that are missing, make the logs that are asked for.

    A file starts no program: where games of such players are missing, that is said. A game that is a file of
    somebody's is not loaded unless it is named as `game`.
    """
    asked_match, better = match_of(file, game)
    return _play(asked_match, {**terms, "output": file}, status, better=better, starts_engines=False)


def tournament(
    source: Place | Mapping[str, AgentLine],
    *,
    game: str | None = None,
    position: str | None = None,
    progress: bool | None = None,
    **terms: Unpack[GameTerms],
) -> MatchResults:
    """Play all pairs of some players, ten games a pair unless stated.

    `source` is a TOML file as the command takes it, or the players by name, each a line or a mapping of
    options. What is asked here goes before what the file states. Else it is as `match`.
    """
    with StatusLine.of_call(progress) as status:
        return play_tournament(source, status, {"game": game, "position": position, **terms})


def play_tournament(
    source: Place | Mapping[str, AgentLine], status: StatusLine, asked: Mapping[str, Any]
) -> MatchResults:
    """Play all pairs of some players, and show how far that is."""
    if isinstance(source, Mapping):
        agents = tuple(_named(name, options) for name, options in source.items())
        stated = {name: value for name, value in asked.items() if value is not None}
    else:
        agents, stated = read_tournament(Path(source), asked)
    n_games = _n_games(stated, GAMES_OF_A_PAIR)
    asked_match = Match(stated.get("game", "hive"), agents, n_games, terms_of(stated), stated.get("position"))
    return _play(asked_match, stated, status)


def read_tournament(file: Path, asked: Mapping[str, Any]) -> tuple[tuple[Agent, ...], dict[str, Any]]:
    """The agents of a TOML file, and its terms with what was asked. Raises MatchError, OSError."""
    try:
        stated = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MatchError(f"{file} is no TOML: {error}") from None
    for key in stated:
        if key not in KEYS:
            raise MatchError(f"{file}: unknown {key!r}, expected {', '.join(KEYS)}")
    for key in KEYS[:-1]:
        kind = str if key in TEXTS else int
        if key in stated and type(stated[key]) is not kind:
            expected = "a text" if kind is str else "a whole number"
            raise MatchError(f"{file}: {key} is {stated[key]!r}, expected {expected}")
    found = stated.pop("agents", None)
    if not isinstance(found, dict):
        raise MatchError(f"{file} names no agents: expected a table [agents], a line for each")
    try:
        agents = tuple(_named(name, options) for name, options in found.items())
    except MatchError as error:
        raise MatchError(f"{file}: {error}") from None
    return agents, stated | {name: value for name, value in asked.items() if value is not None}


def terms_of(asked: Mapping[str, Any]) -> Terms:
    """The terms of a match by the names of the command line."""
    names = {"opening": "n_opening", "plies": "most_plies", "seed": "seed", "adjudicate": "adjudicate"}
    return Terms(**{ours: asked[name] for name, ours in names.items() if asked.get(name) is not None})


def _n_games(asked: Mapping[str, Any], usual: int) -> int:
    n_games = asked.get("games")
    return usual if n_games is None else int(n_games)


def _agent(line: AgentLine) -> Agent:
    if isinstance(line, str):
        return read_agent(line)
    name = ",".join(f"{option}={value}" for option, value in line.items())
    return agent_of(name, line)


def _named(name: str, line: Any) -> Agent:
    if isinstance(line, str):
        found = read_agent(line)
        return Agent(name, found.kind, found.options)
    if isinstance(line, Mapping):
        return agent_of(name, line)
    raise MatchError(f"agent {name!r} is {line!r}, expected a text or a table of options")


@dataclass(frozen=True)
class _Asked:
    """The outputs that were asked for: the file of results, and the logs; None: not asked for."""

    output: Path | None
    logs: WantedLogs | None
    starts_engines: bool

    @classmethod
    def of(cls, terms: Mapping[str, Any], match: Match, *, starts_engines: bool) -> _Asked:
        """As the terms say, the folder of logs made. Raises MatchError, LogError."""
        output = None if terms.get("output") is None else Path(terms["output"])
        if output is not None and output.exists() and output.stat().st_size:
            read_file(output, match)  # before a folder of logs states another match
        folder = None if terms.get("logs") is None else Path(terms["logs"])
        if terms.get("log") is None:
            if folder is not None:
                raise MatchError(
                    "logs: a folder for logs, but which? add log: losses, all or a player's name"
                )
            return cls(output, None, starts_engines)
        writer = MatchLogs.beside(output, folder)
        wanted = WantedLogs(terms["log"], writer)
        wanted.check(match.agents)
        writer.prepare(match.as_json())
        return cls(output, wanted, starts_engines)


@contextmanager
def _finished(logs: WantedLogs | None) -> Iterator[None]:
    """Remove the unfinished files from the folder of logs, however the match ends."""
    try:
        yield
    finally:
        if logs is not None:
            logs.writer.finish()


def _play(
    match: Match,
    terms: Mapping[str, Any],
    status: StatusLine,
    *,
    better: float | None = None,
    starts_engines: bool = True,
) -> MatchResults:
    """Play a match and show how far it is, until its end, until a test in sequence knows, or until Ctrl+C."""
    find_game(match.game)  # so that a viewer of this process has boards for its logs
    asked = _Asked.of(terms, match, starts_engines=starts_engines)
    with interrupts() as is_interrupted, _finished(asked.logs):
        played = run(
            match,
            asked.output,
            n_workers=terms.get("workers") or workers_of_machine(),
            on_games=_teller(match, status),
            should_stop=lambda games: is_interrupted(),
            better=better,
            logs=asked.logs,
            scheduler=terms.get("scheduler"),
            starts_engines=starts_engines,
        )
    return MatchResults(match, played, better, asked)


def _teller(match: Match, status: StatusLine) -> Callable[[Sequence[Played]], None]:
    """Return a function that shows the number of finished games, and the leading player."""
    names = [agent.name for agent in match.agents]
    n_games = match.n_games * len(names) * (len(names) - 1) // 2
    status.show(" ".join([f"playing {counted(n_games, 'game')} of {match.game} …", *roundings(match)]))

    def tell(played: Sequence[Played]) -> None:
        status.show(f"{len(played)} of {n_games} games; {leader_of(names, played)}")

    return tell


def leader_of(names: Sequence[str], played: Sequence[Played]) -> str:
    """The agent in the lead, by its share of points: before the end not all have played as many games."""
    points, n_games = [0.0] * len(names), [0] * len(names)
    for game in played:
        for player, got in ((game.first, game.points), (game.second, 1 - game.points)):
            points[player] += got
            n_games[player] += 1
    shares = [got / n if n else -1.0 for got, n in zip(points, n_games, strict=True)]
    best = shares.index(max(shares))
    if shares.count(shares[best]) > 1:
        return "nobody leads"
    return f"{names[best]} leads with {points[best]:g} of {counted(n_games[best], 'point')}"


Source = MatchGame | str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def worst_plies(source: Source, *, number: int | None = None) -> tuple[WorstPly, ...]:
    """The plies after which the next search of the same player found less, the greatest loss first.

    `source` is a game of a match, a file of games that has logs, a folder of logs, or several logs in the
    order of their game; of many games `number` names one. Scores are seen by the player of the ply. Raises
    LogError, MatchError, OSError.
    """
    worst = found.worst_plies(logs_of(source))
    return worst if number is None else tuple(each for each in worst if each.game == number)


def logs_of(source: Source) -> list[Path]:
    """The logs that are meant; raises LogError where there are none."""
    if isinstance(source, MatchGame):
        logs = [path for paths in source.logs.values() for path in paths]
    elif not isinstance(source, str | os.PathLike):
        logs = [Path(each) for each in source]
    elif (path := Path(source)).is_dir():
        logs = sorted(each for each in path.iterdir() if each.name.endswith(LOG_ENDINGS) and each.is_file())
    else:
        with path.open("rb") as file:
            has_games = is_games_file(file.read(LONGEST_START))
        logs = _logs_of_games(path) if has_games else [path]
    if not logs:
        raise LogError(f"{source if isinstance(source, str | os.PathLike) else 'this game'}: has no logs")
    return logs


def _logs_of_games(path: Path) -> list[Path]:
    from plyscope.engine.match.games_file import GamesFile
    from plyscope.visualizer.shelf.matches import logs_of as logs_of_player

    file = GamesFile(path)
    file.read()
    played = [(game, name) for game in {**file.games, **file.going}.values() for name in game.logs]
    logs = [each for game, name in played for each in logs_of_player(path, game, name)]
    if not logs:
        raise LogError(f"{path}: no game has logs; `plyscope match {path} --log all` makes them")
    return logs
