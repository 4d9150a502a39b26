"""The best few of many siblings, by what their scores guarantee the side that chooses among them."""

from __future__ import annotations

import numpy as np

from visualizer.store import words
from visualizer.store.tree import Rows, Tree


def best_children(tree: Tree, row: int, n_most: int) -> Rows:
    """The rows of at most `n_most` children of `row`, best guaranteed score first.

    At a `max` layer (and where the layer is unknown) an upper bound guarantees nothing, at a `min` layer a
    lower one; such scores stand behind all that do, equal ones in the order searched. Stubs, null moves,
    probes and nodes without a score are left out.
    """
    columns = tree.log.columns
    children = tree.children(row)
    minimizes = columns["layer"][row] == words.MIN
    scores = columns["score"][children] * (-1.0 if minimizes else 1.0)
    is_counted = ~np.isnan(scores) & ~tree.is_stub[children]
    purpose = columns.get("purpose")
    if purpose is not None:
        is_counted &= ~np.isin(purpose[children], (words.NULL, words.PROBE))
    children, scores = children[is_counted], scores[is_counted]
    open_bound = words.LOWER if minimizes else words.UPPER
    guaranteed = np.where(columns["bound"][children] == open_bound, -np.inf, scores)
    order = np.lexsort((-scores, -guaranteed))
    return children[order[:n_most]]
