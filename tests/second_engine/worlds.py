"""Worlds that the second engine plays: random games with transpositions, and any kernel game."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from plyscope.engine.game import DRAWN, FIRST_WON, SECOND_WON

FIRST, SECOND, DRAW = "first", "second", "draw"


World = Any
"""A game as the second engine needs it: what `Maze` and `KernelWorld` have; nobody changes a position."""


class Spot(NamedTuple):
    """A position of a `Maze`: a node of the graph, and whether the turn was passed there."""

    number: int
    passed: bool = False


class Maze:
    """A random acyclic graph that two players walk: passes, double moves, transpositions, wins, draws.

    A ply leads to a node of a higher number, so one node is met by several paths and at several levels. Who
    moves at a node is drawn (no strict turns) unless `alternates`; a share `returns` of the nodes has a ply
    back. Values are whole and weights quarters, so sums are exact and ties are common.
    """

    name = "maze"
    players = ("north", "south")

    def __init__(
        self, seed: int, n_nodes: int = 40, most: int = 4, *, alternates: bool = False, returns: float = 0.0
    ) -> None:
        draw = random.Random(seed)
        self.alternates = alternates
        self.factors = {"goods": 1.0, "room": 0.5, "tempo": -0.25}
        self._edges: list[list[int]] = []
        self._noisy: list[list[int]] = []
        self._movers: list[int] = []
        self._values: list[tuple[float, ...]] = []
        self._endings: list[str] = []
        self._checks: list[bool] = []
        self._salt = draw.getrandbits(60)
        for number in range(n_nodes):
            ahead = list(range(number + 1, min(number + 9, n_nodes)))
            if alternates:
                ahead = [other for other in ahead if (other - number) % 2]
            is_over = not ahead or (number > 2 and draw.random() < 0.12)
            n_plies = 0 if is_over else min(len(ahead), draw.randint(1, most))
            self._edges.append(draw.sample(ahead, n_plies))
            if returns and n_plies and number > 3 and draw.random() < returns:
                self._edges[-1].append(draw.randrange(1, number))
            self._noisy.append([other for other in self._edges[-1] if draw.random() < 0.4])
            self._movers.append(number % 2 if alternates else int(draw.random() < 0.5))
            self._values.append(tuple(float(draw.randint(-6, 6)) for _ in self.factors))
            self._endings.append(draw.choice([FIRST, SECOND, DRAW]) if is_over else "")
            self._checks.append(not is_over and draw.random() < 0.1)

    def start(self) -> Spot:
        return Spot(0)

    def text(self) -> str:
        return "node 0"

    def plies(self, position: Spot) -> list[int]:
        return self._edges[position.number]

    def noisy(self, position: Spot) -> list[int]:
        return self._noisy[position.number]

    def after(self, position: Spot, ply: int) -> Spot:
        return Spot(ply)

    def passed(self, position: Spot) -> Spot | None:
        return None if position.passed or self._endings[position.number] else Spot(position.number, True)

    def mover(self, position: Spot) -> int:
        return self._movers[position.number] ^ position.passed

    def in_check(self, position: Spot) -> bool:
        return self._checks[position.number] and not position.passed

    def ending(self, position: Spot) -> str:
        return self._endings[position.number]

    def values(self, position: Spot) -> tuple[float, ...]:
        return self._values[position.number]

    def key(self, position: Spot) -> int:
        return ((2 * position.number + position.passed + 1) * 0x9E3779B97F4A7C15 + self._salt) % 2**64

    def ply_text(self, position: Spot, ply: int) -> str:
        return f"n{ply}"


class KernelWorld:
    """A kernel game, played by its kernels as plain Python; positions are arrays that are never changed."""

    def __init__(self, game: Any, position: str | None = None, *, alternates: bool = False) -> None:
        self.game = game
        self.name: str = game.name
        self.players: tuple[str, str] = game.players
        self.factors: Mapping[str, float] = game.factors
        self.alternates = alternates
        self._start = game.read_position(game.start if position is None else position)
        self._buffer = np.zeros(game.max_plies, np.int32)

    def start(self) -> Any:
        return self._start

    def text(self) -> str:
        return str(self.game.write_position(self._start))

    def plies(self, position: Any) -> list[int]:
        return [int(ply) for ply in self._buffer[: self.game.generate(position, self._buffer)]]

    def noisy(self, position: Any) -> list[int]:
        return [int(ply) for ply in self._buffer[: self.game.noisy(position, self._buffer)]]

    def after(self, position: Any, ply: int) -> Any:
        state = position.copy()
        self.game.apply(state, ply)
        return state

    def passed(self, position: Any) -> Any | None:
        state = position.copy()
        return state if self.game.pass_turn(state) else None

    def mover(self, position: Any) -> int:
        return int(self.game.player(position))

    def in_check(self, position: Any) -> bool:
        return bool(self.game.in_check(position)) if hasattr(self.game, "in_check") else False

    def ending(self, position: Any) -> str:
        return {FIRST_WON: FIRST, SECOND_WON: SECOND, DRAWN: DRAW}.get(int(self.game.status(position)), "")

    def values(self, position: Any) -> list[float]:
        out = np.zeros(len(self.factors))
        self.game.values(position, out)
        return [float(value) for value in out]

    def key(self, position: Any) -> int:
        return int(self.game.key(position)) % 2**64

    def ply_text(self, position: Any, ply: int) -> str:
        return str(self.game.write_ply(position, ply))


def kernels_of(world: Any) -> set[str]:
    """Which optional kernels the world has: nobody asks for quiescence or passes without."""
    wanted = ("noisy", "pass_turn")
    game = getattr(world, "game", None)
    return set(wanted) if game is None else {name for name in wanted if hasattr(game, name)}


ENDINGS = {FIRST: "win", DRAW: "draw"}
MOST_NODES = 700


class TooLarge(Exception):  # noqa: N818
    """The maze has too many paths to be written out."""


def unfolded(world: Maze) -> str:
    """Every path of the maze to its end; a position met again has its key, so transpositions are true.

    Some positions can be passed (those whose number is a multiple of four). Raises TooLarge.
    """
    n_nodes = 0

    def node(spot: Spot, is_noisy: bool) -> dict[str, Any]:
        nonlocal n_nodes
        n_nodes += 1
        if n_nodes > MOST_NODES:
            raise TooLarge
        says: dict[str, Any] = {"player": ("max", "min")[world.mover(spot)], "key": str(world.key(spot))}
        if is_noisy:
            says["noisy"] = True
        ending = world.ending(spot)
        if ending:
            return says | {"ending": ENDINGS.get(ending, "loss")}
        weights = world.factors.values()
        says["value"] = sum(w * value for w, value in zip(weights, world.values(spot), strict=True))
        if world.in_check(spot):
            says["in_check"] = True
        noisy = world.noisy(spot)
        says["children"] = {
            world.ply_text(spot, ply): node(world.after(spot, ply), ply in noisy) for ply in world.plies(spot)
        }
        passed = world.passed(spot)
        if passed is not None and spot.number % 4 == 0 and "in_check" not in says:
            says["pass"] = node(passed, False)
        return says

    return json.dumps(node(world.start(), False))
