"""What-if over one log: prepared once, then asked for any weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np

from plyscope.engine.compile.code_cache import has_any
from plyscope.engine.option import OptionError
from plyscope.engine.quoting import quoted
from plyscope.visualizer.analysis.columns.kernel_call import Work, say_nothing
from plyscope.visualizer.analysis.columns.sight import Array, sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.analysis.nodes.field_values import names_in
from plyscope.visualizer.analysis.whatif.envelope import Band, bands
from plyscope.visualizer.analysis.whatif.fold import Intervals, refold
from plyscope.visualizer.analysis.whatif.plan import (
    BEST,
    COUNTS,
    DROPS,
    MOVES,
    OPENS_BOTH,
    OPENS_MOVER,
    UNFINISHED,
    WORST,
    Plan,
    plan_of,
)
from plyscope.visualizer.analysis.whatif.unsearched_plies import Unsearched, unsearched_below
from plyscope.visualizer.analysis.whatif.weight_ranges import Range, Segment, State, range_around, segments
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

PLAIN_ROWS: Final = 2000
"""Up to this many rows, a log is folded without loading numba."""
PLAIN_WORK: Final = 20_000
"""The same of rows times factors, for the ranges of all factors."""
MOST_WEIGHT: Final = 1e100
"""Beyond, sums would be infinite, and an interval without an end means that it is not known."""
REST: Final = "other"
"""The factor for the remainder besides the weighted ones; its share does not change."""

COMPILED: Final = ("most_children", "sweep", "plan_rows", "refold_rows", "fold_lines")
"""The kernels of a large log and its ranges."""

Place = Literal["first", "could overtake", "ruled out"]


class WeightsError(OptionError):
    """Weights cannot be changed in this log, or not so; the message says why, in a line."""


@dataclass(frozen=True)
class Weight:
    """A factor's weight as logged."""

    name: str
    weight: float | None
    """None where the log does not state it."""
    fixed: str = ""
    """The reason why it cannot be changed, empty where it can."""


@dataclass(frozen=True)
class RootPly:
    """A ply of the root and its worth under some weights, seen from the root player."""

    row: int
    """The last counted visit; of a ply that was not finished its last visit."""
    ply: str | None
    low: float
    high: float
    place: Place


@dataclass(frozen=True)
class Reweighted:
    """A log under one set of weights."""

    weights: dict[str, float]
    """Every weight that can be changed, as it is now."""
    plies: tuple[RootPly, ...]
    """The first, then the others, those that can reach most first."""
    certain: bool
    """Whether the first ply is worth at least what any other can be."""
    is_tie: bool
    """Whether another ply may be worth exactly as much as a certain first one."""
    choice: State
    """What becomes of the ply that the search chose."""
    unsearched: Unsearched
    """What the choice of the first ply depends on; nothing where it is certain."""
    others: int
    """Plies of the root without rows that could be better; those of `unsearched` among them."""
    intervals: Intervals


@dataclass(frozen=True)
class FactorRange:
    """The range of one weight, the others as logged, in which the choice does not fall."""

    weight: Weight
    range: Range
    """In changes of the weight."""
    segments: tuple[Segment, ...]
    """In changes of the weight: what becomes of the choice, everywhere."""

    @property
    def flips_at(self) -> float:
        """The least change after which the choice no longer certainly stands; inf where there is none."""
        stands = self.range.stands
        return 0.0 if stands is None else min(-stands[0], stands[1])

    @property
    def share(self) -> float:
        """`flips_at` as a share of the weight; inf for a weight of 0 that has to change."""
        change, weight = self.flips_at, abs(self.weight.weight or 0.0)
        return 0.0 if change == 0.0 else change / weight if weight else math.inf


def waits_for_a_compiler(log: Log) -> bool:
    """Whether the ranges of a log need machine code that is not on disk."""
    is_plain = log.n_rows <= PLAIN_ROWS and log.n_rows * len(log.factors) <= PLAIN_WORK
    return not (is_plain or all(map(has_any, COMPILED)))


