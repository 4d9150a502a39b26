"""The part of a tree that leads to some rows: children that are or hold hits, and the nodes opened first."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.nodes.best_children import Order, children_in_order
from plyscope.visualizer.store.tree import Tree

Rows = npt.NDArray[np.integer[Any]]

MOST_OPENED: Final = 200
"""Nodes that are opened at once."""


@dataclass(frozen=True)
class Leading:
    """The children of a node that are hits or have some below."""

    row: int
    total: int
    """How many of its children these are."""
    others: int
    """How many are not."""
    shown: npt.NDArray[np.int64]
    """The first of them in the order that was asked for, as the search went through them."""


def children_to_hits(tree: Tree, hits: Rows, row: int, limit: int, order: Order) -> Leading:
    """The first `limit` children of `row` that lead to `hits`, in an order.

    `hits` are rows that ascend.
    """
    children = tree.children(row)
    leads = children[_leads(tree, hits, children)]
    first = leads
    if len(leads) > limit and order != "searched":
        ranked = children_in_order(tree, row, order)[0]
        first = ranked[np.isin(ranked, leads)]
    return Leading(row, len(leads), len(children) - len(leads), np.sort(first[:limit]).astype(np.int64))


def opened_first(tree: Tree, hits: Rows, top: int, limit: int, room: int, order: Order) -> list[Leading]:
    """The nodes to open from `top` down, so that at most `room` cards stand below one another.

    Level by level, the nodes with more hits below before the others. `top` is opened in any case; whatever
    does not fit stays folded.
    """
    found: list[Leading] = []
    standing = 1
    waiting = deque([top])
    while waiting and len(found) < MOST_OPENED:
        below = children_to_hits(tree, hits, waiting.popleft(), limit, order)
        cards = len(below.shown) + (below.others > 0 or below.total > len(below.shown))
        if not below.total or (found and standing + cards - 1 > room):
            continue
        standing += cards - 1
        found.append(below)
        inner = below.shown[_n_below(tree, hits, below.shown) > 0]
        waiting.extend(inner[np.argsort(-_n_below(tree, hits, inner), kind="stable")].tolist())
    return found


def _leads(tree: Tree, hits: Rows, rows: Rows) -> npt.NDArray[np.bool_]:
    ends = tree.log.columns["end"][rows]
    return np.asarray(np.searchsorted(hits, ends) > np.searchsorted(hits, rows.astype(hits.dtype)))


def _n_below(tree: Tree, hits: Rows, rows: Rows) -> npt.NDArray[np.int64]:
    ends = tree.log.columns["end"][rows]
    behind = np.searchsorted(hits, rows.astype(hits.dtype), side="right")
    return np.asarray(np.searchsorted(hits, ends) - behind, np.int64)
