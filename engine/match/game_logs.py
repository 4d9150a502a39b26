"""Logs of the games of a match: the wanted searches, and how they are recorded.

A search by depth, nodes or play-outs is reproducible, so a game is played again from its record, the logged
player by searching, the other one by the recorded plies. A search by seconds is not, so it is recorded while
the game is played. This module does not know how a log is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from plyscope.engine.match.agents import Agent
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games import GOING, Played, Task, Terms, play, seed_of

if TYPE_CHECKING:
    from plyscope.engine.match.arbiter import Arbiter
    from plyscope.engine.record.recording import Recording

LOSSES: Final = "losses"
ALL: Final = "all"
LONGEST_NAME: Final = 40
DIGITS: Final = 4


class LogWriter(Protocol):
    """A writer of a match's logs. It is sent to the processes that play."""

    @property
    def place(self) -> str:
        """The folder of the logs, as text for people."""

    def finish(self) -> None:
        """Nothing more is written."""

    def write(self, recording: Recording, name: str, about: Mapping[str, Any]) -> None:
        """Write the log of a search, with `about` in its header; it is hidden until `publish`."""

    def hold(self, recording: Recording, name: str) -> None:
        """Keep a search until its game is over."""

    def write_held(self, name: str, about: Mapping[str, Any]) -> None:
        """Write a search that is held as `write` does."""

    def publish(self, names: Sequence[str]) -> tuple[str, ...]:
        """Put logs that were written into their folder; returns their paths as the results name them."""

    def drop(self, names: Sequence[str]) -> None:
        """Delete the unpublished logs with these names."""

    def has(self, path: str) -> bool:
        """Whether the log that the results name so is there."""


@dataclass(frozen=True)
class WantedLogs:
    """The choice of searches of a match that are logged, and the writer of their logs.

    of  `losses`: those of the loser of a game; `all`; or the name of one agent: all of its own
    """

    of: str
    writer: LogWriter

    def check(self, agents: Sequence[Agent]) -> None:
        """Raise MatchError where none of these agents can be meant, or has searches."""
        names = [agent.name for agent in agents]
        if self.of in names and self.of in (LOSSES, ALL):
            raise MatchError(f"log: {self.of!r} is a way to log and the name of an agent; rename the agent")
        if self.of not in (LOSSES, ALL, *names):
            raise MatchError(f"log: {self.of!r}, expected {LOSSES}, {ALL} or one of {', '.join(names)}")
        meant = [agent for agent in agents if self.of in (LOSSES, ALL, agent.name)]
        if not any(agent.searches for agent in meant):
            raise MatchError(f"log: {self.of!r}: {' '.join(map(why_no_logs, meant))}")

    def without(self, agents: Sequence[Agent]) -> list[str]:
        """Sentences that say why agents whose logs are wanted have none."""
        meant = (agent for agent in agents if self.of in (LOSSES, ALL, agent.name))
        return [why_no_logs(agent) for agent in meant if not agent.searches]

    def may_want(self, agents: Sequence[Agent], task: Task) -> list[int]:
        """The sides of a game whose searches may be wanted, before it is known who loses."""
        sides = enumerate((task.first, task.second))
        return [
            side
            for side, number in sides
            if agents[number].searches and self.of in (LOSSES, ALL, agents[number].name)
        ]

    def wants(self, agents: Sequence[Agent], played: Played) -> list[int]:
        """The sides of a game that was played whose searches are wanted."""
        sides = self.may_want(agents, task_of(played))
        if self.of != LOSSES:
            return sides
        return [side for side in sides if (played.first, played.second)[side] == played.loser]

    def lacks(self, agents: Sequence[Agent], played: Played) -> list[int]:
        """The sides whose logs are wanted and not there, and can still be made."""
        found = []
        for side in self.wants(agents, played):
            agent = agents[(played.first, played.second)[side]]
            there = played.logs.get(agent.name)
            is_there = there is not None and all(map(self.writer.has, there))
            if not is_there and not agent.is_timed and agent.name not in played.no_logs:
                found.append(side)
        return found

    def too_late(self, agents: Sequence[Agent], games: Sequence[Played]) -> dict[str, int]:
        """By agent, the number of games that it searched by seconds unrecorded, which cannot be logged."""
        counts: dict[str, int] = {}
        for played in games:
            for side in self.wants(agents, played):
                agent = agents[(played.first, played.second)[side]]
                if agent.is_timed and agent.name not in played.logs and agent.name not in played.no_logs:
                    counts[agent.name] = counts.get(agent.name, 0) + 1
        return counts


def why_no_logs(agent: Agent) -> str:
    """A sentence that says why an agent that is no search of ours has no logs."""
    why = "is a program of its own" if agent.is_program else "does not search"
    return f"{agent.name} {why} and has no logs."


def task_of(played: Played) -> Task:
    """The game that was played, as it was to be played."""
    return Task(played.number, played.opening, played.first, played.second)


