"""The order of siblings, best first for the side that chooses: by what scores guarantee, or by a field."""

from __future__ import annotations

from typing import Final, Literal, TypeVar, get_args
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Rows, Tree

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Order = Literal["best", "searched", "pre_score", "visits", "mean"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)

KEPT_FROM: Final = 10_000
"""From this many children on, the orders of a node are cached."""
MOST_KEPT: Final = 4
Orders = WeakKeyDictionary[Tree, dict[int, tuple[Rows, int]]]
_orders: Final[Orders] = WeakKeyDictionary()
_field_orders: Final[WeakKeyDictionary[Tree, dict[tuple[int, Order], tuple[Rows, int]]]] = WeakKeyDictionary()


def children_in_order(tree: Tree, row: int, order: Order) -> tuple[Rows, int]:
    """The rows of all children of `row` in an order, and the number of ranked ones; others come last."""
    if order == "best":
        return ranked_children(tree, row)
    if order != "searched":
        return children_by_field(tree, row, order)
    children = tree.children(row)
    return children, len(children)


def ranked_children(tree: Tree, row: int) -> tuple[Rows, int]:
    """The rows of all children of `row`, best guaranteed score first, and the number of ranked ones.

    The score of a visit is the number that its parent took (`counted_as`), or its mean. At a `max` layer (and
    where the layer is unknown) an upper bound guarantees nothing, at a `min` layer a lower one; such scores
    come after all others, equal ones in the order searched. A best-first search that does not choose by means
    ranks by visits first. Nodes without either and stubs follow unranked, then null moves and probes.
    """
    kept = _orders.get(tree, {}).get(row)
    if kept is not None:
        return kept
    children = tree.children(row)
    keys = rank_keys(tree, row, children)
    *_, is_unknown, is_aside = keys
    ranked = children[np.lexsort(keys)], int(np.count_nonzero(~is_unknown & ~is_aside))
    return _kept(_orders.setdefault(tree, {}), row, ranked)


def children_by_field(tree: Tree, row: int, order: Order) -> tuple[Rows, int]:
    """The rows of all children of `row` by a field, and the number that state it; others come last.

    The best `pre_score` or `mean` for its side comes first, or the most `visits`; among equal means the more
    visited, among equal visits the better mean. Equal ones keep the order searched.
    """
    kept = _field_orders.get(tree, {}).get((row, order))
    if kept is not None:
        return kept
    children = tree.children(row)
    if order not in tree.log.columns:
        return children, 0
    keys = field_keys(tree, row, children, order)
    ranked = children[np.lexsort(keys)], int(np.count_nonzero(~np.isnan(keys[-1])))
    return _kept(_field_orders.setdefault(tree, {}), (row, order), ranked)


def field_keys(tree: Tree, row: int, children: Rows, order: Order) -> tuple[Floats, ...]:
    """Return the keys that order children of `row` by a field, for `np.lexsort`; NaN where not stated."""

    def key(name: str) -> Floats:
        column = tree.log.columns.get(name)
        if column is None:
            return np.full(len(children), np.nan)
        rises = name != "visits" and tree.log.columns["layer"][row] == words.MIN
        values = np.where(tree.is_stub[children], np.nan, column[children])
        return np.asarray(values * (1.0 if rises else -1.0))

    if order == "pre_score":
        return (key("pre_score"),)
    return (key("mean"), key("visits")) if order == "visits" else (key("visits"), key("mean"))


Name = TypeVar("Name")


def _kept(orders: dict[Name, tuple[Rows, int]], name: Name, order: tuple[Rows, int]) -> tuple[Rows, int]:
    """The order, kept where the node is wide: it is asked for page by page."""
    if len(order[0]) >= KEPT_FROM:
        while len(orders) >= MOST_KEPT:
            orders.pop(next(iter(orders)), None)
        orders[name] = order
    return order


def rank_keys(tree: Tree, row: int, children: Rows) -> tuple[Floats, Floats, Floats, Flags, Flags]:
    """Return the keys that order children of `row`, for `np.lexsort`: the last counts first, NaN comes last.

    The last two are true for children without a rank: those without score, mean and visits, stubs too, and
    null moves and probes.
    """
    columns = tree.log.columns
    minimizes = columns["layer"][row] == words.MIN
    scores = scores_taken(tree.log, children)
    if "mean" in columns:
        scores = np.where(np.isnan(scores), columns["mean"][children], scores)
    scores = scores * (-1.0 if minimizes else 1.0)
    purpose = columns.get("purpose")
    is_aside = np.zeros(len(children), dtype=np.bool_)
    if purpose is not None:
        is_aside = np.isin(purpose[children], (words.NULL, words.PROBE))
    visits = np.full(len(children), np.nan)
    if "visits" in columns and ranks_by_visits(tree.log):
        visits = columns["visits"][children]
    is_unknown = (np.isnan(scores) & np.isnan(visits)) | tree.is_stub[children]
    open_bound = words.LOWER if minimizes else words.UPPER
    guaranteed = np.where(columns["bound"][children] == open_bound, -np.inf, scores)
    return -scores, -guaranteed, -visits, is_unknown, is_aside


def ranks_by_visits(log: Log) -> bool:
    """Whether plies are chosen by their visits, as best-first searches do that do not declare otherwise."""
    return log.search.get("order") == "best_first" and log.search.get("choose") != "mean"


def scores_taken(log: Log, rows: Rows) -> npt.NDArray[np.float64]:
    """Return the numbers that parents took for the rows: `counted_as`, else the score, else NaN."""
    scores = log.columns["score"][rows]
    if "counted_as" not in log.columns:
        return np.asarray(scores)
    counted = log.columns["counted_as"][rows]
    return np.where(np.isnan(counted), scores, counted)


def best_children(tree: Tree, row: int, n_most: int, order: Order = "best") -> Rows:
    """The rows of the first `n_most` children of `row` in an order; only those that it ranks."""
    children, n_ranked = children_in_order(tree, row, order)
    return children[: min(n_most, n_ranked)]
