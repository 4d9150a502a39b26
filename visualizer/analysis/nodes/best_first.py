"""Best-first trees: means with their 95 % intervals, which lie within noise, and the line visited most.

An interval is normal where the log states the standard error (`stderr`), Wilson's where it states wins,
draws and losses, and Wilson's again as an upper limit where it states visits and the range alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from plyscope.visualizer.analysis.columns.declarations import range_of
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

Z: Final = 1.959963984540054
"""Standard errors to either side of a mean within which 95 % of a normal distribution lie."""
AGREE: Final = 1e-3
"""A mean agrees with its wins, draws and losses within this share of the range: logs round."""
MOST_FACTOR: Final = 1e12
"""The largest factor of visits that is tried to part two means."""

By = Literal["stderr", "wilson", "range"]
"""The source of an interval; one by `range` is as wide as the range allows, so the true one is no wider."""


@dataclass(frozen=True)
class Estimate:
    """The mean of a row, with the figures for its interval. NaN is unknown."""

    visits: float
    mean: float
    by: By | None
    """None where the log states too little for an interval."""
    range: tuple[float, float]
    """The ends of the scale that results have; NaN where it is neither declared nor plain."""
    ended: tuple[float, float, float] | None
    """Wins, draws and losses, where all of them are known and are the visits together."""
    stderr: float

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the 95 % interval; NaN where it is unknown."""
        low, high = self.range
        if self.by == "stderr":
            ends = self.mean - Z * self.stderr, self.mean + Z * self.stderr
            return ends if not low < high else (max(low, ends[0]), min(high, ends[1]))
        if self.by is None:
            return math.nan, math.nan
        share, width = (self.mean - low) / (high - low), high - low
        draws = 0.0 if self.ended is None else self.ended[1]
        least, most = wilson(share, self.visits, draws)
        return low + width * least, low + width * most

    def times(self, factor: float) -> Estimate:
        """The same mean and shares after `factor` times the visits."""
        visits, stderr = factor * self.visits, self.stderr / math.sqrt(factor)
        if self.ended is None:
            return replace(self, visits=visits, stderr=stderr)
        wins, draws, losses = self.ended
        return replace(self, visits=visits, ended=(factor * wins, factor * draws, factor * losses))


def wilson(share: float, n: float, draws: float = 0.0) -> tuple[float, float]:
    """Both ends of the 95 % interval of a rate by Wilson's score method, for results of 0, 1/2 (`draws`), 1.

    Draws make results vary less: by a quarter of their share. That share is shrunk as the method shrinks a
    rate (to draws / (n + z^2)), so that three draws of three games do not pass for certain. Without draws the
    ends are those of Wilson, Journal of the American Statistical Association 22 (1927).

    >>> [round(end, 3) for end in wilson(0.5, 10)], [round(end, 3) for end in wilson(0.5, 10, 10)]
    ([0.237, 0.763], [0.361, 0.639])
    """
    spread = Z * Z / n
    less = draws / (n + Z * Z) / 4
    middle = 2 * share + spread
    root = math.sqrt(max(0.0, middle * middle - 4 * (1 + spread) * (share * share + spread * less)))
    low, high = (middle - root) / (2 * (1 + spread)), (middle + root) / (2 * (1 + spread))
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def estimate_of(log: Log, row: int) -> Estimate:
    """The mean of a row, or its score if it states no mean."""

    def value(name: str) -> float:
        column = log.column(name)
        return math.nan if column is None else float(column[row])

    visits, mean, stderr = value("visits"), value("mean"), value("stderr")
    mean = value("score") if mean != mean else mean
    declared = range_of(log)
    is_declared = math.isfinite(declared[0]) and math.isfinite(declared[1]) and declared[0] < declared[1]
    ends = declared if is_declared else (math.nan, math.nan)
    if not math.isfinite(mean):
        return Estimate(visits, mean, None, ends, None, math.nan)
    if stderr >= 0 and math.isfinite(stderr):
        return Estimate(visits, mean, "stderr", ends, None, stderr)
    if not (visits > 0 and math.isfinite(visits)):
        return Estimate(visits, mean, None, ends, None, math.nan)
    ended = _ended(value("wins"), value("draws"), value("losses"), visits)
    for low, high in (ends,) if is_declared else _PLAIN:
        if ended is not None and abs(_average(ended, low, high) - mean) <= AGREE * (high - low):
            return Estimate(visits, mean, "wilson", (low, high), ended, math.nan)
    if is_declared and declared[0] <= mean <= declared[1]:
        return Estimate(visits, mean, "range", ends, None, math.nan)
    return Estimate(visits, mean, None, ends, None, math.nan)


_PLAIN: Final = ((0.0, 1.0), (-1.0, 1.0))
"""Ranges that wins, draws and losses tell by themselves, where the log declares none."""


