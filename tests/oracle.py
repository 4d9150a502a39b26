"""Plain minimax, a slow and obvious twin of the search; and the rows of a log as objects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyscope.engine.game import CHANCE, DRAWN, FIRST_WON, ONGOING, SCORED
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

INF = math.inf


# Plain minimax --------------------------------------------------------------------------------------------


def values_of(game: Any, state: Any) -> dict[str, float]:
    """The value of every factor, NaN of one that the game does not write."""
    out = np.full(len(game.factors), np.nan)
    game.values(state, out)
    return dict(zip(game.factors, out.tolist(), strict=True))


def static(game: Any, state: Any, root_player: int) -> float:
    """The evaluation seen from the root player, term by term in order."""
    sign = 1 if root_player == 0 else -1
    score = 0.0
    for weight, value in zip(game.factors.values(), values_of(game, state).values(), strict=True):
        score += sign * weight * value
    return score


def worth(game: Any, state: Any, root_player: int, level: int, mate: float) -> float:
    """The score of a position at which the search ends: a static, or that of a finished game."""
    status = game.status(state)
    if status in (ONGOING, SCORED):
        return static(game, state, root_player)
    if status == DRAWN:
        return 0.0
    won = (status == FIRST_WON) == (root_player == 0)
    return mate - level if won else -(mate - level)


def kept(
    game: Any, state: Any, root_player: int, level: int, limit: int, mate: float, *, noisy: bool = False
) -> list[tuple[int, Any]]:
    """The plies (the `noisy` ones) that the branching limit keeps, best first, with the states after."""
    after = [*followed(game, state, noisy=noisy)]
    sign = -1 if game.player(state) == root_player else 1
    after.sort(key=lambda each: sign * worth(game, each[1], root_player, level + 1, mate))
    return after[:limit]


def followed(game: Any, state: Any, *, noisy: bool = False) -> Iterator[tuple[int, Any]]:
    """Every ply, in the order of generation, with the state after it."""
    plies = np.zeros(game.max_plies, np.int32)
    n_plies = game.noisy(state, plies) if noisy else game.generate(state, plies)
    for ply in plies[:n_plies].tolist():
        child = state.copy()
        game.apply(child, ply)
        yield ply, child


def minimax(
    game: Any, state: Any, depth: int, limit: int = 10**6, mate: float = 1e6, quiescence: int = 0
) -> dict[int, float]:
    """The score of every kept ply of `state`, each searched to the end: no windows, no cuts, no tricks."""
    root_player = int(game.player(state))
    plies = kept(game, state, root_player, 0, limit, mate)
    return {
        ply: valued(game, child, depth - 1, root_player, limit, mate, quiescence, level=1)
        for ply, child in plies
    }


def valued(
    game: Any,
    state: Any,
    depth: int,
    root_player: int,
    limit: int = 10**6,
    mate: float = 1e6,
    quiescence: int = 0,
    level: int = 0,
) -> float:
    """The score of a position: a mover's best ply, at a roll the mean over outcomes, which takes no depth.

    For `quiescence` plies below the horizon, who is not in check takes the static or the best noisy ply, who
    is in check the best ply of all.
    """
    here = worth(game, state, root_player, level, mate)
    if depth == -quiescence or game.status(state) != ONGOING:
        return here

    def below(child: Any, depth: int) -> float:
        return valued(game, child, depth, root_player, limit, mate, quiescence, level + 1)

    player = game.player(state)
    if player == CHANCE:
        chances = zip(game.probabilities(state), followed(game, state), strict=True)
        return sum(chance * below(child, depth) for chance, (_, child) in chances)
    stands_pat = depth <= 0 and not (hasattr(game, "in_check") and game.in_check(state))
    plies = kept(game, state, root_player, level, limit, mate, noisy=stands_pat)
    scores = [below(child, depth - 1) for _, child in plies] + [here] * stands_pat
    return max(scores) if player == root_player else min(scores)


# Rows -----------------------------------------------------------------------------------------------------


@dataclass
class Node:
    """A row of a log with its children, as Python objects."""

    row: int
    parent: Node | None
    fields: dict[str, Any]
    children: list[Node] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return self.fields[name]

    @property
    def is_stub(self) -> bool:
        return bool(self.outcome >= words.FIRST_STUB)

    @property
    def is_finished(self) -> bool:
        return not self.is_stub and self.outcome not in (words.STOPPED, words.OPEN)

    @property
    def visited(self) -> list[Node]:
        return [child for child in self.children if not child.is_stub]


def nodes_of(log: Log) -> list[Node]:
    """Every row of `log` as a `Node`, linked."""
    columns = {name: values.tolist() for name, values in log.columns.items()}
    nodes: list[Node] = []
    for row in range(log.n_rows):
        parent = columns["parent"][row]
        fields = {name: values[row] for name, values in columns.items() if name != "parent"}
        nodes.append(Node(row, nodes[parent] if parent >= 0 else None, fields))
        if parent >= 0:
            nodes[parent].children.append(nodes[row])
    return nodes
