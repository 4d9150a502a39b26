"""The play-outs of a flat search that its log keeps, as chains of nodes: each ply's first ones.

Two that begin alike share the nodes of what they have in common, as in any tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from plyscope.engine.game import FIRST_WON, SECOND_WON


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
        return sum(1 for _ in self.below())

    @property
    def depth(self) -> int:
        """The plies of the longest."""
        return max((level for level, _, _ in self.below()), default=0)

    def below(self) -> Iterator[tuple[int, int, Kept]]:
        """All nodes below in pre-order with their levels from 1 and their plies, the most visited first."""
        waiting = [(0, -1, self)]
        while waiting:
            level, ply, node = waiting.pop()
            if level:
                yield level, ply, node
            rarest_first = sorted(node.children.items(), key=lambda item: item[1].visits)
            waiting += [(level + 1, below, child) for below, child in rarest_first]
