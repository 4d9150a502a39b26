"""Comparisons for both layers: the better score, and the edges of a window, as the mover sees them.

Scores and windows stay seen from the root player; only these kernels map the ends to the mover. They compare
and choose and never negate, since a logged -0.0 is another number than 0.0.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from plyscope.engine.jit import kernel

INFINITY: Final = np.inf


@kernel
def is_better(maximizes: bool, one: float, other: float) -> bool:
    """Whether the score `one` is better than `other` for who moves where `maximizes` holds, or does not.

    >>> is_better(True, 3.0, 2.0), is_better(False, 3.0, 2.0), is_better(False, 2.0, 2.0)
    (True, False, False)
    """
    return one > other if maximizes else one < other


@kernel
def is_as_good(maximizes: bool, one: float, other: float) -> bool:
    """Whether the score `one` is better than `other`, or the same."""
    return one >= other if maximizes else one <= other


@kernel
def better_of(maximizes: bool, one: float, other: float) -> float:
    """The better of two scores."""
    return max(one, other) if maximizes else min(one, other)


@kernel
def improved(maximizes: bool, score: float, amount: float) -> float:
    """A score better than `score` by `amount`, worse where `amount` is below 0."""
    return score + amount if maximizes else score - amount


@kernel
def worst_of_all(maximizes: bool) -> float:
    """Return the score that every other is better than: the best of no plies."""
    return -INFINITY if maximizes else INFINITY


@kernel
def own_edge(frame: Any) -> float:
    """The edge of the window that a ply of the node must beat to count."""
    edge: float = frame["alpha"] if frame["maximizes"] else frame["beta"]
    return edge


@kernel
def cutting_edge(frame: Any) -> float:
    """The edge of the window that a ply of the node cuts at when it is as good."""
    edge: float = frame["beta"] if frame["maximizes"] else frame["alpha"]
    return edge
