"""A match: its agents and terms, and the games of it that a file says were played."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from plyscope.engine.games import is_known, load_game
from plyscope.engine.games.outside import digest, is_place
from plyscope.engine.match.agents import RANDOM, Agent, agent_of
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games import Played, Task, Terms, schedule
from plyscope.engine.match.games_file import GamesFile, append
from plyscope.engine.quoting import visible

LONGEST_PLACE: Final = 200
PERSON: Final = "person"
"""The kind of the agent that a person is, among those that a file of games states."""
DIGEST: Final = "game_digest"
"""The key for the version of a game from outside."""


@dataclass(frozen=True)
class Match:
    """A game, the agents that play it, and the number of games.

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

    def tasks_of_programs(self) -> list[Task]:
        """The games in which an engine takes part that is a program of its own."""
        programs = {number for number, agent in enumerate(self.agents) if agent.is_program}
        tasks = schedule(len(self.agents), self.n_games)
        return [task for task in tasks if programs & {task.first, task.second}]

    @cached_property
    def _version(self) -> dict[str, str]:
        return version_of(load_game(self.game))

    def as_json(self) -> dict[str, Any]:
        """All that its games depend on. Raises GameError."""
        return {
            "game": self.game,
            "position": self.position,
            "agents": [
                {"name": each.name, "kind": each.kind, "options": dict(each.options)} for each in self.agents
            ],
            "games": self.n_games,
            **{name: value for name, value in asdict(self.terms).items() if value is not None},
            **self._version,
        }


def version_of(game: Any) -> dict[str, str]:
    """The digest of a game from outside, by its name in a file; nothing of one of ours."""
    found = digest(game)
    return {} if found is None else {DIGEST: found}


def match_of(path: Path, game: str | None = None) -> tuple[Match, float | None]:
    """The match that a file of games states, and its sequential test. Raises MatchError, OSError.

    A file may come from anywhere: its engines must not be started, and a game in a user's file must be given
    as `game`.
    """
    file = GamesFile(path)
    file.read()
    if not file.match:
        raise MatchError(f"{path} has no games of a match")
    stated = file.match
    name = stated["game"]
    if is_place(name) and not is_known(name) and name != game:
        name = visible(name[:LONGEST_PLACE])
        raise MatchError(f"{path} is of {name}, whose code would run: add --game {name}")
    if any(each.get("kind") == PERSON for each in stated["agents"]):
        raise MatchError(
            f"{path} is a game of a person: `plyscope play` goes on with it, by -o and its folder"
        )
    terms = {each.name: stated[each.name] for each in fields(Terms) if each.name in stated}
    try:
        agents = tuple(
            Agent(each["name"], RANDOM) if each["kind"] == RANDOM else agent_of(each["name"], each["options"])
            for each in stated["agents"]
        )
        return Match(stated["game"], agents, stated["games"], Terms(**terms), stated["position"]), file.better
    except (KeyError, TypeError, AttributeError):
        raise MatchError(f"{path}: its first line states no match that can be played") from None


def read_games(path: Path, match: Match) -> dict[int, Played]:
    """The games that a file has, which is begun where it is not there. Raises MatchError, OSError.

    A last line that was cut by a kill is left out, and cut off.
    """
    if not path.exists() or path.stat().st_size == 0:
        append(path, {"match": match.as_json()})
        return {}
    return read_file(path, match).games


def read_file(path: Path, match: Match) -> GamesFile:
    """The file of games of a match, cut behind its last whole line.

    Raises MatchError for another match, also one by another version of a game from outside.
    """
    file = GamesFile(path)
    file.read()
    if not file.match:
        raise MatchError(f"{path} has no games of a match; name another file")
    stated, asked = file.match, json.loads(json.dumps(match.as_json()))
    if DIGEST not in stated:  # written before it was
        asked.pop(DIGEST, None)
    if stated != asked:
        other = next(name for name in {**asked, **stated} if stated.get(name) != asked.get(name))
        if other == DIGEST:
            raise MatchError(
                f"{path} has games of another version of {match.game}, which goes on neither with them nor "
                "with their logs: bring that version back, or name another file"
            )
        raise MatchError(
            f"{path} has another match: its {other!r} is {stated.get(other)!r}, not {asked.get(other)!r}; "
            "name another file"
        )
    if file.end < path.stat().st_size:
        os.truncate(path, file.end)
    return file
