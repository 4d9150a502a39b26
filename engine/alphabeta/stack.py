"""The state of a search in the middle of its work: its options, its place in the tree, its counts.

Everything is in arrays, so that the search can return at any step and go on later, compiled or plain.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.alphabeta.counters import NAMES
from plyscope.engine.alphabeta.table import entries_for
from plyscope.engine.game import Array

OPTIONS: Final = np.dtype(
    [
        ("root_player", np.int64),
        ("depth", np.int64),
        ("limit", np.int64),  # siblings kept at every node
        ("prunes", np.bool_),  # alpha-beta; otherwise every window is open
        ("scouts", np.bool_),  # null windows after the first child
        ("trusts_scouts", np.bool_),  # a re-search never contradicts its scout, and may begin at its score
        ("null_width", np.float64),
        ("mate", np.float64),  # a win at the root; each level takes mate_step off
        ("mate_step", np.float64),
        ("draw", np.float64),
        ("alpha", np.float64),  # the root's window
        ("beta", np.float64),
        ("rank", np.int64),  # rank + 1 of the root's plies have exact scores
        ("fails_hard", np.bool_),  # no score outside the window is returned
        ("mate_threshold", np.float64),  # scores from here on are wins, from its opposite on losses
        ("asks_check", np.bool_),  # some technique needs to know whether the mover is in check
        ("uses_table", np.bool_),
        ("uses_deeper", np.bool_),  # entries of greater depth too
        ("narrows", np.bool_),  # entries that do not cut narrow the window
        ("age", np.int64),  # the age of entries stored now
        ("killers", np.bool_),
        ("history", np.bool_),
        ("iid_reduction", np.int64),  # IID; 0: off, as are those below
        ("quiescence", np.int64),  # plies below the horizon
        ("null_reduction", np.int64),
        ("lmr_from", np.int64),  # place of the first ply that is late
        ("reverse_futility", np.float64),  # margin for each ply of depth
        ("proves", np.bool_),  # proofs of wins and losses are recorded
        ("distrusts", np.bool_),  # entries of wins and losses that are not proven end no visit
    ]
)

FRAME: Final = np.dtype(
    [
        ("row", np.int64),
        ("depth", np.int64),
        ("n_moves", np.int64),
        ("n_kept", np.int64),
        ("next", np.int64),  # place in the order of the child that is visited now or next
        ("slot", np.int64),  # the sibling's buffer with this node's state, where states are copied
        ("ply", np.int64),  # that led here
        ("child_purpose", np.int64),
        ("maximizes", np.bool_),
        ("is_cut", np.bool_),
        ("retries", np.int64),  # the reason to search the child `next` again, 0 for none
        ("entry_alpha", np.float64),  # the window on entry
        ("entry_beta", np.float64),
        ("alpha", np.float64),  # the same, narrowed by a table entry
        ("beta", np.float64),
        ("best", np.float64),
        ("best_slot", np.int64),  # of the ply whose score is the best; -1: of none
        ("edge", np.float64),  # the score to beat: the best, at the root the rank-th best
        ("scout_score", np.float64),
        ("key", np.uint64),  # where a table is used
        ("phase", np.int64),
        ("cut_by", np.int64),
        ("in_check", np.bool_),
        ("child_reduction", np.int64),
        ("table_ply", np.int64),  # -1: none is known
        ("placed_by", np.int64),  # the counter of the technique that moved a ply forward, -1: none
        ("placed", np.int64),  # slot of that ply
        ("probe", np.int64),  # place of the child that is probed now or next
        ("probe_best", np.float64),
        ("probe_place", np.int64),
        ("proven", np.bool_),  # the best is a win or loss through proven ones, as far as visited
        ("first_note", np.int64),  # where the notes below this node begin
        ("child_note", np.int64),  # where those below the child visited now begin
    ]
)

# Phases of a node.
UNPLAYED: Final = 0
"""Its plies are not played and sorted yet."""
PASSING: Final = 1
"""Nor are they; first it hands over the move (null move)."""
PROBING: Final = 2
"""It visits its plies at less depth, to find the one to begin with (internal iterative deepening, IID)."""
PLAYING: Final = 3

# Why a child is searched again.
SCOUT_BEAT: Final = 1
REDUCED_BEAT: Final = 2

HISTORY_SIZE: Final = 4096
"""A power of two; plies with equal numbers modulo this share their history."""

RANKED: Final = np.dtype([("score", np.float64), ("ply", np.int64), ("proven", np.bool_)])

NOT_BEGUN: Final = -1

COUNTS: Final = np.dtype(
    [
        ("level", np.int64),  # the current node's; NOT_BEGUN before the root is entered
        ("n_rows", np.int64),
        ("n_stub_plies", np.int64),
        ("n_hits", np.int64),  # table entries written down
        ("table_uses", np.int64),  # entries used to cut or narrow
        ("n_ranked", np.int64),
        ("nodes", np.int64),
        ("leaves", np.int64),
        ("at_horizon", np.int64),  # leaves whose game goes on, and nodes cut before the horizon
        ("prune_events", np.int64),
        ("pruned", np.int64),
        ("limited", np.int64),
        ("score", np.float64),  # of the root that was last left
        ("proven", np.bool_),  # the node that was last left is a proven win or loss
        ("n_notes", np.int64),  # positions with limited replies on the way to wins and losses
    ]
)


class Stack(NamedTuple):
    """The arrays a search works in; those for children are indexed by the node's level, then the child.

    `states[level, slot]` is the position of a node at `level`; a root is `states[0, 0]`. In a game played in
    place, `states[0, 0]` is the position of the current node, and `states[level, 0]` the one before the null
    move that led to `level`. `values[level, slot]` are the factors of that child; those of a root, or of the
    position after a null move, are at slot 0 until the plies there are evaluated. `weights` have the sign
    that turns values seen from player 0 into scores seen from the root player. `full` are the sorted keys of
    positions kept at full width, `notes` those of positions that a proof needs at full width (see
    `plyscope.engine.alphabeta.proof`).
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
    table: Array
    killers: Array
    history: Array
    counters: Array
    full: Array
    notes: Array


