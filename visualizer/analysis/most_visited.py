"""The line that a best-first search visited most: what stands for its principal variation."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree


def is_best_first(log: Log) -> bool:
    """Whether the log says that its search went best-first."""
    search = log.header.get("search")
    return isinstance(search, Mapping) and search.get("order") == "best_first"


def is_by_visits(log: Log) -> bool:
    """Whether it is the tree of a best-first search that counts visits."""
    return "visits" in log.columns and is_best_first(log)


def most_visited_line(tree: Tree, row: int, most: int | None = None) -> list[int]:
    """The rows below `row`, each the most visited child of the one before, and at most `most` of them.

    Of children with equal visits the one with the better mean for the side that chooses, then the first. The
    line ends where no child states visits, or none was visited.
    """
    visits, means = tree.log.columns.get("visits"), tree.log.columns.get("mean")
    layers = tree.log.columns["layer"]
    rows: list[int] = []
    if visits is None:
        return rows
    at = row
    while most is None or len(rows) < most:
        children = tree.children(at)
        children = children[~tree.is_stub[children]]
        counts = np.where(visits[children] > 0, visits[children], -np.inf)
        if not len(children) or counts.max() == -np.inf:
            return rows
        children = children[counts == counts.max()]
        if means is not None and len(children) > 1:
            sign = -1.0 if layers[at] == words.MIN else 1.0
            better = np.where(np.isnan(means[children]), -np.inf, sign * means[children])
            children = children[np.argsort(-better, kind="stable")]
        at = int(children[0])
        rows.append(at)
    return rows
