"""The terms of an evaluation, added up again: contributions, else weight times value."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.sight import Sight


@kernel
def sum_of_terms(sight: Sight, row: int) -> tuple[float, float]:
    """Return the sum of a row's contributions, and of their sizes; NaN if a term is unknown.

    Stated contributions come first, else weight times value; a factor named `other` without a weight holds
    what the weighted ones leave over, so its value is its contribution.
    """
    total = np.nan
    size = 0.0
    if sight.contributions.shape[0] > 0:
        total = 0.0
        for i in range(sight.contributions.shape[1]):
            part = float(sight.contributions[row, i])
            total += part
            size += abs(part)
    if np.isnan(total) and sight.factors.shape[0] > 0:
        total = 0.0
        size = 0.0
        for i in range(sight.factors.shape[1]):
            part = float(sight.weights[i]) * float(sight.factors[row, i])  # numpy's would warn of an overflow
            total += part
            size += abs(part)
    return total, size
