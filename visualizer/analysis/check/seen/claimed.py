"""The root that a result comes from, and what the visits below it claim: for the rule `result`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from visualizer.analysis.check.seen.children import children_of
from visualizer.analysis.check.seen.proven import nearest_mate
from visualizer.analysis.check.seen.returned import is_close
from visualizer.analysis.check.seen.row import is_aside, is_finished, is_quiescence, is_stub, tt_use_of
from visualizer.analysis.check.seen.sight import COUNTED, DISAGREES, TABLE_DISAGREES, Sight
from visualizer.store import words
from visualizer.store.main_root import last_finished_root, named_root
from visualizer.store.tree import Tree

CHOOSING = (words.MAX, words.MIN)


def root_of_result(sight: Sight) -> int | None:
    """The row of the root that the result names, else of the last finished one; None where there is none."""
    named = named_root(sight.log)
    return last_finished_root(sight.log) if named is None else named


class Root:
    """A root, its plies and their claims."""

    def __init__(self, sight: Sight, row: int) -> None:
        self.sight = sight
        self.row = row
        self.tree = Tree(sight.log)
        self.is_finished = is_finished(sight, row)
        self.score = float(sight.score[row])
        self.can_compare = self.is_finished and sight.layer[row] in CHOOSING and not np.isnan(self.score)
        self.is_expanded = sight.end[row] > row + 1 and sight.outcome[row] != words.TT
        self.passes = self._passes()

    def _passes(self) -> list[int]:
        """The roots that prove the score together: of a bound, all finished ones of its iteration."""
        sight = self.sight
        if sight.low[self.row] == sight.high[self.row]:
            return [self.row]
        iterations = {root.row: root.iteration for root in sight.log.roots}
        same = [row for row, iteration in iterations.items() if iteration == iterations[self.row]]
        done = [row for row in same if is_finished(sight, row) and not np.isnan(sight.score[row])]
        return done if self.row in done else [self.row]

    def is_closed(self) -> bool:
        """Whether the claims of several passes, as of null windows, leave no score but the root's."""
        low = max(float(self.sight.low[row]) for row in self.passes)
        high = min(float(self.sight.high[row]) for row in self.passes)
        return len(self.passes) > 1 and (low >= high or self.is_same(low, high))

    def is_same(self, one: float, other: float) -> bool:
        """Equal, rounding aside."""
        return bool(is_close(one, other, self.sight.tolerance))

    def is_score(self, number: Any) -> bool:
        """Whether a number of the result is the root's score."""
        return self.is_same(float(number), self.score)

    def children(self, row: int) -> list[int]:
        """The nodes below `row` that are visits of its own plies: no stubs, null moves or probes."""
        below = children_of(self.sight, row)
        return [
            child for child in below if not is_stub(self.sight, child) and not is_aside(self.sight, child)
        ]

    def visits(self, row: int, ply: str) -> list[int]:
        """The visits of `ply` under `row` that count; under the root those of all its passes."""
        above = self.passes if row == self.row else [row]
        below = [child for each in above for child in self.children(each)]
        counted = [child for child in below if self.sight.marks[child] & COUNTED]
        return [child for child in counted if self.tree.ply(child) == ply]

    def plies(self, row: int) -> list[str]:
        """The different plies visited under `row`."""
        return list(dict.fromkeys(self.tree.ply(child) or "?" for child in self.children(row)))

    def may_hold(self, row: int) -> bool:
        """Whether plies were searched under `row` that have no name or no row here."""
        below = children_of(self.sight, row)
        unlogged = any(self.sight.outcome[child] == words.UNLOGGED for child in below)
        return unlogged or any(self.tree.ply(child) is None for child in self.children(row))

    def claim(self, visits: Sequence[int]) -> tuple[float, float, bool]:
        """What the visits claim together, and whether each claims something that no table entry denies."""
        low, high = -np.inf, np.inf
        for row in visits:
            if np.isnan(self.sight.low[row]) or np.isnan(self.sight.high[row]):
                return low, high, False
            if self.sight.marks[row] & TABLE_DISAGREES:
                return low, high, False
            if self.sight.marks[row] & DISAGREES:
                low, high = -np.inf, np.inf
            # Nothing is worth more than a mate by the next ply.
            score, mate = float(self.sight.score[row]), nearest_mate(self.sight, row)
            low = max(low, float(self.sight.low[row]), min(score, -mate))
            high = min(high, float(self.sight.high[row]), max(score, mate))
        return low, high, low <= high

    def proves(self, row: int, low: float, high: float, score: float, *, exactly: bool) -> bool:
        """Whether a ply of `row` that is worth `[low, high]` gives its chooser `score`, or is just that."""
        reaches = low >= score or self.is_same(low, score)
        holds = high <= score or self.is_same(high, score)
        if exactly:
            return reaches and holds
        return reaches if self.sight.layer[row] == words.MAX else holds

    def rivals(self, ply: str, score: float) -> tuple[int, int]:
        """How many other plies of the root are exact and better than `score`, and how many equal to it."""
        better = equal = 0
        sign = 1.0 if self.sight.layer[self.row] == words.MAX else -1.0
        for other in self.plies(self.row):
            visits = self.visits(self.row, other)
            if other == ply or not visits:
                continue
            low, high, is_known = self.claim(visits)
            if not is_known or low != high:
                continue
            if self.is_same(low, score):
                equal += 1
            elif sign * (low - score) > 0:
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
