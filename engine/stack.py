"""What a search in the middle of its work knows: its options, its place in the tree, its counts.

Everything lies in arrays, so that the search can return at any step and go on later, compiled or plain.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

OPTIONS: Final = np.dtype(
    [
        ("root_player", np.int64),
        ("depth", np.int64),
        ("limit", np.int64),  # siblings kept at every node
        ("prunes", np.bool_),  # alpha-beta; otherwise every window is open
        ("scouts", np.bool_),  # null windows after the first child
        ("null_width", np.float64),
        ("mate", np.float64),  # a win at the root; each level takes mate_step off
        ("mate_step", np.float64),
        ("draw", np.float64),
        ("alpha", np.float64),  # the root's window
        ("beta", np.float64),
        ("rank", np.int64),  # so many of the root's plies, less one, have exact scores
    ]
)

FRAME: Final = np.dtype(
    [
        ("row", np.int64),
        ("depth", np.int64),
        ("n_moves", np.int64),
        ("n_kept", np.int64),
        ("next", np.int64),  # place in the order of the child that is visited now or next
        ("slot", np.int64),  # which of its siblings' buffers holds this node's state
        ("child_purpose", np.int64),
        ("maximizes", np.bool_),
        ("is_cut", np.bool_),
        ("retries", np.bool_),  # the scout of the child `next` beat its window
        ("alpha", np.float64),  # the window on entry
        ("beta", np.float64),
        ("best", np.float64),
        ("edge", np.float64),  # what a further child must beat: the best, at the root the rank-th best
        ("scout_score", np.float64),
    ]
)

RANKED: Final = np.dtype([("score", np.float64), ("ply", np.int64)])

NOT_BEGUN: Final = -1

COUNTS: Final = np.dtype(
    [
        ("level", np.int64),  # of the node that is worked on; NOT_BEGUN before the root is entered
        ("n_rows", np.int64),
        ("n_stub_plies", np.int64),
        ("n_ranked", np.int64),
        ("nodes", np.int64),
        ("leaves", np.int64),
        ("at_horizon", np.int64),  # those leaves whose game went on
        ("prune_events", np.int64),
        ("pruned", np.int64),
        ("limited", np.int64),
        ("score", np.float64),  # of the root that was last left
    ]
)


class Stack(NamedTuple):
    """The arrays a search works in; what it knows of a node's children has the node's level, then the child.

    `states[level, slot]` is the position of a node at `level`; a root is `states[0, 0]`. `weights` have the
    sign that turns values seen from player 0 into scores seen from the root player.
    """

    frames: Array
    states: Array
    plies: Array
    pre_scores: Array
    statuses: Array
    order: Array
    ranked: Array
    weights: Array
    values: Array


def stack_for(state: Array, weights: Array, depth: int, n_moves: int, rank: int) -> Stack:
    """A stack for searches `depth` deep of positions like `state`, with room for `n_moves` plies a node."""
    children = (depth + 1, n_moves)
    stack = Stack(
        frames=np.zeros(depth + 1, FRAME),
        states=np.empty((depth + 2, n_moves, len(state)), state.dtype),
        plies=np.zeros(children, np.int32),
        pre_scores=np.zeros(children, np.float64),
        statuses=np.zeros(children, np.int8),
        order=np.zeros(children, np.int32),
        ranked=np.zeros(rank + 1, RANKED),
        weights=weights,
        values=np.zeros(len(weights), np.float64),
    )
    stack.states[0, 0] = state
    return stack


def widened(stack: Stack, n_moves: int) -> Stack:
    """The same stack with room for `n_moves` plies a node."""
    names = ("states", "plies", "pre_scores", "statuses", "order")
    return stack._replace(**{name: _wider(getattr(stack, name), n_moves) for name in names})


def _wider(buffer: Array, n_moves: int) -> Array:
    wider = np.zeros((buffer.shape[0], n_moves, *buffer.shape[2:]), buffer.dtype)
    wider[:, : buffer.shape[1]] = buffer
    return wider
