"""The file of a match's games: a line that states the match, a line a game, and lines of sequential tests.

It grows while games are played; a game whose logs were made later has another line, which counts. A game that
a person plays has a line after each ply, and the match has another one when an agent changes. The file may
come from anywhere: its lines are checked, and an error names the line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, get_args

from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games import GOING, Played, Why

LONGEST_SHOWN: Final = 60
WHYS: Final = get_args(Why)


def append(path: Path, line: Mapping[str, Any]) -> None:
    """Add a line. Raises OSError."""
    with path.open("ab") as file:
        file.write(json.dumps(line).encode() + b"\n")


class GamesFile:
    """The complete lines of a file of games that were read so far.

    match   the facts on which the games depend, from `Match.as_json`
    games   by number, those that are over
    going   by number, those that a person still plays
    better  the points of Elo of the last sequential test, None where there is none
    end     the bytes of the lines that were read; after them comes an incomplete line, if any
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._begin()

    def _begin(self) -> None:
        self.match: dict[str, Any] = {}
        self.games: dict[int, Played] = {}
        self.going: dict[int, Played] = {}
        self.better: float | None = None
        self.end = 0
        self._n_lines = 0
        self._head = b""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the agents, in the order of their numbers."""
        return tuple(agent["name"] for agent in self.match["agents"])

    @property
    def n_games(self) -> int:
        """The games that the match has once all are played."""
        n_agents = len(self.match["agents"])
        return int(self.match["games"]) * n_agents * (n_agents - 1) // 2

    def read(self) -> bool:
        """Read the new lines, or all if the file was begun anew; returns whether there were any.

        Raises MatchError, OSError.
        """
        with self.path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if self.end > size or (self.end and file.read(len(self._head)) != self._head):
                self._begin()
            file.seek(self.end)
            data = file.read()
        lines = data[: data.rfind(b"\n") + 1].splitlines()
        for line in lines:
            self._n_lines += 1
            self._take(line)
        self.end += data.rfind(b"\n") + 1
        return bool(lines)

    def _take(self, line: bytes) -> None:
        found = None
        with suppress(ValueError, RecursionError):  # nested too deep
            found = json.loads(line)
        if not self._head:
            if not isinstance(found, dict) or not _is_match(found.get("match")):
                raise MatchError(f"{self.path} has no games of a match; name another file")
            self.match, self._head = found["match"], line
        elif isinstance(found, dict) and set(found) == {"match"} and _is_match(found["match"]):
            self.match = found["match"]
        elif isinstance(found, dict) and set(found) == {"test"}:
            better = found["test"].get("better") if isinstance(found["test"], dict) else None
            self.better = better if _is_number(better) else None
        else:
            played = _played(found, len(self.match["agents"]))
            if played is None:
                shown = line[:LONGEST_SHOWN].decode(errors="replace")
                raise MatchError(f"{self.path}: line {self._n_lines} is no game: {shown!r}")
            here, there = (self.going, self.games) if played.why == GOING else (self.games, self.going)
            there.pop(played.number, None)
            here[played.number] = played


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_match(stated: Any) -> bool:
    if not isinstance(stated, dict) or type(stated.get("games")) is not int:
        return False
    agents = stated.get("agents")
    if not isinstance(agents, list) or len(agents) < 2 or not isinstance(stated.get("game"), str):
        return False
    return all(isinstance(agent, dict) and isinstance(agent.get("name"), str) for agent in agents)


def _played(line: Any, n_agents: int) -> Played | None:
    """The game of a line; None where it is none."""
    try:
        played = Played.from_json(line)
    except (TypeError, KeyError, AttributeError):
        return None
    numbers = played.number, played.opening, played.first, played.second
    texts = *played.plies, *played.logs, *played.no_logs, *played.no_logs.values(), played.fault or ""
    is_game = (
        all(type(number) is int and number >= 0 for number in numbers)
        and played.first != played.second
        and max(played.first, played.second) < n_agents
        and _is_number(played.points)
        and played.points in (0, 0.5, 1)
        and played.why in WHYS
        and len(played.seconds) == 2
        and all(map(_is_number, played.seconds))
        and all(isinstance(text, str) for text in texts)
        and all(isinstance(path, str) for paths in played.logs.values() for path in paths)
    )
    return played if is_game else None
