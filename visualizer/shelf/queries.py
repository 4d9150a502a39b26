"""The last queries of the open logs: their rows are kept, so that paging and marking search no more."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.nodes.best_children import Order, children_in_order
from plyscope.visualizer.analysis.query.answer import Answer, NoHit, no_hit, places_in_order
from plyscope.visualizer.analysis.query.fields import fields_of
from plyscope.visualizer.analysis.query.run import hits_of
from plyscope.visualizer.analysis.query.table import chosen, usual
from plyscope.visualizer.analysis.query.value_colours import Colouring, colouring
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.store.tree import Tree

MOST_KEPT: Final = 256 * 2**20
"""The bytes of rows that are cached for all logs; beyond, the least recently used ones go."""
SECONDS_OF_WAITING: Final = 10.0

Rows = npt.NDArray[np.int32]
Value = TypeVar("Value")
Source = tuple[str, str]
"""The rows of a table: `("hits", expression)`, `("search", text)`, `("children", row)`, `("visits", row)`.
Children come as searched, or in the order that the row is followed by: `"12 best"`, `"12 pre_score"`.

The rows of `("findings", serial)` come from the owner of the report.
"""


class BusyError(Exception):
    """Other queries run, and this one could not begin."""


class Queries:
    """The queries of all open logs; thread-safe, one search at a time.

    The last answer of each kind is cached for each log: rows in the order of the search and notices, by the
    kind of their source; indices in the last order; the expression without a hit; the last colours.
    """

    def __init__(self, *, most_kept: int = MOST_KEPT) -> None:
        self._searching = threading.Lock()
        self._kept: Kept[dict[str, tuple[object, Any]]] = Kept(most_size=most_kept, size_of=_n_bytes)
        self.n_searches = 0
        """How many times rows were searched or sorted, rather than remembered."""

    def hits(self, tree: Tree, expression: str) -> tuple[Rows, tuple[str, ...]]:
        """The rows for which an expression is true, and notices about its fields.

        Raises QueryError, and BusyError where other searches take too long.
        """
        return self._found(tree, ("hits", expression))

    def rows(self, tree: Tree, source: Source) -> Rows:
        """The rows of any source, ascending, each once; raises as `hits` does."""
        found = self._found(tree, source)[0]
        return found if source[0] == "hits" else np.unique(found)

    def keep(self, tree: Tree, source: Source, rows: Callable[[], Rows]) -> None:
        """Keep the rows of a source that somebody else has; `rows` is called where they are not kept yet."""
        self._last(tree, source[0], source, lambda: (rows(), ()))

    def colouring(self, tree: Tree, expression: str) -> Colouring:
        """The scale of a field or expression; raises as `hits` does."""
        return self._last(tree, "colours", expression, lambda: colouring(fields_of(tree), expression))

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
        rows, notices = self._found(tree, source)
        none: NoHit | None = None
        if kind == "hits" and not len(rows):
            none = self._last(tree, "no hit", asked, lambda: no_hit(fields, asked))
        names = columns if columns is not None else usual(fields, asked) if kind == "hits" else usual(fields)
        shown = tuple(chosen(fields, names))
        places = self._ordered(tree, source, rows, sort, descending)
        return Answer(tree, rows[places], shown, notices, none, places)

    def _found(self, tree: Tree, source: Source) -> tuple[Rows, tuple[str, ...]]:
        kind, asked = source

        def search() -> tuple[Rows, tuple[str, ...]]:
            return hits_of(fields_of(tree), asked) if kind == "hits" else (_MADE[kind](tree, asked), ())

        return self._last(tree, kind, source, search)

    def _ordered(self, tree: Tree, source: Source, rows: Rows, sort: str | None, descending: bool) -> Rows:
        def places() -> Rows:
            return places_in_order(tree, rows, sort, descending=descending)

        return places() if sort is None else self._last(tree, "order", (source, sort, descending), places)

    def _last(self, tree: Tree, kind: str, asked: object, search: Callable[[], Value]) -> Value:
        """The answer of a kind where this was asked last of the tree; else it is searched."""
        with _turn(self._searching):
            kept = self._kept.of(tree, make=dict)
            if kind not in kept or kept[kind][0] != asked:
                self.n_searches += 1
                kept[kind] = asked, search()
                self._kept.fit()
            answer: Value = kept[kind][1]
            return answer


def _n_bytes(kept: dict[str, tuple[object, Any]]) -> int:
    """The memory that the rows of a log take."""
    answers = (answer[0] if isinstance(answer, tuple) else answer for _, answer in kept.values())
    return sum(rows.nbytes for rows in answers if isinstance(rows, np.ndarray))


class _turn:  # noqa: N801 - reads as `with _turn(lock):`
    """Holds a lock, or raises BusyError where it cannot be acquired in time."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=SECONDS_OF_WAITING):
            raise BusyError

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def marks(tree: Tree, hits: Rows, rows: Sequence[int]) -> dict[int, dict[str, Any]]:
    """By id, for the `rows` that are hits or have some below: whether they are hits, and the number below."""
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