def stack_for(
    state: Array,
    weights: Array,
    depth: int,
    n_moves: int,
    rank: int,
    table: Array | None = None,
    *,
    in_place: bool = False,
    full: Array | None = None,
    n_notes: int = 0,
) -> Stack:
    """A stack for searches `depth` deep of positions like `state`, with room for `n_moves` plies a node.

    `depth` counts the plies of quiescence too; `table` are the entries of a transposition table; `in_place`
    says that the game brings `undo`, so that its positions need no room for every child; `full` are keys of
    positions kept at full width, and there is room for `n_notes` notes.
    """
    children = (depth + 1, n_moves)
    stack = Stack(
        frames=np.zeros(depth + 1, FRAME),
        states=np.empty((depth + 2, 1 if in_place else n_moves, len(state)), state.dtype),
        plies=np.zeros(children, np.int32),
        pre_scores=np.zeros(children, np.float64),
        statuses=np.zeros(children, np.int8),
        order=np.zeros(children, np.int32),
        ranked=np.zeros(rank + 1, RANKED),
        weights=weights,
        values=np.zeros((*children, len(weights)), np.float64),
        table=entries_for(1) if table is None else table,
        killers=np.full((depth + 1, 2), -1, np.int64),
        history=np.zeros((2, HISTORY_SIZE), np.int64),
        counters=np.zeros((len(NAMES), 2), np.int64),
        full=np.zeros(0, np.uint64) if full is None else full,
        notes=np.zeros(n_notes, np.uint64),
    )
    stack.states[0, 0] = state
    return stack


def widened(stack: Stack, n_moves: int) -> Stack:
    """The same stack with room for `n_moves` plies a node."""
    names = ("states", "plies", "pre_scores", "statuses", "order", "values")
    return stack._replace(**{name: _wider(getattr(stack, name), n_moves) for name in names})


def _wider(buffer: Array, n_moves: int) -> Array:
    wider = np.zeros((buffer.shape[0], n_moves, *buffer.shape[2:]), buffer.dtype)
    wider[:, : buffer.shape[1]] = buffer
    return wider
