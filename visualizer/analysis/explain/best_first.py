"""Two plies of a best-first tree: their visits and means, and whether the means lie within their noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from plyscope.visualizer.analysis.check.facts.declarations import range_of
from plyscope.visualizer.analysis.explain.facts import ply_link
from plyscope.visualizer.analysis.explain.pair import Pair
from plyscope.visualizer.analysis.explain.segments import Sentence, sentence
from plyscope.visualizer.analysis.explain.signed_figures import digits_for, percent
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

ERRORS: Final = 2.0
"""Means that differ by less than so many standard errors lie within their noise."""


@dataclass(frozen=True)
class Mean:
    """What a best-first tree says of a ply: NaN where it does not."""

    visits: float
    mean: float
    error: float
    """The standard error of the mean, by its wins, draws and losses, else at most, by the declared range."""
    is_bounded: bool
    """Whether the error is only the most that the range allows."""


def mean_of(tree: Tree, row: int) -> Mean:
    """The figures of one ply."""

    def value(name: str) -> float:
        column = tree.log.column(name)
        return math.nan if column is None else float(column[row])

    visits, mean = value("visits"), value("mean")
    mean = value("score") if mean != mean else mean
    low, high = range_of(tree.log)
    ended = [value(name) for name in ("wins", "draws", "losses")]
    ended = [0.0 if each != each else each for each in ended]
    total = math.fsum(ended)
    if not visits > 0 or not low < high:
        return Mean(visits, mean, math.nan, False)
    worths = (high, (low + high) / 2, low)
    average = (
        math.fsum(n * worth for n, worth in zip(ended, worths, strict=True)) / total if total else math.nan
    )
    if total == visits and abs(average - mean) <= 1e-3 * (high - low):
        spread = math.fsum(n * (worth - average) ** 2 for n, worth in zip(ended, worths, strict=True)) / total
        return Mean(visits, mean, math.sqrt(spread / visits), False)
    room = max(0.0, (high - mean) * (mean - low))
    return Mean(visits, mean, math.sqrt(room / visits), True)


def mean_sentences(tree: Tree, pair: Pair) -> tuple[Sentence, ...]:
    """The sentences about two plies of a best-first tree."""
    one, two = mean_of(tree, pair.chosen), mean_of(tree, pair.rival)
    x, y = ply_link(tree, pair.chosen), ply_link(tree, pair.rival)
    found = [sentence("worth", x, f" {_figures(tree, one, two)}, ", y, f" {_figures(tree, two, one)}.")]
    difference = one.mean - two.mean
    if difference != difference or not math.isfinite(difference):
        return tuple(found)
    ahead, behind = (x, y) if difference * _sign(tree, pair.parent) >= 0 else (y, x)
    digits = digits_for([one.mean, two.mean], difference)
    noise = ERRORS * math.hypot(one.error, two.error)
    if noise != noise:
        need = "`search.range` and `visits`"
        found.append(
            sentence(
                "caveat", f"Whether their means differ by more than noise is not known: it needs {need}."
            )
        )
    elif abs(difference) < noise:
        bounded = " at most, by the declared range" if one.is_bounded or two.is_bounded else ""
        size, error = digits.plain(difference), digits.plain(noise)
        found.append(
            sentence(
                "caveat",
                f"The means differ by {size}, within their noise (two standard errors: {error}{bounded}).",
            )
        )
    else:
        found.append(
            sentence(
                "caveat",
                "The mean of ",
                ahead,
                " is better than that of ",
                behind,
                " by more than two standard errors.",
            )
        )
    return tuple(found)


def _figures(tree: Tree, this: Mean, other: Mean) -> str:
    digits = digits_for([this.mean, other.mean], this.mean - other.mean)
    visits = "an unknown number of visits" if this.visits != this.visits else (
        f"{this.visits:,.0f} {'visit' if this.visits == 1 else 'visits'}"
    )  # fmt: skip
    if this.mean != this.mean:
        return f"has {visits}"
    low, high = range_of(tree.log)
    mean = percent(this.mean) if (low, high) == (0.0, 1.0) else digits.signed(this.mean)
    return f"has {visits} with a mean of {mean}"


def _sign(tree: Tree, parent: int) -> float:
    return -1.0 if tree.log.columns["layer"][parent] == words.MIN else 1.0
