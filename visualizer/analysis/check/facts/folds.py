"""What the sweep has folded from the plies of a row; the folds of rows that have none are NaN.

Three of four rows have no fold. So folds stand in arrays of their own, and a row has a place in them.
"""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.row import is_stub, unsearched_best
from plyscope.visualizer.analysis.check.facts.sight import FOLDS, Sight

NO_FOLD = 0
"""The place of all rows without a fold."""


@kernel
def may_fold(sight: Sight, row: int) -> bool:
    """Whether the row has rows below it, a stand pat or an estimate, of which a fold can be made."""
    if is_stub(sight, row):
        return False
    stand = unsearched_best(sight, row, 1.0)
    return bool(sight.end[row] > row + 1 or stand == stand)


@kernel
def fold_of(sight: Sight, row: int) -> tuple[float, float]:
    """Return the fold of the claims below a row; NaN where it is not asked."""
    place = sight.fold_at[row]
    return float(sight.fold_lows[place]), float(sight.fold_highs[place])


@kernel
def best_child_of(sight: Sight, row: int) -> float:
    """Return the best of counted children, stand pat and the estimate, NaN where a part of it is unknown."""
    return float(sight.fold_bests[sight.fold_at[row]])


def with_room(sight: Sight, n_folds: int) -> Sight:
    """Return the sight with room for so many folds, beside the place of rows that have none."""
    lows, highs, bests = (np.full(n_folds + 1, np.nan) for _ in FOLDS)
    return sight._replace(fold_lows=lows, fold_highs=highs, fold_bests=bests)
