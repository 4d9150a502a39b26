"""Random trees with chance nodes, as a plain game: a position is the node itself, so no two are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import hypothesis.strategies as st

from plyscope.engine.game import CHANCE, DRAWN, FIRST_WON, ONGOING, SECOND_WON

VALUES = st.one_of(st.integers(-9, 9), st.sampled_from([0.25, -1.5, 1e3]))


@dataclass(frozen=True, eq=False)
class Node:
    """A node: who moves, what it is worth, what follows, and of chance how likely each of these is."""

    player: int
    value: float
    below: tuple[Node, ...] = ()
    weights: tuple[int, ...] = ()
    result: int = ONGOING


class ChanceTree:
    """The game of one tree."""

    name = "chance_tree"
    players = ("Ann", "Ben")
    factors = {"value": 1.0}  # noqa: RUF012
    positions_repeat = False

    def __init__(self, root: Node) -> None:
        self.root = root

    def start(self) -> Node:
        return self.root

    def plies(self, node: Node) -> Sequence[int]:
        assert node.player != CHANCE
        return range(len(node.below))

    def chances(self, node: Node) -> list[tuple[int, Fraction]]:
        return [(i, Fraction(weight, sum(node.weights))) for i, weight in enumerate(node.weights)]

    def apply(self, node: Node, ply: int) -> Node:
        return node.below[ply]

    def player(self, node: Node) -> int:
        return node.player

    def winner(self, node: Node) -> int:
        return node.result

    def values(self, node: Node) -> list[float]:
        return [node.value]

    def write_position(self, node: Node) -> str:
        return "a node of a tree"


LEAVES = st.builds(
    Node, st.sampled_from([0, 1]), VALUES, result=st.sampled_from([DRAWN, DRAWN, FIRST_WON, SECOND_WON])
)


def _inner(below: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    nodes = st.lists(below, min_size=1, max_size=4).map(tuple)
    moves = st.builds(Node, st.sampled_from([0, 1]), VALUES, nodes)

    def rolls(nodes: tuple[Node, ...]) -> st.SearchStrategy[Node]:
        weights: Any = st.tuples(*[st.integers(1, 6)] * len(nodes))
        return st.builds(Node, st.just(CHANCE), VALUES, st.just(nodes), weights)

    return st.one_of(moves, nodes.flatmap(rolls))


CHANCE_TREES = st.recursive(LEAVES, _inner, max_leaves=40)
