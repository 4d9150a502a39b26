"""The coverage of a check: the fields that a log states, the nodes without them, the faults not looked for.

The latter are the gaps in the answer "clean", the gravest first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Final, Literal

import numpy as np

from plyscope.visualizer.analysis.check.facts.judged import (
    Judged,
    Mask,
    coded,
    has_rows,
    lines_alone,
    nodes,
    where_finished,
)
from plyscope.visualizer.analysis.columns.declarations import MOST_OPPONENTS
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS, GIVEN, MATRICES, has_bit, pieces

_COLUMN_OF: Final = {"tt": "tt_use", "tt.from": "tt_from", "tt.ply": "tt_ply"}
_OF_BEST_FIRST: Final = ("visits", "mean")
_ANY_WORD: Final = 0xFF


class Stated:
    """The fields that the log of a sight states; counts are made once."""

    def __init__(self, sight: Sight) -> None:
        self.sight, self._log = sight, sight.log
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
        if need in _OF_BEST_FIRST and not self.sight.best_first:
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
            expected = cache(partial(_expected, self.sight, rows))
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


Of = Literal["both", "windows", "best-first"]


@dataclass(frozen=True)
class NotJudged:
    """A matter that no rule judged, and why."""

    what: str
    why: str

    def __str__(self) -> str:
        """Return both in words.

        >>> str(NotJudged("who wins", "no `ending`"))
        'who wins, since no `ending`'
        """
        return f"{self.what}, since {self.why}"


@dataclass(frozen=True)
class _Matter:
    """Something that is taken to be right when nothing is found; one of its rules suffices to judge it."""

    what: str
    rules: tuple[str, ...]
    """None of them where the field alone decides."""
    lacks: str
    """The field whose absence is the reason, if the log does not state it; "" if the rules say why."""
    of: Of = "both"
    matters: Callable[[Sight], bool] = lambda sight: True


def _has_entries(sight: Sight) -> bool:
    return len(sight.tt_use) > 0 or bool((sight.outcome == words.TT).any())


def _has_no_layers(sight: Sight) -> bool:
    return not bool(((sight.layer == words.MAX) | (sight.layer == words.MIN)).any())


WORTHS: Final = ("terminal", "ending-mean", "proof", "replay")
MATTERS: Final = (
    _Matter("scores", ("value", "maxn", "chance"), "score", "windows"),
    _Matter("the means of visits", ("mean", "visits"), "mean", "best-first"),
    _Matter("whether the best child counts", (), "layer", "windows", _has_no_layers),
    _Matter("who wins", WORTHS, "ending", matters=lambda sight: len(sight.ending) == 0),
    _Matter("what a win or a draw is worth", WORTHS, "", matters=lambda sight: len(sight.ending) > 0),
    _Matter("legality", ("replay",), "game"),
    _Matter("whose turn it is", ("layer", "replay"), "player"),
    _Matter("whether plies are taken back", ("path-key", "replay"), "key", "windows"),
    _Matter("evaluations", ("static-sum", "leaf", "key-static"), "static", "windows"),
    _Matter("plies left out", ("moves", "replay"), "moves", "windows"),
    _Matter("windows and cuts", ("window", "cut"), "alpha", "windows"),
    _Matter("what the table returned", ("tt-source", "tt-bound", "tt-depth"), "tt", "windows", _has_entries),
    _Matter("how plies were chosen", ("choice", "descent"), "visits", "best-first"),
    _Matter("what the run chose", ("result",), "result"),
)


def not_judged(
    stated: Stated, checked: Collection[str], reasons: Iterable[tuple[str, str]]
) -> tuple[NotJudged, ...]:
    """Return the matters that none of the rules `checked` judged; `reasons` are rules not asked, and why."""
    sight = stated.sight
    why_not: dict[str, str] = {}
    for rule, why in reasons:
        why_not.setdefault(rule, why)
    alone = lines_alone(sight)
    other: Of = "windows" if sight.best_first else "best-first"
    return tuple(
        NotJudged(matter.what, _reason(matter, why_not, stated, alone))
        for matter in MATTERS
        if matter.of != other and matter.matters(sight) and not set(matter.rules) & set(checked)
    )


def _reason(matter: _Matter, why_not: dict[str, str], stated: Stated, alone: str | None) -> str:
    if alone is not None and alone in map(why_not.get, matter.rules):
        return alone
    if matter.lacks and not (matter.rules and stated.has(matter.lacks)):
        return f"no `{matter.lacks}`"
    why = next((why_not[rule] for rule in matter.rules if rule in why_not), "no node can be judged")
    why = why.partition(";")[0]  # the rest is shown with the rule
    return f"no {why.removeprefix('needs ').replace('|', '` or `')}" if why.startswith("needs ") else why
