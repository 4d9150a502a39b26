"""Edges of windows that a log does not state: a fail-hard search returns them in place of scores.

The window of a node follows from the best scores of its ancestors before it, or from the width of a scout.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.columns.declarations import SOFT
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import alpha_of, best_child_of, beta_of, is_stub
from plyscope.visualizer.analysis.columns.sight import FAILS_HIGH, FITS_HARD, VALUE_WRONG, Array, Sight
from plyscope.visualizer.store import words

Mask = npt.NDArray[np.bool_]


def width_of_scouts(sight: Sight) -> float:
    """Return the width of null windows, NaN if nothing shows that there are any."""
    scouts = sight.null_width_is_declared or bool((sight.purpose == words.SCOUT).any())
    return sight.null_width if scouts else math.nan


def has_window(sight: Sight) -> Mask:
    """Return the rows that state both edges of the window."""
    if len(sight.alpha) == 0 or len(sight.beta) == 0:
        return np.zeros(sight.n_rows, np.bool_)
    return np.asarray(~(np.isnan(sight.alpha) | np.isnan(sight.beta)))


def excuse_clamps(sight: Sight, work: Work) -> tuple[int, int]:
    """Clear the marks of nodes with a layer that may have returned an edge of an unstated window.

    Returns how many of them fit only a fail-hard search: of those that fail low, and that fail high.
    """
    is_soft = sight.fail_is_declared and sight.fail == SOFT
    wrong = (sight.marks & VALUE_WRONG > 0) & (sight.layer > 0)
    if is_soft or not (wrong & ~has_window(sight)).any():
        return 0, 0
    deepest = int(sight.level.max(initial=0))
    low, high = np.full(deepest + 2, -math.inf), np.full(deepest + 2, math.inf)
    excused = np.zeros(sight.n_rows, np.bool_)
    work.run(follow_windows)(sight, width_of_scouts(sight), low, high, excused)
    excused &= wrong & ~has_window(sight)
    sight.marks[excused] &= ~np.uint32(VALUE_WRONG)
    if sight.fail_is_declared:
        return 0, 0
    sight.marks[excused] |= np.uint32(FITS_HARD)
    is_below = sight.fold_bests[sight.fold_at] < sight.score
    fail_high = excused & (is_below == (sight.layer == words.MIN))
    sight.marks[fail_high] |= np.uint32(FAILS_HIGH)
    n_high = int(np.count_nonzero(fail_high))
    return int(np.count_nonzero(excused)) - n_high, n_high


@kernel
def follow_windows(sight: Sight, width: float, low: Any, high: Any, excused: Array) -> None:
    """Write where a score is an edge of the window that plain alpha-beta, or a scout, has there.

    `low` and `high` hold the window of the current path, by level; `width` is NaN if there are no scouts.
    """
    root = 0
    for row in range(len(sight.parent)):
        if is_stub(sight, row):
            continue
        level = int(sight.level[row])
        alpha, beta = -math.inf, math.inf
        parent = int(sight.parent[row])
        if parent < 0:
            root = row
        else:
            alpha, beta = low[level - 1], high[level - 1]
            best = float(sight.edge_before[row])
            if sight.layer[parent] == words.MAX and best > alpha:
                alpha = best
            elif sight.layer[parent] == words.MIN and best < beta:
                beta = best
        if alpha_of(sight, row) == alpha_of(sight, row):
            alpha = alpha_of(sight, row)
        if beta_of(sight, row) == beta_of(sight, row):
            beta = beta_of(sight, row)
        low[level], high[level] = alpha, beta
        score, best = float(sight.score[row]), best_child_of(sight, row)
        if score != score or best != best:
            continue
        if best < score:
            excused[row] = score == alpha or score == beta - width
        else:
            excused[row] = score == beta or score == alpha + width
        if len(sight.roots) > 1 and abs(score - sight.score[root]) <= sight.null_width:
            excused[row] = True  # an edge of an aspiration or null window, which the root has returned
