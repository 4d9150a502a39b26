"""Games of one's own: heaps of matches, plain, wide, stuck, guided and wild."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any


class Heap:
    """A heap of matches: take one to three, whoever takes the last wins. Plies are numbers."""

    matches, most = 10, 3
    players = ("first", "second")
    factors: Mapping[str, float] = MappingProxyType({"matches": 0.0})

    def start(self) -> tuple[int, int]:
        return self.matches, 0

    def plies(self, position: tuple[int, int]) -> Any:
        return range(1, min(self.most, position[0]) + 1)

    def apply(self, position: tuple[int, int], ply: int) -> tuple[int, int]:
        return position[0] - ply, 1 - position[1]

    def player(self, position: tuple[int, int]) -> int:
        return position[1]

    def winner(self, position: tuple[int, int]) -> int | None:
        return None if position[0] else 2 - position[1]

    def values(self, position: tuple[int, int]) -> tuple[float, ...]:
        return (float(position[0]),)


class NamedHeap(Heap):
    """One or two of twelve may be taken; it has a name."""

    name = "heap"
    players = ("a", "b")
    factors = MappingProxyType({"left": 1.0})
    matches, most = 12, 2


class WideHeap(Heap):
    """The same with a hundred names for each ply."""

    def plies(self, position: tuple[int, int]) -> Any:
        return [ply + 100 * name for ply in super().plies(position) for name in range(100)]

    def apply(self, position: tuple[int, int], ply: int) -> tuple[int, int]:
        return super().apply(position, ply % 100)


class StuckHeap(Heap):
    """One match cannot be taken."""

    def plies(self, position: tuple[int, int]) -> Any:
        return range(0) if position[0] == 1 else super().plies(position)


class GuidedHeap(Heap):
    """Taking three is guided up by 2, taking one down by 1."""

    def ring(self, position: tuple[int, int], ply: int) -> int:
        return {1: -1, 2: 0, 3: 2}[ply]


class WildHeap(Heap):
    """Its guide is none."""

    def ring(self, position: tuple[int, int], ply: int) -> int:
        return 7
