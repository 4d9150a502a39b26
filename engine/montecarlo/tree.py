"""The tree of a Monte Carlo search and all it works with, in arrays; a search can stop after any play-out.

Nodes are numbered as they arrive: the root is 0, and the children of a node are contiguous, in the order in
which they are first tried. Counts are by player, not by root player, so a search may continue from any
position of the tree.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.game import Array

NODE: Final = np.dtype(
    [
        ("parent", np.int32),  # -1 at the root
        ("first", np.int32),  # of its children, -1 before it is expanded
        ("n_children", np.int32),
        ("n_tried", np.int32),  # children with a visit, which come first; all where chance moves
        ("ply", np.int32),  # that led here
        ("player", np.int8),  # to move, -1 for chance; known from the first visit on, as are the next three
        ("status", np.int8),
        ("own", np.int8),  # the result of the node's own play-out, or of a finished game
        ("n_own", np.int8),  # 1 if the node was played out itself: all but the root of a fresh tree
        ("key", np.uint64),
        ("visits", np.int64),
        ("first_wins", np.int64),  # visits that the first player won
        ("second_wins", np.int64),
        ("prior", np.float64),  # chance of the ply in a guided play-out, or of an outcome of chance
        ("exploit", np.float64),  # the terms of the last choice among siblings, seen by the chooser
        ("explore", np.float64),
        ("n", np.int64),  # visits of the node at that choice, 0 before the first
        ("n_parent", np.int64),
        ("expanded_at", np.int64),  # visits of the root by then, this one included; 0: in an earlier search
    ]
)

OPTIONS: Final = np.dtype(
    [
        ("by_ucb", np.bool_),  # otherwise children are chosen uniformly at random
        ("c", np.float64),
        ("fpu", np.float64),  # urgency of a child without visits, infinite where it always comes first
        ("by_static", np.bool_),  # children are first tried in the order of their evaluation
        ("guided", np.bool_),
        ("turn_limit", np.int64),
        ("keeps_keys", np.bool_),
    ]
)

COUNTS: Final = np.dtype(
    [
        ("n_nodes", np.int64),
        ("n_playouts", np.int64),  # of this run
        ("n_cut_short", np.int64),  # of them, those that the turn limit ended
        ("max_level", np.int64),
    ]
)

ROOT: Final = 0
MOST_GUIDE: Final = 6
"""The tiles around a queen, at most: a guide is between minus this and this."""


class Trunk(NamedTuple):
    """The arrays that a search works in.

    `states` are the position of the root, that of the node it is at, and one to judge a child in. `plies`,
    `scores` and `guides` have room for the plies of a position. `values` and `weights` are one a factor, the
    weights as seen from the first player. `worths` are the weights of plies in guided play-outs, by guide.
    """

    nodes: Array
    states: Array
    plies: Array
    scores: Array
    values: Array
    weights: Array
    worths: Array
    source: Array


def trunk_for(
    state: Array, weights: Array, worths: Array, source: Array, n_moves: int, nodes: Array
) -> Trunk:
    """Return the arrays for a search of `state`, with room for `n_moves` plies of a position."""
    states = np.empty((3, len(state)), state.dtype)
    states[:] = state
    return Trunk(
        nodes=nodes,
        states=states,
        plies=np.zeros(n_moves, np.int32),
        scores=np.zeros(n_moves, np.float64),
        values=np.zeros(len(weights), np.float64),
        weights=weights,
        worths=worths,
        source=source,
    )


def nodes_for(n_nodes: int) -> Array:
    """Return an array for `n_nodes` nodes; its pages take memory once they are written."""
    return np.empty(n_nodes, NODE)


def worths_of(power: float) -> Array:
    """Return the weight of a ply by its guide δ, from -6 to 6: 1 + δ above 0, 1 / (1 - δ) below, to `power`.

    >>> worths_of(1.0)[[4, 6, 9]].tolist()
    [0.3333333333333333, 1.0, 4.0]
    """
    deltas = range(-MOST_GUIDE, MOST_GUIDE + 1)
    worths = [1.0 + delta if delta > 0 else 1.0 / (1 - delta) for delta in deltas]
    return np.array([worth**power for worth in worths], np.float64)
