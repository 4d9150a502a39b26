"""The source of a node's score: the visit that it comes from, or the reason why it ends there.

Visits of one ply are taken together, as `check` takes them: of the finished ones that are neither null moves
nor probes, those of the greatest depth count; their claims are intersected. A score goes on in a ply that
proves it, so in a re-search and not in the scout before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from plyscope.visualizer.analysis.columns.claims import is_close, is_own_static
from plyscope.visualizer.analysis.columns.declarations import is_tablebase_leaf, tolerance_of
from plyscope.visualizer.analysis.columns.row import (
    NO_SOURCE,
    alpha_of,
    beta_of,
    cut_by_of,
    estimate_of,
    is_cut,
    is_finished,
    is_used,
    narrowed_alpha,
    narrowed_beta,
    source_of,
    stand_pat_of,
    static_of,
)
from plyscope.visualizer.analysis.nodes.best_children import scores_taken
from plyscope.visualizer.analysis.nodes.ply_visits import CountedVisits, Plies
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

How = Literal[
    "leaf",
    "terminal",
    "stand_pat",
    "table",
    "window_edge",
    "null_move",
    "estimate",
    "chance",
    "not_recorded",
    "end",
    "visits",
    "unknown",
]

NOTES: Final[dict[How, str]] = {
    "leaf": "",
    "terminal": "",
    "end": "",
    "visits": "",
    "stand_pat": "Not moving was best here: the score is this position's own evaluation.",
    "table": "The score comes from the transposition table; the node that stored it is not in this log.",
    "window_edge": "The score is the edge of the window: no leaf stands behind it.",
    "null_move": "The visit was cut by a null move: no leaf stands behind it.",
    "estimate": "The score is an estimate of plies that were not searched: no leaf stands behind it.",
    "chance": "The score is a mean over what chance may bring: no single leaf stands behind it.",
    "not_recorded": "The replies that decided this score are not in this log.",
    "unknown": "No counted child of this node has its score.",
}
CUT_BY_ESTIMATE: Final = "The visit was cut by an estimate: no leaf stands behind it."
BEHIND_EDGE: Final = "The score is an edge of the window; this position's own evaluation stands behind it."
NOT_ITS_OWN: Final = "The score is not the leaf's own evaluation, which counts here."
MEAN: Final = "The score is a mean over the visits below: no single leaf stands behind it."
SOURCE_UNSTATED: Final = (
    "The score comes from the transposition table; the log does not say which node stored it."
)
LOOP: Final = "The table entry leads back to a node of this line."


@dataclass(frozen=True)
class Decision:
    """The row in which a score goes on, or None and `how` it ends, with a sentence where that needs one."""

    row: int | None = None
    how: How = "unknown"
    note: str = ""


class Deciding(Plies):
    """The source of each score of a log; for as many rows as are asked, without a pass over all of them."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        search = tree.log.search
        self._may_clamp = search.get("fail") != "soft"
        self._clamps = search.get("fail") == "hard"
        self._tolerance = tolerance_of(tree.log)
        self._is_mean = search.get("order") == "best_first"

    def decide(self, row: int) -> Decision:
        """The source of the score of `row`."""
        sight, columns = self._sight, self._columns
        score, outcome = float(columns["score"][row]), int(columns["outcome"][row])
        if outcome == words.TERMINAL:
            return _end("terminal")
        if columns["layer"][row] == words.CHANCE and outcome != words.LEAF:
            return _end("chance")
        if is_cut(sight, row):
            return self._clamped(row, score, self._entry_scores(row)) or self._source(row)
        if math.isnan(score):
            return _end("unknown", _no_score(self.tree, row))
        if cut_by_of(sight, row) in (_NULL, _ESTIMATE):
            return _end("null_move") if cut_by_of(sight, row) == _NULL else _end("estimate", CUT_BY_ESTIMATE)
        for number, how in self._exact_plies(row):
            if number == score:
                return _end(how)
        if outcome == words.LEAF:
            return self._leaf(row, score)
        same, taken = self._of_score(row, score)
        elsewhere = self._elsewhere(row, score, same, taken)
        if elsewhere is None and len(same) == 1:
            return Decision(same[0][-1])  # as it would be without a proof
        for counted in same:
            if self.proves(row, counted):
                return Decision(counted[-1])
        if elsewhere is not None:
            return elsewhere
        if same:
            return Decision(same[0][-1])
        return self._childless(row) if self.tree.n_children(row) == 0 else self._undecided(row)

    def _of_score(self, row: int, score: float) -> tuple[Sequence[list[int]], list[float]]:
        """The counted visits of the plies that are worth `score`, and the worths of all plies.

        For a wide node, only the least and the greatest worth: no other one is clamped to a window's edge if
        these are not.
        """
        wide = self.wide(row)
        if wide is not None:
            numbers = scores_taken(self.tree.log, wide.last)
            known = numbers[~np.isnan(numbers)]
            ends = [float(known.min()), float(known.max())] if len(known) else []
            return CountedVisits(wide, np.flatnonzero(numbers == score)), ends
        plies = [self.counted(visits) for visits in self.plies(row)]
        taken = [self.taken(counted[-1]) for counted in plies]
        return [counted for counted, number in zip(plies, taken, strict=True) if number == score], taken

    def _elsewhere(
        self, row: int, score: float, same: Sequence[list[int]], taken: list[float]
    ) -> Decision | None:
        """The source of a score that no ply proves: the entry that narrowed the node, the window, or None."""
        entry_scores = self._entry_scores(row)
        if score in entry_scores:
            return self._source(row)
        if not self._may_clamp:
            return None
        for number, how in self._exact_plies(row):
            if self._clamped(row, score, [number]) is not None and self._is_best(row, number, taken):
                return _end(how, BEHIND_EDGE)
        beyond = [number for number in taken if self._clamped(row, score, [number]) is not None]
        if beyond:
            best = min(beyond) if self._columns["layer"][row] == words.MIN else max(beyond)
            return Decision(self._of_score(row, best)[0][0][-1])
        return self._clamped(row, score, entry_scores) or self._far_edge(row, score, same)

    def _is_best(self, row: int, number: float, taken: list[float]) -> bool:
        """Whether `number` is at least as good for the mover at `row` as all its plies."""
        sign = -1.0 if self._columns["layer"][row] == words.MIN else 1.0
        return all(not sign * each > sign * number for each in taken)

    def _exact_plies(self, row: int) -> Iterator[tuple[float, How]]:
        """Exact values that take part without a visit: standing pat, and the estimate."""
        stand_pat = float(stand_pat_of(self._sight, row))
        if stand_pat == stand_pat:
            yield stand_pat, "stand_pat"
        estimate = float(estimate_of(self._sight, row))
        if estimate == estimate:
            yield estimate, "estimate"

    def _entry_scores(self, row: int) -> list[float]:
        """The score of the table entry that took part at `row`, as a list of at most one."""
        scores = self._columns.get("tt_score")
        if scores is None or not is_used(self._sight, row) or math.isnan(scores[row]):
            return []
        return [float(scores[row])]

    def _source(self, row: int) -> Decision:
        """The node that stored the entry, where that is in the log."""
        source = source_of(self._sight, row)
        if source == NO_SOURCE:
            return _end("table", SOURCE_UNSTATED)
        if source < 0 or source == row or not is_finished(self._sight, source):
            return _end("table")
        return Decision(source)

    def _clamped(self, row: int, score: float, numbers: list[float]) -> Decision | None:
        """The end where a number beyond the score gives it once it is clamped to the window."""
        if not self._may_clamp:
            return None
        low, high = narrowed_alpha(self._sight, row), narrowed_beta(self._sight, row)
        if math.isnan(low) or math.isnan(high):
            return None
        is_clamped = any(number != score and min(max(number, low), high) == score for number in numbers)
        return _end("window_edge") if is_clamped else None

    def _far_edge(self, row: int, score: float, same: Sequence[list[int]] = ()) -> Decision | None:
        """The end where the score is the edge of the node's own window at which its mover fails low.

        Where the plies of `same`, which returned that edge, claim a worth, the best goes on.
        """
        maximizes = self._columns["layer"][row] == words.MAX
        minimizes = self._columns["layer"][row] == words.MIN
        is_edge = (maximizes and alpha_of(self._sight, row) == score) or (
            minimizes and beta_of(self._sight, row) == score
        )
        if not (self._may_clamp and is_edge):
            return None
        return self._behind_edge(row, score, same) or _end("window_edge")

    def _behind_edge(self, row: int, score: float, same: Sequence[list[int]]) -> Decision | None:
        """The best of plies that returned the edge and claim each to be worth less; None if one does not."""
        if isinstance(same, CountedVisits) or not same:
            return None
        sign = -1.0 if self._columns["layer"][row] == words.MIN else 1.0
        most = [max(sign * end for end in self.interval(row, counted)) for counted in same]
        best = max(range(len(same)), key=lambda place: most[place])
        return Decision(same[best][-1]) if all(each < sign * score for each in most) else None

    def _leaf(self, row: int, score: float) -> Decision:
        """The end at a leaf, or at an edge of its window where it does not state its evaluation."""
        if is_own_static(self._sight, row):
            is_whole = is_close(static_of(self._sight, row), score, self._tolerance)
            has_window = not math.isnan(alpha_of(self._sight, row))
            return _end("leaf", None if is_whole else BEHIND_EDGE if has_window else NOT_ITS_OWN)
        is_unknown = is_tablebase_leaf(self.tree.log, row) or math.isnan(static_of(self._sight, row))
        return (self._far_edge(row, score) if self._clamps and is_unknown else None) or _end("leaf")

    def _childless(self, row: int) -> Decision:
        if cut_by_of(self._sight, row) == _STAND_PAT:
            return _end("stand_pat")
        return _end("not_recorded" if self._columns["outcome"][row] in _EXPANDED else "end")

    def _undecided(self, row: int) -> Decision:
        columns = self._columns
        outcome, cut_by = int(columns["outcome"][row]), cut_by_of(self._sight, row)
        if cut_by == _STAND_PAT:
            return _end("stand_pat")
        is_unlogged = bool((columns["outcome"][self.tree.children(row)] == words.UNLOGGED).any())
        if is_unlogged or (outcome == words.CUTOFF and cut_by == 0):
            return _end("not_recorded")
        if self._is_mean:
            return _end("unknown", MEAN)
        return _end("unknown")


_STAND_PAT: Final = words.CUT_BY.index("stand_pat")
_NULL: Final = words.CUT_BY.index("null")
_ESTIMATE: Final = words.CUT_BY.index("estimate")
_EXPANDED: Final = (words.SEARCHED, words.CUTOFF)


def _end(how: How, note: str | None = None) -> Decision:
    return Decision(None, how, NOTES[how] if note is None else note)


def _no_score(tree: Tree, row: int) -> str:
    if "mean" in tree.log.columns and not math.isnan(tree.log.columns["mean"][row]):
        return "This node has a mean over its visits and no score: no single child stands behind it."
    if tree.n_children(row) == 0:
        return "This node has no score."
    return "This node has no score, so nothing says which child decided it."
