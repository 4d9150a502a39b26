"""The fields that rules need: whether a log states them, and how many nodes lack them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.declarations import MOST_OPPONENTS
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS, GIVEN
from plyscope.visualizer.store.log import Log

Mask = npt.NDArray[np.bool_]

PIECE: Final = 1 << 16
"""Rows looked at in one go, few enough to stay in the cache of the processor."""

_COLUMN_OF: Final = {"tt": "tt_use", "tt.from": "tt_from", "tt.ply": "tt_ply"}
_OF_BEST_FIRST: Final = ("visits", "mean")
_SEARCHED: Final = (0, words.SEARCHED, words.CUTOFF)


class Stated:
    """The fields that `log` states; counts are made once."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.n_lacking = cache(self._n_lacking)
        """Nodes without any of the fields of a need, `a|b`, among those that should state one."""

    def has(self, need: str) -> bool:
        """Whether the log states `need` anywhere: a column, a field of `search` or the header; `a|b`: one."""
        return any(self._states(each) for each in need.split("|"))

    def _states(self, name: str) -> bool:
        log = self._log
        if name == "score":
            return bool(np.any(log.columns["given"] & GIVEN["score"]))
        if _COLUMN_OF.get(name, name) in log.columns:
            return name not in ("bound", "outcome") or bool(np.any(log.columns[name]))
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

    def n_unasked(self, need: str) -> int:
        """Return how many nodes lack `need`, which the log never states; 0 if the technique is off."""
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

    def _n_lacking(self, need: str) -> int:
        names = need.split("|")
        columns = [self._log.columns.get(_COLUMN_OF.get(name, name)) for name in names]
        if any(
            column is None or column.ndim > 1 or name not in _EXPECTED
            for name, column in zip(names, columns, strict=True)
        ):
            return 0
        n_lacking = 0
        for first in range(0, self._log.n_rows, PIECE):
            rows = slice(first, min(first + PIECE, self._log.n_rows))
            lacking: Any = True
            for name, column in zip(names, columns, strict=True):
                assert column is not None
                lacking = self._is_absent(name, column, rows) & lacking
            if lacking.any():
                n_lacking += int(np.count_nonzero(lacking & _EXPECTED[names[0]](self._log, rows)))
        return n_lacking

    def _is_absent(self, name: str, column: npt.NDArray[Any], rows: slice) -> Mask:
        """Return the rows that state nothing in a column, by the bit of given fields: a key may also be 0."""
        if name == "key":
            return np.asarray(self._log.columns["given"][rows] & GIVEN["key"] == 0)
        piece = column[rows]
        absent = COLUMNS[_COLUMN_OF.get(name, name)].absent
        return np.asarray(np.isnan(piece) if column.dtype.kind == "f" else piece == absent)


def _is_node(log: Log, rows: slice) -> Mask:
    return np.asarray(log.columns["outcome"][rows] < words.FIRST_STUB)


def _is_finished(log: Log, rows: slice) -> Mask:
    outcome = log.columns["outcome"][rows]
    return np.asarray(_is_node(log, rows) & (outcome != words.STOPPED) & (outcome != words.OPEN))


def _is_leaf(log: Log, rows: slice) -> Mask:
    return np.asarray(log.columns["outcome"][rows] == words.LEAF)


def _is_searched(log: Log, rows: slice) -> Mask:
    has_children = log.columns["end"][rows] > np.arange(rows.start, rows.stop) + 1
    outcome = log.columns["outcome"][rows]
    return np.asarray(has_children & np.logical_or.reduce([outcome == each for each in _SEARCHED]))


def _is_below(log: Log, rows: slice) -> Mask:
    return _is_node(log, rows) & (log.columns["parent"][rows] >= 0)


_EXPECTED: Final[Mapping[str, Callable[[Log, slice], Mask]]] = {
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
