"""The nodes that go into a shared page: the most important first, whole families where there is room."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.nodes.best_children import children_in_order
from plyscope.visualizer.store.tree import Tree

MOST_LEVELS: Final = 2000
"""Levels above a node that are brought with it; what lies deeper is not brought for its own sake."""

Rows = npt.NDArray[np.int64]


def choose(tree: Tree, first: Iterable[int], most: int, top: int) -> tuple[Rows, list[int]]:
    """At most `most` rows of the subtree of `top` with all that stand above them, in the order of the log.

    Those of `first` come first, then all children of these, then the children of the largest subtrees. A
    family that there is no room for is left out whole; of `top` and of `first`, its best children come.
    The second value is the same rows as a list, the most important first.
    """
    level, end = tree.log.columns["level"], tree.log.columns["end"]
    is_chosen = np.zeros(tree.log.n_rows, np.bool_)
    important: list[int] = []

    def bring(rows: Iterable[int]) -> None:
        for row in rows:
            if not is_chosen[row]:
                is_chosen[row] = True
                important.append(row)

    bring(tree.path(top))
    for row in first:
        is_inside = top <= row < end[top] and level[row] <= MOST_LEVELS
        above = [each for each in tree.path(row) if not is_chosen[each]] if is_inside else []
        if len(important) + len(above) <= most:
            bring(above)
    named = [row for row in important if top <= row < end[top]]
    for row in named:
        _bring_family(tree, row, most - len(important), bring, is_chosen, in_part=True)
    inside = np.arange(top, end[top])
    with_children = inside[end[inside] > inside + 1]
    for row in with_children[np.argsort(with_children - end[with_children], kind="stable")].tolist():
        if len(important) >= most:
            break
        if is_chosen[row]:
            _bring_family(tree, row, most - len(important), bring, is_chosen, in_part=False)
    return np.flatnonzero(is_chosen), important


def _bring_family(
    tree: Tree,
    row: int,
    room: int,
    bring: Callable[[Iterable[int]], None],
    is_chosen: npt.NDArray[np.bool_],
    *,
    in_part: bool,
) -> None:
    children = tree.children(row)
    missing = children[~is_chosen[children]]
    if len(missing) > room and in_part:
        best = children_in_order(tree, row, "best")[0]
        missing = best[~is_chosen[best]][:room]
    if len(missing) <= room:
        bring(missing.tolist())
