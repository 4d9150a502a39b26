"""Monte Carlo tree search a second way: an object a node, recursive, written to be read and not to be fast.

It shares the seeded draws and the rules of the games with the engine, and nothing of its search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from plyscope.engine.game import FIRST_WON, ONGOING, SECOND_WON
from plyscope.engine.kernel_game import legal_plies
from plyscope.engine.montecarlo.draws import draw_below, source_of


@dataclass
class OracleNode:
    """One node; `results` are those of its visits for the first player: 1, 0.5 or 0."""

    results: list[float] = field(default_factory=list)
    untried: list[int] | None = None
    children: dict[int, OracleNode] = field(default_factory=dict)
    ucb: tuple[float, float, int, int] | None = None


class Oracle:
    """A search of a kernel game by UCB1; `fpu` infinite: children without visits come first."""

    def __init__(self, game: Any, position: str, seed: int, c: float, fpu: float = math.inf) -> None:
        self.game, self.state, self.c, self.fpu = game, game.read_position(position), c, fpu
        self.source = source_of(seed)
        self.root = OracleNode()

    def grow(self, n_playouts: int) -> OracleNode:
        """Make so many play-outs."""
        for _ in range(n_playouts):
            self._visit(self.root, self.state.copy(), is_root=True)
        return self.root

    def _visit(self, node: OracleNode, state: Any, *, is_root: bool = False) -> float:
        if self.game.status(state) != ONGOING or (not node.results and not is_root):
            result = self._played_out(state)
        else:
            if node.untried is None:
                node.untried = self._shuffled(legal_plies(self.game, state))
            ply = self._selected(node, int(self.game.player(state)))
            self.game.apply(state, ply)
            result = self._visit(node.children[ply], state)
        node.results.append(result)
        return result

    def _shuffled(self, plies: list[int]) -> list[int]:
        for last in range(len(plies) - 1, 0, -1):
            other = draw_below(self.source, last + 1)
            plies[last], plies[other] = plies[other], plies[last]
        return plies

    def _selected(self, node: OracleNode, player: int) -> int:
        assert node.untried is not None
        terms: dict[int, tuple[float, float, int, int]] = {}
        n_parent = len(node.results)
        for ply, child in node.children.items():
            n = len(child.results)
            mean = sum(child.results) / n
            exploit = mean if player == 0 else 1 - mean
            terms[ply] = exploit, self.c * math.sqrt(math.log(n_parent) / n), n, n_parent
        best = max(terms, key=lambda ply: round(terms[ply][0] + terms[ply][1], 12), default=None)
        if node.untried and (best is None or self.fpu >= terms[best][0] + terms[best][1]):
            ply = node.untried.pop(0)
            node.children[ply] = OracleNode()
            return ply
        assert best is not None
        node.children[best].ucb = terms[best]
        return best

    def _played_out(self, state: Any) -> float:
        while (status := self.game.status(state)) == ONGOING:
            plies = legal_plies(self.game, state)
            self.game.apply(state, plies[draw_below(self.source, len(plies))])
        if status in (FIRST_WON, SECOND_WON):
            return 1.0 if status == FIRST_WON else 0.0
        return 0.5
