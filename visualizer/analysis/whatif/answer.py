"""The answers of what-if: a log under other weights, how far each may go, scores against one weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Self

from plyscope.engine.quoting import visible
from plyscope.visualizer.analysis.columns.rounding import is_same
from plyscope.visualizer.analysis.json_answer import HIDDEN, LONG, Score, as_json, called
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.nodes.notebook import MOST_ROWS, Block, Displayed, Figure, Table
from plyscope.visualizer.analysis.whatif import sentences
from plyscope.visualizer.analysis.whatif.envelope import Curve
from plyscope.visualizer.analysis.whatif.reweighing import FactorRange, Place, Reweighing, Reweighted
from plyscope.visualizer.analysis.whatif.weight_ranges import Segment, State

MOST_SEGMENTS: Final = 100
"""Stretches of one weight in an answer, those around the logged weight."""


MOST_POINTS: Final = 400
"""Points of one line of a chart; a line with more is drawn by every n-th of its corners."""


@dataclass(frozen=True)
class NamedPly(Displayed):
    """A ply of the root, as its last visit."""

    node: Node = field(repr=False, metadata=called("id"))
    ply: str | None


@dataclass(frozen=True)
class ChosenPly(NamedPly):
    """The ply that the search chose; of a drawn one, the best as logged."""

    state: State
    """It is `certain`, it `depends` on unsearched plies, or it `falls`."""
    drawn: bool


@dataclass(frozen=True)
class ReweightedPly(NamedPly):
    """A ply of the root under other weights: it is worth from `low` to `high`, seen from the root player."""

    low: Score
    """-inf where it is not known."""
    high: Score
    place: Place
    """`first` for what is worth most at least, `could overtake` for what may be worth more, `ruled out`."""


@dataclass(frozen=True)
class Unsearched:
    """The plies that could still change the worth of the first ply, or of one that could overtake it."""

    plies: int
    """Plies that stubs stand for, and stopped nodes; 0 where the first ply is certain."""
    at_least: bool
    """Whether there may be more: a stub that does not say how many plies it stands for."""
    unknown: int
    """Nodes whose worth the log does not state, such as table rows whose source is not in it."""
    rivals: int
    """Plies of the root that could overtake the first."""
    without_rows: int
    """Plies of the root among `plies` that have no row."""


@dataclass(frozen=True)
class Leaves:
    """The rows that were weighed anew, and those that keep their worth."""

    all: int
    moved: int
    stand_pats: int
    endings: int
    words: str


@dataclass(frozen=True)
class Piece:
    """A piece of a sentence, and the node that it names."""

    text: str
    node: Node | None = field(metadata=called("id"))
    strong: bool


@dataclass(frozen=True)
class WeightRange(Displayed):
    """The range of one weight, the others as logged: where the choice stands, depends or falls."""

    name: str
    weight: float
    """As logged."""
    state: State
    """The choice as logged: `certain`, `depends` (on unsearched plies) or `falls`."""
    stands: tuple[Score, Score] | None
    """Between these weights the choice certainly stands; None where it does not as logged."""
    holds: tuple[Score, Score] | None
    """Just beyond these weights it certainly falls; infinite where that never happens."""
    flips_at: Score
    """The least change of the weight after which the choice no longer certainly stands."""
    share: Score
    """That change as a share of the weight."""
    takes: str
    """That share as it is read: `−25 %`, `never`, `open`."""
    certain: str
    """`stands` as it is read, in three digits and rounded into it: `13.5 to 26.5`, `any weight`; or empty."""
    words: str
    segments: tuple[tuple[Score, Score, State], ...] = field(repr=False)
    """All weights from -inf to inf: from, to, state; at most the 100 stretches nearest to the logged one."""
    is_cut: bool = field(repr=False)


@dataclass(frozen=True)
class WeightRanges:
    """The range of each weight, the others as logged."""

    choice: ChosenPly
    sentence: str
    leaves: str
    ranges: tuple[WeightRange, ...]
    """First that which flips the choice by the least share of itself."""
    fixed: Mapping[str, str]
    """By name, why a weight cannot change."""


@dataclass(frozen=True)
class WhatIf(Displayed):
    """A search under other weights; see `what_if`. `str` of it is what the command prints."""

    weights: Mapping[str, float]
    """Every weight that can be changed, as it is here."""
    changed: Mapping[str, float]
    """Those that are not as logged."""
    logged: Mapping[str, float | None]
    """The weights of the log; None where it does not state one."""
    fixed: Mapping[str, str]
    """By name, why a weight cannot change."""
    first: NamedPly
    """The ply that is worth most at least."""
    choice: ChosenPly
    certain: bool
    """Whether no other ply can be worth more than the first, whatever was not searched."""
    tie: bool
    """Whether the first is certain, and another ply may be worth exactly as much."""
    depends_on: Unsearched
    plies: tuple[ReweightedPly, ...] = field(metadata=LONG)
    """The plies of the root: the first, then the others, those that can reach most first."""
    leaves: Leaves
    sentence: str
    parts: tuple[Piece, ...]
    """The sentence in pieces."""
    log: Reweighing = field(repr=False, compare=False, metadata=HIDDEN)
    found: Reweighted = field(repr=False, compare=False, metadata=HIDDEN)
    name: str = field(default="", metadata=HIDDEN)

    @classmethod
    def of(cls, log: Reweighing, weights: Mapping[str, float], name: str = "") -> Self:
        """A log under some weights; raises OptionError."""
        found = log.at(weights)
        parts = sentences.sentence(log, found)
        unsearched = found.unsearched
        return cls(
            weights=found.weights,
            changed=sentences.changed_weights(log, found),
            logged={each.name: each.weight for each in log.weights},
            fixed=_fixed(log),
            first=NamedPly(*_named(log, found.plies[0].row)),
            choice=_chosen(log, found),
            certain=found.certain,
            tie=found.is_tie,
            depends_on=Unsearched(
                *unsearched, sum(ply.place == "could overtake" for ply in found.plies), found.others
            ),
            plies=tuple(
                ReweightedPly(*_named(log, each.row), each.low, each.high, each.place) for each in found.plies
            ),
            leaves=Leaves(log.n_leaves, log.n_moved, log.n_pats, log.n_endings, sentences.leaves_words(log)),
            sentence="".join(part.text for part in parts),
            parts=tuple(
                Piece(part.text, None if part.row < 0 else Node(log.tree, part.row), part.is_strong)
                for part in parts
                if part.text
            ),
            log=log,
            found=found,
            name=name,
        )

    def interval(self, node: Node) -> tuple[float, float]:
        """The least and the greatest worth of a node, seen from the root player; NaN for a stub.

        Of several visits of one ply the last one holds what all of them leave open.
        """
        if node._tree is not self.log.tree:
            raise ValueError("the node is of another log")
        low, high = self.found.intervals
        return float(low[node.row]), float(high[node.row])

    @cached_property
    def ranges(self) -> tuple[WeightRange, ...]:
        """The range of each weight, the others as logged; first what flips the choice by the least share.

        They do not depend on the weights asked for, and are computed when first read.
        """
        return tuple(map(range_of, self.log.all_ranges))

    def as_json(self) -> dict[str, Any]:
        """The answer of `plyscope what-if --weights … --json`."""
        return {"log": self.name, **as_json(self)}

    def ranges_as_json(self) -> dict[str, Any]:
        """The answer of `plyscope what-if --json` without weights."""
        return {"log": self.name, **as_json(ranges_of(self.log))}

    def lines(self) -> list[str]:
        """The lines that the command prints for one set of weights."""
        return sentences.reweighted_lines(self.log, self.found)

    def range_lines(self) -> list[str]:
        """The lines that the command prints without weights."""
        return sentences.range_lines(self.log)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _blocks(self) -> Iterable[Block]:
        yield self.sentence
        few = self.plies[:MOST_ROWS]
        rows = [(each.ply, Figure(sentences.interval(each.low, each.high)), each.place) for each in few]
        yield Table(("ply", "worth", ""), rows, len(self.plies) - len(few))
        yield self.leaves.words

    def __repr__(self) -> str:
        state = "certain" if self.certain else f"depends on {sentences.counted_plies(self.found)}"
        return f"<WhatIf {visible(self.name)}: {visible(self.first.ply or '?')} first, {state}>"


def ranges_of(log: Reweighing) -> WeightRanges:
    """The range of each weight, first the one that flips the choice by the least share."""
    found = log.at({})
    return WeightRanges(
        choice=_chosen(log, found),
        sentence="".join(part.text for part in sentences.sentence(log, found)),
        leaves=sentences.leaves_words(log),
        ranges=tuple(map(range_of, log.all_ranges)),
        fixed=_fixed(log),
    )


def range_of(found: FactorRange) -> WeightRange:
    """The range of one weight."""
    weight = found.weight.weight or 0.0
    near = sorted(found.segments, key=_distance)[:MOST_SEGMENTS]
    return WeightRange(
        name=found.weight.name,
        weight=weight,
        state=found.range.state,
        stands=sentences.change_as_weight(found, found.range.stands),
        holds=sentences.change_as_weight(found, found.range.holds),
        flips_at=found.flips_at,
        share=found.share,
        takes=sentences.share_words(found),
        certain=sentences.certain_words(found),
        words=sentences.range_words(found),
        segments=tuple(
            (weight + each.begin, weight + each.end, each.state)
            for each in sorted(near, key=lambda each: each.begin)
        ),
        is_cut=len(near) < len(found.segments),
    )


def _named(log: Reweighing, row: int) -> tuple[Node, str | None]:
    return Node(log.tree, row), log.tree.ply(row)


def _chosen(log: Reweighing, found: Reweighted) -> ChosenPly:
    return ChosenPly(*_named(log, log.rows[log.choice]), found.choice, log.is_drawn)


def _fixed(log: Reweighing) -> dict[str, str]:
    return {each.name: each.fixed for each in log.weights if each.fixed}


def _distance(segment: Segment) -> float:
    if segment.begin <= 0 <= segment.end:
        return 0.0
    return min(abs(segment.begin), abs(segment.end))


@dataclass(frozen=True)
class PlyCurve(NamedPly):
    """The least and the most of a ply of the root against one weight: straight from corner to corner."""

    low: tuple[tuple[float, Score], ...]
    """[weight, score]; a corner where it jumps stands twice."""
    high: tuple[tuple[float, Score], ...]
    thinned: bool
    """Whether corners were left out."""


@dataclass(frozen=True)
class WeightCurve:
    """The plies of the root between two weights of a factor."""

    name: str
    weight: float
    begin: float = field(metadata=called("from"))
    end: float = field(metadata=called("to"))
    plies: tuple[PlyCurve, ...]
    more_plies: int


def curve_of(log: Reweighing, factor: int, low: float, high: float, n_most: int) -> WeightCurve:
    """The least and most of counted root plies between two weights, corner by corner.

    Of more than `n_most` those that reach most with the weights of the log.
    """
    weight = log.weights[factor].weight or 0.0
    plies = []
    shown = {ply.row for ply in log.at({}).plies[:n_most]}
    for row, band in zip(log.rows, log.bands(factor), strict=True):
        if row not in shown:
            continue
        ends = [points(curve, low - weight, high - weight) for curve in (band.low, band.high)]
        lines = [tuple((weight + at, score) for at, score in corners) for corners, _ in ends]
        plies.append(PlyCurve(*_named(log, row), lines[0], lines[1], any(is_thin for _, is_thin in ends)))
    return WeightCurve(log.weights[factor].name, weight, low, high, tuple(plies), len(log.rows) - len(plies))


def points(curve: Curve, low: float, high: float) -> tuple[list[tuple[float, float]], bool]:
    """The corners of a curve between two changes, both ends included; and whether some were left out.

    >>> import numpy as np
    >>> kinked = Curve(np.array([-np.inf, 1.0]), np.array([0.0, 2.0]), np.array([2.0, 0.0]))
    >>> points(kinked, 0.0, 3.0)
    ([(0.0, 0.0), (1.0, 2.0), (3.0, 2.0)], False)
    """
    inside = [place for place in range(len(curve.start)) if low < curve.start[place] < high]
    step = -(-len(inside) // (MOST_POINTS // 2)) if inside else 1
    found = [(low, curve.at(low))]
    for place in inside[::step]:
        at = float(curve.start[place])
        before = float(curve.value[place - 1] + _times(float(curve.slope[place - 1]), at))
        after = curve.at(at)
        if not is_same(before, after):
            found.append((at, before))
        found.append((at, after))
    found.append((high, curve.at(high)))
    return found, step > 1


def _times(slope: float, change: float) -> float:
    return slope * change if slope else 0.0


def default_span(log: Reweighing, factor: int) -> tuple[float, float]:
    """The weights that a chart shows unless asked otherwise: from 0 to twice the logged one.

    Around a weight of 0 as far as the largest weight goes.
    """
    weight = log.weights[factor].weight or 0.0
    if weight:
        return min(0.0, 2 * weight), max(0.0, 2 * weight)
    size = max((abs(each.weight) for each in log.weights if each.weight), default=1.0)
    return -size, size
