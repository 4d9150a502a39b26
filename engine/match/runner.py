"""A whole match: its games on some processes, each written down as it ends, gone on with after a kill."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

from plyscope.engine.games import load_game
from plyscope.engine.match.agents import Agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.game_logs import WantedLogs, log_again, play_logged
from plyscope.engine.match.games import Played, Task, Terms, play, schedule
from plyscope.engine.match.games_file import GamesFile, append
from plyscope.engine.match.sprt import Verdict, sprt
from plyscope.engine.match.standing import pairs_of

MOST_BREAKS: Final = 3
"""How often in a row the processes may die before a game has ended."""
TASKS_AHEAD: Final = 2
"""Games that wait for each process."""


@dataclass(frozen=True)
class Match:
    """Who plays what, and how often.

    game     a name that `plyscope games` lists, or `file.py:Class`
    n_games  games of each pair of agents, an even number: each opening is played from both sides
    """

    game: str
    agents: tuple[Agent, ...]
    n_games: int
    terms: Terms = field(default_factory=Terms)
    position: str | None = None

    def __post_init__(self) -> None:
        names = [agent.name for agent in self.agents]
        if len(names) < 2:
            raise MatchError("a match takes two agents or more")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise MatchError(f"two agents are called {twice!r}: name one of them, as in 'other: {twice}'")
        if self.n_games < 2 or self.n_games % 2:
            raise MatchError(
                f"{self.n_games} games a pair, expected an even number: "
                "each opening is played from both sides"
            )

    def as_json(self) -> dict[str, Any]:
        """All that its games depend on."""
        return {
            "game": self.game,
            "position": self.position,
            "agents": [
                {"name": each.name, "kind": each.kind, "options": dict(each.options)} for each in self.agents
            ],
            "games": self.n_games,
            **{name: value for name, value in asdict(self.terms).items() if value is not None},
        }


def run(
    match: Match,
    path: Path | None = None,
    *,
    n_workers: int = 1,
    on_games: Callable[[Sequence[Played]], None] = lambda games: None,
    should_stop: Callable[[Sequence[Played]], bool] = lambda games: False,
    better: float | None = None,
    logs: WantedLogs | None = None,
    compiled: bool = True,
) -> list[Played]:
    """Play all games that are still to be played, in the order of their numbers as far as that goes.

    Each is appended to `path`, a line of JSON, when it ends; a run that was killed goes on behind the games
    that are there. `on_games` is told all games after each, and `should_stop` is asked. Once a test in
    sequence knows whether the first of two agents is `better` by so much, no other is played. With `logs` the
    logs of each game are made before it counts as over; of the games that are there already, before others
    are played, and the line of such a game is written once more. Returns them by number. Raises MatchError
    where the file has another match, GameError, OSError, and what the writer of logs raises.
    """
    _check(match)
    if better is not None and len(match.agents) != 2:
        raise MatchError("better: a test in sequence is of a match of two agents")
    if logs is not None:
        logs.check(match.agents)
    tasks = schedule(len(match.agents), match.n_games)
    done = {} if path is None else read_games(path, match)
    if path is not None and better is not None and _read_file(path, match).better != better:
        append(path, {"test": {"better": better}})

    def is_decided(games: Sequence[Played]) -> bool:
        verdict = verdict_of(games, better)
        return verdict is not None and verdict.says != "go on"

    unlogged = [each for each in _by_number(done) if logs and logs.lacks(match.agents, each)]
    unplayed = [] if is_decided(_by_number(done)) else [task for task in tasks if task.number not in done]
    left: list[Task | Played] = [*unlogged, *unplayed]
    awaited = {each.number for each in unlogged}
    course = _Course(match, logs)
    games = (
        _here(course, left, compiled=compiled) if n_workers == 1 else _on_processes(course, left, n_workers)
    )
    for played in games:
        if path is not None:
            append(path, played.as_json())
        done[played.number] = played
        so_far = _by_number(done)
        on_games(so_far)
        awaited.discard(played.number)
        if should_stop(so_far) or (not awaited and unplayed and is_decided(so_far)):
            games.close()
            break
    return _by_number(done)


def _check(match: Match) -> None:
    """Raise what is wrong with the game, the position or an agent's options before a process begins."""
    game = load_game(match.game)
    arbiter = Arbiter(game, match.position, compiled=False)
    arbiter.opening(match.terms.n_opening, match.terms.seed)
    ways = getattr(arbiter.game, "adjudications", {})
    if match.terms.adjudicate is not None and match.terms.adjudicate not in ways:
        known = f"expected {' or '.join(ways)}" if ways else "the game has no way to adjudicate"
        raise MatchError(f"adjudicate: {match.terms.adjudicate!r}: {known}")
    for agent in match.agents:
        agent.check(game)