class Reweighing:
    """A log under other weights. Raises `WeightsError` where that means nothing for this log."""

    def __init__(
        self,
        tree: Tree,
        *,
        assume_dropped: bool = True,
        on_progress: Callable[[float], None] | None = None,
        compiled: bool | None = None,
    ) -> None:
        self.tree = tree
        self.root = tree.main_root
        self.assume_dropped = assume_dropped
        self.compiled = tree.log.n_rows > PLAIN_ROWS if compiled is None else compiled
        self._say = on_progress or say_nothing
        self.weights = weights_of(tree.log)
        sight = derive(sight_of(tree.log), self._work)
        refuse(tree, sight)
        self.plan: Plan = plan_of(sight, self._work)
        if self.plan.kind[self.root] not in (BEST, WORST):
            raise WeightsError(NO_CHOICE)
        self.rows, self.unfinished = self._root_rows()
        if not self.rows:
            raise WeightsError(NO_CHOICE)
        self.sign = 1.0 if self.plan.kind[self.root] == BEST else -1.0
        columns = tree.log.columns
        outcome = np.ascontiguousarray(columns["outcome"])
        is_leaf = outcome == words.LEAF
        is_leaf |= (outcome == 0) & (columns["end"] == np.arange(len(outcome)) + 1)
        self.n_leaves = int(np.count_nonzero(is_leaf))
        self.n_moved = int(np.count_nonzero(is_leaf & (self.plan.flags & MOVES > 0)))
        self.n_pats = int(np.count_nonzero(~is_leaf & (self.plan.flags & MOVES > 0)))
        """Nodes whose own evaluation takes part beside their plies: standing pat, and estimates."""
        self.n_endings = int(np.count_nonzero(outcome == words.TERMINAL))
        self._stub_counts = (
            outcome,
            np.ascontiguousarray(columns.get("count", np.zeros(0, np.int32))),
        )

    @property
    def _work(self) -> Work:
        return Work(self.compiled, self._say)

    def _root_rows(self) -> tuple[list[int], list[int]]:
        """The last counted visit of each ply of the root, and the last of those that none was finished of."""
        flags, ply = self.plan.flags, self.tree.log.columns["ply"]
        children = [int(row) for row in self.tree.children(self.root)]
        counted = [row for row in children if flags[row] & COUNTS]
        known = {int(ply[row]) for row in counted if ply[row] >= 0}
        stopped = {int(ply[row]): row for row in children if flags[row] & UNFINISHED}
        return counted, [row for text, row in stopped.items() if text not in known]

    @cached_property
    def n_others(self) -> int | None:
        """Plies of the root without rows that could be better than all; None where there are none."""
        flags = int(self.plan.flags[self.root])
        opens = flags & (OPENS_MOVER | OPENS_BOTH) or (flags & DROPS and not self.assume_dropped)
        if not opens:
            return None
        outcome, count = self._stub_counts
        wanted = [words.PRUNED, words.UNLOGGED]
        if not self.assume_dropped:
            wanted += [words.LIMITED, words.SKIPPED]
        stubs = [int(row) for row in self.tree.children(self.root) if outcome[row] in wanted]
        return sum(max(int(count[row]), 1) if len(count) else 1 for row in stubs)

    @property
    def _most(self) -> float:
        """The most that any ply can be worth to the root's mover."""
        return self.plan.range_high if self.sign > 0 else -self.plan.range_low

    # The choice --------------------------------------------------------------------------------------
    @cached_property
    def logged(self) -> Intervals:
        """Every row's interval with the weights of the log."""
        return refold(self.plan, np.zeros(len(self.weights)), self._work, assume_dropped=self.assume_dropped)

    @cached_property
    def is_drawn(self) -> bool:
        """Whether the log's result is not the best ply, but one drawn behind it."""
        rank = self.tree.log.result.get("rank")
        return isinstance(rank, int) and rank > 0

    @cached_property
    def choice(self) -> int:
        """The place among `rows` of the ply that the search chose: the result's, else the best as logged."""
        ply = self.tree.log.chosen_ply
        if ply is not None and not self.is_drawn:
            for place, row in enumerate(self.rows):
                if self.tree.is_ply(row, ply):
                    return place
        low, high = self._ends(self.logged)
        return self._first(low, high, None)

    def _ends(self, intervals: Intervals) -> tuple[Array, Array]:
        """The least and the most that each counted ply of the root is worth to its mover."""
        counted = self.plan.counted[self.rows] if len(self.plan.counted) else 0.0
        low, high = intervals.low[self.rows] + counted, intervals.high[self.rows] + counted
        return (low, high) if self.sign > 0 else (-high, -low)

    def _first(self, low: Array, high: Array, preferred: int | None) -> int:
        """The ply that is worth most at least; of equal ones the choice, then the one that can reach more."""
        best = np.flatnonzero(low == low.max())
        if preferred is not None and preferred in best:
            return preferred
        return int(best[np.argmax(high[best])])

    # One set of weights ------------------------------------------------------------------------------
    def steps(self, weights: Mapping[str, float]) -> Array:
        """The change of each weight; raises `WeightsError` for one that cannot change."""
        by_name = {each.name: place for place, each in enumerate(self.weights)}
        steps = np.zeros(len(self.weights))
        for name, value in weights.items():
            if name not in by_name:
                names = ", ".join(each.name for each in self.weights if not each.fixed)
                raise WeightsError(f"no factor {quoted(name)} in this log; its factors are {names}")
            weight = self.weights[by_name[name]]
            if weight.fixed or weight.weight is None:
                raise WeightsError(weight.fixed)
            if not math.isfinite(value):
                raise WeightsError(f"the weight of {quoted(name)} must be a number, not {value}")
            if abs(value) > MOST_WEIGHT:
                raise WeightsError(
                    f"the weight of {quoted(name)} is {value:g}, expected at most {MOST_WEIGHT:g} in size"
                )
            steps[by_name[name]] = value - weight.weight
        return steps

    def at(self, weights: Mapping[str, float]) -> Reweighted:
        """The log under `weights`, those not named as logged; raises `WeightsError`."""
        steps = self.steps(weights)
        intervals = self.logged
        if steps.any():
            intervals = refold(self.plan, steps, self._work, assume_dropped=self.assume_dropped)
        low, high = self._ends(intervals)
        first = self._first(low, high, self.choice)
        beats = high > low[first]
        beats[first] = False
        open_rivals = [self.rows[place] for place in np.flatnonzero(beats)]
        has_others = bool(self.unfinished) or self.n_others is not None
        is_open = has_others and self._most > low[first]
        certain = not (open_rivals or is_open)
        n_others = 0
        unsearched = Unsearched(0, False, 0)
        if not certain:
            unsearched = unsearched_below(
                self.plan,
                intervals,
                [self.rows[first], *open_rivals],
                self._stub_counts,
                self._work,
                assume_dropped=self.assume_dropped,
            )
            if is_open:
                n_others = (self.n_others or 0) + len(self.unfinished)
                unsearched = unsearched._replace(
                    plies=unsearched.plies + n_others,
                    is_least=unsearched.is_least or n_others == 0,
                )
        now = {
            each.name: float(each.weight + step)
            for each, step in zip(self.weights, steps, strict=True)
            if each.weight is not None and not each.fixed
        }
        return Reweighted(
            weights=now | {name: float(value) for name, value in weights.items()},
            plies=self._plies(intervals, low, high, first),
            certain=certain,
            is_tie=certain and bool((np.delete(high, first) == low[first]).any()),
            choice=self._state(low, high),
            unsearched=unsearched,
            others=n_others,
            intervals=intervals,
        )

    def _state(self, low: Array, high: Array) -> State:
        """The state of the choice: `certain`, `depends` or `falls`."""
        rival_low, rival_high = np.delete(low, self.choice), np.delete(high, self.choice)
        has_others = bool(self.unfinished) or self.n_others is not None
        most = max(float(rival_high.max(initial=-math.inf)), self._most if has_others else -math.inf)
        if low[self.choice] >= most:
            return "certain"
        return "falls" if rival_low.max(initial=-math.inf) > high[self.choice] else "depends"

    def _plies(self, intervals: Intervals, low: Array, high: Array, first: int) -> tuple[RootPly, ...]:
        counted = self.plan.counted[self.rows] if len(self.plan.counted) else np.zeros(len(self.rows))
        plies = []
        for place in np.lexsort((-low, -high, np.arange(len(self.rows)) != first)).tolist():
            row = self.rows[place]
            word: Place = "could overtake" if high[place] > low[first] else "ruled out"
            least = float(intervals.low[row] + counted[place])
            most = float(intervals.high[row] + counted[place])
            plies.append(RootPly(row, self.tree.ply(row), least, most, "first" if place == first else word))
        word = "could overtake" if self._most > low[first] else "ruled out"
        ends = self.plan.range_low, self.plan.range_high
        return (*plies, *(RootPly(row, self.tree.ply(row), *ends, word) for row in self.unfinished))

    # Ranges ------------------------------------------------------------------------------------------
    @cached_property
    def _state_logged(self) -> State:
        return self._state(*self._ends(self.logged))

    def bands(self, factor: int) -> list[Band]:
        """The least and most of each of `rows` against the change of one weight, the others as logged."""
        compiled = self.compiled or self.tree.log.n_rows * len(self.weights) > PLAIN_WORK
        work = Work(compiled, self._say)
        return bands(self.plan, factor, self.root, work, assume_dropped=self.assume_dropped)

    def range_of(self, factor: int) -> FactorRange:
        """The range of the weight of `factor`."""
        others = self._most if self.unfinished or self.n_others is not None else None
        found = segments(self.bands(factor), self.choice, self.sign, others)
        return FactorRange(self.weights[factor], range_around(found, self._state_logged), tuple(found))

    @cached_property
    def all_ranges(self) -> list[FactorRange]:
        """`ranges`, kept."""
        return self.ranges()

    def ranges(self, on_progress: Callable[[float], None] | None = None) -> list[FactorRange]:
        """The ranges of all weights that can change, that first which flips the choice by the least share."""
        free = [place for place, each in enumerate(self.weights) if not each.fixed]
        found = []
        for number, factor in enumerate(free):
            found.append(self.range_of(factor))
            (on_progress or say_nothing)((number + 1) / len(free))
        return sorted(found, key=lambda each: (each.share, each.flips_at))


