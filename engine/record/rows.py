"""The record that a search writes for each node.

A record is one cache line. It holds the facts that do not follow from the rest of the log. Pre-score, layer,
level, the plies of a stub and the stand-pat value are derived when a recording is read. The codes are those
of the log's vocabularies.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

# Outcomes.
SEARCHED: Final = 1
CUTOFF: Final = 2
LEAF: Final = 3
TERMINAL: Final = 4
TT: Final = 5
STOPPED: Final = 6
OPEN: Final = 7
PRUNED: Final = 8
LIMITED: Final = 9
FIRST_STUB: Final = PRUNED
UNLOGGED: Final = 11

# Bounds, as bits: exact = upper | lower.
UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3

# Purposes.
FULL: Final = 1
SCOUT: Final = 2
RESEARCH: Final = 3
NULL: Final = 4
PROBE: Final = 5

CUT_BY_CHILD: Final = 1
CUT_BY_STAND_PAT: Final = 2
CUT_BY_NULL: Final = 3
CUT_BY_ESTIMATE: Final = 4

# Uses of a table entry.
USED_TO_CUT: Final = 1
USED_TO_NARROW: Final = 2
USED_TO_ORDER: Final = 3

# Flags of a row, as bits.
QUIESCENCE: Final = 1
IN_CHECK: Final = 2

NULL_PLY: Final = -2
"""The `ply` of a row that was reached by a null move."""

# Endings, seen from the root player.
WIN: Final = 1
LOSS: Final = 2
DRAW: Final = 3

ROW: Final = np.dtype(
    [
        ("parent", np.int32),  # row of the parent, -1 at a root
        ("end", np.int32),  # the subtree of row i is rows [i, end)
        ("ply", np.int32),  # the ply that led here, -1 at a root and in a stub
        ("depth", np.int16),
        ("moves", np.uint16),  # plies generated (not at a leaf); in a stub, the number of its siblings
        ("player", np.int8),  # -1 where chance moves
        ("outcome", np.uint8),
        ("bound", np.uint8),
        ("cut_by", np.uint8),
        ("ending", np.uint8),
        ("purpose", np.uint8),
        ("reduction", np.uint8),  # plies by which the visit was reduced
        ("flags", np.uint8),
        ("alpha", np.float64),  # of expectimax, which has no windows, the probability of the ply
        ("beta", np.float64),
        ("score", np.float64),
        ("static", np.float64),  # not at a terminal
        ("key", np.uint64),  # in a stub, where its plies begin in the arena
    ]
)

STUB_PLY: Final = np.dtype([("ply", np.int32), ("pre_score", np.float64)])

HIT: Final = np.dtype(
    [
        ("score", np.float64),  # as the node of `row` would return it, seen from the root player
        ("row", np.int32),
        ("source", np.int32),  # the row that stored the entry, -2 where it is not in this recording
        ("ply", np.int32),  # -1: none
        ("depth", np.int16),
        ("bound", np.uint8),
        ("use", np.uint8),
    ]
)
"""A transposition table entry found on entering the node of `row`; rows ascend."""

FIGURES: Final = np.dtype(
    [
        ("visits", np.int64),
        ("wins", np.int64),  # of them, seen from the root player; not in a stub
        ("draws", np.int64),
        ("losses", np.int64),
        ("mean", np.float64),  # NaN without visits, as are the next three where they are unknown
        ("prior", np.float64),
        ("exploit", np.float64),  # seen from the root player
        ("explore", np.float64),
        ("n", np.int64),  # 0 where the node was never chosen by its terms
        ("n_parent", np.int64),
        ("expanded_at", np.int64),  # 0 where it was not, or in an earlier search
        ("place", np.int64),  # of the node in the tree, which stays; of a stub that of the node above
        ("count", np.int64),  # siblings that a stub stands for
    ]
)
"""The figures of a row in the tree of a best-first search. In its `ROW`, alpha, beta, depth, bound, score,
static, purpose, reduction and flags are not used, and a stub has no plies: its `moves` is 0.
"""

ROWS_A_VISIT: Final = 3
"""The most rows of one visit: its own, and on leaving a stub of pruned and one of limited siblings."""


def levels_of(ends: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Return the level of each row: the number of subtrees, by their `ends`, that it lies in.

    >>> levels_of(np.array([3, 2, 3, 5, 5])).tolist()
    [0, 1, 1, 0, 1]
    """
    left = np.cumsum(np.bincount(ends, minlength=len(ends) + 1)[: len(ends)])
    return (np.arange(len(ends)) - left).astype(np.int32)