def _ended(wins: float, draws: float, losses: float, visits: float) -> tuple[float, float, float] | None:
    """Wins, draws and losses where they are the visits together; those that are not stated are none."""
    if all(each != each for each in (wins, draws, losses)):
        return None
    found = tuple(0.0 if each != each else each for each in (wins, draws, losses))
    if min(found) < 0 or abs(math.fsum(found) - visits) > 1e-6 * max(1.0, visits):
        return None
    return found[0], found[1], found[2]


def _average(ended: tuple[float, float, float], low: float, high: float) -> float:
    wins, draws, losses = ended
    return (wins * high + draws * (low + high) / 2 + losses * low) / (wins + draws + losses)


def is_within_noise(one: Estimate, two: Estimate) -> bool | None:
    """True if the 95 % interval of the difference of two means holds 0; None if it is unknown.

    The interval is made of those of the means, by Newcombe's method 10 (Statistics in Medicine 17, 1998).
    """
    if one.by is None or two.by is None:
        return None
    better, worse = (one, two) if one.mean >= two.mean else (two, one)
    reach = math.hypot(better.mean - better.interval[0], worse.interval[1] - worse.mean)
    return better.mean - worse.mean <= reach


def visits_to_part(one: Estimate, two: Estimate) -> float | None:
    """The number of further visits that would part two means within noise, if means and shares stay.

    The visits are shared between the two as until now. None where no number would, or it is not known.
    """
    if one.mean == two.mean or not is_within_noise(one, two):
        return None
    total = one.visits + two.visits
    if not math.isfinite(total) or is_within_noise(one.times(MOST_FACTOR), two.times(MOST_FACTOR)):
        return None
    within, parted = 1.0, MOST_FACTOR
    while parted / within > 1 + 1e-9:
        middle = math.sqrt(within * parted)
        if is_within_noise(one.times(middle), two.times(middle)):
            within = middle
        else:
            parted = middle
    return (parted - 1) * total


def _as_compared(log: Log, parent: int, exploit: float) -> float:
    """`ucb.exploit`, the root player's as all figures are, as the mover at `parent` compared it.

    Without a range a log whose writer saw figures as the root player does is left as it is written.
    """
    low, high = range_of(log)
    if log.columns["layer"][parent] != words.MIN:
        return exploit
    if math.isfinite(low + high):
        return low + high - exploit
    return exploit if log.search.get("perspective", "root") == "root" else -exploit


def visited_json(tree: Tree, row: int) -> dict[str, Any]:
    """The figures on a row's card in a best-first tree, beside its fields; unknown ones are left out.

    `share` of the visits of the node above (of a root 1), `rate`: the mean as a share of the declared range,
    `interval` of the mean with what it comes from (`by`), `exploit` as the node above compared it, whose
    mover may be the opponent; a stub has a share alone.
    """
    log = tree.log
    parent = int(log.columns["parent"][row])
    visits = log.column("visits")
    answer: dict[str, Any] = {}
    if visits is not None and visits[row] >= 0:
        above = visits[row] if parent < 0 else visits[parent]
        if above > 0:
            answer["share"] = min(1.0, float(visits[row] / above))
    if tree.is_stub[row]:
        return answer
    exploit = log.column("ucb_exploit")
    low, high = range_of(log)
    if exploit is not None and parent >= 0 and math.isfinite(exploit[row]):
        answer["exploit"] = _as_compared(log, parent, float(exploit[row]))
    estimate = estimate_of(log, row)
    if math.isfinite(estimate.mean) and math.isfinite(high - low) and low < high:
        answer["rate"] = (estimate.mean - low) / (high - low)
    if estimate.by is not None:
        answer |= {"interval": list(estimate.interval), "by": estimate.by}
    return answer


def is_best_first(log: Log) -> bool:
    """Whether the log says that its search went best-first."""
    return log.search.get("order") == "best_first"


def is_by_visits(log: Log) -> bool:
    """Whether it is the tree of a best-first search that counts visits."""
    return "visits" in log.columns and is_best_first(log)


def most_visited_line(tree: Tree, row: int, most: int | None = None) -> list[int]:
    """The rows below `row`, each the most visited child of the one before, and at most `most` of them.

    Of children with equal visits the one with the better mean for the side that chooses, then the first. The
    line ends where no child states visits, or none was visited, and where chance moves.
    """
    visits, means = tree.log.columns.get("visits"), tree.log.columns.get("mean")
    layers = tree.log.columns["layer"]
    rows: list[int] = []
    if visits is None:
        return rows
    at = row
    while (most is None or len(rows) < most) and layers[at] != words.CHANCE:
        children = tree.children(at)
        children = children[~tree.is_stub[children]]
        counts = np.where(visits[children] > 0, visits[children], -np.inf)
        if not len(children) or counts.max() == -np.inf:
            return rows
        children = children[counts == counts.max()]
        if means is not None and len(children) > 1:
            sign = -1.0 if layers[at] == words.MIN else 1.0
            better = np.where(np.isnan(means[children]), -np.inf, sign * means[children])
            children = children[np.argsort(-better, kind="stable")]
        at = int(children[0])
        rows.append(at)
    return rows
