"""One game of a match, from its opening to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from plyscope.engine.game import ONGOING
from plyscope.engine.match.agents import Agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import PlayerError
from plyscope.engine.match.players import Player, RandomPlayer
from plyscope.engine.record.recording import Recording

DRAW = 0.5
GOING: Final = "going"
"""The `why` of a game that is not over."""
Why = Literal["over", "length", "fault", "adjudicated", "resigned", "going"]


class Task(NamedTuple):
    """A game that is to be played: two agents by number, the first to move first, from an opening."""

    number: int
    opening: int
    first: int
    second: int


@dataclass(frozen=True)
class Terms:
    """The terms of all games of a match.

    n_opening   plies drawn at random before the players choose
    most_plies  the length at which a game is a draw
    seed        the seed of all random draws
    adjudicate  the rule that decides such a game instead, one of the game's `adjudications`
    """

    n_opening: int = 6
    most_plies: int = 200
    seed: int = 0
    adjudicate: str | None = None


@dataclass(frozen=True)
class Played:
    """A game that was played.

    points   of the first player: 1, 0.5 or 0
    why      `over` by the rules, `length`: it had as many plies as the terms allow, `adjudicated`: the same,
             and its position was judged, `fault`, `resigned`, or `going`: a person still plays it
    plies    all, the opening's included
    seconds  that the first and the second player took
    fault    the fault of the loser: no legal ply, or none in time
    logs     by the name of an agent the logs of its searches, a path a ply, in the order of the plies
    no_logs  by the name of an agent, the reason why it has none, though they were asked for
    """

    number: int
    opening: int
    first: int
    second: int
    points: float
    why: Why
    plies: tuple[str, ...]
    seconds: tuple[float, float]
    fault: str | None = None
    logs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    no_logs: Mapping[str, str] = field(default_factory=dict)

    @property
    def loser(self) -> int | None:
        """The agent that lost; None: it was a draw."""
        return None if self.points == DRAW else self.second if self.points == 1 else self.first

    def as_json(self) -> dict[str, Any]:
        """As a line of the file of games, which says of logs only where there are some or should be."""
        line = asdict(self)
        return {name: value for name, value in line.items() if value != {}}

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> Played:
        """From such a line."""
        lists = {"plies": tuple(line["plies"]), "seconds": tuple(line["seconds"])}
        logs = {name: tuple(paths) for name, paths in line.get("logs", {}).items()}
        return cls(**{**line, **lists, "logs": logs})


Keep = Callable[[int, int, Recording], None]
"""Takes the side of a search (0 or 1), the number of plies before it, and its recording."""


def seed_of(terms: Terms, opening: int, use: int) -> int:
    """The seed of a game's player (`use` 0 or 1, its side), of its opening (2) or of its dice (3)."""
    return _mixed(terms.seed, opening, use)


@lru_cache(maxsize=256)
def _mixed(*numbers: int) -> int:
    """One seed out of several numbers; an opening is played from both sides, so the last ones come again."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])


def play(
    arbiter: Arbiter,
    agents: Sequence[Agent],
    task: Task,
    terms: Terms,
    *,
    recorded: Collection[int] = (),
    keep: Keep = lambda side, n_plies, recording: None,
) -> Played:
    """Play one game. Chance outcomes follow from the seed and the opening.

    So the first roll, the second and so on are the same from both sides of an opening.
    The searches of the sides in `recorded` are given to `keep`, outside of the players' time.
    """
    state = arbiter.start()
    texts: list[str] = []
    if terms.n_opening > 0:
        state, texts = arbiter.opening(terms.n_opening, seed_of(terms, task.opening, 2))
    players: list[Player] = [
        agents[number].player(arbiter, seed_of(terms, task.opening, side), records=side in recorded)
        for side, number in enumerate((task.first, task.second))
    ]
    players.append(RandomPlayer(arbiter, seed_of(terms, task.opening, 3)))  # players[CHANCE]: the dice
    spent = [0.0, 0.0, 0.0]
    status, side = ONGOING, arbiter.player(state)
    fault: str | None = None
    try:
        while status == ONGOING and len(texts) < terms.most_plies:
            began = time.perf_counter()
            try:
                ply = players[side].choose(state)
            finally:
                spent[side] += time.perf_counter() - began
            if side in recorded and (recording := players[side].recording) is not None:
                keep(side, len(texts), recording)
            texts.append(arbiter.game.write_ply(state, ply))
            status, side = arbiter.step(state, ply)
    except PlayerError as error:
        fault = str(error)
    finally:
        for player in players:
            player.close()
    why: Why = "length"
    points = DRAW
    if fault is not None:
        why, points = "fault", float(side)  # the side to move loses
    elif status != ONGOING:
        why, points = "over", arbiter.points(state, status)
    elif terms.adjudicate is not None:
        why, points = "adjudicated", arbiter.adjudicate(state, terms.adjudicate)
    return Played(
        *task,
        points=points,
        why=why,
        plies=tuple(map(str, texts)),
        seconds=(round(spent[0], 6), round(spent[1], 6)),
        fault=fault,
    )


def schedule(n_agents: int, n_games: int) -> list[Task]:
    """The games of all pairs, `n_games` a pair, each opening played from both sides.

    >>> [tuple(task) for task in schedule(2, 4)]
    [(0, 0, 0, 1), (1, 0, 1, 0), (2, 1, 0, 1), (3, 1, 1, 0)]
    """
    tasks: list[Task] = []
    for first in range(n_agents):
        for second in range(first + 1, n_agents):
            for game in range(n_games):
                sides = (first, second) if game % 2 == 0 else (second, first)
                tasks.append(Task(len(tasks), game // 2, *sides))
    return tasks
