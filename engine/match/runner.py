"""A whole match: its games on some processes, each written down as it ends, gone on with after a kill."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from plyscope.engine.games import load_game
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.first_games import FirstGames
from plyscope.engine.match.game_logs import WantedLogs
from plyscope.engine.match.games import Played, schedule
from plyscope.engine.match.games_file import append
from plyscope.engine.match.match import Match, read_file, read_games
from plyscope.engine.match.sprt import Verdict, sprt
from plyscope.engine.match.standing import pairs_of
from plyscope.engine.match.workers import Course, Games, Work, here, on_cluster, on_processes


def run(
    match: Match,
    path: Path | None = None,
    *,
    n_workers: int = 1,
    on_games: Callable[[Sequence[Played]], None] = lambda games: None,
    should_stop: Callable[[Sequence[Played]], bool] = lambda games: False,
    better: float | None = None,
    logs: WantedLogs | None = None,
    scheduler: str | None = None,
    starts_engines: bool = True,
) -> list[Played]:
    """Play all games that are still to be played, in the order of their numbers as far as that goes.

    Each is appended to `path`, a line of JSON, when it ends; a run that was killed goes on behind the games
    that are there. `on_games` is told all games after each, and `should_stop` is asked. Once a test in
    sequence knows whether the first of two agents is `better` by so much, no other is played. With `logs` the
    logs of each game are made before it counts as over; of the games that are there already, before others
    are played, and the line of such a game is written once more. With the address of a `scheduler` of Dask's
    its workers play. Unless it `starts_engines` the games of engines that are programs of their own are left.
    Returns all by number. Raises MatchError where the file has another match or a player cannot play (see
    `FirstGames`), GameError, OSError, and what the writer of logs raises.
    """
    _check(match, starts_engines=starts_engines)
    if better is not None and len(match.agents) != 2:
        raise MatchError("better: a test in sequence is of a match of two agents")
    if logs is not None:
        logs.check(match.agents)
    tasks = schedule(len(match.agents), match.n_games)
    if not starts_engines:
        tasks = [task for task in tasks if task not in match.tasks_of_programs()]
    done = {} if path is None else read_games(path, match)
    if path is not None and better is not None and read_file(path, match).better != better:
        append(path, {"test": {"better": better}})

    def is_decided(games: Sequence[Played]) -> bool:
        verdict = verdict_of(games, better)
        return verdict is not None and verdict.says != "go on"

    unlogged = [each for each in _by_number(done) if logs and logs.lacks(match.agents, each)]
    unplayed = [] if is_decided(_by_number(done)) else [task for task in tasks if task.number not in done]
    left: list[Work] = [*unlogged, *unplayed]
    awaited = {each.number for each in unlogged}
    first_games = FirstGames([agent.name for agent in match.agents])

    def count(games: Sequence[Played]) -> None:
        for played in games:
            if path is not None:
                append(path, played.as_json())
            done[played.number] = played

    with closing(_played(Course(match, logs), left, n_workers, scheduler)) as games:
        for played in games:
            is_logged_again = played.number in awaited
            awaited.discard(played.number)
            count([played] if is_logged_again else first_games.take(played))
            so_far = _by_number(done)
            on_games(so_far)
            if should_stop(so_far) or (not awaited and unplayed and is_decided(so_far)):
                break
    count(first_games.rest())
    return _by_number(done)


def _played(course: Course, left: Sequence[Work], n_workers: int, scheduler: str | None) -> Games:
    """Play the games on a cluster, in this process, or in several."""
    if scheduler is not None:
        return on_cluster(course, left, scheduler)
    return here(course, left) if n_workers == 1 else on_processes(course, left, n_workers)


def _check(match: Match, *, starts_engines: bool) -> None:
    """Raise what is wrong with the game, the position or an agent's options before a process begins."""
    game = load_game(match.game)
    arbiter = Arbiter(game, match.position)
    arbiter.opening(match.terms.n_opening, match.terms.seed)
    ways = getattr(arbiter.game, "adjudications", {})
    if match.terms.adjudicate is not None and match.terms.adjudicate not in ways:
        known = f"expected {' or '.join(ways)}" if ways else "the game has no way to adjudicate"
        raise MatchError(f"adjudicate: {match.terms.adjudicate!r}: {known}")
    for agent in match.agents:
        if starts_engines or not agent.is_program:
            agent.check(game)


def _by_number(games: Mapping[int, Played]) -> list[Played]:
    return [games[number] for number in sorted(games)]


def verdict_of(games: Sequence[Played], better: float | None) -> Verdict | None:
    """The test in sequence of the first of two agents, where one was asked for."""
    return None if better is None else sprt(pairs_of(games, 0), better=better)
