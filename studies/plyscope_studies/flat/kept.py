"""The play-outs of a flat search that its log keeps, as chains of nodes: each ply's first ones.

Two that begin alike share the nodes of what they have in common, as in any tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from plyscope.engine.game import FIRST_WON, SECOND_WON, Array


@dataclass
class Kept:
    """A position after some plies of play-outs that were kept, and what those came to that passed it.

    visits, first_wins, second_wins  of these play-outs; the rest are draws, or were cut short
    children                         by ply, in the order in which they came
    """

    visits: int = 0
    first_wins: int = 0
    second_wins: int = 0
    children: dict[int, Kept] = field(default_factory=dict)

    def add(self, plies: Sequence[int], outcome: int) -> None:
        """Add a play-out from here.

        >>> kept = Kept()
        >>> kept.add([3, 4], FIRST_WON)
        >>> kept.add([3, 5], SECOND_WON)
        >>> kept.children[3].visits, len(kept), kept.depth
        (2, 3, 2)
        """
        here = self
        for ply in plies:
            here = here.children.setdefault(ply, Kept())
            here.visits += 1
            here.first_wins += outcome == FIRST_WON
            here.second_wins += outcome == SECOND_WON

    def __len__(self) -> int:
        return sum(1 for _ in self._below())

    @property
    def depth(self) -> int:
        """The plies of the longest."""
        return max((level for level, _, _ in self._below()), default=0)

    def _below(self) -> Iterator[tuple[int, int, Kept]]:
        """All nodes below in pre-order with their levels from 1 and their plies, the most visited first."""
        waiting = [(1, ply, child) for ply, child in self._ordered()]
        while waiting:
            level, ply, node = waiting.pop()
            yield level, ply, node
            waiting += [(level + 1, below, child) for below, child in node._ordered()]

    def _ordered(self) -> list[tuple[int, Kept]]:
        """The children, the least visited first, since the last is taken first."""
        return sorted(self.children.items(), key=lambda item: item[1].visits)

    def write(
        self,
        rows: Array,
        figures: Array,
        at: int,
        state: Array,
        apply: Callable[[Array, int], None],
        fill: Callable[[Any, Any, Array, int, int, Kept], None],
    ) -> int:
        """Write all nodes below row `at`, whose position is `state`; the number of the row behind the last.

        `fill` writes the row and the figures of a node with a position, a ply, and the row of its parent.
        """
        path = [(at, state)]
        number = at + 1
        for level, ply, node in self._below():
            while len(path) > level:
                rows[path.pop()[0]]["end"] = number
            parent, before = path[-1]
            here = before.copy()
            apply(here, ply)
            fill(rows[number], figures[number], here, ply, parent, node)
            path.append((number, here))
            number += 1
        for row, _ in path:
            rows[row]["end"] = number
        return number
