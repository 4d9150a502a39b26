"""The tree that a search leaves, and the part of it that a search of a later position begins with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyscope.engine.game import ONGOING, Array
from plyscope.engine.montecarlo.tree import ROOT

MOST_LEVELS: Final = 2
"""A position of the next own turn is two plies on."""


@dataclass(frozen=True)
class GrownTree:
    """The tree of a finished search: its nodes, and the facts on which its figures depend.

    `meaning` has the game, evaluation and play-outs; a search with another meaning begins afresh. `adapter`
    is the adapter of a plain game, which numbered its plies and positions.
    """

    nodes: Array
    n_nodes: int
    depth: int
    """At least the level of its deepest node."""
    meaning: tuple[Any, ...]
    adapter: Any


def place_of(grown: GrownTree, game: Any, state: Array, key: int) -> int | None:
    """Return the node of the tree, at most two plies below its root, that has the position `state`.

    None where there is none that was expanded. Its plies must be those of `state`.
    """
    nodes = grown.nodes
    wanted, player = np.uint64(key), game.player(state)
    level = [ROOT]
    for _ in range(MOST_LEVELS + 1):
        for place in level:
            node = nodes[place]
            same = node["visits"] > 0 and node["key"] == wanted and node["player"] == player
            if same and node["status"] == ONGOING and node["first"] >= 0:
                return place if _has_plies_of(nodes, place, game, state) else None
        level = [child for place in level for child in _tried(nodes[place])]
    return None


def _tried(node: Any) -> range:
    first = int(node["first"])
    return range(first, first + int(node["n_tried"])) if first >= 0 else range(0)


def _has_plies_of(nodes: Array, place: int, game: Any, state: Array) -> bool:
    plies = np.zeros(game.max_plies, np.int32)
    while (n := int(game.generate(state, plies))) < 0:
        plies = np.zeros(game.max_plies, np.int32)
    first = int(nodes[place]["first"])
    known = nodes["ply"][first : first + int(nodes[place]["n_children"])]
    return bool(np.array_equal(np.sort(known), np.sort(plies[:n])))


def largest(nodes: Array, node: int, worth: Callable[[int], float]) -> int | None:
    """Return the visited child of a node that is worth the most, the first tried of equal ones; None of none.

    >>> largest(np.zeros(1, [("first", int), ("n_tried", int)]), 0, float) is None
    True
    """
    return max(_tried(nodes[node]), key=worth, default=None)
