"""Siblings that were never searched: nodes of a foreign tree without a score that come after a cutoff."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.foreign.meaning.layers import ScoredTree

Array = npt.NDArray[Any]

MAX, MIN = 0, 1
NEGAMAX: Final = 2
"""Stands for a layer where scores and windows are the mover's."""


@kernel
def walk_windows(
    parents: Array,
    sides: Array,
    scores: Array,
    known: Array,
    alpha: Array,
    beta: Array,
    best: Array,
    is_cut: Array,
) -> None:
    """Derive from the scores, in pre-order, the window of each node, and whether it comes after a cutoff.

    alpha, beta  stated windows; NaN, where none is stated, is filled in
    best         receives the best score of the children of each node, as its side sees them
    is_cut       receives whether the siblings before a node have reached the edge of their parent's window
    """
    for row in range(len(parents)):
        side = sides[row]
        best[row] = np.inf if side == MIN else -np.inf
        above = parents[row]
        low, high = -np.inf, np.inf
        if above >= 0:
            side = sides[above]
            low, high = alpha[above], beta[above]
            if side == MIN:
                is_cut[row] = best[above] <= low
                high = min(high, best[above])
            else:
                is_cut[row] = best[above] >= high
                low = max(low, best[above])
            if side == NEGAMAX:
                low, high = -high, -low
            if known[row]:
                if side == MIN:
                    best[above] = min(best[above], scores[row])
                elif side == MAX:
                    best[above] = max(best[above], scores[row])
                else:
                    best[above] = max(best[above], -scores[row])
        if np.isnan(alpha[row]):
            alpha[row] = low
        if np.isnan(beta[row]):
            beta[row] = high


def behind_cuts(
    tree: ScoredTree, sides: Array, has_children: Array, alpha: Array, beta: Array, run: Any
) -> Array:
    """Return a mask of the leaves without a score that come after a cutoff and after all scored siblings.

    `sides` are MAX, MIN or NEGAMAX by node, -1 where unknown.

    >>> from plyscope.visualizer.formats.foreign.meaning.layers import scored_tree
    >>> parents, scores = np.array([-1, 0, 0, 2, 2]), np.array([3.0, 3, 1, 1, np.nan])
    >>> tree = scored_tree(parents, np.array([0, 1, 1, 2, 2]), scores, ~np.isnan(scores))
    >>> has_children, open_ = np.array([1, 0, 1, 0, 0], bool), np.full(5, np.nan)
    >>> sides = np.array([MAX, MIN, MIN, MAX, MAX])
    >>> behind_cuts(tree, sides, has_children, open_, open_.copy(), lambda kernel: kernel).tolist()
    [False, False, False, False, True]
    """
    parents, known = tree.parents, tree.known
    may_be = ~known & ~has_children & (parents >= 0)
    if not may_be.any() or not known.any():
        return np.zeros(len(parents), np.bool_)
    last_known = np.full(len(parents), -1, np.int64)
    scored = np.flatnonzero(known & (parents >= 0))
    np.maximum.at(last_known, parents[scored], scored)
    rows = np.flatnonzero(may_be)
    above = parents[rows]
    may_be[rows] = (last_known[above] >= 0) & (last_known[above] < rows) & (sides[above] >= 0)
    if not may_be.any():
        return may_be
    is_cut = np.zeros(len(parents), np.bool_)
    run(walk_windows)(parents, sides, tree.scores, known, alpha, beta, np.empty(len(parents)), is_cut)
    return np.asarray(may_be & is_cut)