def _by_number(games: Mapping[int, Played]) -> list[Played]:
    return [games[number] for number in sorted(games)]


def read_games(path: Path, match: Match) -> dict[int, Played]:
    """The games that a file has, which is begun where it is not there. Raises MatchError, OSError.

    A last line that was cut by a kill is left out, and cut off.
    """
    if not path.exists() or path.stat().st_size == 0:
        append(path, {"match": match.as_json()})
        return {}
    return _read_file(path, match).games


def _read_file(path: Path, match: Match) -> GamesFile:
    file = GamesFile(path)
    file.read()
    if not file.match:
        raise MatchError(f"{path} has no games of a match; name another file")
    stated, asked = file.match, json.loads(json.dumps(match.as_json()))
    if stated != asked:
        other = next(name for name in {**asked, **stated} if stated.get(name) != asked.get(name))
        raise MatchError(
            f"{path} has another match: its {other!r} is {stated.get(other)!r}, not {asked.get(other)!r}; "
            "name another file"
        )
    if file.end < path.stat().st_size:
        os.truncate(path, file.end)
    return file


def verdict_of(games: Sequence[Played], better: float | None) -> Verdict | None:
    """The test in sequence of the first of two agents, where one was asked for."""
    return None if better is None else sprt(pairs_of(games, 0), better=better)


class _Course(NamedTuple):
    """What every process that plays is told."""

    match: Match
    logs: WantedLogs | None

    def do(self, arbiter: Arbiter, task: Task | Played) -> Played:
        """Play a game, or make the logs of one that was played."""
        match = self.match
        if self.logs is None:
            assert isinstance(task, Task)
            return play(arbiter, match.agents, task, match.terms)
        if isinstance(task, Played):
            return log_again(arbiter, match.agents, task, match.terms, self.logs)
        return play_logged(arbiter, match.agents, task, match.terms, self.logs)


def _here(
    course: _Course, tasks: Sequence[Task | Played], *, compiled: bool = True
) -> Generator[Played, None, None]:
    arbiter = Arbiter(load_game(course.match.game), course.match.position, compiled=compiled)
    for task in tasks:
        yield course.do(arbiter, task)


def _on_processes(
    course: _Course, tasks: Sequence[Task | Played], n_workers: int
) -> Generator[Played, None, None]:
    """Play on processes; where one dies, those games are played again that were not over."""
    left = list(tasks)
    n_breaks = 0
    while left:
        # Not forked: a process that has threads, or machine code that runs, must not be.
        with ProcessPoolExecutor(
            n_workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(course,)
        ) as pool:
            waiting: dict[Future[Played], Task | Played] = {}
            ahead = iter(list(left))
            try:
                while True:
                    for task in ahead:
                        waiting[pool.submit(_play, task)] = task
                        if len(waiting) >= TASKS_AHEAD * n_workers:
                            break
                    if not waiting:
                        break
                    over, _ = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in over:
                        task = waiting.pop(future)
                        played = future.result()
                        left.remove(task)
                        n_breaks = 0
                        yield played
            except BrokenProcessPool:
                n_breaks += 1
                if n_breaks > MOST_BREAKS:
                    raise MatchError(
                        f"a process that plays died {n_breaks} times in a row, perhaps for want of memory"
                    ) from None
            except GeneratorExit:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


_seat: tuple[_Course, Arbiter] | None = None
"""Of a process that plays: what it was told, and the arbiter."""


def _begin(course: _Course) -> None:
    global _seat
    _seat = course, Arbiter(load_game(course.match.game), course.match.position)


def _play(task: Task | Played) -> Played:
    assert _seat is not None
    course, arbiter = _seat
    return course.do(arbiter, task)


def workers_of_machine() -> int:
    """As many processes as this one may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
