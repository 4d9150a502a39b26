"""The fields that rules need: whether a log states them, and how many nodes lack them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, partial
from typing import Final

import numpy as np

from plyscope.visualizer.analysis.check.facts.masks import (
    Judged,
    Mask,
    coded,
    has_rows,
    nodes,
    where_finished,
)
from plyscope.visualizer.analysis.columns.declarations import MOST_OPPONENTS
from plyscope.visualizer.analysis.columns.pieces import has_bit, pieces
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS, GIVEN, MATRICES

_COLUMN_OF: Final = {"tt": "tt_use", "tt.from": "tt_from", "tt.ply": "tt_ply"}
_OF_BEST_FIRST: Final = ("visits", "mean")
_ANY_WORD: Final = 0xFF


class Stated:
    """The fields that the log of a sight states; counts are made once."""

    def __init__(self, sight: Sight) -> None:
        self._sight, self._log = sight, sight.log
        self._states = cache(self._is_stated)
        self.n_unasked = cache(self._count_unasked)
        """How many nodes lack a need that the log never states; 0 if the technique is off."""

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
        return name in log.header or name in log.search

    @cached_property
    def n_nodes(self) -> int:
        """Rows except stubs."""
        return int(np.count_nonzero(self._log.columns["outcome"] < words.FIRST_STUB))

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
        if need in _OF_BEST_FIRST and not self._sight.best_first:
            return 0
        return self.n_nodes

    def n_lacking(self, needs: Iterable[str]) -> Counter[str]:
        """Return by need, `a|b`, the nodes without any of its fields, among those that should state one."""
        columns = self._log.columns
        n_lacking: Counter[str] = Counter()
        asked: list[tuple[str, tuple[str, ...]]] = []
        for need in needs:
            names = tuple(need.split("|"))
            found = [columns.get(_COLUMN_OF.get(name, name)) for name in names]
            if all(
                column is not None and column.ndim == 1 and name in _EXPECTED
                for name, column in zip(names, found, strict=True)
            ):
                asked.append((need, names))
        for rows in pieces(self._log.n_rows if asked else 0):
            absent = cache(partial(self._is_absent, rows))
            expected = cache(partial(_expected, self._sight, rows))
            for need, names in asked:
                lacking = expected(_EXPECTED[names[0]])
                for name in names:
                    lacking = lacking & absent(name)
                    if not lacking.any():
                        break
                else:
                    n_lacking[need] += int(np.count_nonzero(lacking))
        return n_lacking

    def _is_absent(self, rows: slice, name: str) -> Mask:
        """Return the rows that state nothing in a column, by the bit of given fields: a key may also be 0."""
        columns = self._log.columns
        if name == "key":
            return np.asarray(columns["given"][rows] & GIVEN["key"] == 0)
        column = COLUMNS[_COLUMN_OF.get(name, name)]
        piece = columns[column.name][rows]
        return np.asarray(np.isnan(piece) if piece.dtype.kind == "f" else piece == column.absent)


def _expected(sight: Sight, rows: slice, where: Judged) -> Mask:
    return where(sight, rows)


def _is_searched(sight: Sight, rows: slice) -> Mask:
    return has_rows(sight, rows) & coded("outcome", 0, words.SEARCHED, words.CUTOFF)(sight, rows)


def _is_below(sight: Sight, rows: slice) -> Mask:
    return nodes(sight, rows) & (sight.parent[rows] >= 0)


_EXPECTED: Final[Mapping[str, Judged]] = {
    "score": where_finished,
    "bound": where_finished,
    "alpha": nodes,
    "beta": nodes,
    "depth": nodes,
    "player": nodes,
    "purpose": nodes,
    "key": nodes,
    "static": coded("outcome", words.LEAF),
    "moves": _is_searched,
    "pre_score": _is_below,
}
"""Where a log that states a field at all should state it."""
