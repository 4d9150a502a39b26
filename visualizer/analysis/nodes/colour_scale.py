"""The scale of colours for the scores of a tree: from all of its rows, so that it stays as one walks."""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.columns.declarations import range_of
from plyscope.visualizer.store.log import object_in
from plyscope.visualizer.store.tree import Tree

SHARE: Final = 0.98
"""The share of scores within the scale."""
MEDIANS: Final = 8
"""The most medians that the scale reaches: undeclared scores of wins would leave all else grey."""
MOST_SIZES: Final = 2**20
"""Of more scores evenly spaced ones say where the scale ends."""

_kept: Final[WeakKeyDictionary[Tree, tuple[dict[str, float] | None, dict[str, Any] | None]]] = (
    WeakKeyDictionary()
)
"""The scales of each tree: they are asked for whenever somebody comes back to it."""


def score_scale(tree: Tree) -> dict[str, float] | None:
    """The range of the finite scores of the main tree, and the end of a scale of colours to either side of 0.

    Scores of won and lost games are left out where the log declares them. None where no score is left.
    """
    return _scales(tree)[0]


def mean_scale(tree: Tree) -> dict[str, Any] | None:
    """The ends of the colours of means: the declared range, else the least and the greatest mean of the tree.

    None where no node has a finite mean.
    """
    return _scales(tree)[1]


def _scales(tree: Tree) -> tuple[dict[str, float] | None, dict[str, Any] | None]:
    found = _kept.get(tree)
    if found is None:
        found = _kept[tree] = _score_scale(tree), _mean_scale(tree)
    return found


def _score_scale(tree: Tree) -> dict[str, float] | None:
    scores = _scores(tree)
    if not len(scores):
        return None
    sizes = np.abs(scores[:: -(-len(scores) // MOST_SIZES)])
    sizes = sizes[sizes > 0]
    reach = 0.0
    if len(sizes):
        places = int(np.ceil(SHARE * len(sizes))) - 1, len(sizes) // 2
        sizes.partition(places)  # a log that is being written is asked again and again: sorting takes longer
        most, median = sizes[places[0]], sizes[places[1]]
        reach = min(float(most), MEDIANS * float(median))
    return {"low": float(scores.min()), "high": float(scores.max()), "reach": reach}


def _mean_scale(tree: Tree) -> dict[str, Any] | None:
    means = tree.log.column("mean")
    if means is None:
        return None
    root = tree.main_root
    means = means[root : int(tree.log.columns["end"][root])]
    means = means[np.isfinite(means)]
    if not len(means):
        return None
    low, high = range_of(tree.log)
    if np.isfinite(low) and np.isfinite(high) and low < high:
        return {"low": low, "high": high, "declared": True}
    return {"low": float(means.min()), "high": float(means.max()), "declared": False}


def _scores(tree: Tree) -> npt.NDArray[np.float64]:
    log = tree.log
    root = tree.main_root
    scores = log.columns["score"][root : int(log.columns["end"][root])]
    scores = scores[np.isfinite(scores)]
    threshold = object_in(log.search, "mate").get("threshold")
    if isinstance(threshold, (int, float)) and threshold > 0:
        scores = scores[np.abs(scores) < threshold]
    return scores
