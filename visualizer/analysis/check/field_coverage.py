"""The fields that rules need: whether a log states them, and how many nodes lack them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, partial
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.columns.declarations import MOST_OPPONENTS
from plyscope.visualizer.analysis.columns.pieces import has_bit, pieces
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS, GIVEN, MATRICES
from plyscope.visualizer.store.log import Log

Mask = npt.NDArray[np.bool_]

_COLUMN_OF: Final = {"tt": "tt_use", "tt.from": "tt_from", "tt.ply": "tt_ply"}
_OF_BEST_FIRST: Final = ("visits", "mean")
_ANY_WORD: Final = 0xFF


class Stated:
    """The fields that `log` states; counts are made once."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._states = cache(self._is_stated)
        self.n_unasked = cache(self._count_unasked)
        """How many nodes lack a need that the log never states; 0 if the technique is off."""
        self._n_lacking: dict[str, int] = {}

    def has(self, need: str) -> bool:
        """Whether the log states `need` anywhere: a column, a field of `search` or the header; `a|b`: one."""
        return any(self._states(each) for each in need.split("|"))

    def _is_stated(self, name: str) -> bool:
        log = self._log
        if name == "score":
            return has_bit(log.columns["given"], GIVEN["score"])
        column = _COLUMN_OF.get(name, name)
        if column in log.columns:
            return name not in ("bound", "outcome") or has_bit(log.columns[name], _ANY_WORD)
        if column in COLUMNS or column in MATRICES:
            return False  # a header has a `depth`, too, and `factors`; neither says anything of a node
        search: Any = log.header.get("search")
        return name in log.header or (isinstance(search, Mapping) and name in search)

    @cached_property
    def n_nodes(self) -> int:
        """Rows except stubs."""
        return int(np.count_nonzero(self._log.columns["outcome"] < words.FIRST_STUB))

    @cached_property
    def _is_best_first(self) -> bool:
        search: Any = self._log.header.get("search")
        return isinstance(search, Mapping) and search.get("order") == "best_first"

    def _count_unasked(self, need: str) -> int:
        columns = self._log.columns
        if need.startswith("tt"):
            return int(np.count_nonzero(columns["outcome"] == words.TT))
        if need == "ending":
            return int(np.count_nonzero(columns["outcome"] == words.TERMINAL))
        if need == "scores" and len(self._log.players) <= MOST_OPPONENTS:
            return 0
        if need == "stand_pat":
            quiescence = columns.get("quiescence")
            return 0 if quiescence is None else int(np.count_nonzero(quiescence == 1))
        if need == "reduction" and "purpose" in columns:
            return 0
        if need in _OF_BEST_FIRST and not self._is_best_first:
            return 0
        return self.n_nodes

    def n_lacking(self, need: str) -> int:
        """Return the nodes without any of the fields of a need, `a|b`, among those that should state one."""
        if need not in self._n_lacking:
            self.count_lacking((need,))
        return self._n_lacking[need]

    def count_lacking(self, needs: Iterable[str]) -> None:
        """Count for `n_lacking`, many needs in one pass over the rows."""
        columns = self._log.columns
        asked: list[tuple[str, tuple[str, ...]]] = []
        for need in needs:
            names = tuple(need.split("|"))
            found = [columns.get(_COLUMN_OF.get(name, name)) for name in names]
            self._n_lacking[need] = 0
            if all(
                column is not None and column.ndim == 1 and name in _EXPECTED
                for name, column in zip(names, found, strict=True)
            ):
                asked.append((need, names))
        for rows in pieces(self._log.n_rows if asked else 0):
            absent = cache(partial(self._is_absent, rows))
            expected = cache(partial(_expected, self._log, rows))
            for need, names in asked:
                lacking = expected(_EXPECTED[names[0]])
                for name in names:
                    lacking = lacking & absent(name)
                    if not lacking.any():
                        break
                else:
                    self._n_lacking[need] += int(np.count_nonzero(lacking))

    def _is_absent(self, rows: slice, name: str) -> Mask:
        """Return the rows that state nothing in a column, by the bit of given fields: a key may also be 0."""
        columns = self._log.columns
        if name == "key":
            return np.asarray(columns["given"][rows] & GIVEN["key"] == 0)
        column = COLUMNS[_COLUMN_OF.get(name, name)]
        piece = columns[column.name][rows]
        return np.asarray(np.isnan(piece) if piece.dtype.kind == "f" else piece == column.absent)


Expected = Callable[[Log, slice], Mask]


def _expected(log: Log, rows: slice, where: Expected) -> Mask:
    return where(log, rows)


def _is_node(log: Log, rows: slice) -> Mask:
    return np.asarray(log.columns["outcome"][rows] < words.FIRST_STUB)


def _is_finished(log: Log, rows: slice) -> Mask:
    outcome = log.columns["outcome"][rows]
    return np.asarray(_is_node(log, rows) & (outcome != words.STOPPED) & (outcome != words.OPEN))


def _is_leaf(log: Log, rows: slice) -> Mask:
    return np.asarray(log.columns["outcome"][rows] == words.LEAF)


def _is_searched(log: Log, rows: slice) -> Mask:
    has_children = log.columns["end"][rows] > np.arange(rows.start + 1, rows.stop + 1, dtype=np.int32)
    outcome = log.columns["outcome"][rows]
    is_searched = (outcome == 0) | (outcome == words.SEARCHED) | (outcome == words.CUTOFF)
    return np.asarray(has_children & is_searched)


def _is_below(log: Log, rows: slice) -> Mask:
    return _is_node(log, rows) & (log.columns["parent"][rows] >= 0)


_EXPECTED: Final[Mapping[str, Expected]] = {
    "score": _is_finished,
    "bound": _is_finished,
    "alpha": _is_node,
    "beta": _is_node,
    "depth": _is_node,
    "player": _is_node,
    "purpose": _is_node,
    "key": _is_node,
    "static": _is_leaf,
    "moves": _is_searched,
    "pre_score": _is_below,
}
"""Where a log that states a field at all should state it."""
