"""The root that a result comes from, and the claims of the visits below it: for the rule `result`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from plyscope.visualizer.analysis.check.facts.children import children_of
from plyscope.visualizer.analysis.check.facts.proofs import mates_in_reach, nearest_mate
from plyscope.visualizer.analysis.columns.claims import claim_of, is_close
from plyscope.visualizer.analysis.columns.row import (
    is_aside,
    is_finished,
    is_quiescence,
    is_stub,
    score_as_taken,
    taken_of,
    tt_use_of,
)
from plyscope.visualizer.analysis.columns.sight import COUNTED, DISAGREES, TABLE_DISAGREES, Sight
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import last_finished_root, named_root
from plyscope.visualizer.store.tree import Tree

CHOOSING = (words.MAX, words.MIN)


def candidate_roots(sight: Sight, result: Mapping[str, Any]) -> list[int]:
    """Return the rows of the roots that a result may come from, the likeliest first.

    The root that it names; else the last finished one, or a later one: a bound, or a stopped tree in which
    the result's ply was finished.
    """
    named, last = named_root(sight.log), last_finished_root(sight.log)
    if named is not None:
        return [named]
    later = [int(row) for row in sight.roots if last is None or row > last]
    ply = result.get("ply")
    may = [row for row in reversed(later) if is_finished(sight, row) and not np.isnan(sight.score[row])]
    may += [row for row in reversed(later) if isinstance(ply, str) and Root(sight, row).has_finished(ply)]
    return list(dict.fromkeys(([] if last is None else [last]) + may))


class Claim(NamedTuple):
    """The joint claim of several visits."""

    low: float
    high: float
    is_known: bool
    """Whether each of them claims something."""
    contradicts: bool
    """Whether they contradict one another, or one of them its table entry: the last one stands."""


class Root:
    """A root, its plies and their claims.

    The score of a stopped root is the best of its finished plies: others may be better.
    """

    def __init__(self, sight: Sight, row: int) -> None:
        self.sight = sight
        self.row = row
        self.tree = Tree(sight.log)
        self.is_finished = is_finished(sight, row)
        self.is_expanded = sight.end[row] > row + 1 and sight.outcome[row] != words.TT
        self.passes = self._passes() if self.is_finished else [row]
        self.score = float(sight.score[row]) if self.is_finished else self._best_finished()
        self.is_minimax = not (sight.best_first or sight.is_averaged)
        self.can_compare = self.is_minimax and sight.layer[row] in CHOOSING and not np.isnan(self.score)

    def has_finished(self, ply: str) -> bool:
        """Whether a visit of the ply counts."""
        return bool(self.visits(self.row, ply))

    def _best_finished(self) -> float:
        """Return the best score taken for a finished ply, NaN if there is none."""
        scores = {
            int(self.sight.ply[child]): float(taken_of(self.sight, child))
            for child in self.children(self.row)
            if self.sight.marks[child] & COUNTED and not np.isnan(self.sight.score[child])
        }
        best = max if self.sight.layer[self.row] == words.MAX else min
        return best(scores.values(), default=np.nan)

    def is_decisive(self) -> bool:
        """Whether the score is a bound on the mover's side, as of a null window that failed high."""
        bound, layer = self.sight.bound[self.row], self.sight.layer[self.row]
        return bool((bound, layer) in ((words.LOWER, words.MAX), (words.UPPER, words.MIN)))

    def is_at_its_end(self) -> bool:
        """Whether the score is a bound that nothing can be beyond: the nearest mate, or an end of `range`."""
        least, most = mates_in_reach(self.sight, self.row)
        if self.sight.bound[self.row] == words.LOWER:
            return bool(self.score >= most or self.score >= self.sight.range_high)
        return bool(self.score <= least or self.score <= self.sight.range_low)

    def _passes(self) -> list[int]:
        """Return the roots that prove the score together: for a bound, all finished ones of its iteration."""
        sight = self.sight
        low, high = claim_of(sight, self.row)
        if low == high:
            return [self.row]
        iterations = {root.row: root.iteration for root in sight.log.roots}
        same = [row for row, iteration in iterations.items() if iteration == iterations[self.row]]
        done = [row for row in same if is_finished(sight, row) and not np.isnan(sight.score[row])]
        return done if self.row in done else [self.row]

    def is_closed(self) -> bool:
        """Whether the joint claims of several passes, such as null windows, allow only the root's score."""
        claims = [claim_of(self.sight, row) for row in self.passes]
        low, high = max(low for low, _ in claims), min(high for _, high in claims)
        return len(self.passes) > 1 and (low >= high or self.is_same(low, high))

    def is_same(self, one: float, other: float) -> bool:
        """Whether two numbers are equal, rounding aside."""
        return bool(is_close(one, other, self.sight.tolerance))

    def is_score(self, number: Any) -> bool:
        """Whether a number of the result is the root's score."""
        return self.is_same(float(number), self.score)

    def children(self, row: int) -> list[int]:
        """Return the nodes below `row` that are visits of its own plies: no stubs, null moves or probes."""
        below = children_of(self.sight, row)
        return [
            child for child in below if not is_stub(self.sight, child) and not is_aside(self.sight, child)
        ]

    def visits(self, row: int, ply: str) -> list[int]:
        """Return the visits of `ply` under `row` that count; under the root those of all its passes.

        In a best-first tree a row stands for all visits of its ply, and may be an open frontier.
        """
        above = self.passes if row == self.row else [row]
        below = [child for each in above for child in self.children(each)]
        is_tree = self.sight.best_first
        counted = [child for child in below if is_tree or self.sight.marks[child] & COUNTED]
        return [child for child in counted if self.tree.is_ply(child, ply)]

    def plies(self, row: int) -> list[str]:
        """Return the different plies visited under `row`."""
        return list(dict.fromkeys(self.tree.ply(child) or "?" for child in self.children(row)))

    def may_hold(self, row: int) -> bool:
        """Whether plies without a name or a row were searched under `row`."""
        below = children_of(self.sight, row)
        unlogged = any(self.sight.outcome[child] == words.UNLOGGED for child in below)
        return unlogged or any(self.tree.ply(child) is None for child in self.children(row))

    def claim(self, visits: Sequence[int]) -> Claim:
        """Return the joint claim of the visits, as their parent took them."""
        low, high = -np.inf, np.inf
        contradicts = False
        for row in visits:
            least, most = claim_of(self.sight, row)
            if np.isnan(least) or np.isnan(most):
                return Claim(low, high, False, contradicts)
            if self.sight.marks[row] & (DISAGREES | TABLE_DISAGREES):
                contradicts = True
                low, high = -np.inf, np.inf
            # Nothing is worth more than a mate by the next ply.
            score, mate = float(self.sight.score[row]), nearest_mate(self.sight, row)
            least, most = max(least, min(score, -mate)), min(most, max(score, mate))
            low = max(low, score_as_taken(self.sight, row, least))
            high = min(high, score_as_taken(self.sight, row, most))
        return Claim(low, high, True, contradicts or low > high)

    def proves(self, row: int, low: float, high: float, score: float, *, exactly: bool) -> bool:
        """Whether a ply of `row` worth `[low, high]` guarantees its chooser `score`, or equals it."""
        reaches = low >= score or self.is_same(low, score)
        holds = high <= score or self.is_same(high, score)
        if exactly:
            return reaches and holds
        return reaches if self.sight.layer[row] == words.MAX else holds

    def rivals(self, ply: str, score: float) -> tuple[int, int]:
        """Return the numbers of other plies of the root that are exact and better than `score`, or equal."""
        better = equal = 0
        sign = 1.0 if self.sight.layer[self.row] == words.MAX else -1.0
        for other in self.plies(self.row):
            visits = self.visits(self.row, other)
            if other == ply or not visits:
                continue
            claim = self.claim(visits)
            if not claim.is_known or claim.low != claim.high:
                continue
            if self.is_same(claim.low, score):
                equal += 1
            elif sign * (claim.low - score) > 0:
                better += 1
        return better, equal

    def goes_on(self, row: int) -> bool:
        """Whether a line can be followed below `row`: searched here, and no table entry took part."""
        sight = self.sight
        if sight.outcome[row] not in (words.SEARCHED, words.CUTOFF, 0) or sight.end[row] == row + 1:
            return False
        used = tt_use_of(sight, row)
        is_tabled = used in (words.TT_USES.index("cut"), words.TT_USES.index("narrow"))
        return not is_tabled and sight.layer[row] in CHOOSING and not is_quiescence(sight, row)
