"""key-moves: one key has one number of legal plies."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.digits import shortened
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.analysis.check.finding import Figures
from plyscope.visualizer.analysis.check.passes.kernel_call import Work
from plyscope.visualizer.analysis.check.passes.key_pass import (
    first_of_key,
    is_expanded,
    key_flags,
    text_of_key,
)
from plyscope.visualizer.analysis.check.passes.same_key_kernels import MET_MOVES, OTHER_MOVES
from plyscope.visualizer.analysis.check.rule import Rule


def find(sight: Sight, work: Work) -> npt.NDArray[np.int64]:
    """The rows that generated another number of plies than the first row of their key."""
    return np.flatnonzero(key_flags(sight, work) & OTHER_MOVES)


def has_judged(sight: Sight, work: Work) -> bool:
    """Whether a key was met twice."""
    return bool((key_flags(sight, work) & MET_MOVES).any())


def figures(sight: Sight, row: int) -> Figures:
    """The plies of the first row of the key, and those of this one."""
    first = first_of_key(sight, row, lambda rows: is_expanded(sight, rows) & (sight.moves[rows] >= 0))
    expected, found = int(sight.moves[first]), int(sight.moves[row])
    number = int(sight.log.columns["id"][first])
    return Figures(
        expected=expected,
        found=found,
        message=(
            f"There are {found} legal plies here, but {expected} at node {number}, which has the same key "
            f"{shortened(text_of_key(sight, row))}."
        ),
        involved=(first,),
    )


_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 4, "key": "start", "children": [
   {"ply": "c6", "layer": "min", "score": 4, "key": "A", "moves": 7, "outcome": "searched"},
   {"ply": "d3", "layer": "min", "score": 2, "key": "B", "moves": 7, "outcome": "searched"},
   {"ply": "e6", "layer": "min", "score": 1, "key": "A", "moves": 6, "outcome": "searched"}]}}
"""

RULE = Rule(
    name="key-moves",
    severity="wrong",
    reason="one key has one number of legal plies",
    has_judged=has_judged,
    unjudged="no key is met twice at nodes that generated their plies",
    meaning=(
        "Two positions that share a key do not have the same plies, so they are not the same position. "
        "Usually something that decides what is legal is not in the key (castling, en passant, pieces "
        "in hand, the last ply), taking a ply back leaves something behind on the board, or two keys "
        "collide. Look at what your ply generator reads and your key does not."
    ),
    needs=("key", "moves"),
    example=_EXAMPLE,
    find=find,
    figures=figures,
)
