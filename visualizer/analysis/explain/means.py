"""The plies of a node of a best-first tree: visits, means with intervals, and which lie within noise."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from plyscope.visualizer.analysis.columns.declarations import range_of
from plyscope.visualizer.analysis.explain.pair import Pair, Siblings, chosen_of, is_roll
from plyscope.visualizer.analysis.nodes.best_first import (
    Estimate,
    estimate_of,
    is_within_noise,
    visits_to_part,
)
from plyscope.visualizer.analysis.nodes.node_json import number
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MOST_LISTED: Final = 500
"""Plies that an answer lists, the first ones; the others are counted."""

Choice = Literal["visits", "mean", "unstated"]


@dataclass(frozen=True)
class PlyMean:
    """One ply: its visits and mean, compared with the chosen one."""

    row: int
    estimate: Estimate
    share: float
    """The share of the parent's visits; NaN where one of both is unknown."""
    is_within: bool | None
    """Whether its mean lies within noise of that of the chosen ply; None of that one itself, and where
    unknown."""
    is_better: bool
    """Whether its mean is better than that of the chosen ply, as the mover sees it."""

    def as_json(self, tree: Tree) -> dict[str, Any]:
        """The JSON, without unknown figures."""
        estimate, log = self.estimate, tree.log
        answer: dict[str, Any] = {"id": int(log.columns["id"][self.row]), "ply": tree.ply(self.row)}
        for name, value in (("visits", estimate.visits), ("share", self.share), ("mean", estimate.mean)):
            if not math.isnan(value):
                answer[name] = number(value)
        if estimate.by is not None:
            answer |= {"interval": [number(end) for end in estimate.interval], "interval_by": estimate.by}
        if estimate.ended is not None:
            answer["ended"] = list(estimate.ended)
        if self.is_within is not None:
            answer |= {"within_noise": self.is_within, "better": self.is_better}
        return answer


@dataclass(frozen=True)
class Means:
    """All plies of the node that chooses, the one first by which the search chooses."""

    tree: Tree
    parent: int
    choose: Choice
    """The declared criterion by which the search chooses."""
    was_played: bool
    """Whether the result names the chosen ply."""
    plies: tuple[PlyMean, ...]
    chosen: PlyMean
    rival: PlyMean
    first: PlyMean
    """The one that the search would choose."""
    shared: tuple[float, float] | None
    """The ends of the intersection of the two intervals; None where it is empty or unknown."""
    to_overtake: float | None
    """Visits that the rival needs to be the one that the search chooses: with the choice by visits if all of
    them go to it, with that by mean if all of them are won. None where it is ahead, or no number would do."""
    to_part: float | None
    """Further visits of both that would part their means, if these stay; None where they are parted, where no
    number would, or where it is not known."""

    @property
    def by(self) -> Literal["visits", "mean"]:
        """The figure that orders the plies: visits where the log declares none."""
        return "mean" if self.choose == "mean" else "visits"

    @property
    def is_choice(self) -> bool:
        """Whether the ply that is explained is the one that the search chose, or would choose."""
        return self.was_played or self.chosen is self.first

    @property
    def others(self) -> tuple[PlyMean, ...]:
        """The plies beside the two."""
        two = self.chosen.row, self.rival.row
        return tuple(each for each in self.plies if each.row not in two)

    def as_json(self) -> dict[str, Any]:
        """The JSON: figures of the first plies, and facts about the two."""
        low, high = declared_range(self.tree)
        listed = self.plies[:MOST_LISTED]
        rows = {each.row for each in listed}
        listed += tuple(each for each in (self.chosen, self.rival) if each.row not in rows)
        answer: dict[str, Any] = {
            "choose": None if self.choose == "unstated" else self.choose,
            "range": None if math.isnan(low) else [low, high],
            "plies": [each.as_json(self.tree) for each in listed],
            "more_plies": len(self.plies) - len(listed),
            "shared": None if self.shared is None else [number(end) for end in self.shared],
            "to_overtake": self.to_overtake,
            "to_part": self.to_part,
        }
        visits = self.tree.log.column("visits")
        if visits is not None and not math.isnan(visits[self.parent]):
            answer["visits"] = number(float(visits[self.parent]))
        return answer


def declared_range(tree: Tree) -> tuple[float, float]:
    """Both ends of the scale on which means are percentages; NaN where the log declares none."""
    low, high = range_of(tree.log)
    return (low, high) if math.isfinite(low) and math.isfinite(high) and low < high else (math.nan, math.nan)


def means_of(tree: Tree, siblings: Siblings, pair: Pair) -> Means:
    """The figures of a pair of plies of a best-first tree, and of their siblings."""
    log = tree.log
    declared = log.search.get("choose")
    choose: Choice = declared if declared in ("visits", "mean") else "unstated"
    above = _visits(tree, pair.parent)
    first = estimate_of(log, pair.chosen)
    sign = -1.0 if log.columns["layer"][pair.parent] == words.MIN else 1.0

    def ply_mean(row: int) -> PlyMean:
        estimate = estimate_of(log, row)
        is_within = None if row == pair.chosen else is_within_noise(first, estimate)
        is_better = sign * estimate.mean > sign * first.mean
        return PlyMean(row, estimate, estimate.visits / above, is_within, is_better)

    rows = [int(row) for row in siblings.ranked]
    rows += [row for row in (pair.chosen, pair.rival) if row not in rows]
    plies = tuple(map(ply_mean, rows))
    chosen, rival = (next(each for each in plies if each.row == row) for row in (pair.chosen, pair.rival))
    by_mean = choose == "mean"
    return Means(
        tree=tree,
        parent=pair.parent,
        choose=choose,
        was_played=pair.parent == tree.main_root and chosen_of(tree, siblings) == pair.chosen,
        plies=plies,
        chosen=chosen,
        rival=rival,
        shared=_shared(chosen.estimate, rival.estimate),
        first=plies[0],
        to_overtake=(_wins_needed if by_mean else _visits_needed)(plies[0].estimate, rival.estimate, sign)
        if rival is not plies[0] and not is_roll(tree, pair.parent)
        else None,
        to_part=visits_to_part(chosen.estimate, rival.estimate),
    )


def _visits(tree: Tree, row: int) -> float:
    column = tree.log.column("visits")
    return math.nan if column is None or not column[row] > 0 else float(column[row])


def _shared(one: Estimate, two: Estimate) -> tuple[float, float] | None:
    if one.by is None or two.by is None:
        return None
    low, high = np.maximum(one.interval, two.interval)[0], np.minimum(one.interval, two.interval)[1]
    return (float(low), float(high)) if low <= high else None


def _visits_needed(first: Estimate, rival: Estimate, _: float) -> float | None:
    """The fewest further visits by which the rival has more than the ply that has the most."""
    behind = first.visits - rival.visits
    return float(math.floor(behind) + 1) if 0 <= behind < math.inf else None


def _wins_needed(first: Estimate, rival: Estimate, sign: float) -> float | None:
    """The fewest visits, all won by the mover, by which the rival has the better mean."""
    best = rival.range[1] if sign > 0 else rival.range[0]
    behind, room = sign * (first.mean - rival.mean), sign * (best - first.mean)
    if not (behind >= 0 and room > 0 and 0 < rival.visits < math.inf):
        return None
    return float(math.floor(rival.visits * behind / room * (1 + 1e-12) + 1e-9) + 1)
