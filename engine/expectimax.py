"""Expectimax: the search of games with chance nodes, depth first and resumable, in plain Python.

A player's node is worth its best ply, a chance node the mean of its outcomes, weighted by their
probabilities. There are no windows, so every score is exact. Depth counts the plies of players: a chance node
takes none, and one that is reached at the horizon is a leaf (as in OpenSpiel's expectiminimax).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from plyscope.engine.alphabeta.expanding import worth
from plyscope.engine.alphabeta.search import BUDGET_SPENT, FINISHED, ROWS_FULL
from plyscope.engine.alphabeta.stack import NOT_BEGUN, Stack
from plyscope.engine.alphabeta.writing import write_end, write_ending, write_entry
from plyscope.engine.game import CHANCE, ONGOING, Array, GameError, State
from plyscope.engine.record.memory import Memory
from plyscope.engine.record.rows import EXACT, FULL, LIMITED, ROWS_A_VISIT, SEARCHED


class _Child(NamedTuple):
    """A position that a ply leads to, judged; `probability` is that of an outcome of chance, else NaN."""

    ply: int
    state: State
    status: int
    pre_score: float
    values: Array
    probability: float


@dataclass
class _Node:
    """An open node: its plies, those that the limit left out, and its score so far."""

    row: int
    depth: int
    player: int
    kept: list[_Child]
    limited: list[_Child]
    score: float
    by_probability: dict[float, list[float]]
    """The scores of the outcomes of chance so far: of equal chances the sum is exact."""
    next: int = 0


class Expectimax:
    """A search that a run calls slice by slice, as it calls that of alpha-beta, with the same arrays."""

    def __init__(self) -> None:
        self._path: list[_Node] = []

    def __call__(
        self, game: Any, options: Array, stack: Stack, counts: Array, memory: Memory | None, node_budget: int
    ) -> int:
        """Go on until the tree is searched or has `node_budget` nodes in all; returns why it came back."""
        self._game, self._option, self._stack = game, options[0], stack
        self._count: Any = counts[0]
        self._memory = memory
        if self._count["level"] == NOT_BEGUN:
            self._path = []
        reason = self._go_on(node_budget)
        self._count["level"] = len(self._path) - 1
        return reason

    def _go_on(self, node_budget: int) -> int:
        path, count = self._path, self._count
        if not path:
            if self._lacks_room(0):
                return ROWS_FULL
            root = self._judged(-1, self._stack.states[0, 0], 0, math.nan)
            if (score := self._enter(root, int(self._option["depth"]), -1)) is not None:
                count["score"] = score
                return FINISHED
        while path:
            node = path[-1]
            if self._lacks_room(len(node.limited)):
                return ROWS_FULL
            if node.next == len(node.kept):
                self._leave(path.pop())
                if path:
                    self._back_up(node.score)
                else:
                    count["score"] = node.score
                continue
            if count["nodes"] >= node_budget:
                return BUDGET_SPENT
            depth = node.depth if node.player == CHANCE else node.depth - 1
            score = self._enter(node.kept[node.next], depth, node.row)
            if score is not None:
                self._back_up(score)
        return FINISHED

    def _enter(self, child: _Child, depth: int, parent: int) -> float | None:
        """Enter a node; its score, where nothing follows, else None: it is the last of the path now."""
        game, count, memory = self._game, self._count, self._memory
        player = int(game.player(child.state))
        goes_on = child.status == ONGOING and depth > 0
        kept, limited = self._plies(child.state, player) if goes_on else ([], [])
        number = int(count["n_rows"])
        if memory is not None:
            row = memory.rows[number]
            key, n_moves = game.key(child.state), len(kept) + len(limited)
            prior, static = child.probability, child.pre_score
            write_entry(
                row, parent, child.ply, depth, 0, player, FULL, 0, prior, math.nan, static, key, n_moves
            )
            memory.factors[number]["values"] = child.values
            count["n_rows"] += 1
        count["nodes"] += 1
        if goes_on:
            worst = 0.0 if player == CHANCE else -math.inf if self._maximizes(player) else math.inf
            self._path.append(_Node(number, depth, player, kept, limited, worst, {}))
            return None
        count["leaves"] += 1
        count["at_horizon"] += child.status == ONGOING
        if memory is not None:
            outcome = write_ending(row, child.status, self._option)
            write_end(row, number + 1, child.pre_score, EXACT, outcome, 0)
        return child.pre_score

    def _plies(self, state: State, player: int) -> tuple[list[_Child], list[_Child]]:
        """The plies of a node, judged: those to visit, and those beyond the limit, a player's best first.

        Outcomes of chance stay in their order, and all are visited.
        """
        game = self._game
        numbers = np.zeros(game.max_plies, np.int32)
        while (n_plies := int(game.generate(state, numbers))) < 0:
            numbers = np.zeros(game.max_plies, np.int32)
        if n_plies == 0:
            where = game.write_position(state)
            raise GameError(f"{game.name}: a position is not over but has no plies: {where}")
        chances = game.probabilities(state) if player == CHANCE else [math.nan] * n_plies
        children, level = [], len(self._path) + 1
        for ply, probability in zip(numbers[:n_plies].tolist(), chances, strict=True):
            after = state.copy()
            game.apply(after, ply)
            children.append(self._judged(ply, after, level, probability))
        if player == CHANCE:
            return children, []
        children.sort(key=lambda child: child.pre_score, reverse=self._maximizes(player))
        limit = int(self._option["limit"])
        return children[:limit], children[limit:]

    def _judged(self, ply: int, state: State, level: int, probability: float) -> _Child:
        stack, status = self._stack, int(self._game.status(state))
        values = np.zeros(len(stack.weights))
        pre_score = float(worth(self._game, state, status, self._option, stack.weights, values, level))
        return _Child(ply, state, status, pre_score, values, probability)

    def _back_up(self, score: float) -> None:
        """Take the score of the child just left into the node above it."""
        node = self._path[-1]
        child = node.kept[node.next]
        node.next += 1
        if node.player == CHANCE:
            node.by_probability.setdefault(child.probability, []).append(score)
            return
        node.score = (max if self._maximizes(node.player) else min)(node.score, score)
        if len(self._path) == 1:
            self._rank(child.ply, score)

    def _rank(self, ply: int, score: float) -> None:
        """Put a ply of the root among the best so far, behind those that are as good."""
        ranked, n_ranked = self._stack.ranked, int(self._count["n_ranked"])
        best = [*ranked[:n_ranked].tolist(), (score, ply, False)]
        best.sort(key=lambda each: -each[0])
        self._count["n_ranked"] = len(best[: len(ranked)])
        ranked[: len(best)] = best[: len(ranked)]

    def _leave(self, node: _Node) -> None:
        """Write the plies that the limit left out, and the score."""
        count, memory, limited = self._count, self._memory, node.limited
        if node.player == CHANCE:
            groups = node.by_probability.items()
            node.score = math.fsum(chance * math.fsum(scores) for chance, scores in groups)
        count["limited"] += len(limited)
        if memory is None:
            return
        if limited:
            number, first = int(count["n_rows"]), int(count["n_stub_plies"])
            stub, none = memory.rows[number], math.nan
            write_entry(stub, node.row, -1, 0, 0, 0, 0, 0, none, none, none, first, len(limited))
            write_end(stub, number + 1, none, 0, LIMITED, 0)
            plies = [(child.ply, child.pre_score) for child in limited]
            memory.stub_plies[first : first + len(limited)] = plies
            count["n_rows"] += 1
            count["n_stub_plies"] += len(limited)
        write_end(memory.rows[node.row], int(count["n_rows"]), node.score, EXACT, SEARCHED, 0)

    def _lacks_room(self, n_stub_plies: int) -> bool:
        """Whether the memory has no room for a visit and a stub with `n_stub_plies` plies."""
        memory, count = self._memory, self._count
        return memory is not None and (
            len(memory.rows) - count["n_rows"] < ROWS_A_VISIT
            or len(memory.stub_plies) - count["n_stub_plies"] < n_stub_plies
        )

    def _maximizes(self, player: int) -> bool:
        return player == int(self._option["root_player"])