def play_logged(
    arbiter: Arbiter, agents: Sequence[Agent], task: Task, terms: Terms, logs: WantedLogs
) -> Played:
    """Play one game, and write its wanted logs. Raises the writer's errors."""
    numbers, writer = (task.first, task.second), logs.writer
    timed = [side for side in logs.may_want(agents, task) if agents[numbers[side]].is_timed]
    held: dict[int, dict[str, int]] = {side: {} for side in timed}
    short: dict[int, str] = {}

    def keep(side: int, n_plies: int, recording: Recording) -> None:
        if (why := not_whole(recording, n_plies)) is not None:
            short.setdefault(side, why)
        if side not in short:
            name = log_name(task.number, n_plies, agents[numbers[side]].name)
            held[side][name] = n_plies
            writer.hold(recording, name)

    try:
        played = play(arbiter, agents, task, terms, recorded=timed, keep=keep)
        for side in set(timed) & set(logs.wants(agents, played)):
            if side in short:
                played = _without_logs(played, agents[numbers[side]].name, short[side])
                continue
            for name, n_plies in held[side].items():
                writer.write_held(name, about_game(agents, played, side, n_plies))
            played = _with_logs(played, agents[numbers[side]].name, writer.publish(list(held[side])))
    finally:
        for names in held.values():
            writer.drop(list(names))
    return log_again(arbiter, agents, played, terms, logs)


def log_again(
    arbiter: Arbiter, agents: Sequence[Agent], played: Played, terms: Terms, logs: WantedLogs
) -> Played:
    """Write the wanted logs of a game that are missing, by playing it again.

    If a search chooses another ply than the record, none of that agent's logs is kept, with the reason in
    `no_logs`. Raises the writer's errors.
    """
    for side in logs.lacks(agents, played):
        agent = agents[(played.first, played.second)[side]].name
        names: list[str] = []
        try:
            why = _search_again(arbiter, agents, played, terms, side, logs.writer, names)
            if why is None:
                played = _with_logs(played, agent, logs.writer.publish(names))
            else:
                played = _without_logs(played, agent, why)
        finally:
            logs.writer.drop(names)
    return played


def _search_again(
    arbiter: Arbiter,
    agents: Sequence[Agent],
    played: Played,
    terms: Terms,
    side: int,
    writer: LogWriter,
    names: list[str],
) -> str | None:
    """Write the searches of one side, their names into `names`; returns why they are not the game's own."""
    agent = agents[(played.first, played.second)[side]]
    player = agent.player(arbiter, seed_of(terms, played.opening, side), records=True)
    state = arbiter.start()
    for n_plies, text in enumerate(played.plies):
        legal = {str(arbiter.game.write_ply(state, ply)): int(ply) for ply in arbiter.legal(state).tolist()}
        if text not in legal:
            return f"ply {n_plies + 1} of its record, {text!r}, is not legal"
        if n_plies >= terms.n_opening and arbiter.player(state) == side:
            chosen = str(arbiter.game.write_ply(state, player.choose(state)))
            if chosen != text:
                return f"played again it chose {chosen} at ply {n_plies + 1}, not {text}"
            recording = player.recording
            assert recording is not None
            if (why := not_whole(recording, n_plies)) is not None:
                return why
            names.append(log_name(played.number, n_plies, agent.name))
            writer.write(recording, names[-1], about_game(agents, played, side, n_plies))
        arbiter.play(state, legal[text])
    return None


def not_whole(recording: Recording, n_plies: int) -> str | None:
    """The reason why a recording is not the game's search (no memory for its rows); None where it is."""
    if recording.header["result"].get("stopped") == "memory":
        return f"the search of ply {n_plies + 1} has more nodes than this machine has memory to record"
    return None


def _with_logs(played: Played, agent: str, paths: tuple[str, ...]) -> Played:
    return replace(played, logs={**played.logs, agent: paths})


def _without_logs(played: Played, agent: str, why: str) -> Played:
    logs = {name: paths for name, paths in played.logs.items() if name != agent}
    return replace(played, logs=logs, no_logs={**played.no_logs, agent: why})


def log_name(game: int, n_plies: int, agent: str) -> str:
    """The name of a log without its ending; names sort by game and ply.

    >>> log_name(2, 13, "depth=3,limit=10")
    'game0002-ply0014-depth=3,limit=10'
    """
    plain = re.sub(r"[^\w=,.+-]", "_", agent)[:LONGEST_NAME]
    return f"game{game:0{DIGITS}}-ply{n_plies + 1:0{DIGITS}}-{plain}"


def about_game(agents: Sequence[Agent], played: Played, side: int, n_plies: int) -> dict[str, Any]:
    """The entry in a log's header on the game that the search belongs to, in plain JSON values."""
    players = [agents[played.first].name, agents[played.second].name]
    winner = {1.0: players[0], 0.0: players[1]}.get(played.points)
    return {
        "game": played.number,
        "turn": n_plies + 1,
        "players": players,
        "searched": players[side],
        "result": f"{winner} won" if winner else "not over" if played.why == GOING else "draw",
        "why": played.why,
        "plies": len(played.plies),
    }
