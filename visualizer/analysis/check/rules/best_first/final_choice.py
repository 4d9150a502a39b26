"""The ply that a best-first search played, compared with the figures of its root's children."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.reasons import selected_uniformly
from plyscope.visualizer.analysis.check.rule import Figures
from plyscope.visualizer.analysis.columns.claims import won_by
from plyscope.visualizer.analysis.columns.declarations import PERCENTS
from plyscope.visualizer.analysis.columns.rounding import MOST_DECIMALS, decimals_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words
from plyscope.visualizer.store.main_root import main_root
from plyscope.visualizer.store.tree import Tree

CHOOSING = ("visits", "mean")


class Fault(NamedTuple):
    """One contradiction between the choice and the figures, at a row."""

    row: int
    figures: Figures
    is_odd: bool = False


def choice_is_told(sight: Sight) -> bool:
    """Whether the log states the chosen ply, and by which figure it was chosen, or its score."""
    return sight.log.chosen_ply is not None and (
        sight.log.search.get("choose") in CHOOSING or _asks_score(sight)
    )


def chosen_faults(sight: Sight) -> Iterator[Fault]:
    """Return the faults: a ply that is not the best, a win that was left, a score that is not a mean."""
    ply = sight.log.chosen_ply
    if ply is None or len(sight.visits) == 0:
        return
    root = main_root(sight.log)
    tree = Tree(sight.log)
    below = [
        child
        for child in children_of(sight, root)
        if sight.outcome[child] < words.FIRST_STUB and sight.visits[child] > 0
    ]
    chosen = next((child for child in below if tree.is_ply(child, ply)), None)
    if chosen is None:
        return
    best = _best(sight, root, below)
    if best is not None and _is_better(sight, root, best, chosen):
        values = sight.visits if sight.log.search.get("choose") == "visits" else sight.mean
        has, most = apart(float(values[chosen]), float(values[best]))
        name = "visits" if sight.log.search.get("choose") == "visits" else "as its mean"
        message = f"The ply chosen, {ply}, has {has} {name}, but {tree.ply(best)} has {most}."
        yield Fault(chosen, Figures(tree.ply(best), ply, message, (best,)))
    won = [child for child in below if won_by(sight, child) == _sign(sight, root)]
    if won and chosen not in won and sight.rank == 0 and not _is_as_good(sight, root, chosen, won[0]):
        message = f"{tree.ply(won[0])} is proven to win, but the ply chosen, {ply}, is not."
        yield Fault(chosen, Figures(tree.ply(won[0]), ply, message, tuple(won[:MOST_INVOLVED])), is_odd=True)
    if _asks_score(sight):
        yield from _score_faults(sight, root, chosen, float(sight.log.result["score"]))


def _best(sight: Sight, root: int, below: list[int]) -> int | None:
    """Return the best child by the declared figure; None if none is declared or the ply was drawn."""
    choose = sight.log.search.get("choose")
    if choose not in CHOOSING or sight.rank > 0 or (choose == "mean" and len(sight.mean) == 0):
        return None
    if choose == "visits":
        return max(below, key=lambda child: float(sight.visits[child]))
    stated = [child for child in below if not np.isnan(sight.mean[child])]
    return max(stated, key=lambda child: _sign(sight, root) * float(sight.mean[child]), default=None)


def _is_better(sight: Sight, root: int, best: int, chosen: int) -> bool:
    """Whether `best` exceeds `chosen` beyond rounding; proven children are chosen by other rules."""
    if sight.bound[best] != 0 or sight.bound[chosen] != 0:
        return False
    if sight.log.search.get("choose") == "visits":
        return bool(sight.visits[best] > sight.visits[chosen])
    difference = _sign(sight, root) * float(sight.mean[best] - sight.mean[chosen])
    return difference > 2 * sight.mean_error + 1e-9 * abs(float(sight.mean[best]))


def _is_as_good(sight: Sight, root: int, chosen: int, other: int) -> bool:
    """Whether `chosen` was as good by what the search knows: all its visits came out as well.

    Or it chooses by visits that were given regardless of the means, so that they told it nothing.
    """
    if sight.log.search.get("choose") == "visits" and selected_uniformly(sight) is not None:
        return True
    if len(sight.mean) == 0:
        return False
    return bool(_sign(sight, root) * float(sight.mean[chosen] - sight.mean[other]) >= -2 * sight.mean_error)


def _score_faults(sight: Sight, root: int, chosen: int, score: float) -> Iterator[Fault]:
    """Return a fault if the result's score is neither mean nor score of the ply or the root."""
    means = [float(sight.mean[row]) for row in (chosen, root)]
    if np.isnan(means).any():
        return
    scores = [float(sight.score[row]) for row in (chosen, root)]
    span = sight.range_high - sight.range_low
    error = _rounding_of(score, span) + sight.mean_error + 1e-6 * span
    if not any(abs(score - each) <= error for each in (*means, *scores)):
        stated, mean, root_mean = apart(score, *means)
        message = (
            f"The result's score is {stated}, but the mean of its ply is {mean}, of the root {root_mean}."
        )
        yield Fault(chosen, Figures(means[0], score, message, (root,)))


def _rounding_of(number: float, span: float) -> float:
    decimals = decimals_of(np.array([number]))
    if decimals > MOST_DECIMALS or (decimals == 0 and span < PERCENTS):
        return 0.0
    return 0.5 * 10.0**-decimals


def _sign(sight: Sight, root: int) -> float:
    """Return -1 if the root's mover wants the smallest: when the declared root player is the other one."""
    return -1.0 if sight.layer[root] == words.MIN else 1.0


def _asks_score(sight: Sight) -> bool:
    score: Any = sight.log.result.get("score")
    is_number = isinstance(score, int | float) and not isinstance(score, bool)
    return is_number and len(sight.mean) > 0 and bool(np.isfinite(sight.range_high - sight.range_low))