NO_CHOICE: Final = (
    "the root of this log has no searched plies to choose among (or does not say whose turn it is: `layer`), "
    "so there is nothing to re-weigh"
)


def weights_of(log: Log) -> list[Weight]:
    """The weights of a log; raises `WeightsError` where it has none that could be changed."""
    factors = log.columns.get("factors")
    if factors is None or not log.factors:
        if log.contribution_names:
            raise WeightsError(
                "this log states contributions only: they explain, but have no weights to change; "
                "log `factors` with their values, and their weights in the header"
            )
        raise WeightsError(
            "this log has no `factors`; log their values at the leaves and their weights in the header"
        )
    found = []
    for name, factor in zip(names_in(log, "factors"), log.factors, strict=True):
        reason = ""
        if name == REST:
            reason = f"`{REST}` is what the weighted factors leave over: it has no weight to change"
        elif factor.weight is None or not math.isfinite(factor.weight):
            reason = f"the log does not state the weight of {quoted(name)}"
        found.append(Weight(name, factor.weight, reason))
    if all(each.fixed for each in found):
        raise WeightsError("this log does not state the weight of any factor; write them in the header")
    return found


def refuse(tree: Tree, sight: Any) -> None:
    """Raise `WeightsError` where scores are not folded as best or worst of plies."""
    if sight.best_first or sight.is_averaged:
        raise WeightsError(
            "this is a best-first search: its means are of visits that other weights would have spent "
            "elsewhere, so the recorded tree does not say what they would be"
        )
    if sight.is_maxn and not is_one_ply(tree):
        raise WeightsError(
            "each of more than two players seeks its own score here, and the factors are of one player only"
        )


def is_one_ply(tree: Tree) -> bool:
    """Whether all plies of the main root are leaves: every score is a sum of its mover's own factors."""
    children = tree.children(tree.main_root)
    visits = children[~tree.is_stub[children]]
    columns = tree.log.columns
    return bool(
        columns["layer"][tree.main_root] == words.MAX
        and (columns["outcome"][visits] == words.LEAF).all()
        and (columns["end"][visits] == visits + 1).all()
    )
