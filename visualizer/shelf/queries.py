"""The last queries of the open logs: their rows are kept, so that paging and marking search no more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.best_children import Order, children_in_order
from plyscope.visualizer.analysis.query.answer import Answer, places_in_order
from plyscope.visualizer.analysis.query.fields import fields_of
from plyscope.visualizer.analysis.query.no_hit import NoHit, no_hit
from plyscope.visualizer.analysis.query.run import hits_of
from plyscope.visualizer.analysis.query.table import chosen, usual
from plyscope.visualizer.analysis.query.value_colours import Colouring, colouring
from plyscope.visualizer.store.tree import Tree

MOST_KEPT: Final = 256 * 2**20
"""Bytes of rows that are kept for all logs; beyond, what was not asked for longest is searched again."""
SECONDS_OF_WAITING: Final = 10.0

Rows = npt.NDArray[np.int32]
Source = tuple[str, str]
"""The rows of a table: `("hits", expression)`, `("search", text)`, `("children", row)`, `("visits", row)`.
Children come as searched, or in the order that the row is followed by: `"12 best"`, `"12 pre_score"`.

Those of `("findings", serial)` are given by whoever has the report.
"""


class BusyError(Exception):
    """Other queries run, and this one could not begin."""


@dataclass
class _Kept:
    """The rows of the last sources of a log, and the last order of them."""

    found: dict[str, tuple[Source, Rows, tuple[str, ...]]] = field(default_factory=dict)
    """By the kind of the source, the source, its rows as the search left them, what is to be told."""
    ordered: tuple[Source, str | None, bool, Rows] | None = None
    """The last source that was sorted, how, and the places of its rows in that order."""
    none: tuple[str, NoHit] | None = None
    """The last expression without a hit."""
    coloured: tuple[str, Colouring] | None = None
    """The last field or expression that the tree was coloured by."""

    @property
    def n_bytes(self) -> int:
        """Memory that it takes."""
        ordered = 0 if self.ordered is None else self.ordered[3].nbytes
        return ordered + sum(rows.nbytes for _, rows, _ in self.found.values())


class Queries:
    """The queries of all open logs; safe to use from many threads, one search at a time."""

    def __init__(self, *, most_kept: int = MOST_KEPT) -> None:
        self._most_kept = most_kept
        self._searching = threading.Lock()
        self._kept: WeakKeyDictionary[Tree, _Kept] = WeakKeyDictionary()
        self.n_searches = 0
        """How many times rows were searched or sorted, rather than remembered."""

    def hits(self, tree: Tree, expression: str) -> tuple[Rows, tuple[str, ...]]:
        """The rows for which an expression is true, and what is to be told of its fields.

        Raises QueryError, and BusyError where other searches take too long.
        """
        return self._found(tree, ("hits", expression), lambda: hits_of(fields_of(tree), expression))

    def rows(self, tree: Tree, source: Source) -> Rows:
        """The rows of any source, ascending, each once; raises as `hits` does."""
        if source[0] == "hits":
            return self.hits(tree, source[1])[0]
        found = self._found(tree, source, lambda: (_MADE[source[0]](tree, source[1]), ()))[0]
        return np.unique(found)

    def keep(self, tree: Tree, source: Source, rows: Callable[[], Rows]) -> None:
        """Keep the rows of a source that somebody else has; `rows` is called where they are not kept yet."""
        self._found(tree, source, lambda: (rows(), ()))

    def colouring(self, tree: Tree, expression: str) -> Colouring:
        """The scale of a field or expression; raises as `hits` does."""
        with _turn(self._searching):
            kept = self._of(tree)
            if kept.coloured is None or kept.coloured[0] != expression:
                self.n_searches += 1
                kept.coloured = (expression, colouring(fields_of(tree), expression))
            return kept.coloured[1]

    def table(
        self,
        tree: Tree,
        source: Source,
        *,
        columns: Sequence[str] | None = None,
        sort: str | None = None,
        descending: bool = False,
    ) -> Answer:
        """The rows of a source in their order, with columns; raises as `hits` does."""
        fields = fields_of(tree)
        kind, asked = source
        none = None
        if kind == "hits":
            rows, notices = self.hits(tree, asked)
            names = usual(fields, asked) if columns is None else columns
            none = None if len(rows) else self._none(tree, asked)
        else:
            rows, notices = self._found(tree, source, lambda: (_MADE[kind](tree, asked), ()))
            names = usual(fields) if columns is None else columns
        shown = tuple(chosen(fields, names))
        places = self._ordered(tree, source, rows, sort, descending)
        return Answer(tree, rows[places], shown, notices, none, places)

    def _none(self, tree: Tree, expression: str) -> NoHit:
        with _turn(self._searching):
            kept = self._of(tree)
            if kept.none is None or kept.none[0] != expression:
                self.n_searches += 1
                kept.none = (expression, no_hit(fields_of(tree), expression))
            return kept.none[1]

    def _found(
        self, tree: Tree, source: Source, search: Callable[[], tuple[Rows, tuple[str, ...]]]
    ) -> tuple[Rows, tuple[str, ...]]:
        with _turn(self._searching):
            kept = self._of(tree)
            before = kept.found.get(source[0])
            if before is not None and before[0] == source:
                return before[1], before[2]
            self.n_searches += 1
            rows, notices = search()
            kept.found[source[0]] = (source, rows, notices)
            self._let_go(tree)
            return rows, notices

    def _ordered(self, tree: Tree, source: Source, rows: Rows, sort: str | None, descending: bool) -> Rows:
        if sort is None:
            return places_in_order(tree, rows, None, descending=descending)
        with _turn(self._searching):
            kept = self._of(tree)
            if kept.ordered is not None and kept.ordered[:3] == (source, sort, descending):
                return kept.ordered[3]
            self.n_searches += 1
            ordered = places_in_order(tree, rows, sort, descending=descending)
            kept.ordered = (source, sort, descending, ordered)
            self._let_go(tree)
            return ordered

    def _of(self, tree: Tree) -> _Kept:
        """The rows kept of a tree, which is now the one asked last."""
        kept = self._kept.pop(tree, None) or _Kept()
        self._kept[tree] = kept
        return kept

    def _let_go(self, tree: Tree) -> None:
        """Forget the logs that were not asked for longest, until what is kept fits; never this one."""
        n_bytes = sum(kept.n_bytes for kept in self._kept.values())
        for other in list(self._kept):
            if n_bytes > self._most_kept and other is not tree:
                n_bytes -= self._kept.pop(other).n_bytes


class _turn:  # noqa: N801 - reads as `with _turn(lock):`
    """Holds a lock, or raises BusyError where it cannot be had in time."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=SECONDS_OF_WAITING):
            raise BusyError

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def marks(tree: Tree, hits: Rows, rows: Sequence[int]) -> dict[int, dict[str, Any]]:
    """By id, of the `rows` that have any: whether they are hits, and how many hits are below them."""
    columns = tree.log.columns
    asked = np.asarray(rows, dtype=hits.dtype)
    own = np.searchsorted(hits, asked, side="left")
    behind = np.searchsorted(hits, asked, side="right")
    below = np.searchsorted(hits, columns["end"][asked], side="left") - behind
    return {
        int(columns["id"][row]): {"hit": bool(last > first), "below": int(n)}
        for row, first, last, n in zip(asked, own, behind, below, strict=True)
        if last > first or n
    }


def _named(tree: Tree, text: str) -> Rows:
    return tree.find(text).astype(np.int32)


def _children(tree: Tree, of: str) -> Rows:
    row, _, order = of.partition(" ")
    return children_in_order(tree, int(row), cast(Order, order or "searched"))[0].astype(np.int32)


def _visits(tree: Tree, of: str) -> Rows:
    """The rows with the key of one: every visit of its position; only the row itself where it has none."""
    row = int(of)
    key = fields_of(tree).find("key")
    codes = key.column(slice(None))
    is_same = codes == codes[row]
    if key.bit:
        given = fields_of(tree).given("") & key.bit
        is_same &= given != 0
        is_stated = bool(given[row])
    else:
        is_stated = bool(codes[row] >= 0)
    return np.flatnonzero(is_same).astype(np.int32) if is_stated else np.array([row], np.int32)


_MADE: Final = {"search": _named, "children": _children, "visits": _visits}
