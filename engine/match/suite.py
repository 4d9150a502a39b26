"""Suites of positions in EPD: which ply an agent chooses in each, and whether it is one of the best.

An EPD line is the first four fields of a FEN, then operations: `bm` plies that solve it, `am` plies that are
to be avoided, `id` its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from plyscope.engine.game import GameError
from plyscope.engine.match.agents import Agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import MatchError, PlayerError
from plyscope.engine.match.players import Player
from plyscope.engine.quoting import quoted
from plyscope.engine.record.recording import Recording

_OPERATION: Final = re.compile(r'([A-Za-z]\w*)\s*((?:"[^"]*"|[^;"])*);?\s*')
_COUNTERS: Final = re.compile(r"\d+ \d+(?: |$)")


@dataclass(frozen=True)
class Problem:
    """A position, and the plies that solve it, or fail, as they are written there."""

    number: int
    name: str
    position: str
    best: tuple[str, ...]
    avoid: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """The choice of an agent in a problem, or the `fault` of a program."""

    ply: str | None
    is_right: bool
    fault: str | None
    recording: Recording | None


def read_suite(game: Any, lines: Iterable[str]) -> list[Problem]:
    """The problems of a suite. Raises MatchError with the number of a line that is none.

    >>> from plyscope.engine.games import load_game
    >>> lines = ['7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7#; am Kf6; id "a mate";']
    >>> problem = read_suite(load_game("chess"), lines)[0]
    >>> problem.name, problem.best, problem.avoid
    ('a mate', ('Qg7#',), ('Kf6',))
    """
    return [
        _problem(game, number, line) for number, line in enumerate(lines, 1) if line.strip("\ufeff \t\r\n")
    ]


def _problem(game: Any, number: int, line: str) -> Problem:
    words = line.strip("\ufeff \t\r\n").split(maxsplit=4)
    position, rest = " ".join(words[:4]), "".join(words[4:])
    if counters := _COUNTERS.match(rest):
        position, rest = f"{position} {counters[0].strip()}", rest[counters.end() :]
    said = {name.lower(): value.strip() for name, value in _OPERATION.findall(rest)}
    try:
        state = game.read_position(position)
        best, avoid = (
            tuple(game.write_ply(state, game.read_ply(state, ply)) for ply in said.get(name, "").split())
            for name in ("bm", "am")
        )
    except GameError as error:
        raise MatchError(f"line {number}: {error}") from None
    if not best and not avoid:
        raise MatchError(f"line {number}: {quoted(line.strip())} has neither `bm` nor `am`")
    return Problem(number, said.get("id", "").strip('"') or f"line {number}", position, best, avoid)


def choices(
    game: Any, problems: Iterable[Problem], agent: Agent, *, seed: int = 0, records: bool = False
) -> Iterator[Choice]:
    """Have an agent choose in each problem; a search `records` for a log. Nothing is carried over."""
    arbiter = Arbiter(game)
    player: Player | None = None
    try:
        for problem in problems:
            if player is None or not agent.is_program:
                player = agent.player(arbiter, seed, records=records)
            try:
                state = game.read_position(problem.position)
                ply = game.write_ply(state, player.choose(state))
            except PlayerError as error:
                yield Choice(None, False, str(error), None)
                player.close()
                player = None
                continue
            is_right = ply not in problem.avoid and (not problem.best or ply in problem.best)
            yield Choice(ply, is_right, None, player.recording)
    finally:
        if player is not None:
            player.close()
